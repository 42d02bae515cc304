package eventlog

import (
	"bytes"
	"errors"
	"path"
	"strconv"
	"strings"
	"sync"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

var (
	errNotObject  = errors.New("not an event: the JSON value is not an object")
	errNoEnvelope = errors.New("not an event: none of event_type, event_id, sequence and payload is there")
)

// envelope holds the spans of a record's top-level fields.
type envelope struct {
	id, typ, session, seq, time, source, version, payload []byte
}

func (v *envelope) take(key, value []byte) {
	switch string(key) {
	case "event_id":
		v.id = value
	case "event_type":
		v.typ = value
	case "session_id":
		v.session = value
	case "sequence":
		v.seq = value
	case "timestamp":
		v.time = value
	case "source_event_id":
		v.source = value
	case "schema_version":
		v.version = value
	case "payload":
		v.payload = value
	}
}

// payload holds the spans of the payload fields that titles, outcomes and
// links need, of whatever type.
type payload struct {
	content, action, params              []byte
	tool, status, output, fault, exit    []byte
	state, reason, kept                  []byte
	snapshot, base                       []byte
	code, message                        []byte
	usage, parentSession, name, subtitle []byte
	baseSession                          []byte
}

func (p *payload) take(key, value []byte) {
	switch string(key) {
	case "content":
		p.content = value
	case "action_type":
		p.action = value
	case "params":
		p.params = value
	case "tool_name":
		p.tool = value
	case "status":
		p.status = value
	case "output":
		p.output = value
	case "error":
		p.fault = value
	case "exit_code":
		p.exit = value
	case "state":
		p.state = value
	case "reason":
		p.reason = value
	case "kept_event_ids":
		p.kept = value
	case "snapshot_id":
		p.snapshot = value
	case "base_event_seq":
		p.base = value
	case "error_code":
		p.code = value
	case "message":
		p.message = value
	case "usage":
		p.usage = value
	case "parent_session_id":
		p.parentSession = value
	case "base_session_id":
		p.baseSession = value
	case "name":
		p.name = value
	case "title":
		p.subtitle = value
	}
}

// pointed is what most events point to, in one allocation.
type pointed struct {
	links [1]model.Link
	usage model.Usage
}

// texts gives out room to put an event's strings together.
var texts = sync.Pool{New: func() any {
	b := make([]byte, 0, 1024)
	return &b
}}

// roomLimit bounds the room that is kept for the next event.
const roomLimit = 1 << 16

// Decode reads one envelope. Of duplicate keys the last wins; keys match by
// exact case. A record without any field of the envelope is no event.
func (dialect) Decode(rec *model.Record, emit func(*model.Event)) error {
	if jsonscan.Kind(rec.Raw) != '{' {
		return errNotObject
	}
	var env envelope
	var body payload
	readRecord(rec.Raw, &env, &body)
	if env.typ == nil && env.id == nil && env.seq == nil && env.payload == nil {
		return errNoEnvelope
	}
	e := rec.Scratch
	if e == nil {
		e = new(model.Event)
	}
	*e = model.Event{
		Session: sessionOf(rec, env.session),
		Time:    jsonscan.Time(env.time),
		Type:    typeName(env.typ),
		Outcome: model.OutcomeOK,
	}
	e.Seq, e.HasSeq = jsonscan.Int(env.seq)
	var p pointed
	e.Links = p.links[:0]
	if usageOf(body.usage, &p.usage) {
		e.Usage = &p.usage
	}
	fill(e, &body)
	source := setTexts(e, &env, &body)
	addLinks(e, source, &body)
	e.Note = noteOf(e, &env, &body)
	emit(e)
	return nil
}

// setTexts makes the event's id and title, and the id of its source, which it
// returns: parts of one string, and so one allocation.
func setTexts(e *model.Event, env *envelope, p *payload) (source string) {
	room := texts.Get().(*[]byte)
	b := appendIdentity((*room)[:0], env.id)
	idEnd := len(b)
	b = appendIdentity(b, env.source)
	sourceEnd := len(b)
	b = append(b, appendTitle(b[sourceEnd:], e, p)...) // nearly always it stands there already
	all := string(b)
	if cap(b) <= roomLimit {
		*room = b
	}
	texts.Put(room)
	e.ID, source, e.Title = all[:idEnd], all[idEnd:sourceEnd], all[sourceEnd:]
	if e.Kind == model.KindAction {
		e.Call = e.ID
	}
	return source
}

// fill sets what depends on the type: kind, emitter, tool and outcome.
func fill(e *model.Event, p *payload) {
	switch e.Type {
	case typeUser:
		e.Kind, e.Source = model.KindMessage, "user"
	case typeAction:
		e.Kind, e.Source = model.KindAction, "agent"
		if isRespond(p.action) {
			e.Kind = model.KindMessage
			break
		}
		e.Tool = toolName(p.action)
	case typeResult:
		e.Kind, e.Source = model.KindObservation, "tool"
		e.Tool, e.Outcome = toolName(p.tool), outcomeOf(p)
	case typeSession:
		e.Kind, e.Source = model.KindSession, "runtime"
	case typeCheckpoint:
		e.Kind, e.Source = model.KindCheckpoint, "runtime"
	case typeError:
		e.Kind, e.Source, e.Outcome = model.KindError, "system", model.OutcomeFailed
	}
}

// outcomeOf: a known exit code other than 0 or any status but ok is a failure;
// a result that says neither has no known outcome.
func outcomeOf(p *payload) model.Outcome {
	code, known := jsonscan.Int(p.exit)
	status := stringOf(p.status)
	switch {
	case known && code != 0:
		return model.OutcomeFailed
	case len(status) > len(`""`):
		if string(status) == `"ok"` || jsonscan.Str(status) == "ok" {
			return model.OutcomeOK
		}
		return model.OutcomeFailed
	case known:
		return model.OutcomeOK
	}
	return model.OutcomeUnknown
}

// addLinks notes what the record names: its source, and a checkpoint's base by
// its sequence number. A first record that names its parent session was
// spawned by an event of that session; one that names a base session goes on
// from an event of that.
func addLinks(e *model.Event, source string, p *payload) {
	if source != "" {
		l := model.Link{Reason: model.ReasonSource, ToID: source}
		if parent := identity(p.parentSession); parent != "" && e.Type == typeSession {
			l.Reason, l.To.Session = model.ReasonSpawn, parent
		}
		e.Links = append(e.Links, l)
	}
	from := ""
	switch e.Type {
	case typeCheckpoint:
	case typeSession:
		if from = identity(p.baseSession); from == "" {
			return
		}
	default:
		return
	}
	if base, ok := jsonscan.Int(p.base); ok {
		e.Links = append(e.Links, model.Link{Reason: model.ReasonBase, To: model.Ref{Session: from, Seq: base}})
	}
}

// identityLimit bounds an identity that is not a scalar, in bytes.
const identityLimit = 256

// identity is an id as written: strings decoded, numbers as their digits. What
// is neither is no usable id, but must not be taken for none at all, so its
// text stands for it.
func identity(v []byte) string {
	switch jsonscan.Kind(v) {
	case 0, 'n':
		return ""
	case '{', '[':
		return string(v[:min(len(v), identityLimit)])
	}
	return jsonscan.Scalar(v)
}

// appendIdentity appends the identity v to b.
func appendIdentity(b, v []byte) []byte {
	if len(v) >= len(`""`) && v[0] == '"' && bytes.IndexByte(v, '\\') < 0 {
		return append(b, v[1:len(v)-1]...)
	}
	return append(b, identity(v)...)
}

// sessionOf is the record's session; empty where the stream's default is meant.
// Records of several files that name no session belong to that of their file.
func sessionOf(rec *model.Record, v []byte) string {
	s := rec.Stream
	if len(v) == len(s.Session)+2 && v[0] == '"' && string(v[1:len(v)-1]) == s.Session && bytes.IndexByte(v, '\\') < 0 {
		return ""
	}
	if id := identity(v); id != "" {
		return id
	}
	if byFile, ok := s.Meta.(sessionByFile); ok && bool(byFile) {
		return baseName(rec.Name)
	}
	return ""
}

// baseName is a file's name without folder and extensions.
func baseName(name string) string {
	base := path.Base(stripCompression(name))
	if ext := path.Ext(base); len(ext) < len(base) {
		base = strings.TrimSuffix(base, ext)
	}
	if base == "-" || base == "." || base == "/" {
		return "stdin"
	}
	return base
}

func stripCompression(name string) string {
	for _, ext := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, ext)
	}
	return name
}

