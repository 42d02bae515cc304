package importer

import (
	"context"
	"fmt"

	"hindcast/index/store"
	"hindcast/model"
)

// foldWriter commits what a fold writes, a batch at a time, beside the fold.
type foldWriter struct {
	ctx    context.Context
	m      *Importer
	f      *folding
	batch  store.FoldBatch
	events int // folded since the last commit
	bytes  int // of file texts in what they wrote
	work   chan store.FoldBatch
	idle   chan struct{}
	ended  chan struct{}
	err    error // of the writer; read after idle or ended
}

func newFoldWriter(ctx context.Context, m *Importer, f *folding) *foldWriter {
	w := &foldWriter{
		ctx: ctx, m: m, f: f, batch: store.FoldBatch{Session: f.key},
		work: make(chan store.FoldBatch, 1), idle: make(chan struct{}), ended: make(chan struct{}),
	}
	go w.run()
	return w
}

func (w *foldWriter) run() {
	defer close(w.ended)
	for b := range w.work {
		if b.Session == 0 {
			w.idle <- struct{}{}
			continue
		}
		if w.err != nil {
			continue
		}
		// As with events: a commit is never cut short.
		if err := w.m.w.AppendWrites(context.WithoutCancel(w.ctx), []store.FoldBatch{b}); err != nil {
			w.err = fmt.Errorf("write index: %w", err)
			continue
		}
		if w.m.opt.Folded != nil {
			w.m.opt.Folded(w.m.foldSum + b.Folded)
		}
	}
}

// add takes the writes of the event that was folded last.
func (w *foldWriter) add(e *model.Event, writes []model.Write) error {
	for i := range writes {
		if text := writes[i].New.Text; text != nil {
			w.bytes += len(*text)
		}
	}
	if len(writes) > 0 {
		w.batch.Events = append(w.batch.Events, store.EventWrites{Pos: e.Pos, Seq: e.Seq, Writes: writes})
	}
	if w.events++; w.events < min(foldBatch, w.m.opt.Batch) && w.bytes < foldBytes {
		return nil
	}
	return w.flush(w.f.due(w.m.opt.Batch))
}

// flush hands the batch over.
func (w *foldWriter) flush(save bool) error {
	w.batch.Folded, w.batch.Notes = w.f.pos, w.f.fold.Notes()
	if save {
		state, err := w.f.save()
		if err != nil {
			return fmt.Errorf("save the state at %d: %w", w.f.pos, err)
		}
		w.batch.State = state
		w.f.saved, w.f.size = w.f.pos, len(state)
	}
	select {
	case w.work <- w.batch:
	case <-w.ctx.Done():
		return w.ctx.Err()
	}
	w.events, w.bytes = 0, 0
	w.batch = store.FoldBatch{Session: w.f.key, Events: make([]store.EventWrites, 0, len(w.batch.Events))}
	return nil
}

// settle waits until all that was folded is committed: somebody asks the index
// about it.
func (w *foldWriter) settle() error {
	if w.events > 0 {
		if err := w.flush(false); err != nil {
			return err
		}
	}
	w.work <- store.FoldBatch{}
	<-w.idle
	return w.err
}

// smallState is what is saved at the end of every run, bytes.
const smallState = 1 << 18

// close commits what is left and ends the writer. After a fault of the fold the
// batch is let go: the next run begins at the last commit.
func (w *foldWriter) close(whole bool) error {
	if whole && w.events > 0 {
		if err := w.flush(w.f.size < smallState || w.f.due(w.m.opt.Batch)); err != nil {
			whole = false
		}
	}
	close(w.work)
	<-w.ended
	if !whole || w.err != nil {
		w.f.key = 0 // memory and index are not at one: take up what is committed
	}
	return w.err
}
