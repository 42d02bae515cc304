package opencode

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
		Session, For, Part string
		Messages           []struct {
			Role    string
			SHA     *string  `json:"text_sha256"`
			Calls   []string `json:"tool_calls"`
			Answers string   `json:"tool_call_id"`
			Head    string
		}
	}
	Files []struct {
		At, Path, Text string
		Deleted        bool
	}
	Shell []struct {
		At      string
		Cwd     *string
		Exit    *int64 `json:"exit_code"`
		Command string
	}
	Tasks []struct {
		At    string
		Items []struct{ Title, Status string }
	}
	Usage []struct {
		Session   string
		Input     float64 `json:"input_tokens"`
		Output    float64 `json:"output_tokens"`
		Cached    float64 `json:"cache_read_tokens"`
		Reasoning float64 `json:"reasoning_tokens"`
		Cost      float64 `json:"cost_usd"`
	}
}

// TestTruthOfState folds each packaging of each dump and compares it with the
// truth file.
func TestTruthOfState(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(dataFolder(t), "*", "truth.json"))
	if err != nil || len(files) == 0 {
		t.Fatal("no truth files")
	}
	for _, file := range files {
		dir := filepath.Dir(file)
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var want worldTruth
		if err := json.Unmarshal(b, &want); err != nil {
			t.Fatal(err)
		}
		for _, input := range packagings(t, dir) {
			t.Run(filepath.Base(dir)+"/"+filepath.Base(input), func(t *testing.T) {
				folds := map[string]*folded{}
				for id, r := range importAll(t, dumpOf(t, dir, input)) {
					folds[id] = r.fold(t, false)
				}
				c := &check{T: t, folds: folds}
				c.contexts(&want)
				c.files(&want)
				c.shell(&want)
				c.tasks(&want)
				c.usage(&want)
				t.Log(c.summary())
			})
		}
	}
}

// packagings lists what is a dump of its own in a folder of samples.
func packagings(t *testing.T, dir string) (out []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := e.Name()
		switch {
		case name == "truth.json", name == "evidence", name == "rest-sessions.json", strings.Contains(name, ".head."), strings.Contains(name, "sanitized"):
		default:
			out = append(out, filepath.Join(dir, name))
		}
	}
	return out
}

// check compares folds with what is known, and counts what holds.
type check struct {
	*testing.T
	folds map[string]*folded
	counts
}

// counts are the claims of a truth file that were looked at, and those that hold.
type counts struct {
	Contexts, ContextsHeld, ContextsExact int
	Files, FilesHeld, FilesWrong          int
	Shell, ShellHeld, Tasks, TasksHeld    int
	Usage, UsageHeld                      int
}

func (c *check) summary() string {
	b, _ := json.Marshal(c.counts)
	return string(b)
}

// find gives the session that holds an id, and the pos of its first and last
// event that carries it.
func (c *check) find(id string) (f *folded, first, last int64) {
	for _, f := range c.folds {
		if first = f.ids[id]; first == 0 {
			continue
		}
		for _, e := range f.events {
			if e.ID == id || slices.Contains(e.Aliases, id) {
				last = e.Pos
			}
		}
		return f, first, last
	}
	return nil, 0, 0
}

// settled is the pos of the row that ended what an id names: of a call its
// result, before later rows of it.
func (c *check) settled(id string) (*folded, int64) {
	f, first, last := c.find(id)
	if f == nil {
		return nil, 0
	}
	for _, e := range f.events[first-1:] {
		if e.Kind == model.KindObservation && (e.ID == id || slices.Contains(e.Aliases, id)) {
			return f, e.Pos
		}
	}
	return f, last
}

// normal is a text as the truth files hash it.
func normal(s string) string { return strings.Join(strings.Fields(s), " ") }

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

