package codex

import (
	"errors"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

var (
	errNotObject = errors.New("not a record: the JSON value is not an object")
	errNoRecord  = errors.New("not a record: it has neither type nor payload nor id")
)

// record is a line on its way to an event.
type record struct {
	line line
	body body
	e    *model.Event
	n    note
}

// Decode reads one line.
func (dialect) Decode(rec *model.Record, emit func(*model.Event)) error {
	if jsonscan.Kind(rec.Raw) != '{' {
		return errNotObject
	}
	r := record{e: rec.Scratch}
	r.line, r.body = readRecord(rec.Raw)
	if r.line.flat && r.line.typ == nil && r.line.recordType == nil && r.body.id == nil {
		return errNoRecord
	}
	if r.e == nil {
		r.e = new(model.Event)
	}
	*r.e = model.Event{Time: model.ParseTime(jsonscan.Str(r.line.time)), Type: r.line.typeOf(&r.body)}
	r.e.Seq, r.e.HasSeq = jsonscan.Int(r.line.ordinal)
	r.read()
	r.e.Title = phrase.Fit(r.e.Title)
	r.e.Note = r.n.String()
	emit(r.e)
	return nil
}

// read finds what the line is. What is not known is kept as other.
func (r *record) read() {
	outer, inner := word(r.line.typ), word(r.body.typ)
	switch {
	case r.line.flat && outer == "" && r.line.recordType != nil:
		r.other()
	case r.line.flat && outer == "", outer == "session_meta":
		r.threadHead()
	case r.line.flat && isStdout(outer):
		r.stdout(outer)
	case r.line.isItem():
		if r.line.flat {
			inner = outer
		}
		r.responseItem(inner)
	case outer == lineEvent:
		r.event(inner)
	case outer == "turn_context":
		r.settings("turn", r.line.payload)
		r.alias(jsonscan.Str(r.body.turnID))
	case outer == "world_state":
		r.world()
	case outer == "compacted":
		r.compaction()
	case outer == "token_usage_record":
		r.usage()
	default:
		r.other()
	}
}

// other is a record without effect on anything.
func (r *record) other() {
	r.e.Kind, r.e.Title, r.e.Source = model.KindOther, phrase.OneLine(r.e.Type), "program"
	r.e.Noise = r.e.Type == "state" || strings.HasPrefix(r.e.Type, "inter_agent_communication")
}

func (r *record) alias(ids ...string) {
	for _, id := range ids {
		if id != "" {
			r.e.Aliases = append(r.e.Aliases, id)
		}
	}
}

// threadHead is the first line of a file, and the copied first line of a parent.
func (r *record) threadHead() {
	b, e := &r.body, r.e
	e.Kind, e.Source = model.KindSession, "program"
	// The id is the thread's, not the record's: a sub-agent's first record looks
	// in its parent for who made that thread.
	r.n.Flags = isMetaLine
	r.n.Thread = jsonscan.Str(b.id)
	r.n.Version = jsonscan.Str(b.version)
	r.n.Cwd = localPath(b.cwd)
	r.n.Parent = parentThread(b)
	words := []string{"thread", r.n.Thread, r.n.Version, jsonscan.Str(b.provider)}
	e.Title = phrase.OneLine(strings.Join(words, " "))
	jsonscan.Fields(b.base, func(key string, v []byte) bool {
		switch key {
		case "thread_id":
			r.n.Base = jsonscan.Str(v)
		case "end_ordinal_exclusive":
			r.n.Number = intOr(v, 0)
		}
		return true
	})
	if start, ok := jsonscan.Int(b.ownStart); ok && r.n.Base == "" {
		r.n.Flags |= ownStarts
		r.n.Number = start
	}
	if r.n.Base != "" {
		e.Kind = model.KindCheckpoint
	}
}

// parentThread is the thread that made a sub-agent's.
func parentThread(b *body) string {
	if id := jsonscan.Str(b.parent); id != "" {
		return id
	}
	if jsonscan.Kind(b.source) != '{' {
		return ""
	}
	return jsonscan.Str(jsonscan.Get(b.source, "subagent", "thread_spawn", "parent_thread_id"))
}

// compaction is the line that puts another history in the place of the one
// before.
func (r *record) compaction() {
	b, e := &r.body, r.e
	e.Kind, e.Source = model.KindCheckpoint, "program"
	e.ID = jsonscan.Str(b.windowID)
	r.n.Flags = compacts
	r.n.Number = -1
	numbered := int64(0)
	jsonscan.Elements(b.replacementMeta, func(v []byte) bool {
		numbered++
		r.n.addNumber(intOr(jsonscan.Get(v, "history_sequence"), 0))
		return true
	})
	if jsonscan.Kind(b.replacement) == '[' {
		// The history may be many megabytes: its items are counted by what is
		// noted of each, where that is.
		if r.n.Number = numbered; numbered == 0 {
			jsonscan.Elements(b.replacement, func([]byte) bool { r.n.Number++; return true })
		}
	}
	e.Title = "compaction: " + summaryLine(jsonscan.Str(b.message))
}

// numberLimit bounds the runs of numbers that a compaction is known by.
const numberLimit = 64

func (n *note) addNumber(v int64) {
	switch last := len(n.Numbers) - 1; {
	case v == 0:
	case last >= 0 && n.Numbers[last].To+1 == v:
		n.Numbers[last].To = v
	case len(n.Numbers) < numberLimit:
		n.Numbers = append(n.Numbers, span{v, v})
	default: // the newest numbers stand last, and are those that are named
		n.Numbers = append(n.Numbers[:0], n.Numbers[1:]...)
		n.Numbers = append(n.Numbers, span{v, v})
	}
}

// summaryLine is the first line of a compaction's message behind the sentence
// that introduces every summary.
func summaryLine(text string) string {
	if strings.HasPrefix(text, "Another language model started to solve this problem") {
		if _, rest, ok := strings.Cut(text, "\n"); ok {
			text = rest
		}
	}
	return phrase.FirstLine(text)
}

// usage is what one response cost.
func (r *record) usage() {
	b, e := &r.body, r.e
	e.Kind, e.Noise, e.Source = model.KindDelta, true, "program"
	r.n.Flags = isUsage
	r.alias(jsonscan.Str(b.responseID))
	e.Usage = usageOf(b.usage)
	e.Title = "usage: " + tokens(jsonscan.Get(b.usage, "total_tokens"))
}

func tokens(v []byte) string {
	if n, ok := jsonscan.Int(v); ok {
		return phrase.Plural(int(n), "token")
	}
	return "not told"
}

// sumOf is a hash (FNV-1a) that means the same in every run of the program: sums
// are kept across a stop.
func sumOf[T string | []byte](parts ...T) uint64 {
	h := uint64(14695981039346656037)
	for _, p := range parts {
		for i := 0; i < len(p); i++ {
			h = (h ^ uint64(p[i])) * 1099511628211
		}
		h = (h ^ 0xff) * 1099511628211
	}
	return h
}
