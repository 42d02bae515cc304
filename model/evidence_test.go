package model_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"hindcast/model"
)

// places writes down the places that a text names: path:line.
func places(text string) string {
	var out []string
	for _, p := range model.ReadClues(text).Places {
		s := p.Path
		if p.Line > 0 {
			s += fmt.Sprintf(":%d", p.Line)
		}
		if p.Frame {
			s += "(frame)"
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func TestCluePlaces(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"go compiler", "# greeter\n./config.go:27:9: not enough return values\n", "config.go:27"},
		{"go test", "    main_test.go:15: status 404, want 200", "main_test.go:15"},
		{"go panic", "\t/srv/app/main.go:42 +0x1d", "/srv/app/main.go:42"},
		{"python", "Traceback (most recent call last):\n  File \"/srv/app/file.py\", line 3, in <module>\n", "/srv/app/file.py:3"},
		{"python in a folder with a space", "  File \"/srv/my app/db.py\", line 12, in open", "app/db.py:12 /srv/my"},
		{"pytest", "tests/test_a.py:10: AssertionError", "tests/test_a.py:10"},
		{"node", "    at f (x.js:4:34)", "x.js:4"},
		{"node url", "    TestContext.<anonymous> (file:///srv/demo/shop/test/book.test.js:4:34)", "/srv/demo/shop/test/book.test.js:4"},
		{"node inside", "    Test.run (node:internal/test_runner/test:796:25)", "internal/test_runner/test:796 Test.run"},
		{"rust", "error[E0425]: cannot find value\n  --> src/main.rs:2:5", "src/main.rs:2"},
		{"typescript", "src/a.ts(3,5): error TS2304: Cannot find name 'x'.", "src/a.ts:3"},
		{"java", "\tat com.acme.Foo.bar(Foo.java:12)", "Foo.java:12 com.acme.Foo.bar"},
		{"c#", "   at A.B() in /x/y.cs:line 12", "/x/y.cs:12 A.B"},
		{"ruby", "lib/x.rb:3:in `foo': bad (RuntimeError)", "lib/x.rb:3"},
		{"php", "PHP Fatal error: x in /srv/x.php on line 12", "/srv/x.php:12"},
		{"perl", "died at script.pl line 3.", "script.pl:3"},
		{"shell", "./run.sh: line 5: foo: command not found", "run.sh:5"},
		{"make", "make: *** [Makefile:5: smoke] Error 1", "Makefile:5(frame)"},
		{"eslint", "/srv/src/a.js\n  3:5  error  no-undef\n  9:1  error  semi\n\n  4:4 x", "/srv/src/a.js:3 /srv/src/a.js:9 /srv/src/a.js"},
		{"github", "see src/a.go#L12", "src/a.go:12"},
		{"windows", `C:\src\app\main.cpp(12): error C2065`, "C:/src/app/main.cpp:12"},
		{"colours", "\x1b[31m./x.go:12\x1b[0m:3: bad", "x.go:12"},
		{"bare", "./scripts/smoke.sh failed, config/app.yaml is missing.", "scripts/smoke.sh config/app.yaml"},
		{"sentence", "cannot read config.yaml.", "config.yaml"},
		{"lined first", "a/b.go is bad\nc.go:2: worse", "c.go:2 a/b.go"},
		{"grep", "./docs/api.md:3:The service", "docs/api.md:3"},
		{"no file", "404 page not found at 12:30:01, 2026-03-01, 1.5 of 2/3", ""},
		{"url", "http://127.0.0.1:8000/healthz answered 404", ""},
		{"port", "example.com:8080/x localhost:80800000000", "example.com 8080/x"},
		{"folder", "./:3 ././:4 .:5", ""},
		{"empty", "\n\n \t\n", ""},
	}
	for _, tt := range tests {
		if got := places(tt.in); got != tt.want {
			t.Errorf("%s: %q names %q, want %q", tt.name, tt.in, got, tt.want)
		}
	}
	p := model.ReadClues("x\n  ./a.go:2: bad thing\n").Places
	if len(p) != 1 || p[0].Text != "./a.go:2: bad thing" {
		t.Errorf("the line that names it is %+v", p)
	}
}

func TestClueLiterals(t *testing.T) {
	tests := []struct{ in, want string }{
		{"0.09 !== 0.07", "0.09|0.07"},
		{"expected: 0.07   actual: -0.09", "0.07|0.09"},
		{"got 42, want 1024", "1024"},
		{"./x.go:120:33: undefined: loadConfig", "loadConfig"},
		{"ReferenceError: BOOK_RATE is not defined", "BOOK_RATE"},
		{"sh: 1: jqq: not found", "jqq"},
		{"ModuleNotFoundError: No module named 'yaml'", "yaml"},
		{"x.Foo undefined (type T has no field or method Foo)", "Foo|x.Foo"},
		{"http://127.0.0.1:8000/healthz answered 404 page not found.", "http://127.0.0.1:8000/healthz|127.0.0.1:8000|8000|404"},
		{"dial tcp 10.0.0.7:5432: refused", "10.0.0.7|5432"},
		{"    Test.runInAsyncScope (node:async_hooks:206:9)", ""},
		{"it's the user's fault, don't panic", ""},
		{`want "hello world", got "" and 'abc'`, "hello world|abc"},
		{"exit code 127, exit status 1280, line 3000", ""},
		{"1.2s 0x1000 v1.2.3 a1000 2026-03-01", ""},
	}
	for _, tt := range tests {
		if got := strings.Join(model.ReadClues(tt.in).Literals, "|"); got != tt.want {
			t.Errorf("%q: literals %q, want %q", tt.in, got, tt.want)
		}
	}
	e := model.ReadClues("messages.19: `tool_use` without `tool_result`: toolu_01AbC")
	if !slices.Equal(e.IDs, []string{"toolu_01AbC"}) || !slices.Equal(e.Messages, []int64{19}) {
		t.Errorf("ids %q, messages %v", e.IDs, e.Messages)
	}
}

func TestCluesAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&b, "src/f%d.go:%d: \"literal %d\" %d.5 http://h:%d/ undefined: n%d\n", i, i+1, i, i, i+1000, i)
	}
	e := model.ReadClues(b.String())
	if len(e.Places) > 128 || len(e.Literals) > 32 || len(e.IDs) > model.MaxPasted {
		t.Errorf("%d places, %d literals, %d ids", len(e.Places), len(e.Literals), len(e.IDs))
	}
	model.ReadClues(strings.Repeat("/", 1<<20) + strings.Repeat("\"", 1<<20) + strings.Repeat("\x1b[", 1<<20))
}

func FuzzReadClues(f *testing.F) {
	for _, s := range []string{"./a.go:2:3: x", "File \"a\", line 3", "a.ts(3,5)", "C:\\x\\y.py:3", "\x1b[31mx.go:1\x1b", "http://h:80/'", "undefined: ", "x\n 3:4\n", "\xff\xfe:9", "file://", "a:999999999999", " is not defined", "'", "``a", "#L", "messages[9] toolu_01Ab"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e := model.ReadClues(s)
		for _, p := range e.Places {
			if p.Path == "" || p.Line < 0 || strings.ContainsAny(p.Path, "\n\x1b ") {
				t.Fatalf("%q names %+v", s, p)
			}
		}
		for _, l := range e.Literals {
			if l == "" || len(l) > 120 || strings.Contains(l, "\n") {
				t.Fatalf("%q holds the literal %q", s, l)
			}
		}
	})
}
