package codex

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hindcast/model"
)

// truth is what is known of a dump from outside.
type truth struct {
	Sessions []struct {
		ID, Parent *string
		File       string
	}
	Links  []struct{ From, To, Reason, Call string }
	Failed []string
	Usage  []struct {
		Session, File string
		Input         int64  `json:"input_tokens"`
		Output        int64  `json:"output_tokens"`
		Cached        int64  `json:"cache_read_tokens"`
		Reasoning     *int64 `json:"reasoning_tokens"`
	}
	Counts map[string]int64
	Shell  []struct {
		At   string
		Exit *int64 `json:"exit_code"`
	}
}

// scriptedFailures are the commands of scripts that failed. The truth files read
// results only; the script of such a command ended well.
var scriptedFailures = map[string]int{"version-0.171.0-code-mode": 1}

// TestTruth opens each dump and compares it with its truth file.
func TestTruth(t *testing.T) {
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
			var tr truth
			if err := json.Unmarshal(b, &tr); err != nil {
				t.Fatal(err)
			}
			d := readDump(t, dir)
			d.drop("llm-requests.jsonl")
			im := importDump(t, d)
			if len(im.broken) > 0 {
				t.Errorf("broken: %v", im.broken)
			}
			checkSessions(t, &tr, im, d)
			checkLinks(t, &tr, im)
			checkFailures(t, &tr, im, scriptedFailures[filepath.Base(dir)])
			checkUsage(t, &tr, im, d)
			checkCounts(t, &tr, im)
			checkShell(t, &tr, im)
		})
	}
}

// drop takes a file out of a dump.
func (d *memDump) drop(name string) {
	i := slices.IndexFunc(d.files, func(f model.File) bool { return f.Name == name })
	if i >= 0 {
		d.files, d.data = slices.Delete(d.files, i, i+1), slices.Delete(d.data, i, i+1)
	}
}

func checkSessions(t *testing.T, tr *truth, im *imported, d *memDump) {
	t.Helper()
	if len(im.sessions) != len(tr.Sessions) {
		t.Errorf("%d sessions, want %d", len(im.sessions), len(tr.Sessions))
	}
	for _, s := range tr.Sessions {
		i := slices.IndexFunc(im.sessions, func(r *run) bool { return d.nameOf(*r.stream) == s.File })
		if i < 0 {
			t.Errorf("no session of %s", s.File)
			continue
		}
		// Of one thread and several files, all but one carry their segment.
		if id, _, _ := strings.Cut(im.sessions[i].id, "_"); id != *s.ID {
			t.Errorf("session %s of %s, want %s", id, s.File, *s.ID)
		}
		want := ""
		if s.Parent != nil {
			want = *s.Parent
		}
		if got := im.sessions[i].linker.Summary().Parent; got != want {
			t.Errorf("parent %q of %s, want %q", got, s.File, want)
		}
	}
}

// own gives the events that a session did not get from another one.
func (im *imported) own(f func(r *run, e *model.Event)) {
	for _, r := range im.sessions {
		for _, e := range r.events {
			if e.Origin != model.OriginInherited {
				f(r, e)
			}
		}
	}
}

// named reports whether an event is the one that a truth file means: by its id,
// by its call where its version has no ids.
func named(e *model.Event, id string, kind model.Kind) bool {
	return e.Kind == kind && (e.ID == id || e.ID == "" && e.Call == id)
}

func checkLinks(t *testing.T, tr *truth, im *imported) {
	t.Helper()
	held := 0
	for _, want := range tr.Links {
		ok := false
		im.own(func(r *run, e *model.Event) {
			if !named(e, want.From, model.KindObservation) {
				return
			}
			for _, l := range e.Links {
				ok = ok || l.Resolved() && l.Reason.String() == want.Reason && !l.Inferred && linksCall(r.events[l.To.Pos-1], want.To)
			}
		})
		if !ok {
			t.Errorf("no link %s %s -> %s", want.Reason, want.From, want.To)
			continue
		}
		held++
	}
	t.Logf("%d of %d links", held, len(tr.Links))
}

func linksCall(e *model.Event, id string) bool {
	return e.Kind == model.KindAction && (e.ID == id || e.Call == id)
}

func checkFailures(t *testing.T, tr *truth, im *imported, scripted int) {
	t.Helper()
	found := map[string]bool{}
	im.own(func(r *run, e *model.Event) {
		if !e.Outcome.Failed() {
			return
		}
		for _, id := range tr.Failed {
			if e.ID == id || e.ID == "" && e.Call == id {
				found[id] = true
				return
			}
		}
		if isScripted(e.ID) {
			scripted--
			return
		}
		t.Errorf("%s seq %d failed: %q", r.id, e.Seq, e.Title)
	})
	for _, id := range tr.Failed {
		if !found[id] {
			t.Errorf("%s did not fail", id)
		}
	}
	if scripted != 0 {
		t.Errorf("%d more commands of scripts should have failed", scripted)
	}
}

func checkUsage(t *testing.T, tr *truth, im *imported, d *memDump) {
	t.Helper()
	for _, u := range tr.Usage {
		for _, r := range im.sessions {
			if r.id != u.Session || u.File != "" && d.nameOf(*r.stream) != u.File {
				continue
			}
			got := r.linker.Summary().Usage
			if got.Input+got.CacheRead+got.CacheWrite != u.Input || got.CacheRead != u.Cached || got.Output+got.Reasoning != u.Output {
				t.Errorf("usage of %s: %+v, want %+v", r.id, got, u)
			}
			if u.Reasoning != nil && got.Reasoning != *u.Reasoning {
				t.Errorf("reasoning of %s: %d, want %d", r.id, got.Reasoning, *u.Reasoning)
			}
		}
	}
}

func checkCounts(t *testing.T, tr *truth, im *imported) {
	t.Helper()
	got := map[string]int64{}
	im.own(func(_ *run, e *model.Event) { got[e.Type]++ })
	for typ, n := range tr.Counts {
		if typ != "(no type)" && got[typ] != n {
			t.Errorf("%d events of type %s, want %d", got[typ], typ, n)
		}
	}
}

// checkShell looks for exit codes in titles, where people read them.
func checkShell(t *testing.T, tr *truth, im *imported) {
	t.Helper()
	for _, sh := range tr.Shell {
		im.own(func(_ *run, e *model.Event) {
			if e.ID == sh.At && sh.Exit != nil && !strings.Contains(e.Title, "exit "+strconv.FormatInt(*sh.Exit, 10)) {
				t.Errorf("%s: %q does not say exit %d", sh.At, e.Title, *sh.Exit)
			}
		})
	}
}
