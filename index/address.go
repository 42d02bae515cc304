package index

import (
	"context"
	"fmt"
	"strconv"

	"hindcast/model"
	"hindcast/model/query"
)

// Resolve finds the event that an address names: the first of its readings that
// leads somewhere.
func (x *Index) Resolve(ctx context.Context, session string, a model.Address, use AddressUse) (model.Event, error) {
	if a.Session != "" {
		session = a.Session
	}
	s, _, err := x.Session(ctx, session)
	if err != nil {
		return model.Event{}, err
	}
	if s.LastPos == 0 {
		return model.Event{}, &AddressError{Text: a.Text, Reason: "session " + s.ID + " has no events"}
	}
	r := resolver{x: x, s: s, use: use}
	pos, err := r.address(ctx, a, 0)
	if err != nil {
		return model.Event{}, err
	}
	if pos == 0 {
		return model.Event{}, r.nothing(ctx, a)
	}
	return x.eventAt(ctx, s.Key, pos)
}

// resolver turns readings into positions of one session. 0 means that a
// reading leads nowhere.
type resolver struct {
	x      *Index
	s      model.Session
	use    AddressUse
	reason string // why the most telling reading led nowhere
	// counted is how many there are of what an address counts (errors, ...).
	counted int64
}

func (r *resolver) address(ctx context.Context, a model.Address, depth int) (int64, error) {
	if depth > model.MaxOffsets {
		return 0, nil
	}
	for _, reading := range a.Readings {
		pos, err := r.reading(ctx, reading, depth)
		if err != nil || pos > 0 {
			return pos, err
		}
	}
	return 0, nil
}

func (r *resolver) reading(ctx context.Context, a model.Reading, depth int) (int64, error) {
	switch a.Form {
	case model.FormFirst:
		return 1, nil
	case model.FormLast:
		return r.s.LastPos, nil
	case model.FormSeq:
		return r.seq(ctx, a.N)
	case model.FormPos:
		return r.bounded(a.N), nil
	case model.FormID:
		return r.id(ctx, a.Text)
	case model.FormPrefix:
		return r.prefix(ctx, a.Text)
	case model.FormOffset:
		return r.offset(ctx, a, depth)
	case model.FormError:
		return r.nth(ctx, failedEvents, a.N, "failed event")
	case model.FormCheckpoint:
		return r.checkpoint(ctx, a.N, a.Step)
	case model.FormTurn:
		return r.nth(ctx, turnEvents, a.N, "user message")
	case model.FormTime:
		return r.time(ctx, a.Time.Nanos)
	case model.FormElapsed:
		if !r.s.Started.Known {
			r.why("the session has no times")
			return 0, nil
		}
		return r.time(ctx, r.s.Started.Nanos+a.Nano)
	case model.FormPasted:
		return r.pasted(ctx, a.Text)
	case model.FormMark:
		r.why("no mark of that name")
	case model.FormContext:
		return r.message(ctx, a.N)
	}
	return 0, nil
}

// What addresses count.
var (
	recorded         = query.Not{X: query.Term{Field: query.FieldOrigin, Op: query.OpIs, Text: "copied"}}
	failedEvents     = query.And{List: []query.Expr{query.Term{Field: query.FieldFailed, Op: query.OpIs, Text: "true"}, recorded}}
	checkpointEvents = query.And{List: []query.Expr{query.Term{Field: query.FieldKind, Op: query.OpIs, Text: "checkpoint"}, recorded}}
	turnEvents       = query.And{List: []query.Expr{
		query.Term{Field: query.FieldKind, Op: query.OpIs, Text: "message"},
		query.Term{Field: query.FieldSource, Op: query.OpIs, Text: "user"}, recorded}}
)

func (r *resolver) why(reason string) {
	if r.reason == "" {
		r.reason = reason
	}
}

func (r *resolver) bounded(pos int64) int64 {
	if pos < 1 || pos > r.s.LastPos {
		r.why(fmt.Sprintf("positions go from #1 to #%d", r.s.LastPos))
		return 0
	}
	return pos
}

func (r *resolver) seq(ctx context.Context, n int64) (int64, error) {
	first, last, ok, err := r.x.st.Reader().SeqRange(ctx, r.s.Key, n)
	if err != nil {
		return 0, err
	}
	if !ok {
		r.why(fmt.Sprintf("no event has that seq; they go from %d to %d", r.s.First, r.s.Last))
		return 0, nil
	}
	if r.use == AsPoint {
		return last, nil
	}
	return first, nil
}

func (r *resolver) id(ctx context.Context, id string) (int64, error) {
	found, ok, err := r.x.st.Reader().Find(ctx, r.s.Key, id)
	if err != nil || !ok {
		return 0, err
	}
	return found.Pos, nil
}

func (r *resolver) prefix(ctx context.Context, prefix string) (int64, error) {
	list, err := r.x.st.Reader().ByPrefix(ctx, r.s.Key, prefix, 4)
	if err != nil {
		return 0, err
	}
	switch len(list) {
	case 0:
		return 0, nil
	case 1:
		return list[0].Pos, nil
	}
	r.why("several ids begin so")
	return 0, nil
}

