package inspector

import (
	"slices"
	"strings"

	"github.com/gdamore/tcell/v2"

	"hindcast/index"
	"hindcast/inspector/pane"
	"hindcast/inspector/travel"
	"hindcast/inspector/widget"
	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// arrange gives everything its place, for a screen that is drawn and for keys
// that come before it is.
func (u *ui) arrange(x, y, w, h int) {
	before := u.frame
	u.frame = u.layout(x, y, w, h)
	f := &u.frame
	if f.small {
		return
	}
	if !slices.Equal(before.shown, f.shown) || before.places != f.places {
		u.showBeside() // something has come into view, or has another width: ask for it, which does not wait
	}
	u.showMap(false)
	if u.overlay != nil {
		u.overlay.view.SetRect(u.overlayAt(f.body).at())
		return
	}
	for _, p := range f.shown {
		r := f.places[p]
		if p != onTimeline && r.w > 4 { // text stands off the edge; the timeline has its marks there
			r.x, r.w = r.x+1, r.w-1
		}
		if p == onTimeline && f.column.h > 0 {
			r.w-- // nor do its times touch the line beside them
		}
		u.panel(p).SetRect(r.at())
	}
}

// overlayAt is the place of an overlay's text, below its rule.
func (u *ui) overlayAt(r rect) rect {
	r.y, r.h = r.y+1, r.h-1
	if _, text := u.overlay.view.(*widget.Text); !text && r.w > minWidth { // rows stand off the edges
		r.x, r.w = r.x+1, r.w-2
	}
	return r
}

// draw puts the whole screen together from what is at hand; it asks for
// nothing.
func (u *ui) draw(s tcell.Screen, x, y, w, h int) {
	s.HideCursor()
	u.arrange(x, y, w, h)
	f := &u.frame
	if f.small {
		u.drawSmall(s, x, y, w, h)
		return
	}
	u.drawHeader(s, rect{x, y, w, 1})
	if f.chart >= 0 {
		u.drawMap(s, x, f.chart, w)
	}
	if f.lane >= 0 {
		u.drawLane(s, x, f.lane, w)
	}
	if u.overlay != nil {
		u.drawOverlay(s, f.body)
	} else {
		u.drawPanes(s)
	}
	if f.foot >= 0 {
		widget.Draw(s, x, f.foot, w, u.footer(w), u.look, theme.Plain)
	}
	u.drawMessage(s, x, f.message, w)
}

func (u *ui) drawSmall(s tcell.Screen, x, y, w, h int) {
	if w < 1 || h < 1 {
		return
	}
	for i, line := range text.Wrap("hindcast needs 20x5 cells: enlarge the terminal", w) {
		if i < h {
			widget.Draw(s, x, y+i, w, render.Line{{Text: line, Role: theme.Warn}}, u.look, theme.Plain)
		}
	}
}

func (u *ui) drawPanes(s tcell.Screen) {
	f := &u.frame
	u.timeline.Head = nil
	if f.places[onTimeline].h >= 16 {
		u.timeline.Head = u.timeline.Heads
	}
	u.timeline.Empty = u.emptyTimeline()
	u.why.Empty = render.Line{{Text: "…", Role: theme.Dim}}
	for i, p := range f.shown {
		u.panel(p).Draw(s)
		u.drawRule(s, &f.rules[i], p)
	}
	if c := f.column; c.h > 0 {
		g := u.look.Glyphs
		widget.Column(s, c.x, c.y, c.h, g.Vertical, u.look, theme.Border)
		widget.Column(s, c.x, c.y, 1, g.TeeTop, u.look, theme.Border)
		if end := f.rules[len(f.rules)-1].y; f.broad {
			widget.Column(s, c.x, end, 1, g.Crossing, u.look, theme.Border)
		} else {
			widget.Column(s, c.x, end, 1, g.TeeBottom, u.look, theme.Border)
		}
		for _, p := range wideRight[1:] {
			widget.Column(s, c.x, f.places[p].y-1, 1, g.TeeLeft, u.look, theme.Border)
		}
	}
}

func (u *ui) emptyTimeline() render.Line {
	switch {
	case !u.ready || u.waits("page"):
		return render.Line{{Text: " reading …", Role: theme.Dim}}
	case u.st.Where != nil:
		return render.Line{{Text: " no event matches the filter; \\ shows all", Role: theme.Warn}}
	}
	return render.Line{{Text: " no events", Role: theme.Dim}}
}

func (u *ui) drawRule(s tcell.Screen, r *ruleAt, p panel) {
	rule := r.rule
	rule.Look, rule.Focus, rule.Names = u.look, u.focus == p, rule.Names[:0]
	for i, n := range r.names {
		rule.Names = append(rule.Names, panelNames[n])
		if n == p {
			rule.Active = i
		}
	}
	switch p {
	case onTimeline:
		rule.Note = u.timelineNote()
	case onDetail:
		rule.Note = nil
		if s := u.detail.Seqs(); s != "" {
			rule.Note = render.Line{{Text: s, Role: theme.Seq}}
		}
		if u.st.Raw {
			rule.Note = append(rule.Note, render.Span{Text: " raw", Role: theme.Warn})
		}
		rule.Right = render.Line{{Text: u.detail.Position(), Role: theme.Dim}}
	case onWhy:
		rule.Note, rule.Right = about(u.why.At), nil
		if n := u.why.Below(); n > 0 {
			rule.Right = render.Line{{Text: text.Count(int64(n)) + " more below", Role: theme.Dim}}
		}
	case onState:
		rule.Note = about(u.state.At())
	case onContext:
		rule.Note = u.context.Note()
	case onDiff:
		rule.Note = u.diffNote()
		rule.Right = render.Line{{Text: u.diff.Position(), Role: theme.Dim}}
	}
	rule.Draw(s, r.x, r.y, r.w)
}

// about names the event of which a pane speaks.
func about(at travel.Place) render.Line {
	if at.Nowhere() {
		return nil
	}
	return render.Line{{Text: itoa(at.Seq), Role: theme.Seq}}
}

func (u *ui) diffNote() render.Line {
	k := u.diff.Key
	if k.B.Nowhere() {
		return nil
	}
	from := "the start"
	if !k.A.Nowhere() {
		from = itoa(k.A.Seq)
	}
	return render.Line{
		{Text: from, Role: theme.Seq}, {Text: " .. ", Role: theme.Dim}, {Text: itoa(k.B.Seq), Role: theme.Seq},
		{Text: "  " + text.Plural(int64(u.diff.Count), "change"), Role: theme.Dim}}
}

// timelineNote tells what is hidden, filtered, searched and followed.
func (u *ui) timelineNote() render.Line {
	var parts []render.Line
	_, n := u.timeline.Number()
	all := u.session.LastPos
	switch {
	case u.st.Where != nil:
		parts = append(parts, render.Line{
			{Text: "filter ", Role: theme.Dim}, {Text: text.Clean(u.st.Filter), Role: theme.Warn},
			{Text: "  " + text.Plural(n, "row"), Role: theme.Dim}})
	case u.st.Visibility == index.All:
		parts = append(parts, render.Line{{Text: "all " + text.Plural(all, "record"), Role: theme.Dim}})
	case n > 0 && n < all:
		parts = append(parts, render.Line{{Text: text.Plural(n, "row") + " of " + text.Plural(all, "record"), Role: theme.Dim}})
	}
	if u.st.Search.Where != nil {
		parts = append(parts, u.searchNote())
	}
	if a := u.st.Anchor; !a.Nowhere() {
		parts = append(parts, render.Line{{Text: "A ", Role: theme.Mark}, {Text: itoa(a.Seq), Role: theme.Seq}})
	}
	if u.st.Follow {
		parts = append(parts, render.Line{{Text: "FOLLOW", Role: theme.Ok}})
	}
	if u.status.Provisional {
		parts = append(parts, render.Line{{Text: "order not final", Role: theme.Warn}})
	}
	var out render.Line
	for i, p := range parts {
		if i > 0 {
			out = append(out, render.Span{Text: "  "})
		}
		out = append(out, p...)
	}
	return out
}

func (u *ui) searchNote() render.Line {
	return render.Line{
		{Text: searchSign(u.st.Search.Term) + text.Clean(u.st.Search.Text), Role: theme.Match},
		{Text: " " + u.hitCount(), Role: theme.Dim}}
}

func (u *ui) drawOverlay(s tcell.Screen, r rect) {
	rule := widget.Rule{Look: u.look, Names: []string{text.Clean(u.overlay.name)}, Focus: true}
	if t, ok := u.overlay.view.(*widget.Text); ok {
		rule.Right = render.Line{{Text: t.Position(), Role: theme.Dim}}
	}
	if u.overlay.file != nil {
		rule.Note = u.overlay.file.note()
	}
	if f, ok := u.overlay.view.(*pane.Found); ok {
		rule.Note = foundNote(f)
	}
	u.overlay.view.Draw(s)
	u.fetchEffects() // beside the drawing: what it lacked
	rule.Draw(s, r.x, r.y, r.w)
}

func (u *ui) drawMessage(s tcell.Screen, x, y, w int) {
	switch {
	case u.prompt != nil:
		if len(u.msg) > 0 && len(u.prompt.input.Hint) == 0 {
			u.prompt.input.Hint = u.msg
		}
		u.prompt.input.SetRect(x, y, w, 1)
		u.prompt.input.Draw(s)
	case !u.keys.Idle():
		pending := u.keys.Pending
		if u.keys.Count > 0 {
			pending = itoa(u.keys.Count) + pending
		}
		widget.Draw(s, x, y, w, render.Line{{Text: " " + pending + "…", Role: theme.Prompt}}, u.look, theme.Plain)
	case len(u.msg) > 0:
		line := append(render.Line{{Text: " "}}, u.msg...)
		widget.Draw(s, x, y, w, render.Cut(line, w), u.look, theme.Plain)
	case u.atHit():
		widget.Bar(s, x, y, w, render.Cut(u.soughtNote(), w), render.Line{{Text: "n N hits  Esc ends ", Role: theme.Dim}}, u.look)
	default:
		command, why := u.reproduce()
		if command == "" {
			if u.ready && u.overlay == nil {
				widget.Draw(s, x, y, w, render.Line{{Text: " " + why, Role: theme.Dim}}, u.look, theme.Plain)
			}
			return
		}
		left := render.Cut(render.Line{{Text: " $ " + text.Clean(command), Role: theme.Dim}}, w)
		widget.Bar(s, x, y, w, left, render.Line{{Text: "yc copies ", Role: theme.Dim}}, u.look)
	}
}

// footer lists the next keys for the focused pane, as many as fit; help is
// always there.
func (u *ui) footer(width int) render.Line {
	if u.overlay != nil {
		if u.overlay.file != nil {
			return u.keysLine(width, []string{"j/k", "line", "b", "blame", "B", "who wrote", ",/.", "in time", "[w/]w", "writes", "*", "knew", "o", "origin", "q", "close"})
		}
		if u.overlay.pins != nil {
			return u.keysLine(width, []string{"j/k", "move", "Enter", "writer", "w", "unpin", "q", "close"})
		}
		if u.effectsPage() != nil {
			return u.keysLine(width, []string{"j/k", "move", "Enter", "go", "T", "list/tree", "Space", "fold", "H/L", "fold all", "q", "close"})
		}
		if u.overlay.enter == nil {
			return u.keysLine(width, []string{"j/k", "scroll", "q", "close"})
		}
		return u.keysLine(width, []string{"j/k", "move", "Enter", "go", "q", "close"})
	}
	list := slices.Clone(u.table.list)
	slices.SortStableFunc(list, func(a, b binding) int { return footRank(a.foot) - footRank(b.foot) })
	var pairs []string
	for _, b := range list {
		if b.foot != "" && b.keys != "" && b.where&(1<<u.focus) != 0 && b.foot != "help" {
			pairs = append(pairs, footKeys(b.keys), b.foot)
		}
	}
	name := render.Line{{Text: " " + panelNames[u.focus], Role: theme.Heading}} // it has the keys
	return append(name, u.keysLine(width-render.Width(name), pairs)...)
}

// footOrder is what a reader most likely wants next, first: the rest gives way
// where the row is short.
var footOrder = []string{"cause", "error", "blame", "context", "diff", "knew", "find", "filter", "back", "go", "raw", "zoom", "pane", "mate", "checkpoint", "all", "sessions", "effects"}

func footRank(word string) int {
	if i := slices.Index(footOrder, word); i >= 0 {
		return i
	}
	return len(footOrder)
}

// footKeys is the short form of a binding's keys: both of a short pair, else
// the first.
func footKeys(keys string) string {
	if len(keys) <= len("]k [k") {
		return strings.ReplaceAll(keys, " ", "/")
	}
	return firstKey(keys)
}

// keysLine is a footer of pairs of key and word, with help at its end.
func (u *ui) keysLine(width int, pairs []string) render.Line {
	return keysLine(width, append(pairs, firstKey(u.table.keysOf("help")), "help"))
}

// keysLine lays out pairs of key and word; the last pair stays when others must
// go.
func keysLine(width int, pairs []string) render.Line {
	cells := func(i int) int { return text.Width(pairs[i]) + 1 + text.Width(pairs[i+1]) + 2 }
	last := len(pairs) - 2
	used := 1 + cells(last)
	line := render.Line{{Text: " "}}
	pair := func(i int) {
		line = append(line, render.Span{Text: pairs[i], Role: theme.Key}, render.Span{Text: " " + pairs[i+1] + "  ", Role: theme.Dim})
	}
	for i := 0; i < last; i += 2 {
		if used+cells(i) > width {
			break
		}
		used += cells(i)
		pair(i)
	}
	pair(last)
	return line
}
