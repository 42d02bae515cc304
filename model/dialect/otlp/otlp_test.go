package otlp_test

import (
	"fmt"
	"strings"
	"testing"

	"hindcast/fixtures/trial"
	"hindcast/model"
	"hindcast/model/dialect/otlp"
)

func told(s *trial.Session) string {
	var b strings.Builder
	for _, e := range s.Events {
		fmt.Fprintf(&b, "%s %s %v %s", e.ID, e.Kind, e.Outcome.Failed(), e.Title)
		for _, l := range e.Links {
			fmt.Fprintf(&b, " ← %s %s%s", l.Reason, l.To.ID, l.Broken)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestFixture(t *testing.T) {
	im := trial.Import(t, otlp.New(), trial.Fixture(t, "otlp"))
	s := im.Session(t, "conv-1")
	const want = `a1 session false invoke_agent mender
c1 delta false small-1: asked ← source a1
c1~end message false I run the tests. ← source c1
d1 action false bash: make test ← source a1 ← source 
d1~end observation true bash: FAIL rate_test.go:7: got 0, want 7 ← action 
c2 delta false small-1: asked ← source a1
c2~end message false The rate is 0 where it must be 7. ← source c2
e1 other false export ← source a1
e1~event/1 error true exception: IOError: no space left ← source e1
e1~end error true export: failed ← source e1
a1~end session false invoke_agent mender: ended ← source a1
`
	if got := strings.ReplaceAll(told(s), "00000000000000", ""); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if c := s.Events[3].Cause; c == nil || c.To.Pos != 3 || c.Inferred {
		t.Errorf("the call comes from %+v, not from the answer that asked for it", c)
	}
	if !s.Events[1].Noise || s.Events[2].Noise || s.Events[2].Source != "assistant" {
		t.Errorf("a request hidden: %v, its answer: %v, of %q", s.Events[1].Noise, s.Events[2].Noise, s.Events[2].Source)
	}
	sum := s.Linker.Summary()
	if sum.Title != "mender" || sum.Outcome != "finished" || sum.OpenCalls != 0 || sum.Usage.Input != 280 || sum.Usage.Output != 30 {
		t.Errorf("summary %+v", sum)
	}
	if got := s.Cell(t, 11, "/status/execution"); got != "finished" {
		t.Errorf("status %v", got)
	}
	c, ok := s.Request(7)
	if !ok || !c.Exact || len(c.Messages) != 4 || c.Messages[2].Calls[0].Tool != "bash" || c.Messages[3].Results[0] != "call_1" {
		t.Errorf("request %v %+v", ok, c)
	}
	if c := s.Talk(11); len(c.Messages) != 3 || c.Messages[1].Text != "FAIL rate_test.go:7: got 0, want 7" || c.Messages[0].Calls[0].ID != "call_1" {
		t.Errorf("in view %+v", c)
	}
}

func TestAgentSample(t *testing.T) {
	im := trial.Import(t, otlp.New(), trial.Data(t, "otel/vs-copilot-sample-1/input"))
	if len(im.Sessions) != 1 || len(im.Broken) > 0 {
		t.Fatalf("%d sessions, broken %q", len(im.Sessions), im.Broken)
	}
	s := im.Session(t, "4a8f63f6-7626-4416-a874-fc7bd2c3f005")
	if len(s.Events) != 8 || len(s.Failed()) != 0 || s.Links(model.ReasonAction) != 3 {
		t.Errorf("%s", told(s))
	}
	for _, id := range []string{"a1a1a1a1a1a1a1b1", "a1a1a1a1a1a1a1c1", "a1a1a1a1a1a1a1d1"} {
		e := s.Events[s.Find(id)-1]
		if len(e.Links) != 1 || e.Links[0].Reason != model.ReasonSource || e.Links[0].To.ID != "" && e.Links[0].To.ID != "a1a1a1a1a1a1a1a1" || e.Links[0].To.Pos != 1 {
			t.Errorf("%s: %+v", id, e.Links)
		}
	}
}

func TestMissingParent(t *testing.T) {
	im := trial.Import(t, otlp.New(), trial.Data(t, "otel/otlp-trace-example/input"))
	s := im.Session(t, "5B8EFFF798038103D269B633813FC60C")
	if l := s.Events[0].Links; len(s.Events) != 2 || len(l) != 1 || l[0].ToID != "EEE19B7EC3C1B173" || l[0].Broken != model.LinkMissing {
		t.Errorf("%s", told(s))
	}
}

func TestSpansOfAnSDK(t *testing.T) {
	im := trial.Import(t, otlp.New(), trial.Data(t, "otel/openinference-vercel-v6/input"))
	if len(im.Sessions) != 10 {
		t.Fatalf("%d sessions", len(im.Sessions))
	}
	s := im.Session(t, "b3e700af9eab81e19f72f964d62a35af")
	if len(s.Events) != 2 || s.Events[1].Kind != model.KindMessage || s.Events[1].Title != "Lines of code align," || s.Events[1].Usage.Output != 20 {
		t.Errorf("%s", told(s))
	}
	if got := s.Linker.Summary().Title; got != "test-generate-text" {
		t.Errorf("a trace of one request is called %q", got)
	}
	if c, ok := s.Request(2); !ok || len(c.Messages) != 1 || c.Messages[0].Text != "Write a haiku about programming." {
		t.Errorf("request %v %+v", ok, c)
	}
}

func TestFlatMessages(t *testing.T) {
	const span = `{"name":"llm","context":{"trace_id":"0xaa","span_id":"0xbb"},"parent_id":null,"start_time":"2026-03-01T10:00:00Z","end_time":"2026-03-01T10:00:01Z",` +
		`"attributes":{"openinference.span.kind":"LLM","llm.input_messages.0.message.role":"user","llm.input_messages.0.message.content":"hi",` +
		`"llm.output_messages.0.message.role":"assistant","llm.output_messages.0.message.tool_calls.0.tool_call.function.name":"ls","llm.token_count.prompt":3}}`
	im := trial.Import(t, otlp.New(), trial.NewDump(map[string]string{"spans.jsonl": span + "\n"}))
	s := im.Session(t, "aa")
	if got := s.Titles(); got != "delta llm: asked\nmessage calls ls\n" {
		t.Error(got)
	}
	if c, ok := s.Request(2); !ok || c.Exact || c.Messages[0].Text != "hi" {
		t.Errorf("request %v %+v", ok, c)
	}
}

func FuzzSpans(f *testing.F) {
	trial.Fuzz(f, otlp.New(), "run.jsonl",
		`{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"a","spanId":"b","name":"n","startTimeUnixNano":"1772359200000000000","endTimeUnixNano":"1772359201000000000","attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"execute_tool"}},{"key":"x","value":{"arrayValue":{"values":[{"intValue":"7"},{"kvlistValue":{"values":[{"key":"k","value":{"boolValue":true}}]}}]}}}],"events":[{"name":"exception"}],"links":[{"spanId":"c"}]},7]}]}]}`,
		`{"resourceSpans":[]}`, `{"name":"exception","timeUnixNano":"7"}`, `{"traceId":"a","spanId":"b","attributes":[]}`, `{"resourceLogs":[]}`,
		`{"name":"n","spanContext":{"traceId":"a","spanId":"b"},"startTime":[1772359200,5],"endTime":[1772359200,5],"attributes":{"ai.operationId":"ai.generateText.doGenerate","ai.response.text":"t","gen_ai.prompt.0.content":"p"}}`)
}
