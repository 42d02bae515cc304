package render

import (
	"strconv"

	"hindcast/model"
	"hindcast/render/text"
	"hindcast/render/theme"
)

const showName = 8 // cells of a header block's field names

// Show draws one event: a block with every field that hindcast knows, its
// links, the results of its call, what was noticed about its effects, then its
// record in readable form. raw may be nil where the record could not be read;
// the caller says why.
func Show(e model.Event, raw []byte, results []model.Event, notes []model.Note, width int) []Line {
	lines := Header(e, results, width)
	for _, n := range notes {
		note := Line{{n.Kind.String(), theme.Warn}, {"  " + clip(n.Path+": "+n.Text), theme.Plain}}
		lines = append(lines, Wrap(field("note", note, showName), width, showName+2)...)
	}
	if raw == nil {
		return lines
	}
	d := Payload(raw).Colour()
	return append(append(lines, nil), d.Lines(0, d.Len(width), width)...)
}

// Header draws the block of fields above an event's record.
func Header(e model.Event, results []model.Event, width int) []Line {
	lines := []Line{brief(e, width)}
	add := func(name string, value Line) {
		lines = append(lines, Wrap(field(name, value, showName), width, showName+2)...)
	}
	word := func(name, value string, role theme.Role) {
		if value != "" {
			add(name, Of(clip(value), role))
		}
	}
	word("session", e.Session, theme.Plain)
	add("place", place(e))
	word("id", e.ID, theme.Plain)
	for _, a := range e.Aliases {
		word("also", a, theme.Plain)
	}
	add("type", typeLine(e))
	word("time", e.Time.String(), theme.Time)
	word("source", e.Source, theme.Plain)
	word("tool", e.Tool, theme.Tool)
	word("call", e.Call, theme.Plain)
	add("outcome", outcomeLine(e))
	for _, l := range e.Links {
		add("link", linkLine(l, e.Session))
	}
	add("cause", causeLine(e))
	for _, r := range results {
		l := brief(r, 0)
		if d := took(e, &r); d != "" {
			l = append(l, Span{"  " + d, theme.Time})
		}
		add("result", l)
	}
	add("bytes", Line{{text.Count(e.Span.Length), theme.Number}, {" at offset " + text.Count(e.Span.Offset), theme.Dim}})
	return lines
}

// clipLimit bounds what is shown of a field that should be short, in cells.
const clipLimit = 1000

func clip(s string) string { return text.CleanCut(s, clipLimit) }

func place(e model.Event) Line {
	l := Line{{"seq " + strconv.FormatInt(e.Seq, 10), theme.Plain}, {"  pos " + strconv.FormatInt(e.Pos, 10), theme.Plain}}
	if !e.HasSeq {
		l = append(l, Span{"  the source has no number for it", theme.Dim})
	}
	return l
}

func typeLine(e model.Event) Line {
	l := Line{{clip(e.Type), theme.Plain}, {"  " + e.Kind.String(), theme.Dim}}
	if e.Origin != model.OriginRecorded {
		l = append(l, Span{"  " + e.Origin.String(), theme.Warn})
	}
	if e.Noise {
		l = append(l, Span{"  hidden in folded lists", theme.Dim})
	}
	return l
}

// causeLine says where why begins, and how long its way is.
func causeLine(e model.Event) Line {
	if e.Cause == nil {
		return Line{{"none known", theme.Dim}}
	}
	l := append(Line{arrow(e.Cause.Inferred), {" " + e.Cause.Reason.String(), theme.Plain}}, refSpans(e.Cause.To, e.Session)...)
	if e.Depth > 0 {
		l = append(l, Span{"  " + text.Plural(e.Depth, "step") + " to its root", theme.Dim})
	}
	return l
}

func outcomeLine(e model.Event) Line {
	switch e.Outcome {
	case model.OutcomeFailed:
		return Line{{"X failed", theme.Fail}}
	case model.OutcomeOK:
		return Line{{"ok", theme.Ok}}
	}
	return Line{{"not told", theme.Dim}}
}

// arrow is the sign of a link: recorded and inferred never look alike.
func arrow(inferred bool) Span {
	if inferred {
		return Span{theme.Unicode.ArrowInferred, theme.Inferred}
	}
	return Span{theme.Unicode.ArrowRecorded, theme.Recorded}
}

func linkLine(l model.Link, session string) Line {
	line := Line{arrow(l.Inferred), {" " + text.Pad(l.Reason.String(), 7), theme.Plain}}
	switch {
	case l.Resolved():
		line = append(line, refSpans(l.To, session)...)
	case l.Broken == model.LinkSelf:
		line = append(line, Span{" " + clip(l.ToID) + " names this event itself", theme.Warn})
	case l.Broken == model.LinkLater:
		line = append(line, Span{" " + clip(l.ToID) + " stands later", theme.Warn})
	default:
		line = append(line, Span{" " + clip(l.ToID) + " is not in the dump", theme.Warn})
	}
	if l.Inferred {
		line = append(line, Span{"  inferred", theme.Inferred})
	}
	return line
}

func refSpans(r model.Ref, session string) Line {
	l := Line{{" ", theme.Plain}, seqSpan(r.Seq)}
	if r.ID != "" {
		l = append(l, Span{"  " + text.CleanCut(r.ID, 40), theme.Dim})
	}
	if r.Session != "" && r.Session != session {
		l = append(l, Span{"  in session " + text.CleanCut(r.Session, 40), theme.Dim})
	}
	return l
}
