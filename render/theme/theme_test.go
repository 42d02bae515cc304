package theme

import (
	"reflect"
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/uniseg"
)

func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestDetect(t *testing.T) {
	tests := []struct {
		env  func(string) string
		want *Theme
	}{
		{env("TERM", "xterm-256color"), Dark},
		{env("TERM", "xterm", "COLORTERM", "truecolor"), Dark},
		{env("TERM", "xterm-256color", "COLORFGBG", "0;15"), Light},
		{env("TERM", "xterm-256color", "COLORFGBG", "0;default;7"), Light},
		{env("TERM", "xterm-256color", "COLORFGBG", "15;0"), Dark},
		{env("TERM", "xterm-256color", "COLORFGBG", "odd"), Dark},
		{env("TERM", "xterm"), Basic},
		{env("TERM", "linux"), Basic},
		{env(), Basic},
		{env("TERM", "dumb"), Mono},
		{env("TERM", "xterm-256color", "NO_COLOR", "1"), Mono},
		{env("TERM", "xterm-256color", "NO_COLOR", ""), Dark},
		{env("TERM", "xterm-256color", "HINDCAST_THEME", "light"), Light},
		{env("HINDCAST_THEME", "light", "NO_COLOR", "1"), Mono},
		{env("TERM", "xterm-256color", "HINDCAST_THEME", "no such"), Dark},
	}
	for i, tt := range tests {
		if got := Detect(tt.env); got != tt.want {
			t.Errorf("%d: %s, want %s", i, got.Name, tt.want.Name)
		}
	}
}

func TestDetectGlyphs(t *testing.T) {
	tests := []struct {
		env  func(string) string
		want *Glyphs
	}{
		{env(), &Unicode}, {env("LANG", "C"), &ASCII}, {env("LANG", "POSIX"), &ASCII}, {env("LANG", "C.UTF-8"), &Unicode},
		{env("LANG", "de_DE.utf8"), &Unicode}, {env("LANG", "de_DE.ISO-8859-1"), &ASCII}, {env("LANG", "de_DE@euro"), &Unicode},
		{env("LANG", "en_US"), &Unicode}, {env("LC_ALL", "C", "LANG", "en_US.UTF-8"), &ASCII}, {env("LC_CTYPE", "en_US.UTF-8", "LANG", "C"), &Unicode},
	}
	for i, tt := range tests {
		if got := DetectGlyphs(tt.env); got != tt.want {
			t.Errorf("%d: wrong set", i)
		}
	}
}

// TestOneTable checks that the two faces of a theme say the same of a role.
func TestOneTable(t *testing.T) {
	for _, name := range Names() {
		th, ok := ByName(name)
		if !ok || th.Name != name {
			t.Fatalf("no theme %q", name)
		}
		for _, r := range Roles() {
			fg, bg, attrs := th.Style(r).Decompose()
			on, off := th.SGR(r)
			styled := fg != tcell.ColorDefault || bg != tcell.ColorDefault || attrs != 0
			if styled != (on != "") || (on == "") != (off == "") {
				t.Errorf("%s role %d: style %v, sequence %q, %q", name, r, th.Style(r), on, off)
			}
			if on != "" && (!strings.HasPrefix(on, "\x1b[") || !strings.HasSuffix(on, "m")) {
				t.Errorf("%s role %d: %q", name, r, on)
			}
			if !th.Colours() && (fg != tcell.ColorDefault || bg != tcell.ColorDefault || strings.Contains(on, "38;5") || strings.Contains(on, ";3")) {
				t.Errorf("%s role %d has a colour", name, r)
			}
		}
	}
}

// TestSelectionIsSeenWithoutColour: what only a background would tell needs an
// attribute where there are no colours.
func TestSelectionIsSeenWithoutColour(t *testing.T) {
	for _, th := range []*Theme{Basic, Mono} {
		for _, r := range []Role{Selected, SelectedDim, Cursor, Match} {
			if _, _, attrs := th.Style(r).Decompose(); attrs == 0 {
				t.Errorf("%s: role %d looks like plain text", th.Name, r)
			}
		}
	}
}

func TestUnknownRoleIsPlain(t *testing.T) {
	if Dark.Style(roleCount+3) != Dark.Style(Plain) {
		t.Error("a role beyond the table has a style")
	}
	if on, off := Dark.SGR(roleCount + 3); on != "" || off != "" {
		t.Error("a role beyond the table has sequences")
	}
	var none *Theme
	if on, _ := none.SGR(Fail); on != "" {
		t.Error("no theme has sequences")
	}
}

func TestGlyphsAreOneCell(t *testing.T) {
	for name, g := range map[string]Glyphs{"unicode": Unicode, "ascii": ASCII} {
		v := reflect.ValueOf(g)
		for i := range v.NumField() {
			field := v.Type().Field(i).Name
			var signs []string
			if v.Field(i).Kind() == reflect.String {
				signs = []string{v.Field(i).String()}
			} else {
				for j := range v.Field(i).Len() {
					signs = append(signs, v.Field(i).Index(j).String())
				}
			}
			for _, s := range signs {
				if uniseg.StringWidth(s) != 1 {
					t.Errorf("%s %s: %q is %d cells", name, field, s, uniseg.StringWidth(s))
				}
				if name == "ascii" && (s[0] < 0x20 || s[0] > 0x7e) {
					t.Errorf("%s is not ASCII: %q", field, s)
				}
			}
		}
	}
	for in, want := range map[string]string{"…": "~", "␛": "^", "漢": "漢", "a": "a", "⇠": ASCII.ArrowInferred} {
		if got := ASCII.Fold(in); got != want || Unicode.Fold(in) != in {
			t.Errorf("Fold(%q) = %q, want %q", in, got, want)
		}
	}
	if ASCII.ArrowRecorded == ASCII.ArrowInferred || Unicode.ArrowRecorded == Unicode.ArrowInferred {
		t.Error("recorded and inferred look alike")
	}
}
