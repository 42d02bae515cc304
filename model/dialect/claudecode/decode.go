package claudecode

import (
	"errors"
	"strconv"

	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

var errNoRecord = errors.New("not a record: a JSON object is expected")

// Decode reads a line's record into one event.
func (dialect) Decode(rec *model.Record, emit func(*model.Event)) error {
	if jsonscan.Kind(rec.Raw) != '{' {
		return errNoRecord
	}
	e := rec.Scratch
	if e == nil {
		e = new(model.Event)
	}
	d := decoder{rec: rec, meta: metaOf(rec.Stream), e: e}
	d.r.read(rec.Raw)
	d.event()
	emit(e)
	return nil
}

// decoder reads one record.
type decoder struct {
	rec  *model.Record
	meta *meta
	r    record
	e    *model.Event
	n    note
	used aftermath
}

// event fills in the event of the record.
func (d *decoder) event() {
	r := &d.r
	typ := typeOf(r.typ)
	*d.e = model.Event{ID: jsonscan.Str(r.uuid), Time: model.ParseTime(jsonscan.Str(r.timestamp)), Type: typ}
	d.session()
	d.parent()
	switch typ {
	case "progress":
		d.progress()
	case "user":
		d.user()
	case "assistant":
		d.assistant()
	case "system":
		d.system()
	case "attachment":
		d.attached()
	default:
		d.beside(typ)
	}
	if d.e.Title == "" {
		d.e.Title = phrase.OneLine(d.e.Type)
	}
	d.e.Note = d.n.String()
}

// types are the types that the dialect knows, so that none costs an allocation.
var types = quoted("",
	"user", "assistant", "system", "attachment", "progress", "summary", "file-history-snapshot", "file-history-delta",
	"queue-operation", "last-prompt", "custom-title", "ai-title", "agent-name", "agent-setting", "mode", "permission-mode",
	"pr-link", "bridge-session", "atis-latch", "tools-used", "cost-state", "api-request", "api-request-shape",
	"api-request-blob", "stream_event", "result",
)

// quoted is a table from JSON strings to what they say behind a prefix.
func quoted(prefix string, words ...string) map[string]string {
	t := make(map[string]string, len(words))
	for _, w := range words {
		t[`"`+w+`"`] = prefix + w
	}
	return t
}

func typeOf(v []byte) string {
	if t, ok := types[string(v)]; ok {
		return t
	}
	if t := jsonscan.Scalar(v); t != "" {
		return t
	}
	return "unknown"
}

// session names the session of the record: the stream's own (empty), the one
// that the record names, or that of a side chain.
func (d *decoder) session() {
	r, m := &d.r, d.meta
	if m.Stream && isText(r.parentToolUseID) {
		d.e.Session = jsonscan.Str(r.parentToolUseID)
		d.spawn(d.e.Session, false)
		return
	}
	if m.Spawn != "" && d.rec.Index == 0 {
		d.spawn(m.Spawn, m.Inferred)
	}
	if !m.Own {
		d.e.Session = jsonscan.Str(r.sessionID)
	}
	if len(m.Sides) > 0 && isTrue(r.isSidechain) && !isText(r.agentID) {
		d.side()
	}
}

// side puts a record of a side chain into the session of that chain.
func (d *decoder) side() {
	n, ok := d.meta.Sides[d.e.ID]
	if !ok {
		// Beyond what Claim looked at: the chain of the record before it, if that
		// was seen, else one for all that is left.
		n = d.meta.Sides[jsonscan.Str(d.r.parentUUID)]
	}
	main := d.e.Session
	if main == "" && d.rec.Stream != nil {
		main = d.rec.Stream.Session
	}
	d.e.Session = sideSession(main, n)
	if !isText(d.r.parentUUID) && n > 0 {
		d.spawn(d.meta.SideSpawns[n], true)
	}
}

// sideSession is the name of the n-th side chain of a session.
func sideSession(main string, n int) string {
	if n == 0 {
		return main + sideMark
	}
	return main + sideMark + "-" + strconv.Itoa(n)
}

const sideMark = "/side"

func (d *decoder) spawn(call string, inferred bool) {
	if call != "" {
		d.e.Links = append(d.e.Links, model.Link{Reason: model.ReasonSpawn, ToID: call, Inferred: inferred})
	}
}

// parent adds the link to the record before it in the source's tree.
func (d *decoder) parent() {
	if p := jsonscan.Str(d.r.parentUUID); p != "" {
		d.link(model.ReasonParent, p)
	}
}

// link adds a link that the record itself names.
func (d *decoder) link(reason model.Reason, to string) {
	d.e.Links = append(d.e.Links, model.Link{Reason: reason, ToID: to})
}

// alias adds ids by which the event may be addressed as well.
func (d *decoder) alias(ids ...string) {
	for _, id := range ids {
		if id != "" && id != d.e.ID {
			d.e.Aliases = append(d.e.Aliases, id)
		}
	}
}

// progressTypes are the types of progress that are known, so that none costs an
// allocation: there are sessions of gigabytes of them.
var progressTypes = quoted("progress/",
	"bash_progress", "hook_progress", "agent_progress", "mcp_progress", "query_update", "search_results_received", "waiting_for_task",
)

// progress reads a record of what a tool or a sub-agent is doing: nothing that
// the model gets to see.
func (d *decoder) progress() {
	e := d.e
	e.Kind, e.Noise, e.Source = model.KindDelta, true, "tool"
	sub := jsonscan.Get(d.r.data, "type")
	t, ok := progressTypes[string(sub)]
	if !ok {
		t = joined("progress", jsonscan.Str(sub))
	}
	e.Type = t
	switch t {
	case "progress/hook_progress":
		e.Kind, e.Source = model.KindHook, "hook"
		e.Title = phrase.Titled("hook "+jsonscan.Str(jsonscan.Get(d.r.data, "hookName")), phrase.FirstLine(phrase.Head(jsonscan.Get(d.r.data, "command"), phrase.LineLimit)))
	case "progress/bash_progress", "progress/query_update":
		e.Title = t[len("progress/"):]
	case "progress/agent_progress":
		e.Title = "agent_progress of " + phrase.OneLine(jsonscan.Str(jsonscan.Get(d.r.data, "agentId")))
	}
	if call := jsonscan.Str(d.r.parentToolUseID); call != "" && e.Kind == model.KindDelta {
		e.Call = call
	}
}

// joined is a type with what it is more exactly.
func joined(typ, sub string) string {
	if sub == "" {
		return typ
	}
	return typ + "/" + sub
}
