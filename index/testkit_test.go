package index

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hindcast/model"
)

// openAll opens a dump with its index in dir, if it is not said where it is, and
// waits for events and states.
func openAll(t testing.TB, dir string, o Options, dumps ...string) *Index {
	t.Helper()
	if o.IndexPath == "" {
		t.Setenv("XDG_CACHE_HOME", dir)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	x, err := Open(ctx, dumps, o)
	if err != nil {
		t.Fatalf("open %v: %v", dumps, err)
	}
	t.Cleanup(func() { x.Close() })
	if err := x.Wait(ctx); err != nil {
		t.Fatalf("import %v: %v", dumps, err)
	}
	if err := x.WaitStates(ctx); err != nil {
		t.Fatalf("fold %v: %v", dumps, err)
	}
	return x
}

// allEvents reads every event of every session, with links.
func allEvents(t *testing.T, x *Index) []model.Event {
	t.Helper()
	var all []model.Event
	if err := x.Query(context.Background(), "", nil, func(e model.Event) bool {
		all = append(all, e)
		return true
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// content writes down all that an index says of its sessions and events, but
// for where the bytes stand, so that two imports can be compared.
func content(t *testing.T, x *Index, withSpans bool) string {
	t.Helper()
	sessions, err := x.Sessions(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, s := range sessions {
		s.Key = 0
		fmt.Fprintf(&b, "%+v\n", s)
	}
	for _, e := range allEvents(t, x) {
		fmt.Fprintf(&b, "%s #%d %d %v %q %s %v %v %q %s %s %s %q %d %v root %d depth %d mate %d %x", e.Session, e.Pos, e.Seq, e.HasSeq,
			e.ID, e.Type, e.Kind, e.Origin, e.Time, e.Source, e.Tool, e.Call, e.Title, e.Outcome, e.Noise, e.Root, e.Depth, e.Mate, e.Hash)
		for _, l := range e.Links {
			fmt.Fprintf(&b, " %v", l)
		}
		if withSpans {
			fmt.Fprintf(&b, " %v", e.Span)
		}
		b.WriteByte('\n')
	}
	acc, err := x.accounting(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if withSpans {
		fmt.Fprintf(&b, "%+v\n", acc)
	}
	return b.String()
}

// sameContent reports the first line in which two contents differ.
func sameContent(t *testing.T, what, want, got string) {
	t.Helper()
	if want == got {
		return
	}
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(a), len(b)) {
		var l, r string
		if i < len(a) {
			l = a[i]
		}
		if i < len(b) {
			r = b[i]
		}
		if l != r {
			t.Fatalf("%s: line %d differs\nwant %s\ngot  %s", what, i+1, l, r)
		}
	}
}

func writeFile(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// sharedData is the folder of real dumps beside the project; tests that need it
// are skipped where it is absent.
func sharedData(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", "..", "shared", "data"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the folder of real dumps is absent: %v", err)
	}
	return dir
}
