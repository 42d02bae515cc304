package docs_test

import (
	"path/filepath"
	"strings"
	"testing"

	"hindcast/model/dialect"
)

// TestDialects: each dialect has a page of its own that names it first, and
// no page tells of a dialect that is not there.
func TestDialects(t *testing.T) {
	known := map[string]bool{}
	for _, name := range dialect.All().Names() {
		known[name] = true
		page := read(t, filepath.Join("dialects", name+".md"))
		heading, body, _ := strings.Cut(page, "\n")
		if !strings.HasPrefix(heading, "# ") || !strings.Contains(heading, name) {
			t.Errorf("the page of %s has the heading %q", name, heading)
		}
		if !strings.Contains(body, "\n## Hidden by default\n") {
			t.Errorf("the page of %s does not say what is hidden", name)
		}
	}
	for _, name := range dialectPages(t) {
		if base := strings.TrimSuffix(filepath.Base(name), ".md"); !known[base] {
			t.Errorf("%s tells of no dialect", name)
		}
	}
}
