package store

import (
	"context"
	"database/sql"

	"hindcast/model"
)

// Bucket counts what stands in a stretch of a session.
type Bucket struct {
	First, Last int64 // pos, both included; Last < First: more buckets than events
	Rows        int64 // of the page that is asked for
	Failed      int64 // events of any page
	Checkpoints int64
	Start       model.Time // of its first event
}

// bucketRuns is in how many places of a bucket its rows are sampled.
const bucketRuns = 4

// Buckets cuts the positions from 1 to last into n stretches of one length and
// counts the rows of a page in each. Of more events than the budget as many, in
// runs of even distance, stand for all: the rows are estimated. With a filter
// that is not exact they are those of the superset.
func (r *Reader) Buckets(ctx context.Context, p PageSpec, last int64, n int, budget int64) (out []Bucket, sampled bool, err error) {
	c, err := r.conditions(p)
	if err != nil {
		return nil, false, err
	}
	const between = " FROM events WHERE key BETWEEN ? AND ?"
	count := func(from, to int64, cond string, args []any, dest *int64) error {
		_, err := r.one(ctx, "events", "SELECT count(*)"+between+cond, append([]any{keyOf(p.Session, from), keyOf(p.Session, to)}, args...), dest)
		return err
	}
	out = make([]Bucket, n)
	whole := last <= budget
	for i := range out {
		b := &out[i]
		b.First, b.Last = last*int64(i)/int64(n)+1, last*int64(i+1)/int64(n)
		size := b.Last - b.First + 1
		if size == 0 {
			continue
		}
		switch {
		case c.sql == "":
			b.Rows = size
		case whole || size <= bucketRuns:
			err = count(b.First, b.Last, c.and(), c.args, &b.Rows)
		default:
			sampled = true
			b.Rows, err = sample(b, max(budget/int64(n)/bucketRuns, 1), func(from, to int64, dest *int64) error { return count(from, to, c.and(), c.args, dest) })
		}
		if err == nil {
			err = count(b.First, b.Last, failedSQL, nil, &b.Failed)
		}
		if err == nil {
			err = count(b.First, b.Last, checkpointSQL, nil, &b.Checkpoints)
		}
		if err == nil {
			b.Start, err = r.timeAt(ctx, keyOf(p.Session, b.First))
		}
		if err != nil {
			return nil, false, err
		}
	}
	return out, sampled, nil
}

// These are spelled as the partial indexes are, which serve them.
const (
	failedSQL     = " AND flags >> 6 & 3 = 2"
	checkpointSQL = " AND flags >> 8 & 15 = 5"
)

// sample estimates the rows of a bucket by runs of so many events.
func sample(b *Bucket, run int64, count func(from, to int64, dest *int64) error) (int64, error) {
	size, found := b.Last-b.First+1, int64(0)
	run = min(run, size/bucketRuns)
	for i := range int64(bucketRuns) {
		var n int64
		from := b.First + size*i/bucketRuns
		if err := count(from, from+run-1, &n); err != nil {
			return 0, err
		}
		found += n
	}
	return found * size / (run * bucketRuns), nil
}

func (r *Reader) timeAt(ctx context.Context, key int64) (model.Time, error) {
	var flags int64
	var nanos sql.NullInt64
	_, err := r.one(ctx, "events", "SELECT flags, time FROM events WHERE key=?", []any{key}, &flags, &nanos)
	return timeOf(flags, nanos.Int64), err
}
