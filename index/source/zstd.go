package source

import (
	"bufio"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
)

// zstdReader reads the frames of a zstd file one after another.
type zstdReader struct {
	br  *bufio.Reader
	dec *zstd.Decoder
	out int64 // bytes given
}

// newZstdReader makes a decoder that works in its caller's goroutine, takes
// windows up to maxWindow, and holds little more than the window.
func newZstdReader() (*zstdReader, error) {
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, err
	}
	return &zstdReader{br: bufio.NewReaderSize(nil, 64<<10), dec: dec}, nil
}

func (z *zstdReader) reset(r io.Reader) error {
	z.out = 0
	if r == nil {
		z.br.Reset(nil)
		return z.dec.Reset(nil)
	}
	z.br.Reset(r)
	return z.dec.Reset(z.br)
}

func (z *zstdReader) Read(p []byte) (int, error) {
	n, err := z.dec.Read(p)
	z.out += int64(n)
	if errors.Is(err, zstd.ErrMagicMismatch) && z.out > 0 {
		err = ErrTrailing
	}
	return n, err
}
