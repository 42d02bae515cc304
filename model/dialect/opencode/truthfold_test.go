package opencode

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hindcast/model"
)

// worldTruth is what is known from outside of a dump's state over time.
type worldTruth struct {
	Sessions []struct{ ID string }
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
		At, Path string
		SHA      string `json:"sha256"`
		Deleted  bool
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
				d := dumpOf(t, dir, input)
				c := &check{T: t, folds: map[string]*folded{}, pad: longer[filepath.Base(dir)]}
				for i := range d.data {
					d.data[i] = []byte(strings.ReplaceAll(string(d.data[i]), shortened, shortened+c.pad))
				}
				for id, r := range importAll(t, d) {
					c.folds[id] = r.fold(t, false)
				}
				c.isRun = strings.HasPrefix(filepath.Base(input), "run-format")
				c.contexts(&want)
				c.files(&want)
				c.shell(&want)
				c.tasks(&want)
				c.usage(&want)
			})
		}
	}
}

// The samples of these folders were recorded in a folder with a longer name,
// which was shortened later: where an output was cut by its length, the length
// it had then counts.
const shortened = "/srv/demo/calc"

var longer = map[string]string{
	"sync-1.18.34-main":       strings.Repeat("x", 26),
	"sync-1.18.34-compaction": strings.Repeat("x", 28),
}

// unknown are requests for a summary of versions whose words are in no record.
var unknown = map[string]bool{
	"msg_22ba8090a001RKzEmm526aE5RG": true, "msg_22ba5c0f7001w5hRHMUPIxU0iV": true,
	"prt_22bc0b203001e7Dt17X5Q3Xh7J": true, "msg_22bc1b946001ry5IziV09hnP8K": true, "msg_22bc1b7cd001DjcMAG0yomAWiy": true,
	"msg_22bc151bf001QG4Qc6YSyq6L3L": true, "msg_22bc14f4f0018PU5jhDFsPAbBG": true, "msg_22bc0d5af001a2Ayn2ot0QAVO3": true,
	"msg_22bc0d3c10014e2uNOjhIBU5ga": true,
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

// check compares folds with what is known.
type check struct {
	*testing.T
	folds map[string]*folded
	pad   string // of paths
	isRun bool   // lines of `run --format json`, which tell no prompts and folders
}

// plain takes the padding off again.
func (c *check) plain(s string) string {
	if c.pad == "" {
		return s
	}
	return strings.ReplaceAll(s, shortened+c.pad, shortened)
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

// contexts compares requests. Exact is one that is sure, and must hold then:
// from 1.14 on, where the session's version is known and its beginning there.
func (c *check) contexts(want *worldTruth) {
	for _, w := range want.Contexts {
		id := firstNonEmpty(w.Part, w.For)
		f, pos, _ := c.find(id)
		if f == nil {
			continue
		}
		view := f.viewed(pos - 1)
		talk := New().(model.Teller).Messages(view, true)
		if said, ok := New().(model.Requester).Request(*f.events[pos-1], view, f.imported); ok {
			talk = said
		}
		isSure := isExact(f.linker.Summary().Version) && !unknown[id] && !c.isRun
		if talk.Exact != isSure {
			c.Errorf("context for %s: exact %v", id, talk.Exact)
		}
		if unknown[id] || c.isRun {
			continue
		}
		if len(talk.Messages) != len(w.Messages) {
			c.Errorf("context for %s: %d messages, want %d", id, len(talk.Messages), len(w.Messages))
			continue
		}
		for i, x := range w.Messages {
			m := talk.Messages[i]
			var calls []string
			for _, call := range m.Calls {
				calls = append(calls, call.ID)
			}
			if m.Role.String() != x.Role || !slices.Equal(calls, x.Calls) || strings.Join(m.Results, " ") != x.Answers {
				c.Errorf("context for %s, message %d: %v, calls %v, results %v; want %+v", id, i, m.Role, calls, m.Results, x)
			}
			if x.SHA != nil && hash(normal(c.plain(m.Text))) != *x.SHA {
				c.Errorf("context for %s, message %d: %q", id, i, m.Text)
			}
		}
	}
}

// files: a text that is told is the one that stood there, unless it is in doubt.
func (c *check) files(want *worldTruth) {
	for _, w := range want.Files {
		f, pos := c.settled(w.At)
		if f == nil && w.At == "end" && len(want.Sessions) > 0 {
			if f = c.folds[want.Sessions[0].ID]; f != nil {
				pos = int64(len(f.events))
			}
		}
		if f == nil {
			continue
		}
		text, certainty, ok := f.file(c, pos, strings.ReplaceAll(w.Path, shortened, shortened+c.pad))
		if !ok || text == nil || certainty == "unknown" {
			continue
		}
		if w.Deleted || hash(c.plain(*text)) != w.SHA {
			c.Errorf("file %s at %s: %s %q", w.Path, w.At, certainty, *text)
		}
	}
}

func (c *check) shell(want *worldTruth) {
	for _, w := range want.Shell {
		f, pos := c.settled(w.At)
		if f == nil || f.events[pos-1].Kind != model.KindObservation {
			continue
		}
		command, _ := f.cell(c, pos, "/shell/command").(string)
		cwd, _ := f.cell(c, pos, "/shell/cwd").(string)
		exit, hasExit := f.cell(c, pos, "/shell/exit_code").(float64)
		running := f.cell(c, pos, "/shell/running")
		if command != w.Command || !c.isRun && w.Cwd != nil && c.plain(cwd) != *w.Cwd || w.Exit != nil && (!hasExit || int64(exit) != *w.Exit) || running != false {
			c.Errorf("shell at %s: %q in %q: %v %v, want %+v", w.At, command, cwd, exit, running, w)
		}
	}
}

func (c *check) tasks(want *worldTruth) {
	for _, w := range want.Tasks {
		f, pos := c.settled(w.At)
		if f == nil {
			continue
		}
		for i, item := range w.Items {
			got, _ := f.cell(c, pos, "/tasks/"+strconv.Itoa(i+1)).(map[string]any)
			if got["title"] != item.Title || got["status"] != item.Status {
				c.Errorf("task %d at %s: %v, want %v", i+1, w.At, got, item)
			}
		}
	}
}

// usage compares tokens; of a session without a version nothing tells what an
// older one counted twice.
func (c *check) usage(want *worldTruth) {
	for _, w := range want.Usage {
		f := c.folds[w.Session]
		if f == nil || f.linker.Summary().Version == "" && !c.isRun {
			continue
		}
		for name, n := range map[string]float64{"input": w.Input, "output": w.Output, "cache_read": w.Cached, "reasoning": w.Reasoning} {
			if got, _ := f.cell(c, int64(len(f.events)), "/usage/"+name+"_tokens").(float64); got != n {
				c.Errorf("%s tokens of %s: %v, want %v", name, w.Session, got, n)
			}
		}
	}
}
