package inspector

import (
	"context"
	"slices"
	"time"

	"hindcast/index"
	"hindcast/inspector/travel"
	"hindcast/model"
	"hindcast/render/theme"
)

// family is what is known of the sessions around the one that is shown.
type family struct {
	session string // of the answer; empty: there is none yet
	agents  map[int64][]index.Agent
	calls   []int64  // of the agents, ascending
	up      []string // ids of the sessions above, the outermost first
}

// ancestors bounds how far up the sessions above one are followed.
const ancestors = 16

// showFamily asks for the sub-agents of the session, and for the sessions above.
func (u *ui) showFamily() {
	if u.session.ID == "" || u.family.session == u.session.ID && (!u.due("family") || u.back.busy("family") && !u.status.Done) {
		return
	}
	id, parent := u.session.ID, u.session.Parent
	u.back.submit("family", func(ctx context.Context) func() {
		begin := time.Now()
		f := family{session: id, agents: map[int64][]index.Agent{}}
		list, err := u.idx.Agents(ctx, id)
		for _, a := range list {
			if a.Call.Pos > 0 {
				f.agents[a.Call.Pos] = append(f.agents[a.Call.Pos], a)
				f.calls = append(f.calls, a.Call.Pos)
			}
		}
		slices.Sort(f.calls)
		f.calls = slices.Compact(f.calls)
		for parent != "" && err == nil && len(f.up) < ancestors && !slices.Contains(f.up, parent) && parent != id {
			f.up = append([]string{parent}, f.up...)
			s, _, perr := u.idx.Session(ctx, parent)
			if perr != nil || s.ID != parent { // it is not in the dump
				break
			}
			parent = s.Parent
		}
		took := time.Since(begin)
		return func() {
			u.spent["family"] = cost{took, time.Now()}
			if err == nil && id == u.session.ID {
				u.family = f
			}
		}
	})
}

// agentsAt are the sub-agents that an event made.
func (u *ui) agentsAt(pos int64) []index.Agent {
	if u.family.session != u.session.ID {
		return nil
	}
	return u.family.agents[pos]
}

func (u *ui) toAgent(s travel.Stroke) {
	calls := u.family.calls
	if u.family.session != u.session.ID {
		calls = nil
	}
	u.leap(func(ctx context.Context, from travel.Place, back bool) (model.Event, bool, error) {
		at := from.Pos
		if e, err := u.idx.Event(ctx, from.Session, at); err == nil && e.Mate > 0 && e.Mate < at {
			at = e.Mate // the reader stands on the result of a call, in one row with it
		}
		i, there := slices.BinarySearch(calls, at)
		switch {
		case back:
			i--
		case there:
			i++
		}
		if i < 0 || i >= len(calls) {
			return model.Event{}, false, nil
		}
		e, err := u.idx.Event(ctx, from.Session, calls[i])
		return e, err == nil, err
	}, s.Seq[0] == '[', s, "sub-agent")
}

// enterAgent goes into the sub-agent that the selected row made, and reports
// whether there is one; where it made several, into the first.
func (u *ui) enterAgent() bool {
	row, ok := u.timeline.Row()
	if !ok {
		return false
	}
	list := u.agentsAt(row.Event.Pos)
	if len(list) == 0 && row.Result != nil {
		list = u.agentsAt(row.Result.Pos)
	}
	if len(list) == 0 {
		return false
	}
	u.enterSession_(list[0].Session.ID)
	return true
}

// enterSession_ jumps to the first event of a session.
func (u *ui) enterSession_(id string) {
	u.hold("jump", func(ctx context.Context) func() {
		e, err := u.idx.Event(ctx, id, 1)
		return func() {
			if err != nil {
				u.sayError(err)
				return
			}
			u.jump(travel.Place{Session: id, Pos: e.Pos, Seq: e.Seq})
		}
	})
}

// upKey goes to the event that made this session, else to the session above.
func (u *ui) upKey(travel.Stroke) {
	id, parent := u.session.ID, u.session.Parent
	if parent == "" {
		u.say("no session made this one", theme.Dim)
		return
	}
	u.hold("jump", func(ctx context.Context) func() {
		ref, err := u.idx.Caller(ctx, id)
		if err == nil && ref.Pos == 0 {
			var e model.Event
			if e, err = u.idx.Event(ctx, parent, 1); err == nil {
				ref = model.Ref{Session: parent, Pos: e.Pos, Seq: e.Seq}
			}
		}
		return func() {
			if err != nil {
				u.say("the session "+parent+", which made this one, is not in the dump", theme.Warn)
				return
			}
			u.jump(travel.Place{Session: ref.Session, Pos: ref.Pos, Seq: ref.Seq})
		}
	})
}
