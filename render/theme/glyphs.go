package theme

import (
	"strings"
	"unicode/utf8"
)

// Glyphs is the set of signs that hindcast itself draws. Each is one cell wide.
type Glyphs struct {
	Ellipsis      string
	Fail          string
	Ok            string // of a result that says so
	Open          string // a call without a result
	Checkpoint    string
	Finding       string
	Mark          string
	Note          string // the reader's own words on an event
	Cursor        string // in the first column of the selected row
	ArrowRecorded string // from an event to its recorded cause
	ArrowInferred string // from an event to its inferred cause
	Folded        string
	Unfolded      string
	Bullet        string
	Times         string

	Horizontal, Vertical                           string
	TopLeft, TopRight, BottomLeft, BottomRight     string
	TeeLeft, TeeRight, TeeTop, TeeBottom, Crossing string

	Blocks  [8]string // a minimap's levels, lowest first
	Absent  string    // a lane's cell where a text is not in view
	Present string    // a lane's cell where it is
}

// Unicode and ASCII are the two sets.
var (
	Unicode = Glyphs{
		Ellipsis: "…", Fail: "X", Ok: "✓", Open: "…", Checkpoint: "K", Finding: "!", Mark: "◆", Note: "¶", Cursor: ">",
		ArrowRecorded: "←", ArrowInferred: "⇠", Folded: "▸", Unfolded: "▾", Bullet: "·", Times: "×",
		Horizontal: "─", Vertical: "│", TopLeft: "┌", TopRight: "┐", BottomLeft: "└", BottomRight: "┘",
		TeeLeft: "├", TeeRight: "┤", TeeTop: "┬", TeeBottom: "┴", Crossing: "┼",
		Blocks: [8]string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}, Absent: "░", Present: "█",
	}
	ASCII = Glyphs{
		Ellipsis: "~", Fail: "X", Ok: "+", Open: "?", Checkpoint: "K", Finding: "!", Mark: "*", Note: "&", Cursor: ">",
		ArrowRecorded: "<", ArrowInferred: "%", Folded: "+", Unfolded: "-", Bullet: ".", Times: "x",
		Horizontal: "-", Vertical: "|", TopLeft: "+", TopRight: "+", BottomLeft: "+", BottomRight: "+",
		TeeLeft: "+", TeeRight: "+", TeeTop: "+", TeeBottom: "+", Crossing: "+",
		Blocks: [8]string{"_", ".", ".", "-", "-", "=", "=", "#"}, Absent: ".", Present: "#",
	}
)

// Fold returns what the ASCII set draws for a cluster of cleaned text: hindcast's
// own signs have stand-ins one cell wide. Letters of the dump stay what they are;
// where the terminal's character set has none, the screen library says so. The
// Unicode set returns clusters as they are.
func (g *Glyphs) Fold(cluster string) string {
	if g == &Unicode || len(cluster) == 1 {
		return cluster
	}
	if s, ok := folds[cluster]; ok {
		return s
	}
	if r, _ := utf8.DecodeRuneInString(cluster); r >= 0x2400 && r <= 0x2421 { // the picture of a control character
		return "^"
	}
	return cluster
}

var folds = map[string]string{
	"…": "~", "←": "<", "⇠": "%", "→": ">", "·": ".", "│": "|", "─": "-", "└": "+", "‹": "<", "›": ">", "⟦": "[", "⟧": "]",
	"“": "\"", "”": "\"", "✓": "+", "◆": "*", "¶": "&", "▸": "+", "▾": "-", "×": "x", "±": "~", "µ": "u", "\u00a0": " ",
}

// DetectGlyphs chooses a set by the locale: the first of LC_ALL, LC_CTYPE and
// LANG that is set decides. C, POSIX and a character set that is not UTF-8 give
// ASCII; a locale that names no character set is taken for UTF-8.
func DetectGlyphs(env func(string) string) *Glyphs {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		locale := strings.ToLower(env(name))
		if locale == "" {
			continue
		}
		base, _, _ := strings.Cut(locale, "@")
		_, set, named := strings.Cut(base, ".")
		if base == "c" || base == "posix" || named && set != "utf-8" && set != "utf8" {
			return &ASCII
		}
		return &Unicode
	}
	return &Unicode
}
