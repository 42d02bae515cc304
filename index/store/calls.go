package store

import (
	"context"
	"database/sql"

	"hindcast/model"
)

// Call is an event of kind action with what is known of its first result.
type Call struct {
	Session  int64 // key
	Pos      int64
	Tool     string // empty: it names none
	Title    string // what was asked for
	Failed   bool   // it failed itself, or its result did
	Returned bool   // a result came, or it tells its outcome itself
	Result   int64  // pos of the result; 0: none
	Says     string // title of the record that tells of the failure
	Own      bool   // that is the call itself, which failed
	Nanos    int64  // from call to result; -1 where it is not known
}

// End is the pos of the call's last record.
func (c *Call) End() int64 { return max(c.Pos, c.Result) }

// callPage is how many calls are read at once.
const callPage = 4000

const selectCalls = `SELECT c.key, c.flags, c.title, c.time, c.mate, m.flags, m.time, CASE WHEN m.flags >> 6 & 3 = 2 THEN m.title END
FROM events c LEFT JOIN events m ON m.key = c.key + c.mate
WHERE c.key BETWEEN ? AND ? AND c.flags >> 8 & 15 = 2 AND c.flags >> 13 & 3 < 2 ORDER BY c.key LIMIT ?`

// EachCall calls f with the calls of a session (0: of all) in key order, copied
// and inherited ones left out.
func (r *Reader) EachCall(ctx context.Context, session int64, f func(*Call) error) error {
	lo, hi := within(session)
	var page []Call
	var shapes []int64
	for {
		page, shapes = page[:0], shapes[:0]
		err := r.each(ctx, "calls", selectCalls, []any{lo, hi, callPage}, func(rows *sql.Rows) error {
			c, shape, err := scanCall(rows)
			page, shapes = append(page, c), append(shapes, shape)
			return err
		})
		for i := 0; err == nil && i < len(page); i++ {
			var s shape
			if s, err = r.shapes.get(ctx, shapes[i]); err == nil {
				page[i].Tool = s.Tool
				err = f(&page[i])
			}
		}
		if err != nil || len(page) < callPage {
			return err
		}
		last := &page[len(page)-1]
		lo = keyOf(last.Session, last.Pos) + 1
	}
}

func scanCall(rows *sql.Rows) (c Call, shape int64, err error) {
	var key, flags int64
	var title, says any
	var began, mate, outcome, ended sql.NullInt64
	if err := rows.Scan(&key, &flags, &title, &began, &mate, &outcome, &ended, &says); err != nil {
		return c, 0, err
	}
	itself := outcomeOf(flags)
	c = Call{Session: sessionOf(key), Pos: posOf(key), Title: unpackText(title), Own: itself.Failed(), Nanos: -1}
	if outcome.Valid {
		c.Result = c.Pos + mate.Int64
		c.Failed = outcomeOf(outcome.Int64).Failed()
	}
	c.Returned = outcome.Valid || itself != model.OutcomeUnknown
	if c.Says = unpackText(says); c.Own && !c.Failed {
		c.Says = c.Title
	}
	c.Own = c.Own && !c.Failed
	c.Failed = c.Failed || c.Own
	if began.Valid && ended.Valid && ended.Int64 >= began.Int64 && outcome.Valid {
		c.Nanos = ended.Int64 - began.Int64
	}
	return c, flags >> shiftShape, nil
}

// Failure is a failed event.
type Failure struct {
	Session int64 // key
	Pos     int64
	Title   string
	OfCall  bool  // it is a call, or the result of one
	Counts  bool  // it is the one failure by which its call counts as failed
	Attempt int64 // of what is of no call: pos of the call that it tells of; 0: none
}

// What a failure tells of is its cause, where that is a call, else the call whose
// failed result its cause is.
const selectFailures = `SELECT e.key, e.flags, e.title, e.mate, m.flags, m.mate, c.key, c.flags, c.mate
FROM events e LEFT JOIN events m ON m.key = e.key + e.mate LEFT JOIN events c ON c.key = e.key - e.cause
WHERE e.key BETWEEN ? AND ? AND e.flags >> 6 & 3 = 2 AND e.flags >> 13 & 3 < 2 ORDER BY e.key LIMIT ?`

