package pane

import (
	"strings"
	"time"

	"hindcast/inspector/widget"
	"hindcast/model/answer"
	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// Installed is the list of the sessions that installed agents left, narrowed to
// those that hold some words.
type Installed struct {
	*widget.List
	Now    time.Time // the moment of which ages are told
	all    []answer.InstalledSession
	shown  []int // of all
	needle []string
}

// NewInstalled makes the list.
func NewInstalled(look *widget.Look, all []answer.InstalledSession) *Installed {
	p := &Installed{all: all}
	p.List = widget.NewList(look, p)
	p.Empty = render.Line{{Text: " nothing holds these words", Role: theme.Dim}}
	p.Head = func(w int) render.Line {
		return append(render.Line{{Text: "  "}}, render.InstalledHead(max(w-2, 1))...)
	}
	p.narrow()
	return p
}

// Len implements widget.Rows.
func (p *Installed) Len() int { return len(p.shown) }

// Ends implements widget.Rows.
func (p *Installed) Ends() (first, last bool) { return true, true }

// More implements widget.Rows: all is at hand.
func (p *Installed) More(bool, int) {}

// Line implements widget.Rows.
func (p *Installed) Line(i, width int, selected bool) render.Line {
	mark := " "
	if selected {
		mark = p.Look.Glyphs.Cursor
	}
	return append(render.Line{{Text: text.Pad(mark, 2), Role: theme.Mark}}, render.InstalledRow(p.all[p.shown[i]], p.Now, max(width-2, 1))...)
}

// All is the number of sessions, narrowed to or not.
func (p *Installed) All() int { return len(p.all) }

// Selected is the number of the session under the cursor among all; ok is false
// where there is none.
func (p *Installed) Selected() (row int, ok bool) {
	if i := p.Cursor(); i >= 0 {
		return p.shown[i], true
	}
	return 0, false
}

// InView lists the sessions on the screen, by their numbers among all.
func (p *Installed) InView() []int {
	from, to := p.Visible()
	return p.shown[from:to]
}

// Session is a session by its number.
func (p *Installed) Session(row int) answer.InstalledSession { return p.all[row] }

// Learn replaces what is known of a session.
func (p *Installed) Learn(row int, s answer.InstalledSession) {
	p.all[row] = s
	if len(p.needle) > 0 {
		p.narrow()
	}
}

// Narrow shows the sessions in whose row all words of a text stand, whatever
// their case.
func (p *Installed) Narrow(words string) {
	p.needle = strings.Fields(strings.ToLower(words))
	p.narrow()
}

// GoTo puts the cursor on the session with that id, where it is shown.
func (p *Installed) GoTo(id string) {
	for i, row := range p.shown {
		if p.all[row].ID == id {
			p.Select(i)
			return
		}
	}
}

// narrow keeps the cursor on its session where that is still shown.
func (p *Installed) narrow() {
	row, had := p.Selected()
	p.shown = p.shown[:0]
	at := 0
	for i := range p.all {
		if p.holds(i) {
			if had && i <= row {
				at = len(p.shown)
			}
			p.shown = append(p.shown, i)
		}
	}
	p.Replaced(at)
}

func (p *Installed) holds(row int) bool {
	if len(p.needle) == 0 {
		return true
	}
	s := p.all[row]
	parts := []string{s.ID, s.Dialect}
	for _, more := range []*string{s.Title, s.Cwd, s.Outcome} {
		if more != nil {
			parts = append(parts, *more)
		}
	}
	hay := strings.ToLower(strings.Join(parts, "\n"))
	for _, word := range p.needle {
		if !strings.Contains(hay, word) {
			return false
		}
	}
	return true
}
