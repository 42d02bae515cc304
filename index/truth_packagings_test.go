package index

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"hindcast/model"
)

// accord is what of a session a packaging must tell as all of them together do.
type accord uint8

const (
	sameTexts accord = 1 << iota // messages, and those in view at the end
	sameCalls                    // calls with their results; at the end files, shell and tasks
	sameUsage
	sameAll             = sameTexts | sameCalls | sameUsage
	incomparable accord = 0
)

// packagingsHold tells of packagings that hold less than all; the first pattern
// that fits counts.
var packagingsHold = []struct {
	dump   string // a pattern of path.Match
	holds  accord
	reason string
}{
	{"opencode/*/rest-sessions.json", incomparable, "it lists sessions, and nothing of them"},
	{"opencode/*/run-format-json.jsonl", incomparable, "no prompts, no folders and no end"},
	{"opencode/old-1.[23].*/storage", incomparable, "these versions moved to a database"},
	{"opencode/old-0.5.*/rest-ses_*", sameTexts | sameCalls, "without a version nothing tells how tokens were counted"},
	{"claudecode/*/stream*.jsonl", sameCalls | sameUsage, "stdout holds no prompts"},
	{"codex/*/exec.jsonl", sameUsage, "stdout names calls and commands otherwise"},
	{"openhands/*/api_events_page.json", incomparable, "a page is a part"},
}

// TestSameSessionWhateverThePackagingOfRealDumps opens the packagings of each
// recorded run together and one by one: together they are one session, and each
// tells the same as all.
func TestSameSessionWhateverThePackagingOfRealDumps(t *testing.T) {
	root := sharedData(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for _, run := range []string{
		"opencode/0*", "opencode/old-*", "claudecode/0[138]*", "codex/0*", "openhands/synthetic-tree-condense", "openhands/synthetic-v0-session",
	} {
		dirs, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(run)))
		if err != nil || len(dirs) == 0 {
			t.Fatalf("no dumps %s", run)
		}
		for _, dir := range dirs {
			name := path.Join(path.Dir(run), filepath.Base(dir))
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				want := readTruth(t, filepath.Join(dir, "truth.json"))
				input := filepath.Join(dir, "input")
				if _, err := os.Stat(input); err != nil {
					input = onlyInputs(t, dir, want)
				}
				whole := accountOf(t, input)
				if len(whole) != 1 {
					t.Fatalf("opens as %d sessions: %v", len(whole), slices.Collect(maps.Keys(whole)))
				}
				for _, in := range partsOf(t, dir, want) {
					holds := accordOf(name + "/" + filepath.Base(in))
					if holds == incomparable {
						continue
					}
					got := accountOf(t, in)
					if len(got) != 1 {
						t.Errorf("%s opens as %d sessions", in, len(got))
						continue
					}
					one(whole).compare(t, filepath.Base(in), one(got), holds)
				}
			})
		}
	}
}

// partsOf lists the packagings of a folder; the files of a session's own folder
// are one.
func partsOf(t *testing.T, dir string, want *truth) (out []string) {
	t.Helper()
	for _, in := range want.Inputs {
		first, below, nested := strings.Cut(in.File, "/")
		if nested && first == "input" {
			first, _, _ = strings.Cut(below, "/")
			first = path.Join("input", first)
		}
		p := filepath.Join(dir, filepath.FromSlash(first))
		if !strings.HasSuffix(p, ".sqlite") && first != "input/tasks" && !slices.Contains(out, p) { // beside a session, not one
			out = append(out, p)
		}
	}
	return out
}

func accordOf(dump string) accord {
	for _, p := range packagingsHold {
		if ok, _ := path.Match(p.dump, dump); ok {
			return p.holds
		}
	}
	return sameAll
}

// account is what a session did, and how it stood in the end.
type account struct {
	said, done []string // messages; calls with their results
	end        []string
	usage      string
	view       []string // messages in view at the end
}

func one(all map[string]account) account {
	for _, a := range all {
		return a
	}
	return account{}
}

// numbers of events in titles are of the packaging.
var branchFrom = regexp.MustCompile(`^branch from \d+`)

