package eventlog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"hindcast/fixtures"
	"hindcast/fixtures/gen/stream"
	"hindcast/model"
	"hindcast/model/replay"
)

// world is a session folded event by event; states are kept after each.
type world struct {
	run
	states []replay.Cells // by pos-1
	writes [][]model.Write
	notes  []model.Note
}

func foldRun(t *testing.T, r run) *world {
	t.Helper()
	w := &world{run: r}
	fold, effector, cells := replay.New(replay.Options{}), teller().NewEffector(&model.Stream{}, r.events[0].Session), replay.Cells{}
	for i, e := range r.events {
		writes := fold.Apply(e, effector.Effects(e, r.raw[i], fold.View(r)))
		for _, write := range writes {
			cells.Write(write)
		}
		w.writes = append(w.writes, writes)
		w.states = append(w.states, maps.Clone(cells))
		w.notes = append(w.notes, fold.Notes()...)
	}
	return w
}

// at is the state after the last event of a seq.
func (w *world) at(seq int64) state {
	var found replay.Cells
	for i, e := range w.events {
		if e.Seq <= seq {
			found = w.states[i]
		}
	}
	return state{found}
}

// state reads cells.
type state struct{ cells replay.Cells }

func (s state) json(path string) string {
	v, ok := s.cells[path]
	if !ok {
		v, _ = replay.Initial(path)
	}
	return string(v.JSON)
}

func (s state) text(path string) string {
	var text string
	_ = json.Unmarshal([]byte(s.json(path)), &text)
	return text
}

// members gives the keys of a collection, sorted.
func (s state) members(collection string) []string {
	var keys []string
	for path := range s.cells {
		if key, ok := strings.CutPrefix(path, collection+"/"); ok {
			keys = append(keys, model.UnescapePointer(key))
		}
	}
	slices.Sort(keys)
	return keys
}

func (s state) context() []string {
	ids := []string{}
	for _, key := range s.members(model.PathMessages) {
		path := model.PathMessages + "/" + key
		m, _ := replay.Message(path, s.cells[path])
		ids = append(ids, m.Event)
	}
	return ids
}

func (s state) file(path string) (text *string, certainty string, by int64) {
	v := s.cells[replay.FilePath(path)]
	var meta struct {
		Certainty string
		By        int64 `json:"written_by"`
	}
	_ = json.Unmarshal(v.JSON, &meta)
	return v.Text, meta.Certainty, meta.By
}

func (s state) tasks() []model.Task {
	var order []string
	_ = json.Unmarshal([]byte(s.json(model.PathTasks)), &order)
	list := []model.Task{}
	for _, id := range order {
		var task model.Task
		_ = json.Unmarshal([]byte(s.json(model.PathTasks+"/"+model.EscapePointer(id))), &task)
		list = append(list, task)
	}
	return list
}

// differs compares a recorded state with the fold: the parts that differ.
func (s state) differs(r model.RecordedState) []string {
	var out []string
	unless := func(same bool, part string, args ...any) {
		if !same {
			out = append(out, fmt.Sprintf(part, args...))
		}
	}
	unless(r.Context == nil || slices.Equal(r.Context, s.context()), "context")
	unless(r.Cwd == nil || *r.Cwd == s.text("/shell/cwd"), "cwd")
	unless(r.Execution == nil || *r.Execution == s.text("/status/execution"), "status")
	unless(r.Tasks == nil || slices.Equal(r.Tasks, s.tasks()), "tasks")
	unless(r.Vars == nil || len(r.Vars) == len(s.members(model.PathVars)), "vars")
	if r.Files == nil {
		return out
	}
	for path, want := range r.Files {
		text, _, _ := s.file(path)
		unless(text != nil && *text == want, "files %s", path)
	}
	for _, path := range s.members(model.PathFiles) {
		_, ok := r.Files[path]
		unless(ok, "files %s", path)
	}
	return out
}

func demoWorlds(t *testing.T) map[string]*world {
	t.Helper()
	files := make(map[string]string)
	for name, data := range fixtures.Demo() {
		files[name] = string(data)
	}
	worlds := make(map[string]*world)
	for id, r := range readRuns(t, newDump(files)) {
		worlds[id] = foldRun(t, r)
	}
	return worlds
}

