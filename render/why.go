package render

import (
	"strconv"

	"hindcast/model/answer"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// Why draws a causal chain: the event asked about, suspects with their
// evidence, the chain nearest first, and whether the record is complete.
func Why(w answer.Why, width int) []Line {
	lines := []Line{append(Line{{"why ", theme.Heading}}, brief(answered(w.From), room(width, 4))...)}
	if len(w.Suspects) > 0 {
		lines = append(lines, Line{{"suspects", theme.Heading}})
	}
	for _, s := range w.Suspects {
		lines = append(lines, suspect(s, w.From.Session, width)...)
	}
	lines = append(lines, Line{{"chain", theme.Heading}, {"  nearest first  ", theme.Dim}, arrow(false), {" recorded  ", theme.Dim}, arrow(true), {" inferred", theme.Dim}})
	if len(w.Chain) == 0 {
		lines = append(lines, Line{{" nothing led to it", theme.Dim}})
	}
	for _, s := range w.Chain {
		lines = append(lines, step(s.Event, s.Via, s.Also, w.From.Session, width))
	}
	roots := w.Roots
	if len(w.Suspects) > 0 {
		roots = nil // they are the first suspects
	}
	if len(roots) > 0 {
		lines = append(lines, Line{{"root", theme.Heading}})
	}
	for _, r := range roots {
		lines = append(lines, append(Line{{" ", theme.Plain}}, briefOf(r, w.From.Session, room(width, 1))...))
	}
	if !w.Complete {
		lines = append(lines, Line{{"! incomplete: a recorded link on the way leads nowhere", theme.Warn}})
	}
	return clamp(lines, width)
}

// room is what is left of a width; an unlimited width stays unlimited.
func room(width, used int) int {
	if width == 0 {
		return 0
	}
	return max(width-used, 1)
}

func suspect(s answer.Suspect, home string, width int) []Line {
	rank := Line{{text.PadLeft(strconv.Itoa(s.Rank), 2) + ". ", theme.Number}}
	lines := []Line{append(rank, briefOf(s.Event, home, room(width, 4))...)}
	because := Line{{"   " + clip(s.Because), theme.Inferred}}
	if s.Evidence.Path != nil {
		at := clip(*s.Evidence.Path)
		if s.Evidence.Line != nil {
			at += ":" + strconv.FormatInt(*s.Evidence.Line, 10)
		}
		because = append(because, Span{"  " + at, theme.Link})
	}
	if s.Evidence.Text != nil {
		because = append(because, Span{"  “" + text.CleanCut(*s.Evidence.Text, 200) + "”", theme.StringLit})
	}
	return append(lines, Wrap(because, width, 3)...)
}

func step(e answer.Event, via answer.Via, also []answer.Ref, home string, width int) Line {
	l := Line{{" ", theme.Plain}, arrow(via.Inferred), {" " + text.Pad(text.Clean(via.Reason), 7) + " ", theme.Dim}}
	var tail Line
	for i, r := range also {
		if i == 3 {
			tail = append(tail, Span{" +" + strconv.Itoa(len(also)-i), theme.Dim})
			break
		}
		if i == 0 {
			tail = append(tail, Span{"  also", theme.Dim})
		}
		tail = append(tail, Span{" ", theme.Plain}, Span{Address(r.Session, r.Seq, home), theme.Link})
	}
	used := Width(l) + Width(tail)
	return Cut(append(append(l, briefOf(e, home, room(width, used))...), tail...), width)
}
