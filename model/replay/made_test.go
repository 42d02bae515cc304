package replay_test

import (
	"slices"
	"strings"
	"testing"

	"hindcast/model"
)

// TestCommandsThatLeaveFiles: the shell is in /w, where only a is tracked; the
// command ended well.
func TestCommandsThatLeaveFiles(t *testing.T) {
	for _, c := range []struct{ command, left string }{
		{"echo x > b", "/w/b"},
		{"echo x >> ../b; pwd", "/b"},
		{"pwd; echo x > b", "/w/b"},
		{"echo x > a", ""},
		{"npm test > out.log 2>&1 &", "/w/out.log"},
		{"cat > b <<EOF\necho y > c\nEOF", "/w/b"},
		{"cd sub && echo x > b", "/w/sub/b"},
		{"cd /v && sed -i s/x/y/ b", "/v/b"},
		{"bash -c 'echo x > b'", "/w/b"},
		{"ls | tee -a b c", "/w/b /w/c"},
		{"sed -i 's/x/y/' b c && git diff", "/w/b /w/c"},
		{"sed -i '' -e 's/x/y/' b", "/w/b"},
		{"sed -i '' s/x/y/ b", "/w/b"},
		{"sed --in-place --expression=s/x/y/ b", "/w/b"},
		{"sed -i -es/x/y/ b", "/w/b"},
		{"perl -pi -e 's/x/y/' b", "/w/b"},
		{"perl -pie 's/x/y/' b", "/w/b"},
		// looking, and what is no file or not known
		{"sed s/x/y/ b", ""},
		{"sed -i s/x/y/ *.js", ""},
		{"echo x > /dev/null 2>&1", ""},
		{"echo x > $OUT", ""},
		{"echo x > ~/b", ""},
		{"cd \"$DIR\" && echo x > b", ""},
		{"cd - && echo x > b", ""},
		{"pushd v; echo x > b", ""},
		{"echo 'x > b'", ""},
		// what need not have been reached
		{"test -f b || echo x > b", ""},
		{"if test -f c; then echo x > b; fi", ""},
		{"for f in 1; do echo x > b; done", ""},
		{"exit 0; echo x > b", ""},
		{"(cd v; echo x > b)", ""},
		{"bash -c 'true || echo x > c'; echo x > b", ""},
		{"f() { echo x > b; }", ""},
		{"", ""},
	} {
		r := begin(t)
		r.do(write("a", "text"), model.Cwd{Path: "/w"})
		var left []string
		for _, line := range strings.Split(r.do(model.Run{Command: c.command, Exit: ptr(int64(0))}), "\n") {
			if rest, ok := strings.CutPrefix(line, "/files/"); ok && !strings.HasPrefix(rest, "a ") {
				name, change, _ := strings.Cut(rest, " ")
				left = append(left, strings.ReplaceAll(name, "~1", "/"))
				if change != "- -> unknown" {
					t.Errorf("%q: %s", c.command, line)
				}
			}
		}
		slices.Sort(left)
		if got := strings.Join(left, " "); got != c.left {
			t.Errorf("%q leaves %q, want %q", c.command, got, c.left)
		}
	}
}

func TestOnlyACommandThatEndedWellLeavesFiles(t *testing.T) {
	for name, run := range map[string]model.Run{
		"failed":    {Exit: ptr(int64(1))},
		"not known": {},
		"goes on":   {Running: true},
		"never ran": {Quiet: true, Exit: ptr(int64(0))},
	} {
		run.Command = "echo x > b"
		if got := begin(t).do(run); strings.Contains(got, "/files/") {
			t.Errorf("%s: %s", name, got)
		}
	}
}
