package importer

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"hindcast/index/store"
	"hindcast/model"
)

// foldBatch is how many events' writes go into one commit.
const foldBatch = 8192

// Fold brings the write index up to date with the events: it reads each
// session's records in replay order and turns what they do into writes.
// Children go before their parents, which see the files that they leave. Events
// are readable all the while. After ctx ends, what was committed stays.
func (m *Importer) Fold(ctx context.Context) error {
	m.foldSum = 0
	for _, s := range m.foldOrder() {
		if err := m.foldSession(ctx, s); err != nil {
			return fmt.Errorf("fold session %s: %w", s.row.ID, err)
		}
		m.foldSum += s.row.LastPos
	}
	return m.w.Append(ctx, &store.Batch{Meta: map[string]string{"folded": "1"}})
}

// foldOrder lists the sessions, children before their parents, else in the
// order of the dump.
func (m *Importer) foldOrder() []*session {
	all := m.inRank()
	byID := make(map[string]*session, len(all))
	for _, s := range all {
		byID[s.row.ID] = s
	}
	depths := make(map[*session]int, len(all))
	for _, s := range all {
		for p := byID[s.row.Parent]; p != nil && depths[s] <= len(all); p = byID[p.row.Parent] {
			depths[s]++
		}
	}
	slices.SortStableFunc(all, func(a, b *session) int { return depths[b] - depths[a] })
	return all
}

// foldSession folds what is new of one session.
func (m *Importer) foldSession(ctx context.Context, s *session) error {
	f, err := m.takeUpFold(ctx, s)
	if err != nil || f.pos >= s.row.LastPos {
		return err
	}
	children, err := m.childFiles(ctx, s)
	if err != nil {
		return err
	}
	records := newFoldRecords(ctx, m, s.row.Key)
	defer records.close()
	out := newFoldWriter(ctx, m, f)
	f.past.ctx, f.past.settle = ctx, out.settle
	err = records.each(f.pos+1, s.row.LastPos, func(e *model.Event, raw []byte) error {
		writes := f.apply(e, raw, records, children)
		return errors.Join(f.past.err, out.add(e, writes))
	})
	return errors.Join(err, out.close(err == nil))
}
