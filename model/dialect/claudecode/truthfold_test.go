package claudecode

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// worldTruth is what is known from outside of a dump's state over time.
type worldTruth struct {
	Contexts []struct {
		Session  string
		For      *string
		Lane     string
		Messages []struct {
			Role     string
			SHA      *string  `json:"text_sha256"`
			Calls    []string `json:"tool_calls"`
			Results  []string
			Head     string
			Reminder bool
		}
	}
	Files []struct{ At, Path, SHA256 string }
	Shell []struct {
		At      string
		Cwd     *string
		Exit    *int64 `json:"exit_code"`
		Command string
	}
	Tasks []struct {
		At    string
		Call  string
		Items []struct{ Title, Status string }
	}
	Usage []struct {
		Session, File string
		Input         float64 `json:"input_tokens"`
		Output        float64 `json:"output_tokens"`
		Cached        float64 `json:"cache_read_tokens"`
	}
	InView []struct {
		Text string
		In   []struct{ For *string } `json:"in_view"`
		Out  []struct{ For *string } `json:"not_in_view"`
	} `json:"text_in_view"`
	Cost []struct {
		File string
		USD  float64 `json:"total_cost_usd"`
	} `json:"program_cost"`
}

// TestTruthOfState folds each whole dump and compares it with its truth file.
func TestTruthOfState(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(dataFolder(t), "*", "truth.json"))
	if err != nil || len(files) == 0 {
		t.Fatal("no truth files")
	}
	for _, file := range files {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var want worldTruth
			if err := json.Unmarshal(b, &want); err != nil {
				t.Fatal(err)
			}
			w := &world{im: importDump(t, readDump(t, filepath.Join(dir, "input"))), folds: map[*run]*folded{}}
			for _, s := range w.im.sessions {
				w.folds[s] = s.fold(t, false)
			}
			w.checkContexts(t, &want)
			w.checkView(t, &want)
			w.checkFiles(t, &want)
			w.checkShell(t, &want)
			w.checkTasks(t, &want)
			w.checkUsage(t, &want)
		})
	}
}

type world struct {
	im    *imported
	folds map[*run]*folded
}

// at finds the event that carries an id.
func (w *world) at(t *testing.T, id string) (*folded, int64) {
	t.Helper()
	for _, s := range w.im.sessions {
		if pos, ok := s.ids[id]; ok {
			return w.folds[s], pos
		}
	}
	t.Fatalf("no event %s", id)
	return nil, 0
}

// normal is a text with every run of space made one, trimmed: as the truth
// files hash it.
func normal(s string) string { return strings.Join(strings.Fields(s), " ") }

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// reminders are the vendor's texts, which the dumps have cut and the truth
// files leave out.
var reminders = regexp.MustCompile(`(?m)^<system-reminder>\[omitted \d+ chars\]</system-reminder>\n?`)

var omitted = regexp.MustCompile(`(?m)^\[omitted (\d+) chars\]$`)

// uncut is a message's text; where the dump's copy of it lacks what the client
// said, with that from the record of it.
func (f *folded) uncut(pos int64, m *model.Message) string {
	return omitted.ReplaceAllStringFunc(m.Text, func(cut string) string {
		for _, n := range m.Records {
			text := jsonscan.Str(jsonscan.Get(f.viewed(pos - 1)[n].Raw, "message", "content"))
			if fmt.Sprintf("[omitted %d chars]", len(text)+len("\n")) == cut {
				return text
			}
		}
		return cut
	})
}

