package index

import (
	"context"
	"fmt"
	"strings"

	"hindcast/index/importer"
	"hindcast/index/store"
	"hindcast/model"
	"hindcast/model/query"
)

// Sessions lists sessions in the order of their first event in the dump.
func (x *Index) Sessions(ctx context.Context) ([]model.Session, error) {
	return x.st.Reader().Sessions(ctx)
}

// Session finds one session by a unique prefix of its id.
func (x *Index) Session(ctx context.Context, prefix string) (model.Session, int, error) {
	all, err := x.Sessions(ctx)
	if err != nil {
		return model.Session{}, 0, err
	}
	if prefix == "" {
		return mainSession(all)
	}
	var match []model.Session
	for _, s := range all {
		if s.ID == prefix {
			return s, len(all) - 1, nil
		}
		if strings.HasPrefix(s.ID, prefix) {
			match = append(match, s)
		}
	}
	if len(match) == 1 {
		return match[0], len(all) - 1, nil
	}
	e := &SessionError{Prefix: prefix, Ambiguous: len(match) > 1}
	if len(match) == 0 {
		match = all
	}
	for _, s := range match[:min(len(match), 8)] {
		e.Known = append(e.Known, s.ID)
	}
	return model.Session{}, 0, e
}

// mainSession is the root session with most events.
func mainSession(all []model.Session) (model.Session, int, error) {
	if len(all) == 0 {
		return model.Session{}, 0, &SessionError{}
	}
	known := make(map[string]bool)
	for _, s := range all {
		known[s.ID] = true
	}
	best := -1
	for i, s := range all {
		if s.Parent != "" && known[s.Parent] && s.Parent != s.ID {
			continue
		}
		if best < 0 || s.Events > all[best].Events {
			best = i
		}
	}
	return all[max(best, 0)], len(all) - 1, nil
}

// key is the index's number of a session; 0 for the empty id.
func (x *Index) key(ctx context.Context, session string) (int64, error) {
	if session == "" {
		return 0, nil
	}
	key, ok, err := x.st.Reader().SessionKey(ctx, session)
	if err != nil {
		return 0, err
	}
	if !ok {
		return 0, &SessionError{Prefix: session}
	}
	return key, nil
}

// Event returns the event at a position, with its links.
func (x *Index) Event(ctx context.Context, session string, pos int64) (model.Event, error) {
	key, err := x.key(ctx, session)
	if err != nil {
		return model.Event{}, err
	}
	return x.eventAt(ctx, key, pos)
}

func (x *Index) eventAt(ctx context.Context, key, pos int64) (model.Event, error) {
	e, ok, err := x.st.Reader().EventAt(ctx, key, pos)
	if err == nil && !ok {
		err = noPosition(pos)
	}
	return e, err
}

func noPosition(pos int64) error {
	return &AddressError{Text: fmt.Sprintf("#%d", pos), Reason: "the session has no such position"}
}

// Raw returns the record's exact bytes.
func (x *Index) Raw(ctx context.Context, e model.Event) ([]byte, error) {
	src, err := x.source(ctx, e.Span.Source)
	if err != nil {
		return nil, err
	}
	raw, err := x.bytes.Read(ctx, x.st.Reader(), src, e.Span.Offset, e.Span.Length)
	if err != nil {
		return nil, err
	}
	if importer.HashOf(raw) != e.Hash {
		return nil, fmt.Errorf("read event %d: %w", e.Seq, &ChangedError{Source: src.Path, Offset: e.Span.Offset})
	}
	return raw, nil
}

// ChangedError is a source whose bytes are not those that were imported.
type ChangedError struct {
	Source string
	Offset int64
}

// Error says where, and what to do.
func (e *ChangedError) Error() string {
	return fmt.Sprintf("%s has changed at byte %d since it was imported; open it again to rebuild the index", e.Source, e.Offset)
}

// Results lists the events whose action link names a call.
func (x *Index) Results(ctx context.Context, session string, pos int64) ([]model.Event, error) {
	key, err := x.key(ctx, session)
	if err != nil {
		return nil, err
	}
	edges, err := x.st.Reader().LinkedFrom(ctx, key, pos, []model.Reason{model.ReasonAction}, store.Cursor{}, 100)
	if err != nil {
		return nil, err
	}
	var out []model.Event
	for _, edge := range edges {
		e, err := x.eventAt(ctx, edge.Session, edge.Pos)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

// Names lists the distinct values of a field, for completion.
func (x *Index) Names(ctx context.Context, f query.Field) ([]string, error) {
	return x.st.Reader().Names(ctx, f)
}
