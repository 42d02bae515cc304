package codex

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hindcast/model"
)

// worldTruth is what is known from outside of a dump's state over time.
type worldTruth struct {
	Contexts []struct {
		For      string
		Messages []struct {
			Role      string
			SHA       string   `json:"text_sha256"`
			Args      string   `json:"arguments_sha256"`
			ToolCalls []string `json:"tool_calls"`
			ID        string
			ResultOf  string `json:"result_of"`
		}
	}
	Files []struct{ Path, SHA256 string }
	Shell []struct {
		At      string
		Cwd     *string
		Workdir *string `json:"workdir_argument"`
		Exit    *int64  `json:"exit_code"`
		Command string
	}
	Usage []struct {
		Session   string
		Input     float64  `json:"input_tokens"`
		Output    float64  `json:"output_tokens"`
		Cached    float64  `json:"cache_read_tokens"`
		Reasoning *float64 `json:"reasoning_tokens"`
	}
	InView []struct {
		Text string
		In   []struct{ For string } `json:"in_view"`
		Out  []struct{ For string } `json:"not_in_view"`
	} `json:"text_in_view"`
	Lost []struct {
		Between []string
		IDs     []string
	}
}

// TestTruthOfState folds each whole dump and compares it with its truth file.
func TestTruthOfState(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(dataFolder(t), "*", "truth.json"))
	if err != nil || len(files) == 0 {
		t.Fatal("no truth files")
	}
	for _, file := range files {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var want worldTruth
			if err := json.Unmarshal(b, &want); err != nil {
				t.Fatal(err)
			}
			im := importDump(t, readDump(t, filepath.Join(filepath.Dir(file), "input")))
			var folds []*folded
			for _, s := range im.sessions {
				folds = append(folds, s.fold(t, false))
			}
			at := func(id string) (*folded, int64) {
				for _, f := range folds {
					if pos := f.Find(id); pos > 0 {
						return f, pos
					}
				}
				t.Fatalf("no event %s", id)
				return nil, 0
			}
			want.checkContexts(t, at)
			want.checkFiles(t, folds)
			want.checkShell(t, at)
			want.checkUsage(t, folds)
			want.checkView(t, at)
		})
	}
}

type lookupAt func(id string) (*folded, int64)

// normal is a text with every run of space made one, trimmed: as the truth
// files hash it.
func normal(s string) string { return strings.Join(strings.Fields(s), " ") }

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// checkContexts compares requests. The truth files leave out what developers
// say behind a compaction; instructions and the prompt for a summary stand
// outside.
func (want *worldTruth) checkContexts(t *testing.T, at lookupAt) {
	hold, texts, of := 0, 0, 0
	for _, c := range want.Contexts {
		f, pos := at(c.For)
		talk := f.request(pos)
		if !talk.Exact {
			t.Errorf("context for %s is not exact", c.For)
		}
		got := slices.DeleteFunc(talk.Messages, func(m model.Message) bool { return m.Role == model.RoleSystem })
		var asked []int
		for i, m := range c.Messages {
			if m.Role != "developer" {
				asked = append(asked, i)
			}
		}
		if len(got) != len(asked) {
			t.Errorf("context for %s: %d messages, want %d", c.For, len(got), len(asked))
			continue
		}
		hold++
		for i, n := range asked {
			m, w := got[i], c.Messages[n]
			role := w.Role
			if role == "reasoning" {
				role = "assistant"
			}
			var calls []string
			for _, call := range m.Calls {
				calls = append(calls, call.ID)
				if w.Args != "" && hash(normal(call.Args)) != w.Args {
					t.Errorf("context for %s, message %d: arguments %q", c.For, i, call.Args)
				}
			}
			if m.Role.String() != role || !slices.Equal(calls, w.ToolCalls) || strings.Join(m.Results, " ") != w.ResultOf {
				t.Errorf("context for %s, message %d: %v %v %v, want %+v", c.For, i, m.Role, calls, m.Results, w)
			}
			if w.SHA != "" && w.Role != "reasoning" {
				of++
				if hash(normal(m.Text)) == w.SHA {
					texts++
				} else {
					t.Errorf("context for %s, message %d: text %q", c.For, i, m.Text)
				}
			}
		}
	}
	if len(want.Contexts) > 0 {
		t.Logf("%d of %d contexts, %d of %d texts", hold, len(want.Contexts), texts, of)
	}
}

