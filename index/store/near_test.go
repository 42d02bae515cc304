package store

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"hindcast/model"
)

// compareNet compares what a range of events changed in all with a plain list.
func compareNet(t *testing.T, r *Reader, session int64, w *world, from, to int64) {
	t.Helper()
	spans := map[string]model.Write{}
	for _, wr := range w.writes("", from, to) {
		if first, ok := spans[wr.Path]; ok {
			wr.Old = first.Old
		}
		spans[wr.Path] = wr
	}
	before, after := w.at(from), w.at(to)
	want := []model.Write{}
	for _, path := range slices.Sorted(maps.Keys(spans)) {
		wr := spans[path]
		if wr.Old.Absent() && wr.New.Absent() {
			continue
		}
		if sum := textSum(wr.New.JSON); strings.HasPrefix(path, underFiles) && (sum == "" || sum != textSum(wr.Old.JSON)) {
			wr.Old.Text, wr.New.Text = before[path].New.Text, after[path].New.Text
		}
		want = append(want, wr)
	}
	got, err := r.Net(context.Background(), session, from, to)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("Net(%d, %d):\ngot  %s, %v\nwant %s", from, to, show(got), err, show(want))
	}
}

// compareNear compares the nearest writes, and what is there, at a position.
func compareNear(t *testing.T, r *Reader, session int64, w *world, pos int64) {
	t.Helper()
	ctx := context.Background()
	nearest := func(prefix string, back bool) (at int64) {
		for _, wr := range w.writes("", 0, w.last()) {
			if below := wr.Path == prefix || strings.HasPrefix(wr.Path, prefix+"/"); !below {
				continue
			}
			if back && wr.Pos < pos || !back && wr.Pos > pos && at == 0 {
				at = wr.Pos
			}
		}
		return at
	}
	for _, back := range []bool{false, true} {
		for _, prefix := range []string{"", "/context", model.PathMessages, model.PathFiles, model.PathPending, model.PathVars, "/usage", "/none"} {
			if got, err := r.NearBelow(ctx, session, prefix, pos, back); err != nil || got != nearest(prefix, back) {
				t.Fatalf("NearBelow(%q, %d, %v) = %d, %v, want %d", prefix, pos, back, got, err, nearest(prefix, back))
			}
		}
		paths := append(w.paths(), "/none")
		path := paths[rand.IntN(len(paths))]
		if path == model.PathTasks {
			continue // its members stand below it
		}
		if got, err := r.Near(ctx, session, path, pos, back); err != nil || got != nearest(path, back) {
			t.Fatalf("Near(%q, %d, %v) = %d, %v, want %d", path, pos, back, got, err, nearest(path, back))
		}
	}
	state := w.at(pos)
	for path, wr := range state {
		want := Member{Path: path, Value: model.Value{JSON: wr.New.JSON}, Pos: wr.Pos}
		got, ok, err := r.Member(ctx, session, path, pos)
		if err != nil || ok == wr.New.Absent() || ok && !reflect.DeepEqual(got, want) {
			t.Fatalf("Member(%q, %d) = %s, %v, %v, want %s", path, pos, show(got), ok, err, show(want))
		}
	}
	var leaves []Member
	for _, path := range slices.Sorted(maps.Keys(worldLeaves)) {
		if wr, ok := state[path]; ok {
			leaves = append(leaves, Member{Path: path, Value: model.Value{JSON: wr.New.JSON}, Pos: wr.Pos})
		}
	}
	got, err := r.Leaves(ctx, session, slices.Sorted(maps.Keys(worldLeaves)), pos)
	if err != nil || !reflect.DeepEqual(got, leaves) {
		t.Fatalf("Leaves(%d) = %s, %v, want %s", pos, show(got), err, show(leaves))
	}
}

// compareCalls compares pages of the open calls, and the paths of collections.
func compareCalls(t *testing.T, r *Reader, session int64, w *world, pos int64) {
	t.Helper()
	ctx := context.Background()
	for _, collection := range []string{model.PathPending, model.PathFiles, model.PathMessages} {
		var paths []string
		for _, m := range w.standing(collection, pos) {
			paths = append(paths, m.Path)
		}
		if got, err := r.MemberPaths(ctx, session, collection, pos); err != nil || !slices.Equal(got, paths) {
			t.Fatalf("MemberPaths(%s, %d) = %q, %v, want %q", collection, pos, got, err, paths)
		}
	}
	want := w.standing(model.PathPending, pos)
	slices.SortFunc(want, func(a, b Member) int { return cmp.Or(cmp.Compare(a.Pos, b.Pos), cmp.Compare(a.Path, b.Path)) })
	var got []Member
	for after := ""; ; after = got[len(got)-1].Path {
		limit := 1 + rand.IntN(5)
		page, err := r.Calls(ctx, session, pos, after, limit)
		if err != nil || len(page) > limit {
			t.Fatalf("Calls(%d): %d calls, %v", pos, len(page), err)
		}
		if got = append(got, page...); len(page) < limit {
			break
		}
	}
	same := func(a, b Member) bool {
		return a.Path == b.Path && a.Pos == b.Pos && bytes.Equal(a.Value.JSON, b.Value.JSON)
	}
	if !slices.EqualFunc(got, want, same) {
		t.Fatalf("Calls(%d) = %s, want %s", pos, show(got), show(want))
	}
}
