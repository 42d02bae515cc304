package pane

import (
	"strings"
	"testing"

	"hindcast/index"
	"hindcast/inspector/travel"
	"hindcast/inspector/widget"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/query"
	"hindcast/render"
	"hindcast/render/theme"
)

var look = &widget.Look{Theme: theme.Dark, Glyphs: &theme.Unicode}

func ev(pos int64) model.Event {
	return model.Event{Session: "s", Pos: pos, Seq: pos, Kind: model.KindMessage}
}

// rowsAt makes rows at positions; a pair is a call and its result.
func rowsAt(pos ...[2]int64) []index.Row {
	var out []index.Row
	for _, p := range pos {
		r := index.Row{Event: ev(p[0])}
		if p[1] > 0 {
			e := ev(p[1])
			r.Result = &e
		}
		out = append(out, r)
	}
	return out
}

func TestFind(t *testing.T) {
	tl := NewTimeline(look)
	tl.Replace(rowsAt([2]int64{10}, [2]int64{12, 19}, [2]int64{14}, [2]int64{20}), false, false, 10)
	for _, tt := range []struct {
		pos   int64
		index int
		exact bool
	}{{10, 0, true}, {12, 1, true}, {19, 1, true}, {14, 2, true}, {20, 3, true}, {15, 2, false}, {11, 0, false}, {5, -1, false}, {21, -1, false}} {
		if i, exact := tl.Find(tt.pos); i != tt.index || exact != tt.exact {
			t.Errorf("pos %d: row %d %v, want %d %v", tt.pos, i, exact, tt.index, tt.exact)
		}
	}
	tl.Replace(rowsAt([2]int64{10}, [2]int64{20}), true, true, 10)
	for pos, want := range map[int64]int{5: 0, 99: 1} {
		if i, exact := tl.Find(pos); i != want || exact {
			t.Errorf("whole list, pos %d: row %d %v, want %d", pos, i, exact, want)
		}
	}
}

func TestWindowStaysBounded(t *testing.T) {
	tl := NewTimeline(look)
	tl.SetRect(0, 0, 80, 10)
	var asked []int64
	tl.Fetch = func(back bool, from int64, limit int) { asked = append(asked, from) }
	first := make([]index.Row, 100)
	for i := range first {
		first[i].Event = ev(int64(i + 1))
	}
	tl.Replace(first, true, false, 1)
	tl.Counted(1_000_000, 0, 1)
	for pos := int64(101); pos < 10_000; pos += 100 {
		more := make([]index.Row, 100)
		for i := range more {
			more[i].Event = ev(pos + int64(i))
		}
		tl.Extend(false, more, false)
		tl.Last()
		k, n := tl.Number()
		if row, _ := tl.Row(); row.Event.Pos != pos+99 || k != pos+99 || n != 1_000_000 {
			t.Fatalf("at pos %d, row %d of %d; want %d of a million", row.Event.Pos, k, n, pos+99)
		}
	}
	if tl.Len() > WindowLimit {
		t.Errorf("%d rows at hand, limit %d", tl.Len(), WindowLimit)
	}
	if first, _ := tl.Ends(); first {
		t.Error("the first rows were let go, but the window says it has them")
	}
	if len(asked) == 0 {
		t.Error("never asked for more")
	}
	before := tl.Len()
	tl.Move(5000)
	asked = nil
	tl.Extend(false, rowsAt([2]int64{3}), true) // an answer to an old question
	if tl.Len() != before {
		t.Error("rows that do not join the window were taken")
	}
	if _, last := tl.Ends(); last {
		t.Error("an old answer's end was taken for the end")
	}
	if len(asked) == 0 {
		t.Error("moves are owed, but an old answer was not followed by a new question")
	}
}

func TestRefreshKeepsTheCursor(t *testing.T) {
	tl := NewTimeline(look)
	tl.SetRect(0, 0, 80, 10)
	tl.Replace(rowsAt([2]int64{1}, [2]int64{3}, [2]int64{5}), true, true, 3)
	tl.Refresh(rowsAt([2]int64{1}, [2]int64{2}, [2]int64{3, 6}, [2]int64{5}, [2]int64{7}), true)
	if row, _ := tl.Row(); row.Event.Pos != 3 || row.Result == nil {
		t.Errorf("at %+v, want the row of 3 with its result", row)
	}
}

