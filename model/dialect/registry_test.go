package dialect

import (
	"slices"
	"strings"
	"testing"

	"hindcast/model"
)

// memory is a dump of files in memory.
type memory struct {
	names []string
	data  map[string]string
}

func (m memory) Files() []model.File {
	var out []model.File
	for _, n := range m.names {
		f := model.File{Name: n, Size: int64(len(m.data[n]))}
		if base, _, ok := strings.Cut(n, ".db/"); ok {
			f.Database = base + ".db"
		}
		out = append(out, f)
	}
	return out
}

func (m memory) Head(file, n int) []byte {
	s := m.data[m.names[file]]
	return []byte(s[:min(n, len(s))])
}

func dump(files ...string) memory {
	m := memory{data: map[string]string{}}
	for i := 0; i < len(files); i += 2 {
		m.names = append(m.names, files[i])
		m.data[files[i]] = files[i+1]
	}
	return m
}

const (
	native   = `{"event_id":"e1","event_type":"UserInput","session_id":"s","sequence":1,"payload":{"content":"hi"}}` + "\n"
	stranger = `{"time":"2026-03-01T00:00:00Z","level":"info","msg":"started"}` + "\n"
	v0       = `[{"id":0,"timestamp":"2025-01-27T22:44:56.900854","source":"user","message":"x","action":"message","args":{"content":"x"}}]`
)

func TestPlanGivesEachFileToOneDialect(t *testing.T) {
	plan := All().MakePlan(dump("a.jsonl", native, "b.json", v0, "c.jsonl", stranger, "d.txt", "plain words\n"), "")
	got := map[string][]int{}
	for _, s := range plan.Streams {
		got[s.Dialect] = append(got[s.Dialect], s.Files...)
		if s.Reason == "" || s.Confidence < 1 {
			t.Errorf("%s claims without a reason: %+v", s.Dialect, s)
		}
	}
	want := map[string][]int{"eventlog": {0}, "openhands": {1}, "generic": {2}}
	for name, files := range want {
		if !slices.Equal(got[name], files) {
			t.Errorf("%s reads files %v, want %v", name, got[name], files)
		}
	}
	if len(plan.Left) != 1 || plan.Left[0].File != 3 || plan.Left[0].Seen == "" {
		t.Errorf("left over: %+v", plan.Left)
	}
}

func TestTablesOfAKnownProgramAreItsOwn(t *testing.T) {
	d := dump("k.db/event", native, "k.db/other", stranger, "u.db/rows", stranger, "u.db/none", "")
	plan := All().MakePlan(d, "")
	got := map[string][]int{}
	for _, s := range plan.Streams {
		got[s.Dialect] = append(got[s.Dialect], s.Files...)
	}
	if !slices.Equal(got["eventlog"], []int{0}) || !slices.Equal(got["generic"], []int{2}) {
		t.Errorf("read: %v", got)
	}
	if len(plan.Refused) != 1 || plan.Refused[0].File != 1 || !strings.Contains(plan.Refused[0].What, "eventlog") {
		t.Errorf("refused: %+v", plan.Refused)
	}
	if len(plan.Left) != 1 || plan.Left[0] != (Left{File: 3, Seen: "no rows"}) {
		t.Errorf("left over: %+v", plan.Left)
	}
}

func TestRefusedFilesAreReadByNobody(t *testing.T) {
	d := dump("k.db/event", native, "k.db/secret", stranger)
	best := model.Stream{Dialect: "a", Files: []int{0}, Refused: []model.Evidence{{File: 1, What: "holds a secret"}}}
	plan, taken := Plan{}, map[int]bool{}
	plan.accept([]model.Stream{best, {Dialect: "b", Files: []int{1}}, {Dialect: "c", Refused: []model.Evidence{{File: 0}, {File: 1}}}}, taken)
	plan.accept(claimRest(d, All().ByName("generic"), false, taken), taken)
	plan.leave(d, taken)
	if len(plan.Streams) != 1 || plan.Streams[0].Dialect != "a" || len(plan.Left) != 0 {
		t.Errorf("%+v", plan)
	}
	if len(plan.Refused) != 1 || plan.Refused[0] != best.Refused[0] {
		t.Errorf("refused: %+v", plan.Refused)
	}
	sure := map[int]bool{}
	best.Confidence = sureEnough
	settle([]model.Stream{best}, sure)
	if !sure[1] {
		t.Error("others look into what a sure claim refuses")
	}
}

func TestForcedDialectReadsWhatItCan(t *testing.T) {
	for _, name := range All().Names() {
		plan := All().MakePlan(dump("a.jsonl", native), name)
		if len(plan.Streams) != 1 || plan.Streams[0].Dialect != name {
			t.Errorf("forced %s: %+v", name, plan.Streams)
		}
	}
}

func TestTableIsSortedAndComplete(t *testing.T) {
	names := All().Names()
	if last := names[len(names)-1]; last != "generic" {
		t.Errorf("the last resort is %s", last)
	}
	if !slices.IsSorted(names[:len(names)-1]) {
		t.Errorf("not sorted: %v", names)
	}
	for _, d := range All() {
		i := d.Info()
		if i.Title == "" || i.Detects == "" || i.Context == "" || i.Files == "" || i.Cost == "" || i.Status == "" || len(i.Packs) == 0 {
			t.Errorf("%s says too little of itself: %+v", i.Name, i)
		}
		if All().ByName(i.Name) == nil {
			t.Errorf("%s is not found by its name", i.Name)
		}
	}
	if All().ByName("no such") != nil {
		t.Error("an unknown name gives a dialect")
	}
}
