package store

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/klauspost/compress/s2"
)

// BlockSize is how many raw bytes a spool block holds; only the last of a
// source may hold fewer. Smaller blocks compress worse, larger ones cost more
// to read one record from.
const BlockSize = 64 << 10

// SpoolBlockSize is BlockSize by the name of what is kept.
const SpoolBlockSize = BlockSize

// packRoom lends room for a block that is being packed, of which mostly a
// fraction is needed in the end.
var packRoom = sync.Pool{New: func() any {
	b := make([]byte, s2.MaxEncodedLen(BlockSize))
	return &b
}}

// EncodeBlock compresses the bytes of a block, at most BlockSize, with S2
// (https://github.com/klauspost/compress/tree/master/s2#s2-design): every byte
// that cannot be read again at an offset goes through here once when it is
// imported, and again with each look at it. Many may call it at once.
func EncodeBlock(raw []byte) []byte {
	room := packRoom.Get().(*[]byte)
	defer packRoom.Put(room)
	return slices.Clone(s2.Encode(*room, raw))
}

var errBlockSize = errors.New("its length is not the recorded one")

// DecodeBlock is the inverse of EncodeBlock, appended to dst; raw is the
// length that must come out. A block that would grow past BlockSize is an
// error, not memory.
func DecodeBlock(dst, data []byte, raw int) ([]byte, error) {
	n, err := s2.DecodedLen(data)
	if err == nil && (n != raw || n > BlockSize) {
		err = errBlockSize
	}
	if err == nil {
		dst = slices.Grow(dst, n)
		_, err = s2.Decode(dst[len(dst):len(dst)+n], data)
	}
	if err != nil {
		return nil, fmt.Errorf("unpack block: %w", err)
	}
	return dst[:len(dst)+n], nil
}
