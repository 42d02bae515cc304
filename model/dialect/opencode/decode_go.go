package opencode

import (
	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// goRow reads a row of the old Go program's tables: a session, a message with
// all its parts, or a version of a file.
func (d *decoder) goRow(r row) {
	e := d.start(r, r.typ)
	n := note{Op: r.op}
	get := func(key string) []byte { return jsonscan.Get(r.object, key) }
	e.ID = jsonscan.Scalar(get("id"))
	switch r.op {
	case opGoSession:
		title := jsonscan.Str(get("title"))
		e.Kind, e.Title = model.KindSession, phrase.Titled("session created", title)
		n.Text, n.Parent = title, jsonscan.Str(get("parent_session_id"))
		// The session of a sub-agent bears the id of the call that made it.
		if n.Parent != "" {
			recorded(e, model.ReasonSpawn, r.session)
		}
		e.ID = "session " + r.session
		d.finish(e, &n)
	case opGoFile:
		e.Kind = model.KindState
		path, version := jsonscan.Str(get("path")), jsonscan.Str(get("version"))
		e.Title = phrase.OneLine("file " + path + " " + version)
		e.Noise = version == "initial"
		d.finish(e, &n)
	default:
		d.goMessage(r)
	}
}

// goMessage reads a message. Each call in it, and each result, is an event of
// its own beside the message.
func (d *decoder) goMessage(r row) {
	role := jsonscan.Str(jsonscan.Get(r.object, "role"))
	parts := inner(jsonscan.Get(r.object, "parts"))
	e := d.start(r, typeWith(r.typ, role))
	n := note{Op: opGoMessage, Object: r.message, State: role}
	e.ID, e.Source, e.Kind = r.message, role, model.KindMessage
	var text string
	jsonscan.Elements(parts, func(p []byte) bool {
		data := jsonscan.Get(p, "data")
		switch jsonscan.Str(jsonscan.Get(p, "type")) {
		case "text":
			text = firstNonEmpty(text, phrase.FirstLine(phrase.Head(jsonscan.Get(data, "text"), phrase.LineLimit)))
		case "finish":
			reason := jsonscan.Str(jsonscan.Get(data, "reason"))
			if reason == "canceled" || reason == "error" {
				n.Flags |= isFailed
				e.Kind, e.Outcome = model.KindError, model.OutcomeFailed
				text = firstNonEmpty(text, reason)
			}
			if reason == "end_turn" || reason == "stop" {
				n.Flags |= isIdle
			}
		}
		return true
	})
	e.Title = phrase.Titled(role, text)
	e.Noise = role == "tool" || text == ""
	d.finish(e, &n)
	nth := 0
	jsonscan.Elements(parts, func(p []byte) bool {
		nth++
		d.goPart(r, role, p)
		return true
	})
}

// goPart reads a call or a result in a message.
func (d *decoder) goPart(r row, role string, p []byte) {
	data := jsonscan.Get(p, "data")
	kind := jsonscan.Str(jsonscan.Get(p, "type"))
	n := note{Op: opGoMessage, Parent: r.message, State: kind}
	switch kind {
	case "tool_call":
		e := d.start(r, "message/tool_call")
		e.Kind, e.Tool, e.Call = model.KindAction, jsonscan.Str(jsonscan.Get(data, "name")), jsonscan.Str(jsonscan.Get(data, "id"))
		e.ID, e.Source, e.Origin = e.Call, role, model.OriginDerived
		e.Title = phrase.OneLine(e.Tool + " " + subjectOf(e.Tool, inner(jsonscan.Get(data, "input"))))
		recorded(e, model.ReasonParent, r.message)
		d.finish(e, &n)
	case "tool_result":
		e := d.start(r, "message/tool_result")
		e.Kind, e.Call, e.Outcome = model.KindObservation, jsonscan.Str(jsonscan.Get(data, "tool_call_id")), model.OutcomeOK
		e.ID, e.Source, e.Origin = e.Call+"~result", role, model.OriginDerived
		e.Title = withLine("ok", saying(phrase.Head(jsonscan.Get(data, "content"), phrase.LineLimit)))
		if isTrue(jsonscan.Get(data, "is_error")) {
			e.Outcome = model.OutcomeFailed
			e.Title = withLine("error", phrase.TellingLine(phrase.Head(jsonscan.Get(data, "content"), phrase.TextLimit)))
		}
		recorded(e, model.ReasonParent, r.message)
		recorded(e, model.ReasonAction, e.Call)
		d.finish(e, &n)
	}
}
