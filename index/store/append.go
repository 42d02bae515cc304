package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"hindcast/model"
)

// aliasRow waits for the end of its batch: aliases go in sorted, which keeps
// neighbours of the tree together and the first pos of an alias in front.
type aliasRow struct {
	session, pos int64
	alias        string
}

func (w *Writer) apply(ctx context.Context, b *Batch) error {
	for _, c := range b.Cuts {
		if err := w.cut(ctx, c); err != nil {
			return err
		}
	}
	for _, key := range b.Drop {
		if err := w.drop(ctx, key); err != nil {
			return err
		}
	}
	for _, q := range b.Reread {
		if err := w.exec(ctx, "DELETE FROM quarantine WHERE source=? AND offset=?", q.Source, q.Offset); err != nil {
			return err
		}
	}
	if err := w.putStreams(ctx, b); err != nil {
		return err
	}
	if err := w.putEvents(ctx, b.Events); err != nil {
		return err
	}
	for _, l := range b.Links {
		if err := w.addLink(ctx, l); err != nil {
			return err
		}
	}
	for _, m := range b.Mended {
		if err := w.mend(ctx, m); err != nil {
			return err
		}
	}
	for _, p := range b.Pointed {
		if err := w.point(ctx, p); err != nil {
			return err
		}
	}
	for _, c := range b.Causes {
		if err := w.setCause(ctx, c); err != nil {
			return err
		}
	}
	for _, m := range b.Mates {
		if err := w.setMate(ctx, m); err != nil {
			return err
		}
	}
	return w.putRest(ctx, b)
}

func (w *Writer) putEvents(ctx context.Context, rows []EventRow) error {
	w.pending = w.pending[:0]
	for i := range rows {
		r := &rows[i]
		if err := checkEvent(r); err != nil {
			return err
		}
		if err := w.putEvent(ctx, r); err != nil {
			return err
		}
	}
	for _, b := range []*bulk{w.events, w.links} {
		if err := b.flush(ctx); err != nil {
			return err
		}
	}
	return w.putAliases(ctx)
}

// checkEvent refuses what the key cannot hold.
func checkEvent(r *EventRow) error {
	if r.Session < 1 || r.Session > 1<<30 || r.Event.Pos < 1 || r.Event.Pos > posMask {
		return fmt.Errorf("event %d of session %d: out of the index's range", r.Event.Pos, r.Session)
	}
	return nil
}

func (w *Writer) putEvent(ctx context.Context, r *EventRow) error {
	e := r.Event
	shape, err := w.shapes.number(ctx, e)
	if err != nil {
		return err
	}
	key := keyOf(r.Session, e.Pos)
	cause := causeIndex(e)
	flags := packFlags(e) | shape<<shiftShape
	var back any
	switch {
	case cause >= 0:
		back = key - targetKey(r, cause)
		flags |= packVia(e.Links[cause])
	case e.Cause != nil && e.Cause.To.Pos > 0: // among no links: then it is one
		back = key - keyOf(r.Session, e.Cause.To.Pos)
		flags |= packVia(*e.Cause)
	}
	b := w.events
	b.add(key)
	b.add(flags)
	b.add(e.Seq - e.Pos)
	b.add(timeValue(e.Time))
	b.add(packID(e.ID))
	b.add(packText(e.Title))
	if flags&flagOwnCall != 0 {
		b.add(nil)
	} else {
		b.add(packID(e.Call))
	}
	b.add(e.Span.Source)
	b.add(e.Span.Offset)
	b.add(e.Span.Length)
	b.add(orNil(int64(e.Hash)))
	b.add(back)
	b.add(rootDelta(e))
	b.add(orNil(e.Depth))
	b.add(mateDelta(e))
	if err := b.row(ctx); err != nil {
		return err
	}
	for _, a := range e.Aliases {
		if a != "" {
			w.pending = append(w.pending, aliasRow{r.Session, e.Pos, a})
		}
	}
	return w.putLinks(ctx, r, cause)
}

func (w *Writer) putLinks(ctx context.Context, r *EventRow, cause int) error {
	n := int64(0)
	for i, l := range r.Event.Links {
		if i == cause {
			continue
		}
		src := keyOf(r.Session, r.Event.Pos)
		w.links.add(src)
		w.links.add(n)
		w.links.add(packLink(l))
		if l.To.Pos > 0 {
			w.links.add(src - targetKey(r, i))
		} else {
			w.links.add(nil)
		}
		w.links.add(writtenTarget(l))
		if err := w.links.row(ctx); err != nil {
			return err
		}
		n++
	}
	return nil
}

// writtenTarget keeps the target's name only where it leads nowhere: of a
// resolved link the target itself is the better name.
func writtenTarget(l model.Link) any {
	if l.Resolved() {
		return nil
	}
	return packID(l.ToID)
}

// causeIndex finds the link that is the event's cause; -1: none.
func causeIndex(e *model.Event) int {
	if e.Cause == nil || e.Cause.To.Pos <= 0 {
		return -1
	}
	return slices.Index(e.Links, *e.Cause)
}

func targetKey(r *EventRow, i int) int64 {
	session := r.Session
	if i < len(r.LinkTo) && r.LinkTo[i] > 0 {
		session = r.LinkTo[i]
	}
	return keyOf(session, r.Event.Links[i].To.Pos)
}

func rootDelta(e *model.Event) any {
	if e.Root <= 0 {
		return nil
	}
	return orNil(e.Pos - e.Root)
}

func mateDelta(e *model.Event) any {
	if e.Mate <= 0 {
		return nil
	}
	return e.Mate - e.Pos
}

func (w *Writer) putAliases(ctx context.Context) error {
	slices.SortFunc(w.pending, func(a, b aliasRow) int {
		return cmp.Or(cmp.Compare(a.session, b.session), cmp.Compare(a.alias, b.alias), cmp.Compare(a.pos, b.pos))
	})
	for i, a := range w.pending {
		if i > 0 && a.session == w.pending[i-1].session && a.alias == w.pending[i-1].alias {
			continue
		}
		w.aliases.add(a.session)
		w.aliases.add(packID(a.alias))
		w.aliases.add(a.pos)
		if err := w.aliases.row(ctx); err != nil {
			return err
		}
	}
	return w.aliases.flush(ctx)
}
