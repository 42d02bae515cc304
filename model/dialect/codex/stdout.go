package codex

import (
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// stdout is a line that `codex exec --json` printed.
func (r *record) stdout(kind string) {
	b, e := &r.body, r.e
	e.Source = "program"
	r.n.Flags = isStdoutRow
	switch kind {
	case "thread.started":
		e.Kind = model.KindSession
		r.n.Thread = jsonscan.Str(b.threadID)
		e.Title = phrase.Titled("", "thread "+r.n.Thread)
	case "turn.started":
		e.Kind, e.Title = model.KindSession, "turn started"
		r.n.Status = statusRunning
	case "turn.completed":
		e.Kind, e.Title = model.KindSession, "turn complete"
		e.Usage = usageOf(b.usage)
		r.n.Flags |= isUsage
		r.n.Status = statusIdle
	case "turn.failed", "error":
		r.printedError(jsonscan.Get(b.fault, "message"))
		if kind == "error" {
			r.printedError(b.message)
			break
		}
		r.n.Status = statusError
	case "item.started", "item.updated", "item.completed":
		r.body = readBody(b.item)
		r.printedItem(strings.TrimPrefix(kind, "item."))
	default:
		r.other()
	}
}

func (r *record) printedError(text []byte) {
	r.e.Kind, r.e.Outcome = model.KindError, model.OutcomeFailed
	r.e.Title = phrase.TellingLine(phrase.Head(text, phrase.TextLimit))
	r.n.Flags |= endsBadly
}

// printedItem is an item at one of its stages. What ends without having begun
// stands for itself.
func (r *record) printedItem(stage string) {
	b, e := &r.body, r.e
	id, kind := jsonscan.Str(b.id), jsonscan.Str(b.typ)
	text := phrase.FirstLine(phrase.Content(b.text, phrase.LineLimit))
	switch kind {
	case "agent_message":
		e.ID, e.Kind, e.Source, e.Title = id, model.KindMessage, "agent", phrase.Titled("assistant", text)
		r.n.Flags |= isMade
		return
	case "reasoning":
		e.ID, e.Kind, e.Source, e.Title = id, model.KindMessage, "agent", phrase.Titled("thinking", plainHeading(text))
		r.n.Flags |= isMade
		return
	case "error":
		e.ID = id
		r.printedError(b.message)
		return
	}
	e.Call, e.Tool = id, itemTool(kind, b)
	v := itemVerdict(b)
	switch {
	case stage == "started":
		e.ID, e.Kind, e.Source = id, model.KindAction, "agent"
		r.n.Flags |= isMade | opensCall
		e.Title = phrase.OneLine(e.Tool + " " + printedSubject(b))
	case stage == "updated":
		e.Kind, e.Noise = model.KindDelta, true
		e.Title = printedEnd(kind, b, &v)
	default:
		e.Kind, e.Source, e.Outcome = model.KindObservation, "tool", v.outcome()
		r.n.Flags |= answersCall | isInput
		e.Title = printedEnd(kind, b, &v)
	}
}

// printedSubject is what a call is about that has only begun.
func printedSubject(b *body) string {
	switch {
	case b.command != nil:
		return phrase.FirstLine(commandOf(b.command))
	case b.changes != nil:
		return strings.TrimPrefix(changesTitle(b.changes), "edited ")
	case b.plan != nil:
		return planProgress(b.plan)
	case b.query != nil:
		return jsonscan.Str(b.query)
	}
	return ""
}

func printedEnd(kind string, b *body, v *verdict) string {
	switch {
	case b.command != nil:
		return v.String()
	case b.plan != nil:
		return planTitle(b)
	}
	return phrase.OneLine(itemTitle(kind, b, v))
}
