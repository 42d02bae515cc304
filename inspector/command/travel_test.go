package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"hindcast/index"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/render"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares what a verb wrote with testdata/name.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (run with -update)", err)
	}
	if got != string(want) {
		t.Errorf("%s differs:\n%s\nwant:\n%s", name, got, want)
	}
}

// travels are command lines of the verbs of time travel, by the names of their
// golden files.
var travels = map[string]string{
	"state":          "state",
	"state-restore":  "state --restore",
	"state-file":     "state file:config/app.yaml",
	"state-files":    "state /files",
	"state-vars":     "state /vars",
	"state-leaf":     "state errors.count --at 8",
	"restored-file":  "state file:config/app.yaml --restore",
	"diff":           "diff 2 8",
	"diff-same":      "diff 3 3",
	"diff-path":      "diff 2 8 /errors",
	"diff-restore":   "diff --restore 8",
	"diff-recorded":  "diff --recorded 7",
	"blame":          "blame errors.count",
	"blame-initial":  "blame /status/reason",
	"blame-file":     "blame file:config/app.yaml",
	"history":        "history /errors/count",
	"history-file":   "history file:config/app.yaml",
	"history-none":   "history usage.cost_usd",
	"why-path":       "why /errors/count",
	"why-line":       "why file:config/app.yaml:2",
	"context":        "context",
	"context-for":    "context --for 8 --all",
	"context-lost":   "context 7 --lost",
	"context-window": "context --window 2 --view cold",
	"knew":           "knew 8080",
	"knew-never":     "knew nothing",
	"origin":         "origin 8000 --at 8",
	"origin-none":    "origin 9999",
	"bisect":         "bisect 'errors.count > 0'",
	"bisect-twice":   "bisect 'len(pending) > 0'",
	"bisect-never":   "bisect false",
	"check":          "check",
	"query-watch":    "query --watch errors.count",
	"tail-watch":     "tail -n 3 --watch /pending/call_9",
}

// TestTravelGolden: the verbs for people at two widths, and as JSON.
func TestTravelGolden(t *testing.T) {
	for name, line := range travels {
		t.Run(name, func(t *testing.T) {
			for _, width := range []int{80, 0} {
				got, _ := run(t, newWorld(), Output{Width: width}, line)
				for _, l := range strings.Split(got, "\n") {
					if n := len([]rune(l)); width > 0 && n > width {
						t.Errorf("%d cells at width %d: %s", n, width, l)
					}
				}
				golden(t, fmt.Sprintf("%s-%d.txt", name, width), got)
			}
			format := JSON
			if strings.HasSuffix(name, "-watch") {
				format = JSONLines
			}
			got, _ := run(t, newWorld(), Output{Format: format}, line)
			golden(t, name+".json", got)
		})
	}
}

// TestTravelAsks: what the words of a line mean to the index.
func TestTravelAsks(t *testing.T) {
	for line, want := range map[string]string{
		"state --at 3":                          "state 3 false",
		"state / --restore":                     "state 8 true",
		"state errors.count --at 3":             "value 3 /errors/count",
		"diff 2 8 file:a/b.go":                  "diff 2 8 /files/a~1b.go",
		"diff 8 2":                              "diff 8 2 ",
		"diff s1@@2 8 /errors":                  "diff 2 8 /errors",
		"diff --restore 5 /usage":               "restored 5 /usage",
		"diff --recorded 7 /files":              "recorded 7 /files",
		"blame file:a/b.go:2 --at 4":            "blame 4 a/b.go 2",
		"blame /files/a~1b.go":                  "blame 8 /files/a~1b.go",
		"history file:a/b.go":                   "history s1 /files/a~1b.go",
		"why errors.count":                      "",
		"why /errors/count --at 8":              "why 8 /errors/count",
		"context 4":                             "context 4 for=false cold=false lost=false window=0",
		"context --for 4 --lost":                "context 4 for=true cold=false lost=true window=0",
		"context --at 4 --view cold --window 3": "context 4 for=false cold=true lost=false window=3",
		"knew 'port: 8080'":                     "knew s1 port: 8080",
		"origin x --at 2":                       "origin 2 x",
		"check":                                 "check ",
	} {
		w := newWorld()
		words, _ := SplitLine(line)
		c, _ := Find(words[0])
		a, err := c.ParseArgs(words[1:])
		var got Answer
		if err == nil {
			got, err = c.Run(context.Background(), &Env{Index: w}, a)
		}
		if err == nil { // some ask as they write
			err = got.Write(context.Background(), &Output{W: io.Discard})
		}
		if want == "" {
			if err == nil {
				t.Errorf("%s is no event, and was taken for one", line)
			}
			continue
		}
		if err != nil || len(w.asked) == 0 || w.asked[0] != want {
			t.Errorf("%s asked %q, %v; want %q", line, w.asked, err, want)
		}
	}
}

