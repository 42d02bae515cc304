package store

import (
	"encoding/binary"
	"errors"
)

// errPacked says that packed bytes are not what the writer made.
var errPacked = errors.Join(ErrCorrupt, errors.New("a packed column cannot be read"))

// unpacker reads packed bytes; the first error stays and all later reads give
// zero.
type unpacker struct {
	b   []byte
	bad bool
}

func (u *unpacker) fail() {
	u.b, u.bad = nil, true
}

func (u *unpacker) err() error {
	if u.bad {
		return errPacked
	}
	return nil
}

// more reports that bytes are left.
func (u *unpacker) more() bool { return len(u.b) > 0 }

func (u *unpacker) byte() byte {
	if len(u.b) == 0 {
		u.fail()
		return 0
	}
	c := u.b[0]
	u.b = u.b[1:]
	return c
}

func (u *unpacker) uint() int64 {
	if len(u.b) > 0 && u.b[0] < 0x80 {
		c := u.b[0]
		u.b = u.b[1:]
		return int64(c)
	}
	v, n := binary.Uvarint(u.b)
	if n <= 0 || v > 1<<63-1 {
		u.fail()
		return 0
	}
	u.b = u.b[n:]
	return int64(v)
}

func (u *unpacker) int() int64 {
	v, n := binary.Varint(u.b)
	if n <= 0 {
		u.fail()
		return 0
	}
	u.b = u.b[n:]
	return v
}

// take gives the next n bytes, as part of the whole.
func (u *unpacker) take(n int64) []byte {
	if n < 0 || n > int64(len(u.b)) {
		u.fail()
		return nil
	}
	out := u.b[:n:n]
	u.b = u.b[n:]
	return out
}

// text reads a length and that many bytes.
func (u *unpacker) text() []byte { return u.take(u.uint()) }

func packUint(dst []byte, v int64) []byte { return binary.AppendUvarint(dst, uint64(v)) }
func packInt(dst []byte, v int64) []byte  { return binary.AppendVarint(dst, v) }

func packBytes[T string | []byte](dst []byte, v T) []byte {
	return append(packUint(dst, int64(len(v))), v...)
}
