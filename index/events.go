package index

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"hindcast/index/importer"
	"hindcast/index/store"
	"hindcast/model"
	"hindcast/model/jsonscan"
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
		return model.Session{}, 0, &SessionError{Prefix: "(any)"}
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

func (x *Index) spec(ctx context.Context, q PageQuery) (store.PageSpec, error) {
	key, err := x.key(ctx, q.Session)
	return store.PageSpec{
		Session: key, From: q.From, Desc: q.Desc, Limit: q.Limit, Where: q.Where, Folded: q.Visibility == Folded,
	}, err
}

// Page returns rows in pos order.
func (x *Index) Page(ctx context.Context, q PageQuery) ([]Row, error) {
	spec, err := x.spec(ctx, q)
	if err != nil {
		return nil, err
	}
	events, err := x.matching(ctx, spec)
	if err != nil {
		return nil, err
	}
	rows := make([]Row, len(events))
	var mates []int64
	for i, e := range events {
		rows[i].Event = e
		if q.Visibility == Folded && e.Kind == model.KindAction && e.Mate > 0 {
			mates = append(mates, e.Mate)
		}
	}
	if len(mates) == 0 {
		return rows, nil
	}
	results, err := x.st.Reader().EventsAt(ctx, spec.Session, mates)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		if r, ok := results[rows[i].Event.Mate]; ok && rows[i].Event.Kind == model.KindAction {
			rows[i].Result = &r
		}
	}
	return rows, nil
}

// matching reads events until the page is full, and looks at the records' text
// where the filter asks for it.
func (x *Index) matching(ctx context.Context, spec store.PageSpec) ([]model.Event, error) {
	if !query.NeedsText(spec.Where) {
		events, _, err := x.st.Reader().Page(ctx, spec)
		return events, err
	}
	var out []model.Event
	err := x.eachText(ctx, spec, func(e model.Event) bool {
		out = append(out, e)
		return spec.Limit == 0 || len(out) < spec.Limit
	})
	if spec.Desc {
		slices.Reverse(out)
	}
	return out, err
}

// textPage is how many records are looked at between two queries.
const textPage = 4000

// eachText walks the events of a filter with text terms: first over the
// records' bytes alone, then over the events in which the texts may occur.
func (x *Index) eachText(ctx context.Context, spec store.PageSpec, yield func(model.Event) bool) error {
	r := x.st.Reader()
	if query.Uses(spec.Where, query.FieldID) {
		return x.eachWhole(ctx, spec, yield)
	}
	spec.Limit = textPage
	for {
		places, err := r.Spans(ctx, spec)
		if err != nil {
			return err
		}
		var candidates []int64
		for _, p := range places {
			may, err := x.mayMatch(ctx, spec.Where, p)
			if err != nil {
				return err
			}
			if may {
				candidates = append(candidates, p.Pos)
			}
			if len(candidates) == candidatePage {
				if more, err := x.yieldText(ctx, spec, candidates, yield); err != nil || !more {
					return err
				}
				candidates = candidates[:0]
			}
		}
		if more, err := x.yieldText(ctx, spec, candidates, yield); err != nil || !more {
			return err
		}
		if len(places) < textPage {
			return nil
		}
		spec.From = places[len(places)-1].Pos + 1
		if spec.Desc {
			if spec.From -= 2; spec.From < 1 {
				return nil
			}
		}
	}
}

// eachWhole is eachText over whole events: a page of them also tells the other
// ids by which an event may match.
func (x *Index) eachWhole(ctx context.Context, spec store.PageSpec, yield func(model.Event) bool) error {
	spec.Limit = candidatePage
	for {
		events, _, err := x.st.Reader().Page(ctx, spec)
		if err != nil {
			return err
		}
		if spec.Desc {
			slices.Reverse(events)
		}
		for i := range events {
			ok, err := x.holds(ctx, spec.Where, &events[i], nil)
			if err != nil {
				return err
			}
			if ok && !yield(events[i]) {
				return nil
			}
		}
		if len(events) < spec.Limit {
			return nil
		}
		spec.From = events[len(events)-1].Pos + 1
		if spec.Desc {
			if spec.From -= 2; spec.From < 1 {
				return nil
			}
		}
	}
}

