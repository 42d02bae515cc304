package importer

import (
	"context"
	"fmt"
	"sync"

	"hindcast/index/source"
	"hindcast/index/store"
)

// bytesWindow is how many bytes are read at once of a plain file: records that
// are asked for one after another mostly stand in one window.
const bytesWindow = 256 << 10

// Bytes reads exact bytes of sources, and keeps the last file open with a
// window of its bytes. It may be used from several goroutines.
type Bytes struct {
	mu     sync.Mutex
	file   *source.File
	id     int64
	offset int64 // of window in the file
	window []byte
}

// Read returns n bytes of a source from off on: from the spool where the index
// has them, else from the file itself. The slice is the caller's.
func (b *Bytes) Read(ctx context.Context, st *store.Reader, src store.Source, off, n int64) ([]byte, error) {
	if src.Spooled {
		out, err := st.Spool(ctx, src.ID, off, n)
		if err != nil {
			return nil, fmt.Errorf("read %s at %d: %w", src.Name, off, err)
		}
		return out, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.file == nil || b.id != src.ID {
		b.drop()
		f, err := source.OpenFile(src.Path)
		if err != nil {
			return nil, err
		}
		b.file, b.id = f, src.ID
	}
	if n > bytesWindow {
		return b.file.Read(off, n)
	}
	if off < b.offset || off+n > b.offset+int64(len(b.window)) {
		if err := b.move(off, n, src.Size); err != nil {
			return nil, err
		}
	}
	out := make([]byte, n)
	copy(out, b.window[off-b.offset:])
	return out, nil
}

// move puts the window where [off, off+n) is in it: at its start, or at its end
// for a reader that walks back.
func (b *Bytes) move(off, n, size int64) error {
	start, end := off, min(off+bytesWindow, size)
	if b.window != nil && off < b.offset {
		start, end = max(off+n-bytesWindow, 0), off+n
	}
	window, err := b.file.Read(start, max(end, off+n)-start)
	if err != nil { // less of it may be there
		start = off
		if window, err = b.file.Read(off, n); err != nil {
			return err
		}
	}
	b.offset, b.window = start, window
	return nil
}

// Close lets go of the file.
func (b *Bytes) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.drop()
}

func (b *Bytes) drop() {
	if b.file != nil {
		b.file.Close()
	}
	b.file, b.window, b.offset = nil, nil, 0
}
