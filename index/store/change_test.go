package store

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"hindcast/model"
)

func link(reason model.Reason, pos int64) model.Link {
	return model.Link{Reason: reason, To: model.Ref{Session: "s1", Seq: pos + 10, Pos: pos, ID: fmt.Sprintf("evt_%04d", pos)}}
}

// linked is event(pos) with its cause and more links.
func linked(pos int64, cause model.Link, more ...model.Link) *model.Event {
	e := event(pos)
	e.Links = append([]model.Link{cause}, more...)
	e.Cause = &e.Links[0]
	return e
}

func rowsOf(session int64, events ...*model.Event) []EventRow {
	var out []EventRow
	for _, e := range events {
		out = append(out, EventRow{Session: session, Event: e})
	}
	return out
}

// TestLinks follows links in both directions, over sessions and over pages.
func TestLinks(t *testing.T) {
	s, w := open(t)
	ctx, r := context.Background(), s.Reader()
	child := event(1)
	child.Session = "child"
	child.Links = []model.Link{{Reason: model.ReasonSpawn, To: model.Ref{Session: "s1", Seq: 12, Pos: 2, ID: "evt_0002"}}}
	child.Cause = &child.Links[0]
	events := rowsOf(1, event(1), linked(2, link(model.ReasonSource, 1), link(model.ReasonParent, 1)),
		linked(3, link(model.ReasonAction, 2)), linked(4, link(model.ReasonAction, 2), link(model.ReasonBatch, 2), link(model.ReasonForgets, 3)))
	events = append(events, EventRow{Session: 2, Event: child, LinkTo: []int64{1}})
	appendBatch(t, w, &Batch{Sessions: []SessionRow{sessionRow(1, "s1"), sessionRow(2, "child")}, Events: events})

	for _, indexed := range []bool{false, true} {
		if indexed {
			if err := w.BuildIndexes(ctx); err != nil {
				t.Fatal(err)
			}
		}
		if has, err := r.HasIndexes(ctx); err != nil || has != indexed || w.HasIndexes() != indexed {
			t.Fatalf("HasIndexes = %v, %v; want %v", has, err, indexed)
		}
		var got []string
		cursor := Cursor{}
		for {
			in, err := r.LinkedFrom(ctx, 1, 2, nil, cursor, 1)
			if err != nil {
				t.Fatal(err)
			}
			if len(in) == 0 {
				break
			}
			l := in[0]
			got = append(got, fmt.Sprintf("%s %s#%d %v", l.Link.Reason, l.From.Session, l.From.Pos, l.Preferred))
			cursor = l.Cursor
		}
		want := []string{"action s1#3 true", "action s1#4 true", "batch s1#4 false", "spawn child#1 true"}
		if !slices.Equal(got, want) {
			t.Errorf("indexed %v: got %q, want %q", indexed, got, want)
		}
		in, err := r.LinkedFrom(ctx, 1, 2, []model.Reason{model.ReasonBatch, model.ReasonSpawn}, Cursor{}, 10)
		if err != nil || len(in) != 2 || in[1].Session != 2 || in[1].Pos != 1 {
			t.Errorf("by reason: %+v, %v", in, err)
		}
	}
	if e := eventAt(t, s, 2, 1); !reflect.DeepEqual(e, *child) {
		t.Errorf("got  %+v\nwant %+v", e, *child)
	}
	of, err := r.LinksOf(ctx, 1, []int64{1, 4, 99})
	if err != nil || len(of) != 2 || !slices.Equal(of[4], events[3].Event.Links) || len(of[1]) != 0 {
		t.Errorf("LinksOf: %+v, %v", of, err)
	}
	if n, err := r.LinkCount(ctx, 0); err != nil || n != 7 {
		t.Errorf("LinkCount = %d, %v; want 7", n, err)
	}
}

