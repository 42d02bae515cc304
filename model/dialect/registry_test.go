package dialect

import (
	"slices"
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
		out = append(out, model.File{Name: n, Size: int64(len(m.data[n]))})
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
	plan := MakePlan(dump("a.jsonl", native, "b.json", v0, "c.jsonl", stranger, "d.txt", "plain words\n"), "")
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

func TestForcedDialectReadsWhatItCan(t *testing.T) {
	for _, name := range Names() {
		plan := MakePlan(dump("a.jsonl", native), name)
		if len(plan.Streams) != 1 || plan.Streams[0].Dialect != name {
			t.Errorf("forced %s: %+v", name, plan.Streams)
		}
	}
}

func TestTableIsSortedAndComplete(t *testing.T) {
	names := Names()
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
		if ByName(i.Name) == nil {
			t.Errorf("%s is not found by its name", i.Name)
		}
	}
	if ByName("no such") != nil {
		t.Error("an unknown name gives a dialect")
	}
}
