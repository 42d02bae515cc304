package importer

import (
	"context"
	"fmt"
	"time"

	"hindcast/index/store"
	"hindcast/model"
)

// firstBatch is how many events the first commit holds: a screenful, at once.
const firstBatch = 256

// batchAge is how long an event waits for its commit when they come slowly.
const batchAge = 200 * time.Millisecond

// batch is what one commit brings, and how far the import is with it.
type batch struct {
	store.Batch
	progress Progress
}

// batcher collects what the sequencer makes and hands it to the one writer
// goroutine, a batch at a time.
type batcher struct {
	ctx     context.Context
	m       *Importer
	pending *batch
	touched []*session // sessions with something in pending
	sources map[*sourceState]bool
	limit   int // events at which pending is handed over
	since   time.Time
	owed    bool // the index may lack ids that are not in memory any more

	write chan *batch // nil asks for a sign of life on idle
	idle  chan struct{}
	ended chan struct{}
	err   error // of the writer; read after idle or ended
}

func newBatcher(ctx context.Context, m *Importer) *batcher {
	b := &batcher{
		ctx: ctx, m: m, pending: &batch{}, sources: make(map[*sourceState]bool), limit: min(firstBatch, m.opt.Batch), since: time.Now(),
		write: make(chan *batch, 1), idle: make(chan struct{}), ended: make(chan struct{}),
	}
	if m.events > 0 {
		b.limit = m.opt.Batch
	}
	go b.writer()
	return b
}

// writer is the last stage: one transaction a batch.
func (b *batcher) writer() {
	defer close(b.ended)
	for batch := range b.write {
		if batch == nil {
			b.idle <- struct{}{}
			continue
		}
		if b.err != nil {
			continue
		}
		// A commit is never cut short by a cancelled context: batches are small,
		// and a whole one is worth more than a quick stop.
		if err := b.m.w.Append(context.WithoutCancel(b.ctx), &batch.Batch); err != nil {
			b.err = fmt.Errorf("write index: %w", err)
			continue
		}
		b.m.committed(batch)
	}
}

// committed tells the world of a commit.
func (m *Importer) committed(b *batch) {
	if m.opt.Progress != nil {
		m.opt.Progress(b.progress)
	}
}

// event adds an event of a session.
func (b *batcher) event(s *session, e *model.Event) {
	s.touch(b.m)
	b.m.events++
	s.batch = append(s.batch, e)
	b.pending.Events = append(b.pending.Events, store.EventRow{Session: s.row.Key, Event: e})
}

// source marks a source's row to be written.
func (b *batcher) source(s *sourceState) { b.sources[s] = true }

// maybeFlush hands the batch over when it is full or has waited long enough.
func (b *batcher) maybeFlush(ctx context.Context) error {
	n := len(b.pending.Events)
	if n < b.limit && (n == 0 || time.Since(b.since) < batchAge) && b.spooled() < spoolBatch && len(b.sources) < 4096 {
		return nil
	}
	if n >= b.limit {
		b.limit = min(b.limit*4, b.m.opt.Batch)
	}
	return b.flush(ctx)
}

// spoolBatch is how many kept bytes a commit holds at most, before compression.
const spoolBatch = 4 << 20

func (b *batcher) spooled() (n int64) {
	if len(b.pending.Spool)*store.BlockSize < spoolBatch {
		return 0
	}
	for _, s := range b.pending.Spool {
		n += s.Raw
	}
	return n
}

// flush hands over what is pending.
func (b *batcher) flush(ctx context.Context) error {
	for _, s := range b.touched {
		if err := s.close(&b.pending.Batch); err != nil {
			return err
		}
		s.batch = nil
	}
	for s := range b.sources {
		b.pending.Sources = append(b.pending.Sources, s.row)
	}
	b.progress()
	select {
	case b.write <- b.pending:
	case <-ctx.Done():
		return ctx.Err()
	}
	b.pending, b.touched = &batch{}, b.touched[:0]
	clear(b.sources)
	b.since = time.Now()
	b.m.trimIDs()
	return nil
}

// progress notes how far the import is with this batch.
func (b *batcher) progress() {
	p := &b.pending.progress
	p.Bytes, p.Total = b.m.read, b.m.total
	p.Events = b.m.events
	p.Quarantined = b.m.quarantined
	p.Provisional = b.m.unsettled > 0
}

// drain hands over what is pending and waits until all is committed.
func (b *batcher) drain() error {
	if err := b.flush(b.ctx); err != nil {
		return err
	}
	return b.rest()
}

// rest waits until what was handed over is committed.
func (b *batcher) rest() error {
	b.write <- nil
	<-b.idle
	return b.err
}

// fail turns the outcome of a run into its error: the writer's goes first.
func (b *batcher) fail(err error) error {
	b.stop()
	if b.err != nil {
		return b.err
	}
	return err
}

// stop ends the writer after what it was given.
func (b *batcher) stop() {
	if b.write != nil {
		close(b.write)
		<-b.ended
		b.write = nil
	}
}
