package inspector

import (
	"path/filepath"
	"testing"

	"hindcast/inspector/config"
	"hindcast/inspector/keep"
)

// keeping drives the story with a store.
func keeping(t *testing.T, s *keep.Store, o Options) *driver {
	t.Helper()
	o.Keep, o.KeepAs, o.Source = s, "/run.jsonl", "run.jsonl"
	return drive(t, story(), 120, 40, o)
}

func storeOf(t *testing.T) *keep.Store {
	return &keep.Store{Data: filepath.Join(t.TempDir(), "data"), State: filepath.Join(t.TempDir(), "state")}
}

func quit(t *testing.T, d *driver) {
	t.Helper()
	if err := d.press("q").ends(); err != nil {
		t.Fatal(err)
	}
}

// TestScreensKeepMarksAndNotes: what was written on an event is there again, also in
// an index that was built anew.
func TestScreensKeepMarksAndNotes(t *testing.T) {
	s := storeOf(t)
	d := keeping(t, s, Options{}).see("row 1/23")
	d.press("E").see("45 of 48").press("E").see("37 of 48").press("m", "q").see("mark q set")
	d.press("M").see("note on 37:").press("wrong rate, see 5", "Enter").see("noted", "¶ wrong rate, see 5")
	d.press("g", "g").see("row 1/23").press("M", "starts here", "Enter").see("¶ starts here").press("j").see("¶    0    0.00")
	d.press("]", "m").see("37 of 48").press("[", "m").see("0 of 48").press("'", "q").see("37 of 48")
	quit(t, d)

	set := config.Default()
	set.Remember = false
	d = keeping(t, s, Options{Settings: &set}).see("row 1/23", "¶ starts here").press("'", "q").see("37 of 48", "¶ wrong rate")
	d.press("'").see("marks and notes", "starts here", "q     37  wrong rate").golden("marks")
	d.press("g", "g", "Enter").see("0 of 48").gone("marks and notes")
	d.press("M").see("starts here")
	for range len("starts here") {
		d.press("Backspace")
	}
	d.press("Enter").see("the note is gone").gone("¶ starts")
	quit(t, d)
	keeping(t, s, Options{Settings: &set}).see("row 1/23").press("'").see("wrong rate").gone("starts here")
}

// TestADumpOpensAsItWasLeft: place, filter, time column, records, pins, pane and
// splits; not where an address or a session says otherwise.
func TestADumpOpensAsItWasLeft(t *testing.T) {
	s := storeOf(t)
	d := keeping(t, s, Options{}).see("row 1/23")
	d.press("E").see("45 of 48").press("E").see("37 of 48").press("f", "tool:bash", "Enter").see("filter tool:bash")
	d.press("t", "t").see("clock").press("Ctrl-W", "+", "Ctrl-W", ">").press("d", "d").see("[diff]")
	quit(t, d)

	d = keeping(t, s, Options{}).see("37 of 48", "filter tool:bash", "clock", "[diff]")
	v, ok, err := s.View("/run.jsonl")
	if !ok || err != nil || v.Filter != "tool:bash" || v.Clock != "wall" || v.Low != "diff" {
		t.Errorf("%+v, %v", v, err)
	}
	if l, err := s.Layout(); err != nil || l.Wide.Rows != 1 || l.Wide.Columns != 1 {
		t.Errorf("%+v, %v", l, err)
	}
	d.press("\\").see("23 rows of").press("q")

	keeping(t, s, Options{At: "2"}).see("2 of 48", "clock").gone("filter tool")
	keeping(t, s, Options{Session: "sub-1f"}).see("row 1/2").gone("37 of 48")
	set := config.Default()
	set.Remember = false
	keeping(t, s, Options{Settings: &set}).see("row 1/23").gone("clock")
	demo := keeping(t, s, Options{Demo: true}).see("row 1/23").gone("filter tool")
	if demo.press("Ctrl-W", "=").see("row 1/23"); demo.press("q").ends() != nil {
		t.Error("the demo does not end")
	}
	if l, _ := s.Layout(); l.Wide != (keep.Hand{}) {
		t.Errorf("the demo does not keep the layout: %+v", l)
	}
}

// TestAPlaceThatIsGone opens where nothing was left.
func TestAPlaceThatIsGone(t *testing.T) {
	s := storeOf(t)
	for _, v := range []keep.View{
		{Dump: "/run.jsonl", Session: "none", Event: "evt_0001", Pos: 3}, {Dump: "/run.jsonl", Session: "b58db045-77aa", Event: "gone", Pos: 3},
		{Dump: "/run.jsonl", Session: "", Pos: 99_999, Filter: "((", Records: "?", Clock: "?", Focus: "?", Tab: "timeline", Low: "?"},
	} {
		if err := s.SetView(v); err != nil {
			t.Fatal(err)
		}
		keeping(t, s, Options{}).see("row 1/23", "2 failed calls")
	}
}

// TestAHomeThatCannotBeWritten is told once, and everything works.
func TestAHomeThatCannotBeWritten(t *testing.T) {
	s := &keep.Store{Data: "/dev/null/data", State: "/dev/null/state"}
	d := keeping(t, s, Options{}).see("row 1/23").press("m", "a").see("not kept beyond this run")
	d.press("j", "m", "b").see("mark b set").press("'", "a").see("0 of 48").press("M", "x", "Enter").see("¶ x", "noted")
	quit(t, d)
}
