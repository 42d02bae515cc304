package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "hindcast"

// levels gives each package its height: imports go strictly down. A pattern
// that ends in /* stands for every package right below a folder; the first that
// matches counts.
var levels = []struct {
	pattern string
	height  int
}{
	{"fixtures/*", 110}, // tools: nobody imports them
	{"fixtures/gen/*", 105},
	{"cmd/*", 100},
	{"inspector", 90},
	{"inspector/pane", 80},
	{"inspector/command", 70},
	{"inspector/travel", 70},
	{"inspector/widget", 70},
	{"inspector/config", 65}, // what the user has set
	{"inspector/keep", 65},   // what is kept for the user
	{"render", 60},
	{"index", 60},
	{"render/*", 50},
	{"index/importer", 50},
	{"index/check", 40},
	{"index/mapping", 40},
	{"index/compare", 40},
	{"index/slice", 40},
	{"index/bisect", 40},
	{"index/installed", 40},
	{"index/tomlfile", 30},
	{"index/source", 30},
	{"index/store", 30},
	{"model/dialect", 25}, // the table of the dialects
	{"model/dialect/*", 20},
	{"model/replay", 20},
	{"model/query", 20},
	{"model/textdiff", 10},
	{"model/answer", 10},
	{"model/chat", 15}, // what message lists have in common
	{"model/phrase", 10},
	{"model/patch", 10},
	{"model/jsonscan", 5},
	{"model/varint", 5},
	{"fixtures", 5}, // embedded files
	{"docs", 5},     // embedded pages
	{"model", 0},
}

// doors gives each library outside of the standard one the packages that may
// import it. A library that stands in no line may be imported by none.
var doors = map[string][]string{
	"github.com/rivo/tview":             {"inspector", "inspector/pane", "inspector/widget"},
	"github.com/gdamore/tcell/v2":       {"inspector", "inspector/pane", "inspector/widget", "render/theme"},
	"github.com/alecthomas/chroma/v2":   {"render/syntax"},
	"github.com/atotto/clipboard":       {"inspector"}, // which copies
	"github.com/rivo/uniseg":            {"render/text"},
	"github.com/sergi/go-diff":          {"model/textdiff"},
	"modernc.org/sqlite":                {"index/store", "index/source"},
	"github.com/expr-lang/expr":         {"index/bisect"},
	"github.com/spf13/cobra":            {"cmd/hindcast"},
	"github.com/spf13/pflag":            {"cmd/hindcast"},
	"github.com/modelcontextprotocol":   {"cmd/hindcast"},
	"github.com/schollz/progressbar/v3": {"cmd/hindcast"},
	"golang.org/x/term":                 {"cmd/hindcast"},
	"github.com/klauspost/compress":     {"index/source", "index/store"}, // dumps; blocks of spooled input
	"github.com/fsnotify/fsnotify":      {"index/source"},
	"github.com/pelletier/go-toml/v2":   {"index/tomlfile"},
	"github.com/cespare/xxhash/v2":      {"index/source", "index/importer", "index/store"},
	"golang.org/x/sys":                  {"index/source", "index/store", "inspector"},
}

// ioPackages are out of bounds for model and all below it.
var ioPackages = []string{"os", "os/exec", "os/signal", "net", "net/http", "syscall", "database/sql", "path/filepath"}

// blanks are the blank imports that mean no hidden registration of ours.
var blanks = map[string][]string{
	"embed":              nil, // anywhere
	"modernc.org/sqlite": {"index/store", "index/source"},
}

// arrow is one import.
type arrow struct {
	from, to string // from within the module; to as written
	blank    bool
}

func height(pkg string) (int, bool) {
	for _, l := range levels {
		if l.pattern == pkg || strings.HasSuffix(l.pattern, "/*") && path.Dir(pkg) == strings.TrimSuffix(l.pattern, "/*") {
			return l.height, true
		}
	}
	return 0, false
}

// violations lists what is wrong with a set of imports.
func violations(arrows []arrow) []string {
	var out []string
	for _, a := range arrows {
		if why := violation(a); why != "" {
			out = append(out, a.from+" imports "+a.to+": "+why)
		}
	}
	return out
}

func violation(a arrow) string {
	from, ok := height(a.from)
	if !ok {
		return a.from + " has no place in the layout"
	}
	if a.blank {
		if only, ok := blanks[a.to]; !ok || only != nil && !slices.Contains(only, a.from) {
			return "a blank import"
		}
	}
	if pkg, ours := strings.CutPrefix(a.to, module+"/"); ours {
		return within(a.from, from, pkg)
	}
	if !strings.Contains(strings.SplitN(a.to, "/", 2)[0], ".") {
		if under(a.from, "model") && slices.Contains(ioPackages, a.to) {
			return "model does no input or output"
		}
		return ""
	}
	for library, packages := range doors {
		if under(a.to, library) {
			if !slices.Contains(packages, a.from) {
				return "the door of " + library + " is " + strings.Join(packages, ", ")
			}
			return ""
		}
	}
	return "a library without a door"
}

