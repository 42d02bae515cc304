package codex

import (
	"slices"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// shown is a prompt or an instruction in view.
type shown struct {
	Key string
	ID  string `json:",omitempty"`
	Sum uint64 // of its role and content, as written
}

func shownOf(b *body) shown {
	return shown{ID: jsonscan.Str(b.id), Sum: sumOf(b.role, b.content)}
}

// show notes what came into view and may come again.
func (f *effector) show(s shown, key string) {
	s.Key = key
	f.state.Shown = append(f.state.Shown, s)
}

// ClaimsState: a compaction puts a history in place and claims nothing.
func (dialect) ClaimsState(e *model.Event) bool { return e.Type != "compacted" }

// summaryBeginning is how the program introduces a summary to the model.
const summaryBeginning = "Another language model started to solve this problem"

// compaction puts another history in place of the one before. An item that
// stands in view with the same text stays the message that it is; all others
// are new, and known by their place in the record.
func (t *telling) compaction() []model.Effect {
	t.state.Response = response{}
	forget := model.Forget{Reason: model.LostCompaction, Checkpoint: jsonscan.Str(t.body.windowID)}
	if forget.Checkpoint == "" {
		forget.Checkpoint = checkpointID(t.e)
	}
	inView := t.view.Context()
	if jsonscan.Kind(t.body.replacement) != '[' {
		return t.summarised(forget, inView)
	}
	m := matcher{inView: inView, shown: t.state.Shown, kept: map[string]bool{}}
	items := t.items
	m.place(items, t.e.Pos)
	for _, x := range inView {
		if !m.kept[x.Key] {
			forget.Keys = append(forget.Keys, x.Key)
		}
	}
	out := []model.Effect{forget}
	t.state.Shown = nil
	summary := summaryOf(items, t.body.message)
	for i := range items {
		item := &items[i]
		if !item.said.isMade && !item.said.isOutput {
			t.show(item.shown, item.key)
		}
		if m.kept[item.key] {
			continue
		}
		out = append(out, model.Say{
			Key: item.key, Role: item.said.role, Chars: item.chars, Tokens: model.TokensUnknown,
			Summary: item.said.summary || i == summary,
		})
	}
	return out
}

// summarised is a compaction of versions that record its summary only: what the
// user and the program said stays, as near as the record tells.
func (t *telling) summarised(forget model.Forget, inView []model.Entry) []model.Effect {
	for _, x := range inView {
		if x.Summary || x.Role != model.RoleUser && x.Role != model.RoleSystem {
			forget.Keys = append(forget.Keys, x.Key)
		}
	}
	if chars := jsonscan.Chars(t.body.message); chars > 0 {
		forget.Summary = &model.Say{Role: model.RoleUser, Chars: chars, Tokens: model.TokensUnknown, Summary: true}
	}
	return []model.Effect{forget}
}

// summaryOf finds the summary among the items that a compaction puts in place:
// the last that says what the record calls its message, or is introduced as
// one; -1 where none is.
func summaryOf(items []placed, message []byte) int {
	chars := jsonscan.Chars(message)
	for i := len(items) - 1; i >= 0; i-- {
		item := &items[i]
		if item.said.role != model.RoleUser || !item.isMessage {
			continue
		}
		if strings.HasPrefix(phrase.Content(item.said.content, 2*len(summaryBeginning)), summaryBeginning) {
			return i
		}
		if chars > 0 && item.chars == chars && phrase.Content(item.said.content, fullLimit) == jsonscan.Str(message) {
			return i
		}
	}
	return -1
}

// placed is an item of a replacement history with its place in the context.
type placed struct {
	index     int // in the record
	id        string
	isMessage bool
	said      spoken
	chars     int64
	shown     shown // as a prompt or an instruction
	key       string
}

// placedIn reads the items of a replacement history that the model sees as
// messages, in one walk: it may be many megabytes.
func placedIn(replacement []byte) []placed {
	var r replacementReader
	jsonscan.Nested(replacement, r.enters, r.take)
	return r.items
}

// replacementReader makes the items of what it is given of a history.
type replacementReader struct {
	items []placed
	index int
	body  body     // of the item at hand
	texts [][]byte // of its content, where that is a list
	text  []byte   // of the part at hand
}

// enters tells into what a walk goes: items, their content, and its parts.
func (r *replacementReader) enters(depth int, key string, open byte) bool {
	if depth != 1 {
		return depth < 3 && open == '{'
	}
	enters := key == "content" && open == '['
	if enters {
		r.texts = r.texts[:0]
	}
	return enters
}

func (r *replacementReader) take(depth int, key string, v []byte) bool {
	switch depth {
	case 0:
		r.item(v[0] == '{')
	case 1:
		r.body.take(key, v)
	case 2:
		if v[0] == '"' {
			r.text = v
		}
		if r.text != nil {
			r.texts, r.text = append(r.texts, r.text), nil
		}
	case 3:
		if key == "text" {
			r.text = v
		}
	}
	return true
}

// item ends an item.
func (r *replacementReader) item(isObject bool) {
	said, ok := spokenOf(&r.body)
	if ok && isObject {
		item := placed{index: r.index, id: jsonscan.Str(r.body.id), isMessage: word(r.body.typ) == "message", said: said}
		if jsonscan.Kind(r.body.content) == '[' && !said.isOutput && said.content != nil {
			item.chars = phrase.JoinedChars(r.texts)
		} else {
			item.chars = phrase.ContentChars(said.content)
		}
		if !said.isMade && !said.isOutput {
			item.shown = shownOf(&r.body)
		}
		r.items = append(r.items, item)
	}
	r.index++
	r.body = body{}
}

// matcher finds items of a replacement history among what is in view.
type matcher struct {
	inView []model.Entry // by key
	shown  []shown
	kept   map[string]bool
}

// place gives each item its key: the one that it has in view, where it stands
// there behind those before it, or a new one.
func (m *matcher) place(items []placed, pos int64) {
	byID, bySum := map[string]string{}, map[uint64]string{}
	for _, x := range m.inView {
		if _, ok := indexOf(x.Key); !ok && x.Event != "" {
			byID[x.Event] = x.Key
		}
	}
	for _, s := range m.shown {
		if s.ID != "" {
			byID[s.ID] = s.Key
		}
		bySum[s.Sum] = s.Key
	}
	last := ""
	for i := range items {
		item := &items[i]
		key, ok := byID[item.id]
		if !ok && item.id == "" {
			key, ok = bySum[item.shown.Sum]
		}
		if ok && key > last && m.holds(key, item) {
			item.key, last = key, key
			m.kept[key] = true
		}
	}
	m.fill(items, pos)
}

// holds reports whether an item is the message that has a key in view.
func (m *matcher) holds(key string, item *placed) bool {
	i, ok := slices.BinarySearchFunc(m.inView, key, func(x model.Entry, key string) int { return strings.Compare(x.Key, key) })
	return ok && m.inView[i].Chars == item.chars && m.inView[i].Role == item.said.role && !m.inView[i].Summary
}

// fill gives new keys to the items that are not in view: behind the one before
// them, and before the next that stays.
func (m *matcher) fill(items []placed, pos int64) {
	stays := 0
	for i := range items {
		if items[i].key != "" {
			stays = i + 1
		}
	}
	before := ""
	for i := range items {
		item := &items[i]
		switch {
		case item.key != "":
			before = item.key
		case i < stays:
			item.key = before + "." + model.MessageKey(max(lastKeyed-pos, 0)) + "." + model.MessageKey(int64(item.index))
		default:
			item.key = model.MessageKey(pos) + "." + model.MessageKey(int64(item.index))
		}
	}
}

// lastKeyed is the highest pos that a key can hold.
const lastKeyed = 9_999_999_999

// indexOf reads the place of an item in its record from its key. ok is false
// for a message that is a record of its own.
//
// A record's own key is its pos in ten digits. Of an item that a compaction put
// in place the last part of the key is the item's index. Behind all that stays
// in view the first part is the record's pos. Before something that stays it is
// the key of what stands before, and the second counts down with the pos: it
// sorts right behind that one, and before what an earlier compaction put there.
func indexOf(key string) (index int64, ok bool) {
	at := strings.LastIndexByte(key, '.')
	if at < 0 {
		return 0, false
	}
	return jsonscan.Int([]byte(`"` + key[at+1:] + `"`))
}

// rollBack takes the latest turns out of view, from the prompt on that began
// the first of them.
func (t *telling) rollBack() []model.Effect {
	turns, ok := jsonscan.Int(t.body.turns)
	if !ok || turns <= 0 {
		return nil
	}
	t.state.Response = response{}
	forget := model.Forget{Reason: model.LostRevert, Checkpoint: checkpointID(t.e)}
	inView := t.view.Context()
	from := len(inView)
	for i := len(inView) - 1; i >= 0 && turns > 0; i-- {
		if x := &inView[i]; x.Role == model.RoleUser && !x.Summary && t.isTurn(x) {
			from = i
			turns--
		}
	}
	for _, x := range inView[from:] {
		forget.Keys = append(forget.Keys, x.Key)
	}
	return []model.Effect{forget}
}

// isTurn reports whether a message in view began a turn.
func (t *telling) isTurn(x *model.Entry) bool {
	_, raw, ok := t.view.Record(x.Pos)
	if !ok {
		return false
	}
	l := readLine(raw)
	b := readBody(l.payload)
	if index, isItem := indexOf(x.Key); isItem {
		b = readBody(element(b.replacement, index))
	}
	prompt, _ := isPrompt(&b, phrase.Content(b.content, phrase.LineLimit))
	return prompt
}

// element is an element of a list; nil where there is none.
func element(list []byte, index int64) (found []byte) {
	jsonscan.Elements(list, func(v []byte) bool {
		index--
		if index < 0 {
			found = v
		}
		return index >= 0
	})
	return found
}
