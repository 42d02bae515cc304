package index

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestTruthOfRealDumps opens every real dump beside the project, in each of its packagings,
// and asks what its truth file knows from outside. What a dump cannot tell stands
// in truthPins.
func TestTruthOfRealDumps(t *testing.T) {
	root := sharedData(t)
	files, err := filepath.Glob(filepath.Join(root, "*", "*", "truth.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no truth files in %s", root)
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	all := &ledger{counts: make(map[string]map[string]*tallied), pins: make([]int, len(truthPins))}
	t.Run("dumps", func(t *testing.T) {
		for _, file := range files {
			folder, err := filepath.Rel(root, filepath.Dir(file))
			if err != nil {
				t.Fatal(err)
			}
			want := readTruth(t, file)
			for _, input := range packagingsOf(t, filepath.Dir(file), want) {
				name := path.Join(filepath.ToSlash(folder), strings.TrimPrefix(filepath.Base(input), "input"))
				if filepath.Dir(input) != filepath.Dir(file) {
					name = filepath.ToSlash(folder)
				}
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					w := openWorld(t, name, input, want)
					w.ledger = all
					w.check()
				})
			}
		}
	})
	if t.Failed() {
		return // a part of the dumps tells nothing of the pins
	}
	for i, n := range all.pins {
		if p := truthPins[i]; n != p.missed {
			t.Errorf("pin %q %s is of %d that are missed, now %d are", p.dump, p.key, p.missed, n)
		}
	}
	t.Log("dump, what, held of total\n" + all.summary())
}

// truth is what is known of a dump from outside of any importer.
type truth struct {
	Dialect  string
	Inputs   []struct{ File, Packaging string }
	Sessions []struct {
		ID, Parent, Title word
		File              string
		Records           int64
	}
	Links []struct {
		From, To word
		Reason   string
		Dangling bool
	}
	Failed, Rejected, Interrupted []word
	Copies                        []word `json:"failed_or_interrupted_copies_in_a_fork"`
	Causes                        []struct {
		Of    word
		Roots []word
	}
	Contexts []truthRequest
	InView   []struct {
		Text string
		In   []struct{ For word } `json:"in_view"`
		Out  []struct{ For word } `json:"not_in_view"`
	} `json:"text_in_view"`
	Lost []struct {
		Between []word
		IDs     []string
	}
	Files []struct {
		At      word
		Path    string
		SHA     string `json:"sha256"`
		Deleted bool
	}
	Shell []struct {
		At      word
		Cwd     *string
		Workdir *string `json:"workdir_argument"`
		Exit    *int64  `json:"exit_code"`
		Command string
	}
	Tasks []struct {
		At, Call word
		Items    []struct{ Title, Status string }
	}
	Usage []truthUsage
	Over  []struct {
		At   word
		Cost float64 `json:"cost_usd"`
	} `json:"usage_over_time"`
	ProgramCost []struct {
		USD float64 `json:"total_cost_usd"`
	} `json:"program_cost"`
	Counts map[string]json.RawMessage
}

// truthRequest is what a provider got.
type truthRequest struct {
	For, Part word
	View      []word // of OpenHands V0: the events
	Messages  []struct {
		Role      string
		SHA       string `json:"text_sha256"`
		Args      string `json:"arguments_sha256"`
		Calls     []string
		ToolCalls []string `json:"tool_calls"`
		Results   []string
		Answers   string `json:"tool_call_id"`
		ResultOf  string `json:"result_of"`
		Events    []string
	}
}

type truthUsage struct {
	Session      word
	File         string
	Input        *float64 `json:"input_tokens"`
	Output       *float64 `json:"output_tokens"`
	Cached       *float64 `json:"cache_read_tokens"`
	CacheWritten *float64 `json:"cache_write_tokens"`
	Reasoning    *float64 `json:"reasoning_tokens"`
	Cost         *float64 `json:"cost_usd"`
	Recorded     struct {
		Cost *float64 `json:"cost_usd"`
	} `json:"sum_of_the_recorded_steps"`
}

// word names an event or a session in a truth file: an id, a number, or words of
// its own that truthNames explains; empty for null.
type word string

