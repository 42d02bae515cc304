package config_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"hindcast/inspector/config"
)

// board is a keyboard with two commands, of which one takes no x.
type board struct{}

func (board) Commands(preset string) []config.Command {
	keys := []string{"c"}
	if preset == "less" {
		keys = []string{"l"}
	}
	return []config.Command{{Name: "cause", About: "to the cause", Keys: keys}, {Name: "help", About: "help", Keys: []string{"?"}}}
}

func (board) Check(_ string, keys map[string][]string) []config.KeyFault {
	for _, k := range keys["cause"] {
		if k == "x" {
			return []config.KeyFault{{Name: "cause", Message: "no x"}}
		}
	}
	return nil
}

func load(t *testing.T, text string, env map[string]string) config.Result {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return config.Load(config.Request{Path: path, Getenv: func(name string) string { return env[name] }, Keyboard: board{}})
}

func problems(r config.Result) string {
	var out []string
	for _, p := range r.Problems {
		out = append(out, strings.TrimPrefix(p.Error(), filepath.Dir(r.Path)+"/"))
	}
	return strings.Join(out, "\n")
}

func TestNoFileIsTheDefault(t *testing.T) {
	r := config.Load(config.Request{Path: filepath.Join(t.TempDir(), "none.toml"), Getenv: func(string) string { return "" }, Keyboard: board{}})
	if r.Exists || len(r.Problems) > 0 || !reflect.DeepEqual(r.Config, config.Default()) {
		t.Errorf("%+v", r)
	}
}

// TestPrintedIsSaved: what is printed says the same when it is read, with texts
// that need care in TOML.
func TestPrintedIsSaved(t *testing.T) {
	for _, editor := range []string{"", `vi -c "set ro"`, `C:\bin\ed.exe`, "it's \"odd\" \\ here", "tab\there", "bidi\u202e", "ünï"} {
		text := "theme = \"light\"\nmouse = false\n[timeline]\nhide_types = [\"a*\", '\"']\n[keys]\ncause = [\"z\", \"\\\"\"]\n"
		first := load(t, text, map[string]string{"EDITOR": editor})
		second := load(t, first.TOML(), nil)
		if len(first.Problems)+len(second.Problems) > 0 || !reflect.DeepEqual(first.Config, second.Config) {
			t.Errorf("%q: %s %s\n%+v\n%+v", editor, problems(first), problems(second), first.Config, second.Config)
		}
		if second.Editor != editor {
			t.Errorf("editor %q, want %q", second.Editor, editor)
		}
		if strings.ContainsRune(first.TOML(), '\u202e') {
			t.Error("what could steer a terminal is printed")
		}
	}
}

func TestWrongFiles(t *testing.T) {
	for text, want := range map[string]string{
		"theme = 3":                             "config.toml:1: theme: 3 cannot be: allowed: auto, dark, light, high-contrast, 16, none",
		"\nmouse = \"yes\"":                     "config.toml:2: mouse: \"yes\" is neither true nor false",
		"[timeline]\nclock = \"utc\"":           "config.toml:2: timeline.clock: \"utc\" cannot be: allowed: start, row, wall",
		"[timeline]\ncolumns = [\"seq\",\"x\"]": "config.toml:2: timeline.columns: \"x\" is none of them: allowed: seq, time, who, out, took",
		"[timeline]\ncolumn = 1":                "config.toml:2: timeline.column: there is no such key; the keys here are columns, clock, records, follow, hide_kinds, hide_types",
		"timeline.hide_types = {a = 1}":         "config.toml:1: timeline.hide_types: it is a table: write a list, such as [\"a\", \"b\"]",
		"[keys]\nnone = \"x\"":                  "config.toml:2: keys.none: no command has that name; hindcast config lists them",
		"[keys]\nhelp = \"h\"\ncause = \"x\"":   "config.toml:3: keys.cause: no x",
		"theme":                                 "config.toml:1: ",
		"\xff\xfet\x00":                         "config.toml: it is UTF-16 text; save it as UTF-8",
	} {
		r := load(t, text, nil)
		if got := problems(r); !strings.HasPrefix(got, want) {
			t.Errorf("%q:\n%s\nwant\n%s", text, got, want)
		}
		if !reflect.DeepEqual(r.Config, config.Default()) {
			t.Errorf("%q: something of it holds: %+v", text, r.Config)
		}
	}
}

func TestOneFaultSparesTheRest(t *testing.T) {
	r := load(t, "theme = \"no\"\nmouse = false\n[keys]\npreset = \"less\"\n", nil)
	if r.Mouse || r.Theme != "auto" || r.Preset != "less" || len(r.Problems) != 1 {
		t.Errorf("%+v", r)
	}
	for _, v := range r.Values {
		if v.Key == "keys.cause" && !reflect.DeepEqual(v.Value, []string{"l"}) {
			t.Errorf("the preset's key is not told: %+v", v)
		}
	}
}
