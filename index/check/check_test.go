package check_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"hindcast/index/check"
	"hindcast/model"
	"hindcast/model/answer"
)

// run is a session of which only the facts are known: event n has seq 10n.
type run struct {
	notes       []model.Note
	checkpoints []check.Checkpoint
	gaps        []check.Gap
	unused      []string
	open        []check.OpenCall
	results     []check.Result
	cuts        []check.Cut
	repeats     []check.Repeat
	shared      []check.Shared
	moves       []check.Move
	fault       error
	base        string // goes on from it
	there       bool   // and it is in the dump
}

func (r *run) Session() model.Session {
	return model.Session{ID: "s", First: 10, Last: 900, LastPos: 90, Base: r.base}
}

func (r *run) BaseThere(context.Context) (bool, error) { return r.there, r.fault }

func (r *run) Event(_ context.Context, pos int64) (model.Event, error) {
	if pos < 1 || pos > 90 {
		return model.Event{}, fmt.Errorf("no event %d", pos)
	}
	return event(pos), nil
}

func event(pos int64) model.Event {
	return model.Event{Session: "s", Pos: pos, Seq: 10 * pos, ID: fmt.Sprintf("e%d", pos), Title: "done"}
}

func (r *run) Notes(context.Context) ([]model.Note, error) { return r.notes, r.fault }

func (r *run) WriterBefore(_ context.Context, _ string, pos int64) (int64, error) {
	return max(pos-2, 0), nil
}

func (r *run) Checkpoints(context.Context) ([]check.Checkpoint, error) { return r.checkpoints, nil }

func (r *run) Gaps(context.Context, int64) ([]check.Gap, error) { return r.gaps, nil }

func (r *run) Unused(context.Context) ([]string, error) { return r.unused, nil }

func (r *run) OpenCalls(context.Context) ([]check.OpenCall, error) { return r.open, nil }

func (r *run) Results(context.Context) ([]check.Result, error) { return r.results, nil }

func (r *run) Cuts(context.Context) ([]check.Cut, error) { return r.cuts, nil }

func (r *run) Repeats(context.Context) ([]check.Repeat, error) { return r.repeats, nil }

func (r *run) Shared(context.Context) ([]check.Shared, error) { return r.shared, nil }

func (r *run) Moves(context.Context) ([]check.Move, error) { return r.moves, nil }

// checkpoint is a record at pos 9 with its base at pos 5.
func checkpoint(list ...check.Difference) check.Checkpoint {
	return check.Checkpoint{Event: event(9), Name: "snap", Named: true, Recorded: true, Base: check.Base{Seq: 50, Pos: 5}, Differences: list}
}

func broken(why model.Broken, seq int64, recorded bool) check.Checkpoint {
	return check.Checkpoint{Event: event(9), Name: "snap", Named: true, Recorded: recorded, Base: check.Base{Seq: seq, Broken: why}}
}

func file(name string, by int64) check.Difference {
	return check.Difference{Path: "/files/" + name + "/content", Cell: "/files/" + name, By: by}
}

func unsure(d check.Difference) check.Difference {
	d.Unsure = true
	return d
}

func leaf(path string, by int64) check.Difference {
	return check.Difference{Path: path, Cell: path, By: by}
}