// Failures calls f with every failed event of a session (0: of all) in key
// order, copied and inherited ones left out, until it returns an error.
func (r *Reader) Failures(ctx context.Context, session int64, f func(*Failure) error) error {
	lo, hi := within(session)
	var page []Failure
	for {
		page = page[:0]
		err := r.each(ctx, "failures", selectFailures, []any{lo, hi, callPage}, func(rows *sql.Rows) error {
			x, err := scanFailure(rows)
			page = append(page, x)
			return err
		})
		for i := 0; err == nil && i < len(page); i++ {
			err = f(&page[i])
		}
		if err != nil || len(page) < callPage {
			return err
		}
		last := &page[len(page)-1]
		lo = keyOf(last.Session, last.Pos) + 1
	}
}

func scanFailure(rows *sql.Rows) (f Failure, err error) {
	var key, flags int64
	var title any
	var mate, call, back, cause, causeFlags, causeMate sql.NullInt64
	if err := rows.Scan(&key, &flags, &title, &mate, &call, &back, &cause, &causeFlags, &causeMate); err != nil {
		return f, err
	}
	f = Failure{Session: sessionOf(key), Pos: posOf(key), Title: unpackText(title)}
	switch {
	case kindOf(flags) == model.KindAction:
		f.OfCall, f.Counts = true, true
	case mate.Int64 < 0:
		f.OfCall = true
		f.Counts = kindOf(call.Int64) == model.KindAction && own(call.Int64) && back.Int64 == -mate.Int64 && !outcomeOf(call.Int64).Failed()
	case !causeFlags.Valid || sessionOf(cause.Int64) != f.Session || !own(causeFlags.Int64):
	case kindOf(causeFlags.Int64) == model.KindAction:
		f.Attempt = posOf(cause.Int64)
	case outcomeOf(causeFlags.Int64).Failed() && causeMate.Int64 < 0:
		f.Attempt = posOf(cause.Int64) + causeMate.Int64
	}
	return f, nil
}

func kindOf(flags int64) model.Kind { return model.Kind(flags >> shiftKind & 15) }

// own reports an event that is neither copied nor inherited.
func own(flags int64) bool { return flags>>shiftOrigin&3 < 2 }

func outcomeOf(flags int64) model.Outcome { return model.Outcome(flags >> shiftOutcome & 3) }

// Beat is what tells when the model was given something and when it answered.
type Beat struct {
	Pos   int64
	Kind  model.Kind
	Turn  bool
	Model bool  // who it comes from is called as a model is
	Nanos int64 // since 1970
}

// Beats calls f with the messages, calls and results of a session that have a
// time, in pos order, copied and inherited ones left out.
func (r *Reader) Beats(ctx context.Context, session int64, f func(Beat) error) error {
	const text = `SELECT key, flags, time FROM events WHERE key BETWEEN ? AND ? AND flags >> 8 & 15 BETWEEN 1 AND 3
AND flags >> 13 & 3 < 2 AND time IS NOT NULL ORDER BY key LIMIT ?`
	type line struct{ key, flags, time int64 }
	models := map[int64]bool{}
	lo, hi := keys(session)
	var page []line
	for {
		page = page[:0]
		err := r.each(ctx, "times", text, []any{lo, hi, callPage}, func(rows *sql.Rows) error {
			var l line
			err := rows.Scan(&l.key, &l.flags, &l.time)
			page = append(page, l)
			return err
		})
		for i := 0; err == nil && i < len(page); i++ {
			l := page[i]
			id := l.flags >> shiftShape
			by, known := models[id]
			if !known {
				var s shape
				s, err = r.shapes.get(ctx, id)
				by = model.SpokenByModel(s.Source)
				models[id] = by
			}
			if err == nil {
				err = f(Beat{posOf(l.key), kindOf(l.flags), l.flags>>12&1 == 1, by, l.time})
			}
		}
		if err != nil || len(page) < callPage {
			return err
		}
		lo = page[len(page)-1].key + 1
	}
}