// TestHistoryStreams: a long history comes in parts, and ends with its number of
// writes; as JSON it is one document.
func TestHistoryStreams(t *testing.T) {
	w := newWorld()
	w.again = 349
	for _, format := range []Format{Human, JSON} {
		c, _ := Find("history")
		a, err := c.ParseArgs([]string{"file:config/app.yaml"})
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Run(context.Background(), &Env{Index: w}, a)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		parts := 0
		o := &Output{W: &out, Format: format}
		if format == Human {
			o.Sink = func(lines []render.Line) error {
				parts++
				return render.WriteLines(&out, lines, nil)
			}
		}
		if err := got.Write(context.Background(), o); err != nil {
			t.Fatal(err)
		}
		if format == JSON {
			var h answer.History
			if err := json.Unmarshal(out.Bytes(), &h); err != nil || len(h.Writes) != 700 || h.Path != "/files/config~1app.yaml" {
				t.Errorf("%d writes of %s (%v)", len(h.Writes), h.Path, err)
			}
			continue
		}
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if parts != 4 || lines[0] != "history /files/config~1app.yaml" || lines[len(lines)-1] != "history /files/config~1app.yaml  700 writes in all" {
			t.Errorf("%d parts, from %q to %q", parts, lines[0], lines[len(lines)-1])
		}
	}
}

// TestTravelRefuses: what cannot be meant is refused, most of it before a dump
// is opened.
func TestTravelRefuses(t *testing.T) {
	for line, want := range map[string]string{
		"state /eror":                        "column 2",
		"state erors.count":                  "did you mean /errors?",
		"state file:":                        "column 6",
		"state file:a.go:3":                  "hindcast blame file:a.go:3",
		"blame config/app.yaml":              "file:config/app.yaml",
		"blame /srv/main.go":                 "file:/srv/main.go",
		"blame x":                            "the state holds",
		"state a b":                          "unexpected",
		"state /errors/none":                 "nearest: /errors/count",
		"diff":                               "two points",
		"diff 1":                             "two points",
		"diff 1 2 nope":                      "column 1",
		"diff --restore 1 --recorded 2":      "exclude",
		"diff --restore 1 2 3":               "no others",
		"diff 1 99":                          "no event",
		"diff s1@@1 t1@@1":                   "two sessions",
		"blame":                              "missing",
		"blame stauts":                       "did you mean /status?",
		"history /":                          "too much",
		"blame /":                            "too much",
		"why /":                              "too much",
		"why /errors/count --effects":        "hindcast blame",
		"why file:a.go:3":                    "no recorded write explains line 3",
		"context 1 --for 2":                  "one address",
		"context --at 1 --for 2":             "one address",
		"context --window 0":                 "keeps nothing",
		"context --view hot":                 "live cold",
		"knew ' '":                           "empty",
		"origin ''":                          "empty",
		"bisect ''":                          "empty",
		"bisect 'errors.count >'":            "column 15",
		"query --watch nope":                 "column 1",
		"query --watch /":                    "too much",
		"tail --watch file:a.go:1":           "blame",
		"state /files/nothing.txt --restore": "would not rebuild",
	} {
		w := newWorld()
		w.sessions = append(w.sessions, model.Session{ID: "t1"})
		w.events = append(w.events, model.Event{Session: "t1", Pos: 1, Seq: 1})
		_, err := Execute(context.Background(), &Env{Index: w}, line, 80)
		said := fmt.Sprint(err)
		var u *UsageError
		if errors.As(err, &u) {
			said += u.Hint
		}
		if err == nil || !strings.Contains(said, want) {
			t.Errorf("%s: %s, want %q", line, said, want)
		}
	}
}

