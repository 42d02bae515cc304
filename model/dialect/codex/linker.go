package codex

import (
	"encoding/json"
	"fmt"
	"strconv"

	"hindcast/model"
	"hindcast/model/phrase"
)

// linker completes a session's events in replay order. All that it keeps
// between events is in state, which is bounded whatever the length of the log.
type linker struct {
	meta    meta
	session string
	state   state
}

// state is what a linker carries from one import to the next.
type state struct {
	Calls   []openCall `json:",omitempty"` // oldest first
	Lost    int64      `json:",omitempty"` // calls that were dropped at callLimit
	Now     answered   // the response that the last of the model's items belongs to
	Next    []int64    `json:",omitempty"` // pos of what the next response answers
	Apart   bool       // something stood behind the last input that is no item
	Numbers []place    `json:",omitempty"` // where numbers of the history stand

	Prompts []original `json:",omitempty"` // prompts without their copy yet
	Made    []original `json:",omitempty"` // messages of the model without their copy yet
	Copies  []original `json:",omitempty"` // copies that stand before their original
	Turns   []int64    `json:",omitempty"` // pos of the prompts in view

	Items     int64 // items of the history since the last compaction, or of its replacement
	FirstItem int64 // pos of the first of them
	LastItem  int64 // pos of the newest
	Draft     int64 // pos of a summary that no compaction has taken yet
	Compacted int64 // pos of the last compaction

	Usage, Total model.Usage
	Counted      bool // the file holds the usage of single responses

	Settings map[string]map[string]uint64 `json:",omitempty"` // sums by type and name
	Model    string                       `json:",omitempty"` // as settings told it last
	Cwd      string                       `json:",omitempty"`

	Head     bool  // the session's own first line was seen
	Own      int64 // the seq at which a child's own part starts
	Thread   string
	Parent   string     `json:",omitempty"`
	Base     model.Base `json:",omitzero"`
	Title    string     `json:",omitempty"`
	Named    bool       // Title is of the session's own part
	Asked    bool       // Title is a prompt that a copy bore out
	Version  string     `json:",omitempty"`
	Status   string     `json:",omitempty"`
	Inferred string     `json:",omitempty"`
}

// openCall is a call without its result, and what an item told of it.
type openCall struct {
	Pos        int64
	Call, Tool string
	Told       bool   `json:",omitempty"`
	Failed     bool   `json:",omitempty"`
	Script     string `json:",omitempty"` // what a script calls, as far as its title says
}

// answered is a response of the model: its first item, and what it answers.
type answered struct {
	First   int64
	Sampled int64
	Sources []int64 `json:",omitempty"`
	// Exact is the one of them that the record names; 0 where none is named.
	Exact int64
}

// place is where a run of numbers stands.
type place struct {
	span
	Pos int64
}

// original is a message that stands twice, by id, or by a sum of its text.
type original struct {
	Pos int64
	ID  string `json:",omitempty"`
	Sum uint64
}

// The bounds of what is remembered. What belongs together stands close.
const (
	callLimit   = 4096
	inputLimit  = 64
	numberKept  = 512
	copyLimit   = 64
	turnLimit   = 4096
	settingsMax = 256
)

func newLinker(m meta, session string) *linker {
	return &linker{meta: m, session: session}
}

