package theme

import (
	"strconv"
	"strings"

	"github.com/gdamore/tcell/v2"
)

// Theme is a way to draw roles. Themes are values of this package; compare
// them by pointer.
type Theme struct {
	Name   string
	depth  depth
	styles [roleCount]tcell.Style
	on     [roleCount]string
}

type depth uint8

const (
	noColour depth = iota
	colours16
	coloursDark
	coloursLight
	starkDark
	starkLight
)

// The themes: 256 colours on a dark and on a light background, few strong ones
// with a contrast of 7 to 1 at least (on a dark background and on a light one),
// the terminal's own 16, and none (attributes only).
var (
	Dark              = build("dark", coloursDark)
	Light             = build("light", coloursLight)
	HighContrast      = build("high-contrast", starkDark)
	HighContrastLight = build("high-contrast", starkLight)
	Basic             = build("16", colours16)
	Mono              = build("none", noColour)
)

// Names lists the themes by the names that people type.
func Names() []string {
	return []string{Dark.Name, Light.Name, HighContrast.Name, Basic.Name, Mono.Name}
}

// On is the face of a theme for a light background or a dark one; a theme that
// has one face only is returned as it is.
func (t *Theme) On(light bool) *Theme {
	for _, faces := range [][2]*Theme{{Dark, Light}, {HighContrast, HighContrastLight}} {
		if t != faces[0] && t != faces[1] {
			continue
		}
		if light {
			return faces[1]
		}
		return faces[0]
	}
	return t
}

// ByName finds a theme; of two faces, that for a dark background.
func ByName(name string) (*Theme, bool) {
	for _, t := range []*Theme{Dark, Light, HighContrast, Basic, Mono} {
		if t.Name == name {
			return t, true
		}
	}
	return nil, false
}

// Detect chooses a theme from the environment: NO_COLOR (any value but empty)
// and TERM=dumb give Mono, HINDCAST_THEME names one, a terminal without 256
// colours gets Basic, and COLORFGBG tells a light background from a dark one.
func Detect(env func(string) string) *Theme {
	if env("NO_COLOR") != "" {
		return Mono
	}
	if t, ok := ByName(env("HINDCAST_THEME")); ok {
		return t
	}
	term, deep := env("TERM"), env("COLORTERM")
	switch {
	case term == "dumb" || strings.HasSuffix(term, "-m") || strings.HasSuffix(term, "-mono"):
		return Mono
	case deep != "truecolor" && deep != "24bit" && !strings.Contains(term, "256color") && !strings.Contains(term, "direct"):
		return Basic
	case lightBackground(env("COLORFGBG")):
		return Light
	}
	return Dark
}

// lightBackground reads rxvt's convention: "fg;bg" or "fg;default;bg" in
// numbers of the 16-colour palette.
func lightBackground(v string) bool {
	n, err := strconv.Atoi(v[strings.LastIndexByte(v, ';')+1:])
	return err == nil && (n == 7 || n == 15)
}

// Style is the role's look for the screen library. Backgrounds other than of
// selections and matches are the terminal's own.
func (t *Theme) Style(r Role) tcell.Style {
	if r >= roleCount {
		r = Plain
	}
	return t.styles[r]
}

// SGR gives the escape sequences that switch the role's look on and off again;
// both are empty where the role looks like the rest.
func (t *Theme) SGR(r Role) (on, off string) {
	if t == nil || r >= roleCount || t.on[r] == "" {
		return "", ""
	}
	return t.on[r], "\x1b[0m"
}

// Colours reports whether the theme has any.
func (t *Theme) Colours() bool { return t.depth != noColour }

func build(name string, d depth) *Theme {
	t := &Theme{Name: name, depth: d}
	for i, l := range looks {
		f, b, a := l.at(d)
		t.styles[i] = style(f, b, a)
		t.on[i] = sgr(f, b, a)
	}
	return t
}

// at resolves a look for a depth. Where there is a background, reverse is its
// stand-in without colours; faint is dropped where a colour already recedes,
// since many terminals draw both as almost nothing.
func (l look) at(d depth) (fg, bg int16, a attr) {
	a = l.attrs
	switch d {
	case coloursDark:
		fg, bg = l.dark, l.bgDark
	case coloursLight:
		fg, bg = l.light, l.bgLight
	case colours16:
		fg, bg = l.ansi, none
	case starkDark, starkLight:
		return l.stark(d == starkLight), none, a &^ faint
	default:
		fg, bg = none, none
	}
	if bg != none {
		a &^= reverse | underline
	}
	if fg != none {
		a &^= faint
	}
	return fg, bg, a
}

// starkFace are the colours of high contrast by their number among the 16: on a
// dark background, and on a light one.
var starkFace = [...][2]int16{
	1: {210, 124}, 2: {120, 22}, 3: {228, 52}, 4: {117, 18}, 5: {219, 54}, 6: {123, 23},
}

func (l look) stark(light bool) int16 {
	switch {
	case l.ansi == none:
		return none
	case light:
		return starkFace[l.ansi][1]
	}
	return starkFace[l.ansi][0]
}

func style(fg, bg int16, a attr) tcell.Style {
	s := tcell.StyleDefault
	if fg != none {
		s = s.Foreground(tcell.PaletteColor(int(fg)))
	}
	if bg != none {
		s = s.Background(tcell.PaletteColor(int(bg)))
	}
	return s.Bold(a&bold != 0).Dim(a&faint != 0).Italic(a&italic != 0).
		Underline(a&underline != 0).Reverse(a&reverse != 0)
}

func sgr(fg, bg int16, a attr) string {
	var codes []string
	for i, code := range []string{"1", "2", "3", "4", "7"} {
		if a&(1<<i) != 0 {
			codes = append(codes, code)
		}
	}
	codes = append(codes, colour(fg, 30)...)
	codes = append(codes, colour(bg, 40)...)
	if len(codes) == 0 {
		return ""
	}
	return "\x1b[" + strings.Join(codes, ";") + "m"
}

// colour is the parameters for a palette number, as foreground (base 30) or
// background (base 40).
func colour(n int16, base int) []string {
	switch {
	case n == none:
		return nil
	case n < 8:
		return []string{strconv.Itoa(base + int(n))}
	}
	return []string{strconv.Itoa(base + 8), "5", strconv.Itoa(int(n))}
}
