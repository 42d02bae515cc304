package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"hindcast/model"
)

func appendWrites(t testing.TB, w *Writer, batches ...FoldBatch) {
	t.Helper()
	if err := w.AppendWrites(context.Background(), batches); err != nil {
		t.Fatal(err)
	}
}

// feed appends the events behind pos in batches of random sizes up to most.
func feed(t testing.TB, w *Writer, session int64, world *world, pos int64, most int) {
	t.Helper()
	var rest []EventWrites
	for _, e := range world.events {
		if e.Pos > pos {
			rest = append(rest, e)
		}
	}
	for len(rest) > 0 {
		n := min(len(rest), 1+rand.IntN(most))
		appendWrites(t, w, FoldBatch{Session: session, Events: rest[:n], Folded: rest[n-1].Pos})
		rest = rest[n:]
		if rand.IntN(4) == 0 {
			w.fold.forget()
		}
	}
}

// compareTexts holds the texts of all writes, made one from another, against
// what was written: with room to hold them, and with none.
func compareTexts(t *testing.T, r *Reader, session int64, w *world) {
	t.Helper()
	ctx := context.Background()
	var want []model.Write
	for _, e := range w.events {
		want = append(want, e.Writes...)
	}
	for _, most := range []int{heldTexts, 0} {
		texts := r.FileTexts(session, w.last())
		texts.most = most
		n := 0
		err := r.Writes(ctx, session, 0, w.last(), func(wr model.Write) bool {
			if err := texts.Fill(ctx, &wr); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(wr, want[n]) {
				t.Fatalf("with room for %d bytes: write %d is %s, want %s", most, n, show(wr), show(want[n]))
			}
			n++
			return true
		})
		if err != nil || n != len(want) {
			t.Fatalf("%d of %d writes, %v", n, len(want), err)
		}
	}
}

// compareWorld asks everything about every position.
func compareWorld(t *testing.T, r *Reader, session int64, w *world) {
	t.Helper()
	ctx := context.Background()
	same := func(got, want any, err error, format string, args ...any) {
		t.Helper()
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s:\ngot  %s, %v\nwant %s", fmt.Sprintf(format, args...), show(got), err, show(want))
		}
	}
	paths := w.paths()
	collections := []string{model.PathMessages, model.PathFiles, model.PathTasks, model.PathPending, model.PathVars}
	for pos := int64(0); pos <= w.last()+1; pos++ {
		state := w.at(pos)
		for _, path := range append(paths, "/none", "/pending/none", "/context/messages/none") {
			if rand.IntN(3) > 0 {
				continue
			}
			want, wantOK := state[path]
			text := want.New.Text
			want.Old.Text, want.New.Text = nil, nil
			got, ok, err := r.WriteAt(ctx, session, path, pos)
			same(got, want, err, "WriteAt(%s, %d)", path, pos)
			same(ok, wantOK, nil, "WriteAt(%s, %d): ok", path, pos)
			if strings.HasPrefix(path, model.PathFiles) {
				got, ok, err := r.FileText(ctx, session, path, pos)
				same(got, text, err, "FileText(%s, %d)", path, pos)
				same(ok, !want.New.Absent(), nil, "FileText(%s, %d): ok", path, pos)
			}
		}
		for _, collection := range collections {
			want := w.standing(collection, pos)
			n, err := r.MemberCount(ctx, session, collection, pos)
			same(n, int64(len(want)), err, "MemberCount(%s, %d)", collection, pos)
			var got []Member
			for after := ""; ; after = got[len(got)-1].Path {
				limit := 1 + rand.IntN(9)
				page, err := r.Members(ctx, session, collection, pos, after, limit)
				if err != nil || len(page) > limit {
					t.Fatalf("Members(%s, %d): %d members, %v", collection, pos, len(page), err)
				}
				if got = append(got, page...); len(page) < limit {
					break
				}
			}
			same(got, want, nil, "Members(%s, %d)", collection, pos)
		}
		var got []model.Write
		to := pos + int64(rand.IntN(50))
		err := r.Writes(ctx, session, pos, to, func(wr model.Write) bool { got = append(got, wr); return true })
		same(got, w.writes("", pos, to), err, "Writes(%d, %d)", pos, to)
		compareNet(t, r, session, w, pos, to)
		compareNear(t, r, session, w, pos)
		compareCalls(t, r, session, w, pos)
	}
	for _, path := range paths {
		for pos := int64(0); pos <= w.last()+1; pos += int64(1 + rand.IntN(20)) {
			want := w.writes(path, pos, w.last())
			got, err := r.History(ctx, session, path, pos, 0)
			same(got, want, err, "History(%s, %d)", path, pos)
			next, ok, err := r.WriteAfter(ctx, session, path, pos)
			if ok != (len(want) > 0) || ok && !reflect.DeepEqual(next, want[0]) || err != nil {
				t.Fatalf("WriteAfter(%s, %d) = %s, %v", path, pos, show(next), err)
			}
			var paged []model.Write
			for after := pos; ; {
				page, err := r.History(ctx, session, path, after, 3)
				if err != nil || len(page) > 4 {
					t.Fatalf("History(%s, %d, 3): %d writes, %v", path, after, len(page), err)
				}
				if len(page) == 0 {
					break
				}
				paged = append(paged, page...)
				after = page[len(page)-1].Pos
			}
			same(paged, want, nil, "History of %s in pages", path)
		}
	}
	for _, prefix := range append(collections, "", "/usage", "/none") {
		var want, got []string
		for _, path := range paths {
			if strings.HasPrefix(path, prefix+"/") {
				want = append(want, path)
			}
		}
		for after := ""; ; after = got[len(got)-1] {
			page, err := r.Cells(ctx, session, prefix, after, 7)
			if err != nil {
				t.Fatal(err)
			}
			if got = append(got, page...); len(page) < 7 {
				break
			}
		}
		same(got, want, nil, "Cells(%s)", prefix)
	}
	compareTexts(t, r, session, w)
	n, err := r.WriteCount(ctx, 0)
	if err != nil || n < int64(len(w.writes("", 0, w.last()))) {
		t.Fatalf("WriteCount = %d, %v", n, err)
	}
}

