package jsonscan

import (
	"encoding/binary"
	"math/bits"
)

// stringRest goes on within a string and returns the index after its closing
// quote (done). A cut escape is gone on with from its backslash.
func stringRest(b []byte, i int) (int, verdict) {
	for i < len(b) {
		// Where eight bytes are all plain, the step to the next eight does not
		// depend on what they hold, so that the processor reads ahead.
		for i+8 <= len(b) {
			if found := special(binary.LittleEndian.Uint64(b[i : i+8])); found != 0 {
				i += bits.TrailingZeros64(found) >> 3
				break
			}
			i += 8
		}
		if i == len(b) {
			break
		}
		switch c := b[i]; {
		case c == '"':
			return i + 1, done
		case c == '\\':
			if i+1 < len(b) && shortEscape[b[i+1]] {
				i += 2
				continue
			}
			n, v := escape(b[i:])
			if v != done {
				return i + n, v
			}
			i += n
		case c < ' ':
			return i, bad
		default:
			i++
		}
	}
	return i, more
}

// escape measures the escape sequence at the start of b. Where it is bad the
// length is that up to the bad byte, where it is cut it is 0.
func escape(b []byte) (int, verdict) {
	if len(b) < 2 {
		return 0, more
	}
	switch {
	case shortEscape[b[1]]:
		return 2, done
	case b[1] == 'u':
		for k := 2; k < 6; k++ {
			if k >= len(b) {
				return 0, more
			}
			if hexValue[b[k]] > 15 {
				return k, bad
			}
		}
		return 6, done
	}
	return 1, bad
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// special sets the high bit of the first byte of x, from the lowest, that is a
// quote, a backslash or a control character, and is 0 if none is. The
// subtractions set the high bit of each ASCII byte that is below 0x20 or equal
// to one of the two; a borrow can only spoil bytes after the first such byte.
func special(x uint64) uint64 {
	q := x ^ ones*'"'
	s := x ^ ones*'\\'
	return ((x - ones*0x20) | (q - ones) | (s - ones)) &^ x & highs
}
