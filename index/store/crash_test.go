package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// batchOf makes events from..to of session 1, with its row.
func batchOf(from, to int64) *Batch {
	row := sessionRow(1, "s1")
	row.LastPos = to
	b := &Batch{Sessions: []SessionRow{row}}
	for pos := from; pos <= to; pos++ {
		b.Events = append(b.Events, EventRow{Session: 1, Event: event(pos)})
	}
	return b
}

// whole reports how many events an index holds, and fails if it is not a
// prefix of commits.
func whole(t *testing.T, s *Store) int64 {
	t.Helper()
	ctx := context.Background()
	total, _, _, err := s.Reader().Count(ctx, PageSpec{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	var verdict string
	if _, err := s.Reader().one(ctx, "check", "PRAGMA integrity_check", nil, &verdict); err != nil || verdict != "ok" {
		t.Fatalf("integrity_check: %s, %v", verdict, err)
	}
	if row, ok, err := s.Reader().Session(ctx, 1); err != nil || ok && row.LastPos != total {
		t.Fatalf("session says %d events, %d are there (%v)", row.LastPos, total, err)
	}
	return total
}

// TestFull: when no room is left the error says so and the last commit stays.
func TestFull(t *testing.T) {
	s, w := open(t)
	ctx := context.Background()
	appendBatch(t, w, batchOf(1, 100))
	var pages int
	if err := w.conn.QueryRowContext(ctx, "PRAGMA page_count").Scan(&pages); err != nil {
		t.Fatal(err)
	}
	if err := w.conn.QueryRowContext(ctx, fmt.Sprintf("PRAGMA max_page_count=%d", pages+4)).Scan(&pages); err != nil {
		t.Fatal(err)
	}
	err := w.Append(ctx, batchOf(101, 9000))
	if !errors.Is(err, ErrFull) {
		t.Fatalf("error %v, want %v", err, ErrFull)
	}
	if n := whole(t, s); n != 100 {
		t.Errorf("%d events, want the 100 of the last commit", n)
	}
	if err := w.conn.QueryRowContext(ctx, "PRAGMA max_page_count=1000000").Scan(&pages); err != nil {
		t.Fatal(err)
	}
	appendBatch(t, w, batchOf(101, 9000))
	if n := whole(t, s); n != 9000 {
		t.Errorf("%d events after there was room again, want 9000", n)
	}
}

// TestFailedBatch: a batch that fails leaves nothing, not even in what the
// writer remembers.
func TestFailedBatch(t *testing.T) {
	s, w := open(t)
	appendBatch(t, w, batchOf(1, 10))
	bad := batchOf(11, 90)
	bad.Events[20].Event.Type = "NewType"
	bad.Events[70].Event.Pos = 3 // is there already
	if err := w.Append(context.Background(), bad); err == nil {
		t.Fatal("a second event of the same pos was taken")
	}
	if n := whole(t, s); n != 10 {
		t.Errorf("%d events, want 10", n)
	}
	good := batchOf(11, 90)
	good.Events[20].Event.Type = "NewType"
	appendBatch(t, w, good)
	if e := eventAt(t, s, 1, 31); e.Type != "NewType" {
		t.Errorf("type %q", e.Type)
	}
	if n := whole(t, s); n != 90 {
		t.Errorf("%d events, want 90", n)
	}
}

func TestOutOfRange(t *testing.T) {
	_, w := open(t)
	for _, pos := range []int64{0, -1, 1 << 32} {
		if err := w.Append(context.Background(), &Batch{Events: []EventRow{{Session: 1, Event: event(pos)}}}); err == nil {
			t.Errorf("pos %d was taken", pos)
		}
	}
}

func TestCancelledAppend(t *testing.T) {
	s, w := open(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := w.Append(ctx, batchOf(1, 5)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
	if n := whole(t, s); n != 0 {
		t.Errorf("%d events, want none", n)
	}
}

// TestKill copies the files of an index while a transaction is open, which is
// what is left of a process that was killed then, and opens the copy.
func TestKill(t *testing.T) {
	s, w := open(t)
	ctx := context.Background()
	for i := range int64(3) {
		appendBatch(t, w, batchOf(i*50+1, i*50+50))
		if _, err := w.conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
			t.Fatal(err)
		}
		if err := w.apply(ctx, batchOf(i*50+51, i*50+4000)); err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		for _, suffix := range []string{"", "-wal"} {
			write(t, filepath.Join(dir, "index.db"+suffix), read(t, s.Path()+suffix))
		}
		if _, err := w.conn.ExecContext(ctx, "ROLLBACK"); err != nil {
			t.Fatal(err)
		}
		copied, err := Open(filepath.Join(dir, "index.db"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if n := whole(t, copied); n != i*50+50 {
			t.Errorf("%d events, want %d", n, i*50+50)
		}
		cw, err := copied.Writer()
		if err != nil {
			t.Fatal(err)
		}
		appendBatch(t, cw, batchOf(i*50+51, i*50+60))
		if err := copied.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestConcurrentReaders look at an index while it is written: every answer is
// some whole commit.
func TestConcurrentReaders(t *testing.T) {
	s, w := open(t)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	done := make(chan struct{})
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			last := int64(0)
			for {
				total, _, _, err := s.Reader().Count(ctx, PageSpec{Session: 1}, 0)
				if err != nil || total < last || total%40 != 0 {
					t.Errorf("count %d after %d: %v", total, last, err)
					return
				}
				if _, _, err := s.Reader().Page(ctx, PageSpec{Session: 1, Desc: true, Limit: 20, WithLinks: true}); err != nil {
					t.Error(err)
					return
				}
				last = total
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for i := range int64(40) {
		appendBatch(t, w, batchOf(i*40+1, i*40+40))
		if i == 20 {
			if err := w.BuildIndexes(ctx); err != nil {
				t.Error(err)
			}
		}
	}
	close(done)
	wg.Wait()
	if err := w.Finish(ctx); err != nil {
		t.Error(err)
	}
	if n := whole(t, s); n != 1600 {
		t.Errorf("%d events, want 1600", n)
	}
}

// TestOneWriter: the second writer is told who has the index, and gets it when
// the first has gone.
func TestOneWriter(t *testing.T) {
	s, w := open(t)
	if _, err := s.Writer(); !errors.Is(err, ErrLocked) {
		t.Errorf("same store: error %v, want %v", err, ErrLocked)
	}
	other, err := Open(s.Path(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := other.Writer(); !errors.Is(err, ErrLocked) {
		t.Errorf("other store: error %v, want %v", err, ErrLocked)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	w2, err := other.Writer()
	if err != nil {
		t.Fatal(err)
	}
	appendBatch(t, w2, batchOf(1, 5))
	if n := whole(t, s); n != 5 {
		t.Errorf("%d events seen by the other, want 5", n)
	}
	if err := w2.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(s.Path() + ".lock"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the lock file is left behind: %v", err)
	}
}

// TestFinish: after it the log is empty, so that opening again costs nothing.
func TestFinish(t *testing.T) {
	s, w := open(t)
	appendBatch(t, w, batchOf(1, 500))
	if err := w.Finish(context.Background()); err != nil {
		t.Fatal(err)
	}
	if n := fileSize(t, s.Path()+"-wal"); n != 0 {
		t.Errorf("the log has %d bytes", n)
	}
}

// TestSortBeside: what index building spills lies beside the index.
func TestSortBeside(t *testing.T) {
	s, w := open(t)
	if err := w.BuildIndexes(context.Background()); err != nil {
		t.Fatal(err)
	}
	var dir string
	if err := w.conn.QueryRowContext(context.Background(), "PRAGMA temp_store_directory").Scan(&dir); err != nil || dir != filepath.Dir(s.Path()) {
		t.Errorf("temporary files go to %q, %v", dir, err)
	}
}