// candidatePage is how many events are read at once to be looked at closely.
const candidatePage = 128

func (x *Index) mayMatch(ctx context.Context, where query.Expr, p store.Place) (bool, error) {
	raw, err := x.span(ctx, p.Span)
	if err != nil {
		return false, err
	}
	var result []byte
	if p.Result.Source != 0 {
		if result, err = x.span(ctx, p.Result); err != nil {
			return false, err
		}
	}
	return query.MayMatch(where, raw, result), nil
}

func (x *Index) span(ctx context.Context, s model.Span) ([]byte, error) {
	src, err := x.source(ctx, s.Source)
	if err != nil {
		return nil, err
	}
	return x.bytes.Read(ctx, x.st.Reader(), src, s.Offset, s.Length)
}

// yieldText evaluates the whole filter over events, in the order given.
func (x *Index) yieldText(ctx context.Context, spec store.PageSpec, positions []int64, yield func(model.Event) bool) (more bool, err error) {
	if len(positions) == 0 {
		return true, nil
	}
	found, err := x.st.Reader().LinkedEventsAt(ctx, spec.Session, positions)
	if err != nil {
		return false, err
	}
	results := map[int64]model.Event{}
	if spec.Folded {
		var mates []int64
		for _, e := range found {
			if e.Kind == model.KindAction && e.Mate > 0 {
				mates = append(mates, e.Mate)
			}
		}
		if results, err = x.st.Reader().EventsAt(ctx, spec.Session, mates); err != nil {
			return false, err
		}
	}
	for _, pos := range positions {
		e, ok := found[pos]
		if !ok {
			continue
		}
		var also *model.Event
		if r, ok := results[e.Mate]; ok && e.Kind == model.KindAction {
			also = &r
		}
		if ok, err = x.holds(ctx, spec.Where, &e, also); err != nil {
			return false, err
		}
		if ok && !yield(e) {
			return false, nil
		}
	}
	return true, nil
}

// holds evaluates a filter with the records' own text, over an event and, in
// rows, its result.
func (x *Index) holds(ctx context.Context, where query.Expr, e, result *model.Event) (bool, error) {
	var failed error
	s := x.subject(ctx, e, &failed)
	if result != nil {
		also := x.subject(ctx, result, &failed)
		s.Also = &also
	}
	ok := query.Eval(where, s)
	return ok, failed
}

func (x *Index) subject(ctx context.Context, e *model.Event, failed *error) query.Subject {
	var raw []byte
	read := func() []byte {
		if raw == nil && *failed == nil {
			raw, *failed = x.Raw(ctx, *e)
		}
		return raw
	}
	return query.Subject{Event: e, Raw: read, Text: func() string { return DecodedText(read()) }}
}

// DecodedText is what text terms look at: every string of a record, keys left
// out, escapes resolved, a line each.
func DecodedText(raw []byte) string {
	var b strings.Builder
	jsonscan.Strings(raw, false, func(s string) bool {
		b.WriteString(s)
		b.WriteByte('\n')
		return true
	})
	return b.String()
}

// Count tells how many rows a query has, and how many of them stand before pos.
func (x *Index) Count(ctx context.Context, q PageQuery, pos int64) (total, before int64, err error) {
	spec, err := x.spec(ctx, q)
	if err != nil {
		return 0, 0, err
	}
	if !query.NeedsText(q.Where) {
		total, before, _, err = x.st.Reader().Count(ctx, spec, pos)
		return total, before, err
	}
	err = x.each(ctx, spec, func(e model.Event) bool {
		total++
		if e.Pos < pos {
			before++
		}
		return true
	})
	return total, before, err
}

// Next finds the nearest match after or before pos.
func (x *Index) Next(ctx context.Context, session string, pos int64, back bool, where query.Expr) (model.Event, bool, error) {
	key, err := x.key(ctx, session)
	if err != nil {
		return model.Event{}, false, err
	}
	spec := store.PageSpec{Session: key, From: pos + 1, Desc: back, Limit: 1, Where: where}
	if back {
		if spec.From = pos - 1; spec.From < 1 {
			return model.Event{}, false, nil
		}
	}
	found, err := x.matching(ctx, spec)
	if err != nil || len(found) == 0 {
		return model.Event{}, false, err
	}
	return found[0], true, nil
}

