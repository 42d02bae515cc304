package render

import (
	"strings"

	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// Knew draws when a text was in the model's view: a lane over the whole
// session, then each span with what brought the text in, carried it, and took
// it out.
func Knew(k answer.Knew, s model.Session, width int) []Line {
	quoted := "“" + text.CleanCut(k.Text, 60) + "”"
	if len(k.Spans) == 0 {
		return clamp([]Line{{{"knew ", theme.Heading}, {quoted, theme.StringLit}, {"  in no message that the dump shows in the model's view", theme.Warn}}}, width)
	}
	lines := []Line{{{"knew ", theme.Heading}, {quoted, theme.StringLit}, {"  " + text.Plural(int64(len(k.Spans)), "span"), theme.Dim}}}
	lines = append(lines, laneLine(k.Spans, s, width))
	for _, span := range k.Spans {
		lines = append(lines, spanLines(span, k.Events, width)...)
	}
	if k.First != nil {
		lines = append(lines, append(Line{{"first seen in ", theme.Heading}}, named(*k.First, k.Events, room(width, 14))...))
	}
	return clamp(lines, width)
}

// laneMost is how many cells a lane takes at most.
const laneMost = 72

func laneLine(spans []answer.Span, s model.Session, width int) Line {
	first := Line{{" ", theme.Plain}, seqSpan(s.First), {" ", theme.Plain}}
	last := Line{{" ", theme.Plain}, seqSpan(s.Last)}
	cells := laneMost
	if width > 0 {
		cells = min(cells, max(width-Width(first)-Width(last), 1))
	}
	lane := Lane(spans, s.LastPos, cells, &theme.Unicode)
	return append(append(first, Span{lane, theme.Ok}), last...)
}

// Lane draws over the events 1 to last, in so many cells, where spans lie; a
// cell is filled where any of its events is in one.
func Lane(spans []answer.Span, last int64, cells int, g *theme.Glyphs) string {
	last = max(last, 1)
	var b strings.Builder
	for i := range int64(cells) {
		from, to := i*last/int64(cells)+1, max((i+1)*last/int64(cells), i*last/int64(cells)+1)
		sign := g.Absent
		for _, s := range spans {
			if s.From.Pos <= to && (s.To == nil || s.To.Pos >= from) {
				sign = g.Present
				break
			}
		}
		b.WriteString(sign)
	}
	return b.String()
}

func spanLines(s answer.Span, events map[int64]answer.Event, width int) []Line {
	head := Line{{" ", theme.Plain}, seqSpan(s.From.Seq), {" .. ", theme.Punct}}
	if s.To == nil {
		head = append(head, Span{"the end", theme.Plain})
	} else {
		head = append(head, seqSpan(s.To.Seq))
	}
	if s.Exact {
		head = append(head, Span{"  exact", theme.Ok})
	} else {
		head = append(head, Span{"  not exact: the dump does not tell enough to be sure", theme.Warn})
	}
	add := func(name string, l Line) Line { return field("  "+name, l, showName+4) }
	left := room(width, showName+6)
	lines := []Line{head, add("in by", named(s.InBy, events, left))}
	if len(s.Carriers) > 0 {
		lines = append(lines, add("carried by", seqsLine(s.Carriers, 10)))
	}
	if s.OutBy != nil {
		return append(lines, add("out by", named(*s.OutBy, events, left)))
	}
	return append(lines, add("out by", Line{{"nothing: it is still in view", theme.Dim}}))
}

// Origin draws where a text first stood, and the way from there to the event
// that uses it.
func Origin(o answer.Origin, at answer.Event, width int) []Line {
	quoted := "“" + text.CleanCut(o.Text, 60) + "”"
	used := Line{{"used at ", theme.Heading}}
	lines := []Line{
		{{"origin ", theme.Heading}, {quoted, theme.StringLit}},
		append(used, brief(answered(at), room(width, Width(used)))...),
	}
	if o.First == nil {
		return clamp(append(lines, Line{{" no event up to it holds this text", theme.Warn}}), width)
	}
	lines = append(lines, append(Line{{"first in ", theme.Heading}}, named(*o.First, o.Events, room(width, 9))...))
	if len(o.Path) > 1 {
		lines = append(lines, Line{{"the way from there", theme.Heading}})
		for _, r := range o.Path {
			lines = append(lines, append(Line{{" ", theme.Plain}}, named(r, o.Events, room(width, 1))...))
		}
	}
	return clamp(lines, width)
}
