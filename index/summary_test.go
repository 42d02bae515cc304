package index

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"hindcast/model/answer"
)

// timed is an event of session s at a second, caused by another (0: none).
func timed(seq, second, by int, kind, payload string) string {
	at := fmt.Sprintf(`"timestamp":"2026-01-01T00:%02d:%02dZ",`, second/60, second%60)
	if by > 0 {
		at += fmt.Sprintf(`"source_event_id":"e%d",`, by)
	}
	return strings.Replace(line(seq, kind, payload), `"sequence"`, at+`"sequence"`, 1)
}

// ran is a command that took some seconds, as a call and its result.
func ran(seq, second, took int, command string, exit int) string {
	status := "ok"
	if exit != 0 {
		status = "error"
	}
	return timed(seq, second, 0, "AgentAction", fmt.Sprintf(`{"action_type":"bash","params":{"command":%q}}`, command)) +
		timed(seq+1, second+took, seq, "ToolResult", fmt.Sprintf(`{"status":%q,"exit_code":%d,"output":"%d of %d"}`, status, exit, seq, took))
}

func statsOf(t *testing.T, lines ...string) answer.Stats {
	t.Helper()
	s, err := openLines(t, lines...).Stats(context.Background(), "s")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRecovery: the same command that passes later recovers a failure, the whole
// of it does for a part, and another does not.
func TestRecovery(t *testing.T) {
	for _, tc := range []struct {
		name, first, then string
		recovered         bool
	}{
		{"the same", "go test ./a", "go test ./a", true},
		{"from another folder", "cd /w && go test ./a", "go test ./a 2>&1 | tail -5", true},
		{"all tests for one", "go test ./a -run X", "go test ./a", true},
		{"another", "go test ./a", "go vet ./a", false},
		{"one test for all", "go test ./a", "go test ./a -run X", false},
	} {
		s := statsOf(t, ran(1, 1, 1, tc.first, 1), ran(3, 3, 1, tc.then, 0))
		if len(s.Errors) != 1 || s.Verdict.Unrecovered == nil {
			t.Fatalf("%s: %+v", tc.name, s.Errors)
		}
		e := s.Errors[0]
		if got := e.RecoveredBy != nil && e.RecoveredBy.Seq == 4; got != tc.recovered || (e.Recovered == 1) != tc.recovered || (*s.Verdict.Unrecovered == 0) != tc.recovered {
			t.Errorf("%s: %+v, unrecovered %d", tc.name, e, *s.Verdict.Unrecovered)
		}
		if (s.Unrecovered == nil) != tc.recovered || !tc.recovered && s.Unrecovered.First.Seq != 2 {
			t.Errorf("%s: %+v", tc.name, s.Unrecovered)
		}
	}
}

// TestClaimsOfSuccess: what the model said last counts, and behind a failure that
// was never recovered what it said since.
func TestClaimsOfSuccess(t *testing.T) {
	said := func(seq int, text string) string {
		return timed(seq, 10+seq, 0, "AgentAction", fmt.Sprintf(`{"action_type":"respond","params":{"content":%q}}`, text))
	}
	for _, tc := range []struct {
		text  string
		claim bool
	}{
		{"All tests pass.", true}, {"Done, although I did not run the tests.", true}, {"The tests still fail.", false}, {"Let me see if it works.", false}, {"Here is the plan.", false},
	} {
		s := statsOf(t, ran(1, 1, 1, "go test ./a", 1), said(3, tc.text))
		if s.Unrecovered == nil || (s.Verdict.Claim != nil) != tc.claim || (s.Unrecovered.ClaimCount == 1) != tc.claim {
			t.Errorf("%q: claim %+v, %+v", tc.text, s.Verdict.Claim, s.Unrecovered)
		}
	}
}

// TestHowLongCallsTook: all of it, what nineteen of twenty stay within, the
// slowest call.
func TestHowLongCallsTook(t *testing.T) {
	var lines []string
	for i := range 20 {
		lines = append(lines, ran(1+2*i, 60*i, i+1, fmt.Sprintf("make step%d", i), 0))
	}
	s := statsOf(t, append(lines, timed(41, 1300, 0, "AgentAction", `{"action_type":"bash","params":{"command":"make last"}}`))...)
	if len(s.Tools) != 1 || s.Tools[0].P95Seconds == nil || s.Tools[0].Slowest == nil {
		t.Fatalf("%+v", s.Tools)
	}
	got := s.Tools[0]
	if got.Name != "bash" || got.Calls != 21 || got.Open != 1 || got.Failed != 0 || got.Seconds != 210 || *got.P95Seconds != 19 || got.Slowest.Seq != 39 {
		t.Errorf("%+v, p95 %v, slowest %+v", got, *got.P95Seconds, got.Slowest)
	}
	if len(s.Open) != 1 || s.Open[0].Event.Seq != 41 || len(s.Slowest) != listLength {
		t.Errorf("open %+v, slowest %+v", s.Open, s.Slowest)
	}
}
