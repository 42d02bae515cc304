//go:build unix

package inspector

import (
	"unicode/utf8"

	"github.com/gdamore/tcell/v2"
)

// newTerminal is the screen of the terminal that the program runs in, and a way
// to ask for its background.
func newTerminal() (tcell.Screen, asker, error) {
	tty, err := tcell.NewDevTty()
	if err != nil {
		return nil, nil, err
	}
	clean := &cleanTty{Tty: tty}
	s, err := tcell.NewTerminfoScreenFromTty(clean)
	return s, clean, err
}

// cleanTty leaves out of the input what is not UTF-8. tcell 2.13 waits for ever
// for the rest of a character that will not come: one stray byte, from a slip
// of the hand or a paste in another encoding, would freeze the program.
type cleanTty struct {
	tcell.Tty
	listener
	cut []byte // the beginning of a character whose rest may follow
}

// ask has the terminal tell its background.
func (t *cleanTty) ask(told func(light bool)) {
	t.listen(told)
	t.Write([]byte(backgroundQuery)) // a terminal that cannot be written to ends the program elsewhere
}

// Read reads input, whole characters of it.
func (t *cleanTty) Read(p []byte) (int, error) {
	buf := make([]byte, max(len(p), utf8.UTFMax))
	for {
		k := copy(buf, t.cut)
		n, err := t.Tty.Read(buf[k:max(len(p), k+1)])
		t.hear(buf[k : k+n])
		clean, rest := cleanInput(buf[:k+n])
		t.cut = append(t.cut[:0], rest...)
		if len(clean) > 0 || n == 0 || err != nil {
			return copy(p, clean), err
		}
	}
}

// cleanInput drops bytes that are no part of a character, in place, and sets
// apart an unfinished character at the end.
func cleanInput(b []byte) (clean, rest []byte) {
	clean = b[:0]
	for len(b) > 0 {
		if !utf8.FullRune(b) {
			return clean, append([]byte{}, b...)
		}
		r, n := utf8.DecodeRune(b)
		if r != utf8.RuneError || n > 1 {
			clean = append(clean, b[:n]...)
		}
		b = b[n:]
	}
	return clean, nil
}
