package store

import (
	"errors"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// BlockSize is how many raw bytes a spool block holds; only the last of a
// source may hold fewer. Smaller blocks compress worse, larger ones cost more
// to read one record from.
const BlockSize = 64 << 10

// SpoolBlockSize is BlockSize by the name of what is kept.
const SpoolBlockSize = BlockSize

// Encoders and decoders hold large tables and are made for reuse. Their options
// are constants that the library accepts, so making one cannot fail.
var (
	encoders = sync.Pool{New: func() any {
		e, _ := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(BlockSize))
		return e
	}}
	decoders = sync.Pool{New: func() any {
		d, _ := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(4*BlockSize))
		return d
	}}
)

// EncodeBlock compresses the bytes of a block as one zstd frame. Many may call
// it at once.
func EncodeBlock(raw []byte) []byte {
	e := encoders.Get().(*zstd.Encoder)
	defer encoders.Put(e)
	return e.EncodeAll(raw, nil)
}

var errBlockSize = errors.New("its length is not the recorded one")

// DecodeBlock is the inverse of EncodeBlock, appended to dst; raw is the
// length that must come out. A block that would grow past BlockSize is an
// error, not memory.
func DecodeBlock(dst, data []byte, raw int) ([]byte, error) {
	d := decoders.Get().(*zstd.Decoder)
	defer decoders.Put(d)
	out, err := d.DecodeAll(data, dst)
	if err == nil && len(out)-len(dst) != raw {
		err = errBlockSize
	}
	if err != nil {
		return nil, fmt.Errorf("unpack block: %w", err)
	}
	return out, nil
}
