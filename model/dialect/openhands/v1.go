package openhands

import (
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// v1Kinds says how each V1 event class is read (section 8 of the format). What
// is not listed is unknown: kept, shown, without effect.
var v1Kinds = map[string]func(*model.Event, *record, *note){
	"SystemPromptEvent":            systemPrompt,
	"MessageEvent":                 message,
	"ActionEvent":                  action,
	"NonExecutableActionEvent":     action,
	"ObservationEvent":             observation,
	"UserRejectObservation":        rejection,
	"AgentErrorEvent":              agentError,
	"ConversationErrorEvent":       conversationError,
	"ServerErrorEvent":             serverError,
	"Condensation":                 condensation,
	"CondensationRequest":          condensationRequest,
	"CondensationSummaryEvent":     condensationSummary,
	"ConversationStateUpdateEvent": stateUpdate,
	"PauseEvent":                   pause,
	"InterruptEvent":               pause,
	"HookExecutionEvent":           hook,
	"ACPToolCallEvent":             acpCall,
	"LLMCompletionLogEvent":        completionLog,
	"TokenEvent":                   delta,
	"StreamingDeltaEvent":          delta,
	"BashCommand":                  bashPanel,
	"BashOutput":                   bashPanel,
	"BashError":                    bashPanel,
}

// v1 reads an event of the newer family. Its seq is the index in its log where
// the packaging tells it.
func (d *decoder) v1(r *record, sc scope) {
	kind := jsonscan.Str(r.kind)
	read, known := v1Kinds[kind]
	if !known {
		d.unknown(r, sc)
		return
	}
	e := d.start(r, sc, kind)
	var n note
	d.parent(e, r, &n)
	read(e, r, &n)
	d.finish(e, &n)
}

func systemPrompt(e *model.Event, r *record, n *note) {
	e.Kind = model.KindMessage
	e.Title = "system prompt, " + phrase.Plural(count(r.tools), "tool")
	n.Flags |= inView
}

// llmMessage is what a Message says, as far as titles and links need it.
type llmMessage struct {
	role, toolCallID, name string
	text                   string
	images                 bool
	calls                  []string
	tools                  []string
}

func readMessage(v []byte) llmMessage {
	var m llmMessage
	jsonscan.Fields(v, func(key string, v []byte) bool {
		switch key {
		case "role":
			m.role = jsonscan.Str(v)
		case "tool_call_id":
			m.toolCallID = jsonscan.Str(v)
		case "name":
			m.name = jsonscan.Str(v)
		case "content":
			m.text = phrase.Content(v, phrase.LineLimit)
			jsonscan.Elements(v, func(block []byte) bool {
				m.images = m.images || jsonscan.Get(block, "image_urls") != nil
				return !m.images
			})
		case "tool_calls":
			jsonscan.Elements(v, func(call []byte) bool {
				id, tool := readToolCall(call)
				m.calls, m.tools = append(m.calls, id), append(m.tools, tool)
				return true
			})
		}
		return true
	})
	return m
}

// readToolCall reads a call's id and tool, in today's form or, before 1.0, in
// OpenAI's.
func readToolCall(call []byte) (id, tool string) {
	jsonscan.Fields(call, func(key string, v []byte) bool {
		switch key {
		case "id":
			id = jsonscan.Str(v)
		case "name":
			tool = jsonscan.Str(v)
		case "function":
			if s := jsonscan.Str(jsonscan.Get(v, "name")); s != "" {
				tool = s
			}
		}
		return true
	})
	return id, tool
}

func message(e *model.Event, r *record, n *note) {
	m := readMessage(r.llmMessage)
	e.Kind = model.KindMessage
	n.Flags |= inView
	line := phrase.FirstLine(m.text)
	if line == "" && m.images {
		line = "[image]"
	}
	switch {
	case m.role == "tool" || m.toolCallID != "":
		// The result again, in the form in which the model gets it.
		e.Call, e.Tool = m.toolCallID, m.name
		n.Flags |= answersCall
		e.Title = phrase.Titled("tool", line)
		return
	case e.Source == "user" || e.Source == "" && m.role == "user":
		n.Flags |= userTurn
		n.Line = line
		e.Title = phrase.Titled("user", line)
	case e.Source == "agent" || m.role == "assistant":
		n.Flags |= sourced
		n.Response = jsonscan.Str(r.responseID)
		alias(e, n.Response)
		n.Announces = m.calls
		if len(m.calls) == 0 {
			n.Flags |= turnEnds
		} else if line == "" {
			line, e.Noise = "calls "+m.tools[0], true // whose own records follow
		}
		e.Title = phrase.Titled("agent", line)
	default:
		e.Title = phrase.Titled(firstNonEmpty(e.Source, m.role), line)
	}
}

func action(e *model.Event, r *record, n *note) {
	e.Kind = model.KindAction
	e.Tool, e.Call = jsonscan.Str(r.toolName), jsonscan.Str(r.toolCallID)
	if e.Tool == "" || e.Call == "" {
		callID, callTool := readToolCall(r.toolCall)
		e.Tool, e.Call = firstNonEmpty(e.Tool, callTool), firstNonEmpty(e.Call, callID)
	}
	n.Flags |= inView | sourced
	n.Response = jsonscan.Str(r.responseID)
	alias(e, e.Call, n.Response)
	if !isObject(r.action) {
		n.Flags |= deadCall
		e.Title = phrase.Titled(e.Tool, "call not executable")
		return
	}
	n.Flags |= opensCall
	d := r.detailsOf(r.action)
	if jsonscan.Str(d.kind) == "FinishAction" || e.Tool == "finish" {
		n.Flags |= turnEnds
	}
	e.Title = callTitle(e.Tool, d, r.summary)
}

// answers reads what every V1 result has: the call it answers, by the action's
// event and by the provider's id.
func answers(e *model.Event, r *record, n *note) {
	e.Tool, e.Call = jsonscan.Str(r.toolName), jsonscan.Str(r.toolCallID)
	alias(e, e.Call)
	recorded(e, model.ReasonAction, jsonscan.Str(r.actionID))
	n.Flags |= answersCall | inView
}

func observation(e *model.Event, r *record, n *note) {
	e.Kind = model.KindObservation
	answers(e, r, n)
	d := r.detailsOf(r.observation)
	e.Outcome = failed(d.resultVerdict())
	if e.Tool == "" {
		e.Tool = jsonscan.Str(d.kind)
	}
	e.Title = resultTitle(e.Tool, d, e.Outcome, d.resultText(textLimitFor(e.Outcome)))
}

// resultText is the head of a result's text: today in content, before 1.0 in
// output, error or message.
func (d *details) resultText(limit int) string {
	if t := d.contentText(limit); t != "" {
		return t
	}
	for _, v := range [][]byte{d.output, d.err, d.message} {
		if t := phrase.Content(v, limit); t != "" {
			return t
		}
	}
	return ""
}

// contentText is phrase.Content of the content.
func (d *details) contentText(limit int) string {
	if isList(d.content) {
		return phrase.Joined(d.texts, limit)
	}
	return phrase.Content(d.content, limit)
}

// textLimitFor says how much of a text its title needs.
func textLimitFor(o model.Outcome) int {
	if o == model.OutcomeFailed {
		return phrase.TextLimit
	}
	return phrase.LineLimit
}

func rejection(e *model.Event, r *record, n *note) {
	e.Kind = model.KindObservation
	answers(e, r, n)
	e.Outcome = failed(verdict{refused: true})
	who := "rejected by " + firstNonEmpty(jsonscan.Str(r.rejectionSource), "user")
	if who == "rejected by hook" {
		who = "blocked by hook"
		n.Flags |= hookReject
	}
	e.Title = phrase.Titled(who, phrase.FirstLine(phrase.Head(r.rejectionReason, phrase.TextLimit)))
}

func agentError(e *model.Event, r *record, n *note) {
	answers(e, r, n)
	e.Kind, e.Outcome = model.KindError, failed(verdict{errored: true})
	text := phrase.Head(r.errorText, phrase.TextLimit)
	line := tellingLine(text)
	if isMadeUp(text) {
		line = phrase.Titled("no result, the program says", line)
	}
	e.Title = phrase.Titled(e.Tool, line)
}

// isMadeUp knows the errors that the program writes for calls of which no
// result will come: the run was paused, or the process started again.
func isMadeUp(text string) bool {
	return strings.HasPrefix(text, "Tool call interrupted before completion.") ||
		strings.HasPrefix(text, "A restart occurred while this tool was in progress")
}

func conversationError(e *model.Event, r *record, n *note) {
	serverError(e, r, n)
	n.Flags |= breaks
}

func serverError(e *model.Event, r *record, n *note) {
	e.Kind, e.Outcome = model.KindError, failed(verdict{errored: true})
	e.Title = phrase.Titled(jsonscan.Scalar(r.code), tellingLine(phrase.Head(r.detail, phrase.TextLimit)))
	n.Flags |= sourced
}

func condensation(e *model.Event, r *record, n *note) {
	e.Kind = model.KindCheckpoint
	alias(e, jsonscan.Str(r.responseID))
	if e.ID != "" {
		alias(e, e.ID+"-summary")
	}
	forgets(e, r.forgotten)
	n.Flags |= forgetsPast
	e.Title = condensationTitle(count(r.forgotten), present(r.summary))
}

func condensationTitle(n int, summary bool) string {
	if summary {
		return "condensation: forgets " + strconv.Itoa(n) + ", summary yes"
	}
	return "condensation: forgets " + strconv.Itoa(n) + ", summary no"
}

// forgets links a condensation to what it drops, each once.
func forgets(e *model.Event, ids []byte) {
	seen := map[string]bool{}
	jsonscan.Elements(ids, func(v []byte) bool {
		if id := jsonscan.Scalar(v); !seen[id] {
			seen[id] = true
			recorded(e, model.ReasonForgets, id)
		}
		return true
	})
}

func condensationRequest(e *model.Event, _ *record, n *note) {
	e.Kind, e.Title = model.KindState, "condensation requested"
	n.Flags |= asksToForget
}

// condensationSummary is virtual in the program; a copied view may hold it.
func condensationSummary(e *model.Event, r *record, n *note) {
	e.Kind = model.KindMessage
	e.Title = phrase.Titled("summary", phrase.FirstLine(phrase.Head(r.summary, phrase.TextLimit)))
	n.Flags |= inView
}

func pause(e *model.Event, _ *record, n *note) {
	e.Kind, e.Title = model.KindSession, "paused"
	if e.Type == "InterruptEvent" {
		e.Title = "interrupted"
	}
	n.Flags |= pauses
}
