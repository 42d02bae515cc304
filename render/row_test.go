package render_test

import (
	"strings"
	"testing"

	"hindcast/model"
	"hindcast/render"
)

// TestRowsNameNobodyTwice: what stands in the column of who is not repeated in
// the title, and nothing of the title is lost otherwise.
func TestRowsNameNobodyTwice(t *testing.T) {
	for want, e := range map[string]model.Event{
		"USER     go on":         {Kind: model.KindMessage, Source: "user", Title: "user: go on"},
		"USER     start":         {Kind: model.KindMessage, Source: "user", Title: "human: start"},
		"model    done":          {Kind: model.KindMessage, Source: "agent", Title: "assistant: done"},
		"model    AI: a lecture": {Kind: model.KindMessage, Source: "agent", Title: "AI: a lecture"},
		"model    tool: done":    {Kind: model.KindMessage, Source: "agent", Title: "tool: done"},
		"finish   all is well":   {Kind: model.KindAction, Type: "finish", Title: "finish: all is well"},
		"bash     finish: no":    {Kind: model.KindAction, Type: "finish", Tool: "bash", Title: "bash finish: no"},
		"ERROR    boom":          {Kind: model.KindError, Title: "error: boom"},
	} {
		line := render.EventRow(e, nil, render.RowOptions{Time: render.TimeNone, Width: 60})
		if got := strings.TrimSpace(render.Plain(line)[8:]); got != want {
			t.Errorf("%q: %q, want %q", e.Title, got, want)
		}
	}
}

// TestOpenCalls: a call without a result is open, unless its own record says
// how it ended.
func TestOpenCalls(t *testing.T) {
	e := model.Event{Kind: model.KindAction, Tool: "bash", Call: "c1", Title: "bash make"}
	row := func() string {
		return render.Plain(render.EventRow(e, nil, render.RowOptions{Time: render.TimeNone, Width: 60}))
	}
	if got := row(); !strings.Contains(got, "…") {
		t.Errorf("an open call: %q", got)
	}
	if e.Outcome = model.OutcomeOK; strings.Contains(row(), "…") {
		t.Errorf("a call that ended in its record: %q", row())
	}
}
