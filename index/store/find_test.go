package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"hindcast/model"
	"hindcast/model/query"
)

const uuidA, uuidB = "9f1c2a3b-0000-4444-8888-aabbccddeeff", "9f1c2a3b-1111-4444-8888-aabbccddeeff"

// hostileIDs are ids that SQLite, C or a URI might cut, fold or run.
func hostileIDs() []string {
	return []string{"evt_1", "evt_12", "EVT_1", "a\x00b", "a\x00c", "a", "\x00", "\xff\xfe", "a\xff", "'; DROP TABLE events;--", `"`, "%", "_", "*", "?",
		"123", "0123", "1e3", "é", "e\u0301", strings.Repeat("x", 1<<20), uuidA, uuidB, strings.ToUpper(uuidA), "9f1c2a3b", "9f1c2a3b-0000-4444-8888-aabbccddeef",
		"\x01" + strings.Repeat("y", 16), " ", "true", "NULL"}
}

// TestHostileIDs: every id, call and alias comes back as written and finds its
// own event only, by the index or by scan.
func TestHostileIDs(t *testing.T) {
	s, w := open(t)
	ctx, r := context.Background(), s.Reader()
	ids := hostileIDs()
	b := &Batch{Sessions: []SessionRow{sessionRow(1, "s1")}}
	for i, id := range ids {
		e := event(int64(i + 1))
		e.ID, e.Call, e.Title, e.Type, e.Tool, e.Aliases = id, id, id, id, id, []string{"alias:" + id}
		b.Events = append(b.Events, EventRow{Session: 1, Event: e})
	}
	appendBatch(t, w, b)
	check := func() {
		t.Helper()
		resolved, err := w.ResolveIDs(ctx, 1, append(slices.Clone(ids), "nowhere", "alias:evt_1", ""))
		if err != nil || len(resolved) != len(ids)+1 || resolved["alias:evt_1"].Pos != 1 {
			t.Errorf("ResolveIDs found %d of %d: %v", len(resolved), len(ids)+1, err)
		}
		for i, id := range ids {
			pos := int64(i + 1)
			for _, name := range []string{id, "alias:" + id} {
				f, ok, err := r.Find(ctx, 1, name)
				g, ok2, err2 := w.Lookup(ctx, 1, name)
				if err != nil || err2 != nil || !ok || !ok2 || f.Pos != pos || g.Pos != pos || f.ID != name {
					t.Fatalf("%.40q: Find %d %v %v, Lookup %d %v %v; want %d", name, f.Pos, ok, err, g.Pos, ok2, err2, pos)
				}
			}
			if e := eventAt(t, s, 1, pos); e.ID != id || e.Call != id || e.Title != id || e.Type != id || e.Tool != id {
				t.Errorf("%.40q comes back as %.40q, %.40q, %.40q, %.40q, %.40q", id, e.ID, e.Call, e.Title, e.Type, e.Tool)
			}
			if resolved[id].Pos != pos {
				t.Errorf("ResolveIDs: %.40q at %d, want %d", id, resolved[id].Pos, pos)
			}
		}
	}
	check()
	if err := w.BuildIndexes(ctx); err != nil {
		t.Fatal(err)
	}
	check()
	// Prefixes against plain comparison.
	for _, prefix := range []string{"evt_", "a", "a\x00", "9f1c2a3b", uuidA[:20], uuidA, "\xff", "\x00", "\x01y", "%", "alias:9", "alias:a", "", "nowhere", strings.Repeat("x", 900)} {
		want := map[int64]bool{}
		for i, id := range ids {
			if strings.HasPrefix(id, prefix) || strings.HasPrefix("alias:"+id, prefix) {
				want[int64(i+1)] = true
			}
		}
		got, err := r.ByPrefix(ctx, 1, prefix, 1000)
		if err != nil || len(got) != len(want) {
			t.Errorf("prefix %.40q: %d events, want %d: %v", prefix, len(got), len(want), err)
		}
		for _, f := range got {
			if !want[f.Pos] || !strings.HasPrefix(f.ID, prefix) {
				t.Errorf("prefix %.40q: %.40q", prefix, f.ID)
			}
		}
	}
	any, err := r.ByIDAnySession(ctx, "evt_1", 5)
	if err != nil || len(any) != 1 || any[0].Session != 1 || any[0].Pos != 1 {
		t.Errorf("ByIDAnySession: %+v, %v", any, err)
	}
}

