package openhands

import (
	"errors"
	"fmt"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// nestLimit is how many containers may stand in each other: a frame in a page
// in a line is one more than any program writes.
const nestLimit = 4

var errNoEvent = errors.New("not an event: a JSON object is expected")

// decoder reads one record of the stream, which may hold many events.
type decoder struct {
	rec  *model.Record
	meta meta
	emit func(*model.Event)
	// spare holds records that are not in use; they are large, and a stream
	// needs no more of them than its containers are deep.
	spare []*record
}

func (d *decoder) newRecord(obj []byte) *record {
	if n := len(d.spare); n > 0 {
		r := d.spare[n-1]
		d.spare = d.spare[:n-1]
		r.read(obj)
		return r
	}
	r := new(record)
	r.read(obj)
	return r
}

// drop gives a record back. It keeps no span of the input.
func (d *decoder) drop(r *record) {
	*r = record{}
	d.spare = append(d.spare, r)
}

// scope is what the containers around an event say of it.
type scope struct {
	session string
	start   int // of the event in the record
	end     int
	whole   bool // the event is the whole record
	seq     int64
	hasSeq  bool
	first   bool         // of its session, as far as the record tells
	bare    bool         // its list gives no ids: pairs and resolver runs
	usage   *model.Usage // what the container says of the whole; told with its last event
}

// Decode reads a record: an event, or a container of events (a page, a
// websocket frame, a benchmark's line, a pair).
func (o dialect) Decode(rec *model.Record, emit func(*model.Event)) error {
	d := o.decoders.Get().(*decoder)
	d.rec, d.meta, d.emit = rec, metaOf(rec.Stream), emit
	defer func() {
		d.rec, d.emit = nil, nil
		o.decoders.Put(d)
	}()
	sc := scope{start: spaceEnd(rec.Raw, 0), end: len(rec.Raw), whole: true, first: rec.Index == 0}
	if rec.Stream != nil && rec.Stream.Keys != nil {
		sc.seq, sc.hasSeq = rec.Key, true
	}
	switch jsonscan.Kind(rec.Raw) {
	case '{':
		d.object(sc, 0)
	case '[':
		d.list(sc, 0)
	default:
		return errNoEvent
	}
	return nil
}

// list reads the events of the array at sc.
func (d *decoder) list(sc scope, depth int) {
	nth, last := 0, -1
	text := d.rec.Raw[:sc.end]
	if sc.usage != nil {
		last = count(text[sc.start:]) - 1
	}
	elements(text, sc.start, func(p piece) bool {
		in := sc
		in.start, in.end, in.whole, in.first = p.start, p.end, false, sc.first && nth == 0
		in.seq, in.hasSeq = 0, false
		if nth != last {
			in.usage = nil
		}
		nth++
		switch {
		case text[p.start] == '{':
			d.object(in, depth+1)
		case text[p.start] == '[' && depth < nestLimit:
			d.list(in, depth+1)
		}
		return true
	})
}

// object reads one object: an event, or a container. What a container is shows
// only where no member says that it is an event.
func (d *decoder) object(sc scope, depth int) {
	r := d.newRecord(d.rec.Raw[sc.start:sc.end])
	defer d.drop(r)
	switch {
	case isText(r.kind):
		d.v1(r, sc)
	case isText(r.action) || isText(r.observation):
		d.v0(r, sc)
	case depth >= nestLimit:
		d.unknown(r, sc)
	case isText(r.typ) && isObject(r.event):
		d.frame(r, sc, depth)
	case frameTypes[jsonscan.Str(r.typ)] && !present(r.actorType):
		d.bareFrame(r, sc)
	case isList(r.items):
		d.members(sc, "items", depth)
	case isList(r.history):
		d.run(r, sc, depth)
	case isList(r.trajectory):
		d.members(sc, "trajectory", depth)
	case isList(r.events):
		d.members(sc, "events", depth)
	case isList(r.entries):
		d.members(sc, "entries", depth)
	case isText(r.typ) && present(r.actorType):
		d.entry(r, sc)
	default:
		d.unknown(r, sc)
	}
}

// members reads the events of the array under a member of the object at sc.
func (d *decoder) members(sc scope, name string, depth int) {
	if p, ok := d.member(sc, name); ok {
		sc.start, sc.end = p.start, p.end
		d.list(sc, depth)
	}
}

// member finds where a member's value stands in the record.
func (d *decoder) member(sc scope, name string) (at piece, ok bool) {
	members(d.rec.Raw[:sc.end], sc.start, func(key string, p piece) bool {
		if key == name {
			at, ok = p, true
		}
		return true
	})
	return at, ok
}

// run reads a benchmark's or the resolver's line: one session.
func (d *decoder) run(r *record, sc scope, depth int) {
	switch id := jsonscan.Scalar(r.instanceID); {
	case id != "":
		sc.session = id
		if a := jsonscan.Scalar(r.attempt); a != "" {
			sc.session += "#" + a
		}
	case present(r.issue):
		sc.session = d.meta.RunPrefix + fmt.Sprint(d.rec.Index+1)
	}
	sc.bare, sc.first = true, true
	sc.usage = metricsUsage(r.metrics)
	d.members(sc, "history", depth)
}

// frameTypes are the frames of the durable websocket that hold no event.
var frameTypes = map[string]bool{
	"auth": true, "sync": true, "durable": true, "transient": true, "item_started": true, "delta": true, "item_aborted": true, "error": true,
}

// frame reads a websocket frame around an event. Its seq is the event's place
// in the conversation's log.
func (d *decoder) frame(r *record, sc scope, depth int) {
	seq, hasSeq := jsonscan.Int(r.seq)
	p, ok := d.member(sc, "event")
	if !ok {
		d.unknown(r, sc)
		return
	}
	// The record stays the whole frame: that is what was received.
	inner := d.newRecord(p.of(d.rec.Raw))
	defer d.drop(inner)
	outer := sc
	if hasSeq && seq >= 0 {
		outer.seq, outer.hasSeq = seq, true
	}
	switch {
	case isText(inner.kind):
		d.v1(inner, outer)
	case isText(inner.action) || isText(inner.observation):
		d.v0(inner, outer)
	default:
		d.unknown(r, sc)
	}
}

// bareFrame reads a frame that carries the stream's progress, not the
// conversation's.
func (d *decoder) bareFrame(r *record, sc scope) {
	typ := jsonscan.Str(r.typ)
	e := d.start(r, sc, typ)
	e.Kind, e.Noise, e.Title = model.KindDelta, true, phrase.OneLine(typ+" frame")
	if typ == "error" {
		e.Kind, e.Noise, e.Outcome = model.KindError, false, model.OutcomeFailed
		e.Title = phrase.Titled(typ, firstNonEmpty(jsonscan.Str(r.detail), phrase.Head(r.message, phrase.TextLimit), phrase.Head(r.errorText, phrase.TextLimit), jsonscan.Scalar(r.code)))
	}
	d.finish(e, &note{Flags: transparent | noParentLink})
}

// entry reads a record of the trajectory viewer's own form.
func (d *decoder) entry(r *record, sc scope) {
	typ := jsonscan.Str(r.typ)
	e := d.start(r, sc, typ)
	who := jsonscan.Str(r.actorType)
	e.Source, e.Kind = who, model.KindMessage
	text := phrase.Content(r.content, phrase.LineLimit)
	n := note{Flags: isV0 | inView}
	switch {
	case who == "User":
		n.Flags |= userTurn
		n.Line = phrase.FirstLine(text)
	case typ == "message" || typ == "thought":
		n.Flags |= sourced
	default:
		e.Kind = model.KindAction
		n.Flags |= sourced
	}
	if e.Kind == model.KindMessage {
		typ = strings.ToLower(who)
	}
	e.Title = phrase.Titled(typ, phrase.FirstLine(text))
	d.finish(e, &n)
}

// unknown keeps an object that neither family explains.
func (d *decoder) unknown(r *record, sc scope) {
	typ := firstNonEmpty(jsonscan.Scalar(r.kind), jsonscan.Scalar(r.typ), "unknown")
	e := d.start(r, sc, typ)
	e.Kind, e.Noise, e.Title = model.KindOther, true, phrase.OneLine(typ)
	n := note{}
	if d.meta.Family == familyV0 {
		n.Flags |= isV0
	}
	if !present(r.kind) && !present(r.id) {
		// Another program's line between the events: no part of their chain.
		n.Flags |= transparent | noParentLink
	}
	d.parent(e, r, &n)
	// A kind that a plugin added may answer a call all the same.
	e.Tool, e.Call = jsonscan.Str(r.toolName), jsonscan.Str(r.toolCallID)
	recorded(e, model.ReasonAction, jsonscan.Str(r.actionID))
	if isObject(r.observation) {
		n.Flags |= answersCall
	}
	d.finish(e, &n)
}

// start fills in what every event has.
func (d *decoder) start(r *record, sc scope, typ string) *model.Event {
	e := &model.Event{
		Session: sc.session, Seq: sc.seq, HasSeq: sc.hasSeq,
		ID: jsonscan.Scalar(r.id), Type: typ, Time: model.ParseTime(jsonscan.Str(r.timestamp)),
		Source: jsonscan.Str(r.source), Usage: sc.usage,
	}
	if !sc.whole {
		e.Span = model.Span{Offset: int64(sc.start), Length: int64(sc.end - sc.start)}
	}
	return e
}

// parent reads parent_id: a link, or an explicit root.
func (d *decoder) parent(e *model.Event, r *record, n *note) {
	if !isText(r.parentID) {
		return
	}
	n.Flags |= hasParent
	n.Parent = jsonscan.Str(r.parentID)
	if n.Parent != rootParent {
		e.Links = append(e.Links, model.Link{Reason: model.ReasonParent, ToID: n.Parent})
	}
}

// rootParent is the parent_id of an event that starts over.
const rootParent = "__root__"

func (d *decoder) finish(e *model.Event, n *note) {
	if e.Title == "" {
		e.Title = phrase.OneLine(e.Type)
	}
	e.Note = n.String()
	d.emit(e)
}

// alias adds ids by which the event may be addressed as well.
func alias(e *model.Event, ids ...string) {
	for _, id := range ids {
		if isID(id) && id != e.ID {
			e.Aliases = append(e.Aliases, id)
		}
	}
}

// recorded adds a link that the record itself names.
func recorded(e *model.Event, reason model.Reason, to string) {
	if isID(to) {
		e.Links = append(e.Links, model.Link{Reason: reason, ToID: to})
	}
}

func firstNonEmpty(all ...string) string {
	for _, s := range all {
		if s != "" {
			return s
		}
	}
	return ""
}
