package source

import (
	"bytes"
	"context"
	"io"
	"os"
	"sync"
	"time"
)

// MaxHead is the most that Head gives, in bytes.
const MaxHead = 4 << 20

// headPatience is how long the head of a pipe waits for more bytes once a
// whole line has come: a live stream may pause for ever.
const headPatience = 500 * time.Millisecond

// pipe is a stream that is read once. Its first bytes can be looked at before
// they are read; a read that blocks does not hold up who waits with a context.
//
// Invariant: buf holds the bytes from pos on that came and were not read; at
// most one fetch is in flight, and only while buf is below its bound.
type pipe struct {
	r io.Reader

	mu      sync.Mutex
	buf     []byte
	pos     int64         // offset of buf[0]: how many bytes were read
	err     error         // what ended the stream
	flight  chan struct{} // closed when the fetch in flight is done; nil if none
	patient bool          // heads wait no longer
	scratch []byte
}

func newPipe(r io.Reader) *pipe { return &pipe{r: r} }

// fetch starts to read a piece, unless one is on its way. It is called with mu
// held; the channel closes when the piece is in buf.
func (p *pipe) fetch() chan struct{} {
	if p.flight != nil {
		return p.flight
	}
	if p.scratch == nil {
		p.scratch = make([]byte, 128<<10)
	}
	done := make(chan struct{})
	p.flight = done
	go func() {
		n, err := p.r.Read(p.scratch)
		p.mu.Lock()
		p.buf = append(p.buf, p.scratch[:n]...)
		p.err = err
		p.flight = nil
		p.mu.Unlock()
		close(done)
	}()
	return done
}

// head gives up to n of the next bytes: fewer where the stream ended, pauses,
// or was read on.
func (p *pipe) head(ctx context.Context, n int) []byte {
	n = min(n, MaxHead)
	wait := time.NewTimer(headPatience)
	defer wait.Stop()
	for {
		p.mu.Lock()
		if len(p.buf) >= n || p.err != nil || p.patient {
			head := bytes.Clone(p.buf[:min(n, len(p.buf))])
			p.mu.Unlock()
			return head
		}
		had := len(p.buf)
		line := bytes.IndexByte(p.buf, '\n') >= 0
		done := p.fetch()
		p.mu.Unlock()
		wait.Reset(headPatience)
		select {
		case <-done:
		case <-ctx.Done():
			return nil
		case <-wait.C:
			p.mu.Lock()
			p.patient = p.patient || line && len(p.buf) == had
			p.mu.Unlock()
			if !line {
				select {
				case <-done:
				case <-ctx.Done():
					return nil
				}
			}
		}
	}
}

// reader reads on from an offset, which must not lie before what was read.
func (p *pipe) reader(ctx context.Context, from int64) (io.Reader, error) {
	p.mu.Lock()
	pos := p.pos
	p.mu.Unlock()
	if from < pos {
		return nil, ErrConsumed
	}
	r := &pipeReader{ctx: ctx, p: p}
	if _, err := io.CopyN(io.Discard, r, from-pos); err != nil {
		return nil, err
	}
	return r, nil
}

type pipeReader struct {
	ctx context.Context
	p   *pipe
}

// Read gives what is there, or waits for a piece.
func (r *pipeReader) Read(b []byte) (int, error) {
	p := r.p
	for {
		p.mu.Lock()
		if len(p.buf) > 0 {
			n := copy(b, p.buf)
			p.take(n)
			p.mu.Unlock()
			return n, nil
		}
		if p.err != nil {
			err := p.err
			p.mu.Unlock()
			return 0, err
		}
		done := p.fetch()
		p.mu.Unlock()
		select {
		case <-done:
		case <-r.ctx.Done():
			return 0, r.ctx.Err()
		}
	}
}

// take drops n bytes that were read, and the memory of a large head with them.
func (p *pipe) take(n int) {
	p.pos += int64(n)
	p.buf = p.buf[n:]
	if len(p.buf) == 0 {
		p.buf = nil
	}
}

// listPipe looks at what comes through a pipe: one file, plain or compressed,
// or an archive, which is spooled.
func (d *Dump) listPipe(ctx context.Context, r *root) ([]*member, error) {
	in, err := d.pipeInput(r)
	if err != nil {
		return nil, err
	}
	name := r.prefix
	if name == "" {
		name = r.base()
	}
	d.admit()
	p := newPipe(in)
	m := &member{name: name, raw: name, root: r, probed: true, in: &inner{pipe: p}}
	for {
		f := sniff(p.head(ctx, sniffLen))
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case f.refused():
			return nil, &Error{Path: r.arg, Reason: f.reason(), Hint: "unpack it on the way: ... | hindcast open -"}
		case f.archive():
			return d.pipedArchive(ctx, m, f)
		case f == formSQLite:
			m.in.pipe = p
			all, err := d.openDatabase(ctx, m, nil, name)
			if err != nil {
				return nil, fileError(r.arg, err)
			}
			return all, nil
		case !f.layer(), len(m.layers) > 0 && m.layers[len(m.layers)-1].encoding():
			m.in.pipe = p
			return []*member{m}, nil
		case f.packing() && len(m.layers) >= d.o.Limits.Nesting:
			limit := &LimitError{Limit: "nesting", Value: int64(d.o.Limits.Nesting), Name: name}
			return nil, fileError(r.arg, limit)
		}
		from := &pipeReader{ctx: context.Background(), p: p}
		u, err := d.dec.unpack(name, from, []form{f}, d.o.Limits)
		if err != nil {
			return nil, fileError(r.arg, err)
		}
		m.layers = append(m.layers, f)
		p = newPipe(u)
		m.in.pipe = p
	}
}

// pipeInput opens what a pipe argument stands for.
func (d *Dump) pipeInput(r *root) (io.Reader, error) {
	if r.arg == "-" {
		return d.o.Stdin, nil
	}
	f, err := os.Open(r.arg)
	if err != nil {
		return nil, rootError(r.arg, err)
	}
	d.pipes = append(d.pipes, f)
	return f, nil
}

func (d *Dump) pipedArchive(ctx context.Context, m *member, f form) ([]*member, error) {
	box := &archive{raw: m.raw, prefix: m.root.prefix}
	box.describe(m.layers, f)
	all, err := d.contents(ctx, box, f, &pipeReader{ctx: ctx, p: m.in.pipe})
	if err != nil {
		return nil, fileError(m.root.arg, err)
	}
	d.adopt(box, m.root, all)
	return all, nil
}
