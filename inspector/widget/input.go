package widget

import (
	"strings"
	"unicode/utf8"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"hindcast/model"
	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// InputLimit bounds what a prompt holds, in bytes. A longer paste is cut.
const InputLimit = 4096

// Outcome is what a key did to a prompt.
type Outcome uint8

// The outcomes.
const (
	Edited  Outcome = iota // the text changed
	Kept                   // nothing changed but perhaps the cursor
	Done                   // Enter
	Dropped                // Esc, or Backspace on nothing
	Asked                  // Tab: completion wanted
)

// Input is a one-line prompt with history. What is pasted is text, never keys:
// line breaks become spaces, other control characters are dropped.
type Input struct {
	*tview.Box
	Look    *Look
	Label   string
	Hint    render.Line // at the right end
	Keys    render.Line // behind the hint, where there is room for both
	History []string    // oldest first
	Cut     bool        // the last paste was longer than InputLimit
	text    string
	cursor  int // in bytes, on a cluster's edge
	past    int // of History; len(History) is the line being typed
	typed   string
	offered bool // the text is a proposal: what is typed takes its place
}

// NewInput makes an empty prompt.
func NewInput(look *Look) *Input { return &Input{Box: tview.NewBox(), Look: look} }

// Text is what has been typed.
func (in *Input) Text() string { return in.text }

// Set replaces the text and puts the cursor at its end.
func (in *Input) Set(s string) {
	in.offered = false
	in.text = ""
	in.cursor = 0
	in.Insert(s)
	in.past, in.typed = len(in.History), ""
}

// Offer is Set with a text that is only proposed: it stands selected, so that
// typing replaces it and moving the cursor makes it the reader's own.
func (in *Input) Offer(s string) {
	in.Set(s)
	in.offered = s != ""
}

// Insert puts text at the cursor as a paste does.
func (in *Input) Insert(s string) {
	if in.offered {
		in.Set("")
	}
	s = plainLine(s, InputLimit-len(in.text))
	in.Cut = len(in.text)+len(s) >= InputLimit
	in.text = in.text[:in.cursor] + s + in.text[in.cursor:]
	in.cursor += len(s)
}

// plainLine makes one harmless line of at most limit bytes.
func plainLine(s string, limit int) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			r = ' '
		case model.Deceptive(r) || r == utf8.RuneError:
			continue
		}
		if b.Len()+utf8.RuneLen(r) > limit {
			break
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Key handles one key.
func (in *Input) Key(ev *tcell.EventKey) Outcome {
	before := in.text
	switch ev.Key() {
	case tcell.KeyEnter:
		return Done
	case tcell.KeyEscape:
		return Dropped
	case tcell.KeyTab:
		return Asked
	}
	if in.offered && ev.Key() != tcell.KeyRune {
		in.offered = false
		if k := ev.Key(); k == tcell.KeyBackspace || k == tcell.KeyBackspace2 || k == tcell.KeyDelete {
			in.Set("")
			return Edited
		}
	}
	switch ev.Key() {
	case tcell.KeyBackspace, tcell.KeyBackspace2:
		if in.text == "" {
			return Dropped
		}
		in.erase(in.left(), in.cursor)
	case tcell.KeyDelete, tcell.KeyCtrlD:
		in.erase(in.cursor, in.right())
	case tcell.KeyCtrlW:
		in.erase(in.wordLeft(), in.cursor)
	case tcell.KeyCtrlU:
		in.erase(0, in.cursor)
	case tcell.KeyCtrlK:
		in.erase(in.cursor, len(in.text))
	case tcell.KeyRune:
		if ev.Modifiers()&(tcell.ModCtrl|tcell.ModAlt|tcell.ModMeta) == 0 {
			in.Insert(string(ev.Rune()))
		}
	default:
		in.travel(ev.Key())
	}
	if in.text == before {
		return Kept
	}
	return Edited
}

func (in *Input) travel(key tcell.Key) {
	switch key {
	case tcell.KeyLeft, tcell.KeyCtrlB:
		in.cursor = in.left()
	case tcell.KeyRight, tcell.KeyCtrlF:
		in.cursor = in.right()
	case tcell.KeyHome, tcell.KeyCtrlA:
		in.cursor = 0
	case tcell.KeyEnd, tcell.KeyCtrlE:
		in.cursor = len(in.text)
	case tcell.KeyUp, tcell.KeyCtrlP:
		in.recall(-1)
	case tcell.KeyDown, tcell.KeyCtrlN:
		in.recall(1)
	}
}

func (in *Input) recall(step int) {
	if in.past == len(in.History) {
		in.typed = in.text
	}
	past := in.past + step
	if past < 0 || past > len(in.History) {
		return
	}
	in.past, in.text = past, in.typed
	if past < len(in.History) {
		in.text = in.History[past]
	}
	in.cursor = len(in.text)
}

func (in *Input) erase(from, to int) {
	in.text = in.text[:from] + in.text[to:]
	in.cursor = from
}

func (in *Input) left() int {
	at, last := 0, 0
	text.Clusters(in.text[:in.cursor], func(c string, _ int) bool {
		last, at = at, at+len(c)
		return true
	})
	return last
}

func (in *Input) right() int {
	to := len(in.text)
	text.Clusters(in.text[in.cursor:], func(c string, _ int) bool {
		to = in.cursor + len(c)
		return false
	})
	return to
}

func (in *Input) wordLeft() int {
	s := strings.TrimRight(in.text[:in.cursor], " ")
	return strings.LastIndexByte(s, ' ') + 1
}

// Draw implements tview.Primitive. The text scrolls so that the cursor is
// always in view.
func (in *Input) Draw(screen tcell.Screen) {
	x, y, w, h := in.GetInnerRect()
	if w <= 0 || h <= 0 {
		return
	}
	used := Draw(screen, x, y, w, render.Line{{Text: in.Label, Role: theme.Prompt}}, in.Look, theme.Plain)
	room := w - used - 1
	right := in.Hint
	if all := append(in.Hint[:len(in.Hint):len(in.Hint)], in.Keys...); room-render.Width(all)-2 >= max(text.Width(in.text), 16) {
		right = all
	}
	if hint := render.Width(right); hint > 0 && room-hint-2 >= 16 {
		Draw(screen, x+w-hint, y, hint, right, in.Look, theme.Plain)
		room -= hint + 2
	}
	if room <= 0 {
		return
	}
	from := in.visible(room)
	line := render.Line{{Text: in.text[from:]}}
	base := theme.Plain
	if in.offered {
		base, room = theme.Selected, min(room, text.Width(in.text[from:]))
	}
	Draw(screen, x+used, y, room, line, in.Look, base)
	screen.ShowCursor(x+used+text.Width(in.text[from:in.cursor]), y)
}

// visible is the offset from which the text must be drawn for its cursor to
// stand within room cells.
func (in *Input) visible(room int) int {
	from := 0
	for text.Width(in.text[from:in.cursor]) > room {
		_, n := utf8.DecodeRuneInString(in.text[from:])
		from += n
	}
	return from
}
