package inspector

import (
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"

	"hindcast/inspector/config"
)

// bound drives the story with keys given to commands.
func bound(t *testing.T, preset string, keys map[string][]string) *driver {
	t.Helper()
	if faults := Keyboard.Check(preset, keys); len(faults) > 0 {
		t.Fatalf("faults: %v", faults)
	}
	set := config.Default()
	set.Preset, set.Keys = preset, keys
	return drive(t, story(), 200, 60, Options{Settings: &set}).see("row 1/23")
}

func TestKeysAreGivenToCommands(t *testing.T) {
	d := bound(t, "", map[string][]string{
		"next-error": {"E"}, "previous-error": {"Alt-e", "]e"}, "last": {"F5"}, "set-mark": {"M{a-z}"}, "go-mark": {"Ctrl-G{a-z}"}, "previous-place": {"``"}, "follow": {},
	})
	d.press("E").see("37 of 48").press("E").see("45 of 48", "AgentErrorEvent").press("]e").see("37 of 48")
	d.press("M", "q").see("mark q set").press("g", "g").see("row 1/23").press("F").see("F is not bound")
	d.press("`", "`").see("37 of 48")
	d.post(tcell.KeyCtrlG, 0)
	d.press("q").see("37 of 48")
	d.press("?").see("M{a-z}").gone("keep to the newest row").press("G").see("Alt-e ]e")
}

// TestLessPreset: ? searches backwards and n goes on that way; h shows the help.
func TestLessPreset(t *testing.T) {
	d := bound(t, "less", nil)
	d.press("G").see("row 23/23").press("?", "rate", "Enter").see("/rate 6/6", "row 21/23")
	at := func() string {
		_, rest, _ := strings.Cut(d.text(), "row ")
		row, _, _ := strings.Cut(rest, "/")
		return row
	}
	first := at()
	d.press("n").until("went back", func(string) bool { return at() != first })
	if second := at(); len(second) > len(first) || len(second) == len(first) && second > first {
		t.Errorf("n went from row %s to row %s, want back", first, second)
	}
	d.press("N").until("came again", func(string) bool { return at() == first })
	d.see("F1 help").press("h").see("Cause and effect").press("G").see("search backwards").press("h").gone("search backwards")
}

func TestEveryCommandCanBeUnbound(t *testing.T) {
	keys := map[string][]string{}
	for _, c := range Keyboard.Commands("") {
		keys[c.Name] = []string{}
	}
	if faults := Keyboard.Check("", keys); len(faults) > 0 {
		t.Fatal(faults)
	}
	set := config.Default()
	set.Keys = keys
	d := drive(t, story(), 80, 24, Options{Settings: &set}).see("row 1/23")
	d.press("j").see("j is not bound").press("Ctrl-C")
	if err := d.ends(); err == nil || err.Error() != "ended by Ctrl-C" {
		t.Errorf("Ctrl-C: %v", err)
	}
}

func TestKeysThatCannotBe(t *testing.T) {
	for _, tt := range []struct{ name, key, want string }{
		{"cause", "d", "d is the key of diff: give diff another key or none: diff = []"},
		{"cause", "Ctrl-C", "Ctrl-C is the key of end: it keeps it"},
		{"cause", "Ctrl-c", "Ctrl-C is the key of end"},
		{"cause", "", "is no key"}, {"cause", "abc", "is no key"}, {"cause", "Ctrl-", "is no key"}, {"cause", "F13", "is no key"},
		{"cause", "5", "digits are counts"}, {"cause", "\x1b", "is no key"}, {"cause", "m{a-z}", "is no key"},
		{"cause", "Ctrl-M", "the same as Enter"}, {"go-mark", "'", "x{a-z}"}, {"resize", "r{+-}x", "x{+-<>=}"},
	} {
		faults := Keyboard.Check("", map[string][]string{tt.name: {tt.key}})
		if len(faults) != 1 || faults[0].Name != tt.name || !strings.Contains(faults[0].Message, tt.want) {
			t.Errorf("%s = %q: %v, want %q", tt.name, tt.key, faults, tt.want)
		}
	}
	for _, key := range []string{"F12", "Ctrl-X", "Ctrl-x", "Alt-x", "ü", "gö", "Ctrl-X a", "Ctrl-X{a}", " ", "z!"} {
		keys := map[string][]string{"cause": {key}, "into": {}}
		if faults := Keyboard.Check("", keys); len(faults) > 0 {
			t.Errorf("%q: %v", key, faults)
		}
	}
	// What two commands exchange is no conflict.
	if faults := Keyboard.Check("", map[string][]string{"cause": {"d"}, "diff": {"c"}}); len(faults) > 0 {
		t.Error(faults)
	}
}
