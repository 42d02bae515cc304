package index

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"hindcast/fixtures/gen/stream"
	"hindcast/index/importer"
)

// A record that comes late, near the end of a long session, costs a fold from
// the last saved state before its place on, and the result is that of a dump
// that had it in its place.
func TestALateRecordRefoldsFromTheLastSavedState(t *testing.T) {
	const events, late, batch = 1200, 1150, 50
	data := generated(t, stream.Options{Format: stream.Eventlog, Events: events, Seed: 31, Size: 400})
	path := filepath.Join(t.TempDir(), "run.jsonl")
	writeFile(t, path, data)
	whole := openAll(t, t.TempDir(), Options{}, path)
	states, rows := written(t, whole), content(t, whole, false)

	lines := bytes.SplitAfter(data, []byte("\n"))
	line := lines[late]
	first := bytes.Join(slices.Delete(slices.Clone(lines), late, late+1), nil)
	writeFile(t, path, first)
	x := openAll(t, t.TempDir(), Options{batch: batch}, path)
	writeFile(t, path, append(first, line...))
	folded := refold(t, x)
	if len(folded) == 0 || folded[0] <= late-3*batch || folded[len(folded)-1] != events {
		t.Errorf("folded up to %v: that began too early", folded)
	}
	sameContent(t, "states with a late record", states, written(t, x))
	sameContent(t, "events with a late record", rows, content(t, x, false))
}

// refold takes up what came into a dump since it was opened, and tells after
// how many events the commits of the fold were.
func refold(t *testing.T, x *Index) (folded []int64) {
	t.Helper()
	ctx := context.Background()
	if x.im != nil {
		x.im.Close()
		x.im = nil
	}
	if _, err := x.dump.Refresh(ctx); err != nil {
		t.Fatal(err)
	}
	o := x.importOptions()
	o.Folded = func(events int64) { folded = append(folded, events) }
	im, err := importer.New(ctx, x.dump, x.st, o)
	if err != nil {
		t.Fatal(err)
	}
	x.im = im // is closed with x
	if err := im.Run(ctx); err != nil {
		t.Fatal(err)
	}
	if err := im.Fold(ctx); err != nil {
		t.Fatal(err)
	}
	return folded
}

// Whichever record of a family comes late, events, links and states are those of
// a dump that had it in its place, also where other sessions point to what
// stands behind it or go on from there.
func TestSameContentWhicheverRecordComesLate(t *testing.T) {
	forks, _ := aFork()
	for name, whole := range map[string]map[string][]string{"sub-agents": aFamily(), "forks": forks} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			writeFamily(t, dir, whole)
			x := openAll(t, t.TempDir(), Options{}, dir)
			states, rows := written(t, x), content(t, x, false)
			for file, lines := range whole {
				for i := 0; i < len(lines)-1; i += 3 {
					grown := maps.Clone(whole)
					grown[file] = slices.Delete(slices.Clone(lines), i, i+1)
					dir, cache := t.TempDir(), t.TempDir()
					writeFamily(t, dir, grown)
					openAll(t, cache, Options{batch: 4}, dir).Close()
					grown[file] = append(grown[file], lines[i])
					writeFamily(t, dir, grown)
					x := openAll(t, cache, Options{batch: 4}, dir)
					what := fmt.Sprintf("line %d of %s late", i+1, file)
					sameContent(t, what, rows, content(t, x, false))
					sameContent(t, what, states, written(t, x))
					x.Close()
				}
			}
		})
	}
}
