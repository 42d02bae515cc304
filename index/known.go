package index

import (
	"context"
	"errors"
	"os"

	"hindcast/index/source"
	"hindcast/index/store"
)

// openKnown opens a folder that was imported before by its index alone: to list
// and compare tens of thousands of files takes longer than a person should wait
// for the first screen. That is done behind it, and what has changed is
// imported; until then the status is not Done. It reports false where there is
// no whole index to begin with.
func (x *Index) openKnown(ctx context.Context) bool {
	if x.opt.NoBuild || x.opt.Rebuild {
		return false
	}
	id, ok := source.FolderIdentity(x.dumps)
	if !ok {
		return false
	}
	path, _, err := place(id, x.opt)
	if err != nil {
		return false
	}
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		return false
	}
	st, err := store.Open(path, x.storeOptions())
	if err != nil {
		return false
	}
	meta, err := st.Reader().Meta(ctx)
	if err != nil || !current(meta, x.opt) || meta["complete"] == "" {
		st.Close()
		return false
	}
	p, err := st.Reader().Progress(ctx)
	if err != nil {
		st.Close()
		return false
	}
	x.st = st
	x.status = Status{Bytes: p.Bytes, TotalBytes: p.Bytes, Events: p.Events, Quarantined: p.Quarantined, Provisional: p.Provisional}
	background, cancel := context.WithCancel(context.WithoutCancel(ctx))
	x.cancel = cancel
	go x.checkKnown(background)
	return true
}

// checkKnown compares the folder with its index, and imports what is new.
func (x *Index) checkKnown(ctx context.Context) { x.settle(ctx, x.bringUp(ctx)) }

func (x *Index) bringUp(ctx context.Context) error {
	d, err := source.Open(ctx, x.dumps, x.sourceOptions())
	if err != nil {
		return err
	}
	x.dump = d // nobody else looks at it before built is closed
	f, err := x.fit(ctx)
	if err != nil || f == fitWhole {
		return err
	}
	if err := x.restart(ctx, f); err != nil {
		if errors.Is(err, store.ErrLocked) {
			return x.readAlong(ctx)
		}
		return err
	}
	return x.importNow(ctx)
}
