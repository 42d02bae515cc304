package index

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hindcast/fixtures"
	"hindcast/model"
	"hindcast/model/answer"
)

// findingsOf checks a dump, and writes its findings a line each: rule,
// severity, the seqs of its events, title.
func findingsOf(t *testing.T, x *Index) []string {
	t.Helper()
	got, err := x.Check(context.Background(), "")
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{}
	for _, f := range got.Findings {
		if f.Title == "" || f.Detail == "" || f.Next == "" || f.Events == nil {
			t.Errorf("a finding that tells too little: %+v", f)
		}
		var seqs []string
		for _, e := range f.Events {
			seqs = append(seqs, fmt.Sprint(e.Seq))
		}
		lines = append(lines, fmt.Sprintf("%s %s %s: %s", f.Rule, f.Severity, strings.Join(seqs, ","), f.Title))
	}
	return lines
}

func wantLines(t *testing.T, got []string, want ...string) {
	t.Helper()
	if a, b := strings.Join(got, "\n"), strings.Join(want, "\n"); a != b {
		t.Errorf("got\n%s\nwant\n%s", a, b)
	}
}

func changesOf(d answer.Diff) []string {
	lines := []string{}
	for _, c := range d.Changes {
		by := "nobody"
		if c.By != nil {
			by = fmt.Sprint(c.By.Seq)
		}
		lines = append(lines, fmt.Sprintf("%s %s by %s", c.Op, c.Path, by))
	}
	return lines
}

func seqOf(t *testing.T, x *Index, session string, seq int64) model.Event {
	t.Helper()
	e, err := x.Event(context.Background(), session, seq)
	if err != nil || e.Seq != seq {
		t.Fatalf("no event %d: %v", seq, err)
	}
	return e
}

func TestTheDemosSecondCheckpointHoldsAGhost(t *testing.T) {
	x := openAll(t, t.TempDir(), Options{Embedded: fixtures.Demo()}, "demo:")
	wantLines(t, findingsOf(t, x), "ghost error 104,100,103: snap_2 is ahead of its base 100: file Makefile")
	ctx := context.Background()
	first, err := x.DiffRecorded(ctx, seqOf(t, x, "greeter", 87), "")
	if err != nil || len(first.Changes) > 0 || first.A.Seq != 86 || first.B.Seq != 87 {
		t.Errorf("snap_1: %v %+v", err, first)
	}
	second, err := x.DiffRecorded(ctx, seqOf(t, x, "greeter", 104), "")
	if err != nil || second.A.Seq != 100 || second.B.Seq != 104 {
		t.Errorf("snap_2: %v %+v", err, second)
	}
	wantLines(t, changesOf(second), "replace /files/Makefile/content by 103")
}

func TestARestartFromAGhostAppliesItAgain(t *testing.T) {
	x := openAll(t, t.TempDir(), Options{Embedded: fixtures.Demo()}, "demo:")
	ctx := context.Background()
	for _, seq := range []int64{10, 86, 87, 99, 103} {
		d, err := x.DiffRestored(ctx, seqOf(t, x, "greeter", seq), "")
		if err != nil || len(d.Changes) > 0 {
			t.Errorf("at %d: %v %v", seq, err, changesOf(d))
		}
	}
	for _, seq := range []int64{104, 110, 120} {
		d, err := x.DiffRestored(ctx, seqOf(t, x, "greeter", seq), "/files")
		if err != nil {
			t.Fatal(err)
		}
		wantLines(t, changesOf(d), "replace /files/Makefile/content by 103")
		if n := strings.Count(string(d.Changes[0].New), "smoke: build"); n != 2 {
			t.Errorf("at %d the target stands there %d times", seq, n)
		}
		if d, err = x.DiffRestored(ctx, seqOf(t, x, "greeter", seq), "/context"); err != nil || len(d.Changes) > 0 {
			t.Errorf("at %d: %v %v", seq, err, changesOf(d))
		}
	}
	doc, err := x.State(ctx, seqOf(t, x, "greeter", 120), true)
	if err != nil || doc.Seq != 120 || *doc.Status.Execution != "completed" || strings.Count(*doc.Files["Makefile"].Content, "smoke: build") != 2 {
		t.Errorf("%v: %+v", err, doc.Status)
	}
}

