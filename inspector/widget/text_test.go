package widget

import (
	"fmt"
	"strings"
	"testing"

	"hindcast/render"
	"hindcast/render/theme"
)

func lines(n int) []render.Line {
	out := make([]render.Line, n)
	for i := range out {
		out[i] = render.Of(fmt.Sprint("line ", i+1), theme.Plain)
	}
	return out
}

func TestTextScrolls(t *testing.T) {
	x := NewText(look)
	x.SetRect(0, 0, 20, 5)
	x.Show(Joined{NewFixed(lines(3)), NewFixed(lines(9))})
	for _, tt := range []struct {
		do   func()
		top  string
		tell string
	}{
		{func() {}, "line 1", "1-5/12"},
		{func() { x.Scroll(4) }, "line 2", "5-9/12"},
		{x.End, "line 5", "8-12/12"},
		{func() { x.Scroll(100) }, "line 5", "8-12/12"},
		{func() { x.Line(4) }, "line 1", "4-8/12"},
		{func() { x.Scroll(-100) }, "line 1", "1-5/12"},
	} {
		tt.do()
		s := simulation(t, 20, 5)
		x.Draw(s)
		if got := row(s, 0); got != tt.top || x.Position() != tt.tell {
			t.Errorf("%q at %s, want %q at %s", got, x.Position(), tt.top, tt.tell)
		}
	}
	x.Show(NewFixed(lines(2)))
	if x.Position() != "" {
		t.Errorf("all in view, yet %q", x.Position())
	}
}

func TestTextKeepsItsPlaceWhenNarrowed(t *testing.T) {
	var long []render.Line
	for i := range 50 {
		long = append(long, render.Of(fmt.Sprintf("%02d %s", i, strings.Repeat("word ", 20)), theme.Plain))
	}
	x := NewText(look)
	x.SetRect(0, 0, 110, 5)
	x.Show(NewFixed(long))
	x.Scroll(25)
	x.Draw(simulation(t, 110, 5))
	s := simulation(t, 55, 5)
	x.SetRect(0, 0, 55, 5)
	x.Draw(s)
	if got := row(s, 0) + row(s, 1); !strings.Contains(got, "25 ") && !strings.Contains(got, "24 ") && !strings.Contains(got, "26 ") {
		t.Errorf("line 25 was at the top, now %q", got)
	}
}

func TestRuleTabs(t *testing.T) {
	r := Rule{Look: look, Names: []string{"detail", "why"}, Active: 1}
	s := simulation(t, 40, 1)
	r.Draw(s, 0, 0, 40)
	got := row(s, 0)
	if !strings.Contains(got, " detail [why] ") {
		t.Fatalf("%q", got)
	}
	runes := []rune(got)
	for x := range runes {
		want := -1
		switch at := string(runes[:x+1]); {
		case strings.Contains(at, "[") && !strings.Contains(strings.TrimSuffix(at, "]"), "]"):
			want = 1
		case strings.Contains(at, "d") && !strings.Contains(at, "["):
			want = 0
		}
		if i := r.TabAt(x); want >= 0 && i != want {
			t.Errorf("cell %d (%q): tab %d, want %d", x, string(runes[x]), i, want)
		}
	}
}

func TestTextPicks(t *testing.T) {
	var lines []render.Line
	for i := range 50 {
		lines = append(lines, render.Line{{Text: fmt.Sprint(i)}})
	}
	v := NewText(look)
	v.SetRect(0, 0, 20, 10)
	v.Pick = true
	v.Show(NewFixed(lines))
	at := func(what string, line, top int) {
		t.Helper()
		if v.Cursor() != line || v.top != top || render.Plain(v.Current()) != fmt.Sprint(line) {
			t.Errorf("%s: line %d (%s) of a view from %d, want %d from %d", what, v.Cursor(), render.Plain(v.Current()), v.top, line, top)
		}
	}
	v.Move(9)
	at("down to the edge", 9, 0)
	v.Move(1)
	at("beyond it", 10, 1)
	v.Page(9)
	at("a page", 19, 10)
	v.Scroll(15)
	at("scrolled away", 25, 25)
	v.Last()
	at("end", 49, 40)
	v.Page(-100)
	at("pages back", 9, 0)
	v.Page(-9)
	at("at the top", 0, 0)
	v.Select(-3)
	v.Select(1000)
	at("too far", 49, 40)
	if i := v.RowAt(3, 4); i != 44 {
		t.Errorf("row %d, want 44", i)
	}
	if v.First(); v.RowAt(30, 4) != -1 || v.Cursor() != 0 {
		t.Error("a row beside the text")
	}
}
