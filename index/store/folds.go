package store

import (
	"context"
	"database/sql"

	"hindcast/model"
)

// Folded tells up to which pos a session is folded; 0: not at all.
func (r *Reader) Folded(ctx context.Context, session int64) (pos int64, err error) {
	_, err = r.one(ctx, "fold", "SELECT pos FROM folded WHERE session=?", []any{session}, &pos)
	return pos, err
}

// FoldState reads the latest working state of the fold that was saved at or
// before max. A nil state: there is none.
func (r *Reader) FoldState(ctx context.Context, session, max int64) (pos int64, state []byte, err error) {
	_, err = r.one(ctx, "fold", "SELECT pos, state FROM folds WHERE session=? AND pos<=? ORDER BY pos DESC LIMIT 1", []any{session, max}, &pos, &state)
	return pos, state, err
}

// FoldNotes reads what the fold of a session noticed, by pos.
func (r *Reader) FoldNotes(ctx context.Context, session int64) ([]model.Note, error) {
	return r.FoldNotesAt(ctx, session, 1, posMask)
}

// FoldNotesAt reads what it noticed at the events from one pos to another.
func (r *Reader) FoldNotesAt(ctx context.Context, session, from, to int64) (notes []model.Note, err error) {
	const text = "SELECT pos, kind, path, text FROM notes WHERE session=? AND pos BETWEEN ? AND ? ORDER BY pos, n"
	err = r.each(ctx, "notes of the fold", text, []any{session, from, to}, func(rows *sql.Rows) error {
		var n model.Note
		var path []byte
		var text any
		if err := rows.Scan(&n.Pos, &n.Kind, &path, &text); err != nil {
			return err
		}
		n.Path, n.Text = string(path), unpackText(text)
		notes = append(notes, n)
		return nil
	})
	return notes, err
}

// WriteCount counts the writes of a session (0: of all).
func (r *Reader) WriteCount(ctx context.Context, session int64) (n int64, err error) {
	_, err = r.one(ctx, "writes", "SELECT coalesce(sum(writes),0) FROM folded WHERE ?1=0 OR session=?1", []any{session}, &n)
	return n, err
}