func TestDemoFiles(t *testing.T) {
	w := demoWorlds(t)["greeter"]
	const config = "server:\n  host: 127.0.0.1\n  port: %s\nlog:\n  level: info\n"
	for _, test := range []struct {
		seq        int64
		path, want string
		certainty  string
		by         int64
	}{
		{12, "config/app.yaml", fmt.Sprintf(config, "8000"), "known", 12},
		{58, "config/app.yaml", fmt.Sprintf(config, "8000"), "known", 12},
		{59, "config/app.yaml", fmt.Sprintf(config, "8080"), "derived", 59},
		{88, "config/app.yaml", fmt.Sprintf(config, "8080"), "known", 59},
		{120, "config/app.yaml", fmt.Sprintf(config, "8080"), "known", 59},
		{97, "Makefile", "build:\n\tgo build -o bin/greeter .\n", "known", 97},
		{103, "Makefile", "build:\n\tgo build -o bin/greeter .\n\nsmoke: build\n\t./scripts/smoke.sh\n", "derived", 103},
		{78, ".gitignore", "bin/\n", "known", 78},
	} {
		text, certainty, by := w.at(test.seq).file(test.path)
		if text == nil || *text != test.want || certainty != test.certainty || by != test.by {
			t.Errorf("%s at %d: %s by %d: %v", test.path, test.seq, certainty, by, text)
		}
	}
	if text, _, _ := w.at(11).file("config/app.yaml"); text != nil {
		t.Errorf("config/app.yaml is there before its result")
	}
	if _, certainty, by := w.at(75).file("main_test.go"); certainty != "unknown" || by != 26 {
		t.Errorf("main_test.go after gofmt -w: %s by %d", certainty, by)
	}
	if text, _, _ := w.at(63).file("docs/api.md"); text == nil || strings.Contains(*text, "8000") || strings.Count(*text, "8080") != 3 {
		t.Errorf("docs/api.md after every port was replaced: %v", text)
	}
	if before, after := w.at(15).cells[replay.FilePath("main.go")], w.at(16).cells[replay.FilePath("main.go")]; !reflect.DeepEqual(before, after) {
		t.Errorf("the refused edit changed main.go")
	}
	if len(w.notes) > 0 {
		t.Errorf("notes of a clean run: %+v", w.notes)
	}
}

func TestDemoContext(t *testing.T) {
	w := demoWorlds(t)["greeter"]
	var said []string
	for _, e := range w.events[:75] {
		switch e.Type {
		case typeUser, typeAction, typeResult:
			said = append(said, e.ID)
		}
	}
	if got := w.at(75).context(); !slices.Equal(got, said) {
		t.Errorf("before the first rebuild: %v, want %v", got, said)
	}
	for _, seq := range []int64{76, 91} {
		before, after := w.at(seq-1).context(), w.at(seq).context()
		b := readBody(w.raw[seq-1])
		var kept []string
		if err := json.Unmarshal(b.kept, &kept); err != nil || !slices.Equal(after, kept) {
			t.Errorf("after %d: %v, want %v", seq, after, kept)
		}
		gone := 0
		for _, write := range w.writes[seq-1] {
			if strings.HasPrefix(write.Path, model.PathMessages+"/") {
				gone++
				if !write.New.Absent() || write.Lost != model.LostRebuild {
					t.Errorf("%d writes %s: %+v", seq, write.Path, write)
				}
			}
		}
		if gone == 0 || gone != len(before)-len(after) {
			t.Errorf("%d takes %d messages out, %d are gone", seq, gone, len(before)-len(after))
		}
	}
	if !slices.Contains(w.at(90).context(), "evt_0088") || slices.Contains(w.at(91).context(), "evt_0088") {
		t.Error("88 is in view at 90 and lost by 91")
	}
	if slices.Contains(w.at(89).context(), "evt_0089") {
		t.Error("a system error is no message")
	}
}

// TestDemoMessages: what went to the provider for 90, with as many characters
// as the context counts.
func TestDemoMessages(t *testing.T) {
	w := demoWorlds(t)["greeter"]
	at := w.at(89)
	var view []model.Viewed
	for _, key := range at.members(model.PathMessages) {
		path := model.PathMessages + "/" + key
		entry, _ := replay.Message(path, at.cells[path])
		event, raw, _ := w.Record(entry.Pos)
		view = append(view, model.Viewed{Entry: entry, Record: event, Raw: raw})
	}
	talk := teller().Messages(view, true)
	if !talk.Exact || len(talk.Messages) != len(view) || len(view) == 0 {
		t.Fatalf("%d messages of %d records, exact: %v", len(talk.Messages), len(view), talk.Exact)
	}
	for i, m := range talk.Messages {
		if n := int64(len([]rune(m.Text))); n != view[i].Chars || m.Role != view[i].Role {
			t.Errorf("%s: %d characters of %s, the context has %d of %s", view[i].Event, n, m.Role, view[i].Chars, view[i].Role)
		}
	}
	call, result := talk.Messages[len(view)-2], talk.Messages[len(view)-1]
	if !slices.Equal(call.Calls, []model.MessageCall{{ID: "evt_0086", Tool: "read_file", Args: `{"path":"config/app.yaml"}`}}) || !slices.Equal(result.Results, []string{"evt_0086"}) || !strings.Contains(result.Text, "port: 8080") {
		t.Errorf("the last two: %+v, %+v", call, result)
	}
}

