package replay

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"hindcast/model"
)

// context is what the model has in view: messages in the bytewise order of
// their keys.
type context struct {
	live      []packed
	forgotten int64
	// tokens is the sum over the messages whose tokens are known; unknown counts
	// the others.
	tokens, unknown int64
	told            *int64 // what /context/tokens holds
	// view is what View.Context last gave, as long as it holds; slices handed
	// out are only ever appended to.
	view   []model.Entry
	viewed bool
}

func (c *context) say(s *step, x model.Say) {
	e := model.Entry{
		Key: x.Key, Pos: s.event.Pos, Seq: s.event.Seq, Event: s.event.ID,
		Response: x.Response, Role: x.Role, Chars: x.Chars, Tokens: max(x.Tokens, model.TokensUnknown), Summary: x.Summary,
	}
	path := ""
	if e.Key == "" {
		path = messagePathOf(e.Pos)
		e.Key = path[len(underMessages):]
	} else {
		path = messagePath(e.Key)
	}
	c.put(s, path, &e)
}

// put brings a message in, or changes the one of its key.
func (c *context) put(s *step, path string, e *model.Entry) *touched {
	i, stands := c.find(e.Key)
	var old model.Value
	if stands {
		before := c.live[i].entry()
		old = s.mem.message(&before)
		c.weigh(&before, -1)
		c.live[i] = pack(e)
	} else {
		c.live = slices.Insert(c.live, i, pack(e))
	}
	c.weigh(e, 1)
	if c.viewed && !stands && i == len(c.view) {
		c.view = append(c.view, *e)
	} else {
		c.view, c.viewed = nil, false
	}
	return s.put(path, old, s.mem.message(e))
}

// find gives the place of a key, and whether a message stands there. Most are
// behind all others.
func (c *context) find(key string) (int, bool) {
	k, n := keyOf(key), len(c.live)
	if n == 0 || c.live[n-1].compareKey(k) < 0 {
		return n, false
	}
	i := sort.Search(n, func(i int) bool { return c.live[i].compareKey(k) >= 0 })
	return i, c.live[i].compareKey(k) == 0
}

// findFrom is find for keys that mostly come one behind the other: it looks at
// index next before all others.
func (c *context) findFrom(next int, key string) (int, bool) {
	if next < len(c.live) && c.live[next].compareKey(keyOf(key)) == 0 {
		return next, true
	}
	return c.find(key)
}

func (c *context) weigh(e *model.Entry, sign int64) {
	if e.Tokens == model.TokensUnknown {
		c.unknown += sign
		return
	}
	c.tokens += sign * e.Tokens
}

func (c *context) forget(s *step, x model.Forget) {
	if x.Replace {
		c.prune(s, x)
	} else {
		c.drop(s, x.Keys, x.Reason)
	}
	if x.Summary != nil {
		summary := *x.Summary
		summary.Summary = true
		c.say(s, summary)
	}
}

// prune keeps the messages with a shorter text; how many tokens that takes
// nobody tells.
func (c *context) prune(s *step, x model.Forget) {
	var missing []string
	for _, key := range x.Keys {
		i, stands := c.find(key)
		if !stands {
			missing = append(missing, key)
			continue
		}
		e := c.live[i].entry()
		e.Chars, e.Tokens, e.Replaced = x.ReplaceChars, model.TokensUnknown, true
		c.put(s, messagePath(key), &e)
	}
	noteMissing(s, missing)
}

// drop takes messages out, in one pass over those behind the first of them.
func (c *context) drop(s *step, keys []string, reason model.LostReason) {
	var missing []string
	var gone []int
	next := 0
	for _, key := range keys {
		if i, stands := c.findFrom(next, key); stands {
			gone = append(gone, i)
			next = i + 1
		} else {
			missing = append(missing, key)
		}
	}
	noteMissing(s, missing)
	if len(gone) == 0 {
		return
	}
	slices.Sort(gone)
	gone = slices.Compact(gone)
	for _, i := range gone {
		e, path := c.live[i].named()
		c.weigh(&e, -1)
		s.put(path, s.mem.message(&e), model.Value{}).lost = reason
	}
	c.live = without(c.live, gone)
	c.view, c.viewed = nil, false
}

// without takes the elements at sorted indexes out, in place.
func without(list []packed, gone []int) []packed {
	to := gone[0]
	for n, i := range gone {
		next := len(list)
		if n+1 < len(gone) {
			next = gone[n+1]
		}
		to += copy(list[to:], list[i+1:next])
	}
	clear(list[to:])
	return list[:to]
}

// settle writes the counts, once all effects of an event are in.
func (c *context) settle(s *step) {
	lost := c.forgotten
	for i := range s.cells {
		if w := &s.cells[i]; w.new.Absent() && !w.old.Absent() && strings.HasPrefix(w.path, underMessages) {
			lost++
		}
	}
	if lost != c.forgotten {
		s.put(pathForgotten, s.mem.int(&c.forgotten), s.mem.int(&lost))
		c.forgotten = lost
	}
	if total := c.total(); !sameValue(total, c.told) {
		s.put(pathTokens, s.mem.int(c.told), s.mem.int(total))
		c.told = total
	}
}

// total is the number of tokens in view; nil where some message does not tell.
func (c *context) total() *int64 {
	if c.unknown > 0 || len(c.live) == 0 {
		return nil
	}
	sum := c.tokens
	return &sum
}

// entries lists the messages in view. The slice is shared: it must not be
// changed.
func (c *context) entries() []model.Entry {
	if !c.viewed {
		c.view, c.viewed = make([]model.Entry, len(c.live)), true
		for i, p := range c.live {
			c.view[i] = p.entry()
		}
	}
	return c.view
}

// restore brings messages back and takes out those that were not there.
func (c *context) restore(s *step, cells []PastCell, reason model.LostReason) {
	var leave []string
	for _, past := range cells {
		if e, ok := Message(past.Path, past.Value); ok {
			c.put(s, past.Path, &e).restores = past.Pos
			continue
		}
		key := member(past.Path, model.PathMessages)
		if _, stands := c.find(key); stands {
			leave = append(leave, key)
		}
	}
	c.drop(s, leave, reason)
}

func (c *context) save(w *encoder) {
	w.int(c.forgotten)
	w.int(int64(len(c.live)))
	for _, p := range c.live {
		w.text(string(p))
	}
}

func (c *context) load(r *decoder) {
	*c = context{forgotten: r.Int()}
	for range r.count() {
		p := packed(r.text())
		if p == "" {
			r.Fail()
			return
		}
		c.live = append(c.live, p)
		e := p.entry()
		c.weigh(&e, 1)
	}
	c.told = c.total()
}

// missingShown is how many keys a note names.
const missingShown = 5

func noteMissing(s *step, keys []string) {
	if len(keys) == 0 {
		return
	}
	text := strings.Join(keys[:min(len(keys), missingShown)], ", ")
	if len(keys) > missingShown {
		text += ", ... (" + strconv.Itoa(len(keys)) + ")"
	}
	s.note(model.NoteForgetsUnknown, model.PathMessages, "not in view: "+text)
}
