package opencode

import (
	"bytes"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// op is what a record does to the objects of a session.
type op uint8

const (
	opOther       op = iota
	opSession        // a session's new value, or the members of it that changed
	opSessionGone    // a session was deleted
	opMessage        // a message's new value
	opMessageGone    // a message was removed, with its parts
	opPart           // a part's new value
	opPartGone       // a part was removed
	opTurn           // {info,parts}: a message with its parts
	opLive           // a frame that no log holds: status, permission, delta, ...
	opNext           // an event of the coming model (session.next.*)
	opNextRow        // a row of session_message, the coming model's projection
	opTodo           // a row of the table todo
	opRun            // a line of `run --format json`
	opGoSession      // rows of the old Go program
	opGoMessage
	opGoFile
)

// row is a record of any packaging in one shape. Its spans are of the record's
// text, or of the decoded text of a column that holds JSON.
type row struct {
	op  op
	typ string // the log's name of it, without version: message.part.updated
	id  string // of the record itself: evt_…; empty where it has none

	seq     int64
	hasSeq  bool
	sync    bool // a log's row within a frame of the live stream
	derived bool // an object as it was in the end, not a record of a log

	session, message, part string // ids
	// object is the session, message or part; where columns hold its ids and
	// times they do not stand in it again.
	object []byte
	// data is what the record says: properties of a frame, data of a log's row,
	// the record itself where it is no more than an object.
	data  []byte
	parts []byte     // of opTurn
	at    model.Time // of the record, as far as it tells
	table bool       // a row of a table

	asMessage message // the object, where it is a message
	asPart    part    // the object, where it is a part
	asCall    *call   // of asPart, where it is one
}

// readRow reads a record of any packaging.
func readRow(raw []byte) row { return readRowIn(raw, new([]byte)) }

// readRowIn is readRow with room for the text of a column: the row is whole
// until the next one is read into it.
func readRowIn(raw []byte, room *[]byte) row {
	t := top{room: room}
	jsonscan.Fields(raw, func(key string, v []byte) bool {
		if slot := t.slot(key); slot != nil {
			*slot = v
		}
		return true
	})
	switch {
	case isObject(t.event) && (present(t.recv) || !isText(t.typ)):
		r := readRowIn(t.event, room)
		if !r.at.Known {
			r.at = epoch(t.recv)
		}
		return r
	case isObject(t.payload):
		return readRowIn(t.payload, room)
	case isObject(t.syncEvent):
		r := readRowIn(t.syncEvent, room)
		r.sync = true
		return r
	case isText(t.typ) && present(t.aggregateID) && present(t.data):
		return t.logged()
	case isText(t.typ) && present(t.aggregate) && isObject(t.data):
		return t.frame(t.data)
	case isText(t.typ) && present(t.properties):
		return t.frame(t.properties)
	case isText(t.typ) && isText(t.sessionID) && present(t.timestamp):
		return t.runLine()
	case isText(t.columnSession):
		return t.tableRow(raw)
	case present(t.goCount):
		return row{op: opGoSession, typ: "session", session: jsonscan.Scalar(t.id), object: raw, data: raw, at: epoch(t.timeCreated), table: true}
	case isText(t.typ) && present(t.data):
		return t.shared()
	case isObject(t.info) && isList(t.parts):
		r := messageRow(t.info)
		r.op, r.parts = opTurn, t.parts
		return r
	}
	return t.bare(raw)
}

// logged is a row of the table event, or of an answer that holds such rows.
func (t *top) logged() row {
	r := t.frame(innerIn(t.data, t.room))
	r.seq, r.hasSeq = jsonscan.Int(t.seq)
	if s := jsonscan.Str(t.aggregateID); s != "" {
		r.session = s
	}
	return r
}

// frame is an event with its data.
func (t *top) frame(data []byte) row {
	r := row{typ: withoutVersion(jsonscan.Str(t.typ)), id: jsonscan.Str(t.id), data: data}
	var d struct{ session, info, part, message, partID, time, timestamp []byte }
	var walk partWalk // of the part, which is most of the data
	into := func(depth int, key string, open byte) bool {
		if depth > 0 {
			return walk.into(depth-1, key, open)
		}
		if key != "part" || open != '{' {
			return false
		}
		walk = partWalk{}
		return true
	}
	jsonscan.Nested(data, into, func(depth int, key string, v []byte) bool {
		if depth > 0 {
			walk.take(depth-1, key, v)
			return true
		}
		switch key {
		case "sessionID":
			d.session = v
		case "info":
			d.info = v
		case "part":
			d.part = v
		case "messageID":
			d.message = v
		case "partID":
			d.partID = v
		case "time":
			d.time = v
		case "timestamp":
			d.timestamp = v
		}
		return true
	})
	r.session, r.message, r.part = jsonscan.Str(d.session), jsonscan.Str(d.message), jsonscan.Str(d.partID)
	r.at = epoch(d.time)
	switch {
	case (r.typ == "session.created" || r.typ == "session.updated") && isObject(d.info):
		r.op, r.object = opSession, d.info
		if r.session == "" {
			r.session = jsonscan.Str(jsonscan.Get(d.info, "id"))
		}
		r.at = epoch(jsonscan.Get(d.info, "time", "updated"))
	case r.typ == "session.deleted":
		r.op, r.object = opSessionGone, d.info
		if r.session == "" {
			r.session = jsonscan.Str(jsonscan.Get(d.info, "id"))
		}
	case r.typ == "message.updated" && isObject(d.info):
		m := messageRow(d.info)
		m.typ, m.id, m.data, m.derived = r.typ, r.id, r.data, false
		m.at = lastOf(m.asMessage.created, m.asMessage.completed)
		return m
	case r.typ == "message.part.updated" && isObject(d.part):
		p := walk.row(d.part)
		p.typ, p.id, p.data, p.at, p.derived = r.typ, r.id, r.data, r.at, false
		return p
	case r.typ == "message.removed":
		r.op = opMessageGone
	case r.typ == "message.part.removed":
		r.op = opPartGone
	case strings.HasPrefix(r.typ, "session.next."):
		r.op, r.at = opNext, epoch(d.timestamp)
	default:
		r.op = opLive
	}
	if isObject(t.durable) {
		r.seq, r.hasSeq = jsonscan.Int(jsonscan.Get(t.durable, "seq"))
		r.session = jsonscan.Str(jsonscan.Get(t.durable, "aggregateID"))
	}
	return r
}

// shared is a frame of the coming model's stream, or an object of share data.
func (t *top) shared() row {
	data := innerIn(t.data, t.room)
	var r row
	switch jsonscan.Str(t.typ) {
	case "session":
		r = sessionRow(data)
	case "message":
		r = messageRow(data)
	case "part":
		r = partRow(data)
	default:
		return t.frame(data)
	}
	r.data = data
	return r
}

// runLine is a line of `run --format json`.
func (t *top) runLine() row {
	r := row{op: opRun, typ: jsonscan.Str(t.typ), session: jsonscan.Str(t.sessionID), at: epoch(t.timestamp), object: t.part, data: t.part}
	w := walkPart(t.part)
	r.asPart, r.asCall = w.read()
	r.message, r.part = r.asPart.message, r.asPart.id
	return r
}

// tableRow is a row of a table that belongs to a session.
func (t *top) tableRow(raw []byte) row {
	r := row{session: jsonscan.Str(t.columnSession), at: epoch(t.timeCreated), data: raw, derived: true, table: true}
	id := jsonscan.Scalar(t.id)
	switch {
	case present(t.columnMessage) && present(t.data):
		r.op, r.typ, r.object = opPart, "message.part.updated", innerIn(t.data, t.room)
		r.part, r.message = id, jsonscan.Str(t.columnMessage)
		w := walkPart(r.object)
		r.asPart, r.asCall = w.read()
	case present(t.data) && isText(t.typ):
		r.op, r.typ, r.object = opNextRow, jsonscan.Str(t.typ), innerIn(t.data, t.room)
		r.message = id
		r.seq, _ = jsonscan.Int(t.seq)
	case present(t.data):
		r.op, r.typ, r.object, r.message = opMessage, "message.updated", innerIn(t.data, t.room), id
		r.asMessage = readMessage(r.object)
	case isText(t.role) && present(t.parts):
		r.op, r.typ, r.object, r.message, r.derived = opGoMessage, "message", raw, id, false
	case isText(t.path) && present(t.version):
		r.op, r.typ, r.object, r.derived = opGoFile, "file", raw, false
	case present(t.position) && present(t.content):
		r.op, r.typ, r.object = opTodo, "todo", raw
	default:
		r.op, r.typ = opOther, "row"
	}
	return r
}

// bare is an object without anything around it.
func (t *top) bare(raw []byte) row {
	switch {
	case isText(t.role):
		return messageRow(raw)
	case isText(t.messageID) && isText(t.typ):
		return partRow(raw)
	case isText(t.id) && (present(t.columnProject) || present(t.projectID) || isText(t.directory) || present(t.slug) || isObject(t.time) && present(t.version)):
		return sessionRow(raw)
	}
	if id := jsonscan.Str(t.id); strings.HasPrefix(id, "msg_") && isText(t.typ) && isObject(t.time) {
		return row{op: opNextRow, typ: jsonscan.Str(t.typ), message: id, object: raw, data: raw, at: epoch(jsonscan.Get(t.time, "created")), derived: true}
	}
	return row{op: opOther, typ: firstNonEmpty(withoutVersion(jsonscan.Str(t.typ)), "unknown"), id: jsonscan.Str(t.id), session: jsonscan.Str(t.sessionID), object: raw, data: raw}
}

func sessionRow(obj []byte) row {
	r := row{op: opSession, typ: "session.updated", session: jsonscan.Str(jsonscan.Get(obj, "id")), object: obj, data: obj, derived: true}
	r.at = epoch(jsonscan.Get(obj, "time", "updated"))
	if v := jsonscan.Get(obj, "time_updated"); v != nil {
		r.at, r.table = epoch(v), true
	}
	return r
}

func messageRow(obj []byte) row {
	m := readMessage(obj)
	return row{op: opMessage, typ: "message.updated", message: m.id, session: m.session, object: obj, data: obj, derived: true, asMessage: m}
}

func partRow(obj []byte) row {
	w := walkPart(obj)
	return w.row(obj)
}

// row is the row of a part that was walked over.
func (w *partWalk) row(obj []byte) row {
	p, c := w.read()
	return row{op: opPart, typ: "message.part.updated", part: p.id, session: p.session, message: p.message, object: obj, data: obj, derived: true, asPart: p, asCall: c}
}

// inner is JSON that stands in a string, as columns of tables hold it, and
// otherwise the value itself. Text that is no container has no members; that
// what is one is valid is left to whoever wrote it: of anything else the members
// are nonsense, and nothing worse.
func inner(v []byte) []byte { return innerIn(v, new([]byte)) }

// innerIn is inner with room for the text.
func innerIn(v []byte, room *[]byte) []byte {
	if !isText(v) {
		return v
	}
	if len(v) < 2 {
		return nil
	}
	*room = jsonscan.Unescape((*room)[:0], v[1:len(v)-1])
	text := bytes.TrimSpace(*room)
	if len(text) == 0 || text[0] != '{' && text[0] != '[' {
		return nil
	}
	return text
}

// withoutVersion takes the version number off a type: message.updated.1.
func withoutVersion(typ string) string {
	i := strings.LastIndexByte(typ, '.')
	if i <= 0 || i == len(typ)-1 {
		return typ
	}
	for _, c := range typ[i+1:] {
		if c < '0' || c > '9' {
			return typ
		}
	}
	return typ[:i]
}

// epoch reads milliseconds since 1970.
func epoch(v []byte) model.Time {
	if jsonscan.Kind(v) != '0' {
		return model.Time{}
	}
	return model.ParseTimeNumber(jsonscan.Scalar(v))
}

func lastOf(a, b model.Time) model.Time {
	if !a.Known || b.Known && b.Nanos > a.Nanos {
		return b
	}
	return a
}

// present reports whether a member stands there and is not null.
func present(v []byte) bool {
	k := jsonscan.Kind(v)
	return k != 0 && k != 'n'
}

// isText and friends tell a value's type; an absent member has none.
func isText(v []byte) bool   { return jsonscan.Kind(v) == '"' }
func isObject(v []byte) bool { return jsonscan.Kind(v) == '{' }
func isList(v []byte) bool   { return jsonscan.Kind(v) == '[' }

// isTrue is a boolean member; false where it is none.
func isTrue(v []byte) bool {
	b, ok := jsonscan.Bool(v)
	return ok && b
}

func firstNonEmpty(all ...string) string {
	for _, s := range all {
		if s != "" {
			return s
		}
	}
	return ""
}
