package inspector

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestOneGate holds that text reaches the screen through widget.Draw alone, and
// that nothing of tview or tcell that prints or parses text is used elsewhere.
func TestOneGate(t *testing.T) {
	forbidden := regexp.MustCompile(`\.(Put|PutStr|PutStrStyled|SetContent|SetCell|SetTitle|Escape|ANSIWriter|TranslateANSI|SetText|SetLabel)\(` +
		`|tview\.(Print|PrintSimple|Escape|NewTextView|NewTable|NewTreeView|NewList|NewModal|NewInputField|NewTextArea|NewForm|NewButton)\b`)
	root := ".."
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if !strings.Contains(string(src), "/tcell/v2") && !strings.Contains(string(src), "/rivo/tview") {
			return nil
		}
		files++
		if filepath.ToSlash(path) == root+"/inspector/widget/draw.go" {
			return nil
		}
		for i, line := range strings.Split(string(src), "\n") {
			if m := forbidden.FindString(line); m != "" {
				t.Errorf("%s:%d: %s goes round the gate: draw with widget.Draw", path, i+1, m)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 8 {
		t.Errorf("looked at %d files of the terminal's packages: the walk misses them", files)
	}
}

// TestGoroutinesAreSafe holds that every goroutine of the inspector starts in
// pump.safe, so that its panic cannot leave the terminal raw.
func TestGoroutinesAreSafe(t *testing.T) {
	bare := regexp.MustCompile(`(?m)^\s*go (func|\w+[.(])`)
	seen := 0
	for _, pattern := range []string{"*.go", "pane/*.go", "widget/*.go", "travel/*.go"} {
		paths, _ := filepath.Glob(pattern)
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			n := len(bare.FindAll(src, -1))
			seen += n
			if n > 0 && path != "pump.go" {
				t.Errorf("%s starts %d goroutines beside pump.safe", path, n)
			}
		}
	}
	if seen != 1 {
		t.Errorf("%d goroutines start in all, want the one in pump.safe", seen)
	}
}
