package openhands

import (
	"strconv"

	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// streamKeys are state updates that a third-party port writes for every piece
// of a streamed answer.
var streamKeys = map[string]bool{"llm_stream": true, "llm_tool_call": true, "llm_usage": true}

// roundKeys are state updates that it writes for every request to the model:
// the messages beside them say what came of it.
var roundKeys = map[string]bool{"llm_request": true, "llm_tool_call_raw": true, "iteration": true}

func stateUpdate(e *model.Event, r *record, n *note) {
	n.Flags |= transparent | noParentLink
	key, value := updateOf(r)
	switch {
	case key == "execution_status" || key == "agent_status":
		n.Status = jsonscan.Scalar(value)
		e.Kind, e.Title = model.KindSession, phrase.Titled("status", n.Status)
	case key == "stats":
		e.Kind, e.Noise, e.Usage = model.KindDelta, true, statsUsage(value)
		e.Title = usageTitle(e.Usage)
	case key == "full_state":
		e.Kind, e.Title = model.KindCheckpoint, "full state"
		n.Status = firstNonEmpty(jsonscan.Scalar(jsonscan.Get(value, "execution_status")), jsonscan.Scalar(jsonscan.Get(value, "agent_status")))
		e.Usage = statsUsage(jsonscan.Get(value, "stats"))
	case streamKeys[key]:
		e.Kind, e.Noise = model.KindDelta, true
		e.Title = phrase.OneLine(key + " " + shortValue(value))
	default:
		e.Kind, e.Title, e.Noise = model.KindState, phrase.OneLine(key+" = "+shortValue(value)), roundKeys[key]
	}
}

// updateOf is what a state update sets. Early versions and a port write the
// name as a member of its own.
func updateOf(r *record) (key string, value []byte) {
	if key = jsonscan.Str(r.key); key != "" {
		return key, r.value
	}
	if present(r.agentStatus) {
		return "agent_status", r.agentStatus
	}
	return firstNonEmpty(r.odd, "state"), r.oddValue
}

func usageTitle(u *model.Usage) string {
	if u == nil {
		return "stats"
	}
	tokens := u.Input + u.Output + u.CacheRead + u.CacheWrite + u.Reasoning
	title := "stats: "
	if u.Told.Has(model.ToldCost) {
		title += "$" + strconv.FormatFloat(u.CostUSD, 'f', -1, 64) + ", "
	}
	return phrase.OneLine(title + strconv.FormatInt(tokens, 10) + " tokens")
}

// shortValue shows any value in a title: a text decoded, anything else as
// written.
func shortValue(v []byte) string {
	if isText(v) {
		return phrase.Head(v, 2*model.TitleLimit)
	}
	return string(v[:min(len(v), 2*model.TitleLimit)])
}

// hook reads a hook's run. It stands before the event that it guards and names
// it; only a PostToolUse hook looks back.
func hook(e *model.Event, r *record, n *note) {
	e.Kind, e.Tool = model.KindHook, jsonscan.Str(r.toolName)
	typ := firstNonEmpty(jsonscan.Str(r.hookType), "hook")
	isBlocked := isTrue(r.blocked)
	n.Flags |= transparent
	v := verdict{refused: isBlocked, flagged: flagOf(r.success, false)}
	e.Outcome = failed(v)
	code, hasCode := jsonscan.Int(r.exitCode)
	switch {
	case isBlocked:
		e.Title = phrase.Titled(typ+" hook", phrase.Titled("blocked", phrase.FirstLine(phrase.Head(r.reason, phrase.TextLimit))))
		n.Flags |= blocks
	case e.Outcome == model.OutcomeFailed && hasCode:
		e.Title = phrase.Titled(typ+" hook", "exit "+strconv.FormatInt(code, 10))
	case e.Outcome == model.OutcomeFailed:
		e.Title = phrase.Titled(typ+" hook", "failed")
	default:
		e.Title = phrase.Titled(typ+" hook", "ok")
	}
	target := firstNonEmpty(jsonscan.Str(r.actionID), jsonscan.Str(r.messageID))
	if typ == "PostToolUse" {
		recorded(e, model.ReasonAction, target)
		return
	}
	n.Guards = target
}

// acpCall reads one of several records of a call that an ACP agent ran. Which
// of them is the first only the linker can tell.
func acpCall(e *model.Event, r *record, n *note) {
	e.Kind, e.Call, e.Tool = model.KindAction, jsonscan.Str(r.toolCallID), jsonscan.Str(r.toolName)
	alias(e, e.Call)
	e.Title = phrase.OneLine(firstNonEmpty(jsonscan.Str(r.title), "ACP call"))
	status := jsonscan.Str(r.status)
	v := verdict{flagged: flagOf(r.isError, true)}
	switch status {
	case "completed", "failed":
		isBad := status == "failed" || v.flagged != nil && *v.flagged
		v.flagged = &isBad
		n.Flags |= answersCall
		e.Outcome = failed(v)
	default:
		if v.flagged != nil && *v.flagged {
			e.Outcome = failed(v)
		}
	}
	n.Flags |= acp
}

func completionLog(e *model.Event, r *record, n *note) {
	e.Kind, e.Noise = model.KindOther, true
	e.Title = phrase.OneLine("request log " + jsonscan.Str(r.usageID))
	n.Flags |= transparent | noParentLink
}

func delta(e *model.Event, r *record, n *note) {
	e.Kind, e.Noise = model.KindDelta, true
	e.Title = phrase.Titled(e.Type, phrase.FirstLine(phrase.Content(r.content, phrase.LineLimit)))
	n.Flags |= transparent | noParentLink
}

// bashPanel is the user's own terminal beside the conversation.
func bashPanel(e *model.Event, r *record, n *note) {
	d := r.detailsOf(r.raw)
	e.Kind = model.KindOther
	e.Title = phrase.Titled(e.Type, firstNonEmpty(phrase.Head(d.command, phrase.TextLimit), phrase.FirstLine(d.resultText(phrase.LineLimit))))
	n.Flags |= transparent | noParentLink
}
