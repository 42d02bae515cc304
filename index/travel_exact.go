package index

import (
	"context"

	"hindcast/model"
	"hindcast/model/replay"
)

// surety tells over which stretches of a session the dialect is sure of what
// the provider got: where the context of every moment says so.
type surety struct {
	x     *Index
	key   int64
	known map[int64]bool // of single moments, by pos
}

// over reports whether the contexts after all events from one to another are
// exact. What comes into view makes none exact that was not: so it is enough to
// ask at the end, and right before anything leaves or is replaced.
func (s *surety) over(ctx context.Context, from, to int64) (bool, error) {
	moments := []int64{to}
	err := s.x.st.Reader().NewValues(ctx, s.key, from, to, isMessage, func(w model.Write) bool {
		before := w.Pos - 1
		if !comesIn(w) && moments[len(moments)-1] != before {
			moments = append(moments, before)
		}
		return true
	})
	if err != nil {
		return false, err
	}
	for _, pos := range moments {
		exact, err := s.at(ctx, pos)
		if err != nil || !exact {
			return false, err
		}
	}
	return true, nil
}

// comesIn: a write brings a message of its own event, at the place behind all
// others.
func comesIn(w model.Write) bool {
	return !w.New.Absent() && w.Path == model.PathMessages+"/"+replay.Escape(model.MessageKey(w.Pos))
}

// at reports whether the context after one event is exact.
func (s *surety) at(ctx context.Context, pos int64) (bool, error) {
	if exact, ok := s.known[pos]; ok {
		return exact, nil
	}
	view, err := s.x.viewAt(ctx, s.key, pos)
	if err != nil {
		return false, err
	}
	teller, err := s.x.teller(ctx, s.key)
	if err != nil {
		return false, err
	}
	s.known[pos] = conversation(teller, view, true).Exact
	return s.known[pos], nil
}