// Link completes an event: what it answers, what it was made from, what it
// repeats.
func (l *linker) Link(e *model.Event, look model.Lookup) {
	n := parseNote(e.Note)
	st := &l.state
	f := n.Flags
	if st.Own > 0 && e.HasSeq && e.Seq > 0 && e.Seq < st.Own && e.Origin == model.OriginRecorded && st.Head {
		e.Origin = model.OriginInherited // the parent's, copied to the beginning
	}
	switch {
	case f.has(isMetaLine):
		l.head(e, &n, look)
	case f.has(isMade):
		l.made(e, &n, look)
		if n.Sum != 0 {
			l.repeated(e, &n, look)
		}
	case f.has(isCopy):
		l.copied(e, &n, look)
	case f.has(compacts):
		l.compact(e, &n, look)
	case f.has(compacted):
		if st.Compacted > 0 {
			l.infer(e, model.ReasonParent, st.Compacted, look)
		}
	case f.has(isSettings):
		l.settings(e, &n)
	case f.has(rollsBack):
		l.rollback(e, &n, look)
	case f.has(isGhost):
		l.infer(e, model.ReasonBase, e.Pos-1, look)
	case f.has(endsBadly):
		if st.LastItem > 0 {
			l.infer(e, model.ReasonSource, st.LastItem, look)
		}
	}
	if f.has(opensCall) {
		l.open(e, look)
	}
	if f.has(answersCall) {
		l.answer(e, &n, look)
	}
	if f.has(tellsCall) {
		l.tell(e, &n, look)
	}
	if f.has(scripted) {
		l.script(e, &n, look)
	}
	if n.Original != "" && f.has(isItem) {
		if b, ok := look.ByID(n.Original); ok && b.Pos < e.Pos {
			l.infer(e, model.ReasonSource, b.Pos, look)
		}
	}
	l.keep(e, &n)
}

// head reads the first line of a thread: where it came from, and from where it
// goes on.
func (l *linker) head(e *model.Event, n *note, look model.Lookup) {
	st := &l.state
	if n.Base != "" {
		l.goesOn(e, n, look)
	}
	if e.Origin == model.OriginInherited || st.Head {
		return // of the base, or of the parent whose beginning was copied
	}
	st.Head, st.Thread, st.Version = true, n.Thread, n.Version
	if n.Flags.has(ownStarts) {
		st.Own = n.Number
	}
	if n.Parent != "" && n.Parent != n.Thread {
		st.Parent = n.Parent
		e.Links = append(e.Links, model.Link{Reason: model.ReasonSpawn, ToID: n.Thread})
	}
	base := n.Base
	if session := l.meta.Segments[base]; session != "" {
		base = session
	}
	if base != "" && base != l.session {
		st.Base = model.Base{Session: base, Seq: n.Number - 1}
	}
}

// goesOn reads a first line that goes on from another file: the event before it
// is the last one from there.
func (l *linker) goesOn(e *model.Event, n *note, look model.Lookup) {
	last := strconv.FormatInt(n.Number-1, 10)
	e.Title = phrase.Fit("fork of " + n.Base + " at " + last)
	if n.Base == n.Thread {
		e.Title = "revert to " + last
	}
	k := model.Link{Reason: model.ReasonBase, To: model.Ref{Seq: n.Number - 1}, Broken: model.LinkMissing}
	if b, ok := look.At(e.Pos - 1); ok && b.Seq == n.Number-1 {
		k.To, k.Broken = model.Ref{Session: e.Session, Seq: b.Seq, Pos: b.Pos}, model.LinkWhole
	}
	e.Links = append(e.Links, k)
}

// made says which response an item of the model belongs to, and what that was
// made from. Records of newer versions name the last item that the model had
// seen; else it is what came since the response before.
func (l *linker) made(e *model.Event, n *note, look model.Lookup) {
	st := &l.state
	begins := st.Now.First == 0
	switch {
	case n.Flags.has(isDraft):
		// The number that a draft names is the response's before it.
		begins = true
	case n.Sampled > 0:
		begins = begins || n.Sampled != st.Now.Sampled
	case len(st.Next) > 0:
		// A round trip may be written at once, calls and results in turn: only
		// what stands apart from its input answers it.
		begins = begins || st.Apart || n.Flags.has(isStdoutRow)
	}
	if begins {
		st.Now = answered{First: e.Pos, Sampled: n.Sampled, Sources: st.Next}
		st.Next = nil
		if pos := st.place(n.Sampled); pos > 0 && !n.Flags.has(isDraft) {
			st.Now.Exact = pos
		}
		if n.Flags.has(isDraft) {
			st.Now.Sampled = -1
		}
	} else if st.Now.First < e.Pos {
		l.link(e, model.Link{Reason: model.ReasonBatch, Inferred: n.Sampled == 0}, st.Now.First, look)
	}
	if st.Now.Exact > 0 {
		l.link(e, model.Link{Reason: model.ReasonSource}, st.Now.Exact, look)
	}
	for _, pos := range st.Now.Sources {
		if pos != st.Now.Exact && (st.Now.Exact == 0 || pos < st.Now.Exact) {
			l.infer(e, model.ReasonSource, pos, look)
		}
	}
}