func show(v any) string {
	switch v := v.(type) {
	case model.Write:
		return fmt.Sprintf("{%s %d: %q -> %q restores %d lost %d}", v.Path, v.Pos, v.Old.JSON, v.New.JSON, v.Restores, v.Lost)
	case []model.Write:
		var b strings.Builder
		for _, wr := range v {
			b.WriteString("\n  " + show(wr))
		}
		return b.String()
	case []Member:
		var b strings.Builder
		for _, m := range v {
			fmt.Fprintf(&b, "\n  %s %d %q", m.Path, m.Pos, m.Value.JSON)
		}
		return b.String()
	case *string:
		if v != nil {
			return fmt.Sprintf("%q", *v)
		}
	}
	return fmt.Sprintf("%v", v)
}

// TestWrites compares every answer at every position with a plain list of
// writes, whatever the batches were.
func TestWrites(t *testing.T) {
	for seed := range uint64(2) {
		for _, most := range []int{1, 12, 1000} {
			t.Run(fmt.Sprintf("seed %d, batches to %d", seed, most), func(t *testing.T) {
				s, w := open(t)
				world := newWorld(seed)
				for range 40 {
					world.step()
				}
				feed(t, w, 3, world, 0, most)
				compareWorld(t, s.Reader(), 3, world)
			})
		}
	}
}

// TestDropWrites: what was dropped and written otherwise was never there.
func TestDropWrites(t *testing.T) {
	for seed := range uint64(2) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "index.db")
			world := newWorld(seed)
			for round := range 5 {
				s, err := Open(path, Options{})
				if err != nil {
					t.Fatal(err)
				}
				w, err := s.Writer()
				if err != nil {
					t.Fatal(err)
				}
				if round > 0 {
					from := 1 + rand.Int64N(world.last())
					if round == 3 {
						from = 1
					}
					world.back(from)
					appendWrites(t, w, FoldBatch{Session: 2, Drop: from})
					if n, err := s.Reader().WriteCount(context.Background(), 0); err != nil || n != int64(len(world.writes("", 0, world.last()))) {
						t.Fatalf("WriteCount = %d, %v", n, err)
					}
				}
				pos := world.last()
				for range 15 {
					world.step()
				}
				feed(t, w, 2, world, pos, 30)
				compareWorld(t, s.Reader(), 2, world)
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