func TestWatchNeedsItsForms(t *testing.T) {
	w := newWorld()
	c, _ := Find("query")
	for _, o := range []Output{{Format: JSON}, {Format: CSV}} {
		got, err := c.Run(context.Background(), &Env{Index: w}, NewArgs(nil, map[string]string{"watch": "errors.count"}))
		if err != nil {
			t.Fatal(err)
		}
		if err := got.Write(context.Background(), &o); err == nil || !strings.Contains(err.Error(), "--jsonl") {
			t.Errorf("format %d: %v", o.Format, err)
		}
	}
}

// TestRefusalsKeepTheirCause: who asks for the index's own error finds it.
func TestRefusalsKeepTheirCause(t *testing.T) {
	var path *index.PathError
	if err := refusal(&index.PathError{Path: "/x", Reason: "none"}); !errors.As(err, &path) {
		t.Errorf("%v is no PathError", err)
	}
	var expr *index.ExprError
	if err := refusal(&index.ExprError{Reason: "none"}); !errors.As(err, &expr) {
		t.Errorf("%v is no ExprError", err)
	}
	other := errors.New("other")
	if refusal(other) != other {
		t.Error("another error is changed")
	}
}

func TestExitCodesOfTravel(t *testing.T) {
	for line, want := range map[string]int{
		"diff 2 8": 1, "diff 3 3": 0, "diff --restore 8": 1, "check": 1, "check --session": 0, "knew nothing": 0, "bisect false": 0,
	} {
		words, _ := SplitLine(line)
		env := &Env{Index: newWorld()}
		if words[len(words)-1] == "--session" {
			env.Session, words = "s1", words[:1]
		}
		c, _ := Find(words[0])
		a, err := c.ParseArgs(words[1:])
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Run(context.Background(), env, a)
		if err != nil {
			t.Fatal(err)
		}
		code := 0
		if c, ok := got.(Coded); ok {
			code = c.ExitCode()
		}
		if code != want {
			t.Errorf("%s exits %d, want %d", line, code, want)
		}
	}
}

func TestPlacesIn(t *testing.T) {
	ctx := context.Background()
	for word, want := range map[string]string{
		"":               "/status",
		"/fi":            "/files",
		"/files/":        "/files/config~1app.yaml",
		"file:":          "file:config/app.yaml",
		"/context/messa": "/context/notes.md",
	} {
		if got := PlacesIn(ctx, newWorld(), "", word); !contains(got, want) {
			t.Errorf("%q completes to %v, want %s among them", word, got, want)
		}
	}
}

func TestNear(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"errors", "errors", true}, {"erors", "errors", true}, {"stauts", "status", true}, {"statas", "status", true},
		{"xstatus", "status", true}, {"task", "tasks", true}, {"use", "usage", false}, {"", "vars", false}, {"v", "vars", false},
	} {
		if got := near(tt.a, tt.b); got != tt.want {
			t.Errorf("near(%q, %q) = %v", tt.a, tt.b, got)
		}
	}
}

// TestPick finds what a pointer names, and nothing else.
func TestPick(t *testing.T) {
	doc := []byte(stateJSON(false))
	for pointer, want := range map[string]string{
		"/errors/count": "1", "/tasks/2/title": `"Test it"`, "/pending/call_9/seq": "5", "/context/messages/0000000001/chars": "18",
		"/files/config~1app.yaml/certainty": `"derived"`, "/status/reason": "null", "/tasks/3": "", "/errors/count/x": "", "/nope": "", "/tasks/x/y": "",
	} {
		got, ok := pick(doc, pointer)
		if ok != (want != "") || ok && !reflect.DeepEqual(string(got), want) {
			t.Errorf("%s: %s %v, want %s", pointer, got, ok, want)
		}
	}
}
