package index

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/replay"
	"hindcast/model/textdiff"
)

// somewhere is a place in a state and a point at which something stands there.
type somewhere struct {
	pos  int64
	path string
}

// places picks points of a session, and places that exist there: cells, members
// and leaves within them.
func (n *naive) places(many int) (out []somewhere) {
	r := rand.New(rand.NewPCG(uint64(len(n.states)), 2))
	for len(n.states) > 1 && many > 0 {
		many--
		pos := 1 + r.Int64N(int64(len(n.states)-1))
		cells := slices.Sorted(keysOf(n.states[pos]))
		cells = slices.DeleteFunc(cells, func(path string) bool { return path == model.PathTasks })
		if len(cells) == 0 {
			continue
		}
		path := cells[r.IntN(len(cells))]
		value, _ := replay.Lookup(n.states[pos], path)
		var members map[string]json.RawMessage
		if json.Unmarshal(value, &members) == nil && len(members) > 0 && r.IntN(3) > 0 {
			names := make([]string, 0, len(members))
			for name := range members {
				names = append(names, name)
			}
			slices.Sort(names)
			path += "/" + replay.Escape(names[r.IntN(len(names))])
		}
		out = append(out, somewhere{pos, path})
	}
	return out
}

// changedAt lists the events of a session at which the value at a path turned
// into another.
func (n *naive) changedAt(path string) (out []int64) {
	before, had := replay.Lookup(n.states[0], path)
	for pos := int64(1); pos < int64(len(n.states)); pos++ {
		now, has := replay.Lookup(n.states[pos], path)
		if has != had || string(now) != string(before) {
			out = append(out, pos)
		}
		before, had = now, has
	}
	return out
}

func lastUpTo(list []int64, pos int64) int64 {
	var last int64
	for _, p := range list {
		if p <= pos {
			last = p
		}
	}
	return last
}

// checkBlame: the event that is blamed for a value made it, and no later one
// did; its neighbours in the history are those that a search finds.
func checkBlame(t *testing.T, x *Index, n *naive) {
	ctx := context.Background()
	for _, p := range n.places(30) {
		what := fmt.Sprintf("session %s, %s after %d", n.id, p.path, p.pos)
		changes := n.changedAt(p.path)
		blame, err := x.Blame(ctx, n.point(p.pos), p.path)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if value, _ := replay.Lookup(n.states[p.pos], p.path); string(value) != string(blame.Value) {
			t.Fatalf("%s is %s, want %s", what, blame.Value, value)
		}
		var by int64
		if blame.By != nil {
			by = blame.By.Pos
		}
		if want := lastUpTo(changes, p.pos); by != want {
			t.Fatalf("%s is blamed on %d, written by %d", what, by, want)
		}
		value, err := x.StateValue(ctx, n.point(p.pos), p.path)
		if err != nil || string(value.Value) != string(blame.Value) || (value.By == nil) != (by == 0) || by > 0 && value.By.Pos != by {
			t.Fatalf("%s: state says %s by %+v (%v), blame %s by %d", what, value.Value, value.By, err, blame.Value, by)
		}
		history := historyOf(t, x, n.id, p.path)
		var at []int64
		for _, w := range history.Writes {
			at = append(at, w.By.Pos)
		}
		if at = slices.Compact(at); !slices.Equal(at, changes) {
			t.Fatalf("session %s: history of %s is %v, changed at %v", n.id, p.path, at, changes)
		}
		place, _ := replay.Locate(p.path)
		written := n.changedAt(place.Cell)
		checkNear(t, x, n, place.Cell, p.pos, written)
	}
}

