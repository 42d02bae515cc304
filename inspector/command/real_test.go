package command

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"hindcast/fixtures"
	"hindcast/index"
	"hindcast/model/answer"
)

// answers are lines whose JSON must be as its schema says.
var answers = []struct{ line, schema string }{
	{"sessions", "sessions"}, {"stats", "stats"}, {"query", "events"}, {"query kind:error --payload", "events"}, {"query --jsonl", "event"},
	{"query --jsonl --watch errors.count", "event"}, {"tail", "events"}, {"show last", "event"}, {"dialects", "dialects"}, {"dialects codex", "dialects"}, {"version", "version"},
	{"import x", "import"}, {"why last", "why"}, {"why --effects first", "effects"}, {"why --tree last", "why-tree"},
	{"state", "state"}, {"state --at first", "state"}, {"state /files", "state-value"}, {"state /context/messages", "state-value"}, {"state errors.count", "state-value"},
	{"diff first last", "diff"}, {"diff last first", "diff"}, {"diff last last", "diff"}, {"diff first last /files", "diff"},
	{"blame errors.count", "blame"}, {"blame /status/reason", "blame"}, {"history errors.count", "history"}, {"history /files", "history"},
	{"context", "context"}, {"context --for last --lost", "context"}, {"context --window 3 --view cold", "context"},
	{"knew the", "knew"}, {"knew 'no such text'", "knew"}, {"origin the", "origin"}, {"origin 'no such text'", "origin"},
	{"bisect 'errors.count > 0'", "bisect"}, {"bisect 'len(pending) > 0'", "bisect"},
	{"why /errors/count", "why"}, {"check", "check"}, {"state --restore", "state"}, {"diff --restore last", "diff"},
}

// demoAnswers are lines for the demo alone.
var demoAnswers = []struct{ line, schema string }{
	{"blame file:config/app.yaml --at 88", "blame-file"}, {"blame file:config/app.yaml:3", "blame-file"}, {"history file:config/app.yaml", "history"},
	{"state file:config/app.yaml", "state-value"}, {"why file:config/app.yaml:3", "why"}, {"knew 8080", "knew"}, {"origin 8000 --at 92", "origin"},
	{"diff --recorded 104", "diff"}, {"diff --restore 110", "diff"}, {"state file:Makefile --restore --at 110", "state-value"},
}

// TestRealAnswersHoldToTheirSchemas asks every verb of the project's own dumps.
func TestRealAnswersHoldToTheirSchemas(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	all := readSchemas(t)
	for _, dump := range []string{"demo:", "eventlog/broken.jsonl", "eventlog/folder", "openhands/v1-broken", "openhands/v0-clean.json", "hostile/escapes.jsonl"} {
		t.Run(dump, func(t *testing.T) {
			api := openReal(t, dump)
			list := answers
			if dump == "demo:" {
				list = append(list[:len(list):len(list)], demoAnswers...)
			}
			for _, a := range list {
				format := JSON
				if a.schema == "event" {
					format = Human // --jsonl chooses; show has no other document
				}
				if a.line == "show last" {
					format = JSON
				}
				got, err := ask(api, format, a.line)
				if err != nil {
					var usage *UsageError
					if errors.As(err, &usage) { // this dump has no such value
						continue
					}
					t.Errorf("%s: %v", a.line, err)
					continue
				}
				t.Run(a.line, func(t *testing.T) { all.holds(t, a.schema, got) })
			}
		})
	}
}

// TestAnswersOfTheStoryHoldToTheirSchemas does the same with the answers of the
// world in memory, which has what few dumps have.
func TestAnswersOfTheStoryHoldToTheirSchemas(t *testing.T) {
	all := readSchemas(t)
	for _, a := range []struct{ line, schema string }{
		{"state", "state"}, {"state --restore", "state"}, {"state file:config/app.yaml --restore", "state-value"}, {"state /tasks", "state-value"},
		{"diff 2 8", "diff"}, {"diff --restore 8", "diff"}, {"diff --recorded 7", "diff"}, {"blame errors.count", "blame"}, {"blame /status/reason", "blame"},
		{"blame file:config/app.yaml", "blame-file"}, {"history file:config/app.yaml", "history"}, {"why /errors/count", "why"}, {"context --for 8 --lost", "context"},
		{"context --window 2 --view cold", "context"}, {"knew 8080", "knew"}, {"origin 8000", "origin"}, {"bisect 'errors.count > 0'", "bisect"}, {"check", "check"},
	} {
		got, err := ask(newWorld(), JSON, a.line)
		if err != nil {
			t.Errorf("%s: %v", a.line, err)
			continue
		}
		t.Run(a.line, func(t *testing.T) { all.holds(t, a.schema, got) })
	}
	var b bytes.Buffer
	if err := answer.Encode(&b, answer.Error{Error: answer.ErrorBody{Code: "usage", Message: "x"}}); err != nil {
		t.Fatal(err)
	}
	all.holds(t, "error", b.String())
}

// ask runs a line on an index and gives what it writes.
func ask(api index.API, format Format, line string) (string, error) {
	words, err := SplitLine(line)
	if err != nil {
		return "", err
	}
	c, _ := Find(words[0])
	a, err := c.ParseArgs(words[1:])
	if err != nil {
		return "", err
	}
	got, err := c.Run(context.Background(), &Env{Index: api}, a)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	err = got.Write(context.Background(), &Output{W: &out, Format: format})
	return out.String(), err
}

// openReal opens one of the project's fixtures, copied where it may be read.
func openReal(t *testing.T, name string) index.API {
	t.Helper()
	dump := name
	if name != "demo:" {
		dump = filepath.Join(t.TempDir(), filepath.Base(name))
		if err := copyFixture(name, dump); err != nil {
			t.Fatal(err)
		}
	}
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	x, err := index.Open(ctx, []string{dump}, index.Options{Embedded: fixtures.Demo()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	if err := x.Wait(ctx); err != nil {
		t.Fatal(err)
	}
	return x
}

func copyFixture(name, to string) error {
	return fs.WalkDir(fixtures.FS, name, func(at string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(filepath.FromSlash(name), filepath.FromSlash(at))
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		}
		data, err := fixtures.FS.ReadFile(at)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), data, 0o644)
	})
}