// UnmarshalJSON takes strings and numbers.
func (w *word) UnmarshalJSON(b []byte) error {
	switch {
	case string(b) == "null":
		*w = ""
	case b[0] == '"':
		return json.Unmarshal(b, (*string)(w))
	default:
		*w = word(b)
	}
	return nil
}

func readTruth(t *testing.T, file string) *truth {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out truth
	if err := json.Unmarshal(b, &out); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return &out
}

// packagingsOf lists what is a dump of its own in a folder: input, the tables of
// one database, or each packaging that the truth file names.
func packagingsOf(t *testing.T, dir string, want *truth) (out []string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(dir, "input")); err == nil {
		return []string{filepath.Join(dir, "input")}
	}
	for _, in := range want.Inputs {
		switch {
		case strings.HasPrefix(in.Packaging, "row dump of table"):
			return []string{onlyInputs(t, dir, want)}
		case in.File != "state.json": // the program's state, which holds no events
			out = append(out, filepath.Join(dir, filepath.FromSlash(in.File)))
		}
	}
	return out
}

// onlyInputs copies the packagings of a folder, without the truth and what it
// was made from.
func onlyInputs(t *testing.T, dir string, want *truth) string {
	t.Helper()
	to := t.TempDir()
	for _, in := range want.Inputs {
		from, into := filepath.Join(dir, filepath.FromSlash(in.File)), filepath.Join(to, filepath.FromSlash(in.File))
		info, err := os.Stat(from)
		if err == nil && info.IsDir() {
			err = os.CopyFS(into, os.DirFS(from))
		} else if err == nil {
			var b []byte
			if b, err = os.ReadFile(from); err == nil {
				writeFile(t, into, b)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// pin is what a dump cannot tell, or what is told otherwise.
type pin struct {
	dump   string // a pattern of path.Match
	key    string // what is asked
	missed int    // answers that are missing, over all dumps of the pattern
	reason string
}

// ledger counts the answers of all dumps.
type ledger struct {
	mu     sync.Mutex
	counts map[string]map[string]*tallied // by dump and key
	pins   []int                          // answers missing, by pin
}

type tallied struct{ held, of int }

// verdict is how an answer compares with the truth. What is not known may be
// pinned; what is said to be sure and wrong may not.
type verdict uint8

const (
	holds verdict = iota
	missing
	wrong
)

// holdsIf is missing where an answer does not hold, but does not claim to.
func holdsIf(ok bool) verdict {
	if ok {
		return holds
	}
	return missing
}

// claim counts an answer.
func (l *ledger) claim(t *testing.T, dump, key string, v verdict, format string, args ...any) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.counts[dump] == nil {
		l.counts[dump] = make(map[string]*tallied)
	}
	n := l.counts[dump][key]
	if n == nil {
		n = &tallied{}
		l.counts[dump][key] = n
	}
	n.of++
	if v == holds {
		n.held++
		return
	}
	if v == missing {
		for i, p := range truthPins {
			if ok, _ := path.Match(p.dump, dump); ok && p.key == key {
				l.pins[i]++
				return
			}
		}
	}
	t.Errorf("%s: %s", key, fmt.Sprintf(format, args...))
}

// summary lists the dumps, a line each.
func (l *ledger) summary() string {
	var b bytes.Buffer
	totals := make(map[string]*tallied)
	for _, dump := range slices.Sorted(maps.Keys(l.counts)) {
		fmt.Fprintf(&b, "%s:", dump)
		for _, key := range slices.Sorted(maps.Keys(l.counts[dump])) {
			n := l.counts[dump][key]
			fmt.Fprintf(&b, " %s %d/%d", key, n.held, n.of)
			if totals[key] == nil {
				totals[key] = &tallied{}
			}
			totals[key].held, totals[key].of = totals[key].held+n.held, totals[key].of+n.of
		}
		b.WriteByte('\n')
	}
	b.WriteString("all:")
	for _, key := range slices.SortedFunc(maps.Keys(totals), cmp.Compare[string]) {
		fmt.Fprintf(&b, " %s %d/%d", key, totals[key].held, totals[key].of)
	}
	return b.String()
}
