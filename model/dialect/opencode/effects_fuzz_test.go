package opencode

import (
	"strings"
	"testing"

	"hindcast/fixtures/trial"
	"hindcast/model"
)

// FuzzEffects folds rows of any shape: none may panic, and messages are made of
// whatever is in view.
func FuzzEffects(f *testing.F) {
	s := begin()
	s.turn("1")
	s.compaction("2")
	s.summed("2")
	s.tail("2", "msg_1b")
	s.call("prt_1b2", "msg_1b", "edit", `{"filePath":"f","oldString":"a","newString":"b"}`, result("ok", `"filediff":{"patch":"@@ -1 +1 @@\n-a\n+b\n"}`))
	s.call("prt_1b3", "msg_1b", "read", `{"filePath":"f"}`, result(newRead, ""))
	s.session("updated", `,"revert":{"messageID":"msg_1b"}`)
	f.Add(strings.Join(s.rows, "\n"))
	f.Add(`{"info":{"id":"msg_1","role":"user"},"parts":[{"id":"prt_1","type":"text","text":"x"}]}`)
	f.Add(`{"id":"evt_1","type":"session.next.tool.called","durable":{"aggregateID":"ses_1","seq":1},"data":{"assistantMessageID":"msg_1","callID":"c","tool":"bash","input":{"command":"ls"}}}`)
	f.Add(`{"id":"m","session_id":"s","role":"tool","parts":"[{\"type\":\"tool_result\",\"data\":{\"tool_call_id\":\"c\"}}]"}`)
	f.Fuzz(func(t *testing.T, text string) {
		stream := model.Stream{Dialect: name, Files: []int{0}, Session: "ses_1", Framing: model.Framing{Mode: model.FrameLines}, Order: model.OrderArrival}
		d := trial.NewDump(map[string]string{"rows.jsonl": text})
		for _, r := range trial.ReadStreams(t, New(), d, []model.Stream{stream}).Sessions {
			fold := r.Fold(t, false)
			view := fold.Viewed(int64(len(fold.Events)))
			New().(model.Teller).Messages(view, true)
			for _, e := range fold.Events {
				New().(model.Requester).Request(*e, view, r)
			}
		}
	})
}
