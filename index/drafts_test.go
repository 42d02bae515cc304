package index

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"hindcast/fixtures"
)

// TestSameContentWhateverIsDecodedAgain: events of a session whose order only
// its dialect can tell are linked twice, as they were decoded first or, where
// there was no room to keep that, as they are decoded again.
func TestSameContentWhateverIsDecodedAgain(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, fixtures.FS); err != nil {
		t.Fatal(err)
	}
	dumps := []string{
		filepath.Join(dir, "opencode", "export", "export.json"), filepath.Join(dir, "opencode", "cut", "export.json"),
		filepath.Join(dir, "opencode", "late", "opencode.db"), filepath.Join(dir, "opencode", "tree"),
		filepath.Join(dir, "goose"), filepath.Join(dir, "langgraph"), filepath.Join(dir, "otlp"), filepath.Join(dir, "openhands"),
	}
	for _, name := range []string{"export*.json", "*.db"} {
		real, err := filepath.Glob(filepath.Join("..", "..", "shared", "data", "opencode", "*", name))
		if err != nil {
			t.Fatal(err)
		}
		dumps = append(dumps, real...)
	}
	for _, path := range dumps {
		t.Run(filepath.Base(filepath.Dir(path))+"/"+filepath.Base(path), func(t *testing.T) {
			want := content(t, openAll(t, t.TempDir(), Options{drafts: -1}, path), true)
			for _, room := range []int{0, 5000} {
				sameContent(t, fmt.Sprintf("%d bytes of drafts", room), want, content(t, openAll(t, t.TempDir(), Options{drafts: room}, path), true))
			}
		})
	}
}