func TestNested(t *testing.T) {
	s := func(id, parent string) model.Session { return model.Session{ID: id, Parent: parent} }
	for name, tt := range map[string]struct {
		in   []model.Session
		want string
	}{
		"flat":            {[]model.Session{s("a", ""), s("b", "")}, "a b"},
		"children follow": {[]model.Session{s("a", ""), s("b", ""), s("a1", "a"), s("a2", "a"), s("a11", "a1")}, "a .a1 ..a11 .a2 b"},
		"no such parent":  {[]model.Session{s("a", "gone"), s("b", "a")}, "a .b"},
		"itself":          {[]model.Session{s("a", "a")}, "a"},
		"a ring":          {[]model.Session{s("r", ""), s("a", "b"), s("b", "a")}, "r a .b"},
		"same id twice":   {[]model.Session{s("a", ""), s("a", ""), s("b", "a")}, "a .b a"},
	} {
		list, depth := nested(tt.in)
		var got []string
		for i, x := range list {
			got = append(got, strings.Repeat(".", depth[i])+x.ID)
		}
		if g := strings.Join(got, " "); g != tt.want {
			t.Errorf("%s: %s, want %s", name, g, tt.want)
		}
	}
}

func marked(l render.Line) string {
	var b strings.Builder
	for _, s := range l {
		if s.Role == theme.Match {
			b.WriteString("<" + s.Text + ">")
		} else {
			b.WriteString(s.Text)
		}
	}
	return b.String()
}

// needle is what a search for a text looks for.
func needle(s string) query.Term {
	return query.Term{Text: s, Fold: s == strings.ToLower(s)}
}

func TestHighlight(t *testing.T) {
	for _, tt := range []struct{ text, needle, want string }{
		{"Read timeout, READ", "read", "<Read> timeout, <READ>"},
		{"Read timeout, READ", "READ", "Read timeout, <READ>"},
		{"nothing", "x", "nothing"}, {"any", "", "any"}, {"aaa", "aa", "<aa>a"},
		{"ÄRGER ärger", "ärger", "<ÄRGER> <ärger>"}, {"K \u212a", "k", "<K> <\u212a>"},
	} {
		if got := marked(Highlight(render.Line{{Text: tt.text}}, needle(tt.needle))); got != tt.want {
			t.Errorf("%q for %q: %s, want %s", tt.text, tt.needle, got, tt.want)
		}
	}
}

func FuzzHighlight(f *testing.F) {
	f.Add("Read timeout", "read")
	f.Add("\xff\xfe", "\xff")
	f.Add("İi", "i")
	f.Fuzz(func(t *testing.T, s, word string) {
		line := Highlight(render.Line{{Text: "a "}, {Text: s, Role: theme.Fail}, {Text: " b"}}, query.Term{Text: word, Fold: true})
		if got := render.Plain(line); got != "a "+s+" b" {
			t.Fatalf("%q became %q", "a "+s+" b", got)
		}
	})
}