func within(fromPkg string, from int, pkg string) string {
	to, ok := height(pkg)
	switch {
	case !ok:
		return pkg + " has no place in the layout"
	case under(fromPkg, "render") && under(pkg, "index"), under(fromPkg, "index") && under(pkg, "render"):
		return "render and index never meet"
	case pkg == "fixtures" && !under(fromPkg, "cmd") && !under(fromPkg, "fixtures"):
		return "only cmd and tools need the fixtures"
	case from > to:
		return ""
	case from == to:
		return "packages of one level do not import each other"
	}
	return "the arrow points up"
}

func under(pkg, folder string) bool { return pkg == folder || strings.HasPrefix(pkg, folder+"/") }

// moduleRoot walks up to the folder of go.mod.
func moduleRoot(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if filepath.Dir(dir) == dir {
			t.Fatal("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
}

// readTree parses every file that is no test, for all platforms, and gives the
// imports and the init functions.
func readTree(t *testing.T, root string) (arrows []arrow, inits []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") && name != root {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		rel, err := filepath.Rel(root, filepath.Dir(name))
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(rel)
		for _, i := range file.Imports {
			to, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			arrows = append(arrows, arrow{from: pkg, to: to, blank: i.Name != nil && i.Name.Name == "_"})
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
				inits = append(inits, pkg+"/"+filepath.Base(name))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return arrows, inits
}

func TestLayers(t *testing.T) {
	arrows, inits := readTree(t, moduleRoot(t))
	if len(arrows) < 50 {
		t.Fatalf("only %d imports found: the test looks in the wrong place", len(arrows))
	}
	for _, v := range violations(arrows) {
		t.Error(v)
	}
	for _, file := range inits {
		t.Errorf("%s has an init function: nothing happens by being imported", file)
	}
}

// TestLayersRefuse proves that the test above can fail: each of these imports
// is against the layout.
func TestLayersRefuse(t *testing.T) {
	for _, a := range []arrow{
		{from: "model", to: "hindcast/model/answer"},
		{from: "model", to: "os"},
		{from: "model/jsonscan", to: "hindcast/model/answer"},
		{from: "model/dialect/eventlog", to: "hindcast/model/dialect/openhands"},
		{from: "model/dialect/eventlog", to: "hindcast/model/dialect"},
		{from: "model/query", to: "hindcast/index/store"},
		{from: "model/query", to: "net/http"},
		{from: "index/store", to: "hindcast/index/source"},
		{from: "index/source", to: "hindcast/index"},
		{from: "index", to: "hindcast/render"},
		{from: "index/importer", to: "hindcast/render/text"},
		{from: "render", to: "hindcast/index"},
		{from: "render/text", to: "hindcast/index/store"},
		{from: "render/text", to: "hindcast/render/theme"},
		{from: "inspector/command", to: "hindcast/inspector/travel"},
		{from: "inspector/command", to: "hindcast/inspector"},
		{from: "inspector/pane", to: "hindcast/cmd/hindcast"},
		{from: "inspector/command", to: "github.com/rivo/tview"},
		{from: "inspector/command", to: "github.com/spf13/cobra"},
		{from: "render", to: "github.com/gdamore/tcell/v2"},
		{from: "render", to: "github.com/alecthomas/chroma/v2/lexers"},
		{from: "index", to: "modernc.org/sqlite/lib"},
		{from: "model", to: "github.com/rivo/uniseg"},
		{from: "index", to: "example.org/unknown"},
		{from: "utils", to: "fmt"},
		{from: "index", to: "hindcast/utils"},
		{from: "index", to: "hindcast/fixtures"},
		{from: "cmd/hindcast", to: "hindcast/fixtures/gen"},
		{from: "inspector", to: "image/png", blank: true},
		{from: "index", to: "modernc.org/sqlite", blank: true},
	} {
		if len(violations([]arrow{a})) != 1 {
			t.Errorf("%s may import %s", a.from, a.to)
		}
	}
	for _, a := range []arrow{
		{from: "cmd/hindcast", to: "hindcast/model"},
		{from: "cmd/hindcast", to: "github.com/spf13/cobra/doc"},
		{from: "model/dialect", to: "hindcast/model/dialect/eventlog"},
		{from: "index/store", to: "modernc.org/sqlite", blank: true},
		{from: "fixtures", to: "embed", blank: true},
		{from: "inspector/pane", to: "github.com/gdamore/tcell/v2"},
	} {
		if v := violations([]arrow{a}); len(v) != 0 {
			t.Error(v)
		}
	}
	if got := fmt.Sprint(violations(nil)); got != "[]" {
		t.Errorf("no imports, but %s", got)
	}
}
