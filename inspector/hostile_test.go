package inspector

import (
	"io/fs"
	"math/rand"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"

	"hindcast/fixtures"
	"hindcast/index"
)

// hostileDump opens the hostile fixtures that can be read as one folder, through
// the real index.
func hostileDump(t *testing.T) *index.Index {
	t.Helper()
	dir := t.TempDir()
	names, err := fs.Glob(fixtures.FS, "hostile/*.json*")
	if err != nil || len(names) < 10 {
		t.Fatalf("hostile fixtures %v: %v", names, err)
	}
	for _, name := range names {
		data, err := fs.ReadFile(fixtures.FS, name)
		if err == nil && path.Base(name) != "expected.json" {
			err = os.WriteFile(filepath.Join(dir, path.Base(name)), data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	idx, err := index.Open(t.Context(), []string{dir}, index.Options{IndexPath: filepath.Join(t.TempDir(), "hostile.hcx")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { idx.Close() })
	if err := idx.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	return idx
}

// TestMonkeyOnHostileDumps has four monkeys press 10,000 keys at random between
// them, paste, click and change the size over dumps that mean harm: nothing of
// them reaches the screen raw, and at the end every way out leads back to the
// timeline.
func TestMonkeyOnHostileDumps(t *testing.T) {
	presses := 2500
	if testing.Short() {
		presses = 250
	}
	for _, name := range []string{"a", "b", "c", "d"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			monkeyOnHostileDump(t, presses)
		})
	}
}

func monkeyOnHostileDump(t *testing.T, presses int) {
	idx := hostileDump(t)
	sessions, err := idx.Sessions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	seed := time.Now().UnixNano()
	rnd := rand.New(rand.NewSource(seed))
	shown := sessions[rnd.Intn(len(sessions))].ID
	t.Logf("seed %d, session %q", seed, shown)
	d := drive(t, idx, 100, 30, Options{Session: shown, Source: "\x1b[31mhostile", Commands: []string{"stats"}, RunCommand: runStats}).see("row 1/")
	monkey(d, rnd, presses)
	d.resize(80, 24).backsOut()
	d.press("\\", "g").see("row 1/", "timeline").press("?").see("Cause and effect").press("q").gone("Cause and effect")
	if err := d.clean(); err != nil {
		t.Fatal(err)
	}
	if err := d.press("q").ends(); err != nil {
		t.Errorf("q at the root: %v", err)
	}
}

// backsOut presses Esc until all that was typed is done and Esc changes nothing
// more: keys that come while too many others wait are dropped.
func (d *driver) backsOut() {
	for was := "-"; was != d.text(); {
		was = d.text()
		for range 8 {
			d.press("Esc").rest(40 * time.Millisecond)
		}
	}
}

// monkey does what comes into its head, but for the keys that end or suspend
// the program.
func monkey(d *driver, rnd *rand.Rand, presses int) {
	d.t.Helper()
	var keys []string
	for seq := range newKeyTable(bindings(), "", nil).do {
		if seq != "Ctrl-C" && seq != "Ctrl-Z" && !strings.HasSuffix(seq, "q") { // of mq the m may be somebody else's
			keys = append(keys, seq)
		}
	}
	slices.Sort(keys) // a seed gives the same keys again
	keys = append(keys, "Enter", "Esc", "Backspace", "Ctrl-R", "Ctrl-G", "12", "999", "the", "failed:true", "\x00", "ü", "\u202e", ":1", ":error")
	buttons := []tcell.ButtonMask{tcell.Button1, tcell.WheelDown, tcell.WheelUp, tcell.ButtonNone}
	for i := range presses {
		switch {
		case i%29 == 0:
			d.inject(tcell.NewEventMouse(rnd.Intn(120), rnd.Intn(40), buttons[rnd.Intn(len(buttons))], 0))
		case i%97 == 0:
			d.resize(rnd.Intn(200), rnd.Intn(60))
		case i%61 == 0:
			d.inject(tcell.NewEventPaste(true)).press(hostileTitles[rnd.Intn(8)]).inject(tcell.NewEventPaste(false))
		}
		d.press(strings.Fields(keys[rnd.Intn(len(keys))])...)
		if i%250 == 0 {
			if err := d.clean(); err != nil {
				d.t.Fatalf("%v\nthe last keys: %q", err, d.keys[max(len(d.keys)-40, 0):])
			}
		}
	}
}

// inject puts an event into the screen's queue, once there is room.
func (d *driver) inject(ev tcell.Event) *driver {
	for d.sim.PostEvent(ev) != nil {
		time.Sleep(time.Millisecond)
	}
	return d
}
