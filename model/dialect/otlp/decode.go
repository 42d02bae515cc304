package otlp

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// eventMark stands behind the id of a span in that of an event within.
const eventMark = "~event/"

// Decode reads an export of spans, or a span. A span of an export stands alone
// where its events are put in order.
func (dialect) Decode(rec *model.Record, emit func(*model.Event)) error {
	if jsonscan.Kind(rec.Raw) != '{' {
		return fmt.Errorf("not a span: it is no object")
	}
	if jsonscan.Get(rec.Raw, "resourceSpans") == nil {
		if isWithin(rec.Raw) {
			return fmt.Errorf("an event of a span that is not there")
		}
		spanEvents(rec.Raw, rec.Raw, emit)
		return nil
	}
	n := 0
	jsonscan.Elements(jsonscan.Get(rec.Raw, "resourceSpans"), func(resource []byte) bool {
		scopes := first(jsonscan.Get(resource, "scopeSpans"), jsonscan.Get(resource, "instrumentationLibrarySpans"))
		jsonscan.Elements(scopes, func(scope []byte) bool {
			jsonscan.Elements(jsonscan.Get(scope, "spans"), func(raw []byte) bool {
				n++
				spanEvents(rec.Raw, raw, emit)
				return true
			})
			return true
		})
		return true
	})
	if n == 0 {
		emit(other(rec.Raw, rec.Raw))
	}
	return nil
}

// isWithin reports an event of a span without the span around it.
func isWithin(raw []byte) bool {
	timed := first(jsonscan.Get(raw, "timeUnixNano"), jsonscan.Get(raw, "time"), jsonscan.Get(raw, "timestamp"))
	s := readSpan(raw)
	return s.name != "" && timed != nil && s.id == "" && s.trace == ""
}

// other is what is no span.
func other(record, raw []byte) *model.Event {
	e := &model.Event{Type: "other", Kind: model.KindOther, Span: chat.SpanOf(record, raw)}
	jsonscan.Fields(raw, func(key string, _ []byte) bool {
		e.Title = phrase.OneLine(key)
		return false
	})
	return e
}

// spanEvents emits the start of a span, what happened within, and its end.
func spanEvents(record, raw []byte, emit func(*model.Event)) {
	if jsonscan.Kind(raw) != '{' {
		emit(other(record, raw))
		return
	}
	s := readSpan(raw)
	if s.id == "" {
		e := other(record, raw)
		e.Session, e.Time, e.Title = s.session(), s.start, cmp.Or(phrase.OneLine(s.name), e.Title)
		emit(e)
		return
	}
	at := chat.SpanOf(record, raw)
	emit(s.begin(at))
	n := 0
	jsonscan.Elements(s.events, func(v []byte) bool {
		n++
		emit(s.within(n, v, chat.SpanOf(record, v)))
		return true
	})
	if s.end.Known {
		emit(s.finish(at))
	}
}

func (s *span) begin(at model.Span) *model.Event {
	e := &model.Event{Session: s.session(), ID: s.id, Type: s.operation() + "/start", Time: s.start, Span: at, Source: s.text("gen_ai.agent.name"), Title: phrase.OneLine(s.name)}
	n := chat.Note{Title: phrase.OneLine(s.text("ai.telemetry.functionId"))}
	switch s.role() {
	case opChat:
		e.Kind, e.Noise = model.KindDelta, s.end.Known // the end says what came of it
		e.Title = phrase.Titled(cmp.Or(s.text("gen_ai.request.model", "llm.model_name", "ai.model.id"), s.name), "asked")
		n.Title = phrase.OneLine(cmp.Or(n.Title, s.name))
	case opTool:
		e.Kind, e.Tool, e.Call = model.KindAction, s.tool(), s.callID()
		e.Title = phrase.Titled(cmp.Or(e.Tool, s.name), s.about())
		n.Calls = []string{s.id}
	case opAgent:
		e.Kind = model.KindSession
		n.Title = phrase.OneLine(cmp.Or(s.text("gen_ai.agent.name"), n.Title, s.name))
	}
	s.causes(e)
	e.Note = n.String()
	return e
}

// about is what a call is about.
func (s *span) about() string {
	args := s.arguments()
	if command, ok := chat.Command(s.tool(), args); ok {
		return phrase.FirstLine(command)
	}
	if jsonscan.Kind(args) == '{' {
		return chat.About(args)
	}
	return phrase.FirstLine(chat.Text(args))
}

func (s *span) callID() string {
	return cmp.Or(s.text("gen_ai.tool.call.id", "tool_call.id", "ai.toolCall.id"), s.id)
}

// causes links a start to its parent and to what it names: an agent that runs
// within another span was started by it.
func (s *span) causes(e *model.Event) {
	if s.parent != "" && s.parent != s.id {
		reason := model.ReasonSource
		if s.role() == opAgent {
			reason = model.ReasonSpawn
		}
		e.Links = append(e.Links, model.Link{Reason: reason, ToID: s.parent})
	}
	jsonscan.Elements(s.links, func(v []byte) bool {
		_, id := contextIDs(first(jsonscan.Get(v, "context"), v))
		if id != "" && id != s.id && id != s.parent {
			e.Links = append(e.Links, model.Link{Reason: model.ReasonSource, ToID: id})
		}
		return true
	})
}

