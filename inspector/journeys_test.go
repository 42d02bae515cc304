package inspector

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"

	"hindcast/index"
	"hindcast/model"
	"hindcast/render"
	"hindcast/render/theme"
)

func open(t *testing.T, w, h int) *driver {
	t.Helper()
	return drive(t, story(), w, h, Options{Source: "run.jsonl"}).see("row 1/23", "K 1")
}

// cursor waits until the header names an event.
func (d *driver) at(seq string) *driver {
	d.t.Helper()
	return d.see("  " + seq + " of ")
}

func TestMoveJourney(t *testing.T) {
	d := open(t, 80, 24)
	d.press("j").at("1").press("j").at("4").press("k", "k").at("0").press("3j").at("5")
	d.press("G").at("48").press("g").at("0").press("12j").at("30").press("33G").at("33")
	d.see("hidden among folded rows").press("a").see("all 49 records").at("33").press("j").at("34").press("a").see("23 rows")
	d.press("Home").at("0").press("End").at("48").press("Ctrl-U").at("41").press("Ctrl-D").at("48")
	d.press("PgUp").gone("  48 of").press(",").press(".").press("G").at("48")
	d.press("zt").press("zz").press("zb").press("q")
	if err := d.ends(); err != nil {
		t.Errorf("q: %v", err)
	}
}

func TestCauseJourney(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		d := open(t, size[0], size[1])
		d.press("E").at("45").press("E").at("37").see("exit 1: 0.09")
		d.press("c").at("34").press("c").at("30").press("c").see("nothing led to 30")
		d.press("Ctrl-O").at("34").press("Ctrl-O").at("37").press("Ctrl-]").at("34").press("Ctrl-O").at("37")
		d.press("2c").at("32").press("''").at("37").press("2c").at("32").press("Ctrl-O").at("37")
		d.press("R").at("30").press("''").at("37").press("''").at("30").press("''").at("37")
		d.press("%").at("35").press("%").at("37").press("9c").see("fewer than 9 causes")
		d.press("g").at("0").press("C").see("effects of 0").press("C").at("2").press("C").see("effects of 2").press("j", "Enter").gone("effects of")
	}
}

func TestFindJourney(t *testing.T) {
	d := open(t, 80, 24)
	d.press("]k").at("30").press("]k").see("only checkpoint").press("]t").at("47").press("[t").at("0")
	d.press("j", "ma").see("mark a set").press("G").at("48").press("mb", "'a").at("1").press("]m").at("48").press("[m").at("1")
	d.press("'z").see("no mark z").press(":mark:b", "Enter").at("48").press(":mark:q", "Enter").see("no mark q").press("'a").at("1")
	d.press("/", "tax.js").see("/tax.js").press("Enter").see("/tax.js 1/").press("n").see("/tax.js 2/").press("N").see("/tax.js 1/")
	d.press("N").see("wrapped to the last hit").press("Esc").gone("records  /tax.js")
	d.press("/", "nothing of the kind", "Enter").see("no hit")
	d.press("/", "Goal", "Esc").gone("/Goal")
	d.press("n").see("no search")
}

func TestFilterJourney(t *testing.T) {
	d := open(t, 80, 24)
	d.press("f", "failed:true").see("2 of 23 rows").press("Enter").see("filter failed:true", "2 rows")
	d.press("G").at("45").press("\\").gone("filter failed").at("45").see("23 rows")
	d.press("f", "kind:(").see("column").press("Enter").see("filter").press("Esc").gone("column")
	d.press("g", "j", "j").at("4").press("=").see(`filter tool:"read"`, "3 rows").press("\\").see("23 rows")
	d.press("-").see(`filter -tool:"read"`, "20 rows").press("f", "Ctrl-U", "Enter").see("23 rows of")
	d.press("f", "type:Nope", "Enter").see("no event matches").press("\\").see("23 rows")
}

// TestFilterTakesTheReaderAlong: the header, the marked row, the detail and why
// all speak of the same event, the nearest that the filter leaves.
func TestFilterTakesTheReaderAlong(t *testing.T) {
	d := open(t, 120, 40).press("j").at("1")
	d.press("f", "failed:true", "Enter").at("37").see(">35+37", "diff  ─ 35+37", "why ─ 37", "2 rows")
	d.press("Ctrl-O").at("1").see("1 does not match the filter").press("\\").at("1").press("G").at("48")
	d.press("f", "kind:checkpoint", "Enter").at("30").see("diff  ─ 30", "1 row").press("\\").at("30").see("23 rows")
	d.press("f", "type:Nope", "Enter").see("no event matches").at("30").press("\\").see("23 rows").at("30")
	d.press("a").see("all 49 records").press("33G").at("33").press("a").at("37").see("diff  ─ 35+37")
}

