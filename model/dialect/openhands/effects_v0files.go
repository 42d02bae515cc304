package openhands

import (
	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/patch"
)

// editsAreParts is the first day on which an edit's old and new content are
// only the replaced text, in the order of dates as text.
const editsAreParts = "2025-02-12"

// changeV0 is what an edit, a write or a read of the older family says of a
// file.
type changeV0 struct {
	e            *model.Event
	view         model.View
	path         string
	args, extras []byte
	details      *details
	content      string
}

func (c *changeV0) effects() []model.Effect {
	if c.path == "" {
		return nil
	}
	var fx model.Effect
	switch c.e.Type {
	case "read":
		fx = c.read()
	case "write":
		fx = c.written()
	default:
		fx = c.edit()
	}
	if fx == nil {
		return nil
	}
	return []model.Effect{fx}
}

// read is a look at a file, with line numbers or without.
func (c *changeV0) read() model.Effect {
	whole := c.isWhole() && !isList(jsonscan.Get(c.args, "view_range"))
	if text, ok, clipped := numberedText(c.content); ok {
		return seen(c.view, c.path, text, whole && !clipped && c.args != nil)
	}
	if jsonscan.Str(jsonscan.Get(c.extras, "impl_source")) == "oh_aci" || jsonscan.Str(jsonscan.Get(c.args, "impl_source")) == "oh_aci" {
		return nil // a folder, a picture, or an answer in words
	}
	return seen(c.view, c.path, c.content, whole && c.args != nil)
}

// isWhole reports whether the action's line range is the whole file.
func (c *changeV0) isWhole() bool {
	start, ok := jsonscan.Int(jsonscan.Get(c.args, "start"))
	end, ok2 := jsonscan.Int(jsonscan.Get(c.args, "end"))
	return (!ok || start <= 1) && (!ok2 || end == -1)
}

func (c *changeV0) written() model.Effect {
	text := jsonscan.Get(c.args, "content")
	if !isText(text) || !c.isWhole() {
		return nil
	}
	return model.WriteFile{Path: c.path, Content: jsonscan.Str(text), Certainty: model.CertaintyKnown}
}

// edit reads an edit. Early ones, and those that a model wrote, hold the whole
// text before and after; later ones the replaced text, and a diff.
func (c *changeV0) edit() model.Effect {
	old, now := c.details.oldContent, c.details.newContent
	if c.holdsWhole() {
		if !isText(now) {
			return nil
		}
		fx := model.WriteFile{Path: c.path, Content: jsonscan.Str(now), Certainty: model.CertaintyKnown}
		if before := jsonscan.Str(old); isText(old) {
			fx.Before = &before
		}
		return fx
	}
	if text := jsonscan.Get(c.args, "file_text"); isText(text) && jsonscan.Str(jsonscan.Get(c.args, "command")) == "create" {
		return model.WriteFile{Path: c.path, Content: jsonscan.Str(text), Certainty: model.CertaintyKnown}
	}
	if known, sure, ok := c.view.File(c.path); ok && known != nil && sure >= model.CertaintyDerived {
		if text, ok := patch.Unified(*known, jsonscan.Str(jsonscan.Get(c.extras, "diff"))); ok {
			return model.WriteFile{Path: c.path, Content: text, Certainty: model.CertaintyDerived}
		}
	}
	if fx := editOf(c.path, c.args); fx != nil {
		return fx
	}
	if isText(old) && isText(now) && jsonscan.Str(old) != "" {
		return model.EditFile{Path: c.path, Old: jsonscan.Str(old), New: jsonscan.Str(now)}
	}
	return nil
}

func (c *changeV0) holdsWhole() bool {
	if present(jsonscan.Get(c.extras, "formatted_output_and_error")) || isTrue(jsonscan.Get(c.extras, "prev_exist")) {
		return true
	}
	return jsonscan.Get(c.extras, "diff") == nil && c.e.Time.String() != "" && c.e.Time.String() < editsAreParts
}
