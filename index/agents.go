package index

import (
	"context"

	"hindcast/index/store"
	"hindcast/model"
	"hindcast/model/query"
)

// Agent is a session that another one made: a sub-agent.
type Agent struct {
	Session model.Session
	// Call is the event of the parent that made it; Pos 0 where no record tells.
	Call     model.Ref
	Inferred bool        // the call was found by hindcast, not told by a record
	Answer   model.Event // the last message that the agent's model said; Pos 0 where it said none
}

// agentLimit bounds how many sub-agents of a session are looked at: the first.
const agentLimit = 1000

// spawnRecords is among how many of a session's first records the one that
// tells who made it is looked for.
const spawnRecords = 8

// Agents lists the sub-agents of a session, in the order of the dump.
func (x *Index) Agents(ctx context.Context, session string) ([]Agent, error) {
	all, err := x.Sessions(ctx)
	if err != nil {
		return nil, err
	}
	var out []Agent
	for _, s := range all {
		if s.Parent != session || s.ID == session || session == "" {
			continue
		}
		if len(out) == agentLimit {
			break
		}
		a := Agent{Session: s}
		if a.Call, a.Inferred, err = x.spawnedBy(ctx, s); err != nil {
			return nil, err
		}
		if a.Call.Session != session {
			a.Call = model.Ref{}
		}
		said, _, err := x.st.Reader().Page(ctx, store.PageSpec{Session: s.Key, Desc: true, Limit: 1, Folded: true, Where: modelMessages})
		if err != nil {
			return nil, err
		}
		if len(said) > 0 {
			a.Answer = said[0]
		}
		out = append(out, a)
	}
	return out, nil
}

var modelMessages = query.All(
	query.Term{Field: query.FieldKind, Op: query.OpIs, Text: "message"},
	query.Not{X: query.Term{Field: query.FieldSource, Op: query.OpIs, Text: "user", Fold: true}},
)

// Caller finds the event that made a session; Pos 0 where no record tells.
func (x *Index) Caller(ctx context.Context, session string) (model.Ref, error) {
	key, err := x.key(ctx, session)
	if err != nil {
		return model.Ref{}, err
	}
	ref, _, err := x.spawnedBy(ctx, model.Session{Key: key})
	return ref, err
}

func (x *Index) spawnedBy(ctx context.Context, s model.Session) (model.Ref, bool, error) {
	first, _, err := x.st.Reader().Page(ctx, store.PageSpec{Session: s.Key, From: 1, Limit: spawnRecords, WithLinks: true})
	if err != nil {
		return model.Ref{}, false, err
	}
	for _, e := range first {
		for _, l := range e.Links {
			if l.Reason == model.ReasonSpawn && l.Resolved() && l.To.Session != e.Session {
				return l.To, l.Inferred, nil
			}
		}
	}
	return model.Ref{}, false, nil
}