func TestWhyEntries(t *testing.T) {
	event := func(pos int64) answer.Event {
		return answer.Event{Session: "s", Seq: pos, Pos: pos, Kind: "message", Title: "t"}
	}
	path, text, n := "a.go", "0.09", int64(4)
	w := answer.Why{
		From:     event(9),
		Suspects: []answer.Suspect{{Event: event(4), Because: "error names file:line", Rank: 1, Evidence: answer.Evidence{Path: &path, Line: &n, Text: &text}}},
		Chain:    []answer.Step{{Event: event(8), Via: answer.Via{Reason: "action"}}, {Event: event(3), Via: answer.Via{Reason: "data", Inferred: true}}},
		Roots:    []answer.Event{event(4)},
	}
	var got []string
	for _, e := range WhyEntries(w, "", &theme.Unicode) {
		got = append(got, strings.TrimSpace(render.Plain(e.Draw(80))))
	}
	all := strings.Join(got, "\n")
	for _, want := range []string{"suspects", "error names file:line  a.go:4  “0.09”", "← action", "⇠ data", "leads nowhere"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
	var order []int64
	for _, p := range Causes(w) {
		order = append(order, p.Pos)
	}
	if len(order) != 3 || order[0] != 4 || order[1] != 8 || order[2] != 3 {
		t.Errorf("causes %v, want the suspect, then the chain", order)
	}
}

// TestFilesFromTheFolder: calls name files from the folder in which the session
// works; what somebody said stays.
func TestFilesFromTheFolder(t *testing.T) {
	path := "/srv/shop/a.go"
	w := answer.Why{
		From:     answer.Event{Session: "s", Seq: 9, Pos: 9},
		Suspects: []answer.Suspect{{Event: answer.Event{Session: "s", Seq: 4, Pos: 4, Kind: "action", Title: path}, Because: "error names file:line", Rank: 1, Evidence: answer.Evidence{Path: &path}}},
		Chain:    []answer.Step{{Event: answer.Event{Session: "s", Seq: 3, Pos: 3, Kind: "message", Title: "look at " + path}, Via: answer.Via{Reason: "source"}}},
	}
	var all strings.Builder
	for _, e := range WhyEntries(w, "/srv/shop", &theme.Unicode) {
		all.WriteString(strings.TrimRight(render.Plain(e.Draw(80)), " ") + "\n")
	}
	if got := all.String(); strings.Count(got, " a.go\n") != 2 || !strings.Contains(got, "look at /srv/shop/a.go") {
		t.Errorf("got\n%s", got)
	}
	row := model.Event{Seq: 1, Kind: model.KindAction, Tool: "read", Title: "read " + path}
	if got := render.Plain(render.EventRow(row, nil, render.RowOptions{Width: 80, Base: "/srv/shop"})); strings.Contains(got, "/srv") || !strings.Contains(got, " a.go") {
		t.Errorf("the timeline shows %q", got)
	}
}

// TestOneWordForEach: the list of causes speaks of an event as the timeline does.
func TestOneWordForEach(t *testing.T) {
	for _, e := range []model.Event{
		{Kind: model.KindMessage, Source: "agent"}, {Kind: model.KindMessage, Source: "user"}, {Kind: model.KindError},
		{Kind: model.KindCheckpoint}, {Kind: model.KindAction, Tool: "bash"}, {Kind: model.KindObservation, Type: "Obs"}, {Kind: model.KindHook},
	} {
		want, _ := render.Who(e, look.Glyphs)
		entry := WhyEntries(answer.Why{Chain: []answer.Step{{Event: answer.NewEvent(e)}}}, "", look.Glyphs)[1]
		if got := strings.Fields(render.Plain(entry.Draw(80))); len(got) < 3 || got[2] != want {
			t.Errorf("%v: %q, want %q", e.Kind, got, want)
		}
	}
}

// TestOkIsNews: the detail says ok only of what could have failed.
func TestOkIsNews(t *testing.T) {
	for _, tt := range []struct {
		e    model.Event
		want bool
	}{
		{model.Event{Kind: model.KindMessage}, false}, {model.Event{Kind: model.KindSession}, false}, {model.Event{Kind: model.KindAction}, false},
		{model.Event{Kind: model.KindAction, Mate: 2}, true}, {model.Event{Kind: model.KindObservation}, true}, {model.Event{Kind: model.KindHook}, true},
	} {
		tt.e.Outcome = model.OutcomeOK
		if got := strings.Contains(render.Plain(heading(tt.e, look.Glyphs)), "  ok"); got != tt.want {
			t.Errorf("%v mate %d: ok %v, want %v", tt.e.Kind, tt.e.Mate, got, tt.want)
		}
	}
}

// TestLinksBelow: a list says how many of its rows stand below those in view.
func TestLinksBelow(t *testing.T) {
	l := NewLinks(look)
	rows := make([]Entry, 12)
	for i := range rows {
		rows[i] = words("row", "", theme.Plain)
	}
	l.SetRect(0, 0, 40, 5)
	l.Set(travel.Place{}, rows)
	if got := l.Below(); got != 7 {
		t.Errorf("%d below, want 7", got)
	}
	l.Last()
	if got := l.Below(); got != 0 {
		t.Errorf("%d below the last, want 0", got)
	}
}
