package index

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hindcast/fixtures"
	"hindcast/model"
	"hindcast/model/answer"
)

// openCase opens a fixture of fixtures/cases.
func openCase(t *testing.T, name string) *Index {
	t.Helper()
	return openAll(t, t.TempDir(), Options{}, filepath.Join(unpackFixtures(t), "cases", name))
}

// caseNames lists the fixtures of reported faults by their names.
func caseNames(t *testing.T) (names []string) {
	t.Helper()
	all, err := fixtures.Cases()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		if name, ok := strings.CutPrefix(c.Path, "cases/"); ok {
			names = append(names, strings.TrimSuffix(name, ".jsonl"))
		}
	}
	return names
}

// Every reported case has a script that asks its question, and a row that tells
// how; no script is left over.
func TestCasesAreToldAndTested(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "docs", "cases.md"))
	if err != nil {
		t.Fatal(err)
	}
	names := caseNames(t)
	for _, name := range names {
		if !strings.Contains(string(page), "| "+name+" |") {
			t.Errorf("docs/cases.md has no row for %s", name)
		}
	}
	scripts, err := filepath.Glob(filepath.Join("..", "cmd", "hindcast", "testdata", "script", "case-*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	var tested []string
	for _, path := range scripts {
		tested = append(tested, strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), "case-"), ".txtar"))
	}
	if slices.Sort(tested); !slices.Equal(tested, names) {
		t.Errorf("scripts of %v, fixtures of %v", tested, names)
	}
}

// resolved is the seq of what an address names, or the reason why it names nothing.
func resolved(t *testing.T, x *Index, session, address string) any {
	t.Helper()
	a, err := model.ParseAddress(address)
	if err != nil {
		t.Fatal(err)
	}
	e, err := x.Resolve(context.Background(), session, a, AsEvent)
	if err != nil {
		return err.Error()
	}
	return e.Seq
}

// An error's numbers, its ids and ctx:n agree on the message.
func TestAddressesOfMessages(t *testing.T) {
	wants := []struct {
		name, address string
		want          any
	}{
		{"C-008", "ctx:1", int64(1)},
		{"C-008", "ctx:20", int64(20)},
		{"C-008", "ctx:20+1", int64(21)},
		{"C-008", "messages.19: tool_use", int64(20)},
		{"C-008", "invalid messages[19] here", int64(20)},
		{"C-008", "input[0] is wrong", int64(1)},
		{"C-008", "messages.400 or messages.1", int64(2)},
		{"C-008", "ctx:0", "no event ctx:0: the request behind the error at 31 has messages ctx:1 to ctx:24; nearest: first, last"},
		{"C-008", "ctx:9223372036854775807", "no event ctx:9223372036854775807: the request behind the error at 31 has messages ctx:1 to ctx:24; nearest: first, last"},
		{"C-001", "messages.1: tool_use", int64(4)}, // the system's message stands apart
		{"C-001", "messages[1] has no", int64(3)},
		{"C-001", "ctx:3", int64(4)},
		{"C-014", "ctx:1", "no event ctx:1: the session has no error, so there is no request to count in; nearest: first, last"},
	}
	open := make(map[string]*Index)
	for _, w := range wants {
		if open[w.name] == nil {
			open[w.name] = openCase(t, w.name+".jsonl")
		}
		if got := resolved(t, open[w.name], "", w.address); got != w.want {
			t.Errorf("%s %q: %v, want %v", w.name, w.address, got, w.want)
		}
	}
}

// What an error says is looked for in the request behind it, not behind the
// last error of all.
func TestAPastedErrorIsThatWhichSaysIt(t *testing.T) {
	lines := []string{
		`{"event_id":"u1","event_type":"UserInput","sequence":1,"payload":{"content":"a"}}`,
		`{"event_id":"u2","event_type":"UserInput","sequence":2,"payload":{"content":"b"}}`,
		`{"event_id":"x1","event_type":"SystemError","sequence":3,"payload":{"error_code":"400","message":"messages.1: no"}}`,
		`{"event_id":"s","event_type":"SessionEvent","sequence":4,"payload":{"state":"context_rebuilt","kept_event_ids":["u2"]}}`,
		`{"event_id":"u3","event_type":"UserInput","sequence":5,"payload":{"content":"c"}}`,
		`{"event_id":"x2","event_type":"SystemError","sequence":6,"payload":{"error_code":"400","message":"overloaded"}}`,
	}
	path := filepath.Join(t.TempDir(), "run.jsonl")
	writeFile(t, path, []byte(strings.Join(lines, "\n")+"\n"))
	x := openAll(t, t.TempDir(), Options{}, path)
	for address, want := range map[string]int64{"messages.1: no": 2, "messages.0: no": 2, "ctx:1": 2, "ctx:2": 5} {
		if got := resolved(t, x, "", address); got != want {
			t.Errorf("%q: %v, want %d", address, got, want)
		}
	}
}

// The history of a group leads from nothing to the state, and holds an event
// for each that wrote a cell of it.
func TestHistoryOfAGroup(t *testing.T) {
	dumps := map[string]*Index{"demo": openAll(t, t.TempDir(), Options{Embedded: fixtures.Demo()}, "demo:")}
	for _, name := range []string{"C-007.jsonl", "C-040.jsonl"} {
		dumps[name] = openCase(t, name)
	}
	ctx := context.Background()
	for name, x := range dumps {
		s, _, err := x.Session(ctx, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, group := range []string{"/context", "/files", "/pending", "/shell", "/status", "/tasks", "/usage"} {
			got := historyOf(t, x, s.ID, group)
			writers := make(map[int64]bool)
			if err := x.st.Reader().Writes(ctx, s.Key, 0, s.LastPos, func(w model.Write) bool {
				if below(w.Path, group) {
					writers[w.Pos] = true
				}
				return true
			}); err != nil {
				t.Fatal(err)
			}
			if len(got.Writes) != len(writers) {
				t.Errorf("%s %s: %d writes by %d events", name, group, len(got.Writes), len(writers))
			}
			compareGroup(t, x, s.ID, name+" "+group, got)
		}
	}
}

// compareGroup holds the last written member of a group against the history of
// that member alone.
func compareGroup(t *testing.T, x *Index, session, what string, group answer.History) {
	t.Helper()
	last := make(map[string]json.RawMessage)
	for i, w := range group.Writes {
		if i > 0 && w.By.Pos <= group.Writes[i-1].By.Pos {
			t.Errorf("%s: event %d stands behind %d", what, w.By.Seq, group.Writes[i-1].By.Seq)
		}
		var old, now map[string]json.RawMessage
		for _, v := range []struct {
			from json.RawMessage
			into *map[string]json.RawMessage
		}{{w.Old, &old}, {w.New, &now}} {
			if v.from != nil && json.Unmarshal(v.from, v.into) != nil {
				t.Fatalf("%s: no object: %s", what, v.from)
			}
		}
		for member := range old {
			delete(last, member)
		}
		for member, v := range now {
			last[member] = v
		}
	}
	for member, v := range last {
		path := group.Path + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(member)
		if path == model.PathMessages || path == "/context/forgotten" {
			continue
		}
		one := historyOf(t, x, session, path)
		if n := len(one.Writes); n == 0 || string(one.Writes[n-1].New) != string(v) {
			t.Errorf("%s: %s is %s at last, its own history says otherwise", what, path, v)
		}
	}
}
