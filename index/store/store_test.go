package store

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"testing"

	"hindcast/model"
	"hindcast/model/query"
)

// open makes an empty index for a test, with its writer.
func open(t testing.TB) (*Store, *Writer) {
	t.Helper()
	s, err := Open(filepath.Join(t.TempDir(), "index.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	w, err := s.Writer()
	if err != nil {
		t.Fatal(err)
	}
	return s, w
}

func appendBatch(t testing.TB, w *Writer, b *Batch) {
	t.Helper()
	if err := w.Append(context.Background(), b); err != nil {
		t.Fatal(err)
	}
}

func sessionRow(key int64, id string) SessionRow {
	return SessionRow{Session: model.Session{Key: key, ID: id, Dialect: "eventlog"}, Stream: 1, Rank: key, SeqSorted: true}
}

func event(pos int64) *model.Event {
	return &model.Event{Session: "s1", Pos: pos, Seq: pos + 10, HasSeq: true, ID: fmt.Sprintf("evt_%04d", pos), Type: "AgentAction",
		Kind: model.KindAction, Source: "agent", Tool: "bash", Title: fmt.Sprintf("step %d", pos),
		Span: model.Span{Source: 1, Offset: pos * 100, Length: 99}, Root: pos}
}

func eventAt(t testing.TB, s *Store, session, pos int64) model.Event {
	t.Helper()
	e, ok, err := s.Reader().EventAt(context.Background(), session, pos)
	if err != nil || !ok {
		t.Fatalf("EventAt(%d, %d): ok %v, %v", session, pos, ok, err)
	}
	return e
}

// TestEventRoundTrip stores an event with every field set and reads it back.
func TestEventRoundTrip(t *testing.T) {
	s, w := open(t)
	first := event(1)
	e := event(2)
	e.Seq, e.ID, e.Call = -7, "9f1c2a3b-0000-4444-8888-aabbccddeeff", "call_1"
	e.Time = model.Time{Nanos: 1719253000123456789, Known: true, Naive: true, Digits: 9}
	e.Kind, e.Outcome, e.Origin, e.Noise = model.KindDelta, model.OutcomeFailed, model.OriginCopied, true
	e.Hash, e.Root, e.Depth, e.Mate = 1<<63|5, 1, 1, 1
	cause := model.Link{Reason: model.ReasonAction, To: model.Ref{Session: "s1", Seq: 11, Pos: 1, ID: "evt_0001"}}
	lost := model.Link{Reason: model.ReasonSource, ToID: "gone", Broken: model.LinkMissing}
	parent := model.Link{Reason: model.ReasonParent, Inferred: true, To: cause.To}
	e.Links = []model.Link{lost, cause, parent}
	e.Cause = &e.Links[1]
	appendBatch(t, w, &Batch{Sessions: []SessionRow{sessionRow(1, "s1")}, Events: []EventRow{{Session: 1, Event: first}, {Session: 1, Event: e}}})

	got := eventAt(t, s, 1, 2)
	want := *e
	want.Cause = &cause
	want.Links = []model.Link{cause, lost, parent}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if got := eventAt(t, s, 1, 1); !reflect.DeepEqual(got, *first) {
		t.Errorf("got  %+v\nwant %+v", got, *first)
	}
}

// TestOwnCall: a call that has its event's id is not stored twice, and yet is
// there for whoever asks.
func TestOwnCall(t *testing.T) {
	s, w := open(t)
	ctx := context.Background()
	own, other, none := event(1), event(2), event(3)
	own.Call, other.Call, none.Call = own.ID, own.ID, ""
	appendBatch(t, w, &Batch{Sessions: []SessionRow{sessionRow(1, "s1")}, Events: rowsOf(1, own, other, none)})
	for i, want := range []string{own.ID, own.ID, ""} {
		if got := eventAt(t, s, 1, int64(i+1)).Call; got != want {
			t.Errorf("event %d has call %q, want %q", i+1, got, want)
		}
	}
	for _, op := range []query.Op{query.OpIs, query.OpContains} {
		n, _, _, err := s.Reader().Count(ctx, PageSpec{Session: 1, Where: query.Term{Field: query.FieldCall, Op: op, Text: own.ID}}, 0)
		if err != nil || n != 2 {
			t.Errorf("operation %d finds %d events of the call, want 2 (%v)", op, n, err)
		}
	}
	var calls string
	if _, err := s.Reader().one(ctx, "view", "SELECT group_concat(coalesce(call, '-')) FROM v_events", nil, &calls); err != nil || calls != own.ID+","+own.ID+",-" {
		t.Errorf("the view says %q, %v", calls, err)
	}
	var stored int
	if _, err := s.Reader().one(ctx, "column", "SELECT count(call) FROM events", nil, &stored); err != nil || stored != 1 {
		t.Errorf("%d calls are stored, want 1 (%v)", stored, err)
	}
}
