package importer

import (
	"context"
	"fmt"
	"sync"

	"hindcast/index/source"
	"hindcast/index/store"
)

// bytesWindow is how many bytes are read at once of a plain file: records that
// are asked for one after another mostly stand in one window. Of a spooled
// source a window is the blocks that a record stands in. So many windows are
// kept: records of several sources come in turn.
const (
	bytesWindow  = 256 << 10
	bytesWindows = 4
)

// Bytes reads exact bytes of sources, and keeps the last file open with windows
// of what was read last. It may be used from several goroutines.
type Bytes struct {
	mu      sync.Mutex
	file    *source.File
	id      int64 // of the source that file is
	windows [bytesWindows]window
	asked   int64 // counts the questions
}

// window is a run of bytes of a source.
type window struct {
	source int64
	offset int64
	data   []byte
	used   int64 // the question that it answered last
}

func (w *window) holds(source, off, n int64) bool {
	return w.data != nil && w.source == source && off >= w.offset && off+n <= w.offset+int64(len(w.data))
}

// Read returns n bytes of a source from off on: from the spool where the index
// has them, else from the file itself. The slice is the caller's.
func (b *Bytes) Read(ctx context.Context, st *store.Reader, src store.Source, off, n int64) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !src.Spooled {
		if err := b.open(src); err != nil {
			return nil, err
		}
	}
	if n > bytesWindow {
		return b.exact(ctx, st, src, off, n)
	}
	b.asked++
	w := b.oldest(src.ID)
	for i := range b.windows {
		if b.windows[i].holds(src.ID, off, n) {
			w = &b.windows[i]
		}
	}
	if !w.holds(src.ID, off, n) {
		if err := b.move(ctx, st, w, src, off, n); err != nil {
			return nil, err
		}
	}
	w.used = b.asked
	out := make([]byte, n)
	copy(out, w.data[off-w.offset:])
	return out, nil
}

func (b *Bytes) open(src store.Source) error {
	if b.file != nil && b.id == src.ID {
		return nil
	}
	if b.file != nil {
		b.file.Close()
	}
	f, err := source.OpenFile(src.Path)
	if err != nil {
		b.file = nil
		return err
	}
	b.file, b.id = f, src.ID
	return nil
}

// oldest is the window that is moved next for a source: its own, else that which
// nobody asked for the longest.
func (b *Bytes) oldest(source int64) *window {
	oldest := &b.windows[0]
	for i := range b.windows {
		w := &b.windows[i]
		if w.data != nil && w.source == source {
			return w
		}
		if w.used < oldest.used {
			oldest = w
		}
	}
	return oldest
}

// exact reads what was asked for, past the windows.
func (b *Bytes) exact(ctx context.Context, st *store.Reader, src store.Source, off, n int64) ([]byte, error) {
	if !src.Spooled {
		return b.file.Read(off, n)
	}
	out, err := st.Spool(ctx, src.ID, off, n)
	if err != nil {
		return nil, fmt.Errorf("read %s at %d: %w", src.Name, off, err)
	}
	return out, nil
}

// move puts a window where [off, off+n) is in it: at its start, or at its end
// for a reader that walks back.
func (b *Bytes) move(ctx context.Context, st *store.Reader, w *window, src store.Source, off, n int64) error {
	start, end := off, min(off+bytesWindow, src.Size)
	if src.Spooled {
		start = off / store.BlockSize * store.BlockSize
		end = min((off+n+store.BlockSize-1)/store.BlockSize*store.BlockSize, src.Size)
	} else if w.data != nil && w.source == src.ID && off < w.offset {
		start, end = max(off+n-bytesWindow, 0), off+n
	}
	data, err := b.exact(ctx, st, src, start, max(end, off+n)-start)
	if err != nil { // less of it may be there
		start = off
		if data, err = b.exact(ctx, st, src, off, n); err != nil {
			return err
		}
	}
	w.source, w.offset, w.data = src.ID, start, data
	return nil
}

// Close lets go of the file.
func (b *Bytes) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.file != nil {
		b.file.Close()
	}
	b.file, b.windows = nil, [bytesWindows]window{}
}
