package inspector

import (
	"context"
	"path/filepath"
	"testing"

	"hindcast/fixtures"
	"hindcast/index"
)

// demo opens the embedded demo with the real index.
func demo(t *testing.T) *index.Index {
	t.Helper()
	idx, err := index.Open(context.Background(), []string{"demo:"},
		index.Options{Embedded: fixtures.Demo(), IndexPath: filepath.Join(t.TempDir(), "demo.hcx")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { idx.Close() })
	return idx
}

func TestDemoJourney(t *testing.T) {
	d := drive(t, demo(t), 80, 24, Options{Demo: true, Source: "demo:"})
	d.see("row 1/", "Try E").golden("demo-open")
	d.press("E").see("118 of").golden("demo-error")
	d.press("c").gone("118 of").golden("demo-cause")
	d.press("Ctrl-O").see("118 of")
}
