package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"hindcast/index/importer"
	"hindcast/index/source"
	"hindcast/index/store"
	"hindcast/model/dialect"
)

// Index is an open index, and the import that fills it. Its methods may be
// called from many goroutines.
type Index struct {
	dumps []string
	opt   Options
	known dialect.Table
	dump  *source.Dump // nil where an index was opened by itself
	st    *store.Store
	temp  bool // the index is of a pipe: nobody can find it again

	cancel context.CancelFunc
	built  chan struct{} // closed when the first build has ended
	folds  chan struct{} // closed when the fold behind it has ended
	begun  time.Time

	run sync.Mutex // one import at a time
	im  *importer.Importer

	mu      sync.Mutex
	status  Status
	changed chan struct{}
	sources map[int64]store.Source
	bytes   importer.Bytes // of the sources, for whoever asks for raw bytes
}

var _ API = (*Index)(nil)

// Open opens a dump or an index. It returns as soon as the first events can be
// asked for; the rest of the import goes on behind it (see Wait, Changed).
func Open(ctx context.Context, dumps []string, o Options) (*Index, error) {
	known, err := dialect.With(o.Mappings)
	if err != nil {
		return nil, err
	}
	if o.Dialect != "" && known.ByName(o.Dialect) == nil {
		return nil, &DialectError{Name: o.Dialect, Known: known.Names()}
	}
	x := &Index{dumps: dumps, opt: o, known: known, built: make(chan struct{}), folds: make(chan struct{}), begun: time.Now(), changed: make(chan struct{})}
	if st := openBare(dumps); st != nil {
		x.st = st
		return x, errors.Join(x.ownMappings(ctx), x.finished(ctx))
	}
	if x.openKnown(ctx) {
		return x, nil
	}
	if err := x.openDump(ctx); err != nil {
		x.Close()
		return nil, err
	}
	if err := x.start(ctx); err != nil {
		x.Close()
		return nil, err
	}
	return x, nil
}

// openBare opens a path that is itself an index; nil if it is not.
func openBare(dumps []string) *store.Store {
	if len(dumps) != 1 {
		return nil
	}
	if info, err := os.Stat(dumps[0]); err != nil || !info.Mode().IsRegular() || info.Size() < 512 {
		return nil
	}
	st, err := store.Open(dumps[0], store.Options{ReadOnly: true})
	if err != nil {
		return nil
	}
	return st
}

func (x *Index) sourceOptions() source.Options {
	cache, _ := CacheDir()
	return source.Options{Stdin: x.opt.Stdin, Embedded: x.opt.Embedded, TempDir: cache}
}

func (x *Index) openDump(ctx context.Context) error {
	d, err := source.Open(ctx, x.dumps, x.sourceOptions())
	if err != nil {
		return err
	}
	x.dump = d
	path, temp, err := place(d.Identity(), x.opt)
	if err != nil {
		return err
	}
	x.temp = temp
	x.st, err = x.openStore(path)
	return err
}

// openStore opens the index at path; one that is damaged is dropped and built
// again, one that is not ours or newer is left alone.
func (x *Index) openStore(path string) (*store.Store, error) {
	if x.opt.NoBuild {
		return store.Open(path, store.Options{ReadOnly: true})
	}
	st, err := x.openSoon(path)
	if errors.Is(err, store.ErrCorrupt) {
		if err := removeIndex(path); err != nil {
			return nil, err
		}
		return x.openSoon(path)
	}
	return st, err
}

// openPatience is how long an index is waited for that somebody else makes,
// empties or closes just now: then SQLite refuses at once.
const openPatience = 5 * time.Second

func (x *Index) openSoon(path string) (*store.Store, error) {
	for begun := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		st, err := store.Open(path, x.storeOptions())
		if !errors.Is(err, store.ErrLocked) || time.Since(begun) > openPatience {
			return st, err
		}
	}
}

func (x *Index) storeOptions() store.Options { return store.Options{Alone: x.opt.Bundle} }

