package pane

import (
	"hindcast/inspector/widget"
	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// Topic is a group of keys in the help, in the order of the key table.
type Topic struct {
	Title string
	Keys  []Key
}

// Key is one line of help.
type Key struct {
	Names string // as printed: "j k"
	Help  string
}

const keyWidth = 18

// Help lays out topics as text, in two columns where there is room.
type Help struct {
	topics []Topic
	width  int
	lines  []render.Line
}

// NewHelp makes the help page.
func NewHelp(topics []Topic) *Help { return &Help{topics: topics} }

var _ widget.Doc = (*Help)(nil)

// Lines implements widget.Doc.
func (h *Help) Lines(from, n, width int) []render.Line {
	all := h.lay(width)
	from = min(max(from, 0), len(all))
	return all[from:min(from+max(n, 0), len(all))]
}

// Rows implements widget.Doc.
func (h *Help) Rows(width, _ int) (n int, all bool) { return len(h.lay(width)), true }

func (h *Help) lay(width int) []render.Line {
	if h.width == width && h.lines != nil {
		return h.lines
	}
	h.width = width
	const column = 58
	if width < 2*column {
		h.lines = h.column(h.topics, width)
		return h.lines
	}
	left, right := h.split()
	a, b := h.column(left, width/2-2), h.column(right, width/2-2)
	h.lines = nil
	for i := range max(len(a), len(b)) {
		var l render.Line
		if i < len(a) {
			l = a[i]
		}
		l = render.Pad(l, width/2)
		if i < len(b) {
			l = append(l, b[i]...)
		}
		h.lines = append(h.lines, l)
	}
	return h.lines
}

// split divides the topics so that both columns are about as long.
func (h *Help) split() (left, right []Topic) {
	total := 0
	for _, t := range h.topics {
		total += len(t.Keys) + 2
	}
	n := 0
	for i, t := range h.topics {
		if n += len(t.Keys) + 2; n >= total/2 {
			return h.topics[:i+1], h.topics[i+1:]
		}
	}
	return h.topics, nil
}

func (h *Help) column(topics []Topic, width int) []render.Line {
	var out []render.Line
	for i, t := range topics {
		if i > 0 {
			out = append(out, nil)
		}
		out = append(out, render.Line{{Text: " " + t.Title, Role: theme.Heading}})
		for _, k := range t.Keys {
			out = append(out, keyLines(k, max(width, 1))...)
		}
	}
	return out
}

// keyLines draws one key: its help beside it, or below it where that would be
// a sliver.
func keyLines(k Key, width int) []render.Line {
	names := render.Span{Text: "  " + text.Pad(k.Names, keyWidth), Role: theme.Key}
	if width >= 2*(keyWidth+4) {
		return render.Wrap(render.Line{names, {Text: k.Help}}, width, keyWidth+2)
	}
	out := []render.Line{render.Cut(render.Line{names}, width)}
	for _, l := range render.Wrap(render.Of(k.Help, theme.Plain), max(width-4, 1), 0) {
		out = append(out, append(render.Line{{Text: "    "}}, l...))
	}
	return out
}
