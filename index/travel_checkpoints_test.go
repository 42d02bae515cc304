package index

import (
	"context"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"hindcast/model"
)

// Records that follow each other with one id are one checkpoint: it stands where
// the last of them does, and what is before it is before the first.
func TestACheckpointOfTwoRecordsIsOne(t *testing.T) {
	run := &scribe{session: "run"}
	say := func() { run.log("UserInput", "", fields{"content": "go on"}) }
	checkpoint := func(id string) { run.log("Checkpoint", "", fields{"snapshot_id": id, "base_event_seq": 1}) }
	say()
	checkpoint("snap_1")
	say()
	checkpoint("snap_1")
	say()
	checkpoint("snap_2")
	checkpoint("snap_1")
	path := filepath.Join(t.TempDir(), "run.jsonl")
	writeFile(t, path, []byte(strings.Join(run.lines, "")))
	x := openAll(t, t.TempDir(), Options{}, path)
	ctx := context.Background()
	got, err := x.Checkpoints(ctx, "run")
	want := []Checkpoint{{"snap_1", 2, 4}, {"snap_2", 6, 6}, {"snap_1", 7, 7}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("checkpoints are %v, %v; want %v", got, err, want)
	}
	for address, want := range map[string]int64{"cp:1": 4, "cp:1-1": 1, "cp:1+1": 5, "cp:2": 6, "cp:3": 7, "cp:-1": 7, "cp:-3-1": 1} {
		a, err := model.ParseAddress(address)
		if err != nil {
			t.Fatal(err)
		}
		for _, use := range []AddressUse{AsEvent, AsPoint} {
			if e, err := x.Resolve(ctx, "run", a, use); err != nil || e.Pos != want {
				t.Errorf("%s is #%d, %v; want #%d", address, e.Pos, err, want)
			}
		}
	}
	a, _ := model.ParseAddress("cp:4")
	if _, err := x.Resolve(ctx, "run", a, AsEvent); err == nil || !strings.Contains(err.Error(), "3 checkpoints") || !strings.Contains(err.Error(), "cp:1, cp:3") {
		t.Errorf("cp:4: %v", err)
	}
}
