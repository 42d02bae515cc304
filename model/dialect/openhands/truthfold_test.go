package openhands

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
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
		For      ref
		View     []any // V0: ids
		Messages []struct {
			Role      string
			SHA       *string  `json:"text_sha256"`
			ToolCalls []string `json:"tool_calls"`
			Events    []string
			Answers   string `json:"tool_call_id"`
		}
	}
	Files []struct {
		At   ref
		Path string
		SHA  string `json:"sha256"`
	}
	Shell []struct {
		At      ref
		Cwd     *string
		Exit    *int64 `json:"exit_code"`
		Command string
	}
	Tasks []struct {
		At    ref
		Items []struct{ Title, Status string }
	}
	Usage []struct {
		Session string
		Input   *float64 `json:"input_tokens"`
		Output  *float64 `json:"output_tokens"`
		Cached  *float64 `json:"cache_read_tokens"`
		Cost    *float64 `json:"cost_usd"`
	}
	Over []struct {
		At   ref
		Cost float64 `json:"cost_usd"`
	} `json:"usage_over_time"`
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
			im := importDump(t, readDump(t, dir))
			folds := map[*run]*folded{}
			for _, s := range im.sessions {
				folds[s] = s.fold(t, false)
			}
			at := func(r ref) (*folded, int64) {
				s, e := im.eventOf(t, r)
				return folds[s], e.Pos
			}
			want.checkContexts(t, at)
			want.checkFiles(t, at)
			want.checkShell(t, at)
			want.checkTasks(t, at)
			want.checkUsage(t, folds, at)
		})
	}
}

type lookupAt func(ref) (*folded, int64)

// normal is a text with every run of space made one, trimmed: as the truth
// files hash it.
func normal(s string) string { return strings.Join(strings.Fields(s), " ") }

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// checkContexts compares requests; truth files leave the system prompt out.
func (want *worldTruth) checkContexts(t *testing.T, at lookupAt) {
	for _, c := range want.Contexts {
		f, pos := at(c.For)
		view := f.viewed(pos - 1)
		if c.View != nil {
			got := []string{}
			for _, x := range view {
				if x.Summary {
					got = append(got, "summary:"+x.Event)
				} else {
					got = append(got, x.Event)
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(c.View) {
				t.Errorf("context for %s: %v, want %v", c.For, got, c.View)
			}
			continue
		}
		talk := New().(model.Teller).Messages(view, true)
		if !talk.Exact {
			t.Errorf("context for %s is not exact", c.For)
		}
		got := slices.DeleteFunc(talk.Messages, func(m model.Message) bool { return m.Role == model.RoleSystem })
		if len(got) != len(c.Messages) {
			t.Errorf("context for %s: %d messages, want %d", c.For, len(got), len(c.Messages))
			continue
		}
		for i, w := range c.Messages {
			m := got[i]
			var calls, events []string
			for _, call := range m.Calls {
				calls = append(calls, call.ID)
			}
			for _, n := range m.Records {
				events = append(events, viewIDs(view[n:n+1])...)
			}
			if m.Role.String() != w.Role || !slices.Equal(calls, w.ToolCalls) || !slices.Equal(events, w.Events) || strings.Join(m.Results, " ") != w.Answers {
				t.Errorf("context for %s, message %d: %v %v %v %v, want %+v", c.For, i, m.Role, calls, events, m.Results, w)
			}
			if w.SHA != nil && hash(normal(m.Text)) != *w.SHA {
				t.Errorf("context for %s, message %d: text %q", c.For, i, m.Text)
			}
		}
	}
}

func (want *worldTruth) checkFiles(t *testing.T, at lookupAt) {
	for _, w := range want.Files {
		f, pos := at(w.At)
		text, ok := f.texts(pos)[w.Path]
		if !ok || hash(text) != w.SHA {
			t.Errorf("file %s at %s: %q", w.Path, w.At, text)
		}
	}
}

// checkShell compares the shell after a command. Code -1 stands for a command
// that runs, or, of a failed result, for one that never started.
func (want *worldTruth) checkShell(t *testing.T, at lookupAt) {
	for _, w := range want.Shell {
		f, pos := at(w.At)
		if w.Cwd != nil {
			f.expect(t, pos, "/shell/cwd", w.Cwd)
		}
		if w.Command != "" {
			got, _ := f.cell(t, pos, "/shell/command").(string)
			if !strings.HasPrefix(got, w.Command) {
				t.Errorf("command at %s: %q, want %q", w.At, got, w.Command)
			}
		}
		isRunning := w.Exit != nil && *w.Exit == -1
		if isRunning {
			w.Exit = nil
		}
		f.expect(t, pos, "/shell/exit_code", w.Exit)
		f.expect(t, pos, "/shell/running", isRunning && !f.events[pos-1].Outcome.Failed())
	}
}

func (want *worldTruth) checkTasks(t *testing.T, at lookupAt) {
	for _, w := range want.Tasks {
		f, pos := at(w.At)
		for i, item := range w.Items {
			got, _ := f.cell(t, pos, fmt.Sprintf("/tasks/%d", i+1)).(map[string]any)
			if got["title"] != item.Title || got["status"] != item.Status {
				t.Errorf("task %d at %s: %v, want %v", i+1, w.At, got, item)
			}
		}
	}
}

// checkUsage compares the last state of each session. Truth files count cached
// and reasoning tokens inside.
func (want *worldTruth) checkUsage(t *testing.T, folds map[*run]*folded, at lookupAt) {
	number := func(f *folded, name string) float64 {
		x, _ := f.cell(t, int64(len(f.events)), "/usage/"+name).(float64)
		return x
	}
	for _, w := range want.Usage {
		for r, f := range folds {
			if r.id != w.Session {
				continue
			}
			if w.Input != nil && number(f, "input_tokens")+number(f, "cache_read_tokens")+number(f, "cache_write_tokens") != *w.Input {
				t.Errorf("input tokens of %s: %v, want %v", r.id, number(f, "input_tokens"), *w.Input)
			}
			if w.Output != nil && number(f, "output_tokens")+number(f, "reasoning_tokens") != *w.Output {
				t.Errorf("output tokens of %s: %v, want %v", r.id, number(f, "output_tokens"), *w.Output)
			}
			if w.Cached != nil && number(f, "cache_read_tokens") != *w.Cached {
				t.Errorf("cached tokens of %s: %v, want %v", r.id, number(f, "cache_read_tokens"), *w.Cached)
			}
			if w.Cost != nil && math.Abs(number(f, "cost_usd")-*w.Cost) > 1e-9 {
				t.Errorf("cost of %s: %v, want %v", r.id, number(f, "cost_usd"), *w.Cost)
			}
		}
	}
	for _, w := range want.Over {
		f, pos := at(w.At)
		f.expect(t, pos, "/usage/cost_usd", w.Cost)
	}
}
