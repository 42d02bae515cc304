package index

import (
	"context"

	"hindcast/index/store"
	"hindcast/model"
	"hindcast/model/answer"
)

// chainLimit is how many steps of a causal chain are shown; its end is told
// whatever its length.
const chainLimit = 10_000

// Why follows the preferred causes from an event back to where they end, and
// looks for the suspects of an error.
func (x *Index) Why(ctx context.Context, from model.Event) (answer.Why, error) {
	out := answer.Why{Suspects: []answer.Suspect{}, Chain: []answer.Step{}, Complete: true}
	e, err := x.whole(ctx, from)
	if err != nil {
		return out, err
	}
	out.From = answer.NewEvent(e)
	start := e
	key, err := x.key(ctx, e.Session)
	if err != nil {
		return out, err
	}
	places, err := x.st.Reader().Chain(ctx, key, e.Pos, chainLimit+1)
	if err != nil {
		return out, err
	}
	places, out.Complete = untilRing(store.Step{Session: key, Pos: e.Pos}, places)
	if len(places) > chainLimit {
		places, out.Truncated = places[:chainLimit], true
	}
	steps, err := x.eventsOf(ctx, places)
	if err != nil {
		return out, err
	}
	for _, next := range steps {
		out.Complete = out.Complete && wholeLinks(e)
		best := model.PreferredCause(e.Links)
		if best < 0 {
			break
		}
		via := e.Links[best]
		out.Chain = append(out.Chain, answer.Step{
			Event: answer.NewEvent(next), Via: answer.Via{Reason: via.Reason.String(), Inferred: via.Inferred},
			Also: alsoCauses(e.Links, best),
		})
		e = next
	}
	out.Complete = out.Complete && wholeLinks(e)
	if out.Truncated {
		if e, err = x.Event(ctx, e.Session, e.Root); err != nil {
			return out, err
		}
	}
	if out.Suspects, out.Roots, err = x.suspects(ctx, start, steps[:len(out.Chain)]); err != nil {
		return out, err
	}
	if len(out.Roots) == 0 {
		out.Roots = []answer.Event{answer.NewEvent(e)}
	}
	return out, nil
}

// WhyPath starts from a value of the state after at: from the event that wrote
// it, of a file the one that wrote its content. A value that stands there from
// the start was written by none.
func (x *Index) WhyPath(ctx context.Context, at model.Event, path string) (answer.Why, error) {
	key, err := x.folded(ctx, at.Session, at.Pos)
	if err != nil {
		return answer.Why{}, err
	}
	p, err := x.lookup(ctx, key, at, path)
	if err != nil {
		return answer.Why{}, err
	}
	w, err := x.writerOf(ctx, key, at.Pos, p)
	if err != nil {
		return answer.Why{}, err
	}
	pos := w.Pos
	if isFile(p.Pointer) && p.place.Cell == p.Pointer {
		if by := writtenPos(w.New); by > 0 {
			pos = by
		}
	}
	if pos == 0 {
		return answer.Why{}, &PathError{Path: path, Reason: "no event wrote it; it has had this value from the start"}
	}
	by, err := x.ownEvent(ctx, key, pos)
	if err != nil {
		return answer.Why{}, err
	}
	return x.Why(ctx, by)
}

// untilRing cuts a chain where it comes to a place for the second time; whole
// is false then. Only links between sessions can close a ring.
func untilRing(start store.Step, places []store.Step) (cut []store.Step, whole bool) {
	seen := make(map[store.Step]bool, len(places)+1)
	seen[start] = true
	for i, p := range places {
		if seen[p] {
			return places[:i], false
		}
		seen[p] = true
	}
	return places, true
}

// eventsOf reads the events of a chain with their links, a run of one session
// at a time.
func (x *Index) eventsOf(ctx context.Context, places []store.Step) ([]model.Event, error) {
	const run = 500
	out := make([]model.Event, 0, len(places))
	for len(places) > 0 {
		n := 1
		for n < len(places) && n < run && places[n].Session == places[0].Session {
			n++
		}
		positions := make([]int64, n)
		for i, p := range places[:n] {
			positions[i] = p.Pos
		}
		found, err := x.st.Reader().LinkedEventsAt(ctx, places[0].Session, positions)
		if err != nil {
			return nil, err
		}
		for _, pos := range positions {
			out = append(out, found[pos])
		}
		places = places[n:]
	}
	return out, nil
}

// whole is the event with its links.
func (x *Index) whole(ctx context.Context, e model.Event) (model.Event, error) {
	return x.Event(ctx, e.Session, e.Pos)
}

// wholeLinks reports whether all recorded causal links of an event lead somewhere.
func wholeLinks(e model.Event) bool {
	for _, l := range e.Links {
		if l.Reason.Causal() && !l.Inferred && !l.Resolved() {
			return false
		}
	}
	return true
}

func alsoCauses(links []model.Link, best int) []answer.Ref {
	also := []answer.Ref{}
	for i, l := range links {
		if i != best && l.Resolved() && l.Reason.Causal() && l.To != links[best].To {
			also = append(also, answer.NewRef(l.To))
		}
	}
	return also
}