// TestFirstWins: an id belongs to its first event, and goes before an alias.
func TestFirstWins(t *testing.T) {
	s, w := open(t)
	ctx := context.Background()
	a, b, c := event(1), event(2), event(3)
	a.ID, a.Aliases = "one", []string{"shared", "two"}
	b.ID, b.Aliases = "two", []string{"shared"}
	c.ID, c.Aliases = "two", []string{"shared"}
	appendBatch(t, w, &Batch{Events: rowsOf(1, c)}) // out of order on purpose
	appendBatch(t, w, &Batch{Sessions: []SessionRow{sessionRow(1, "s1")}, Events: rowsOf(1, a, b)})
	for id, want := range map[string]int64{"one": 1, "two": 2, "shared": 1} {
		f, ok, err := s.Reader().Find(ctx, 1, id)
		if err != nil || !ok || f.Pos != want {
			t.Errorf("%s: %d, %v, %v; want %d", id, f.Pos, ok, err, want)
		}
	}
	if _, ok, err := s.Reader().Find(ctx, 2, "one"); ok || err != nil {
		t.Errorf("found in another session: %v, %v", ok, err)
	}
}

// TestSeq finds shared and missing seqs, by search and by scan alike.
func TestSeq(t *testing.T) {
	s, w := open(t)
	ctx, r := context.Background(), s.Reader()
	for session, seqs := range [][]int64{{5, 7, 7, 7, 9, 20, 20, 31}, {9, 7, 5, 7, 20, 31, 7, 20}} {
		key := int64(session + 1)
		row := sessionRow(key, fmt.Sprint("s", key))
		row.SeqSorted = session == 0
		b := &Batch{Sessions: []SessionRow{row}}
		for i, seq := range seqs {
			e := event(int64(i + 1))
			e.Seq = seq
			b.Events = append(b.Events, EventRow{Session: key, Event: e})
		}
		appendBatch(t, w, b)
		for seq := int64(3); seq < 34; seq++ {
			first := int64(slices.Index(seqs, seq) + 1)
			last := int64(0)
			for i, n := range seqs {
				if n == seq {
					last = int64(i + 1)
				}
			}
			a, z, ok, err := r.SeqRange(ctx, key, seq)
			if err != nil || ok != (first > 0) || ok && (a != first || z != last) {
				t.Errorf("session %d seq %d: %d..%d %v %v; want %d..%d", key, seq, a, z, ok, err, first, last)
			}
		}
		for seq, want := range map[int64][]int64{4: {5}, 8: {7, 9}, 32: {31}} {
			if near, err := r.NearestSeq(ctx, key, seq); err != nil || !slices.Equal(near, want) {
				t.Errorf("session %d: near %d: %v, %v; want %v", key, seq, near, err, want)
			}
		}
	}
	if _, _, ok, err := r.SeqRange(ctx, 9, 5); ok || err != nil {
		t.Errorf("session that is not there: %v, %v", ok, err)
	}
}

func TestAtTime(t *testing.T) {
	s, w := open(t)
	ctx, r := context.Background(), s.Reader()
	b := &Batch{Sessions: []SessionRow{sessionRow(1, "s1")}}
	for i, nanos := range []int64{10, 30, 20, 0, 40} { // the fourth has no time
		e := event(int64(i + 1))
		e.Time = model.Time{Nanos: nanos, Known: nanos > 0, Digits: 3}
		b.Events = append(b.Events, EventRow{Session: 1, Event: e})
	}
	appendBatch(t, w, b)
	for nanos, want := range map[int64]int64{9: 0, 10: 1, 19: 1, 20: 3, 35: 3, 40: 5, 99: 5} {
		if pos, ok, err := r.AtTime(ctx, 1, nanos); err != nil || pos != want || ok != (want > 0) {
			t.Errorf("at %d: %d, %v, %v; want %d", nanos, pos, ok, err, want)
		}
	}
	first, last, err := r.TimeSpan(ctx, 0)
	if err != nil || first != (model.Time{Nanos: 10, Known: true, Digits: 3}) || last.Nanos != 40 {
		t.Errorf("TimeSpan = %+v, %+v, %v", first, last, err)
	}
}

