package render

import (
	"hindcast/model/answer"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// Blame draws a value with the event that wrote it. restores is the event whose
// value a revert brought back, or nil.
func Blame(b answer.Blame, restores *answer.Event, width int) []Line {
	lines := []Line{{{"blame ", theme.Heading}, {clip(b.Path), theme.Link}}}
	add := func(name string, value Line) {
		lines = append(lines, Cut(field(name, value, showName), width))
	}
	add("value", cellLine(b.Path, b.Value))
	if b.Certainty != nil {
		add("known as", Line{{text.CleanCut(*b.Certainty, 20), certaintyRole(*b.Certainty)}})
	}
	if b.By == nil {
		add("by", Line{{"nothing: it stands so from the start", theme.Dim}})
	} else {
		add("by", brief(answered(*b.By), room(width, showName+2)))
	}
	switch {
	case restores != nil:
		add("restores", brief(answered(*restores), room(width, showName+2)))
	case b.Restores != nil:
		add("restores", Line{seqSpan(b.Restores.Seq)})
	}
	return clamp(lines, width)
}
