package importer

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"hindcast/index/store"
	"hindcast/model"
)

// How many events are decoded again at once, and how many bytes of records (but
// one event at least).
const (
	againPage  = 512
	againBytes = 4 << 20
)

// rereader gives the events of a session that is put in another order as they
// were decoded: from their drafts, else from their records once more.
type rereader struct {
	m       *Importer
	old     *session
	sources map[int64]*sourceState
}

// reread is a run of events that were decoded again.
type reread struct {
	events []*model.Event
	err    error
}

// each calls f with the events of a list. The next ones are decoded while one
// run of them is taken.
func (r *rereader) each(ctx context.Context, list []arrival, f func(*model.Event) error) error {
	ctx, cancel := context.WithCancel(ctx)
	ahead := make(chan reread, 1)
	go func() {
		defer close(ahead)
		for len(list) > 0 && ctx.Err() == nil {
			n := pageOf(list)
			var page reread
			page.events, page.err = r.page(ctx, list[:n])
			list = list[n:]
			select {
			case ahead <- page:
			case <-ctx.Done():
			}
		}
	}()
	defer func() {
		cancel()
		for range ahead { // the goroutine has ended after this
		}
	}()
	for page := range ahead {
		if page.err != nil {
			return page.err
		}
		for _, e := range page.events {
			if err := f(e); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

func pageOf(list []arrival) int {
	bytes := int64(0)
	for i, a := range list[:min(len(list), againPage)] {
		if bytes += a.span.Length; bytes > againBytes && i > 0 {
			return i
		}
	}
	return min(len(list), againPage)
}

// page decodes the records of arrivals that have no draft, each once, on all
// cores, and picks the events.
func (r *rereader) page(ctx context.Context, list []arrival) ([]*model.Event, error) {
	jobs := make(map[model.Span]*job, len(list))
	var all []*job
	for _, a := range list {
		if jobs[a.span] != nil || r.old.drafts.at(a.pos) != "" {
			continue
		}
		src := r.sources[a.span.Source]
		ss := r.m.streamOf(src.row.Stream)
		if ss == nil {
			return nil, fmt.Errorf("%s, which holds its records, is not in the dump any more", src.row.Name)
		}
		raw, err := r.m.bytes.Read(ctx, r.m.st.Reader(), src.row, a.span.Offset, a.span.Length)
		if err != nil {
			return nil, err
		}
		j := &job{stream: ss, src: src, file: src.file, key: ss.keys[src.file]}
		j.begin()
		j.rec.Offset, j.rec.Raw = a.span.Offset, raw
		jobs[a.span] = j
		all = append(all, j)
	}
	r.decode(all)
	var several []int64
	for _, a := range list {
		if j := jobs[a.span]; j != nil && len(j.events) != 1 {
			several = append(several, a.pos)
		}
	}
	names, err := r.m.st.Reader().Moments(ctx, r.old.row.Key, several)
	if err != nil {
		return nil, err
	}
	out := make([]*model.Event, 0, len(list))
	for _, a := range list {
		if draft := r.old.drafts.at(a.pos); draft != "" {
			e, _ := unpackDraft(draft)
			out = append(out, r.put(e, a))
			continue
		}
		e, err := r.pick(ctx, jobs[a.span], a, names[a.pos])
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

func (r *rereader) decode(all []*job) {
	var next atomic.Int64
	var done sync.WaitGroup
	for range min(r.m.opt.Workers, len(all)) {
		done.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(all); i = next.Add(1) - 1 {
				all[i].record()
			}
		})
	}
	done.Wait()
}

// pick finds an event among those of its record.
func (r *rereader) pick(ctx context.Context, j *job, a arrival, name store.Moment) (*model.Event, error) {
	nth := 0
	if len(j.events) != 1 {
		nth = slices.IndexFunc(j.events, func(x model.Event) bool { return x.ID != "" && x.ID == name.ID && x.Type == name.Type })
	}
	if nth < 0 {
		// The record says something else out of its wrapper: keep what the index
		// made of it.
		e, _, err := r.m.st.Reader().EventAt(ctx, r.old.row.Key, a.pos)
		unlink(&e)
		return &e, err
	}
	return r.put(&j.events[nth], a), nil
}

// put says where a decoded event stands.
func (r *rereader) put(e *model.Event, a arrival) *model.Event {
	e.Session, e.Span = r.old.row.ID, a.span
	e.Seq, e.HasSeq = a.seq, a.hasSeq
	return e
}

// unlink takes away what the order decided.
func unlink(e *model.Event) {
	e.Cause, e.Mate, e.Root, e.Depth, e.Origin = nil, 0, 0, 0, model.OriginRecorded
	links := e.Links[:0]
	for _, l := range e.Links {
		if l.Inferred {
			continue
		}
		if l.ToID == "" {
			l.ToID = l.To.ID
		}
		l.To, l.Broken = model.Ref{}, model.LinkWhole
		links = append(links, l)
	}
	e.Links = links
}