func (c *check) contexts(want *worldTruth) {
	for _, w := range want.Contexts {
		id := w.For
		if w.Part != "" {
			id = w.Part
		}
		f, pos, _ := c.find(id)
		if f == nil {
			continue
		}
		c.Contexts++
		view := f.viewed(pos - 1)
		talk := New().(model.Teller).Messages(view, true)
		if r, ok := New().(model.Requester); ok {
			if said, ok := r.Request(*f.events[pos-1], view, f.imported); ok {
				talk = said
			}
		}
		if talk.Exact {
			c.ContextsExact++
		}
		got := slices.DeleteFunc(talk.Messages, func(m model.Message) bool { return m.Role == model.RoleSystem })
		why := ""
		if len(got) != len(w.Messages) {
			why = "number of messages"
		}
		for i := 0; why == "" && i < len(got); i++ {
			m, x := got[i], w.Messages[i]
			var calls []string
			for _, call := range m.Calls {
				calls = append(calls, call.ID)
			}
			switch {
			case m.Role.String() != x.Role || !slices.Equal(calls, x.Calls) || strings.Join(m.Results, " ") != x.Answers:
				why = "shape of message"
			case x.SHA != nil && hash(normal(m.Text)) != *x.SHA:
				why = "text of message " + m.Text[:min(200, len(m.Text))] + " != " + x.Head
			}
		}
		if why == "" {
			c.ContextsHeld++
			continue
		}
		c.Logf("context for %s (exact %v): %s", id, talk.Exact, why)
		if os.Getenv("SHOW") != "" {
			for i := range max(len(got), len(w.Messages)) {
				a, b := "", ""
				if i < len(got) {
					a = got[i].Role.String() + " " + normal(got[i].Text)
				}
				if i < len(w.Messages) {
					b = w.Messages[i].Role + " " + normal(w.Messages[i].Head)
				}
				c.Logf("   %3d %-60.60s | %-60.60s", i, a, b)
			}
		}
	}
}

func (c *check) files(want *worldTruth) {
	for _, w := range want.Files {
		f, pos := c.settled(w.At)
		if f == nil || w.Deleted {
			continue
		}
		text, certainty, ok := f.file(c, pos, w.Path)
		if !ok || text == nil {
			continue
		}
		c.Files++
		switch {
		case *text == w.Text:
			c.FilesHeld++
		case certainty == "known" || certainty == "derived":
			c.FilesWrong++
			c.Logf("file %s at %s: %s %q", w.Path, w.At, certainty, *text)
		}
	}
}

func (c *check) shell(want *worldTruth) {
	for _, w := range want.Shell {
		f, pos := c.settled(w.At)
		if f == nil {
			continue
		}
		c.Shell++
		command, _ := f.cell(c, pos, "/shell/command").(string)
		cwd, _ := f.cell(c, pos, "/shell/cwd").(string)
		exit, hasExit := f.cell(c, pos, "/shell/exit_code").(float64)
		running := f.cell(c, pos, "/shell/running")
		if command != w.Command || w.Cwd != nil && cwd != *w.Cwd || w.Exit != nil && (!hasExit || int64(exit) != *w.Exit) || running != false {
			c.Logf("shell at %s: %q in %q: %v %v, want %q in %v", w.At, command, cwd, exit, running, w.Command, w.Cwd)
			continue
		}
		c.ShellHeld++
	}
}

func (c *check) tasks(want *worldTruth) {
	for _, w := range want.Tasks {
		f, pos := c.settled(w.At)
		if f == nil {
			continue
		}
		c.Tasks++
		held := true
		for i, item := range w.Items {
			got, _ := f.cell(c, pos, "/tasks/"+string(rune('1'+i))).(map[string]any)
			held = held && got["title"] == item.Title && got["status"] == item.Status
		}
		if held {
			c.TasksHeld++
		}
	}
}

func (c *check) usage(want *worldTruth) {
	for _, w := range want.Usage {
		f := c.folds[w.Session]
		if f == nil {
			continue
		}
		c.Usage++
		number := func(name string) float64 {
			x, _ := f.cell(c, int64(len(f.events)), "/usage/"+name).(float64)
			return x
		}
		if number("input_tokens") == w.Input && number("output_tokens") == w.Output && number("cache_read_tokens") == w.Cached && number("reasoning_tokens") == w.Reasoning {
			c.UsageHeld++
			continue
		}
		c.Logf("usage: %v %v %v %v, want %+v", number("input_tokens"), number("output_tokens"), number("cache_read_tokens"), number("reasoning_tokens"), w)
	}
}