// checkNear holds the nearest writes of a path against those of a list.
func checkNear(t *testing.T, x *Index, n *naive, path string, pos int64, written []int64) {
	t.Helper()
	for _, back := range []bool{false, true} {
		e, ok, err := x.WriteNear(context.Background(), n.id, path, pos, back)
		if err != nil {
			t.Fatal(err)
		}
		want := lastUpTo(written, pos-1)
		if !back {
			want = 0
			if i := slices.IndexFunc(written, func(p int64) bool { return p > pos }); i >= 0 {
				want = written[i]
			}
		}
		if ok != (want > 0) || e.Pos != want {
			t.Fatalf("session %s: nearest write of %s at %d (back %v) is %d, want %d", n.id, path, pos, back, e.Pos, want)
		}
	}
}

// checkGroups: the nearest write below a path is found, however many cells it
// names.
func checkGroups(t *testing.T, x *Index, n *naive) {
	for _, group := range []string{"", "/context", model.PathFiles, "/shell", model.PathPending, "/usage", "/errors"} {
		var written []int64
		for pos := int64(1); pos < int64(len(n.states)); pos++ {
			for _, w := range n.log.Between(pos-1, pos) {
				if group == "" || below(w.Path, group) {
					written = append(written, pos)
					break
				}
			}
		}
		for pos := int64(0); pos < int64(len(n.states)); pos += 1 + int64(len(n.states))/6 {
			checkNear(t, x, n, group, pos, written)
		}
	}
}

// checkChildren: the members of a place are those of its value, a page after the
// other; of the large ones their number.
func checkChildren(t *testing.T, x *Index, n *naive) {
	ctx := context.Background()
	for pos := int64(0); pos < int64(len(n.states)); pos += 1 + int64(len(n.states))/12 {
		for _, path := range []string{"", "/context", model.PathMessages, model.PathFiles, model.PathPending, model.PathTasks, "/usage"} {
			value, ok := replay.Lookup(n.states[pos], path)
			if !ok {
				t.Fatalf("no %s", path)
			}
			want, err := childrenOf(path, value)
			if err != nil {
				t.Fatal(err)
			}
			if path == model.PathFiles {
				slices.SortFunc(want, func(a, b answer.Child) int { return strings.Compare(a.Path, b.Path) })
			}
			for i := 0; ; {
				after := ""
				if i > 0 {
					after = want[i-1].Path
				}
				got, err := x.Children(ctx, n.point(pos), path, after, 3)
				if err != nil {
					t.Fatal(err)
				}
				what := fmt.Sprintf("session %s, %q after %d, page at %d", n.id, path, pos, i)
				if got.Total != int64(len(want)) || len(got.Items) != min(3, len(want)-i) {
					t.Fatalf("%s: %d of %d items, want %d", what, len(got.Items), got.Total, len(want))
				}
				for _, c := range got.Items {
					w := want[i]
					if path == model.PathMessages || path == model.PathPending { // shown whole, as lines
						w.Members, w.Value = c.Members, c.Value
					}
					if c.Path != w.Path || c.Members != w.Members || string(c.Value) != string(w.Value) {
						t.Fatalf("%s: is %+v, want %+v", what, c, w)
					}
					i++
				}
				if i >= len(want) {
					break
				}
			}
		}
	}
}

