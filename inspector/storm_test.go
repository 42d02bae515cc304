package inspector

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"

	"hindcast/model"
)

// hostileTitles are what a record may hold to break a screen.
var hostileTitles = []string{
	"\x1b]52;c;aGk=\x07 \x1b[2J\x1b[31mred", "a\nb\rc\td", "\u202eevil\u2066 \u200b zero", "[red]tag[-] [:::https://evil/x]link",
	strings.Repeat("e\u0301", 300), "z" + strings.Repeat("\u0300", 500), "漢字 wide 読み", "👩‍👩‍👧‍👦 family 1️⃣ क्षि", "\xff\xfe broken \xc3",
	strings.Repeat("x", 100_000), "", "\U000e0041tags\U000e0042", "\x9b31m\x90dcs\x9c",
}

func hostile() *fake {
	f := newFake()
	id := "s\x1b[31m\u202e"
	f.session = []model.Session{{ID: id, Dialect: "x\x1bc", Version: "\x07", Title: hostileTitles[0], Outcome: "\x1b[5m", Parent: id}}
	var before *model.Event
	for i, title := range hostileTitles {
		for kind := range model.Kinds() {
			e := model.Event{Kind: model.Kind(kind), Type: title, Tool: title, Source: title, Title: title, ID: title + fmt.Sprint(i, kind)}
			if before != nil {
				e.Links = []model.Link{{Reason: model.ReasonData, To: ref(before), Inferred: true}}
			}
			before = f.add(id, e)
		}
	}
	f.raw = func(e model.Event) []byte { return []byte(e.Title) }
	return f
}

// clean reports the first cell that no screen should hold.
func (d *driver) clean() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, c := range d.frame {
		for _, r := range c.Runes {
			joiner := r == 0x200d && len(c.Runes) > 1
			if model.Deceptive(r) && !joiner && r != 0xfe0f {
				return fmt.Errorf("cell %d,%d holds %U", i%d.w, i/d.w, c.Runes)
			}
		}
	}
	return nil
}

func TestHostileText(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {130, 40}} {
		d := drive(t, hostile(), size[0], size[1], Options{Source: "\x1b[31m'x"})
		d.see("row 1/")
		for range 2 * len(hostileTitles) {
			d.press("5j", "J", "Tab")
			d.rest(60 * time.Millisecond)
			if err := d.clean(); err != nil {
				t.Fatal(err)
			}
		}
		for _, keys := range []string{"s", "?", "r", "C", "f\x00", "yi", "=", "a"} {
			d.press(keys)
			d.rest(60 * time.Millisecond)
			if err := d.clean(); err != nil {
				t.Fatalf("after %q: %v", keys, err)
			}
			d.press("Esc", "Esc")
		}
		if s := d.text(); strings.Contains(s, "\x1b") {
			t.Errorf("an escape reached the screen:\n%q", s)
		}
	}
}

func TestTagsAreText(t *testing.T) {
	f := newFake()
	f.session = []model.Session{{ID: "s"}}
	f.add("s", model.Event{Kind: model.KindMessage, Source: "user", Title: `[red]arr[i] = m["x"] [:::https://evil/x]`})
	drive(t, f, 100, 24, Options{}).see(`[red]arr[i] = m["x"] [:::https://evil/x]`)
}

func TestSizes(t *testing.T) {
	d := open(t, 80, 24)
	d.press("]k").at("30")
	for _, size := range [][2]int{{1, 1}, {0, 0}, {2, 1}, {1, 200}, {500, 1}, {19, 4}, {20, 5}, {39, 11}, {40, 12}, {109, 26}, {110, 26}, {400, 100}} {
		d.resize(size[0], size[1]).press("?", "Esc", "s", "Esc", "Tab", "Z", "J", "Z", ":", "Esc", "/x", "Esc", "f", "Esc", "S-Tab")
	}
	d.resize(15, 4).see("enlarge")
	d.resize(80, 24).at("30").see("row 13/23")
}