// Query walks the matching events of one session, or of all.
func (x *Index) Query(ctx context.Context, session string, where query.Expr, yield func(model.Event) bool) error {
	keys, err := x.keys(ctx, session)
	if err != nil {
		return err
	}
	more := true
	for _, key := range keys {
		err := x.each(ctx, store.PageSpec{Session: key, Where: where, WithLinks: true}, func(e model.Event) bool {
			more = yield(e)
			return more
		})
		if err != nil || !more {
			return err
		}
	}
	return nil
}

func (x *Index) keys(ctx context.Context, session string) ([]int64, error) {
	if session != "" {
		key, err := x.key(ctx, session)
		return []int64{key}, err
	}
	all, err := x.Sessions(ctx)
	var keys []int64
	for _, s := range all {
		keys = append(keys, s.Key)
	}
	return keys, err
}

// each pages through a session's matching events.
func (x *Index) each(ctx context.Context, spec store.PageSpec, yield func(model.Event) bool) error {
	if query.NeedsText(spec.Where) {
		return x.eachText(ctx, spec, yield)
	}
	spec.Limit = 1000
	for {
		events, _, err := x.st.Reader().Page(ctx, spec)
		if err != nil {
			return err
		}
		for _, e := range events {
			if !yield(e) {
				return nil
			}
		}
		if len(events) < spec.Limit {
			return nil
		}
		spec.From = events[len(events)-1].Pos + 1
	}
}

// Bind resolves since:10m against the last event's time.
func (x *Index) Bind(ctx context.Context, session string, where query.Expr) (query.Expr, error) {
	if !query.Relative(where) {
		return where, nil
	}
	all, err := x.Sessions(ctx)
	if err != nil {
		return nil, err
	}
	var last model.Time
	for _, s := range all {
		if (session == "" || s.ID == session) && s.Ended.Known && (!last.Known || s.Ended.Nanos > last.Nanos) {
			last = s.Ended
		}
	}
	return query.Bind(where, last), nil
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
		err = &AddressError{Text: fmt.Sprintf("#%d", pos), Reason: "the session has no such position"}
	}
	return e, err
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

// Sources lists the names of the dump's files, in reading order.
func (x *Index) Sources(ctx context.Context) ([]string, error) {
	rows, err := x.st.Reader().Sources(ctx)
	var names []string
	for _, s := range rows {
		names = append(names, s.Name)
	}
	return names, err
}

// CopySource writes a source's unpacked bytes.
func (x *Index) CopySource(ctx context.Context, name string, w io.Writer) error {
	rows, err := x.st.Reader().Sources(ctx)
	if err != nil {
		return err
	}
	src, err := pickSource(rows, name)
	if err != nil {
		return err
	}
	for off := int64(0); off < src.Size; off += copyStep {
		n := min(copyStep, src.Size-off)
		b, err := x.bytes.Read(ctx, x.st.Reader(), src, off, n)
		if err != nil {
			return err
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return nil
}

// copyStep is how much of a source is held at once while it is copied.
const copyStep = 1 << 20

// ErrManySources is wrapped where one source must be named.
var ErrManySources = errors.New("the dump has several files")

func pickSource(rows []store.Source, name string) (store.Source, error) {
	if name == "" && len(rows) == 1 {
		return rows[0], nil
	}
	for _, s := range rows {
		if s.Name == name {
			return s, nil
		}
	}
	e := &SourceError{Name: name}
	for _, s := range rows[:min(len(rows), 8)] {
		e.Known = append(e.Known, s.Name)
	}
	e.More = len(rows) - len(e.Known)
	return store.Source{}, e
}

// SourceError is a source that must be named, or whose name is not in the dump.
type SourceError struct {
	Name  string
	Known []string
	More  int
}

// Error names sources that exist.
func (e *SourceError) Error() string {
	msg := "the dump has several files; name one of"
	if e.Name != "" {
		msg = "no file " + e.Name + " in the dump; it has"
	}
	for _, k := range e.Known {
		msg += " " + k
	}
	if e.More > 0 {
		msg += fmt.Sprintf(" and %d more", e.More)
	}
	return msg
}

// Unwrap makes errors.Is(err, ErrManySources) true.
func (e *SourceError) Unwrap() error { return ErrManySources }