// place finds where a number of the history stands; 0 where that is not known.
func (st *state) place(number int64) int64 {
	for i := len(st.Numbers) - 1; i >= 0 && number > 0; i-- {
		if p := st.Numbers[i]; p.From <= number && number <= p.To {
			return p.Pos
		}
	}
	return 0
}

// compact links a compaction to its draft and to what it drops, a range by its
// ends.
func (l *linker) compact(e *model.Event, n *note, look model.Lookup) {
	st := &l.state
	switch {
	case st.Draft > 0:
		l.link(e, model.Link{Reason: model.ReasonSource}, st.Draft, look)
	case st.LastItem > 0:
		l.infer(e, model.ReasonSource, st.LastItem, look)
	}
	if st.FirstItem > 0 {
		l.infer(e, model.ReasonForgets, st.FirstItem, look)
		if st.LastItem > st.FirstItem {
			l.infer(e, model.ReasonForgets, st.LastItem, look)
		}
	}
	title := "compaction: " + phrase.Plural(int(st.Items), "item") + " → "
	if n.Number >= 0 {
		title += strconv.FormatInt(n.Number, 10)
		st.Items = n.Number
	} else {
		title += "prompts and a summary"
		st.Items = int64(len(st.Turns)) + 1
	}
	if rest := e.Title[min(len("compaction: "), len(e.Title)):]; rest != "" {
		title += ": " + rest
	}
	e.Title = phrase.Fit(title)
	for _, numbers := range n.Numbers {
		st.Numbers = keepLast(st.Numbers, place{numbers, e.Pos}, numberKept)
	}
	st.FirstItem, st.LastItem, st.Draft, st.Compacted = e.Pos, e.Pos, 0, e.Pos
	st.Next, st.Now = []int64{e.Pos}, answered{}
}

// rollback takes turns back: what stands before the first of them is the base.
func (l *linker) rollback(e *model.Event, n *note, look model.Lookup) {
	st := &l.state
	keep := max(int64(len(st.Turns))-max(n.Number, 0), 0)
	if keep < int64(len(st.Turns)) {
		l.infer(e, model.ReasonBase, st.Turns[keep]-1, look)
		st.Turns = st.Turns[:keep]
	}
	st.Next, st.Now = nil, answered{}
}

// settings finds what is new in a record of settings.
func (l *linker) settings(e *model.Event, n *note) {
	st := &l.state
	if st.Settings == nil {
		st.Settings = map[string]map[string]uint64{}
	}
	before, again := st.Settings[e.Type]
	now := map[string]uint64{}
	if n.Flags.has(isPatch) {
		for name, sum := range before {
			now[name] = sum
		}
	}
	var changed []string
	for _, p := range n.Parts {
		if old, ok := before[p.Name]; !ok || old != p.Sum {
			changed = append(changed, p.Name)
		}
		if len(now) < settingsMax {
			now[p.Name] = p.Sum
		}
	}
	st.Settings[e.Type] = now
	isList := n.Model == "" // of the program's surroundings
	same := n.Model == st.Model && n.Cwd == st.Cwd
	if !isList {
		st.Model, st.Cwd = n.Model, n.Cwd
	}
	if !again {
		e.Noise = same || isList
		return
	}
	what, _, _ := cutTitle(e.Title)
	if len(changed) == 0 {
		e.Kind, e.Noise, e.Title = model.KindDelta, true, what+" unchanged"
		return
	}
	e.Title = changedTitle(what, changed, n)
}

// Save returns the linker's working state.
func (l *linker) Save() ([]byte, error) {
	b, err := json.Marshal(&l.state)
	if err != nil {
		return nil, fmt.Errorf("save codex session: %w", err)
	}
	return b, nil
}

// Load takes what Save returned.
func (l *linker) Load(b []byte) error {
	var st state
	if err := json.Unmarshal(b, &st); err != nil {
		return fmt.Errorf("load codex session: %w", err)
	}
	l.state = st
	return nil
}
