package pane

import (
	"sort"
	"strconv"
	"strings"

	"hindcast/inspector/travel"
	"hindcast/inspector/widget"
	"hindcast/model/answer"
	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// Entry is a row of a list of events: drawn for a width, and where it leads.
type Entry struct {
	Draw func(width int) render.Line
	To   travel.Place // nowhere: a heading
	Head bool         // a list begins below it
}

// Links is a list of events that can be gone to: why, marks, an origin.
type Links struct {
	*widget.List
	At      travel.Place // the event it speaks of
	entries []Entry
}

// NewLinks makes an empty list.
func NewLinks(look *widget.Look) *Links {
	l := &Links{}
	l.List = widget.NewList(look, l)
	l.Bare = true
	return l
}

// Len implements widget.Rows.
func (l *Links) Len() int { return len(l.entries) }

// Ends implements widget.Rows.
func (l *Links) Ends() (first, last bool) { return true, true }

// More implements widget.Rows: all is at hand.
func (l *Links) More(bool, int) {}

// Line implements widget.Rows.
func (l *Links) Line(i, width int, _ bool) render.Line { return l.entries[i].Draw(width) }

// Below is how many rows stand below those in view.
func (l *Links) Below() int {
	_, to := l.Visible()
	return len(l.entries) - to
}

// Set shows entries about an event, with the cursor on the first that leads
// somewhere.
func (l *Links) Set(at travel.Place, entries []Entry) {
	l.At, l.entries = at, entries
	l.Replaced(0)
	for i, e := range entries {
		if !e.To.Nowhere() {
			l.Select(i) // what stands above it stays in view
			return
		}
	}
}

// Section goes to the next (back: previous) of the lists in it, and reports
// whether there is one.
func (l *Links) Section(back bool) bool {
	var heads []int
	for i, e := range l.entries {
		if e.Head {
			heads = append(heads, i)
		}
	}
	at := l.Cursor()
	own := sort.SearchInts(heads, at+1) - 1 // the list in which the cursor stands
	to := own + 1
	if back {
		to = own - 1
	}
	if to < 0 || to >= len(heads) {
		return false
	}
	l.Select(heads[to])
	if i := heads[to] + 1; i < len(l.entries) && !l.entries[i].To.Nowhere() {
		l.Select(i)
	}
	return true
}

// Target is where the selected row leads.
func (l *Links) Target() (travel.Place, bool) {
	i := l.Cursor()
	if i < 0 || l.entries[i].To.Nowhere() {
		return travel.Place{}, false
	}
	return l.entries[i].To, true
}

// Causes lists where `c` leads from an answer, best first: suspects, then the
// chain.
func Causes(w answer.Why) []travel.Place {
	var out []travel.Place
	for _, s := range w.Suspects {
		out = append(out, placeOf(s.Event))
	}
	for _, s := range w.Chain {
		if p := placeOf(s.Event); !p.Same(placeOf(w.From)) {
			out = append(out, p)
		}
	}
	return out
}

// Roots lists the ends of an answer's chain. An answer with suspects names these
// as its roots; the chain's end is the last of its steps then.
func Roots(w answer.Why) []travel.Place {
	var out []travel.Place
	if n := len(w.Chain); n > 0 && len(w.Suspects) > 0 {
		return []travel.Place{placeOf(w.Chain[n-1].Event)}
	}
	for _, e := range w.Roots {
		out = append(out, placeOf(e))
	}
	return out
}

func placeOf(e answer.Event) travel.Place {
	return travel.Place{Session: e.Session, Pos: e.Pos, Seq: e.Seq}
}

// WhyEntries lays an answer out as rows: suspects with their evidence, the
// chain nearest first, its root.
func WhyEntries(w answer.Why, folder string, g *theme.Glyphs) []Entry {
	var out []Entry
	if len(w.Suspects) > 0 {
		out = append(out, words("suspects", "", theme.Heading))
	}
	for _, s := range w.Suspects {
		lead := render.Line{{Text: padLeft(strconv.Itoa(s.Rank), 2) + ".", Role: theme.Number}}
		out = append(out, event(lead, s.Event, w.From.Session, folder, g), words("     "+render.Within(evidence(s), folder), "", theme.Inferred))
	}
	if len(w.Chain) == 0 {
		return append(out, words("nothing led to this: it is a beginning", "", theme.Dim))
	}
	out = append(out, words("chain", "  nearest first   "+g.ArrowRecorded+" recorded  "+g.ArrowInferred+" inferred", theme.Heading))
	for _, s := range w.Chain {
		out = append(out, event(arrow(s.Via, g), s.Event, w.From.Session, folder, g))
	}
	out = append(out, roots(w, folder, g)...)
	if !w.Complete {
		out = append(out, words(g.Finding+" a recorded link on the way leads nowhere", "", theme.Warn))
	}
	return out
}

// roots lists the roots that are neither the chain's end nor suspects already.
func roots(w answer.Why, folder string, g *theme.Glyphs) []Entry {
	var out []Entry
	if len(w.Suspects) > 0 {
		return nil
	}
	for _, r := range w.Roots {
		if placeOf(r).Same(placeOf(w.Chain[len(w.Chain)-1].Event)) {
			continue
		}
		if len(out) == 0 {
			out = append(out, words("root", "", theme.Heading))
		}
		out = append(out, event(render.Line{{Text: "  "}}, r, w.From.Session, folder, g))
	}
	return out
}

func words(s, dim string, role theme.Role) Entry {
	return Entry{Draw: func(w int) render.Line {
		return render.Cut(render.Line{{Text: text.Clean(s), Role: role}, {Text: dim, Role: theme.Dim}}, w)
	}}
}

func evidence(s answer.Suspect) string {
	out := s.Because
	if s.Evidence.Path != nil {
		out += "  " + *s.Evidence.Path
		if s.Evidence.Line != nil {
			out += ":" + strconv.FormatInt(*s.Evidence.Line, 10)
		}
	}
	if s.Evidence.Text != nil {
		out += "  “" + *s.Evidence.Text + "”"
	}
	return out
}

// arrow is the sign and the word of a link; inferred ones differ in both sign
// and style.
func arrow(v answer.Via, g *theme.Glyphs) render.Line {
	sign, role := g.ArrowRecorded, theme.Recorded
	if v.Inferred {
		sign, role = g.ArrowInferred, theme.Inferred
	}
	return render.Line{{Text: sign + " ", Role: role}, {Text: padRight(text.Clean(v.Reason), 7), Role: dimUnless(v.Inferred)}}
}

func dimUnless(inferred bool) theme.Role {
	if inferred {
		return theme.Inferred
	}
	return theme.Dim
}

// event is a row of an event behind its lead.
func event(lead render.Line, e answer.Event, home, folder string, g *theme.Glyphs) Entry {
	return Entry{Draw: eventLine(lead, e, home, folder, g), To: placeOf(e)}
}

// eventLine draws an event of an answer to session home behind its lead.
func eventLine(lead render.Line, e answer.Event, home, folder string, g *theme.Glyphs) func(width int) render.Line {
	const session = 16 // cells of another session's id
	return func(w int) render.Line {
		l := append(lead[:len(lead):len(lead)],
			render.Span{Text: padLeft(render.Address(text.CleanCut(e.Session, session), e.Seq, text.CleanCut(home, session)), 5) + " ", Role: theme.Seq})
		who, role := render.WhoOf(e, g)
		l = append(l, render.Span{Text: padRight(text.Clean(who), min(max(w/5, 7), 12)) + " ", Role: role})
		title := theme.Plain
		if e.Failed != nil && *e.Failed {
			title = theme.Fail
			l = append(l, render.Span{Text: "X ", Role: theme.Fail})
		}
		return render.Cut(append(l, render.Span{Text: text.Clean(fromFolder(e, folder)), Role: title}), w)
	}
}

// fromFolder is an event's title as a list shows it: files below the folder in which
// the session works are named from there.
func fromFolder(e answer.Event, folder string) string {
	if e.Kind == "message" {
		return shortTitle(e)
	}
	return render.Within(shortTitle(e), folder)
}

// shortTitle leaves out of a title who speaks or which tool it is: that stands
// before it already.
func shortTitle(e answer.Event) string {
	for _, lead := range []*string{e.Tool, e.Source} {
		if lead == nil || *lead == "" {
			continue
		}
		if rest, ok := strings.CutPrefix(e.Title, *lead); ok && rest != "" && (rest[0] == ' ' || rest[0] == ':') {
			return strings.TrimLeft(rest, ": ")
		}
	}
	return e.Title
}

// Saved is a row of something that was saved by name.
func Saved(name, what string) Entry {
	return Entry{Draw: func(w int) render.Line {
		return render.Cut(render.Line{{Text: text.Pad(name, min(max(w/5, 10), 24)) + " ", Role: theme.Strong}, {Text: what}}, w)
	}}
}