func TestDemoLeaves(t *testing.T) {
	worlds := demoWorlds(t)
	w := worlds["greeter"]
	for seq, want := range map[int64][]string{
		7: {"evt_0007"}, 8: nil, 30: {"evt_0029"}, 43: {"evt_0029", "evt_0042", "evt_0043"}, 49: {"evt_0029"}, 120: {"evt_0029"},
	} {
		if got := w.at(seq).members(model.PathPending); !slices.Equal(got, want) {
			t.Errorf("pending at %d: %v, want %v", seq, got, want)
		}
	}
	for path, want := range map[string]string{
		"/status/execution": `"completed"`, "/status/reason": `"agent says done"`, "/shell/cwd": `"/srv/greeter"`,
		"/shell/command": `"make smoke"`, "/shell/exit_code": "2", "/errors/count": "7", "/errors/last_seq": "118",
		"/checkpoint": `{"id":"snap_2","seq":104,"pos":104,"base_seq":100}`, "/context/tokens": "null",
	} {
		if got := w.at(120).json(path); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
	if got := w.at(76).json("/status/execution"); got != `"running"` {
		t.Errorf("the rebuild changed the status to %s", got)
	}
	if got := w.at(99).tasks(); len(got) != 4 || got[2] != task("3", "make smoke", "in_progress") {
		t.Errorf("tasks at 99: %v", got)
	}
	for _, s := range readDemo(t).Sessions {
		last := worlds[s.ID].at(int64(s.Events))
		var cost float64
		_ = json.Unmarshal([]byte(last.json("/usage/cost_usd")), &cost)
		if last.json("/usage/input_tokens") != itoa(s.Usage.Input) || last.json("/usage/output_tokens") != itoa(s.Usage.Output) || int64(cost*1e6+0.5) != int64(s.Usage.Cost*1e6+0.5) {
			t.Errorf("%s: usage %s, %s, %v", s.ID, last.json("/usage/input_tokens"), last.json("/usage/output_tokens"), cost)
		}
		if last.text("/status/execution") != s.Outcome || last.json("/errors/count") != itoa(int64(len(s.Failed))) {
			t.Errorf("%s: %s, %s errors", s.ID, last.text("/status/execution"), last.json("/errors/count"))
		}
	}
}

// TestCheckpoints compares what checkpoints recorded with the fold at their
// base.
func TestCheckpoints(t *testing.T) {
	demo := demoWorlds(t)["greeter"]
	clean := foldRun(t, readRuns(t, fixtureDump(t, "eventlog/clean.jsonl"))["s1"])
	folder := readRuns(t, fixtureDump(t, "eventlog/folder"))
	file, err := fixtures.FS.ReadFile("eventlog/folder/checkpoints/s1/snap_1.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		w    *world
		base int64
		raw  []byte
		want []string
	}{
		{"snap_1", demo, 86, readBody(demo.raw[86]).state, nil},
		{"snap_2, a ghost", demo, 100, readBody(demo.raw[103]).state, []string{"files Makefile"}},
		{"snap_2, later", demo, 103, readBody(demo.raw[103]).state, []string{"context"}},
		{"clean", clean, 9, readBody(clean.raw[9]).state, nil},
		{"folder", foldRun(t, folder["s1"]), 6, file, nil},
		{"folder, later", foldRun(t, folder["s1"]), 9, file, []string{"files a.txt"}},
	} {
		recorded, err := New().(model.Recorder).Recorded(test.raw)
		if err != nil || len(recorded.Unread) > 0 {
			t.Fatalf("%s: %v, %v", test.name, err, recorded.Unread)
		}
		if got := test.w.at(test.base).differs(recorded); !slices.Equal(got, test.want) {
			t.Errorf("%s differs from the fold at %d in %v, want %v", test.name, test.base, got, test.want)
		}
	}
}

// TestGeneratedCheckpoints: the generator keeps a state of its own and records
// it; the fold comes to the same.
func TestGeneratedCheckpoints(t *testing.T) {
	for seed := range uint64(2) {
		var buf bytes.Buffer
		if _, err := stream.Write(&buf, stream.Options{Events: 2000, Seed: seed, Size: 600}); err != nil {
			t.Fatal(err)
		}
		checked := 0
		for _, r := range readRuns(t, newDump(map[string]string{"gen.jsonl": buf.String()})) {
			w := foldRun(t, r)
			for i, e := range r.events {
				if e.Type != typeCheckpoint {
					continue
				}
				b := readBody(r.raw[i])
				recorded, err := New().(model.Recorder).Recorded(b.state)
				if err != nil {
					t.Fatal(err)
				}
				checked++
				if got := w.at(e.Seq - 1).differs(recorded); len(got) > 0 {
					t.Errorf("seed %d: the checkpoint %d differs in %v", seed, e.Seq, got)
				}
			}
		}
		if checked == 0 {
			t.Errorf("seed %d: no checkpoint", seed)
		}
	}
}

// TestBroken: a dump with faults folds, and what can be told is told.
func TestBroken(t *testing.T) {
	w := foldRun(t, readRuns(t, fixtureDump(t, "eventlog/broken.jsonl"))["s1"])
	last := w.at(17)
	if got := last.members(model.PathPending); got != nil {
		t.Errorf("pending: %v", got)
	}
	for path, want := range map[string]string{
		"/shell/command": `"exit 3"`, "/shell/exit_code": "3", "/errors/count": "2", "/checkpoint": `{"id":"k","seq":14,"pos":13,"base_seq":40}`,
		"/context/forgotten": "0", "/status/execution": "null",
	} {
		if got := last.json(path); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
}