func accountOf(t *testing.T, input string) map[string]account {
	t.Helper()
	ctx := context.Background()
	x := openAll(t, "", Options{IndexPath: filepath.Join(t.TempDir(), "index.db")}, input)
	sessions, err := x.Sessions(ctx)
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string]account)
	for _, s := range sessions {
		var a account
		var last model.Event
		if err := x.Query(ctx, s.ID, nil, func(e model.Event) bool {
			title := branchFrom.ReplaceAllString(e.Title, "branch")
			switch last = e; e.Kind {
			case model.KindMessage:
				a.said = append(a.said, e.Source+": "+title)
			case model.KindAction, model.KindObservation:
				a.done = append(a.done, fmt.Sprintf("%s %s %s failed %t: %s", e.Kind, e.Tool, e.Call, e.Outcome.Failed(), title))
			}
			return true
		}); err != nil {
			t.Fatal(err)
		}
		st, err := x.State(ctx, last, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range slices.Sorted(maps.Keys(st.Files)) {
			f := st.Files[file]
			a.end = append(a.end, fmt.Sprintf("file %s %s %s", file, f.Certainty, quoted(f.Content)))
		}
		a.end = append(a.end, "shell "+asJSON(t, st.Shell), "tasks "+asJSON(t, st.Tasks), fmt.Sprintf("%d pending, %d errors", len(st.Pending), st.Errors.Count))
		a.usage = asJSON(t, st.Usage)
		view, err := x.Context(ctx, ContextQuery{At: last})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range view.Messages {
			a.view = append(a.view, fmt.Sprintf("%s %q", m.Role, m.Text))
		}
		a.view = append(a.view, fmt.Sprintf("status %s, %d forgotten", asJSON(t, st.Status), st.Context.Forgotten))
		out[s.ID] = a
	}
	return out
}

// compare holds a packaging against the whole. In which order things were told
// that happened at once, packagings differ.
func (a account) compare(t *testing.T, name string, b account, holds accord) {
	t.Helper()
	if holds&sameUsage != 0 && a.usage != b.usage {
		t.Errorf("%s: usage %s, not %s", name, b.usage, a.usage)
	}
	if holds&sameCalls != 0 {
		sameLines(t, name+": calls", sorted(a.done), sorted(b.done))
		sameLines(t, name+": end", a.end, b.end)
	}
	if holds&sameTexts != 0 {
		sameLines(t, name+": messages", sorted(a.said), sorted(b.said))
		sameLines(t, name+": in view", a.view, b.view)
	}
}

func sorted(lines []string) []string { return slices.Sorted(slices.Values(lines)) }

func sameLines(t *testing.T, what string, want, got []string) {
	t.Helper()
	for i := range max(len(want), len(got)) {
		var l, r string
		if i < len(want) {
			l = want[i]
		}
		if i < len(got) {
			r = got[i]
		}
		if l != r {
			t.Errorf("%s: line %d of %d and %d:\n%.300s\nwant\n%.300s", what, i+1, len(got), len(want), r, l)
			return
		}
	}
}

// TestPackedRolloutsOfRealDumps: old rollouts are packed by the program itself.
func TestPackedRolloutsOfRealDumps(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	plain, err := filepath.Glob(filepath.Join(sharedData(t), "codex", "05-compaction", "input", "sessions", "*", "*", "*", "rollout-*.jsonl"))
	if err != nil || len(plain) != 1 {
		t.Fatalf("rollouts %q", plain)
	}
	data, err := os.ReadFile(plain[0])
	if err != nil {
		t.Fatal(err)
	}
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	packed := filepath.Join(t.TempDir(), filepath.Base(plain[0])+".zst")
	writeFile(t, packed, w.EncodeAll(data, nil))
	one(accountOf(t, plain[0])).compare(t, "packed", one(accountOf(t, packed)), sameAll)
}

// TestLogGivesItsProjectionsInRealDumps: what the log of an opencode database
// comes to is what its tables of sessions, messages and parts hold.
func TestLogGivesItsProjectionsInRealDumps(t *testing.T) {
	root := sharedData(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for _, run := range []string{"01-happy", "03-parallel", "05-compaction", "08-wrong-dir"} {
		t.Run(run, func(t *testing.T) {
			t.Parallel()
			log := filepath.Join(root, "opencode", run, "opencode.db")
			data, err := os.ReadFile(log)
			if err != nil {
				t.Fatal(err)
			}
			tables := filepath.Join(t.TempDir(), "opencode.db")
			writeFile(t, tables, data)
			db, err := sql.Open("sqlite", tables)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if _, err := db.Exec("DELETE FROM event"); err != nil {
				t.Fatal(err)
			}
			one(accountOf(t, log)).compare(t, "tables", one(accountOf(t, tables)), sameAll)
		})
	}
}
