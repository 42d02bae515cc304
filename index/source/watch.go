package source

import (
	"context"
	"hash/maphash"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/fsnotify/fsnotify"
)

// How Watch spends its time. A poll that takes long is made less often, so that
// polling never takes more than a twentieth of one core.
const (
	watchPoll  = time.Second           // between two polls, at least
	watchShare = 20                    // a poll's length times this, at least
	watchGap   = 50 * time.Millisecond // between two signals, at least
	watchDirs  = 4096                  // folders for which the system is asked to notify
)

// Watch signals that something of the dump may have changed, until ctx ends;
// then the channel closes. Signals are coalesced: one that was not taken stands
// for all that follow. The system's notifications are used where they work and
// a slow poll of size, time and inode everywhere, so network file systems,
// truncation and a new file under the old name are noticed as well.
func Watch(ctx context.Context, d *Dump) (<-chan struct{}, error) {
	w := &watcher{d: d, out: make(chan struct{}, 1), watched: map[string]bool{}, seed: maphash.MakeSeed()}
	if n, err := fsnotify.NewWatcher(); err == nil {
		w.notify = n // without it (no watches left, say) the poll has to do
		w.watchFolders()
	}
	w.last = w.look(ctx)
	go w.run(ctx)
	return w.out, nil
}

type watcher struct {
	d       *Dump
	out     chan struct{}
	notify  *fsnotify.Watcher // nil where the system does not notify
	watched map[string]bool
	seed    maphash.Seed
	last    uint64 // what look gave last
}

func (w *watcher) run(ctx context.Context) {
	defer close(w.out)
	var events <-chan fsnotify.Event
	var errs <-chan error
	if w.notify != nil {
		defer w.notify.Close()
		events, errs = w.notify.Events, w.notify.Errors
	}
	poll := time.NewTimer(watchPoll)
	defer poll.Stop()
	for {
		changed := false
		select {
		case <-ctx.Done():
			return
		case e, ok := <-events:
			if !ok {
				events = nil
			}
			changed = ok && w.concerns(e)
		case _, ok := <-errs: // an overflow: anything may have happened
			if !ok {
				errs = nil
			}
			changed = ok
		case <-poll.C:
			var took time.Duration
			changed, took = w.poll(ctx)
			poll.Reset(max(watchPoll, took*watchShare))
		}
		if changed && !w.signal(ctx) {
			return
		}
	}
}

// signal tells the reader and lets a moment pass; false when ctx ended.
func (w *watcher) signal(ctx context.Context) bool {
	select {
	case w.out <- struct{}{}:
	default:
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(watchGap):
		return true
	}
}

// concerns reports whether an event is about the dump: the folder of a single
// file may be full of others. A new folder is watched from now on.
func (w *watcher) concerns(e fsnotify.Event) bool {
	if e.Op == fsnotify.Chmod {
		return false
	}
	for _, r := range w.d.roots {
		switch {
		case r.kind == rootFile && (e.Name == r.path || e.Name == r.path+sideLog):
			return true
		case r.kind == rootFolder && r.owns(e.Name):
			if e.Has(fsnotify.Create) {
				w.watchTree(e.Name)
			}
			return true
		}
	}
	return false
}

// watchTree watches a folder that appeared, with those that were made in it
// before it was watched.
func (w *watcher) watchTree(path string) {
	stack := []string{path}
	for len(stack) > 0 && len(w.watched) < watchDirs {
		dir := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if fi, err := os.Lstat(dir); err != nil || !fi.IsDir() {
			continue
		}
		w.watch(dir)
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if e.IsDir() && junkFolder(e.Name()) == "" {
				stack = append(stack, filepath.Join(dir, e.Name()))
			}
		}
	}
}

func (w *watcher) watch(dir string) {
	if w.notify == nil || w.watched[dir] || len(w.watched) >= watchDirs {
		return
	}
	if w.notify.Add(dir) == nil {
		w.watched[dir] = true
	}
}

// watchFolders watches the folders that hold the dump's files.
func (w *watcher) watchFolders() {
	for _, r := range w.d.roots {
		switch r.kind {
		case rootFile:
			w.watch(filepath.Dir(r.path))
		case rootFolder:
			w.watch(r.path)
		}
	}
	w.d.mu.RLock()
	dirs := w.d.dirs
	w.d.mu.RUnlock()
	for _, dir := range dirs {
		w.watch(dir)
	}
}

// poll looks at everything and compares it with the last look.
func (w *watcher) poll(ctx context.Context) (changed bool, took time.Duration) {
	start := time.Now()
	for dir := range w.watched {
		if _, err := os.Lstat(dir); err != nil {
			delete(w.watched, dir) // its watch went with it; it may come again
		}
	}
	w.watchFolders()
	now := w.look(ctx)
	changed = now != w.last && ctx.Err() == nil
	w.last = now
	return changed, time.Since(start)
}

// look hashes what the file system says of the dump's files and folders, in
// whatever order they come.
func (w *watcher) look(ctx context.Context) (sum uint64) {
	var h maphash.Hash
	h.SetSeed(w.seed)
	for i, path := range w.d.paths() {
		if i%1024 == 0 && ctx.Err() != nil {
			return w.last
		}
		h.Reset()
		h.WriteString(path)
		if fi, err := os.Lstat(path); err == nil {
			_, inode := identity(fi)
			for _, n := range []int64{fi.Size(), fi.ModTime().UnixNano(), int64(inode)} {
				h.WriteByte(0)
				h.WriteString(strconv.FormatInt(n, 16))
			}
		}
		sum += h.Sum64()
	}
	return sum
}

// paths lists the files and folders on disk that the dump was read from.
func (d *Dump) paths() []string {
	d.mu.RLock()
	defer d.mu.RUnlock()
	paths := append([]string(nil), d.dirs...)
	for _, m := range d.members {
		if m.in == nil {
			paths = append(paths, m.path())
		}
	}
	for _, b := range d.boxed {
		if b.file != nil {
			paths = append(paths, b.file.path())
		}
	}
	for _, b := range d.bases {
		if b.m.in == nil {
			paths = append(paths, b.path(), b.path()+sideLog)
		}
	}
	return paths
}