func TestAddressJourney(t *testing.T) {
	d := drive(t, story(), 80, 24, Options{
		Source: "run.jsonl", Commands: []string{"stats"},
		RunCommand: nil,
	}).see("row 1/23")
	d.press(":37", "Enter").at("37").press(":#1", "Enter").at("0").press(":error", "Enter").at("45")
	d.press(":evt_0003", "Enter").at("2")
	d.press(":99999999999999999999", "Enter").see("nearest").at("2")
	d.press(":", "Up").see(":99999999999999999999").press("Esc")
	d.press(":sub-1f@@0", "Enter").see("Look for rates.", "sub-1f").press("Ctrl-O").at("2")
	d.press("s").see("look for ra").press("j", "Enter").see("Look for rates.").press("Ctrl-O").at("2")
}

func TestCommandRuns(t *testing.T) {
	o := Options{Source: "run.jsonl", Commands: []string{"stats", "fail"}}
	o.RunCommand = runStats
	d := drive(t, story(), 80, 24, o).see("row 1/23")
	d.press(":sta", "Tab").see(":stats").press(" -x", "Enter").see("events  51").press("q").gone("events  51")
	d.press(":fail", "Enter").see("cannot do that")
}

func TestShowJourney(t *testing.T) {
	d := open(t, 80, 24)
	d.press("t").see("since the row before").press("t").see("wall clock", "06:13:21.460").press("t").see("since the start")
	d.press("r").see("raw", `{"id":"evt_0001"`).press("r").gone(`{"id":`)
	d.press("Tab").see("[why]", " why c").press("Tab").see("[detail]").press("Tab").see("[state]").press("Tab").see("[context]").press("Tab").see("[diff]", " diff c")
	d.press("Tab").see("[diff]", " timeline c").press("Tab").see("[why]").press("j").at("0").press("Tab").see("[detail]")
	d.press("S-Tab").see("[why]").press("Tab").see("[detail]").press("Z").gone("[detail]").press("Z").see("[detail]")
	d.press("Enter", "Z").see("MessageEvent").gone("23 rows of").press("Esc").see("23 rows of")
	d.press("F2").see("mouse off").press("F2").see("mouse on")
	d.press("?").see("Cause and effect").press("?").see("23 rows of")
	d.press("Q").see("Q is not bound")
	d.press("12").see("12…").press("Esc").gone("12…")
}

func TestCopies(t *testing.T) {
	d := open(t, 80, 24)
	for keys, want := range map[string]string{"yi": "evt_0001", "ya": "b58db045-77aa@@0", "yc": "hindcast show 0 run.jsonl", "yy": `{"id":"evt_0001"`} {
		d.press(keys).see("copied").until("copied "+want, func(string) bool {
			return strings.HasPrefix(d.clipboard(), want)
		})
	}
}

func TestCopyIsBounded(t *testing.T) {
	f := story()
	f.raw = func(model.Event) []byte { return make([]byte, ClipLimit+1) }
	d := drive(t, f, 80, 24, Options{}).see("row 1/23")
	d.press("yy").see("more than terminals take")
}

func TestFollowsGrowth(t *testing.T) {
	f := story()
	d := drive(t, f, 80, 24, Options{}).see("row 1/23")
	d.press("12j").at("30")
	before := line(d.text(), ">")
	for range 400 {
		f.add("b58db045-77aa", model.Event{Type: "MessageEvent", Kind: model.KindMessage, Source: "agent", Title: "more"})
	}
	f.grow()
	d.see("451 in all", "13/423").at("30")
	if after := line(d.text(), ">"); after != before {
		t.Errorf("the selected row moved: %q at first, now %q", before, after)
	}
	d.press("F").at("448").see("FOLLOW")
	f.add("b58db045-77aa", model.Event{Type: "MessageEvent", Kind: model.KindMessage, Source: "agent", Title: "the newest"})
	f.grow()
	d.at("449").see("the newest").press("k").see("follow off").gone("FOLLOW")
}

// line is the number of the first screen line that begins with a prefix.
func line(screen, prefix string) string {
	for i, l := range strings.Split(screen, "\n") {
		if strings.HasPrefix(l, prefix) {
			return string(rune('0' + i))
		}
	}
	return ""
}

func TestWaitsForTheFirstEvents(t *testing.T) {
	f := newFake()
	f.status = index.Status{TotalBytes: 100, Bytes: 30}
	f.session = story().session
	d := drive(t, f, 80, 24, Options{}).see("reading", "indexing 30%")
	f.add("b58db045-77aa", model.Event{Type: "MessageEvent", Kind: model.KindMessage, Source: "user", Title: "hello"})
	f.grow()
	d.see("hello", "row 1/1")
}

func TestNothingToShow(t *testing.T) {
	drive(t, newFake(), 80, 24, Options{}).see("no session").press("jkGgcCeEn/x").press("Esc", ":1", "Enter", "q").ends()
}

