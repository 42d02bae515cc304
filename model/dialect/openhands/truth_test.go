package openhands

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
	Inputs   []struct{ File string }
	Sessions []struct{ ID, Parent, Title *string }
	Links    []struct {
		From, To ref
		Reason   string
	}
	Failed   []ref
	Rejected []ref
	Usage    []struct {
		Session string
		Input   *int64   `json:"input_tokens"`
		Output  *int64   `json:"output_tokens"`
		Cached  *int64   `json:"cache_read_tokens"`
		Cost    *float64 `json:"cost_usd"`
	}
	Over []struct {
		At   ref
		Cost float64 `json:"cost_usd"`
	} `json:"usage_over_time"`
	Shell []struct {
		At      ref
		Exit    *int64 `json:"exit_code"`
		Command string
	}
}

// ref names an event in a truth file: an id, a V0 number, or session:pos.
type ref string

func (r *ref) UnmarshalJSON(b []byte) error {
	*r = ref(strings.Trim(string(b), `"`))
	return nil
}

// Where the truth files say it differently from the program, once:
//   - "prompt" is the user's message that an agent's record goes back to, the
//     program's source links lead there step by step;
//   - a link to a record that comes later is stored the other way round, as a
//     parent link;
//   - rejections stand apart from failures;
//   - the ids of conversations are written without dashes; an id that no file
//     of the dump holds is that of the folder it came from.
var sessionIDs = map[string]string{
	"c81a0af3-dc58-4626-940e-fdcbf7fd88e4":    "c81a0af3dc584626940efdcbf7fd88e4",
	"1da91efa-2192-41f2-b5f9-541a5ccc7feb":    "1da91efa219241f2b5f9541a5ccc7feb",
	"11111111-2222-3333-4444-555555555555":    "11111111222233334444555555555555",
	"22222222-3333-4444-5555-666666666666":    "22222222333344445555666666666666",
	"cli-cli447_hi_followup_iterative_case_a": "conversation",
	"cli-confirmation_mode":                   "conversation",
	"ohtab-mif32lzu":                          "events",
}

func readTruth(t *testing.T, path string) truth {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var tr truth
	if err := json.Unmarshal(b, &tr); err != nil {
		t.Fatal(err)
	}
	return tr
}

// TestTruth opens each whole dump and compares it with its truth file.
func TestTruth(t *testing.T) {
	data := dataFolder(t)
	files, err := filepath.Glob(filepath.Join(data, "*", "truth.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no truth files in %s", data)
	}
	for _, file := range files {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			tr := readTruth(t, file)
			im := importDump(t, readDump(t, dir))
			checkSessions(t, &tr, im)
			checkLinks(t, &tr, im)
			checkOutcomes(t, &tr, im)
			checkUsage(t, &tr, im)
			checkShell(t, &tr, im)
		})
	}
}

// eventOf finds the event that a truth file names.
func (im *imported) eventOf(t *testing.T, r ref) (*run, *model.Event) {
	t.Helper()
	if session, pos, ok := strings.Cut(string(r), ":"); ok {
		n, err := strconv.Atoi(pos)
		for _, s := range im.sessions {
			if err == nil && s.id == session && n >= 1 && n <= len(s.events) {
				return s, s.events[n-1]
			}
		}
	}
	for _, s := range im.sessions {
		if pos, ok := s.ids[string(r)]; ok {
			return s, s.events[pos-1]
		}
	}
	t.Fatalf("no event %s", r)
	return nil, nil
}

func checkSessions(t *testing.T, tr *truth, im *imported) {
	t.Helper()
	var want, got []string
	for _, s := range tr.Sessions {
		id := *s.ID
		if known, ok := sessionIDs[id]; ok {
			id = known
		}
		want = append(want, id)
		for _, r := range im.sessions {
			if r.id == id && s.Title != nil && r.linker.Summary().Title != *s.Title {
				t.Errorf("session %s: title %q, want %q", id, r.linker.Summary().Title, *s.Title)
			}
		}
	}
	for _, r := range im.sessions {
		got = append(got, r.id)
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("sessions %q, want %q", got, want)
	}
}