// typeName is the event's type, without an allocation for the known ones.
func typeName(v []byte) string {
	for _, t := range [...]string{typeAction, typeResult, typeUser, typeError, typeCheckpoint, typeSession} {
		if len(v) == len(t)+2 && string(v[1:len(v)-1]) == t {
			return t
		}
	}
	return identity(v)
}

// tools are the action types of the format's table, and their aliases.
var tools = map[string]string{
	`"read_file"`: "read_file", `"read"`: "read", `"view"`: "view",
	`"write_file"`: "write_file", `"write"`: "write", `"create"`: "create",
	`"edit_file"`: "edit_file", `"edit"`: "edit", `"str_replace"`: "str_replace", `"insert"`: "insert",
	`"delete_file"`: "delete_file", `"delete"`: "delete", `"move_file"`: "move_file", `"rename"`: "rename",
	`"run_command"`: "run_command", `"bash"`: "bash", `"shell"`: "shell", `"exec"`: "exec",
	`"update_tasks"`: "update_tasks", `"respond"`: "respond",
}

// toolName is a tool's name, without an allocation for the known ones.
func toolName(v []byte) string {
	if t, ok := tools[string(v)]; ok {
		return t
	}
	return identity(v)
}

func isRespond(v []byte) bool { return toolName(v) == "respond" }