func TestMouse(t *testing.T) {
	d := open(t, 80, 24)
	click := func(x, y int) *driver {
		d.sim.InjectMouse(x, y, tcell.Button1, tcell.ModNone)
		d.sim.InjectMouse(x, y, tcell.ButtonNone, tcell.ModNone)
		return d
	}
	click(20, 5).at("4")
	click(4, 14).see("[why]")
	click(10, 14).see("[detail]")
	for range 3 {
		d.sim.InjectMouse(20, 6, tcell.WheelDown, tcell.ModNone)
	}
	d.at("23")
	d.press("F2").see("mouse off")
	click(20, 4)
	d.press("F2").see("mouse on").at("23")
	click(78, 1).see("row 23/23").press("Ctrl-O").at("23")
	d.sim.InjectMouse(40, 1, tcell.Button1, tcell.ModNone)
	d.sim.InjectMouse(1, 1, tcell.Button1, tcell.ModNone)
	d.sim.InjectMouse(1, 1, tcell.ButtonNone, tcell.ModNone)
	d.see("row 1/23")
}

func TestPasteIsText(t *testing.T) {
	d := open(t, 80, 24)
	post := func(e tcell.Event) {
		for d.sim.PostEvent(e) != nil { // the queue is full: it drains
			time.Sleep(time.Millisecond)
		}
	}
	paste := func(s string) {
		post(tcell.NewEventPaste(true))
		for _, r := range s {
			key, mod := tcell.KeyRune, tcell.ModNone
			if r == '\r' {
				key = tcell.KeyEnter
			}
			post(tcell.NewEventKey(key, r, mod))
		}
		post(tcell.NewEventPaste(false))
	}
	paste("qqG\r") // nothing is open: nothing happens
	d.see("paste into a prompt").at("0")
	d.press("/")
	paste("q\u202e\x1b[31mnode\r--test")
	d.see("/q[31mnode --test")
	d.press("Esc").at("0")
	d.press("/")
	paste(strings.Repeat("x", 100_000))
	d.see("cut at 4096 bytes").press("Esc").gone("xxx")
}

func TestEnds(t *testing.T) {
	d := open(t, 80, 24).press("Ctrl-C")
	var exit *ExitError
	if err := d.ends(); !errors.As(err, &exit) || exit.Code != 130 {
		t.Errorf("Ctrl-C: %v, want an ExitError of 130", err)
	}
	f := story()
	f.panics = "Raw"
	var crash *CrashError
	if err := drive(t, f, 80, 24, Options{}).ends(); !errors.As(err, &crash) || crash.Value != "boom" {
		t.Errorf("panic in a worker: %v, want a CrashError", err)
	}
}

func TestHeldKeyKeepsItsPlace(t *testing.T) {
	f := newFake()
	f.session = story().session
	for range 5000 {
		f.add("b58db045-77aa", model.Event{Type: "MessageEvent", Kind: model.KindMessage, Source: "agent", Title: "row"})
	}
	d := drive(t, f, 80, 24, Options{}).see("row 1/5,000")
	d.press(strings.Repeat("j", 300)).see("row 301/5,000").press("3700j").see("row 4,001/5,000").press("9999j").see("row 5,000/5,000")
	d.press("2500k").see("row 2,500/5,000").press("9999k").see("row 1/5,000")
}

func statsLines() []render.Line {
	return []render.Line{{{Text: "events  51", Role: theme.Plain}}}
}

// TestFamilyAndFindings: into a sub-agent and up again, and over the findings.
func TestFamilyAndFindings(t *testing.T) {
	d := drive(t, demo(t), 120, 40, Options{Source: "demo:"}).see("row 1/", "! 1")
	d.press("]s").see("delegate", "└ docs", "13 ev").press("Enter").see("greeter > greeter-docs", "1 of 13")
	d.press("u").see("delegate", "of 120", "! 1").press("s").see("open", "took", "$0.04").press("q")
	d.press("!").see("1 finding", "snap_2 is ahead").press("Enter").see("104 of 120").press("[f").gone("104 of 120")
}

// TestBroadScreen: where there is room the detail and the diff stand side by
// side, and the keys go round all panes.
func TestBroadScreen(t *testing.T) {
	d := open(t, 200, 60).see("detail ─ 0", "diff ─ the start .. 0")
	for _, focus := range []string{"detail", "diff", "why", "context", "state", "timeline"} {
		d.press("Tab").see(" " + focus + " c cause")
	}
	for _, to := range [][2]string{{"j", "detail"}, {"l", "diff"}, {"k", "state"}, {"j", "diff"}, {"h", "detail"}, {"k", "timeline"}, {"l", "why"}, {"j", "context"}, {"h", "timeline"}} {
		d.press("Ctrl-W", to[0]).see(" " + to[1] + " c cause")
	}
	d.press("Ctrl-W", "j", "Z").gone("diff ─ the start").press("Z").see("diff ─ the start")
	d.resize(120, 40).see("[detail] diff").resize(200, 60).see("detail ─ 0", "diff ─ the start")
}
