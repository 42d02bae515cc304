package index

import (
	"context"
	"hash/maphash"
	"math"
	"slices"

	"hindcast/index/check"
	"hindcast/index/store"
	"hindcast/model"
	"hindcast/model/query"
)

// survey is what one walk over a session's events keeps for the rules.
type survey struct {
	loose  []int64  // results that are not the first of a call, by pos
	turns  []int64  // messages of the user
	twice  []uint64 // hashes of ids that several events carry, sorted
	called int64    // pos of the first call; 0: none
	mates  []int32  // of each event, from pos 1 on: pos of its other half - its own; farMate: that is not kept
	seed   maphash.Seed
}

// farMate stands for the call of a result that is not its first, which its links
// name, and for a half that is too far away to be kept.
const farMate = math.MinInt32

// mate gives the pos of the other half of a call or result; 0: there is none.
// known is false where the event itself has to be asked.
func (s *survey) mate(pos int64) (mate int64, known bool) {
	if pos < 1 || pos > int64(len(s.mates)) || s.mates[pos-1] == farMate {
		return 0, false
	}
	if d := int64(s.mates[pos-1]); d != 0 {
		return pos + d, true
	}
	return 0, true
}

// pair keeps the other half of an event.
func (s *survey) pair(e *model.Event) {
	for int64(len(s.mates)) < e.Pos {
		s.mates = append(s.mates, farMate)
	}
	d := int64(0)
	switch {
	case e.Mate != 0:
		d = e.Mate - e.Pos
	case e.Kind == model.KindObservation:
		d = farMate
	}
	s.mates[e.Pos-1] = int32(max(d, farMate))
	if d > math.MaxInt32 {
		s.mates[e.Pos-1] = farMate
	}
}

// surveyed walks over the events once.
func (f *facts) surveyed(ctx context.Context) (*survey, error) {
	if f.seen != nil {
		return f.seen, nil
	}
	s := &survey{seed: maphash.MakeSeed()}
	var ids []uint64
	err := f.x.each(ctx, store.PageSpec{Session: f.row.Key, Lean: true}, func(e model.Event) bool {
		s.pair(&e)
		if e.ID != "" && ownRecord(e) {
			ids = append(ids, maphash.String(s.seed, e.ID))
		}
		switch {
		case e.Origin == model.OriginCopied:
		case e.Kind == model.KindAction && s.called == 0:
			s.called = e.Pos
		case e.Kind == model.KindObservation && e.Mate == 0:
			s.loose = append(s.loose, e.Pos)
		case e.Origin != model.OriginInherited && e.Kind == model.KindMessage && e.Source == model.RoleUser.String() && e.ID != "":
			s.turns = append(s.turns, e.Pos)
		}
		return true
	})
	slices.Sort(ids)
	for i := 1; i < len(ids); i++ {
		if ids[i] == ids[i-1] && (len(s.twice) == 0 || s.twice[len(s.twice)-1] != ids[i]) {
			s.twice = append(s.twice, ids[i])
		}
	}
	f.seen = s
	return s, err
}

// ownRecord: the event is all of a record of this session's own log.
func ownRecord(e model.Event) bool {
	return e.Origin == model.OriginRecorded || e.Origin == model.OriginCopied
}

// Results implements check.Reader.
func (f *facts) Results(ctx context.Context) ([]check.Result, error) {
	s, err := f.surveyed(ctx)
	if err != nil {
		return nil, err
	}
	var out []check.Result
	for _, pos := range s.loose {
		e, err := f.Event(ctx, pos)
		if err != nil {
			return nil, err
		}
		r := check.Result{Event: e, Early: s.called == 0 || pos < s.called}
		call := callOfResult(e)
		if call == 0 {
			if e.Call != "" && !leadsAnywhere(e) || namesNothing(e) {
				out = append(out, r)
			}
			continue
		}
		if r.Call, err = f.Event(ctx, call); err != nil {
			return nil, err
		}
		if r.Call.Kind != model.KindAction || r.Call.Mate == 0 {
			continue
		}
		if r.First, err = f.Event(ctx, r.Call.Mate); err != nil {
			return nil, err
		}
		if r.First.Outcome == model.OutcomeUnknown && e.Outcome != model.OutcomeUnknown {
			continue // the first said that it had begun, this one how it ended
		}
		if r.First.Call != "" && e.Call != "" && r.First.Call != e.Call {
			continue // one record made several calls, and each came back
		}
		out = append(out, r)
	}
	return out, nil
}

