package index

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"

	"hindcast/fixtures/gen/stream"
	"hindcast/model"
	"hindcast/model/query"
)

// TestOverview: the stretches count what pages show; long ones are estimated.
func TestOverview(t *testing.T) {
	var buf bytes.Buffer
	if _, err := stream.Write(&buf, stream.Options{Format: stream.Eventlog, Events: 2000, Seed: 7, Size: 300}); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "run.jsonl")
	writeFile(t, path, buf.Bytes())
	x := openAll(t, dir, Options{}, path)
	ctx := context.Background()
	s, _, err := x.Session(ctx, "")
	if err != nil {
		t.Fatal(err)
	}
	filters := map[string]query.Expr{
		"all":  nil,
		"tool": query.Term{Field: query.FieldKind, Op: query.OpIs, Text: "action"},
		"text": query.Term{Field: query.FieldText, Op: query.OpContains, Text: "error", Fold: true},
	}
	for name, where := range filters {
		for _, shown := range []Visibility{All, Folded} {
			for _, n := range []int{1, 3, 70, 2500} {
				q := PageQuery{Session: s.ID, Where: where, Visibility: shown}
				got, err := x.Overview(ctx, q, n)
				if err != nil {
					t.Fatal(err)
				}
				if got.Sampled {
					t.Errorf("%s in %d: sampled, and so few", name, n)
				}
				if got.Last != s.LastPos || got.Pace <= 0 {
					t.Errorf("%s in %d: last %d, pace %v", name, n, got.Last, got.Pace)
				}
				checkOverview(t, x, q, got, name)
				if got, err = x.overview(ctx, q, n, 800); err != nil {
					t.Fatal(err)
				}
				checkOverview(t, x, q, got, name+" sampled")
			}
		}
	}
}

func checkOverview(t *testing.T, x *Index, q PageQuery, got Overview, name string) {
	t.Helper()
	n := int64(len(got.Buckets))
	want := make([]Bucket, n)
	at := func(pos int64) *Bucket { return &want[(pos*n-1)/got.Last] }
	for q.Limit = 10_000; ; {
		rows, err := x.Page(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			at(r.Event.Pos).Rows++
		}
		if len(rows) < q.Limit {
			break
		}
		q.From = rows[len(rows)-1].Event.Pos + 1
	}
	if err := x.Query(context.Background(), q.Session, nil, func(e model.Event) bool {
		if e.Outcome.Failed() {
			at(e.Pos).Failed++
		}
		if e.Kind == model.KindCheckpoint {
			at(e.Pos).Checkpoints++
		}
		return true
	}); err != nil {
		t.Fatal(err)
	}
	for i, b := range got.Buckets {
		near := max(b.Rows-want[i].Rows, want[i].Rows-b.Rows)
		if near > 0 && (!got.Sampled || near > max(want[i].Rows/3, 8)) || b.Failed != want[i].Failed || b.Checkpoints != want[i].Checkpoints {
			t.Fatalf("%s in %d: stretch %d is %+v, want %+v", name, n, i, b, want[i])
		}
	}
}
