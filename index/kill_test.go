package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"hindcast/index/importer"
)

// What the process that dies is told by its environment: which dump to import
// into which index, and how many commits of which kind it lives to see.
const (
	killDump   = "HINDCAST_TEST_KILL_DUMP"
	killIndex  = "HINDCAST_TEST_KILL_INDEX"
	killEvents = "HINDCAST_TEST_KILL_EVENTS"
	killFolds  = "HINDCAST_TEST_KILL_FOLDS"
	killBatch  = 40 // events a commit
)

// An import that is killed behind any of its commits, of events or of states,
// goes on to the same content.
func TestSameContentKilledAnywhere(t *testing.T) {
	if os.Getenv(killDump) != "" {
		dieImporting(t)
		return
	}
	dir := t.TempDir()
	dump := filepath.Join(dir, "run.jsonl")
	writeFile(t, dump, troubled(t, 26, 160))
	whole := openAll(t, "", Options{IndexPath: filepath.Join(dir, "whole.db")}, dump)
	events, states := content(t, whole, true), written(t, whole)
	for _, kind := range []string{killEvents, killFolds} {
		deaths := 0
		for n := 1; ; n++ {
			index := filepath.Join(dir, fmt.Sprintf("%s-%d.db", kind, n))
			if !died(t, dump, index, kind, n) {
				break
			}
			deaths++
			what := fmt.Sprintf("killed behind commit %d (%s)", n, kind)
			x := openAll(t, "", Options{IndexPath: index, batch: killBatch}, dump)
			sameContent(t, what, events, content(t, x, true))
			sameContent(t, what, states, written(t, x))
			x.Close()
		}
		if deaths < 4 {
			t.Errorf("%s: only %d commits to die behind", kind, deaths)
		}
	}
}

// died runs an import in a process of its own, and reports whether that died
// before it was done.
func died(t *testing.T, dump, index, kind string, n int) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), killDump+"="+dump, killIndex+"="+index, kind+"="+strconv.Itoa(n))
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return false
	case errors.As(err, &exit) && !exit.Exited() && ctx.Err() == nil:
		return true
	}
	t.Fatalf("the import ended with %v: %s", err, out)
	return false
}

// dieImporting imports what the environment says, until it has seen enough.
func dieImporting(t *testing.T) {
	ctx := context.Background()
	x := &Index{
		dumps: []string{os.Getenv(killDump)}, opt: Options{IndexPath: os.Getenv(killIndex), batch: killBatch},
		changed: make(chan struct{}), begun: time.Now(),
	}
	if err := x.openDump(ctx); err != nil {
		t.Fatal(err)
	}
	defer x.st.Close()
	o := x.importOptions()
	dieAt := func(name string) func() {
		left, _ := strconv.Atoi(os.Getenv(name))
		return func() {
			if left--; left == 0 {
				self, _ := os.FindProcess(os.Getpid())
				_ = self.Kill()
				select {} // until it comes
			}
		}
	}
	event, fold := dieAt(killEvents), dieAt(killFolds)
	o.Progress = func(importer.Progress) { event() }
	o.Folded = func(int64) { fold() }
	im, err := importer.New(ctx, x.dump, x.st, o)
	if err != nil {
		t.Fatal(err)
	}
	defer im.Close()
	if err := errors.Join(im.Run(ctx), im.Fold(ctx)); err != nil {
		t.Fatal(err)
	}
}