// checkFiles compares the texts at the end that are said to be known.
func (want *worldTruth) checkFiles(t *testing.T, folds []*folded) {
	known := 0
	for _, w := range want.Files {
		text, certainty := folds[0].file(t, folds[0].end(), w.Path)
		if certainty != "known" && certainty != "derived" {
			continue
		}
		known++
		if text == nil || hash(*text) != w.SHA256 {
			t.Errorf("file %s is not what is said to be %s: %v", w.Path, certainty, text)
		}
	}
	if len(want.Files) > 0 {
		t.Logf("%d of %d files known", known, len(want.Files))
	}
}

func (want *worldTruth) checkShell(t *testing.T, at lookupAt) {
	for _, w := range want.Shell {
		f, pos := at(w.At)
		// Of calls that ran at once the shell shows the last: the item of the call
		// tells of this one.
		pos = f.toldAt(pos)
		for _, dir := range []*string{w.Cwd, w.Workdir} {
			if dir != nil && f.cell(t, pos, "/shell/cwd") != *dir {
				t.Errorf("directory at %s: %v, want %s", w.At, f.cell(t, pos, "/shell/cwd"), *dir)
			}
		}
		if got := f.cell(t, pos, "/shell/command"); got != w.Command {
			t.Errorf("command at %s: %v, want %q", w.At, got, w.Command)
		}
		if got, _ := f.cell(t, pos, "/shell/exit_code").(float64); w.Exit != nil && int64(got) != *w.Exit {
			t.Errorf("exit code at %s: %v, want %d", w.At, got, *w.Exit)
		}
	}
}

// toldAt is the pos of the item that tells how the call of a result went; that
// of the result where no command's item does.
func (f *folded) toldAt(result int64) int64 {
	call := f.events[result-1].Call
	for _, e := range f.events {
		if e.Call != call || e.Pos == result {
			continue
		}
		for _, x := range f.effects[e.Pos-1] {
			if _, ran := x.(model.Run); ran {
				return e.Pos
			}
		}
	}
	return result
}

// checkUsage compares the last state of each session. Truth files count cached
// and reasoning tokens inside.
func (want *worldTruth) checkUsage(t *testing.T, folds []*folded) {
	for _, w := range want.Usage {
		for _, f := range folds {
			if f.id != w.Session {
				continue
			}
			number := func(name string) float64 {
				x, _ := f.cell(t, f.end(), "/usage/"+name).(float64)
				return x
			}
			in := number("input_tokens") + number("cache_read_tokens") + number("cache_write_tokens")
			out := number("output_tokens") + number("reasoning_tokens")
			if in != w.Input || out != w.Output || number("cache_read_tokens") != w.Cached || w.Reasoning != nil && number("reasoning_tokens") != *w.Reasoning {
				t.Errorf("usage of %s: %v in, %v out, want %+v", f.id, in, out, w)
			}
		}
	}
}

// checkView compares which requests held a text, and what compactions took out.
func (want *worldTruth) checkView(t *testing.T, at lookupAt) {
	holds := func(id, text string) bool {
		f, pos := at(id)
		return slices.ContainsFunc(f.request(pos).Messages, func(m model.Message) bool { return strings.Contains(m.Text, text) })
	}
	for _, w := range want.InView {
		for _, x := range w.In {
			if !holds(x.For, w.Text) {
				t.Errorf("%q is not in view for %s", w.Text, x.For)
			}
		}
		for _, x := range w.Out {
			if holds(x.For, w.Text) {
				t.Errorf("%q is in view for %s", w.Text, x.For)
			}
		}
	}
	for _, w := range want.Lost {
		f, from := at(w.Between[0])
		_, to := at(w.Between[1])
		var lost []string
		for _, x := range f.views[from-1] {
			if _, isItem := indexOf(x.Key); !isItem && !slices.ContainsFunc(f.views[to-2], func(y model.Entry) bool { return y.Key == x.Key }) {
				lost = append(lost, x.Event)
			}
		}
		if !slices.Equal(lost, w.IDs) {
			t.Errorf("lost %v, want %v", lost, w.IDs)
		}
	}
}
