package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// Reader reads file i, unpacked, from an offset. Errors are *ReadError and wrap
// ErrTruncated, ErrCorrupt, ErrTrailing, ErrChanged, ErrGone, ErrConsumed, a
// *LimitError, or what the system or the context said. What precedes the fault
// is given first. A file that grows while it is read is read to its new end. A
// pipe can be read once, onwards.
func (d *Dump) Reader(ctx context.Context, i int, from int64) (io.ReadCloser, error) {
	m := d.member(i)
	if m == nil || from < 0 {
		return nil, fmt.Errorf("read file %d at byte %d: no such place", i, from)
	}
	b, err := d.open(ctx, m, from)
	if err != nil {
		var read *ReadError
		if errors.As(err, &read) {
			return nil, err
		}
		return nil, &ReadError{Name: m.name, Offset: from, Err: err}
	}
	return b, nil
}

// body is an open file: the bytes, where in it they are, and what ends it.
type body struct {
	ctx   context.Context
	name  string
	r     io.Reader
	pos   int64    // of the next byte, unpacked
	fault error    // given in place of io.EOF
	file  *os.File // of a file on disk; nil otherwise
	shut  []func()
}

// Read gives unpacked bytes; see Dump.Reader for its errors.
func (b *body) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := b.r.Read(p)
	b.pos += int64(n)
	if err == io.EOF && b.fault != nil {
		err = b.fault
	}
	if err == nil || err == io.EOF {
		return n, err
	}
	var read *ReadError
	if errors.As(err, &read) {
		return n, err
	}
	return n, &ReadError{Name: b.name, Offset: b.pos, Err: err}
}

// Close frees what was opened; more than once is allowed.
func (b *body) Close() error {
	for i := len(b.shut) - 1; i >= 0; i-- {
		b.shut[i]()
	}
	if b.file != nil {
		b.file.Close()
	}
	b.shut, b.file = nil, nil
	b.r = closedReader{}
	return nil
}

type closedReader struct{}

func (closedReader) Read([]byte) (int, error) { return 0, os.ErrClosed }

// stopper ends the reading of packed bytes when its context does, however long
// a decompressor goes on without giving any.
type stopper struct {
	ctx context.Context
	r   io.Reader
}

func (s stopper) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.r.Read(p)
}

// open opens a member at an offset, through its layers.
func (d *Dump) open(ctx context.Context, m *member, from int64) (*body, error) {
	if m.in != nil && m.in.pipe != nil {
		r, err := m.in.pipe.reader(ctx, from)
		if err != nil {
			return nil, err
		}
		return &body{ctx: ctx, name: m.name, r: r, pos: from}, nil
	}
	if m.in != nil && m.in.db != nil {
		return d.openTable(ctx, m, from)
	}
	d.mu.RLock()
	layers, known := m.layers, m.probed
	d.mu.RUnlock()
	if !known {
		return d.openUnknown(ctx, m, from)
	}
	return d.openLayers(ctx, m, layers, from)
}

// openUnknown opens a file of a folder that was not probed when it was listed.
// Most turn out to be plain: those are opened only once.
func (d *Dump) openUnknown(ctx context.Context, m *member, from int64) (*body, error) {
	b, err := d.openLayers(ctx, m, nil, 0)
	if err != nil {
		return nil, err
	}
	f := b.file
	var head [sniffLen]byte
	n, err := f.ReadAt(head[:], 0)
	if err != nil && err != io.EOF {
		b.Close()
		return nil, err
	}
	if !sniff(head[:n]).layer() {
		d.setLayers(m, nil)
		if err := b.skipTo(f, from); err != nil {
			b.Close()
			return nil, err
		}
		return b, nil
	}
	b.Close()
	if _, err := d.probe(ctx, m); err != nil {
		return nil, err
	}
	d.mu.RLock()
	layers := m.layers
	d.mu.RUnlock()
	return d.openLayers(ctx, m, layers, from)
}

func (d *Dump) openLayers(ctx context.Context, m *member, layers []form, from int64) (*body, error) {
	b := &body{ctx: ctx, name: m.name}
	raw, err := d.openRaw(m, b)
	if err != nil {
		b.Close()
		return nil, err
	}
	seeker, _ := raw.(io.Seeker)
	b.r = stopper{ctx, raw}
	if len(layers) > 0 {
		seeker = nil
		u, err := d.dec.unpack(m.name, b.r, layers, d.o.Limits)
		if err != nil {
			b.Close()
			return nil, err
		}
		b.r = u
		b.shut = append(b.shut, u.Close)
	}
	if err := b.skipTo(seeker, from); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// skipTo goes to an offset, by seeking where that is possible.
func (b *body) skipTo(seeker io.Seeker, from int64) error {
	if from == 0 {
		return nil
	}
	if seeker == nil {
		_, err := io.CopyN(io.Discard, b, from)
		if err == io.EOF {
			return fmt.Errorf("%w: it ends at byte %d", ErrChanged, b.pos)
		}
		return err
	}
	end, err := seeker.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if from > end {
		return fmt.Errorf("%w: it ends at byte %d", ErrChanged, end)
	}
	b.pos, err = seeker.Seek(from, io.SeekStart)
	return err
}

// openRaw opens the bytes of a member as they lie in its file or archive.
func (d *Dump) openRaw(m *member, b *body) (io.Reader, error) {
	if m.in == nil {
		f, _, err := openDisk(m.path())
		if err != nil {
			return nil, err
		}
		b.file = f
		return f, nil
	}
	if m.in.box == nil {
		return bytes.NewReader(m.in.data), nil
	}
	if err := m.in.box.acquire(); err != nil {
		return nil, err
	}
	b.shut = append(b.shut, m.in.box.release)
	b.fault = m.in.fault
	if m.in.zf == nil {
		return io.NewSectionReader(m.in.box.at, m.in.off, m.size), nil
	}
	return d.openZip(m, b)
}

// peek gives up to n of a member's first bytes through the given layers, and
// what went wrong, if anything.
func (d *Dump) peek(ctx context.Context, m *member, layers []form, n int) ([]byte, error) {
	b, err := d.openLayers(ctx, m, layers, 0)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	head := make([]byte, n)
	k, err := io.ReadFull(b, head)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return head[:k], err
}

// settle looks at a file of a folder that was not probed when it was listed.
// A file that cannot be opened stays as it is: reading it tells why.
func (d *Dump) settle(m *member) {
	d.mu.RLock()
	known := m.probed
	d.mu.RUnlock()
	if known {
		return
	}
	if b, err := d.openUnknown(context.Background(), m, 0); err == nil {
		b.Close()
	}
}