// resize gives the screen another size and tells so, as a terminal does: the
// simulation by itself leaves it to the next drawing.
func (d *driver) resize(w, h int) *driver {
	d.sim.SetSize(w, h)
	for d.sim.PostEvent(tcell.NewEventResize(w, h)) != nil { // the queue is full: it drains
		time.Sleep(time.Millisecond)
	}
	return d
}

func TestResizeStorm(t *testing.T) {
	d := open(t, 80, 24).press("12j").at("30")
	rnd := rand.New(rand.NewSource(7))
	for range 300 {
		d.resize(rnd.Intn(220), rnd.Intn(70))
		d.press([]string{"t", "J", "K", "Z", "Tab"}[rnd.Intn(5)])
	}
	d.resize(120, 40).press("Esc", "Esc").at("30").see("row 13/23")
}

// TestMonkey presses keys at random while the index grows and the screen
// changes its size; with -race it also looks for races.
func TestMonkey(t *testing.T) {
	presses := 2000
	if testing.Short() {
		presses = 500
	}
	f := story()
	d := drive(t, f, 100, 30, Options{Commands: []string{"stats"}, RunCommand: runStats}).see("row 1/23")
	var keys []string
	for seq := range newKeyTable(bindings(), "", nil).do {
		if !strings.Contains(seq, "Ctrl-C") && !strings.Contains(seq, "Ctrl-Z") && !strings.HasSuffix(seq, "q") {
			keys = append(keys, seq)
		}
	}
	keys = append(keys, "Enter", "Esc", "rate", "failed:true", "12", "999", "\x00", "ü")
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewSource(seed))
	for i := range presses {
		d.press(strings.Fields(keys[rnd.Intn(len(keys))])...)
		switch {
		case i%50 == 0:
			f.add("b58db045-77aa", model.Event{Kind: model.KindMessage, Source: "agent", Title: "more"})
			f.grow()
		case i%97 == 0:
			d.resize(20+rnd.Intn(150), 5+rnd.Intn(50))
		case i%31 == 0:
			d.sim.PostEvent(tcell.NewEventMouse(rnd.Intn(100), rnd.Intn(30), []tcell.ButtonMask{tcell.Button1, tcell.WheelDown, tcell.ButtonNone}[rnd.Intn(3)], 0))
		}
	}
	d.resize(80, 24).press("Esc", "Esc", "Esc", "Esc", "Esc", "Esc", "Esc", "Esc", "\\", "g").see("  0 of")
	if err := d.clean(); err != nil {
		t.Error(err)
	}
}

func TestStopWhileNewsPours(t *testing.T) {
	for range 5 {
		f := story()
		stop := make(chan struct{})
		go func() {
			for {
				select {
				case <-stop:
					return
				default:
					f.grow()
				}
			}
		}()
		d := open2(t, f)
		d.press("jjj", "q")
		if err := d.ends(); err != nil {
			t.Error(err)
		}
		close(stop)
	}
}

func open2(t *testing.T, f *fake) *driver {
	t.Helper()
	return drive(t, f, 80, 24, Options{}).see("row 1/23")
}

func BenchmarkDraw(b *testing.B) {
	sim := tcell.NewSimulationScreen("UTF-8")
	if err := sim.Init(); err != nil {
		b.Fatal(err)
	}
	sim.SetSize(200, 60)
	s, err := openScreen(initialised{sim, nil})
	if err != nil {
		b.Fatal(err)
	}
	defer sim.Fini()
	f := story()
	u := newUI(b.Context(), f, Options{}, s)
	q := u.pageQuery()
	q.Session, q.Limit = "b58db045-77aa", 200
	rows, err := f.Page(b.Context(), q)
	if err != nil {
		b.Fatal(err)
	}
	u.ready = true
	u.timeline.Replace(rows, true, true, 1)
	b.ReportAllocs()
	for b.Loop() {
		u.draw(sim, 0, 0, 200, 60)
	}
}
