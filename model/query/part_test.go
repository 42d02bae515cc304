package query

import (
	"testing"

	"hindcast/model"
)

func TestPart(t *testing.T) {
	for _, tt := range []struct {
		kind              model.Kind
		source, raw, want string
	}{
		{model.KindMessage, "user", `{"type":"user","message":{"role":"user","content":"add the NEEDLE"}}`, PartPrompt},
		{model.KindMessage, "assistant", `{"type":"assistant","message":{"content":[{"type":"text","text":"the needle"}]}}`, PartReply},
		{model.KindMessage, "assistant", `{"message":{"content":[{"thinking":"the needle","type":"thinking"},{"type":"text","text":"needle"}]}}`, PartThinking},
		{model.KindMessage, "agent", `{"type":"part","part":{"text":"needle","type":"reasoning"}}`, PartThinking},
		{model.KindAction, "assistant", `{"message":{"content":[{"type":"tool_use","name":"Bash","input":{"command":"needle"}}]}}`, PartArguments},
		{model.KindAction, "agent", `{"thought":[{"text":"a needle"}],"action":{"command":"needle"}}`, PartThinking},
		{model.KindObservation, "environment", `{"message":{"content":[{"type":"tool_result","content":[{"type":"text","text":"needle"}]}]}}`, PartOutput},
		{model.KindObservation, "", `{"part":{"type":"tool","state":{"input":{"x":"needle"},"output":"needle"}}}`, PartArguments},
		{model.KindObservation, "", `{"part":{"type":"tool","state":{"input":{"x":"a"},"output":"needle"}}}`, PartOutput},
		{model.KindState, "", `{"type":"attachment","attachment":{"content":"needle"}}`, PartAttachment},
		{model.KindMessage, "user", `{"isCompactSummary":true,"message":{"content":"needle"}}`, PartSummary},
		{model.KindMessage, "user", `{"message":{"content":"needle"},"isCompactSummary":false}`, PartPrompt},
		{model.KindCheckpoint, "", `{"payload":{"message":"needle"}}`, PartSummary},
		{model.KindMessage, "agent", `{"data":"{\"part\":{\"type\":\"reasoning\",\"text\":\"a needle\"}}"}`, PartThinking},
		{model.KindMessage, "agent", `{"data":"{a needle"}`, PartReply},
		{model.KindError, "", `{"message":"needle"}`, PartError},
		{model.KindMessage, "user", `{"cwd":"/needle","message":{"content":"a"}}`, "field cwd"},
		{model.KindOther, "", `["needle"]`, "field text"},
		{model.KindMessage, "user", `{"message":"hay"}`, ""},
		{model.KindMessage, "user", `not JSON: needle`, ""},
	} {
		e := model.Event{Kind: tt.kind, Source: tt.source}
		got, found := Part(text("needle", true), &e, []byte(tt.raw))
		if got != tt.want || (found == "") != (tt.want == "") {
			t.Errorf("%s: %q (%q), want %q", tt.raw, got, found, tt.want)
		}
	}
	e := model.Event{Title: "a Needle"}
	if got, found := Part(text("needle", true), &e, []byte(`{}`)); got != PartTitle || found != "Needle" {
		t.Errorf("%q %q, want the title", got, found)
	}
}
