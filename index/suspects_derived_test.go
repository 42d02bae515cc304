package index

import (
	"context"
	"testing"

	"hindcast/model"
)

// TestDerivedErrorsSpeakByTheirTitle: a span's end stands in the bytes of the
// whole span. Its ids and times are no words of the error's.
func TestDerivedErrorsSpeakByTheirTitle(t *testing.T) {
	x := openAll(t, t.TempDir(), Options{}, "../fixtures/otlp/run.otlp.jsonl")
	last, err := model.ParseAddress("error")
	if err != nil {
		t.Fatal(err)
	}
	e, err := x.Resolve(context.Background(), "conv-1", last, AsEvent)
	if err != nil {
		t.Fatal(err)
	}
	why, err := x.Why(context.Background(), e)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range why.Suspects {
		t.Errorf("%q is suspected because %s", s.Event.Title, s.Because)
	}
}
