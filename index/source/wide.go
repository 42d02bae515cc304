package source

import (
	"bufio"
	"encoding/binary"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// wideReader turns UTF-16 or UTF-32 into UTF-8. A byte order mark at the start
// is dropped; what is no character becomes U+FFFD.
//
// Invariant: out[done:] is text that was decoded and not yet read.
type wideReader struct {
	br      *bufio.Reader
	width   int // bytes of a code unit: 2 or 4
	order   binary.ByteOrder
	started bool
	held    rune // a high surrogate that waits for its half; 0 where none
	out     []byte
	done    int
	err     error
}

func newWideReader(r io.Reader, f form) *wideReader {
	w := &wideReader{br: bufio.NewReaderSize(r, 32<<10), width: 2, order: binary.LittleEndian}
	if f == formUTF32LE || f == formUTF32BE {
		w.width = 4
	}
	if f == formUTF16BE || f == formUTF32BE {
		w.order = binary.BigEndian
	}
	return w
}

// Read gives UTF-8. A unit that is cut at the end is ErrTruncated.
func (w *wideReader) Read(p []byte) (int, error) {
	for w.done == len(w.out) {
		if w.err != nil {
			return 0, w.err
		}
		w.fill()
	}
	n := copy(p, w.out[w.done:])
	w.done += n
	return n, nil
}

func (w *wideReader) fill() {
	w.out, w.done = w.out[:0], 0
	for len(w.out) < 32<<10 && w.err == nil {
		unit, err := w.br.Peek(w.width)
		if err != nil {
			w.end(len(unit), err)
			return
		}
		if w.width == 4 {
			w.rune(rune(w.order.Uint32(unit)))
		} else {
			w.unit(rune(w.order.Uint16(unit)))
		}
		_, w.err = w.br.Discard(w.width)
	}
}

// end closes the text: rest is how many bytes of a unit are left.
func (w *wideReader) end(rest int, err error) {
	w.flush()
	w.err = err
	if err == io.EOF && rest > 0 {
		w.out = utf8.AppendRune(w.out, utf8.RuneError)
		w.err = ErrTruncated
	}
}

func (w *wideReader) flush() {
	if w.held != 0 {
		w.out = utf8.AppendRune(w.out, utf8.RuneError)
		w.held = 0
	}
}

func (w *wideReader) unit(r rune) {
	if w.held != 0 {
		if pair := utf16.DecodeRune(w.held, r); pair != utf8.RuneError {
			w.held = 0
			w.rune(pair)
			return
		}
	}
	w.flush()
	if utf16.IsSurrogate(r) && r < 0xdc00 {
		w.held = r
		w.started = true
		return
	}
	w.rune(r)
}

func (w *wideReader) rune(r rune) {
	if !w.started && r == 0xfeff {
		w.started = true
		return
	}
	w.started = true
	w.out = utf8.AppendRune(w.out, r)
}