// start brings the index up to date behind the caller's back, and waits until
// there is something to show.
func (x *Index) start(ctx context.Context) error {
	if x.opt.NoBuild {
		return x.finished(ctx)
	}
	f, err := x.fit(ctx)
	if err != nil {
		return err
	}
	if f == fitWhole && !x.opt.Rebuild {
		return x.finished(ctx)
	}
	if f == fitStale || x.opt.Rebuild {
		err = x.empty(ctx)
	}
	if err == nil {
		x.im, err = importer.New(ctx, x.dump, x.st, x.importOptions())
	}
	if err != nil && !errors.Is(err, store.ErrLocked) {
		return err
	}
	// From here on somebody closes built, and Close waits for it.
	background, cancel := context.WithCancel(context.WithoutCancel(ctx))
	x.cancel = cancel
	if err != nil {
		return x.watchOther(ctx, background)
	}
	go x.build(background)
	return x.firstSight(ctx)
}

func (x *Index) importOptions() importer.Options {
	return importer.Options{
		Dialect: x.opt.Dialect, Dialects: x.known, Bundle: x.opt.Bundle, Batch: x.opt.batch, IDs: x.opt.ids, Drafts: x.opt.drafts, Progress: x.progress,
		Folded: x.moved,
		Meta:   map[string]string{"epoch": schemaEpoch, "dialect": x.opt.Dialect, "mappings": mappingsText(x.opt.Mappings), "folded": ""},
	}
}

// fit compares the index with the dump.
func (x *Index) fit(ctx context.Context) (fit, error) {
	meta, err := x.st.Reader().Meta(ctx)
	if err != nil {
		return fitStale, err
	}
	f, err := x.fitEvents(ctx, meta)
	if f == fitWhole && meta["folded"] == "" {
		f = fitGrown // the fold was not finished
	}
	return f, err
}

// fitEvents compares the events of the index with the dump.
func (x *Index) fitEvents(ctx context.Context, meta map[string]string) (fit, error) {
	r := x.st.Reader()
	if len(meta) == 0 {
		return fitGrown, nil // it was made just now
	}
	sources, err := r.Sources(ctx)
	if err != nil {
		return fitStale, err
	}
	skipped, err := r.Skipped(ctx)
	if err != nil {
		return fitStale, err
	}
	return compare(meta, sources, len(skipped), x.dump, x.opt), nil
}

// empty drops what the index holds: its dump has changed. The file stays, since
// others may have it open.
func (x *Index) empty(ctx context.Context) error {
	w, err := x.st.Writer() // nobody else may be writing it
	if err != nil {
		return err
	}
	return errors.Join(w.Clear(ctx), w.Close())
}

// build is the goroutine of the first import.
func (x *Index) build(ctx context.Context) { x.settle(ctx, x.importNow(ctx)) }

// settle ends a first build, and folds the states behind it.
func (x *Index) settle(ctx context.Context, err error) {
	x.ended(err)
	if err == nil && x.im != nil {
		err = x.foldNow(ctx)
	}
	x.foldEnded(err)
}

// ended sets the status of a first build that has come to its end, and lets go
// of those who wait for it.
func (x *Index) ended(err error) {
	x.mu.Lock()
	x.status.Done = true
	x.status.Err = err
	x.status.Elapsed = time.Since(x.begun)
	x.signal()
	x.mu.Unlock()
	close(x.built)
}

// importNow runs one import; a panic in it is an error of the build.
func (x *Index) importNow(ctx context.Context) error {
	err := x.runImport(ctx)
	if errors.Is(err, importer.ErrOtherDialect) {
		if err := x.restart(ctx, fitStale); err != nil {
			return err
		}
		return x.runImport(ctx)
	}
	return err
}

// foldNow brings the states up to date with the events.
func (x *Index) foldNow(ctx context.Context) (err error) {
	x.run.Lock()
	defer x.run.Unlock()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("fault while folding: %v", p)
		}
	}()
	return x.im.Fold(ctx)
}

// foldEnded sets the status of a first fold that has come to its end.
func (x *Index) foldEnded(err error) {
	x.mu.Lock()
	x.status.Folded, x.status.FoldErr = true, err
	x.signal()
	x.mu.Unlock()
	close(x.folds)
}

// moved wakes those who wait for states.
func (x *Index) moved(events int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.status.FoldedEvents = events
	close(x.changed)
	x.changed = make(chan struct{})
}

func (x *Index) runImport(ctx context.Context) (err error) {
	x.run.Lock()
	defer x.run.Unlock()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("fault while importing: %v", p)
		}
	}()
	return x.im.Run(ctx)
}

