package pane

import (
	"strconv"

	"hindcast/inspector/travel"
	"hindcast/model/answer"
	"hindcast/render"
	"hindcast/render/theme"
)

// Pin is a pinned path of the state with its value after an event.
type Pin struct {
	Path  string
	Value render.Line // that nothing stands there, where nothing does
	By    *answer.Ref // who wrote it last; nil: nobody
}

// PinLine draws a pin: its name, its value, how it went where there is room, who
// wrote it.
func PinLine(p Pin, pulse render.Line, width int) render.Line {
	l := render.Pad(render.Line{{Text: "  " + render.StateName(p.Path), Role: theme.Link}}, nameWidth(width))
	l = append(append(l[:len(l):len(l)], render.Span{Text: " "}), p.Value...)
	const writer = 5
	var right render.Line
	if len(pulse) > 0 && render.Width(l)+1+render.Width(pulse)+1+writer <= width {
		right = append(append(render.Line{{Text: " "}}, pulse...), render.Span{Text: " "})
	}
	if p.By != nil {
		right = append(right, render.Span{Text: padLeft(strconv.FormatInt(p.By.Seq, 10), writer), Role: theme.Seq})
	}
	room := max(width-render.Width(right), 1)
	return render.Cut(append(render.Pad(l, room), right...), width)
}

// PinEntries lay pins out as a list that leads to their writers.
func PinEntries(pins []Pin, pulse func(path string) render.Line) []Entry {
	out := make([]Entry, len(pins))
	for i, p := range pins {
		out[i].Draw = func(w int) render.Line { return PinLine(p, pulse(p.Path), w) }
		if p.By != nil {
			out[i].To = travel.Place{Session: p.By.Session, Pos: p.By.Pos, Seq: p.By.Seq}
		}
	}
	return out
}

// Pinned are the pinned paths that are shown.
func (s *State) Pinned() []string {
	var out []string
	for _, p := range s.data.Pins {
		out = append(out, p.Path)
	}
	return out
}
