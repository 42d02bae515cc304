package opencode

import (
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// next reads an event of the coming model, session.next.<what>, or a row of its
// projection, whose type is the message's kind.
func (d *decoder) next(r row) {
	e := d.start(r, r.typ)
	n := note{Op: r.op, Object: r.message}
	get := func(keys ...string) []byte { return jsonscan.Get(r.data, keys...) }
	if r.op == opNextRow {
		e.ID, e.Noise = r.message, true
		e.Title = phrase.Titled(r.typ, phrase.FirstLine(phrase.Head(jsonscan.Get(r.object, "text"), phrase.LineLimit)))
		d.finish(e, &n)
		return
	}
	step := jsonscan.Str(get("assistantMessageID"))
	n.Parent = firstNonEmpty(step, r.message)
	line := func(keys ...string) string { return phrase.FirstLine(phrase.Head(get(keys...), phrase.LineLimit)) }
	what := strings.TrimPrefix(r.typ, "session.next.")
	n.State = what
	switch what {
	case "prompted", "synthetic", "text.ended", "reasoning.ended", "context.updated":
		e.Kind, e.Source = model.KindMessage, nextSources[what]
		e.Title = phrase.Titled(nextTitles[what], firstNonEmpty(line("prompt", "text"), line("text")))
		alias(e, r.message)
	case "tool.called", "shell.started":
		e.Kind, e.Call = model.KindAction, jsonscan.Str(get("callID"))
		e.Tool = firstNonEmpty(jsonscan.Str(get("tool")), "bash")
		subject := firstNonEmpty(subjectOf(e.Tool, get("input")), line("command"))
		e.Title = phrase.OneLine(e.Tool + " " + subject)
		alias(e, e.Call)
	case "tool.success", "tool.failed", "shell.ended":
		e.Kind, e.Call, e.Outcome = model.KindObservation, jsonscan.Str(get("callID")), model.OutcomeOK
		e.Title = withLine("ok", firstNonEmpty(line("structured", "title"), saying(phrase.Content(get("content"), phrase.LineLimit)), line("output")))
		if exit := get("structured", "exit"); jsonscan.Kind(exit) == '0' && jsonscan.Scalar(exit) != "0" {
			e.Outcome = model.OutcomeFailed
			e.Title = withLine("exit "+jsonscan.Scalar(exit), phrase.TellingLine(phrase.Content(get("content"), phrase.TextLimit)))
		}
		if what == "tool.failed" {
			e.Outcome, e.Title = model.OutcomeFailed, errorTitle(get("error"))
		}
	case "step.started":
		e.Kind, e.Noise = model.KindDelta, true
		e.Title = "step begins" + aside(jsonscan.Str(get("agent")), jsonscan.Str(get("model", "id")))
		alias(e, step)
	case "step.ended":
		e.Kind, e.Noise = model.KindDelta, true
		e.Usage = usageOf(get("tokens"), get("cost"))
		e.Title = stepTitle(e.Usage, jsonscan.Str(get("finish")))
		if jsonscan.Str(get("finish")) != "tool-calls" {
			n.Flags |= isIdle
		}
	case "step.failed", "retried":
		e.Kind, e.Outcome, e.Title = model.KindError, model.OutcomeFailed, errorTitle(get("error"))
		n.Flags |= isFailed
	case "compaction.ended", "revert.staged", "revert.cleared", "revert.committed":
		e.Kind = model.KindCheckpoint
		e.Title = phrase.Titled(strings.Replace(what, ".", " ", 1), firstNonEmpty(line("text"), line("messageID")))
	case "agent.switched", "model.switched", "moved":
		e.Kind = model.KindState
		e.Title = phrase.Titled(what, firstNonEmpty(line("agent"), line("model", "id"), line("directory"), line("location", "directory")))
	default:
		e.Kind, e.Noise = model.KindDelta, true
	}
	d.finish(e, &n)
}

var nextSources = map[string]string{
	"prompted": "user", "synthetic": "synthetic", "text.ended": "assistant", "reasoning.ended": "assistant", "context.updated": "system",
}

var nextTitles = map[string]string{
	"prompted": "user", "synthetic": "synthetic", "text.ended": "assistant", "reasoning.ended": "thinking", "context.updated": "context",
}
