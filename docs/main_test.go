// Package docs_test keeps the documentation true: it runs every command that
// README.md and these pages show, compares what is printed, generates the
// tables that the program itself knows, and draws the pictures from the real
// screen. With -update it writes what it finds.
package docs_test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write outputs, tables and pictures anew")

// hint ends every complaint about a page that is out of date.
const hint = "if that is meant: go test ./docs -update"

// program is the folder of the built program, cache where its indexes go.
var program, cache string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "hindcast-docs-*")
	if err != nil {
		fmt.Fprintln(os.Stderr, "make a folder for the program:", err)
		return 1
	}
	defer os.RemoveAll(dir)
	program, cache = filepath.Join(dir, "bin"), filepath.Join(dir, "cache")
	build := exec.Command("go", "build", "-o", filepath.Join(program, "hindcast"), "./cmd/hindcast")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build the program: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// dependOnSources looks at every source of the program. go test keeps a result
// as long as nothing that the test looked at has changed, and it does not see
// what the program was built from.
func dependOnSources(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && strings.HasPrefix(d.Name(), ".") && name != ".." {
			return filepath.SkipDir
		}
		switch filepath.Ext(name) {
		case ".go", ".sql", ".jsonl", ".mod", ".sum":
			_, err = os.Stat(name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// environment is what the program runs in: nothing of the user's own.
func environment() []string {
	return []string{
		"PATH=" + program + string(os.PathListSeparator) + os.Getenv("PATH"),
		"HOME=" + cache, "XDG_CACHE_HOME=" + cache, "XDG_DATA_HOME=" + cache,
		"TERM=xterm-256color", "COLORTERM=truecolor", "LC_ALL=C.UTF-8", "TZ=UTC",
	}
}

// pages lists README.md, the pages beside these tests, and those of the dialects.
func pages(t *testing.T) []string {
	t.Helper()
	list, err := filepath.Glob("*.md")
	if err != nil || len(list) < 5 {
		t.Fatalf("found pages %v: %v", list, err)
	}
	return append(append([]string{"../README.md"}, list...), dialectPages(t)...)
}

// dialectPages lists the pages that tell of one dialect each.
func dialectPages(t *testing.T) []string {
	t.Helper()
	list, err := filepath.Glob("dialects/*.md")
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// settle compares a page with what it should be, or writes it.
func settle(t *testing.T, name, have, want string) {
	t.Helper()
	if have == want {
		return
	}
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	a, b := strings.Split(have, "\n"), strings.Split(want, "\n")
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(a):
			t.Fatalf("%s ends before line %d: %q\n%s", name, i+1, b[i], hint)
		case i >= len(b):
			t.Fatalf("%s:%d is left over: %q\n%s", name, i+1, a[i], hint)
		case a[i] != b[i]:
			t.Fatalf("%s:%d says\n\t%s\nbut it is\n\t%s\n%s", name, i+1, a[i], b[i], hint)
		}
	}
}