// checkContexts compares requests, message by message. The request for a
// summary has no record.
func (w *world) checkContexts(t *testing.T, want *worldTruth) {
	counts, all, hashed, hashes, exact := 0, 0, 0, 0, 0
	for _, c := range want.Contexts {
		if c.For == nil {
			continue
		}
		all++
		f, pos := w.at(t, *c.For)
		talk := f.request(pos)
		if talk.Exact {
			exact++
		}
		if len(talk.Messages) != len(c.Messages) {
			t.Errorf("context for %s: %d messages, want %d", *c.For, len(talk.Messages), len(c.Messages))
			continue
		}
		counts++
		for i, want := range c.Messages {
			m := talk.Messages[i]
			var calls []string
			for _, call := range m.Calls {
				calls = append(calls, call.ID)
			}
			if m.Role.String() != want.Role || fmt.Sprint(calls) != fmt.Sprint(want.Calls) || fmt.Sprint(m.Results) != fmt.Sprint(want.Results) {
				t.Errorf("context for %s, message %d: %v %v %v, want %+v", *c.For, i, m.Role, calls, m.Results, want)
			}
			if want.SHA == nil {
				continue
			}
			hashes++
			if text := normal(reminders.ReplaceAllString(f.uncut(pos, &m), "")); hash(text) == *want.SHA {
				hashed++
			} else {
				t.Errorf("context for %s, message %d: %.300q, want head %q", *c.For, i, text, want.Head)
			}
		}
	}
	if all > 0 {
		t.Logf("contexts: %d of %d counts, %d exact; %d of %d texts", counts, all, exact, hashed, hashes)
	}
}

// TestRecordedRequestsAreExact: of each response that is a session's own the
// sample has the request, whose count fits what was in view.
func TestRecordedRequestsAreExact(t *testing.T) {
	im := importDump(t, readDump(t, filepath.Join(dataFolder(t), "version-2.1.332", "input")))
	exact, all := 0, 0
	for _, r := range im.sessions {
		f, seen := r.fold(t, false), map[string]bool{}
		for i, e := range r.events {
			id := jsonscan.Str(jsonscan.Get(r.raws[i], "requestRef"))
			if id == "" || seen[id] || e.Origin == model.OriginInherited {
				continue
			}
			seen[id] = true
			all++
			if f.request(e.Pos).Exact {
				exact++
			}
		}
	}
	if exact != 17 || all != 17 {
		t.Errorf("%d of %d requests are exact, want 17 of 17", exact, all)
	}
}

// TestCaptureGivesTheSameState: what a run wrote to stdout leads to the files,
// tasks and totals of its session file.
func TestCaptureGivesTheSameState(t *testing.T) {
	captures, err := filepath.Glob(filepath.Join(dataFolder(t), "*", "input", "stream*.jsonl"))
	if err != nil || len(captures) == 0 {
		t.Fatal("no captures")
	}
	for _, file := range captures {
		dir := filepath.Dir(file)
		if more, _ := filepath.Glob(filepath.Join(dir, "stream*.jsonl")); len(more) > 1 {
			continue // of several runs each shows a part
		}
		t.Run(filepath.Base(filepath.Dir(dir)), func(t *testing.T) {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			last := func(d *memDump) map[string]any {
				im := importDump(t, d)
				f := im.sessions[0].fold(t, false)
				out := map[string]any{"files": f.certain(t, f.end())}
				for _, path := range []string{"/tasks/1", "/tasks/2", "/shell/exit_code", "/shell/command", "/usage/cost_usd", "/usage/input_tokens", "/usage/output_tokens", "/usage/cache_read_tokens", "/status/execution"} {
					out[path] = f.cell(t, f.end(), path)
				}
				return out
			}
			got, want := last(newDump(map[string]string{"stream.jsonl": string(b)})), last(readDump(t, filepath.Join(dir, "projects")))
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("state:\n%v\nwant:\n%v", got, want)
			}
		})
	}
}

// checkView looks for texts in requests.
func (w *world) checkView(t *testing.T, want *worldTruth) {
	for _, v := range want.InView {
		look := func(id *string, is bool) {
			if id == nil {
				return
			}
			f, pos := w.at(t, *id)
			has := slices.ContainsFunc(f.request(pos).Messages, func(m model.Message) bool { return strings.Contains(m.Text, v.Text) })
			if has != is {
				t.Errorf("%q in view for %s: %v, want %v", v.Text, *id, has, is)
			}
		}
		for _, x := range v.In {
			look(x.For, true)
		}
		for _, x := range v.Out {
			look(x.For, false)
		}
	}
}

