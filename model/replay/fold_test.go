package replay_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"hindcast/model"
	"hindcast/model/replay"
)

// run folds a session of one event for each list of effects. Event n has pos n,
// seq 10n and id eN.
type run struct {
	t    *testing.T
	fold *replay.Fold
	log  *replay.Log
	pos  int64
}

func begin(t *testing.T) *run {
	log := &replay.Log{}
	return &run{t: t, fold: replay.New(replay.Options{Past: log}), log: log}
}

func event(pos int64) *model.Event {
	return &model.Event{Pos: pos, Seq: 10 * pos, ID: "e" + string(rune('0'+pos%10))}
}

// do applies one event and gives its writes as text, a line each:
// "path old -> new", - for absent, a file's text in brackets behind its
// certainty.
func (r *run) do(effects ...model.Effect) string {
	r.pos++
	writes := r.fold.Apply(event(r.pos), effects)
	r.log.Add(writes)
	lines := make([]string, len(writes))
	for i, w := range writes {
		lines[i] = w.Path + " " + brief(w.Path, w.Old) + " -> " + brief(w.Path, w.New)
	}
	return strings.Join(lines, "\n")
}

func brief(path string, v model.Value) string {
	if v.Absent() {
		return "-"
	}
	if !strings.HasPrefix(path, "/files/") {
		return string(v.JSON)
	}
	var f struct {
		Certainty  string
		WrittenPos json.Number `json:"written_pos"`
	}
	if err := json.Unmarshal(v.JSON, &f); err != nil {
		return err.Error()
	}
	by := ""
	if f.WrittenPos != "" {
		by = " by " + f.WrittenPos.String()
	}
	if v.Text == nil {
		return f.Certainty + by
	}
	return f.Certainty + "[" + strings.ReplaceAll(*v.Text, "\n", "|") + "]" + by
}

// want compares writes, lines in any indentation.
func want(t *testing.T, got string, lines ...string) {
	t.Helper()
	if wanted := strings.Join(lines, "\n"); got != wanted {
		t.Errorf("writes\n%s\nwant\n%s", got, wanted)
	}
}

// notes gives the kinds of the notes so far.
func (r *run) notes() []model.NoteKind {
	var kinds []model.NoteKind
	for _, n := range r.fold.Notes() {
		if n.Text == "" || n.Path == "" {
			r.t.Errorf("a note that tells nothing: %+v", n)
		}
		kinds = append(kinds, n.Kind)
	}
	return kinds
}

func (r *run) wantNotes(kinds ...model.NoteKind) {
	r.t.Helper()
	if got := r.notes(); !slices.Equal(got, kinds) {
		r.t.Errorf("notes %v, want %v", got, kinds)
	}
}

func ptr[T any](v T) *T { return &v }

func TestOneEventWritesACellOnce(t *testing.T) {
	r := begin(t)
	want(t, r.do(
		model.Status{Execution: "running"}, model.Status{Execution: "paused", Reason: "asked"},
		model.Cwd{Path: "/a"}, model.Cwd{Path: "/b"},
		model.Call{ID: "c"}, model.Return{ID: "c"},
	),
		`/shell/cwd null -> "/b"`,
		`/status/execution null -> "paused"`,
		`/status/reason null -> "asked"`)
	want(t, r.do(model.Status{Execution: "x"}, model.Status{Execution: "paused", Reason: "asked"}))
}

func TestWritesAreSortedByPath(t *testing.T) {
	r := begin(t)
	var effects []model.Effect
	for _, name := range []string{"z", "a/b", "a", "~", "a b", "m", "k", "j", "i", "h", "g", "f"} {
		effects = append(effects, model.WriteFile{Path: name, Content: name, Certainty: model.CertaintyKnown})
	}
	writes := r.fold.Apply(event(1), append(effects, effects...))
	if len(writes) != len(effects) || !slices.IsSortedFunc(writes, func(a, b model.Write) int { return strings.Compare(a.Path, b.Path) }) {
		t.Errorf("writes: %v", writes)
	}
}

func TestCopiedEventsDoNothing(t *testing.T) {
	f := replay.New(replay.Options{})
	e := event(1)
	e.Origin, e.Outcome = model.OriginCopied, model.OutcomeFailed
	if w := f.Apply(e, []model.Effect{model.Say{}}); w != nil {
		t.Errorf("writes: %v", w)
	}
}

func TestFailuresAreCountedByOutcome(t *testing.T) {
	f := replay.New(replay.Options{})
	e := event(3)
	e.Outcome = model.OutcomeFailed
	w := f.Apply(e, []model.Effect{model.Fail{Message: "x"}, model.Fail{Message: "y"}})
	if len(w) != 2 || string(w[0].New.JSON) != "1" || string(w[1].New.JSON) != "30" {
		t.Errorf("writes: %v", w)
	}
	if w := f.Apply(event(4), []model.Effect{model.Fail{Message: "x"}}); w != nil {
		t.Errorf("an event that did not fail: %v", w)
	}
}
