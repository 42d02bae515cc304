package importer

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"hindcast/index/store"
	"hindcast/model"
)

// How much goes into one commit: the writes of so many events, or fewer where
// they hold so many bytes of file texts.
const (
	foldBatch = 8192
	foldBytes = 4 << 20
)

// Fold brings the write index up to date with the events: it reads each
// session's records in replay order and turns what they do into writes.
// Children go before their parents, which see the files that they leave. Events
// are readable all the while. After ctx ends, what was committed stays.
func (m *Importer) Fold(ctx context.Context) error {
	m.foldSum = 0
	all := m.inRank()
	kin, err := m.newFamily(ctx, all)
	if err != nil {
		return fmt.Errorf("read index: %w", err)
	}
	maps.DeleteFunc(m.folds, func(s *session, _ *folding) bool { // put in order since, as others
		return m.sessions[sessionID{s.row.Dialect, s.row.ID}] != s
	})
	moved := make(map[*session]bool)
	for _, s := range kin.order(all) {
		f := m.folds[s]
		if f == nil || f.key != s.row.Key || f.pos < s.row.LastPos || slices.ContainsFunc(kin.children[s], func(c child) bool { return moved[c.session] }) {
			moved[s] = true
			if err := m.foldSession(ctx, s, kin); err != nil {
				clear(m.folds) // the next run cannot tell who moved in this one
				return fmt.Errorf("fold session %s: %w", s.row.ID, err)
			}
		}
		m.foldSum += s.row.LastPos
	}
	return m.w.Append(ctx, &store.Batch{Meta: map[string]string{"folded": "1"}})
}

// foldSession folds what is new of one session, and again what its sub-agents
// have changed since.
func (m *Importer) foldSession(ctx context.Context, s *session, kin *family) error {
	children, err := kin.files(ctx, s)
	if err != nil {
		return err
	}
	f, err := m.takeUpFold(ctx, s, kin.agreesUpTo(s, children))
	if err != nil {
		return err
	}
	if f.drop > 0 {
		if err := m.w.AppendWrites(ctx, []store.FoldBatch{{Session: f.key, Drop: f.drop}}); err != nil {
			return err
		}
		f.drop = 0
	}
	if err := kin.mark(ctx, s, children); err != nil || f.pos >= s.row.LastPos {
		return err
	}
	records := newFoldRecords(ctx, m, s, f)
	defer records.close()
	out := newFoldWriter(ctx, m, f)
	f.past.ctx, f.past.settle = ctx, out.settle
	err = records.each(f.pos+1, s.row.LastPos, func(e *model.Event, raw []byte, seen any) error {
		writes := f.apply(e, raw, seen, records, children)
		return errors.Join(f.past.err, out.add(e, writes))
	})
	return errors.Join(err, out.close(err == nil))
}
