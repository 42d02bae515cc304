package render_test

import (
	"strings"
	"testing"

	"hindcast/model/answer"
	"hindcast/render"
)

func TestEventsOfOtherSessionsAreNamed(t *testing.T) {
	w := answer.Why{From: answer.Event{Session: "a", Seq: 4}, Complete: true, Chain: []answer.Step{
		{Event: answer.Event{Session: "b", Seq: 2, Title: "there"}, Also: []answer.Ref{{Session: "c", Seq: 9}, {Session: "a", Seq: 1}}},
		{Event: answer.Event{Session: "a", Seq: 3, Title: "here"}},
	}}
	var all strings.Builder
	for _, l := range render.Why(w, 0) {
		for _, s := range l {
			all.WriteString(s.Text)
		}
		all.WriteByte('\n')
	}
	for _, want := range []string{" b@@2 ", "also c@@9 1\n", " 3 "} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("no %q in\n%s", want, all.String())
		}
	}
	if strings.Contains(all.String(), "a@@") {
		t.Errorf("its own session is named:\n%s", all.String())
	}
}

func TestSessionsAreToldApart(t *testing.T) {
	for want, ids := range map[int][]string{
		8:  {"main", "payments"},
		9:  {"ticket-17", "ticket-18"},
		12: {"agent-a12345xx-tail", "agent-a12399xx-tail", "zz"},
	} {
		if got := render.SessionWidth(ids); got != want {
			t.Errorf("%q: %d, want %d", ids, got, want)
		}
	}
}
