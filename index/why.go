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

// Why follows the preferred causes from an event back to where they end.
func (x *Index) Why(ctx context.Context, from model.Event) (answer.Why, error) {
	out := answer.Why{Suspects: []answer.Suspect{}, Chain: []answer.Step{}, Complete: true}
	e, err := x.whole(ctx, from)
	if err != nil {
		return out, err
	}
	out.From = answer.NewEvent(e)
	seen := map[model.Ref]bool{refOf(e): true}
	for {
		out.Complete = out.Complete && wholeLinks(e)
		best := model.PreferredCause(e.Links)
		if best < 0 {
			break
		}
		via := e.Links[best]
		if seen[placeOf(via.To)] {
			out.Complete = false // a ring: only links between sessions can close one
			break
		}
		if len(out.Chain) == chainLimit {
			return out, x.endOf(ctx, &out, e)
		}
		also := alsoCauses(e.Links, best)
		if e, err = x.Event(ctx, via.To.Session, via.To.Pos); err != nil {
			return out, err
		}
		seen[refOf(e)] = true
		out.Chain = append(out.Chain, answer.Step{
			Event: answer.NewEvent(e), Via: answer.Via{Reason: via.Reason.String(), Inferred: via.Inferred}, Also: also,
		})
	}
	out.Roots = []answer.Event{answer.NewEvent(e)}
	return out, nil
}

// endOf tells the root of a chain that is too long to be shown.
func (x *Index) endOf(ctx context.Context, out *answer.Why, e model.Event) error {
	root, err := x.Event(ctx, e.Session, e.Root)
	if err != nil {
		return err
	}
	out.Truncated = true
	out.Roots = []answer.Event{answer.NewEvent(root)}
	return nil
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

// refOf and placeOf name an event for a set: by session and pos alone.
func refOf(e model.Event) model.Ref { return model.Ref{Session: e.Session, Pos: e.Pos} }
func placeOf(r model.Ref) model.Ref { return model.Ref{Session: r.Session, Pos: r.Pos} }

// causal lists the reasons that can be causes.
var causal = []model.Reason{model.ReasonAction, model.ReasonSource, model.ReasonSpawn, model.ReasonData}

// Effects lists what followed from an event: breadth first, each event once.
func (x *Index) Effects(ctx context.Context, from model.Event, deep bool, limit int) (answer.Effects, error) {
	out := answer.Effects{Effects: []answer.Effect{}}
	e, err := x.whole(ctx, from)
	if err != nil {
		return out, err
	}
	out.From = answer.NewEvent(e)
	key, err := x.key(ctx, e.Session)
	if err != nil {
		return out, err
	}
	type place struct{ session, pos int64 }
	queue := []place{{key, e.Pos}}
	seen := map[place]bool{queue[0]: true}
	for len(queue) > 0 && len(out.Effects) < limit {
		at := queue[0]
		queue = queue[1:]
		err := x.incoming(ctx, at.session, at.pos, func(in store.Incoming) (bool, error) {
			next := place{in.Session, in.Pos}
			if seen[next] {
				return true, nil
			}
			seen[next] = true
			e, err := x.eventAt(ctx, in.Session, in.Pos)
			if err != nil {
				return false, err
			}
			out.Effects = append(out.Effects, answer.Effect{
				Event: answer.NewEvent(e), Via: answer.Via{Reason: in.Link.Reason.String(), Inferred: in.Link.Inferred},
			})
			if deep {
				queue = append(queue, next)
			}
			return len(out.Effects) < limit, nil
		})
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// incoming walks the causal links that lead to an event, a page at a time.
func (x *Index) incoming(ctx context.Context, session, pos int64, f func(store.Incoming) (bool, error)) error {
	const page = 256
	var after store.Cursor
	for {
		edges, err := x.st.Reader().LinkedFrom(ctx, session, pos, causal, after, page)
		if err != nil {
			return err
		}
		for _, in := range edges {
			if more, err := f(in); err != nil || !more {
				return err
			}
		}
		if len(edges) < page {
			return nil
		}
		after = edges[len(edges)-1].Cursor
	}
}
