package otlp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// span is a span of either writing.
type span struct {
	trace, id, parent, name string
	start, end              model.Time
	failed, ok              bool
	message                 string // of the status
	attrs                   map[string][]byte
	events, links           []byte
}

func readSpan(raw []byte) (s span) {
	jsonscan.Fields(raw, func(key string, v []byte) bool {
		switch key {
		case "traceId":
			s.trace = jsonscan.Scalar(v)
		case "spanId":
			s.id = jsonscan.Scalar(v)
		case "spanContext", "context":
			s.trace, s.id = contextIDs(v)
		case "parentSpanId", "parent_id":
			s.parent = strings.TrimPrefix(jsonscan.Scalar(v), "0x")
		case "parentSpanContext":
			_, s.parent = contextIDs(v)
		case "name":
			s.name = jsonscan.Str(v)
		case "startTimeUnixNano", "startTime", "start_time":
			s.start = timeOf(v)
		case "endTimeUnixNano", "endTime", "end_time":
			s.end = timeOf(v)
		case "status":
			s.status(v)
		case "attributes":
			s.attrs = attributes(v)
		case "events":
			s.events = v
		case "links":
			s.links = v
		}
		return true
	})
	if strings.Trim(s.parent, "0") == "" {
		s.parent = ""
	}
	return s
}

func (s *span) status(v []byte) {
	switch strings.ToUpper(jsonscan.Scalar(first(jsonscan.Get(v, "code"), jsonscan.Get(v, "status_code")))) {
	case "2", "STATUS_CODE_ERROR", "ERROR":
		s.failed = true
	case "1", "STATUS_CODE_OK", "OK":
		s.ok = true
	}
	s.message = cmp.Or(jsonscan.Str(jsonscan.Get(v, "message")), jsonscan.Str(jsonscan.Get(v, "description")))
}

// first is the first value that is there.
func first(values ...[]byte) []byte {
	for _, v := range values {
		if v != nil {
			return v
		}
	}
	return nil
}

func contextIDs(v []byte) (trace, id string) {
	trace = jsonscan.Scalar(first(jsonscan.Get(v, "traceId"), jsonscan.Get(v, "trace_id")))
	id = jsonscan.Scalar(first(jsonscan.Get(v, "spanId"), jsonscan.Get(v, "span_id")))
	return strings.TrimPrefix(trace, "0x"), strings.TrimPrefix(id, "0x")
}

// timeOf reads nanoseconds, a date, or a pair of seconds and nanoseconds.
func timeOf(v []byte) model.Time {
	if jsonscan.Kind(v) != '[' {
		return model.ParseTime(jsonscan.Scalar(v))
	}
	var parts []int64
	jsonscan.Elements(v, func(x []byte) bool {
		n, _ := jsonscan.Int(x)
		parts = append(parts, n)
		return true
	})
	if len(parts) != 2 || parts[1] < 0 || parts[1] > 999_999_999 {
		return model.Time{}
	}
	return model.ParseTimeNumber(fmt.Sprintf("%d.%09d", parts[0], parts[1]))
}

// attributes reads OTLP's list of keys and values, or an object.
func attributes(v []byte) map[string][]byte {
	all := map[string][]byte{}
	if jsonscan.Kind(v) == '{' {
		jsonscan.Fields(v, func(key string, x []byte) bool {
			all[key] = x
			return true
		})
		return all
	}
	jsonscan.Elements(v, func(a []byte) bool {
		all[jsonscan.Str(jsonscan.Get(a, "key"))] = plain(jsonscan.Get(a, "value"), 0)
		return true
	})
	return all
}

// depthLimit bounds how deep values may hold values.
const depthLimit = 32

