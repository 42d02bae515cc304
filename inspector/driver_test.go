package inspector

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"

	"hindcast/index"
)

// patience is how long a test waits for what must come: a machine that does
// much else at the same time is slow, not broken.
const patience = 60 * time.Second

var update = flag.Bool("update", false, "write the golden files anew")

// driver runs an inspector on a screen in memory. Screens are taken at each
// frame, in the UI goroutine, so reading them races with nothing.
type driver struct {
	keys []string // pressed so far
	t    *testing.T
	sim  tcell.SimulationScreen
	done chan error

	mu     sync.Mutex
	frame  []tcell.SimCell
	w, h   int
	frames int
	clip   string
	fresh  chan struct{}
}

func newSim(t *testing.T) tcell.SimulationScreen {
	t.Helper()
	sim := tcell.NewSimulationScreen("UTF-8")
	if err := sim.Init(); err != nil {
		t.Fatal(err)
	}
	return sim
}

func drive(t *testing.T, idx index.API, w, h int, o Options) *driver {
	t.Helper()
	d := &driver{t: t, sim: newSim(t), done: make(chan error, 1), fresh: make(chan struct{}, 1)}
	d.sim.SetSize(w, h)
	o.Screen = initialised{d.sim, d}
	o.tick = time.Millisecond
	o.after = d.snap
	ctx, cancel := context.WithCancel(context.Background())
	go func() { d.done <- Run(ctx, idx, o) }()
	t.Cleanup(func() {
		cancel()
		select {
		case <-d.done:
		case <-time.After(patience):
			t.Error("the inspector did not end")
		}
	})
	return d
}

// initialised is a screen whose size was set before Run.
type initialised struct {
	tcell.SimulationScreen
	d *driver // nil: nobody reads the clipboard
}

func (initialised) Init() error { return nil }

func (s initialised) SetClipboard(b []byte) {
	if s.d != nil {
		s.d.mu.Lock()
		s.d.clip = string(b)
		s.d.mu.Unlock()
	}
}

func (d *driver) clipboard() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.clip
}

func (d *driver) snap() {
	cells, w, h := d.sim.GetContents()
	d.mu.Lock()
	d.frame, d.w, d.h = append(d.frame[:0], cells...), w, h
	d.frames++
	d.mu.Unlock()
	select {
	case d.fresh <- struct{}{}:
	default:
	}
}

// text is the last frame, one line a row, without spaces at the ends.
func (d *driver) text() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var b strings.Builder
	for y := range d.h {
		var line strings.Builder
		for x := 0; x < d.w; {
			c := d.frame[y*d.w+x]
			line.WriteString(string(c.Runes))
			n := 1
			if len(c.Runes) > 0 && wide(string(c.Runes)) {
				n = 2
			}
			x += n
		}
		b.WriteString(strings.TrimRight(line.String(), " "))
		b.WriteByte('\n')
	}
	return b.String()
}

// until waits for a frame that ok likes.
func (d *driver) until(what string, ok func(screen string) bool) *driver {
	d.t.Helper()
	deadline := time.After(patience)
	for {
		if ok(d.text()) {
			return d
		}
		select {
		case <-d.fresh:
		case err := <-d.done:
			d.done <- err
			d.t.Fatalf("the inspector ended (%v) before %s:\n%s", err, what, d.text())
		case <-deadline:
			d.t.Fatalf("never %s:\n%s", what, d.text())
		}
	}
}

func (d *driver) see(parts ...string) *driver {
	d.t.Helper()
	return d.until("saw "+strings.Join(parts, ", "), func(s string) bool {
		for _, p := range parts {
			if !strings.Contains(s, p) {
				return false
			}
		}
		return true
	})
}

func (d *driver) gone(part string) *driver {
	d.t.Helper()
	return d.until("lost "+part, func(s string) bool { return !strings.Contains(s, part) })
}

// special are the keys that press spells with a name.
var special = map[string]tcell.Key{
	"Enter": tcell.KeyEnter, "Esc": tcell.KeyEscape, "Tab": tcell.KeyTab, "S-Tab": tcell.KeyBacktab,
	"Up": tcell.KeyUp, "Down": tcell.KeyDown, "PgUp": tcell.KeyPgUp, "PgDn": tcell.KeyPgDn,
	"Home": tcell.KeyHome, "End": tcell.KeyEnd, "F1": tcell.KeyF1, "F2": tcell.KeyF2, "Left": tcell.KeyLeft,
	"Right": tcell.KeyRight, "Backspace": tcell.KeyBackspace2, "Ctrl-O": tcell.KeyCtrlO, "Ctrl-D": tcell.KeyCtrlD,
	"Ctrl-U": tcell.KeyCtrlU, "Ctrl-F": tcell.KeyCtrlF, "Ctrl-B": tcell.KeyCtrlB, "Ctrl-W": tcell.KeyCtrlW,
	"Ctrl-C": tcell.KeyCtrlC, "Ctrl-R": tcell.KeyCtrlR, "Ctrl-G": tcell.KeyCtrlG, "Ctrl-]": tcell.KeyCtrlRightSq, "Delete": tcell.KeyDelete,
}

// press types keys: words of special are keys, anything else is typed
// character by character.
func (d *driver) press(keys ...string) *driver {
	d.keys = append(d.keys, keys...)
	for _, k := range keys {
		if key, ok := special[k]; ok {
			d.post(key, 0)
			continue
		}
		for _, r := range k {
			d.post(tcell.KeyRune, r)
		}
	}
	return d
}

// post waits for room in the screen's queue: InjectKey would drop the key.
func (d *driver) post(key tcell.Key, r rune) {
	ev := tcell.NewEventKey(key, r, tcell.ModNone)
	for d.sim.PostEvent(ev) != nil {
		select {
		case err := <-d.done:
			d.done <- err
			var crash *CrashError
			if errors.As(err, &crash) {
				d.t.Fatalf("%v\n%s", err, crash.Stack)
			}
			d.t.Fatalf("the inspector has ended before key %d %q: %v\nthe last keys: %q", key, r, err, d.keys[max(len(d.keys)-40, 0):])
		case <-time.After(time.Millisecond):
		}
	}
}

// ends waits for Run to return.
func (d *driver) ends() error {
	d.t.Helper()
	select {
	case err := <-d.done:
		d.done <- err
		return err
	case <-time.After(patience):
		d.t.Fatalf("still running:\n%s", d.text())
		return nil
	}
}

// rest waits until no frame has come for a while: only for what is written or
// drawn, never for what is tested.
func (d *driver) rest(quiet time.Duration) {
	for {
		select {
		case <-d.fresh:
		case <-time.After(quiet):
			return
		}
	}
}

// golden compares the screen with a file of testdata.
func (d *driver) golden(name string) *driver {
	d.t.Helper()
	path := filepath.Join("testdata", name+".txt")
	if *update {
		d.rest(250 * time.Millisecond)
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			d.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(d.text()), 0o644); err != nil {
			d.t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		d.t.Fatal(err)
	}
	d.until("looked like "+path, func(s string) bool { return s == string(want) })
	return d
}
