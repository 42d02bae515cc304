package opencode

import (
	"errors"
	"strconv"

	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

var errNoEvent = errors.New("not a record of opencode: a JSON object is expected")

// decoder reads one record, which may hold many events.
type decoder struct {
	rec  *model.Record
	meta *meta
	emit func(*model.Event)
	span model.Span // of the object at hand in the record; zero: all of it
	e    *model.Event
	room model.Event
}

// Decode reads a record: a row of a log or table, a frame of a live stream, an
// object, a message with its parts.
func (dialect) Decode(rec *model.Record, emit func(*model.Event)) error {
	if jsonscan.Kind(rec.Raw) != '{' {
		return errNoEvent
	}
	d := &decoder{rec: rec, meta: metaOf(rec.Stream), emit: emit, e: rec.Scratch}
	if d.e == nil {
		d.e = &d.room
	}
	room := rec.Room
	if room == nil {
		room = new([]byte)
	}
	d.row(readRowIn(rec.Raw, room))
	return nil
}

// row reads a row of any shape.
func (d *decoder) row(r row) {
	if d.meta.Skip[r.session] || d.meta.Live[d.rec.Name] && (r.session == "" || !liveOnly(r)) {
		return
	}
	if d.meta.Synced && !r.sync && !r.hasSeq && r.op != opLive && r.op != opOther {
		d.twin(r)
		return
	}
	switch r.op {
	case opTurn:
		d.turn(r)
	case opSession:
		d.session(r)
	case opMessage:
		d.message(r)
	case opPart:
		d.part(r)
	case opMessageGone, opPartGone, opSessionGone:
		d.gone(r)
	case opLive:
		d.live(r)
	case opNext, opNextRow:
		d.next(r)
	case opRun:
		d.run(r)
	case opGoSession, opGoMessage, opGoFile:
		d.goRow(r)
	case opTodo:
		d.todo(r)
	default:
		e := d.start(r, r.typ)
		e.Noise = true
		d.finish(e, &note{Op: opOther})
	}
}

// twin is the plain form of a row of the log, which stands in the stream too.
func (d *decoder) twin(r row) {
	id := r.id
	r.id = ""
	e := d.start(r, r.typ)
	if !e.Time.Known {
		e.Time = d.idTime(id)
	}
	e.Kind, e.Noise = model.KindDelta, true
	d.finish(e, &note{Op: opOther})
}

// turn reads a message with its parts, each an event of its own bytes.
func (d *decoder) turn(r row) {
	raw := d.rec.Raw
	info, ok := jsonscan.Within(raw, r.object)
	parts, too := jsonscan.Within(raw, r.parts)
	if !ok || !too {
		return
	}
	r.op = opMessage
	message := func() {
		d.span = model.Span{Offset: int64(info), Length: int64(len(r.object))}
		d.message(r)
	}
	if info < parts {
		message()
	}
	jsonscan.ElementSpans(r.parts, func(from, to int) bool {
		d.span = model.Span{Offset: int64(parts + from), Length: int64(to - from)}
		p := partRow(r.parts[from:to])
		p.session, p.message = firstNonEmpty(p.session, r.session), firstNonEmpty(p.message, r.message)
		d.part(p)
		return true
	})
	if parts < info {
		message()
	}
	d.span = model.Span{}
}

// start fills in what every event has.
func (d *decoder) start(r row, typ string) *model.Event {
	e := d.e
	*e = model.Event{Session: r.session, ID: r.id, Type: typ, Time: r.at, Span: d.span, Origin: model.OriginRecorded}
	if r.hasSeq && !d.meta.Unnumbered {
		e.Seq, e.HasSeq = r.seq, true
	}
	// A message does not say when it changed, nor a session always; the id of the
	// row that says it does.
	if r.id != "" && (!e.Time.Known || r.op == opMessage || r.op == opSession) {
		e.Time = firstTime(d.idTime(r.id), e.Time)
	}
	if r.derived {
		e.Origin = model.OriginDerived
	}
	return e
}

// moment fills in what is special to a derived event: its id and time.
func moment(e *model.Event, object string, s stage, at model.Time) {
	if s != stageWhole {
		e.ID, e.Time = object+stageSuffix[s], at
	}
}

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
		if id != "" && id != e.ID {
			e.Aliases = append(e.Aliases, id)
		}
	}
}

// recorded adds a link that the record itself names.
func recorded(e *model.Event, reason model.Reason, to string) {
	if to != "" {
		e.Links = append(e.Links, model.Link{Reason: reason, ToID: to})
	}
}

// sum tells short texts apart; it outlives a stop of the program.
func sum(texts ...[]byte) string {
	h := uint64(14695981039346656037)
	for _, t := range texts {
		for _, c := range t {
			h = (h ^ uint64(c)) * 1099511628211
		}
		h = (h ^ 0xff) * 1099511628211
	}
	return strconv.FormatUint(h, 36)
}
