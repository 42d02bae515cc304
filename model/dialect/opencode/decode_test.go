package opencode

import (
	"slices"
	"strings"
	"testing"

	"hindcast/fixtures"
	"hindcast/fixtures/trial"
	"hindcast/model"
	"hindcast/model/jsonscan"
)

// fixture reads one of the project's own dumps; of databases it can read none.
func fixture(t testing.TB, folder string) *trial.Dump {
	t.Helper()
	files := map[string]string{}
	for _, c := range []string{"sync-history.json", "export.json", "global-event.sse", "run.jsonl"} {
		if b, err := fixtures.FS.ReadFile("opencode/" + folder + "/" + c); err == nil {
			files[c] = string(b)
		}
	}
	return trial.NewDump(files)
}

// only is the one root session of a dump.
func only(t testing.TB, d *trial.Dump) *trial.Session {
	t.Helper()
	for _, r := range importAll(t, d) {
		if r.Linker.Summary().Parent == "" {
			return r
		}
	}
	t.Fatal("no session")
	return nil
}

func TestTitlesSayWhatHappened(t *testing.T) {
	r := only(t, fixture(t, "history"))
	var got []string
	for _, e := range r.Events {
		if !e.Noise {
			got = append(got, e.Kind.String()+" "+e.Title)
		}
	}
	want := []string{
		"session session created: New session",
		"message user: Fix the rounding in price.js and run the tests.",
		"state title = Fix the rounding",
		"message thinking: The file first.",
		"action read /srv/app/price.js",
		"observation read ok: price.js",
		"observation edit error: oldString not found in content",
		"action bash npm test",
		"observation bash exit 1: AssertionError: 1.23 !== 1.24",
		"action task Review price.js",
		"state work tree changed: price.js",
		"checkpoint revert staged to before: Now remove the tests.",
		"message summary: Rounding in price.js was fixed; tests ran once and failed before that.",
		"checkpoint unrevert",
		"state message removed: Now remove the tests.",
		"state revert committed",
		"state output pruned: read /srv/app/price.js",
		"state compaction requested",
		"checkpoint compaction: a summary stands for what came before",
		"error APIError 400: The model is not known",
		"action bash npm publish",
	}
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("nothing says %q", w)
		}
	}
	if t.Failed() {
		t.Log(strings.Join(got, "\n"))
	}
	if s := r.Linker.Summary(); s.OpenCalls != 1 || s.Outcome != "running" || s.Version != "1.18.34" || s.Title != "Fix the rounding" {
		t.Errorf("%+v", s)
	}
}

// One session says the same whatever holds it: what an export derives stands in
// the log too, in the same order.
func TestDerivedMomentsStandInTheOrderOfTheLog(t *testing.T) {
	log, export := only(t, fixture(t, "history")), only(t, fixture(t, "export"))
	telling := func(r *trial.Session) (out []string) {
		for _, e := range r.Events {
			switch e.Kind {
			case model.KindMessage, model.KindAction, model.KindObservation, model.KindError, model.KindCheckpoint:
				reverted := strings.Contains(e.Title, "emove") || strings.Contains(e.Title, "rm -r") || strings.Contains(e.Title, "revert")
				if !reverted && !e.Noise {
					out = append(out, e.Title)
				}
			}
		}
		return out
	}
	a, b := telling(log), telling(export)
	if !slices.Equal(a, b) {
		t.Errorf("log:\n%s\nexport:\n%s", strings.Join(a, "\n"), strings.Join(b, "\n"))
	}
}

// A stream holds each row of the log twice, and its frames have the number of
// the row before.
func TestTwinsAreProgress(t *testing.T) {
	r := only(t, fixture(t, "stream"))
	last := int64(-1)
	for _, e := range r.Events {
		if e.Seq < last {
			t.Errorf("%s has the number %d behind %d", e.ID, e.Seq, last)
		}
		last = e.Seq
		if !e.HasSeq && e.ID == "" && (e.Kind != model.KindDelta || !e.Noise) {
			t.Errorf("a twin is %v", e.Kind)
		}
		if e.Type == "session.status" && (e.Title == "busy") != e.Noise {
			t.Errorf("state %q hidden: %v", e.Title, e.Noise)
		}
	}
}

func TestNotesComeBack(t *testing.T) {
	n := note{Op: opPart, Stage: stageDone, Flags: isFailed | isTail, Object: "prt_1", Parent: "", State: "a;b:c", Text: "ä\x1f", Extra: "x"}
	if got := parseNote(n.String()); got != n {
		t.Errorf("%+v", got)
	}
	for _, s := range []string{"", "a", "c1zz;", "c10;5:ab", "c10;x"} {
		parseNote(s)
	}
}

func FuzzDecode(f *testing.F) {
	for _, folder := range []string{"history", "export", "stream", "run"} {
		d := fixture(f, folder)
		streams := New().Claim(d, false)
		for _, line := range strings.SplitAfter(string(d.Whole(0)), "\n") {
			f.Add([]byte(strings.Trim(line, "[], \n")), byte(len(streams)))
		}
	}
	f.Add([]byte(`{"id":"a","session_id":"s","role":"assistant","parts":"[{\"type\":\"tool_call\",\"data\":{\"id\":\"c\",\"name\":\"bash\",\"input\":\"{}\"}}]"}`), byte(0))
	f.Add([]byte(`{"id":"msg_1","session_id":"s","time_created":1,"data":"{\"role\":7}"}`), byte(1))
	f.Fuzz(func(t *testing.T, raw []byte, mode byte) {
		if start, end, err := jsonscan.Value(raw); err != nil || end != len(raw) || raw[start] != '{' {
			t.Skip("not a record")
		}
		d := trial.NewDump(map[string]string{"a.jsonl": string(raw)})
		streams := New().Claim(d, true)
		for i := range streams {
			m := metaOf(&streams[i])
			m.Synced, m.Logged = mode&1 == 1, mode&2 == 2
			if mode&4 == 4 {
				streams[i].Order = model.OrderRepair
			}
		}
		for _, s := range trial.ReadStreams(t, New(), d, streams).Sessions {
			state, err := s.Linker.Save()
			if err != nil || s.Linker.Load(state) != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestSubjects: a search is told by what it looks for, not by where.
func TestSubjects(t *testing.T) {
	for call, want := range map[string]string{
		`grep {"path":"/src","pattern":"rate ="}`:       "rate =",
		`read {"filePath":"/src/tax.js","limit":3}`:     "/src/tax.js",
		`task {"prompt":"Look","description":"Review"}`: "Review",
	} {
		tool, input, _ := strings.Cut(call, " ")
		if got := subjectOf(tool, []byte(input)); got != want {
			t.Errorf("%s: %q, want %q", call, got, want)
		}
	}
	if got := fileNames([]byte(`["/a/b.js","C:\\d\\e.js","f","g","h"]`)); got != "b.js, e.js, f and 2 more" {
		t.Errorf("names of files: %q", got)
	}
}

// TestRunNamesItsCalls: what `run` prints of a call is all that there is of it.
func TestRunNamesItsCalls(t *testing.T) {
	var got []string
	for _, e := range only(t, fixture(t, "run")).Events {
		if e.Kind == model.KindObservation {
			got = append(got, e.Title)
		}
	}
	if len(got) < 3 || got[0] != "read /srv/app/price.js" || !slices.Contains(got, "bash npm test → exit 1: AssertionError: 1.23 !== 1.24") {
		t.Errorf("%q", got)
	}
}
