package index

import (
	"context"
	"slices"
	"strings"

	"hindcast/index/store"
	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/query"
)

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