// checkFileBlame: the lines of a blamed file are the file, and each stands in
// the text that its event wrote or showed.
func checkFileBlame(t *testing.T, x *Index, n *naive) {
	ctx := context.Background()
	texts := make(map[somewhere][]string) // that an event left or found, by file
	for pos := int64(1); pos < int64(len(n.states)); pos++ {
		for _, w := range n.log.Between(pos-1, pos) {
			if isFile(w.Path) && w.New.Text != nil {
				at := somewhere{pos, w.Path}
				texts[at] = append(texts[at], *w.New.Text)
			}
		}
	}
	for pos := int64(1); pos < int64(len(n.states)); pos += 1 + int64(len(n.states))/40 {
		for _, path := range slices.Sorted(keysOf(n.states[pos])) {
			if !isFile(path) {
				continue
			}
			name := model.UnescapePointer(strings.TrimPrefix(path, model.PathFiles+"/"))
			what := fmt.Sprintf("session %s, %s after %d", n.id, name, pos)
			blame, err := x.BlameFile(ctx, n.point(pos), name, 0)
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			want := []string{}
			if text := n.states[pos][path].Text; text != nil {
				want = linesOf(*text)
				if got, naive := origins(blame), n.blamed(t, x, path, pos); got != naive {
					t.Fatalf("%s: blamed on\n%s, naively on\n%s", what, got, naive)
				}
			}
			if len(want) != len(blame.Lines) {
				t.Fatalf("%s: %d lines blamed of %d", what, len(blame.Lines), len(want))
			}
			for i, l := range blame.Lines {
				if l.N != int64(i+1) || l.Text != want[i] {
					t.Fatalf("%s: line %d is %q, want %q", what, l.N, l.Text, want[i])
				}
				at := somewhere{path: path}
				switch {
				case l.By != nil:
					at.pos = l.By.Pos
				case l.Between != nil && l.Between[0].Pos < l.Between[1].Pos:
					at.pos = l.Between[1].Pos
				}
				all := texts[at]
				if len(all) == 0 {
					t.Fatalf("%s: line %d %q is of %d, which wrote no text", what, l.N, l.Text, at.pos)
				}
				text := all[len(all)-1]
				if l.Between != nil {
					text = all[0]
				}
				if !slices.Contains(linesOf(text), l.Text) {
					t.Fatalf("%s: line %d %q does not stand in the text of %d (between %v)", what, l.N, l.Text, at.pos, l.Between)
				}
			}
		}
	}
}

// origins tells where the lines of a file came from.
func origins(b answer.BlameFile) string {
	var out strings.Builder
	for _, l := range b.Lines {
		if l.By != nil {
			fmt.Fprintf(&out, "%d ", l.By.Pos)
			continue
		}
		fmt.Fprintf(&out, "%d..%d", l.Between[0].Pos, l.Between[1].Pos)
		for _, s := range l.Suspects {
			fmt.Fprintf(&out, "?%d", s.Pos)
		}
		out.WriteByte(' ')
	}
	return out.String()
}

// blamed aligns the whole texts of all versions of a file.
func (n *naive) blamed(t *testing.T, x *Index, path string, pos int64) string {
	outside, err := x.outside(t.Context(), n.key)
	if err != nil {
		t.Fatal(err)
	}
	var b textdiff.Blame[int64]
	var doubts []int64
	writes := slices.DeleteFunc(slices.Clone(n.log.Between(0, pos)), func(w model.Write) bool { return w.Path != path })
	for i, w := range writes {
		same := w.Old.Text != nil && w.New.Text != nil && *w.Old.Text == *w.New.Text
		switch {
		case w.New.Absent():
			b, doubts = textdiff.Blame[int64]{}, nil
			continue
		case w.New.Text == nil || same:
			if certaintyOf(w.New) == model.CertaintyUnknown {
				doubts = append(doubts, w.Pos)
			}
			continue
		}
		first := i+1 < len(writes) && writes[i+1].Pos == w.Pos
		second := i > 0 && writes[i-1].Pos == w.Pos
		sighting := first || outside[w.Pos] == path && !second
		if err := b.Add(t.Context(), textdiff.Change{Middle: *w.New.Text}, w.Pos, !sighting); err != nil {
			t.Fatal(err)
		}
	}
	var out answer.BlameFile
	for _, o := range b.Lines() {
		l := answer.BlameLine{By: &answer.Ref{Pos: o.Tag}}
		if !o.Written && o.HasAfter {
			l.By, l.Between = nil, &[2]answer.Ref{{Pos: o.After}, {Pos: o.Tag}}
			for _, d := range doubts {
				if d > o.After && d <= o.Tag {
					l.Suspects = append(l.Suspects, answer.Ref{Pos: d})
				}
			}
		}
		out.Lines = append(out.Lines, l)
	}
	return origins(out)
}

func linesOf(text string) (out []string) {
	for l := range strings.Lines(text) {
		out = append(out, strings.TrimRight(l, "\r\n"))
	}
	return out
}