// TestPageBounds walks pages from both ends and over sessions.
func TestPageBounds(t *testing.T) {
	s, w := open(t)
	ctx, r := context.Background(), s.Reader()
	b := &Batch{}
	for session := int64(1); session <= 3; session++ {
		b.Sessions = append(b.Sessions, sessionRow(session, fmt.Sprint("s", session)))
		for pos := int64(1); pos <= 5; pos++ {
			b.Events = append(b.Events, EventRow{Session: session, Event: event(pos)})
		}
	}
	appendBatch(t, w, b)
	for _, c := range []struct {
		spec PageSpec
		want string
	}{
		{PageSpec{Session: 2}, "s2:1 s2:2 s2:3 s2:4 s2:5"},
		{PageSpec{Session: 2, From: 4}, "s2:4 s2:5"},
		{PageSpec{Session: 2, From: 6}, ""},
		{PageSpec{Session: 2, Limit: 2}, "s2:1 s2:2"},
		{PageSpec{Session: 2, Desc: true, Limit: 2}, "s2:4 s2:5"},
		{PageSpec{Session: 2, Desc: true, From: 3, Limit: 2}, "s2:2 s2:3"},
		{PageSpec{Session: 2, Desc: true, From: 1 << 40, Limit: 1}, "s2:5"},
		{PageSpec{Session: 2, From: -5, Limit: 1}, "s2:1"},
		{PageSpec{Session: 4}, ""},
		{PageSpec{Limit: 6}, "s1:1 s1:2 s1:3 s1:4 s1:5 s2:1"},
		{PageSpec{After: 2, From: 5, Limit: 2}, "s2:5 s3:1"},
		{PageSpec{Desc: true, Limit: 2}, "s3:4 s3:5"},
		{PageSpec{Desc: true, After: 2, From: 1, Limit: 2}, "s1:5 s2:1"},
		{PageSpec{Session: 2, Where: query.Term{Field: query.FieldPos, Op: query.OpBetween, Lo: 2, Hi: 3}}, "s2:2 s2:3"},
		{PageSpec{Session: 2, Where: query.Term{Field: query.FieldPos, Op: query.OpBetween, Lo: 1 << 40, Hi: 1 << 41}}, ""},
		{PageSpec{Where: query.Term{Field: query.FieldSession, Op: query.OpMatch, Text: "*3"}, Limit: 2}, "s3:1 s3:2"},
	} {
		events, _, err := r.Page(ctx, c.spec)
		var got []string
		for _, e := range events {
			got = append(got, fmt.Sprintf("%s:%d", e.Session, e.Pos))
		}
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%+v: %q, %v; want %q", c.spec, got, err, c.want)
		}
	}
}

// TestNth uses what addresses use, which partial indexes serve.
func TestNth(t *testing.T) {
	s, w := open(t)
	ctx, r := context.Background(), s.Reader()
	b := &Batch{Sessions: []SessionRow{sessionRow(1, "s1")}}
	for pos := int64(1); pos <= 30; pos++ {
		e := event(pos)
		if pos%10 == 4 {
			e.Outcome = model.OutcomeFailed
		}
		b.Events = append(b.Events, EventRow{Session: 1, Event: e})
	}
	appendBatch(t, w, b)
	if err := w.BuildIndexes(ctx); err != nil {
		t.Fatal(err)
	}
	failed := query.Term{Field: query.FieldFailed, Op: query.OpIs, Text: "true"}
	for n, want := range map[int64]int64{1: 4, 2: 14, 3: 24, -1: 24, -3: 4, 4: 0, -4: 0, 0: 0} {
		if e, ok, exact, err := r.Nth(ctx, 1, failed, n); err != nil || !exact || ok != (want > 0) || e.Pos != want {
			t.Errorf("Nth(%d) = %d, %v, %v; want %d", n, e.Pos, ok, err, want)
		}
	}
	c, err := compileWhere(failed)
	if err != nil {
		t.Fatal(err)
	}
	var id, parent, x int
	var plan string
	a, z := keys(1)
	if _, err := r.one(ctx, "plan", "EXPLAIN QUERY PLAN SELECT key FROM events WHERE key BETWEEN ? AND ?"+c.and()+" ORDER BY key LIMIT 1", []any{a, z}, &id, &parent, &x, &plan); err != nil || !strings.Contains(plan, "events_failed") {
		t.Errorf("plan %q, %v; want the partial index", plan, err)
	}
}
