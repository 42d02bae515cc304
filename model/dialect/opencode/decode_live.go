package opencode

import (
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// live reads a frame that no log holds.
func (d *decoder) live(r row) {
	e := d.start(r, r.typ)
	n := note{Op: opLive}
	e.Kind = model.KindOther
	p := r.data
	get := func(keys ...string) []byte { return jsonscan.Get(p, keys...) }
	switch family(r.typ) {
	case "session.status":
		d.status(e, &n, p)
	case "session.idle":
		e.Kind, e.Title, n.State = model.KindSession, "idle", "idle"
	case "session.error":
		err := get("error")
		e.Kind, e.Outcome, e.Title = model.KindError, model.OutcomeFailed, errorTitle(err)
		n.Flags |= isFailed
		if jsonscan.Str(jsonscan.Get(err, "name")) == "MessageAbortedError" {
			e.Kind, e.Outcome, e.Title = model.KindSession, model.OutcomeUnknown, "aborted"
			n.Flags = isAborted
		}
	case "session.compacted":
		e.Kind, e.Noise, e.Title = model.KindDelta, true, "compacted"
	case "permission", "question":
		d.ask(e, &n, p)
	case "todo.updated":
		e.Kind, e.Title = model.KindState, todoTitle(get("todos"))
	case "message.part.delta":
		e.Kind, e.Noise = model.KindDelta, true
		n.Parent, n.Object = r.message, r.part
		e.Title = phrase.Titled("delta", phrase.FirstLine(phrase.Head(get("delta"), phrase.LineLimit)))
		recorded(e, model.ReasonParent, r.part)
	case "file.edited", "file.watcher.updated":
		e.Noise = true
		e.Title = phrase.OneLine(r.typ + " " + jsonscan.Str(get("file")))
	default:
		e.Noise = true
		if strings.HasPrefix(r.typ, "server.") || strings.HasPrefix(r.typ, "custom.") || r.typ == "session.diff" {
			e.Kind = model.KindDelta
		}
	}
	d.finish(e, &n)
}

// liveOnly reports what no log holds and is worth a place among its rows.
func liveOnly(r row) bool {
	if r.op != opLive {
		return false
	}
	switch family(r.typ) {
	case "session.status", "session.idle", "session.error", "permission", "question":
		return true
	}
	return false
}

// family puts the kinds of a question together.
func family(typ string) string {
	for _, f := range []string{"permission", "question"} {
		if strings.HasPrefix(typ, f+".") {
			return f
		}
	}
	return typ
}

func (d *decoder) status(e *model.Event, n *note, p []byte) {
	s := jsonscan.Get(p, "status")
	n.State = jsonscan.Str(jsonscan.Get(s, "type"))
	e.Kind, e.Title = model.KindSession, phrase.OneLine(firstNonEmpty(n.State, "status"))
	if n.State == "retry" {
		e.Kind, e.Outcome = model.KindError, model.OutcomeFailed
		n.Flags |= isFailed
		what := strings.TrimSpace("retry " + jsonscan.Scalar(jsonscan.Get(s, "attempt")))
		e.Title = phrase.Titled(what, phrase.TellingLine(phrase.Head(jsonscan.Get(s, "message"), phrase.TextLimit)))
	}
}

// ask reads a question to the user, or the answer to one.
func (d *decoder) ask(e *model.Event, n *note, p []byte) {
	e.Kind = model.KindState
	get := func(keys ...string) string { return jsonscan.Scalar(jsonscan.Get(p, keys...)) }
	if reply := firstNonEmpty(get("requestID"), get("permissionID")); reply != "" {
		n.Other = reply
		e.Title = phrase.Titled("reply", firstNonEmpty(get("reply"), get("response"), e.Type))
		recorded(e, model.ReasonAction, reply)
		return
	}
	var pattern string
	jsonscan.Elements(jsonscan.Get(p, "patterns"), func(v []byte) bool { pattern = jsonscan.Str(v); return false })
	what := firstNonEmpty(get("permission"), get("type"), get("title"), "question")
	e.Title = phrase.Titled("asks", strings.TrimSpace(what+" "+firstNonEmpty(pattern, get("pattern"))))
	alias(e, get("id"))
	n.Extra = firstNonEmpty(get("tool", "callID"), get("callID"))
	e.Call = n.Extra
}

func todoTitle(todos []byte) string {
	done, all := 0, 0
	jsonscan.Elements(todos, func(v []byte) bool {
		all++
		if jsonscan.Str(jsonscan.Get(v, "status")) == callCompleted {
			done++
		}
		return true
	})
	return "todos: " + strconv.Itoa(done) + "/" + strconv.Itoa(all) + " done"
}

// run reads a line of `run --format json`. A call and its result are one line.
func (d *decoder) run(r row) {
	p, c := r.partAt(stageWhole)
	e := d.start(r, r.typ)
	n := note{Op: opRun, Object: r.part, Parent: r.message, State: p.typ}
	e.Source = "assistant"
	alias(e, r.part, p.call, r.message)
	switch r.typ {
	case "text", "reasoning":
		spoken(e, &n, &p)
	case "tool_use":
		d.tool(e, &n, &p, &c, r.at)
	case "step_start":
		e.Kind, e.Noise, e.Title = model.KindDelta, true, "step begins"
	case "step_finish":
		e.Kind, e.Noise = model.KindDelta, true
		e.Usage = usageOf(p.tokens, p.cost)
		e.Title = stepTitle(e.Usage, p.reason)
		if p.reason == "stop" {
			n.Flags |= isIdle
		}
	case "error":
		e.Kind, e.Outcome = model.KindError, model.OutcomeFailed
		e.Title = errorTitle(jsonscan.Get(d.rec.Raw, "error"))
	default:
		e.Noise = true
	}
	d.finish(e, &n)
}

// idTime reads the time off an id: the low 36 bits of its milliseconds stand in
// the first nine hexadecimal digits. Which of the possible times it is, a time
// of the same dump tells.
func (d *decoder) idTime(id string) model.Time {
	const period = 1 << 36
	i := strings.IndexByte(id, '_')
	if d.meta.Near == 0 || i < 0 || len(id) < i+13 || strings.HasPrefix(id, "ses_") {
		return model.Time{}
	}
	n, err := strconv.ParseUint(id[i+1:i+13], 16, 64)
	if err != nil {
		return model.Time{}
	}
	ms := int64(n >> 12)
	ms += (d.meta.Near - ms + period/2) / period * period
	return model.ParseTimeNumber(strconv.FormatInt(ms, 10))
}