// within is an event that happened during the span.
func (s *span) within(n int, raw []byte, at model.Span) *model.Event {
	typ := jsonscan.Str(jsonscan.Get(raw, "name"))
	e := &model.Event{
		Session: s.session(), ID: s.id + eventMark + strconv.Itoa(n), Type: cmp.Or(typ, "event"), Kind: model.KindOther, Span: at,
		Time:  timeOf(first(jsonscan.Get(raw, "timeUnixNano"), jsonscan.Get(raw, "time"), jsonscan.Get(raw, "timestamp"))),
		Links: []model.Link{{Reason: model.ReasonSource, ToID: s.id}},
	}
	if !e.Time.Known {
		e.Time = s.start
	}
	a := span{attrs: attributes(jsonscan.Get(raw, "attributes"))}
	said := a.text("exception.message", "content", "gen_ai.event.content", "message")
	switch {
	case typ == "exception":
		e.Kind, e.Outcome = model.KindError, model.OutcomeFailed
		said = phrase.Titled(a.text("exception.type"), phrase.FirstLine(said))
	case strings.HasPrefix(typ, "gen_ai."):
		e.Kind = model.KindDelta
	case strings.HasPrefix(typ, "ai.stream."):
		e.Kind, e.Noise = model.KindDelta, true // how far a streamed answer was
	}
	e.Title = phrase.Titled(e.Type, phrase.FirstLine(said))
	return e
}

func (s *span) finish(at model.Span) *model.Event {
	e := &model.Event{Session: s.session(), ID: s.id + endMark, Type: s.operation() + "/end", Time: s.end, Span: at, Origin: model.OriginDerived, Source: s.text("gen_ai.agent.name")}
	failure := cmp.Or(s.message, s.text("error.type"))
	switch {
	case s.failed || s.text("error.type") != "":
		e.Outcome = model.OutcomeFailed
	case s.ok:
		e.Outcome = model.OutcomeOK
	}
	e.Title = phrase.Titled(s.name, "ended")
	if e.Outcome.Failed() {
		e.Title = phrase.Titled(s.name, cmp.Or(phrase.FirstLine(failure), "failed"))
	}
	var n chat.Note
	switch s.role() {
	case opChat:
		e.Kind, e.Usage, e.Source = model.KindMessage, s.usage(), cmp.Or(e.Source, "assistant")
		said := s.output()
		for _, c := range said.Calls {
			if c.ID != "" {
				e.Aliases = append(e.Aliases, c.ID)
			}
		}
		if line := phrase.FirstLine(said.Text); line != "" {
			e.Title = line
		} else if len(said.Calls) > 0 {
			e.Title = phrase.OneLine("calls " + said.Calls[0].Tool)
		}
		if e.Outcome.Failed() {
			e.Kind, e.Title = model.KindError, phrase.Titled(s.name, cmp.Or(phrase.FirstLine(failure), "failed"))
		}
		if id := s.text("gen_ai.response.id", "ai.response.id"); id != "" {
			e.Aliases = append(e.Aliases, id)
		}
	case opTool:
		e.Kind, e.Tool, e.Call = model.KindObservation, s.tool(), s.callID()
		e.Title = chat.ResultTitle(cmp.Or(e.Tool, s.name), cmp.Or(chat.Text(s.result()), failure), nil, e.Outcome)
		n.Results = []string{s.id}
	case opAgent:
		e.Kind = model.KindSession
		n.Outcome = "finished"
		if e.Outcome.Failed() {
			n.Outcome = "error"
		}
	default:
		if e.Outcome.Failed() {
			e.Kind = model.KindError
		}
	}
	if len(n.Results) == 0 { // else the linker makes the link to the call
		e.Links = append(e.Links, model.Link{Reason: model.ReasonSource, ToID: s.id})
	}
	e.Note = n.String()
	return e
}

func (s *span) usage() *model.Usage {
	c := chat.Counts{
		Prompt:      s.number("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt", "ai.usage.inputTokens", "ai.usage.promptTokens"),
		Completion:  s.number("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion", "ai.usage.outputTokens", "ai.usage.completionTokens"),
		CacheRead:   s.number("gen_ai.usage.cache_read.input_tokens", "llm.token_count.prompt_details.cache_read", "ai.usage.cachedInputTokens"),
		CacheWrite:  s.number("gen_ai.usage.cache_creation.input_tokens", "llm.token_count.prompt_details.cache_write"),
		Reasoning:   s.number("llm.token_count.completion_details.reasoning", "ai.usage.reasoningTokens"),
		CacheInside: true, ReasoningInside: true,
	}
	return c.Usage()
}
