package index

import (
	"context"
	"errors"
	"time"

	"hindcast/index/importer"
	"hindcast/index/source"
	"hindcast/index/store"
)

// Follow keeps importing as the source grows.
func (x *Index) Follow(ctx context.Context) error {
	if err := x.Wait(ctx); err != nil { // before it the dump of a known folder may not be open
		return err
	}
	if x.dump == nil || x.opt.NoBuild {
		return nil
	}
	changes, err := source.Watch(ctx, x.dump)
	if err != nil {
		return err
	}
	for {
		begun := time.Now()
		// Once before the first change: what came while the watch was being set up.
		// A file that was emptied or is being put in place may hold nothing now.
		anew, err := x.catchUp(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil && !errors.Is(err, importer.ErrNoEvents) {
			return err
		}
		if anew { // a database that is written to: most of the time there is an index to look at
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(min(max(minPause, pauses*time.Since(begun)), maxPause)):
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case _, ok := <-changes:
			if !ok {
				return nil
			}
		}
	}
}

// After a dump was read anew, no other change is looked at for a time that is a
// multiple of what that took, within bounds.
const (
	minPause = 500 * time.Millisecond
	maxPause = time.Minute
	pauses   = 4
)

// catchUp imports what has been added. A source that was replaced is imported
// anew.
func (x *Index) catchUp(ctx context.Context) (anew bool, err error) {
	changed, err := x.dump.Refresh(ctx)
	if err != nil || !changed {
		return false, err
	}
	f, err := x.fit(ctx)
	if err != nil || f == fitWhole {
		return false, err
	}
	if x.im == nil || f == fitStale {
		err := x.restart(ctx, f)
		if errors.Is(err, store.ErrLocked) {
			return false, x.readAlong(ctx)
		}
		if err != nil {
			return false, err
		}
	}
	if err := x.importNow(ctx); err != nil {
		return f == fitStale, err
	}
	return f == fitStale, x.foldNow(ctx)
}

// readAlong takes over what another process has imported meanwhile.
func (x *Index) readAlong(ctx context.Context) error {
	p, err := x.st.Reader().Progress(ctx)
	if err != nil {
		return err
	}
	x.progress(importer.Progress{Bytes: p.Bytes, Total: -1, Events: p.Events, Quarantined: p.Quarantined, Provisional: p.Provisional})
	return nil
}

// restart makes a new importer, on an emptied index where the source is not
// what it was.
func (x *Index) restart(ctx context.Context, f fit) error {
	x.run.Lock()
	defer x.run.Unlock()
	if x.im != nil {
		x.im.Close()
		x.im = nil
	}
	if f == fitStale {
		if err := x.empty(ctx); err != nil {
			return err
		}
	}
	im, err := importer.New(ctx, x.dump, x.st, x.importOptions())
	x.im = im
	return err
}