// TestChangeStored adds and mends links, moves causes, joins mates.
func TestChangeStored(t *testing.T) {
	s, w := open(t)
	ctx := context.Background()
	lost := model.Link{Reason: model.ReasonSource, ToID: "evt_0001", Broken: model.LinkMissing}
	e := event(3)
	e.Links = []model.Link{lost}
	inferred := link(model.ReasonAction, 2)
	inferred.Inferred = true
	f := linked(4, inferred, lost)
	f.Root, f.Depth = 2, 1
	appendBatch(t, w, &Batch{Sessions: []SessionRow{sessionRow(1, "s1"), sessionRow(2, "other")},
		Events: append(rowsOf(1, event(1), event(2), e, f), EventRow{Session: 2, Event: event(1)})})

	broken, err := s.Reader().Broken(ctx, 1, 10)
	if err != nil || len(broken) != 2 || broken[0].Pos != 3 || broken[0].Link != lost {
		t.Fatalf("Broken = %+v, %v", broken, err)
	}
	if n, err := s.Reader().LinkCount(ctx, 0); err != nil || n != 1 {
		t.Errorf("LinkCount = %d, %v; want 1", n, err)
	}
	mended := link(model.ReasonSource, 1)
	mended.ToID = "evt_0001"
	extra := Link{Session: 1, Pos: 2, Link: link(model.ReasonBatch, 1)}
	appendBatch(t, w, &Batch{
		Links:  []Link{extra, extra, {Session: 1, Pos: 77, Link: link(model.ReasonBatch, 1)}},
		Mended: []Mended{{Session: 1, Pos: 3, Link: mended}, {Session: 1, Pos: 4, Link: mended, ToSession: 2, AsCause: true}},
		Mates:  []Mate{{Session: 1, Pos: 2, Mate: 4}},
	})
	whole := link(model.ReasonSource, 1)
	if got := eventAt(t, s, 1, 3); !slices.Equal(got.Links, []model.Link{whole}) || got.Cause != nil {
		t.Errorf("mended: %+v", got)
	}
	abroad := whole
	abroad.To.Session = "other"
	if got := eventAt(t, s, 1, 4); !slices.Equal(got.Links, []model.Link{abroad, inferred}) || got.Cause == nil || *got.Cause != abroad || got.Root != 4 || got.Depth != 0 {
		t.Errorf("mended as cause: %+v", got)
	}
	if got := eventAt(t, s, 1, 2); len(got.Links) != 1 || got.Mate != 4 {
		t.Errorf("after adding a link twice: %+v", got)
	}
	appendBatch(t, w, &Batch{
		Mates:  []Mate{{Session: 1, Pos: 2}},
		Causes: []Cause{{Session: 1, Pos: 3, Link: whole, Root: 1, Depth: 1}, {Session: 1, Pos: 4}},
	})
	if got := eventAt(t, s, 1, 3); !slices.Equal(got.Links, []model.Link{whole}) || got.Cause == nil || got.Root != 1 || got.Depth != 1 {
		t.Errorf("cause set: %+v", got)
	}
	if got := eventAt(t, s, 1, 4); got.Cause != nil {
		t.Errorf("cause taken away: %+v", got)
	}
	if got := eventAt(t, s, 1, 2); got.Mate != 0 {
		t.Errorf("mate taken away: %+v", got)
	}
}

