package store

import (
	"context"
	"database/sql"
	"errors"
)

var errGap = errors.New("its bytes are not all in the index")

// Spool reads n bytes of a spooled source from an offset on.
func (r *Reader) Spool(ctx context.Context, source, offset, n int64) ([]byte, error) {
	if offset < 0 || n < 0 {
		return nil, wrap("kept bytes", errGap)
	}
	out := make([]byte, 0, min(n, 1<<20))
	at := offset
	var block []byte
	// The block in which the span starts, and those after it.
	const text = `SELECT offset, raw, data FROM spool WHERE source=?1
AND offset>=coalesce((SELECT max(offset) FROM spool WHERE source=?1 AND offset<=?2),0) AND offset<?3 ORDER BY offset`
	err := r.each(ctx, "kept bytes", text, []any{source, offset, offset + n}, func(rows *sql.Rows) error {
		var start, raw int64
		var data sql.RawBytes
		if err := rows.Scan(&start, &raw, &data); err != nil {
			return err
		}
		if raw < 0 || raw > BlockSize || start > at {
			return errGap
		}
		var err error
		if block, err = DecodeBlock(block[:0], data, int(raw)); err != nil {
			return err
		}
		if end := start + raw; end > at {
			part := block[at-start : min(raw, offset+n-start)]
			out = append(out, part...)
			at += int64(len(part))
		}
		return nil
	})
	if err == nil && at != offset+n {
		err = wrap("kept bytes", errGap)
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}
