package claudecode

import (
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// assistant reads a block of a provider's message, or what the client wrote in
// the assistant's name.
func (d *decoder) assistant() {
	r, e := &d.r, d.e
	m := &r.said
	e.Source = "assistant"
	id := jsonscan.Str(m.id)
	d.alias(id, jsonscan.Str(r.requestID))
	text, first := "", ""
	for _, b := range r.blocks {
		if first == "" {
			first = b.typ
		}
		switch b.typ {
		case blockToolUse:
			d.toolUse(b)
		case blockText:
			if text == "" {
				text = phrase.Head(b.text, phrase.LineLimit)
			}
		case blockThinking:
			if text == "" {
				text = phrase.Head(b.thinking, phrase.LineLimit)
			}
		}
	}
	if e.Kind == model.KindAction {
		first = blockToolUse
	}
	e.Type = joined("assistant", first)
	synthetic := jsonscan.Str(m.model) == syntheticModel
	switch {
	case isTrue(r.isAPIError):
		e.Kind, e.Source, e.Outcome = model.KindError, "client", model.OutcomeFailed
		e.Title = phrase.Titled("API error", strings.TrimPrefix(phrase.FirstLine(text), "API Error: "))
		d.n.Flags |= asModel | breaks
		return
	case synthetic:
		e.Kind, e.Source = model.KindMessage, "client"
		e.Title = phrase.Titled("client, as assistant", phrase.FirstLine(text))
		d.n.Flags |= asModel
		return
	}
	d.n.Flags |= fromModel
	d.n.Group, d.n.Request = id, jsonscan.Str(r.requestRef)
	e.Usage = usageOf(m.usage)
	switch {
	case e.Kind == model.KindAction:
	case first == blockThinking:
		e.Kind, e.Title = model.KindMessage, phrase.Titled("thinking", phrase.FirstLine(text))
	default:
		e.Kind, e.Title = model.KindMessage, phrase.Titled("assistant", phrase.FirstLine(text))
		if stop := jsonscan.Str(m.stopReason); stop != "tool_use" && stop != "pause_turn" {
			d.n.Flags |= endsTurn
		}
	}
}

// toolUse reads a call; the event is about the first one.
func (d *decoder) toolUse(b block) {
	id, tool := jsonscan.Str(b.id), jsonscan.Str(b.name)
	d.alias(id)
	if d.e.Kind == model.KindAction {
		d.n.Calls = append(d.n.Calls, call{id, tool})
		return
	}
	d.e.Kind, d.e.Call, d.e.Tool = model.KindAction, id, tool
	d.e.Title = callTitle(tool, b.input)
}