// usageOf reads a usage object; it is false where that says nothing usable.
func usageOf(v []byte, u *model.Usage) bool {
	if jsonscan.Kind(v) != '{' {
		return false
	}
	members(v, func(key, value []byte) {
		switch string(key) {
		case "input_tokens":
			u.Input = tokens(value, u, model.ToldInput)
		case "output_tokens":
			u.Output = tokens(value, u, model.ToldOutput)
		case "cost_usd":
			if cost, ok := jsonscan.Float(value); ok {
				u.CostUSD, u.Told = cost, u.Told|model.ToldCost
			}
		}
	})
	return u.Told != 0
}

func tokens(v []byte, u *model.Usage, class model.Told) int64 {
	n, ok := jsonscan.Int(v)
	if !ok || n < 0 {
		return 0
	}
	u.Told |= class
	return n
}

// noteOf carries to the linker what only it needs: the state that a session
// reached, the parent that it names, where it goes on from another session, and
// a schema version other than 1.
func noteOf(e *model.Event, env *envelope, p *payload) string {
	version, ok := jsonscan.Int(env.version)
	newer := ok && version != 1
	if e.Type != typeSession && !newer {
		return ""
	}
	var n note
	if newer {
		n.version = strconv.FormatInt(version, 10)
	}
	if e.Type == typeSession {
		n.state, n.parent = identity(p.state), identity(p.parentSession)
		if p.kept != nil || n.state == stateRebuilt {
			n.state = ""
		}
		if seq, ok := jsonscan.Int(p.base); ok {
			n.base = model.Base{Session: identity(p.baseSession), Seq: seq}
		}
	}
	return n.String()
}

// note is what Decode tells the linker beyond the event itself.
type note struct {
	version, parent, state string
	base                   model.Base
}

const noteSeparator = "\x1f"

func (n note) String() string {
	parts := [...]string{n.version, n.parent, n.base.Session, strconv.FormatInt(n.base.Seq, 10)}
	var b strings.Builder
	for _, part := range parts {
		b.WriteString(strings.ReplaceAll(part, noteSeparator, " "))
		b.WriteString(noteSeparator)
	}
	return b.String() + n.state
}

func parseNote(s string) (n note) {
	var seq string
	n.version, s, _ = strings.Cut(s, noteSeparator)
	n.parent, s, _ = strings.Cut(s, noteSeparator)
	n.base.Session, s, _ = strings.Cut(s, noteSeparator)
	seq, n.state, _ = strings.Cut(s, noteSeparator)
	n.base.Seq, _ = strconv.ParseInt(seq, 10, 64)
	return n
}