// firstSight waits until a page of events can be read, or the build has ended.
func (x *Index) firstSight(ctx context.Context) error {
	for {
		x.mu.Lock()
		s, changed := x.status, x.changed
		x.mu.Unlock()
		switch {
		case s.Done && s.Err != nil && s.Events == 0:
			return s.Err
		case s.Done || s.Events > 0:
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// progress takes the importer's word of a commit.
func (x *Index) progress(p importer.Progress) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.status = Status{
		Bytes: p.Bytes, TotalBytes: p.Total, Events: p.Events, Quarantined: p.Quarantined,
		Elapsed: time.Since(x.begun), Provisional: p.Provisional, Done: x.status.Done, Err: x.status.Err,
		FoldedEvents: x.status.FoldedEvents, Folded: x.status.Folded, FoldErr: x.status.FoldErr,
	}
	x.signal()
}

// signal wakes whoever waits for a change. The caller holds mu.
func (x *Index) signal() {
	x.sources = nil
	x.bytes.Close() // the files may be others now
	close(x.changed)
	x.changed = make(chan struct{})
}

// finished sets the status of an index that needs no build.
func (x *Index) finished(ctx context.Context) error {
	p, err := x.st.Reader().Progress(ctx)
	if err != nil {
		return err
	}
	x.mu.Lock()
	x.status = Status{Bytes: p.Bytes, TotalBytes: p.Bytes, Events: p.Events, Quarantined: p.Quarantined, Done: true, Provisional: p.Provisional, Folded: true}
	x.mu.Unlock()
	close(x.built)
	close(x.folds)
	return nil
}

// otherPoll is how often an index that another process fills is looked at.
const otherPoll = 100 * time.Millisecond

// watchOther reads along while another process imports the same dump, and folds it.
func (x *Index) watchOther(ctx, background context.Context) error {
	go func() {
		built := false
		for {
			p, err := x.st.Reader().Progress(background)
			x.mu.Lock()
			x.status = Status{Bytes: p.Bytes, TotalBytes: -1, Events: p.Events, Quarantined: p.Quarantined,
				Provisional: p.Provisional, Elapsed: time.Since(x.begun), Done: p.Complete, Err: err,
				Folded: p.Folded || err != nil, FoldErr: err}
			x.signal()
			x.mu.Unlock()
			if !built && (p.Complete || err != nil) {
				built = true
				close(x.built)
			}
			if p.Folded || err != nil {
				break
			}
			select {
			case <-background.Done():
			case <-time.After(otherPoll):
			}
		}
		close(x.folds)
	}()
	return x.firstSight(ctx)
}

// Status tells how far the index has come.
func (x *Index) Status() Status {
	x.mu.Lock()
	defer x.mu.Unlock()
	s := x.status
	if !s.Done {
		s.Elapsed = time.Since(x.begun)
	}
	return s
}

// Changed returns a channel that closes at the next commit.
func (x *Index) Changed() <-chan struct{} {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.changed
}

// Wait blocks until the build is done, and returns why it stopped early if it
// did.
func (x *Index) Wait(ctx context.Context) error {
	select {
	case <-x.built:
		return x.Status().Err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Path is the index file; empty for a pipe's, which is deleted on Close.
func (x *Index) Path() string {
	if x.temp {
		return ""
	}
	return x.st.Path()
}

// Close stops the import after its current commit and closes the index.
func (x *Index) Close() error {
	if x.cancel != nil {
		x.cancel()
		<-x.built
		<-x.folds
	}
	x.bytes.Close()
	var errs []error
	if x.st != nil {
		path := x.st.Path()
		errs = append(errs, x.st.Close())
		if x.temp {
			errs = append(errs, removeIndex(path))
		}
	}
	if x.dump != nil {
		errs = append(errs, x.dump.Close())
	}
	return errors.Join(errs...)
}

// source finds the row of a source by its number.
func (x *Index) source(ctx context.Context, id int64) (store.Source, error) {
	x.mu.Lock()
	known := x.sources
	x.mu.Unlock()
	if s, ok := known[id]; ok {
		return s, nil
	}
	rows, err := x.st.Reader().Sources(ctx)
	if err != nil {
		return store.Source{}, err
	}
	known = make(map[int64]store.Source, len(rows))
	for _, s := range rows {
		known[s.ID] = s
	}
	x.mu.Lock()
	x.sources = known
	x.mu.Unlock()
	s, ok := known[id]
	if !ok {
		return s, fmt.Errorf("source %d is not in the index", id)
	}
	return s, nil
}
