package store

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"hindcast/model"
	"hindcast/model/query"
)

// oddTexts are what filters and fields are made of in the property test:
// small, so that terms hit, and full of what SQL might take for syntax.
var oddTexts = []string{"", "a", "A", "b", "ab", "aB", "a*b", "a?b", "%", "_", "a%b", "[a]", "'; DROP TABLE events;--", `"`, `\`, "a\x00b", "\x00",
	"\xff", "a\xffb", "é", "É", "K", "k", "ſ", "s", "İ", "日本", "null", "9f1c2a3b-0000-4444-8888-aabbccddeeff", "9f1c", "9F1C2A3B-0000-4444-8888-AABBCCDDEEFF"}

func oddText(rng *rand.Rand) string { return oddTexts[rng.IntN(len(oddTexts))] }

func oddEvent(rng *rand.Rand, pos int64) *model.Event {
	e := &model.Event{
		Pos: pos, Seq: pos + int64(rng.IntN(5)) - 2, HasSeq: rng.IntN(2) == 0, ID: oddText(rng), Type: oddText(rng), Tool: oddText(rng),
		Source: oddText(rng), Call: oddText(rng), Title: oddText(rng), Kind: model.Kind(rng.IntN(10)), Origin: model.Origin(rng.IntN(4)),
		Outcome: model.Outcome(rng.IntN(3)), Noise: rng.IntN(4) == 0, Span: model.Span{Source: 1, Offset: pos, Length: int64(rng.IntN(6))}, Root: pos,
	}
	if rng.IntN(3) > 0 {
		e.Time = model.Time{Nanos: int64(rng.IntN(7)) - 3, Known: true}
	}
	if rng.IntN(2) == 0 {
		e.Aliases = []string{fmt.Sprintf("alias%d", pos), oddText(rng) + "x"}
	}
	if rng.IntN(3) == 0 && pos > 1 {
		e.Mate = pos - 1
	}
	return e
}

func oddExpr(rng *rand.Rand, depth int) query.Expr {
	if depth > 0 && rng.IntN(3) > 0 {
		list := make([]query.Expr, rng.IntN(4))
		for i := range list {
			list[i] = oddExpr(rng, depth-1)
		}
		switch rng.IntN(3) {
		case 0:
			return query.And{List: list}
		case 1:
			return query.Or{List: list}
		}
		return query.Not{X: oddExpr(rng, depth-1)}
	}
	t := query.Term{Field: query.Field(rng.IntN(int(query.FieldTime) + 1)), Op: query.Op(rng.IntN(3)), Fold: rng.IntN(2) == 0}
	switch rng.IntN(4) {
	case 0:
		t.Text = oddText(rng) + "*"
	case 1:
		t.Text = "*" + oddText(rng) + "?"
	default:
		t.Text = oddText(rng)
	}
	switch t.Field {
	case query.FieldKind:
		t.Text = model.Kind(rng.IntN(10)).String()
	case query.FieldOrigin:
		t.Text = model.Origin(rng.IntN(4)).String()
	case query.FieldFailed:
		t.Text = []string{"true", "false", "null", "*e"}[rng.IntN(4)]
	case query.FieldSeq, query.FieldPos, query.FieldBytes, query.FieldTime:
		t.Op, t.Lo, t.Hi = query.OpBetween, int64(rng.IntN(40))-3, int64(rng.IntN(40))-3
		if rng.IntN(3) == 0 {
			t.Lo = math.MinInt64
		} else if rng.IntN(3) == 0 {
			t.Hi = math.MaxInt64
		}
	}
	if t.Fold {
		t.Text = strings.ToLower(t.Text)
	}
	return t
}

// positions pages through all matches the way a caller does: it evaluates the
// filter where the index does not decide.
func positions(t *testing.T, r *Reader, p PageSpec, subject func(*model.Event, bool) query.Subject) (out []int64) {
	t.Helper()
	for {
		events, exact, err := r.Page(context.Background(), p)
		if err != nil {
			t.Fatalf("%s: %v", query.Print(p.Where), err)
		}
		for i := range events {
			e := &events[i]
			if exact || query.Eval(p.Where, subject(e, p.Folded)) {
				out = append(out, e.Pos)
			}
		}
		if len(events) < p.Limit {
			return out
		}
		p.From = events[len(events)-1].Pos + 1
	}
}

// TestFilters compares SQL with the evaluator over random events and random
// filters, paging in small steps.
func TestFilters(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	s, w := open(t)
	ctx, r := context.Background(), s.Reader()
	all := map[int64]*model.Event{}
	var rows []EventRow
	first := map[string]int64{}
	for pos := int64(1); pos <= 300; pos++ {
		e := oddEvent(rng, pos)
		e.Session = "s1"
		rows = append(rows, EventRow{Session: 1, Event: e})
		shown := *e
		shown.Aliases = nil
		for _, a := range e.Aliases {
			if _, taken := first[a]; !taken { // the first event that carries one has it
				first[a] = pos
				shown.Aliases = append(shown.Aliases, a)
			}
		}
		all[pos] = &shown
	}
	appendBatch(t, w, &Batch{Sessions: []SessionRow{sessionRow(1, "s1")}, Events: rows})
	if err := w.BuildIndexes(ctx); err != nil {
		t.Fatal(err)
	}
	text := func(e *model.Event) string { return fmt.Sprint("text a", e.Pos%7) }
	subject := func(e *model.Event, folded bool) query.Subject {
		s := query.Subject{Event: e, Text: func() string { return text(e) }}
		if result := all[e.Mate]; folded && e.Kind == model.KindAction && e.Mate > 0 && result != nil {
			s.Also = &query.Subject{Event: result, Text: func() string { return text(result) }}
		}
		return s
	}
	hits, inexact := 0, 0
	for range 500 {
		where := oddExpr(rng, 3)
		p := PageSpec{Session: 1, Limit: 64, Where: where, Folded: rng.IntN(4) == 0}
		var want []int64
		for pos := int64(1); pos <= 300; pos++ {
			e := all[pos]
			hidden := e.Noise || e.Origin == model.OriginCopied || e.Kind != model.KindAction && e.Mate > 0
			if (!p.Folded || !hidden) && query.Eval(where, subject(e, p.Folded)) {
				want = append(want, pos)
			}
		}
		got := positions(t, r, p, subject)
		if !slices.Equal(got, want) {
			t.Fatalf("%s\n%#v\ngot  %v\nwant %v", query.Print(where), where, got, want)
		}
		hits += len(got)
		if !Exact(where) {
			inexact++
			continue
		}
		checkCounts(t, r, p, want)
	}
	if hits == 0 || inexact == 0 {
		t.Errorf("the test tested nothing: %d hits, %d inexact filters", hits, inexact)
	}
}

// checkCounts compares the other questions with the list of matches.
func checkCounts(t *testing.T, r *Reader, p PageSpec, want []int64) {
	t.Helper()
	ctx := context.Background()
	total, before, exact, err := r.Count(ctx, p, 150)
	n := 0
	for _, pos := range want {
		if pos < 150 {
			n++
		}
	}
	if err != nil || !exact || total != int64(len(want)) || before != int64(n) {
		t.Fatalf("%s: Count = %d, %d, %v, %v; want %d, %d", query.Print(p.Where), total, before, exact, err, len(want), n)
	}
	if p.Folded || len(want) == 0 {
		return
	}
	last, ok, _, err := r.Nth(ctx, 1, p.Where, -1)
	if err != nil || !ok || last.Pos != want[len(want)-1] {
		t.Fatalf("%s: Nth(-1) = %d, %v, %v; want %d", query.Print(p.Where), last.Pos, ok, err, want[len(want)-1])
	}
	e, ok, _, err := r.Next(ctx, 1, last.Pos, true, p.Where)
	if err != nil || ok != (len(want) > 1) || ok && e.Pos != want[len(want)-2] {
		t.Fatalf("%s: Next back = %d, %v, %v", query.Print(p.Where), e.Pos, ok, err)
	}
}

// TestFilterLimits: filters of any size are answered or refused, never run
// into a limit of SQLite.
func TestFilterLimits(t *testing.T) {
	s, w := open(t)
	appendBatch(t, w, &Batch{Sessions: []SessionRow{sessionRow(1, "s1")}, Events: []EventRow{{Session: 1, Event: event(1)}}})
	term := query.Term{Field: query.FieldTitle, Op: query.OpContains, Text: "step"}
	wide := func(n int) query.Expr {
		list := make([]query.Expr, n)
		for i := range list {
			list[i] = term
		}
		return query.And{List: list}
	}
	deep := func(n int) query.Expr {
		var x query.Expr = term
		for range n {
			x = query.Not{X: query.And{List: []query.Expr{x, term}}}
		}
		return x
	}
	long := query.Term{Field: query.FieldTitle, Op: query.OpMatch, Text: strings.Repeat("*?", 100_000)}
	for _, c := range []struct {
		name  string
		where query.Expr
		err   error
		n     int
	}{
		{"wide", wide(maxTerms), nil, 1}, {"too wide", wide(maxTerms + 1), errTooMany, 0},
		{"deep", deep(99), nil, 1}, {"too deep", deep(100_000), errTooDeep, 0},
		{"long pattern", long, nil, 0}, {"unbound", query.Term{Field: query.FieldTime, Op: query.OpSince}, errUnbound, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			events, _, err := s.Reader().Page(context.Background(), PageSpec{Session: 1, Where: c.where})
			if !errors.Is(err, c.err) {
				t.Fatalf("error %v, want %v", err, c.err)
			}
			if c.err == nil && len(events) != c.n && c.name != "deep" {
				t.Errorf("%d events, want %d", len(events), c.n)
			}
		})
	}
}
