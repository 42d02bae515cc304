package index

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/replay"
)

// What time travel says of every small dump is what a naive fold in memory
// shows.
func TestTravelAgreesWithANaiveFold(t *testing.T) {
	for _, d := range smallDumps(t) {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			x := openAll(t, "", Options{IndexPath: filepath.Join(t.TempDir(), "index.db")}, d.path)
			for _, n := range naiveFolds(t, x) {
				for _, check := range []func(*testing.T, *Index, *naive){
					checkStates, checkDiffs, checkBlame, checkGroups, checkChildren, checkFileBlame, checkKnew,
				} {
					check(t, x, n)
				}
			}
		})
	}
}

// checkStates: state by writes is what a fold from zero gives, after every
// event.
func checkStates(t *testing.T, x *Index, n *naive) {
	ctx := context.Background()
	for pos := range int64(len(n.states)) {
		at := n.point(pos)
		cells, err := x.cells(ctx, n.key, pos, replay.Place{})
		if err != nil {
			t.Fatal(err)
		}
		sameContent(t, fmt.Sprintf("session %s after %d", n.id, pos), show(n.states[pos]), show(cells))
		if pos%4 != 0 {
			continue // the document is made of the cells
		}
		want, err := replay.Assemble(headingOf(at), n.states[pos])
		if err != nil {
			t.Fatal(err)
		}
		got, err := x.State(ctx, at, false)
		if err != nil {
			t.Fatal(err)
		}
		if asJSON(t, want) != asJSON(t, got) {
			t.Fatalf("session %s after %d:\nwant %s\ngot  %s", n.id, pos, asJSON(t, want), asJSON(t, got))
		}
	}
}

// checkDiffs: a diff applied to its first point gives the second; the way back
// is its inverse, and of a point with itself there is nothing.
func checkDiffs(t *testing.T, x *Index, n *naive) {
	ctx := context.Background()
	for _, p := range pairs(int64(len(n.states))) {
		what := fmt.Sprintf("session %s, %d to %d", n.id, p[0], p[1])
		a, b := n.point(p[0]), n.point(p[1])
		there, err := x.Diff(ctx, a, b, "")
		if err != nil {
			t.Fatal(err)
		}
		back, err := x.Diff(ctx, b, a, "")
		if err != nil {
			t.Fatal(err)
		}
		if p[0] == p[1] && len(there.Changes) > 0 {
			t.Fatalf("%s: %s", what, asJSON(t, there))
		}
		changes, inverse := []replay.Change{}, []replay.Change{}
		for i, c := range there.Changes {
			changes = append(changes, replay.Change{Path: c.Path, Old: c.Old, New: c.New})
			if i > 0 && there.Changes[i-1].Path >= c.Path {
				t.Fatalf("%s: %s does not stand behind %s", what, c.Path, there.Changes[i-1].Path)
			}
			if w := c.By; w == nil || w.Pos <= min(p[0], p[1]) || w.Pos > max(p[0], p[1]) {
				t.Fatalf("%s: %s is by %+v", what, c.Path, w)
			}
		}
		for _, c := range back.Changes {
			inverse = append(inverse, replay.Change{Path: c.Path, Old: c.New, New: c.Old})
		}
		if asJSON(t, changes) != asJSON(t, inverse) {
			t.Fatalf("%s: not the inverse of the way back:\n%s\n%s", what, asJSON(t, changes), asJSON(t, inverse))
		}
		want, got := shown(t, b, n.states[p[1]]), shown(t, b, replay.Apply(n.states[p[0]], changes))
		if want != got {
			t.Fatalf("%s: applied\nwant %s\ngot  %s\nwith %s", what, want, got, asJSON(t, there.Changes))
		}
	}
}

// shown is the document of a state, the tasks in the order of their ids: a diff
// does not tell the order of the list.
func shown(t *testing.T, at model.Event, cells replay.Cells) string {
	t.Helper()
	doc, err := replay.Assemble(headingOf(at), cells)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(doc.Tasks, func(a, b answer.StateTask) int { return strings.Compare(a.ID, b.ID) })
	return asJSON(t, doc)
}

// pairs are all pairs of few points, of many a choice that is always the same.
func pairs(n int64) (out [][2]int64) {
	if n <= 16 {
		for a := range n {
			for b := range n {
				out = append(out, [2]int64{a, b})
			}
		}
		return out
	}
	r := rand.New(rand.NewPCG(uint64(n), 1))
	for range 25 {
		a := r.Int64N(n)
		out = append(out, [2]int64{a, r.Int64N(n)}, [2]int64{a, min(a+r.Int64N(5), n-1)})
	}
	return out
}
