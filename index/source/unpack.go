package source

import (
	"bufio"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// decoders lends out decompressors. They hold no goroutines: zstd runs in the
// caller's own, so a reader that is dropped leaves nothing behind.
type decoders struct {
	gzip  sync.Pool // *gzipReader
	zstd  sync.Pool // *zstdReader
	flate sync.Pool // io.ReadCloser and flate.Resetter
}

// unpacked is a chain of layers over packed bytes, with its limits.
type unpacked struct {
	top    io.Reader
	free   []func()
	name   string
	packed *counter
	out    int64 // bytes given
	limits Limits
}

// counter counts the bytes that were taken from the packed side.
type counter struct {
	r   io.Reader
	n   int64
	err error // the last one that r gave
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	c.err = err
	return n, err
}

// unpack reads raw through layers, outermost first.
func (d *decoders) unpack(name string, raw io.Reader, layers []form, limits Limits) (*unpacked, error) {
	u := &unpacked{name: name, packed: &counter{r: raw}, limits: limits}
	u.top = u.packed
	for _, l := range layers {
		if err := u.push(d, l); err != nil {
			u.Close()
			return nil, err
		}
	}
	return u, nil
}

func (u *unpacked) push(d *decoders, l form) error {
	switch l {
	case formGzip:
		g, _ := d.gzip.Get().(*gzipReader)
		if g == nil {
			g = &gzipReader{br: bufio.NewReaderSize(nil, 32<<10), z: new(gzip.Reader)}
		}
		g.reset(u.top)
		u.top = g
		u.free = append(u.free, func() { g.reset(nil); d.gzip.Put(g) })
	case formZstd:
		z, _ := d.zstd.Get().(*zstdReader)
		if z == nil {
			var err error
			if z, err = newZstdReader(); err != nil {
				return err
			}
		}
		if err := z.reset(u.top); err != nil {
			return u.fault(err)
		}
		u.top = z
		u.free = append(u.free, func() {
			if z.reset(nil) == nil {
				d.zstd.Put(z)
			}
		})
	case formBzip2:
		u.top = bzip2.NewReader(bufio.NewReaderSize(u.top, 32<<10))
	default:
		u.top = newWideReader(u.top, l)
	}
	return nil
}

// Read gives unpacked bytes. Errors are ErrTruncated, ErrCorrupt, ErrTrailing,
// a LimitError, or what the packed side gave.
func (u *unpacked) Read(p []byte) (int, error) {
	n, err := u.top.Read(p)
	u.out += int64(n)
	if err != nil && err != io.EOF {
		return n, u.fault(err)
	}
	if u.out > u.limits.Unpacked {
		return n, &LimitError{Limit: "unpacked", Value: u.limits.Unpacked, Name: u.name}
	}
	if u.out > ratioFloor && u.out/int64(u.limits.Ratio) > u.packed.n {
		return n, &LimitError{Limit: "ratio", Value: int64(u.limits.Ratio), Name: u.name}
	}
	return n, err
}

// Close gives the decompressors back.
func (u *unpacked) Close() {
	for _, f := range u.free {
		f()
	}
	u.free = nil
}

// fault puts what a layer says into this package's words. What the packed side
// itself gave is passed on; any other complaint is a layer's about its input.
func (u *unpacked) fault(err error) error {
	switch {
	case errors.Is(err, ErrTruncated), errors.Is(err, ErrTrailing):
		return err
	case u.packed.err != nil && u.packed.err != io.EOF:
		return u.packed.err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: %w", ErrTruncated, err)
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return &LimitError{Limit: "window", Value: maxWindow, Name: u.name}
	}
	return fmt.Errorf("%w: %w", ErrCorrupt, err)
}

// gzipReader reads the members of a gzip file one after another. Zero bytes
// after the last one are padding (tapes and block devices leave them); any
// other bytes are ErrTrailing.
type gzipReader struct {
	br      *bufio.Reader
	z       *gzip.Reader
	members int  // complete ones
	inside  bool // a member is being read
}

func (g *gzipReader) reset(r io.Reader) {
	g.br.Reset(r)
	g.members, g.inside = 0, false
}

func (g *gzipReader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for {
		if !g.inside {
			if err := g.next(); err != nil {
				return 0, err
			}
		}
		n, err := g.z.Read(p)
		if err == io.EOF {
			g.inside, err = false, nil
			g.members++
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// next goes to the next member; io.EOF where there is none.
func (g *gzipReader) next() error {
	head, err := g.br.Peek(2)
	if len(head) == 0 && err == io.EOF && g.members > 0 {
		return io.EOF
	}
	if err != nil && err != io.EOF {
		return err
	}
	if g.members > 0 && string(head) != "\x1f\x8b" {
		return g.padding()
	}
	if err := g.z.Reset(g.br); err != nil {
		if err == io.EOF {
			return io.ErrUnexpectedEOF
		}
		return err
	}
	g.z.Multistream(false)
	g.inside = true
	return nil
}

func (g *gzipReader) padding() error {
	for {
		b, err := g.br.ReadByte()
		if err != nil {
			return err
		}
		if b != 0 {
			return ErrTrailing
		}
	}
}