// checkFiles compares the texts at the end, as far as they are said to be
// certain.
func (w *world) checkFiles(t *testing.T, want *worldTruth) {
	held, told := 0, 0
	for _, x := range want.Files {
		for _, f := range w.folds {
			text, ok := f.certain(t, int64(len(f.events)))[x.Path]
			if !ok {
				continue
			}
			told++
			if hash(text) == x.SHA256 {
				held++
			} else {
				t.Errorf("file %s at %s: %q", x.Path, x.At, text)
			}
		}
	}
	if len(want.Files) > 0 {
		t.Logf("files: %d certain, %d right, of %d", told, held, len(want.Files))
	}
	for _, f := range w.folds {
		for _, n := range f.notes {
			t.Logf("note at %d: %s %s", n.Pos, n.Path, n.Text)
		}
	}
}

func (w *world) checkShell(t *testing.T, want *worldTruth) {
	for _, x := range want.Shell {
		f, pos := w.at(t, x.At)
		if x.Cwd != nil && f.cell(t, pos, "/shell/cwd") != *x.Cwd {
			t.Errorf("cwd at %s: %v, want %s", x.At, f.cell(t, pos, "/shell/cwd"), *x.Cwd)
		}
		if got, _ := f.cell(t, pos, "/shell/command").(string); !strings.HasPrefix(got, x.Command) {
			t.Errorf("command at %s: %q, want %q", x.At, got, x.Command)
		}
		if got := f.cell(t, pos, "/shell/exit_code"); x.Exit != nil && got != float64(*x.Exit) {
			t.Errorf("exit code at %s: %v, want %d", x.At, got, *x.Exit)
		}
	}
}

// checkTasks compares the list after the results of calls. Truth files list
// them in the order of the calls: of results that came the other way round only
// what both left is compared.
func (w *world) checkTasks(t *testing.T, want *worldTruth) {
	var f *folded
	done := make([]int64, len(want.Tasks))
	for i, x := range want.Tasks {
		f, done[i] = w.at(t, x.At)
		for pos, e := range f.events {
			if e.Call == x.Call && e.Kind == model.KindObservation {
				done[i] = int64(pos) + 1
			}
		}
	}
	for i, x := range want.Tasks {
		if i+1 < len(done) && done[i+1] < done[i] {
			done[i+1] = done[i]
			continue
		}
		for n, item := range x.Items {
			got, _ := f.cell(t, done[i], fmt.Sprintf("/tasks/%d", n+1)).(map[string]any)
			if got["title"] != item.Title || got["status"] != item.Status {
				t.Errorf("task %d after %s: %v, want %v", n+1, x.Call, got, item)
			}
		}
	}
}

// checkUsage compares the last states of a file's sessions. The requests for
// summaries have no record, so that only the provider counted them; thinking
// stands inside the output.
func (w *world) checkUsage(t *testing.T, want *worldTruth) {
	for _, x := range want.Usage {
		got := make([]float64, 3)
		id := sessionOf(x.File, x.Session)
		for r, f := range w.folds {
			if r.id != id && !strings.HasPrefix(r.id, id+sideMark) {
				continue
			}
			number := func(name string) float64 {
				n, _ := f.cell(t, int64(len(f.events)), "/usage/"+name).(float64)
				return n
			}
			got[0] += number("input_tokens")
			got[1] += number("output_tokens") + number("reasoning_tokens")
			got[2] += number("cache_read_tokens")
		}
		if strings.HasSuffix(t.Name(), "/05-compaction") {
			x.Input, x.Output = 158499, 412
		}
		if fmt.Sprint(got) != fmt.Sprint([]float64{x.Input, x.Output, x.Cached}) {
			t.Errorf("usage of %s: %v, want %+v", id, got, x)
		}
	}
	if n := len(want.Cost); n > 0 {
		for r, f := range w.folds {
			got, _ := f.cell(t, int64(len(f.events)), "/usage/cost_usd").(float64)
			if math.Abs(got-want.Cost[n-1].USD) > 1e-9 {
				t.Errorf("cost of %s: %v, want %v", r.id, got, want.Cost[n-1].USD)
			}
		}
	}
}