func (r *resolver) offset(ctx context.Context, a model.Reading, depth int) (int64, error) {
	base, err := r.address(ctx, *a.Base, depth+1)
	if err != nil || base == 0 {
		return 0, err
	}
	pos := base + a.Step
	if pos < 1 || pos > r.s.LastPos {
		r.why(fmt.Sprintf("that is outside the session (#1 to #%d)", r.s.LastPos))
		return 0, nil
	}
	return pos, nil
}

func (r *resolver) nth(ctx context.Context, where query.Expr, n int64, what string) (int64, error) {
	e, ok, _, err := r.x.st.Reader().Nth(ctx, r.s.Key, where, n)
	if err != nil {
		return 0, err
	}
	if !ok {
		total, _, err := r.x.Count(ctx, PageQuery{Session: r.s.ID, Where: where}, 0)
		if err != nil {
			return 0, err
		}
		r.short(total, what)
		return 0, nil
	}
	return e.Pos, nil
}

// short says that there are not so many.
func (r *resolver) short(total int64, what string) {
	r.counted = total
	r.why(fmt.Sprintf("the session has %d %ss", total, what))
}

// checkpoint finds the last record of a checkpoint, counted from 1 or back from
// the end, or the events so many steps before its first and behind its last one.
func (r *resolver) checkpoint(ctx context.Context, n, step int64) (int64, error) {
	list, err := r.x.Checkpoints(ctx, r.s.ID)
	if err != nil {
		return 0, err
	}
	total := int64(len(list))
	if n < 0 {
		n += total + 1
	}
	if n < 1 || n > total {
		r.short(total, "checkpoint")
		return 0, nil
	}
	switch c := list[n-1]; {
	case step < 0:
		return r.bounded(c.First + step), nil
	case step > 0:
		return r.bounded(c.Last + step), nil
	default:
		return c.Last, nil
	}
}

func (r *resolver) time(ctx context.Context, nanos int64) (int64, error) {
	pos, ok, err := r.x.st.Reader().AtTime(ctx, r.s.Key, nanos)
	if err != nil {
		return 0, err
	}
	if !ok {
		r.why("no event is that early; the session starts at " + r.s.Started.String())
		return 0, nil
	}
	return pos, nil
}

// pasted tries the ids in a provider's error one after another, then the
// messages that it counts.
func (r *resolver) pasted(ctx context.Context, text string) (int64, error) {
	ids, messages := model.Pasted(text)
	for _, id := range ids {
		pos, err := r.id(ctx, id)
		if err != nil || pos > 0 {
			return pos, err
		}
	}
	return r.named(ctx, text, messages)
}

// nothing is the error of an address that led nowhere, with what is near it.
func (r *resolver) nothing(ctx context.Context, a model.Address) error {
	e := &AddressError{Text: a.Text, Reason: r.reason}
	if e.Reason == "" {
		e.Reason = a.Misread()
	}
	if e.Reason == "" {
		e.Reason = "no event of session " + r.s.ID + " has that id"
	}
	for _, reading := range a.Readings {
		switch reading.Form {
		case model.FormSeq:
			near, err := r.x.st.Reader().NearestSeq(ctx, r.s.Key, reading.N)
			if err == nil {
				for _, n := range near {
					e.Nearest = append(e.Nearest, strconv.FormatInt(n, 10))
				}
			}
		case model.FormID:
			if len(e.Nearest) > 0 {
				continue // it is a number
			}
			if in, err := r.x.sessionOf(ctx, reading.Text, r.s.ID); err == nil && in != "" {
				return &AddressError{Text: a.Text, Reason: "no event of session " + r.s.ID + " has that id, but one of another has", Nearest: []string{in + "@@" + reading.Text}}
			}
			e.Nearest = r.similar(ctx, reading.Text)
		case model.FormError:
			e.Nearest = append(e.Nearest, r.ends("error")...)
		case model.FormCheckpoint:
			e.Nearest = append(e.Nearest, r.ends("cp")...)
		case model.FormTurn:
			e.Nearest = append(e.Nearest, r.ends("turn")...)
		}
	}
	if len(e.Nearest) == 0 {
		e.Nearest = []string{"first", "last"}
	}
	return e
}

// sessionsAsked bounds the sessions that are asked for an id.
const sessionsAsked = 10_000

// sessionOf is the first session but one that has an event of that id; empty
// where none has.
func (x *Index) sessionOf(ctx context.Context, id, but string) (string, error) {
	rows, err := x.st.Reader().SessionRows(ctx)
	if err != nil {
		return "", err
	}
	for _, row := range rows[:min(len(rows), sessionsAsked)] {
		if row.ID == but {
			continue
		}
		if _, ok, err := x.st.Reader().Find(ctx, row.Key, id); err != nil || ok {
			return row.ID, err
		}
	}
	return "", nil
}

// ends are the first and the last of what is counted, where there is any.
func (r *resolver) ends(word string) []string {
	if r.counted == 0 {
		return nil
	}
	return []string{word + ":1", word + ":" + strconv.FormatInt(r.counted, 10)}
}

// similar lists ids that share the longest beginning with a text.
func (r *resolver) similar(ctx context.Context, text string) []string {
	for n := len(text); n >= 1; n-- {
		list, err := r.x.st.Reader().ByPrefix(ctx, r.s.Key, text[:n], 3)
		if err != nil {
			return nil
		}
		var ids []string
		for _, f := range list {
			ids = append(ids, f.ID)
		}
		if len(ids) > 0 {
			return ids
		}
	}
	return nil
}