// callOfResult is the pos of the call that a result answers; 0: none is known.
func callOfResult(e model.Event) int64 {
	for _, l := range e.Links {
		if l.Reason == model.ReasonAction && l.Resolved() && l.To.Session == e.Session {
			return l.To.Pos
		}
	}
	return 0
}

// leadsAnywhere: a recorded link of the event was resolved, if not as that of a
// result to its call.
func leadsAnywhere(e model.Event) bool {
	return slices.ContainsFunc(e.Links, func(l model.Link) bool { return !l.Inferred && l.Reason.Causal() && l.Resolved() })
}

// namesNothing: a result says what it came of, and that is not in the log.
func namesNothing(e model.Event) bool {
	return slices.ContainsFunc(e.Links, func(l model.Link) bool {
		return !l.Inferred && (l.Reason == model.ReasonAction || l.Reason == model.ReasonSource) && l.Broken == model.LinkMissing
	})
}

// goesOn is what shows that a run went on.
var goesOn = query.And{List: []query.Expr{query.Or{List: []query.Expr{
	query.Term{Field: query.FieldKind, Op: query.OpIs, Text: "action"},
	query.Term{Field: query.FieldKind, Op: query.OpIs, Text: "message"},
	query.Term{Field: query.FieldKind, Op: query.OpIs, Text: "error"},
}}, recorded}}

// OpenCalls implements check.Reader. A call that an error names was answered.
func (f *facts) OpenCalls(ctx context.Context) ([]check.OpenCall, error) {
	members, err := f.x.members(ctx, f.row.Key, model.PathPending, f.row.LastPos)
	if err != nil || len(members) == 0 {
		return nil, err
	}
	var open []int64
	for _, m := range members {
		open = append(open, m.Pos)
	}
	slices.Sort(open)
	open = slices.Compact(open)
	last, err := f.lastStep(ctx, open)
	if err != nil {
		return nil, err
	}
	var out []check.OpenCall
	var events map[int64]model.Event
	for i, pos := range open {
		if i%openRun == 0 {
			if events, err = f.around(ctx, open[i:min(i+openRun, len(open))]); err != nil {
				return nil, err
			}
		}
		c := check.OpenCall{Later: pos < last, Event: events[pos], Next: events[pos+1]}
		told, err := f.told(ctx, c)
		if err != nil {
			return nil, err
		}
		if !told {
			out = append(out, c)
		}
	}
	return out, nil
}

// openRun is how many open calls are read at once.
const openRun = 200

// around reads the events at some places, and those behind them.
func (f *facts) around(ctx context.Context, places []int64) (map[int64]model.Event, error) {
	var positions []int64
	for _, pos := range places {
		if positions = append(positions, pos); pos < f.row.LastPos {
			positions = append(positions, pos+1)
		}
	}
	slices.Sort(positions)
	return f.x.st.Reader().LinkedEventsAt(ctx, f.row.Key, slices.Compact(positions))
}

// lastStep is the pos of the last event that shows that the run went on, the
// open calls themselves left out.
func (f *facts) lastStep(ctx context.Context, open []int64) (int64, error) {
	for at := f.row.LastPos + 1; ; {
		e, ok, err := f.x.Next(ctx, f.row.ID, at, true, goesOn)
		if err != nil || !ok {
			return 0, err
		}
		if _, isOpen := slices.BinarySearch(open, e.Pos); !isOpen {
			return e.Pos, nil
		}
		at = e.Pos
	}
}

// told: an error says what became of a call. One that only seems to speak of it
// counts where nothing stands between the two.
func (f *facts) told(ctx context.Context, c check.OpenCall) (bool, error) {
	edges, err := f.x.st.Reader().LinkedFrom(ctx, f.row.Key, c.Event.Pos, []model.Reason{model.ReasonAction, model.ReasonSource}, store.Cursor{}, 100)
	if err != nil {
		return false, err
	}
	for _, edge := range edges {
		if edge.Session != f.row.Key || edge.Link.Inferred && edge.Pos != c.Event.Pos+1 {
			continue
		}
		e, err := f.Event(ctx, edge.Pos)
		if err != nil || e.Kind == model.KindError {
			return err == nil, err
		}
	}
	return false, nil
}
