// Package text is the only gate between untrusted text and a terminal. It
// makes text harmless and visible, measures it in cells, cuts, wraps and
// indexes it. It knows nothing of events, colours or screens.
package text

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"hindcast/model"
)

// MarkLimit is the number of combining marks that a base character keeps;
// those beyond it are counted, not shown.
const MarkLimit = 8

// Clean makes one line of text safe to draw and leaves nothing invisible: C0
// controls and DEL become their pictures (newline too: ␊), a tab becomes →,
// other controls and format characters become their number (‹202E›), tag
// characters are decoded (⟦tag: …⟧), invalid bytes become U+FFFD, and marks
// beyond MarkLimit are counted. Text that needs none of this is returned as it
// is, without allocation.
func Clean(s string) string {
	n := printable(s)
	if n == len(s) {
		return s
	}
	var c cleaner
	c.out.Grow(len(s) + 16)
	c.out.WriteString(s[:n])
	if n > 0 {
		c.prev = rune(s[n-1])
	}
	c.run(s[n:])
	return c.out.String()
}

// Safe reports whether a code point may reach a terminal as it is.
func Safe(r rune) bool {
	if r < 0x7f {
		return r >= 0x20
	}
	return !model.Deceptive(r) && !unicode.In(r, unicode.Cf, unicode.Cc, unicode.Zl, unicode.Zp)
}

// printable is the length of the longest prefix of printable ASCII.
func printable(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] > 0x7e {
			return i
		}
	}
	return len(s)
}

// cleaner carries what cleaning one line has to remember: the base that marks
// and variation selectors apply to, and how many of them it has got.
type cleaner struct {
	out   strings.Builder
	prev  rune // the last base written; 0 at the start and after a replacement
	marks int  // marks since prev, shown or not
	tags  bool // within a run of tag characters
	stops bool // tabs go to the next stop instead of becoming a mark
	col   int  // cells written; kept only with stops
}

func (c *cleaner) run(s string) {
	for i := 0; i < len(s); {
		if n := printable(s[i:]); n > 0 {
			c.base(rune(s[i]))
			c.out.WriteString(s[i+1 : i+n])
			c.prev = rune(s[i+n-1])
			i += n
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if n > 1 && letter(r) {
			c.base(r)
		} else {
			c.step(r, s[i+n:])
		}
		i += n
	}
	c.base(0)
}

// base ends what the last character has gathered and starts the next; 0 ends
// only.
func (c *cleaner) base(r rune) {
	if c.tags {
		c.out.WriteString("⟧")
		c.tags = false
	}
	if c.marks > MarkLimit {
		c.out.WriteString("‹+" + strconv.Itoa(c.marks-MarkLimit) + " marks›")
	}
	c.marks = 0
	c.prev = r
	if r != 0 {
		c.out.WriteRune(r)
	}
}

// step takes one code point that is not printable ASCII; rest is what follows.
func (c *cleaner) step(r rune, rest string) {
	switch {
	case r == '\t' && c.stops:
		c.tab()
	case r == '\t':
		c.replace("→")
	case r < 0x20:
		c.replace(string(rune(0x2400) + r))
	case r == 0x7f:
		c.replace("\u2421")
	case r >= 0xe0000 && r <= 0xe007f:
		c.tag(r)
	case r == 0xfe0f && keycap(c.prev, rest):
		// Terminals disagree about the width of a keycap with this selector;
		// without it the same sign is drawn one cell wide by all.
	case r == 0xfe0e || r == 0xfe0f:
		c.selector(r)
	case r >= 0xfe00 && r <= 0xfe0d || !Safe(r):
		c.replace(number(r))
	case joins(r, c.prev):
		c.mark(r)
	default:
		c.base(r)
	}
}

// replace writes a stand-in, which no mark may change.
func (c *cleaner) replace(s string) {
	c.base(0)
	c.out.WriteString(s)
}

func (c *cleaner) tag(r rune) {
	ascii := r - 0xe0000
	if ascii < 0x20 || ascii > 0x7e {
		if !c.tags || ascii != 0x7f {
			c.replace(number(r))
		}
		return
	}
	if !c.tags {
		c.replace("⟦tag: ")
		c.tags = true
	}
	c.out.WriteRune(ascii)
}

// selector keeps an emoji or text selector where it does something: once,
// directly after a symbol.
func (c *cleaner) selector(r rune) {
	if c.marks > 0 || c.prev < 0x80 || unicode.In(c.prev, unicode.L, unicode.N, unicode.M) {
		c.replace(number(r))
		return
	}
	c.mark(r)
}

// mark writes a code point that joins the base before it. A mark without a base
// gets a no-break space, so that it cannot land on what is drawn before it.
func (c *cleaner) mark(r rune) {
	if c.prev == 0 {
		c.base('\u00a0')
	}
	c.marks++
	if c.marks <= MarkLimit {
		c.out.WriteRune(r)
	}
}

func (c *cleaner) tab() {
	c.base(0)
	c.out.WriteString("    "[Width(c.out.String()[c.col:])%tabStop:])
	c.col = c.out.Len()
}

// number shows a code point by its number.
func number(r rune) string {
	hex := strings.ToUpper(strconv.FormatInt(int64(r), 16))
	if len(hex) < 4 {
		hex = "0000"[len(hex):] + hex
	}
	return "‹" + hex + "›"
}

func keycap(prev rune, rest string) bool {
	return (prev >= '0' && prev <= '9' || prev == '#' || prev == '*') && strings.HasPrefix(rest, "\u20e3")
}

// joins reports whether r would share a cell with prev whatever their number,
// so that a run of them must be bounded.
func joins(r, prev rune) bool {
	switch {
	case r < 0x300:
		return false
	case leadingJamo(r):
		return leadingJamo(prev)
	case r >= 0x1160 && r <= 0x11ff || r >= 0xd7b0 && r <= 0xd7ff: // vowels and trailing jamo
		return leadingJamo(prev) || prev >= 0x1160 && prev <= 0x11ff || prev >= 0xac00 && prev <= 0xd7ff
	case r == 0xff9e || r == 0xff9f, r == 0xe33 || r == 0xeb3: // halfwidth voiced marks, Thai and Lao am
		return true
	case r >= 0x1f3fb && r <= 0x1f3ff: // skin tones
		return true
	case unicode.Is(prepended, r):
		return unicode.Is(prepended, prev)
	}
	return unicode.Is(unicode.M, r)
}

func leadingJamo(r rune) bool { return r >= 0x1100 && r <= 0x115f || r >= 0xa960 && r <= 0xa97c }

// prepended holds the letters that share a cell with what follows them, by
// Unicode's property Prepended_Concatenation_Mark and its like in Indic
// scripts; those of category Cf are shown by number anyway.
var prepended = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0x0d4e, Hi: 0x0d4e, Stride: 1}},
	R32: []unicode.Range32{
		{Lo: 0x111c2, Hi: 0x111c3, Stride: 1}, {Lo: 0x1193f, Hi: 0x1193f, Stride: 1}, {Lo: 0x11941, Hi: 0x11941, Stride: 1},
		{Lo: 0x11a3a, Hi: 0x11a3a, Stride: 1}, {Lo: 0x11a84, Hi: 0x11a89, Stride: 1}, {Lo: 0x11d46, Hi: 0x11d46, Stride: 1},
		{Lo: 0x11f02, Hi: 0x11f02, Stride: 1},
	},
}