func checkLinks(t *testing.T, tr *truth, im *imported) {
	t.Helper()
	for _, l := range tr.Links {
		s, from := im.eventOf(t, l.From)
		_, to := im.eventOf(t, l.To)
		var ok bool
		switch {
		case l.Reason == "prompt":
			ok = reaches(s, from, to)
		case to.Pos > from.Pos:
			ok = linked(to, from, model.ReasonParent, false)
		default:
			reason, known := model.ParseReason(l.Reason)
			if !known {
				t.Fatalf("unknown reason %q", l.Reason)
			}
			ok = linked(from, to, reason, false) || from.ID == "" && linked(from, to, reason, true)
		}
		if !ok {
			t.Errorf("%s -> %s: no link %s; links of %q: %+v", l.From, l.To, l.Reason, from.Title, from.Links)
		}
	}
}

func linked(from, to *model.Event, reason model.Reason, inferred bool) bool {
	return slices.ContainsFunc(from.Links, func(l model.Link) bool {
		return l.Resolved() && l.To.Pos == to.Pos && l.Reason == reason && l.Inferred == inferred
	})
}

// reaches follows causes back to a user's message.
func reaches(s *run, e, to *model.Event) bool {
	for e.Cause != nil {
		e = s.events[e.Cause.To.Pos-1]
		if e.Pos == to.Pos {
			return true
		}
		if e.Source == "user" && e.Kind == model.KindMessage {
			return false
		}
	}
	return false
}

func checkOutcomes(t *testing.T, tr *truth, im *imported) {
	t.Helper()
	want := map[*model.Event]bool{}
	for _, r := range append(slices.Clone(tr.Failed), tr.Rejected...) {
		_, e := im.eventOf(t, r)
		want[e] = true
		if !e.Outcome.Failed() {
			t.Errorf("%s did not fail: %q", r, e.Title)
		}
	}
	for _, r := range tr.Rejected {
		if _, e := im.eventOf(t, r); !strings.Contains(e.Title, "rejected by") {
			t.Errorf("%s is no rejection: %q", r, e.Title)
		}
	}
	for _, s := range im.sessions {
		for _, e := range s.events {
			if e.Outcome.Failed() && !want[e] {
				t.Errorf("%s seq %d failed: %q", s.id, e.Seq, e.Title)
			}
		}
	}
}

func checkUsage(t *testing.T, tr *truth, im *imported) {
	t.Helper()
	for _, u := range tr.Usage {
		for _, s := range im.sessions {
			if s.id != u.Session {
				continue
			}
			got := s.linker.Summary().Usage
			if u.Input != nil && got.Input+got.CacheRead+got.CacheWrite != *u.Input {
				t.Errorf("input tokens %+v, want %d with cached ones", got, *u.Input)
			}
			if u.Output != nil && got.Output+got.Reasoning != *u.Output {
				t.Errorf("output tokens %+v, want %d", got, *u.Output)
			}
			if u.Cached != nil && got.CacheRead != *u.Cached {
				t.Errorf("cache reads %d, want %d", got.CacheRead, *u.Cached)
			}
			if u.Cost != nil && got.CostUSD != *u.Cost {
				t.Errorf("cost %v, want %v", got.CostUSD, *u.Cost)
			}
		}
	}
	for _, u := range tr.Over {
		s, at := im.eventOf(t, u.At)
		var sum float64
		for _, e := range s.events[:at.Pos] {
			if e.Usage != nil {
				sum += e.Usage.CostUSD
			}
		}
		if d := sum - u.Cost; d > 1e-9 || d < -1e-9 {
			t.Errorf("cost at %s is %v, want %v", u.At, sum, u.Cost)
		}
	}
}

// checkShell looks for exit codes in titles, where people read them.
func checkShell(t *testing.T, tr *truth, im *imported) {
	t.Helper()
	for _, sh := range tr.Shell {
		if sh.Exit == nil {
			continue
		}
		_, e := im.eventOf(t, sh.At)
		want := "exit " + strconv.FormatInt(*sh.Exit, 10)
		if *sh.Exit == -1 {
			want = "still running"
		}
		if e.Outcome.Failed() && *sh.Exit == -1 {
			continue // it never started: the title says why
		}
		if !strings.Contains(e.Title, want) {
			t.Errorf("%s: title %q does not say %q", sh.At, e.Title, want)
		}
		if *sh.Exit > 0 != e.Outcome.Failed() {
			t.Errorf("%s: exit %d, outcome %v", sh.At, *sh.Exit, e.Outcome)
		}
	}
}