// plain is an OTLP value as plain JSON.
func plain(v []byte, depth int) (out []byte) {
	jsonscan.Fields(v, func(key string, x []byte) bool {
		switch {
		case key == "arrayValue" && depth < depthLimit:
			parts := [][]byte{}
			jsonscan.Elements(jsonscan.Get(x, "values"), func(e []byte) bool {
				parts = append(parts, orNull(plain(e, depth+1)))
				return true
			})
			out = append(append([]byte("["), bytes.Join(parts, []byte(","))...), ']')
		case key == "kvlistValue" && depth < depthLimit:
			parts := [][]byte{}
			jsonscan.Elements(jsonscan.Get(x, "values"), func(e []byte) bool {
				k, err := json.Marshal(jsonscan.Str(jsonscan.Get(e, "key")))
				if err == nil {
					parts = append(parts, append(append(k, ':'), orNull(plain(jsonscan.Get(e, "value"), depth+1))...))
				}
				return true
			})
			out = append(append([]byte("{"), bytes.Join(parts, []byte(","))...), '}')
		default:
			out = x
		}
		return false
	})
	return out
}

func orNull(v []byte) []byte {
	if v == nil {
		return []byte("null")
	}
	return v
}

// text is the first of the attributes that is a scalar with something in it.
func (s *span) text(keys ...string) string {
	for _, k := range keys {
		if t := jsonscan.Scalar(s.attrs[k]); t != "" {
			return t
		}
	}
	return ""
}

// value is the first of the attributes that is there; a string that holds JSON
// is taken as that.
func (s *span) value(keys ...string) []byte {
	for _, k := range keys {
		if v, ok := s.attrs[k]; ok {
			return opened(v)
		}
	}
	return nil
}

func opened(v []byte) []byte {
	if jsonscan.Kind(v) != '"' {
		return v
	}
	inner := []byte(jsonscan.Str(v))
	if k := jsonscan.Kind(inner); (k == '[' || k == '{') && json.Valid(inner) {
		return inner
	}
	return v
}

func (s *span) number(keys ...string) []byte {
	for _, k := range keys {
		if v, ok := s.attrs[k]; ok {
			return v
		}
	}
	return nil
}

// session is the conversation, else the trace.
func (s *span) session() string {
	return cmp.Or(s.text("gen_ai.conversation.id", "session.id"), s.trace)
}

// The operations that a span may be of.
const (
	opChat  = "chat"
	opTool  = "execute_tool"
	opAgent = "invoke_agent"
)

// role is what a span is: a call of a model, of a tool, a run of an agent, or
// empty for anything else.
func (s *span) role() string {
	switch op := s.text("gen_ai.operation.name"); op {
	case "chat", "text_completion", "generate_content":
		return opChat
	case "execute_tool":
		return opTool
	case "invoke_agent", "invoke_workflow":
		return opAgent
	}
	switch strings.ToUpper(s.text("openinference.span.kind", "traceloop.span.kind")) {
	case "LLM":
		return opChat
	case "TOOL":
		return opTool
	case "AGENT", "WORKFLOW":
		return opAgent
	}
	switch op := s.text("ai.operationId"); {
	case op == "ai.toolCall":
		return opTool
	case strings.HasPrefix(op, "ai.generate"), strings.HasPrefix(op, "ai.stream"):
		if strings.HasSuffix(op, ".doGenerate") || strings.HasSuffix(op, ".doStream") {
			return opChat
		}
		return opAgent
	}
	if s.text("llm.request.type") == "chat" {
		return opChat
	}
	return ""
}

// operation is the span's own type.
func (s *span) operation() string {
	return cmp.Or(s.text("gen_ai.operation.name", "ai.operationId", "openinference.span.kind", "traceloop.span.kind"), "span")
}

func (s *span) tool() string {
	return s.text("gen_ai.tool.name", "tool.name", "tool_call.function.name", "ai.toolCall.name", "traceloop.entity.name")
}

func (s *span) arguments() []byte {
	return s.value("gen_ai.tool.call.arguments", "tool_call.function.arguments", "ai.toolCall.args", "tool.parameters", "traceloop.entity.input", "input.value")
}

func (s *span) result() []byte {
	return s.value("gen_ai.tool.call.result", "ai.toolCall.result", "traceloop.entity.output", "output.value")
}