// contents is everything that readers can tell about the events, as text.
func contents(t *testing.T, s *Store) string {
	t.Helper()
	ctx, r := context.Background(), s.Reader()
	var b strings.Builder
	events, _, err := r.Page(ctx, PageSpec{WithLinks: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if e.Cause != nil {
			fmt.Fprintf(&b, "%+v ", *e.Cause)
			e.Cause = nil
		}
		fmt.Fprintf(&b, "%+v\n", e)
		for _, id := range []string{"early", "late", fmt.Sprintf("part%d", e.Pos)} {
			f, ok, err := r.ByAlias(ctx, 1, id)
			fmt.Fprintln(&b, id, f.Pos, ok, err)
		}
	}
	return b.String()
}

// TestReplace deletes events from every pos on and appends them again: the
// index is as if nothing had happened.
func TestReplace(t *testing.T) {
	const n = 12
	make := func() []*model.Event {
		var list []*model.Event
		for pos := int64(1); pos <= n; pos++ {
			e := event(pos)
			if pos > 1 {
				e = linked(pos, link(model.ReasonSource, pos-1), link(model.ReasonParent, 1))
			}
			e.Aliases = []string{fmt.Sprintf("part%d", pos), "early"}
			if pos > 6 {
				e.Aliases = append(e.Aliases, "late")
			}
			if pos == 3 {
				e.Mate = 9
			}
			if pos == 9 {
				e.Mate, e.Kind = 3, model.KindObservation
			}
			list = append(list, e)
		}
		return list
	}
	s, w := open(t)
	ctx := context.Background()
	appendBatch(t, w, &Batch{Sessions: []SessionRow{sessionRow(1, "s1"), sessionRow(2, "s2")}, Events: append(rowsOf(2, event(1)), rowsOf(1, make()...)...)})
	if err := w.BuildIndexes(ctx); err != nil {
		t.Fatal(err)
	}
	want := contents(t, s)
	for from := int64(1); from <= n+1; from++ {
		if err := w.Replace(ctx, 1, from); err != nil {
			t.Fatal(err)
		}
		total, _, _, err := s.Reader().Count(ctx, PageSpec{Session: 1}, 0)
		if err != nil || total != from-1 {
			t.Fatalf("from %d: %d events left, %v", from, total, err)
		}
		if from > 3 && from <= 9 && eventAt(t, s, 1, 3).Mate != 0 {
			t.Errorf("from %d: the call still names a result that is gone", from)
		}
		b := &Batch{Events: rowsOf(1, make()[from-1:]...)}
		if from > 3 {
			b.Mates = []Mate{{1, 3, 9}}
		}
		appendBatch(t, w, b)
		if got := contents(t, s); got != want {
			t.Fatalf("from %d: got\n%s\nwant\n%s", from, got, want)
		}
	}
	// The same as part of the batch that brings the events.
	appendBatch(t, w, &Batch{Cuts: []Cut{{1, 5}}, Events: rowsOf(1, make()[4:]...), Mates: []Mate{{1, 3, 9}}})
	if got := contents(t, s); got != want {
		t.Errorf("in one batch: got\n%s\nwant\n%s", got, want)
	}
}

// TestDrop takes sessions away, named ones and those that lost their row.
func TestDrop(t *testing.T) {
	s, w := open(t)
	ctx := context.Background()
	e := event(1)
	e.Aliases = []string{"x"}
	var rows []EventRow
	for session := int64(1); session <= 5; session++ {
		rows = append(rows, rowsOf(session, e, linked(2, link(model.ReasonSource, 1), link(model.ReasonParent, 1)))...)
	}
	appendBatch(t, w, &Batch{Sessions: []SessionRow{sessionRow(2, "b"), sessionRow(4, "d"), sessionRow(5, "e")}, Events: rows})
	if err := w.DropOrphans(ctx); err != nil {
		t.Fatal(err)
	}
	appendBatch(t, w, &Batch{Drop: []int64{5}, Sessions: []SessionRow{sessionRow(6, "e")}})
	for session := int64(1); session <= 5; session++ {
		_, there, err := s.Reader().ByAlias(ctx, session, "x")
		if want := session == 2 || session == 4; err != nil || there != want {
			t.Errorf("session %d: there %v, %v; want %v", session, there, err, want)
		}
	}
	var links, events int
	if _, err := s.Reader().one(ctx, "rows", "SELECT (SELECT count(*) FROM links), (SELECT count(*) FROM events)", nil, &links, &events); err != nil || links != 2 || events != 4 {
		t.Errorf("%d links, %d events, %v; want 2, 4", links, events, err)
	}
	list, err := s.Reader().Sessions(ctx)
	if err != nil || len(list) != 3 {
		t.Errorf("sessions %+v, %v", list, err)
	}
	if err := w.Clear(ctx); err != nil {
		t.Fatal(err)
	}
	if n := whole(t, s); n != 0 {
		t.Errorf("%d events after Clear", n)
	}
	appendBatch(t, w, batchOf(1, 3))
	if e := eventAt(t, s, 1, 2); e.Type != "AgentAction" {
		t.Errorf("after Clear: %+v", e)
	}
}
