package openhands

import (
	"hindcast/model/jsonscan"
)

// The walkers in this file read JSON text that may end in the middle, and tell
// where in it each value stands. Detection sees only a file's first bytes, and
// records inside a container need their offset.

// piece is a value within some text. Whole says that it does not end with the
// text.
type piece struct {
	start, end int
	whole      bool
}

func (p piece) of(b []byte) []byte { return b[p.start:p.end] }

// spaceEnd returns the index of the first byte from i on that is no JSON space.
func spaceEnd(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// pieceAt reads the value that starts at or after i. ok is false where there
// is none; a value that the text cuts is given as far as it goes.
func pieceAt(b []byte, i int) (p piece, ok bool) {
	i = spaceEnd(b, i)
	if i >= len(b) || jsonscan.Kind(b[i:]) == 0 {
		return piece{}, false
	}
	start, end, err := jsonscan.Value(b[i:])
	switch {
	case err == nil:
		return piece{i + start, i + end, true}, true
	case isCut(err):
		return piece{i, len(b), false}, true
	}
	return piece{}, false
}

// members walks the members of the object at b[i:] until f returns false. The
// last value is given cut where the text is.
func members(b []byte, i int, f func(key string, p piece) bool) {
	i = spaceEnd(b, i)
	if i >= len(b) || b[i] != '{' {
		return
	}
	for i = spaceEnd(b, i+1); i < len(b) && b[i] == '"'; {
		k, ok := pieceAt(b, i)
		if !ok || !k.whole {
			return
		}
		i = spaceEnd(b, k.end)
		if i >= len(b) || b[i] != ':' {
			return
		}
		v, ok := pieceAt(b, i+1)
		if !ok || !f(jsonscan.Str(k.of(b)), v) || !v.whole {
			return
		}
		i = afterComma(b, v.end)
	}
}

// elements walks the elements of the array at b[i:] until f returns false.
func elements(b []byte, i int, f func(p piece) bool) {
	i = spaceEnd(b, i)
	if i >= len(b) || b[i] != '[' {
		return
	}
	for i++; ; {
		v, ok := pieceAt(b, i)
		if !ok || !f(v) || !v.whole {
			return
		}
		i = afterComma(b, v.end)
	}
}

func afterComma(b []byte, i int) int {
	i = spaceEnd(b, i)
	if i < len(b) && b[i] == ',' {
		return spaceEnd(b, i+1)
	}
	return i
}
