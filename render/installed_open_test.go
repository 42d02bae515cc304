package render

import (
	"strings"
	"testing"
	"time"

	"hindcast/model/answer"
)

// TestInstalledOnAPipe: lines keep to their width, and commands are whole.
func TestInstalledOnAPipe(t *testing.T) {
	title, cwd := strings.Repeat("long ", 60), "/srv/"+strings.Repeat("deep/", 60)
	a := answer.Installed{Sessions: []answer.InstalledSession{{ID: "a", Dialect: "codex", Title: &title, Cwd: &cwd}, {ID: "b", Dialect: "codex"}}}
	for _, c := range []struct {
		command string
		lines   int
	}{{"hindcast /a", 3}, {"hindcast /home/u/" + strings.Repeat("x", 120), 5}} {
		got := Installed(a, []string{c.command, c.command}, time.Now(), 0)
		whole := 0
		for _, l := range got {
			if strings.Contains(Plain(l), c.command) {
				whole++
			}
			if Width(l) > openWidth {
				t.Errorf("%d cells: %s", Width(l), Plain(l))
			}
		}
		if whole != 2 || len(got) != c.lines {
			t.Errorf("%d commands are whole in %d lines, want %d", whole, len(got), c.lines)
		}
	}
}