// What the fixtures hold that is wrong; all others hold nothing.
var fixtureFindings = map[string][]string{
	"cases/C-001.jsonl": {"torn-batch error 10,4,5,6: the context at 10 is cut through what belongs together"},
	"cases/C-008.jsonl": {"orphan-call warning 20,21: call 20 run_command has no result, and the run went on"},
	"cases/C-010.jsonl": {"two-results error 2,3,4: 2 results for terminal at 2 (call_X)"},
	"cases/C-014.jsonl": {
		"duplicate-id note 3,3: 7 records stand again, byte for byte",
		"duplicate-id warning 4,4: 7 records stand again under the same id, with another payload.cwd",
	},
	"cases/C-016.jsonl": {
		"duplicate-id note 2,2: 3 records stand again, byte for byte",
		"shared-message warning 2,2: 1 message of the user stands in session lounge too, with the same id and time",
	},
	"cases/C-018.jsonl": {
		"duplicate-id warning 2,2: 10 records stand again under the same id, with another slug",
		"duplicate-id warning 12,12: 1 record stands again under the same id, with another source_event_id",
	},
	"cases/C-034.jsonl": {"edit-ambiguous warning 7,3: an edit of jobs.py may have changed another place than was meant"},
	"cases/C-036.jsonl": {"cwd-change warning 7,3: the directory changed from /srv/site to /srv/wt without a command that goes there"},
	"cases/C-038": {
		"drift error 11,10: phase_3 differ from the events up to 10: task 2, task 3",
		"not-compared note : checkpoints/flow/workflow-state.json belongs to no checkpoint of the log",
	},
	"cases/C-043": {"orphan-call warning 2,3: call 2 terminal has no result, and the run went on"},
	"claudecode/broken.jsonl": {
		"two-results error 2,3,4,11: 3 results for Bash at 2 (toolu_1)",
		"orphan-result error 5: result 5 answers a call that is not in the log",
	},
	"codex/broken.jsonl": {
		"orphan-result note 1: result 1 answers a call that is not in the log",
		"orphan-call note 3: call 3 exec_command has no result by the end of the log",
	},
	"codex/home":         {"orphan-call note 24,25: call 24 exec has no result by the end of the log"},
	"demo/greeter.jsonl": {"ghost error 104,100,103: snap_2 is ahead of its base 100: file Makefile"},
	"eventlog/broken.jsonl": {
		"duplicate-id note 9,9: 1 record stands again, byte for byte",
		"duplicate-id warning 10,11: 1 record stands again under the same id, with another payload.content, sequence, timestamp",
		"broken-chain error 14: k names base 40, which comes after it",
	},
	"eventlog/folder": {"shared-message warning 2,2: 1 message of the user stands in session s1 too, with the same id and time"},
	"eventlog/checkpoints": {
		"outside-change warning 9,6: app.yaml changed without an event that did it",
		"drift error 10,9,2: snap_drift differs from the events up to 9: the status",
		"broken-chain error 11: snap_self names itself as its base",
		"ghost error 15,12,13,14: snap_ghost is ahead of its base 12: file app.yaml, 1 message of the context",
		"edit-no-match warning 17,14: an edit of app.yaml does not fit its text; what stands there now is not known",
		"broken-chain error 20,19: events that snap_gap stands on are missing",
	},
	"opencode/export":  {"orphan-call note 58,59: call 58 bash has no result by the end of the log"},
	"opencode/history": {"orphan-call note 93: call 93 bash has no result by the end of the log"},
	"opencode/late":    {"orphan-call note 93: call 93 bash has no result by the end of the log"},
	"opencode/run": {
		"orphan-result note 2: result 2 answers a call that is not in the log",
		"orphan-result note 6: result 6 answers a call that is not in the log",
		"orphan-result note 7: result 7 answers a call that is not in the log",
		"orphan-result note 10: result 10 answers a call that is not in the log",
		"orphan-result note 11: result 11 answers a call that is not in the log",
	},
	"opencode/stream": {"orphan-call note 19,19: call 19 edit has no result by the end of the log"},
	"openhands/v0-broken.json": {
		"duplicate-id warning 3,3: 1 record stands again under the same id, with another action, args, cause, content, 3 more",
		"orphan-result error 3: result 3 answers a call that is not in the log",
		"orphan-call note 40,41: call 40 teleport has no result by the end of the log",
		"orphan-result error 41: result 41 answers a call that is not in the log",
	},
	"openhands/v1-broken": {
		"orphan-call warning 3,5: call 3 task_tracker has no result, and the run went on",
		"outside-change warning 13,7: /workspace/slug.py changed without an event that did it",
		"broken-chain warning 16: events that base_state.json stands on are missing",
		"orphan-result error 16: result 16 answers a call that is not in the log",
	},
	"openhands/v1-clean":       {"outside-change warning 13,7: /workspace/slug.py changed without an event that did it"},
	"openhands/v1-clean.jsonl": {"outside-change warning 14,8: /workspace/slug.py changed without an event that did it"},
}

func TestFixturesHoldTheFindingsThatTheyShould(t *testing.T) {
	dir := unpackFixtures(t)
	cases, err := fixtures.Cases()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if c.Refused || strings.HasPrefix(c.Path, "hostile/escapes") {
			continue
		}
		t.Run(c.Path, func(t *testing.T) {
			x := openAll(t, t.TempDir(), Options{}, filepath.Join(dir, filepath.FromSlash(c.Path)))
			wantLines(t, findingsOf(t, x), fixtureFindings[c.Path]...)
		})
	}
}

// What real dumps hold that is wrong: an excerpt without a call, and a call that
// was interrupted and came back all the same.
var realFindings = map[string]string{
	"agent-server-v1.28-goal": "orphan-result error 7: ", "synthetic-tree-condense": "2 results for terminal at ",
}

func TestRealDumpsRaiseNoFalseAlarm(t *testing.T) {
	root := filepath.Join(sharedData(t), "openhands")
	dirs, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		t.Run(d.Name(), func(t *testing.T) {
			for _, input := range truthInputs(t, filepath.Join(root, d.Name())) {
				x := openAll(t, t.TempDir(), Options{}, input)
				for _, line := range findingsOf(t, x) {
					if known := realFindings[d.Name()]; known != "" && strings.Contains(line, known) {
						continue
					}
					if strings.Contains(line, " error ") || strings.HasPrefix(line, "drift") {
						t.Errorf("%s: %s", filepath.Base(input), line)
					}
				}
			}
		})
	}
}