func TestRules(t *testing.T) {
	unnamed := checkpoint(file("a", 0))
	unnamed.Named = false
	missing := checkpoint(file("a", 12), file("b", 0))
	missing.Missing = []string{"e7", "e8"}
	stale := checkpoint()
	stale.FileBase = new(int64)
	unread := checkpoint()
	unread.Unread = "the file has gone"
	tests := []struct {
		name string
		run  run
		want []string
	}{
		{"nothing", run{checkpoints: []check.Checkpoint{checkpoint()}}, nil},
		{"a base that is nowhere", run{base: "b"}, []string{"missing-base warning 10: it goes on from session b, which is not in the dump"}},
		{"a base without that event", run{base: "b", there: true}, []string{"missing-base warning 10: it goes on from an event of session b that its log does not hold"}},
		{"ghost", run{checkpoints: []check.Checkpoint{checkpoint(file("a~1b", 7), leaf("/shell/cwd", 8), leaf("/status/execution", 7))}}, []string{
			"ghost error 90,50,70,80: snap is ahead of its base 50: file a/b, the directory, the status",
		}},
		{"much", run{checkpoints: []check.Checkpoint{checkpoint(file("a", 6), file("b", 6), file("c", 6), file("d", 6), leaf("/context/messages/1", 6), leaf("/context/messages/2", 7))}}, []string{
			"ghost error 90,50,60,70: snap is ahead of its base 50: file a, file b, file c and 2 more",
		}},
		{"drift", run{checkpoints: []check.Checkpoint{checkpoint(leaf("/tasks/1/status", 0), leaf("/vars/x", 0))}}, []string{
			"drift error 90,50,40: snap differ from the events up to 50: task 1, x",
		}},
		{"both", run{checkpoints: []check.Checkpoint{checkpoint(file("a", 0), file("b", 7))}}, []string{
			"drift error 90,50,40: snap differs from the events up to 50: file a",
			"ghost error 90,50,70: snap is ahead of its base 50: file b",
		}},
		{"what the fold does not know", run{checkpoints: []check.Checkpoint{checkpoint(unsure(file("a", 0)), unsure(file("b", 8)))}}, []string{
			"drift warning 90,50,40,80: snap differ from the events up to 50: file a, file b",
		}},
		{"what was only seen", run{
			checkpoints: []check.Checkpoint{checkpoint(file("a", 12))},
			notes:       []model.Note{{Kind: model.NoteOutside, Pos: 12, Path: "/files/a", Text: "seen"}},
		}, []string{
			"drift warning 90,50,40,120: snap differs from the events up to 50: file a",
			"outside-change warning 120,100: a changed without an event that did it",
		}},
		{"a state that no restart stands on", run{checkpoints: []check.Checkpoint{unnamed}}, []string{
			"drift warning 90,50,40: snap differs from the events up to 50: file a",
		}},
		{"missing events", run{checkpoints: []check.Checkpoint{missing}, gaps: []check.Gap{{From: 11, To: 19}, {From: 35, To: 35}}}, []string{
			"broken-chain error 90,50: events that snap stands on are missing",
		}},
		{"a hole in the sequence", run{checkpoints: []check.Checkpoint{checkpoint(file("a", 7), file("b", 0))}, gaps: []check.Gap{{From: 11, To: 19}}}, []string{
			"broken-chain error 90,50: events that snap stands on are missing",
			"ghost error 90,50,70: snap is ahead of its base 50: file a",
		}},
		{"a hole that does not matter", run{checkpoints: []check.Checkpoint{checkpoint()}, gaps: []check.Gap{{From: 11, To: 19}}}, nil},
		{"base: itself", run{checkpoints: []check.Checkpoint{broken(model.LinkSelf, 90, true)}}, []string{"broken-chain error 90: snap names itself as its base"}},
		{"base: later", run{checkpoints: []check.Checkpoint{broken(model.LinkLater, 95, true)}}, []string{"broken-chain error 90: snap names base 95, which comes after it"}},
		{"base: nothing", run{checkpoints: []check.Checkpoint{broken(model.LinkMissing, 55, true)}}, []string{"broken-chain error 90: snap names base 55, which is no event of the log"}},
		{"base: cut away", run{checkpoints: []check.Checkpoint{broken(model.LinkMissing, 9, true)}}, []string{"broken-chain note 90: the log begins at 10; snap holds the state of what came before"}},
		{"base: cut away, with more", run{checkpoints: []check.Checkpoint{broken(model.LinkMissing, 5, true)}}, []string{"broken-chain warning 90: the log begins at 10, and its first checkpoint snap holds only what came up to 5"}},
		{"base: cut away, with all", run{checkpoints: []check.Checkpoint{broken(model.LinkMissing, 5, false)}}, []string{"broken-chain error 90: snap stands on events up to 5, which are gone: the log begins at 10"}},
		{"two bases", run{checkpoints: []check.Checkpoint{stale}}, []string{"drift warning 90,50: the file of snap names base 0, its record 50"}},
		{"not read", run{checkpoints: []check.Checkpoint{unread}, unused: []string{"x.json"}}, []string{
			"not-compared note 90: snap was not compared with the events, or not whole",
			"not-compared note : x.json belongs to no checkpoint of the log",
		}},
		{"notes", run{notes: []model.Note{
			{Kind: model.NoteNoMatch, Pos: 8, Path: "/files/it's", Text: "no match"}, {Kind: model.NoteAmbiguous, Pos: 7, Path: "/files/a", Text: "3 times"}, {Kind: model.NoteForgetsUnknown, Pos: 3, Path: "/context/messages", Text: "not in view: x"},
		}}, []string{
			"forgets-unknown note 30: messages that were not in view are taken out of it",
			"edit-ambiguous warning 70,50: an edit of a may have changed another place than was meant",
			"edit-no-match warning 80,60: an edit of it's does not fit its text; what stands there now is not known",
		}},
		{"a call at the end", run{open: []check.OpenCall{{Event: event(9)}}}, []string{"orphan-call note 90: call 90 has no result by the end of the log"}},
		{"a call that was left", run{open: []check.OpenCall{{Event: event(8), Next: event(9), Later: true}}}, []string{
			"orphan-call warning 80,90: call 80 has no result, and the run went on",
		}},
		{"many calls", run{open: slices.Repeat([]check.OpenCall{{Event: event(8)}}, 103)}, append(slices.Repeat([]string{"orphan-call note 80: call 80 has no result by the end of the log"}, 100),
			"orphan-call warning 80: 3 more calls have no result (100 are listed)")},
		{"results", run{results: []check.Result{
			{Event: event(2), Early: true}, {Event: event(6)}, {Event: event(7), Call: event(4), First: event(5)}, {Event: event(8), Call: event(4), First: event(5)},
		}}, []string{
			"orphan-result note 20: result 20 answers a call that is not in the log",
			"two-results error 40,50,70,80: 3 results for at 40",
			"orphan-result error 60: result 60 answers a call that is not in the log",
		}},
		{"a cut", run{cuts: []check.Cut{{Event: event(9), Pieces: []check.Piece{
			{Event: event(4), Lost: event(6)}, {Event: event(5), Lost: event(4), Loss: check.LossBatch, Response: "r"}, {Event: event(8), Lost: event(3), Loss: check.LossCall},
		}}}}, []string{"torn-batch error 90,40,50,80,60,30: the context at 90 is cut through what belongs together"}},
		{"repeats", run{repeats: []check.Repeat{
			{Count: 20, Copied: true, First: event(5), FirstOf: event(2), Last: event(30)}, {Unread: true, Count: 2, First: event(8), FirstOf: event(4), Last: event(9)}, {Differ: []string{"parentUuid"}, Count: 1, Parent: true, First: event(7), FirstOf: event(3), Last: event(7)},
		}}, []string{
			"duplicate-id note 20,50: 20 records stand again, byte for byte",
			"duplicate-id warning 30,70: 1 record stands again under the same id, with another parentUuid",
			"duplicate-id note 40,80: 2 records stand again under the same id, and were not compared",
		}},
		{"two sessions", run{shared: []check.Shared{{Session: "b", Count: 2, Here: event(3), There: event(4)}}}, []string{
			"shared-message warning 30,40: 2 messages of the user stand in session b too, with the same id and time",
		}},
		{"moved", run{moves: []check.Move{{Event: event(3), From: "/a", To: "/b"}, {Event: event(5), From: "/b", To: "/c", Child: "sub", By: event(2)}}}, []string{
			"cwd-change warning 30: the directory changed from /a to /b without a command that goes there",
			"cwd-change warning 50,20: the directory changed from /b to /c without a command that goes there",
		}},
	}
	for _, test := range tests {
		found, err := check.Session(context.Background(), &test.run)
		if err != nil {
			t.Fatal(err)
		}
		if got := brief(t, found); !slices.Equal(got, test.want) {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
		}
	}
}

// brief writes findings a line each.
func brief(t *testing.T, list []answer.Finding) []string {
	var out []string
	for _, f := range list {
		if f.Session != "s" || f.Detail == "" || f.Next == "" || f.Events == nil {
			t.Errorf("it tells too little: %+v", f)
		}
		var seqs []string
		for _, e := range f.Events {
			seqs = append(seqs, fmt.Sprint(e.Seq))
		}
		out = append(out, fmt.Sprintf("%s %s %s: %s", f.Rule, f.Severity, strings.Join(seqs, ","), f.Title))
	}
	return out
}

func TestTheTableIsSorted(t *testing.T) {
	rules := check.Rules()
	for i, r := range rules {
		if r.About == "" || i > 0 && rules[i-1].Name >= r.Name {
			t.Errorf("%d: %s %q", i, r.Name, r.About)
		}
	}
}

func TestAFaultNamesTheRule(t *testing.T) {
	r := &run{fault: errors.New("no disk")}
	if _, err := check.Session(context.Background(), r); !errors.Is(err, r.fault) || !strings.Contains(err.Error(), "session s") {
		t.Errorf("%v", err)
	}
}
