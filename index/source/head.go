package source

import (
	"bytes"
	"context"
	"io"
)

// headBudget bounds what Head keeps, in bytes over all files. Heads beyond it
// are read again when they are asked for again.
const headBudget = 32 << 20

// headStep is the least that is read for a head: dialects ask for a little
// first and for more later.
const headStep = 4 << 10

// headCache keeps first bytes of files. It is guarded by Dump.mu.
type headCache struct {
	kept  map[int]head
	bytes int
}

type head struct {
	data  []byte
	whole bool // the file holds no more
}

// Head gives up to n of file i's first unpacked bytes, at most MaxHead, without
// a run of NULs that fills all of them; fewer where the file is shorter or cannot be read on. A pipe that pauses gives
// what has come. The slice must not be changed.
func (d *Dump) Head(i, n int) []byte {
	m := d.member(i)
	n = min(n, MaxHead)
	if m == nil || n <= 0 {
		return nil
	}
	if m.in != nil && m.in.pipe != nil {
		return m.in.pipe.head(context.Background(), n)
	}
	d.mu.RLock()
	h, ok := d.heads.kept[i]
	d.mu.RUnlock()
	if !ok || len(h.data) < n && !h.whole {
		h = d.readHead(m, max(n, headStep))
		d.keepHead(i, h)
	}
	k := min(n, len(h.data))
	return h.data[:k:k]
}

func (d *Dump) readHead(m *member, n int) head {
	b, err := d.open(context.Background(), m, 0)
	if err != nil {
		return head{}
	}
	defer b.Close()
	d.mu.RLock()
	if len(m.layers) == 0 && m.size >= 0 && m.size < int64(n) {
		n = int(m.size) + 1 // one more shows whether it has grown
	}
	d.mu.RUnlock()
	data := make([]byte, n)
	k, err := io.ReadFull(b, data)
	if err == nil && blank(data) {
		k, err = skipBlank(b, data)
	}
	return head{data: data[:k], whole: err == io.EOF || err == io.ErrUnexpectedEOF}
}

// skipBlank reads on over NUL bytes, which a crash leaves at the start of a
// file whose rest is whole, and fills data from the first other byte on. Where
// there is none data stays blank.
func skipBlank(r io.Reader, data []byte) (int, error) {
	buf := make([]byte, 256<<10)
	for {
		k, err := io.ReadFull(r, buf)
		if rest := bytes.TrimLeft(buf[:k], "\x00"); len(rest) > 0 {
			clear(data)
			n := copy(data, rest)
			if err == nil && n < len(data) {
				var more int
				more, err = io.ReadFull(r, data[n:])
				n += more
			}
			return n, err
		}
		if err != nil {
			return len(data), err
		}
	}
}

func blank(b []byte) bool { return len(bytes.TrimLeft(b, "\x00")) == 0 }

func (d *Dump) keepHead(i int, h head) {
	d.mu.Lock()
	defer d.mu.Unlock()
	old := len(d.heads.kept[i].data)
	if d.closed || d.heads.bytes-old+len(h.data) > headBudget {
		return
	}
	if d.heads.kept == nil {
		d.heads.kept = map[int]head{}
	}
	d.heads.kept[i] = h
	d.heads.bytes += len(h.data) - old
}

// DropHeads frees the memory that heads hold, once detection is done.
func (d *Dump) DropHeads() {
	d.mu.Lock()
	d.heads = headCache{}
	d.mu.Unlock()
}
