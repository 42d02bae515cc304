package index

import (
	"context"
	"flag"
	"testing"
	"time"
)

// A dump that was made before, and the index to import it into: for
// fixtures/bench/travel.sh and BenchmarkTravel.
var (
	partsDump  = flag.String("travel.dump", "", "dump of TestImportInParts and BenchmarkTravel")
	partsIndex = flag.String("travel.index", "", "index of TestImportInParts and BenchmarkTravel")
)

// TestImportInParts measures how long the events of a dump take, and then the
// states.
func TestImportInParts(t *testing.T) {
	if *partsDump == "" {
		t.Skip("for fixtures/bench/travel.sh")
	}
	ctx := context.Background()
	begun := time.Now()
	x, err := Open(ctx, []string{*partsDump}, Options{IndexPath: *partsIndex})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if err := x.Wait(ctx); err != nil {
		t.Fatal(err)
	}
	there := time.Now()
	if err := x.WaitStates(ctx); err != nil {
		t.Fatal(err)
	}
	folded := time.Now()
	writes, err := x.st.Reader().WriteCount(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("events %.3f s", there.Sub(begun).Seconds())
	t.Logf("states %.3f s", folded.Sub(there).Seconds())
	t.Logf("writes %d", writes)
}
