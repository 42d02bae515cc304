package codex

import (
	"math"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// fullLimit asks for all of a text.
const fullLimit = math.MaxInt

// Messages gives the history as the provider got it: an item is a message of
// its own. Instructions and tools stand outside. A process that goes on and one
// that starts again have the same history.
func (dialect) Messages(view []model.Viewed, _ bool) model.Conversation {
	c := model.Conversation{Messages: make([]model.Message, 0, len(view)), Exact: true}
	h := history{replaced: map[int64][][]byte{}}
	isCut, isReplaced := false, false
	for i := range view {
		x := &view[i]
		item := h.read(x)
		isCut = isCut || i == 0 && !item.begins()
		isReplaced = isReplaced || item.isReplaced
		m := model.Message{Role: x.Role, Records: []int{i}, Tokens: x.Tokens, Summary: x.Summary}
		item.fill(&m)
		c.Messages = append(c.Messages, m)
		c.Exact = c.Exact && item.exact
	}
	// What begins in the middle is that of a log without the one it goes on from.
	c.Exact = c.Exact && (!isCut || isReplaced)
	return c
}

// Request gives the request behind a response: the history up to the item that
// its records name as the last one that the model saw.
func (d dialect) Request(e model.Event, view []model.Viewed, log model.Records) (c model.Conversation, ok bool) {
	_, raw, ok := log.Record(e.Pos)
	if !ok {
		return c, false
	}
	l := readLine(raw)
	_, sampled, isDraft := l.sequence()
	if sampled < 0 || isDraft {
		return c, false // a draft of a summary saw all there was
	}
	h := history{replaced: map[int64][][]byte{}}
	seen := make([]model.Viewed, 0, len(view))
	places := make([]int, 0, len(view))
	latest := int64(-1)
	for i := range view {
		item := h.read(&view[i])
		if item.own <= sampled {
			seen, places, latest = append(seen, view[i]), append(places, i), max(latest, item.own)
		}
	}
	c = d.Messages(seen, true)
	for i := range c.Messages {
		for j, n := range c.Messages[i].Records {
			c.Messages[i].Records[j] = places[n]
		}
	}
	c.Exact = c.Exact && latest == sampled
	return c, true
}

// history reads what is in view. A compaction's record is taken apart once.
type history struct{ replaced map[int64][][]byte }

// inHistory is a message in view, as its record tells.
type inHistory struct {
	body         body
	kind         string
	own, sampled int64 // numbers in the history; -1 where not told
	text         *string
	exact        bool
	isReplaced   bool // a compaction put it in place
}

func (h *history) read(x *model.Viewed) (m inHistory) {
	m.own, m.sampled = -1, -1
	if x.Raw == nil {
		return m
	}
	l := readLine(x.Raw)
	m.body, m.exact = readBody(l.payload), true
	if index, ok := indexOf(x.Key); ok {
		m.replaced(h.itemsOf(x.Pos, &m.body), index)
		return m
	}
	switch kind := jsonscan.Str(l.typ); {
	case kind == "compacted" && x.Key == "": // of which message it is is not asked
		text := joinedItems(m.body.replacement)
		m.text = &text
	case kind == "compacted": // only the summary is told
		text := jsonscan.Str(m.body.message)
		m.text, m.exact = &text, false
	case kind == lineEvent: // the screen was told; what the model got is not recorded
		text := phrase.Content(screenText(&m.body), fullLimit)
		m.text, m.exact = &text, false
	case l.flat && isStdout(kind):
		text := jsonscan.Str(jsonscan.Get(m.body.item, "text"))
		m.text, m.exact = &text, false
	default:
		m.own, m.sampled, _ = l.sequence()
	}
	m.kind = jsonscan.Str(m.body.typ)
	return m
}

// joinedItems is what a compaction puts in place, of all items.
func joinedItems(replacement []byte) string {
	var all []string
	jsonscan.Elements(replacement, func(v []byte) bool {
		b := readBody(v)
		if said, ok := spokenOf(&b); ok {
			all = append(all, phrase.Content(said.content, fullLimit), given(&b))
		}
		return true
	})
	return strings.Join(all, "\n")
}

// replaced makes m the item that a compaction put in place.
func (m *inHistory) replaced(items [][]byte, index int64) {
	m.isReplaced = true
	number := jsonscan.Get(element(m.body.replacementMeta, index), "history_sequence")
	m.own = intOr(number, -1)
	if index >= int64(len(items)) {
		m.exact = false
		return
	}
	m.body = readBody(items[index])
	m.kind = jsonscan.Str(m.body.typ)
}

func (h *history) itemsOf(pos int64, b *body) [][]byte {
	items, ok := h.replaced[pos]
	if !ok {
		jsonscan.Elements(b.replacement, func(v []byte) bool {
			items = append(items, v)
			return true
		})
		h.replaced[pos] = items
	}
	return items
}

// begins reports whether a history can begin with the item: not with an answer
// or a result, nor with what comes behind an answer.
func (m *inHistory) begins() bool {
	said, ok := spokenOf(&m.body)
	return ok && !said.isMade && !said.isOutput && m.sampled <= 0
}

// fill gives a message its text, calls and results.
func (m *inHistory) fill(to *model.Message) {
	if m.text != nil {
		to.Text = *m.text
		return
	}
	said, _ := spokenOf(&m.body)
	to.Text = phrase.Content(said.content, fullLimit)
	switch id := callID(&m.body); {
	case said.isOutput:
		to.Results = []string{id}
	case said.isMade && m.kind != "message" && m.kind != "reasoning":
		to.Calls = []model.MessageCall{{ID: id, Tool: jsonscan.Str(m.body.name), Args: given(&m.body)}}
	}
}

// given is what a call was given, as the model wrote it.
func given(b *body) string {
	for _, v := range [][]byte{b.arguments, b.input} {
		if text, ok := jsonscan.Text(v); ok {
			return text
		}
	}
	return string(b.action)
}
