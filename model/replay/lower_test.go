package replay_test

import (
	"slices"
	"strings"
	"testing"

	"hindcast/model"
)

// TestCommandsThatMayChangeFiles: the tracked files are a, b, dir/c, "with
// space" and /w/abs; the shell is in /w.
func TestCommandsThatMayChangeFiles(t *testing.T) {
	files := []string{"a", "b", "dir/c", "with space", "/w/abs"}
	for _, c := range []struct{ command, lowered string }{
		// looking
		{"cat a b", ""},
		{"grep -i x a", ""},
		{"sed -n 1,5p a", ""},
		{"sed -e s/i/j/ a", ""},
		{"gofmt -l a", ""},
		{"black --check a", ""},
		{"git diff a", ""},
		{"git -c x=y log a", ""},
		{"echo rm a", ""},
		{"cat < a", ""},
		{"wc a 2>/dev/null", ""},
		{"wc a 2>&1 | head", ""},
		{"# rm a", ""},
		{"cat <<< 'rm a'", ""},
		// redirections, of which only the target changes
		{"cat a > b", "b"},
		{"cat a >> b", "b"},
		{"cat a >| b", "b"},
		{"cat a 2>b", "b"},
		{"cat a &> b", "b"},
		{"cat a >& b", "b"},
		{"> a", "a"},
		{"./x >a 2>&1 & sleep 1; cat b", "a"},
		{"cat > a <<EOF\nrm b\nEOF\nrm dir/c", "a dir/c"},
		{"cat > a <<-'E F'\nrm b\n\tE F\nrm dir/c", "a dir/c"},
		// programs that write
		{"sed -i s/x/y/ a", "a"},
		{"sed -Ei.bak s/x/y/ a", "a"},
		{"sed --in-place=.bak s/x/y/ a", "a"},
		{"perl -pi -e 's/x/y/' a", "a"},
		{"mv a b", "a b"},
		{"cp a dir/c", "a dir/c"},
		{"rm -f a", "a"},
		{"cat b | tee a", "a"},
		{"patch a fix.diff", "a"},
		{"patch --dry-run a fix.diff", ""},
		{"git checkout -- a", "a"},
		{"git -C . apply a", "a"},
		{"git reset HEAD a", "a"},
		{"gofmt -w a b", "a b"},
		{"npx prettier --write a", "a"},
		{"ruff check --fix a", "a"},
		{"ruff check a", ""},
		{"black a", "a"},
		// where and how
		{"cat b && rm a", "a"},
		{"cat b\nrm a", "a"},
		{"(cd x; rm a)", "a"},
		{"if true; then rm a; fi", "a"},
		{"sudo -E rm a", "a"},
		{"LANG=C rm a", "a"},
		{"timeout 5s rm a", "a"},
		{"/bin/rm a", "a"},
		{"bash -lc 'rm a'", "a"},
		{"bash -c \"bash -c 'rm a'\"", "a"},
		{"bash rm a", ""},
		{`rm "with space"`, "with space"},
		{`rm with\ space`, "with space"},
		{"rm with space", ""},
		// folders and patterns
		{"rm -rf dir", "dir/c"},
		{"rm -rf ./dir/", "dir/c"},
		{"rm -rf di", ""},
		{"rm -rf .", "/w/abs a b dir/c with space"},
		{"mv dir old", "dir/c"},
		{"mv x/c dir", "dir/c"},
		{"cp x dir", ""},
		{"cp a .", "a"},
		{"rm *", "/w/abs a b dir/c with space"},
		{"rm d*/c", "dir/c"},
		{"rm d*/*.go", ""},
		{"gofmt -w .", "/w/abs a b dir/c with space"},
		{"prettier --write 'dir/**/*.js'", "dir/c"},
		{"npx prettier --write .", "/w/abs a b dir/c with space"},
		{"go fmt ./dir/...", "dir/c"},
		{"cd dir && go fmt", "dir/c"},
		// programs that rewrite a work tree
		{"git reset --hard", "/w/abs a b dir/c with space"},
		{"git reset --hard HEAD~1", "/w/abs a b dir/c with space"},
		{"git -C dir reset --hard", "dir/c"},
		{"cd /elsewhere && git reset --hard", ""},
		{"git reset", ""},
		{"git reset --soft HEAD~1", ""},
		{"git checkout -- .", "/w/abs a b dir/c with space"},
		{"git checkout main", "/w/abs a b dir/c with space"},
		{"git checkout a", "a"},
		{"git checkout -b new", ""},
		{"git checkout -b new origin/main", "/w/abs a b dir/c with space"},
		{"git switch main", "/w/abs a b dir/c with space"},
		{"git switch -c new", ""},
		{"git restore .", "/w/abs a b dir/c with space"},
		{"git restore dir", "dir/c"},
		{"git stash", "/w/abs a b dir/c with space"},
		{"git stash pop", "/w/abs a b dir/c with space"},
		{"git stash list", ""},
		{"git stash push -- a", "a"},
		{"git clean -fd", "/w/abs a b dir/c with space"},
		{"git clean -fd dir", "dir/c"},
		{"git clean -n", ""},
		{"git pull --rebase", "/w/abs a b dir/c with space"},
		{"git merge topic", "/w/abs a b dir/c with space"},
		{"git apply x.diff", "/w/abs a b dir/c with space"},
		{"git apply --check x.diff", ""},
		{"git cherry-pick abc123", "/w/abs a b dir/c with space"},
		{"git revert HEAD", "/w/abs a b dir/c with space"},
		{"git commit -am x", ""},
		{"git fetch", ""},
		{"patch -p1 < fix.diff", "/w/abs a b dir/c with space"},
		{"cargo fmt", "/w/abs a b dir/c with space"},
		{"make fmt", ""},
		{"npm run fix", ""},
		{`rm "with\` + "\n" + ` space"`, "with space"},
		{`rm "\"" a`, "a"},
		{"git -c user.name=x checkout -- a", "a"},
		{"git", ""},
		{"rm './a'", "a"},
		{"rm /w/a", "a"},
		{"rm abs", "/w/abs"},
		{"cd dir && rm c", "dir/c"},
		{"cd /w/dir && rm c", "dir/c"},
		{"rm dir/../a", "a"},
		{"rm \\\n a", "a"},
		{"rm 'a", "a"},
		{`rm "a`, "a"},
		{"rm a\\", "a"},
		{"cat <<EOF", ""},
		{"cat >", ""},
		{"rm ''", ""},
		{"'' rm a", ""},
		{"", ""},
	} {
		r := begin(t)
		var effects []model.Effect
		for _, f := range files {
			effects = append(effects, write(f, "text"))
		}
		r.do(append(effects, model.Cwd{Path: "/w"})...)
		var lowered []string
		for _, line := range strings.Split(r.do(model.Run{Command: c.command}), "\n") {
			if rest, ok := strings.CutPrefix(line, "/files/"); ok {
				name, change, _ := strings.Cut(rest, " known")
				lowered = append(lowered, strings.ReplaceAll(name, "~1", "/"))
				if change != "[text] by 1 -> unknown[text] by 1" {
					t.Errorf("%q: %s", c.command, line)
				}
			}
		}
		slices.Sort(lowered)
		if got := strings.Join(lowered, " "); got != c.lowered {
			t.Errorf("%q may change %q, want %q", c.command, got, c.lowered)
		}
	}
}

func TestACommandThatNeverRanChangesNoFile(t *testing.T) {
	r := begin(t)
	r.do(write("a", "x"))
	want(t, r.do(model.Run{Command: "rm a", Quiet: true, Exit: ptr(int64(1))}),
		`/shell/command null -> "rm a"`, "/shell/exit_code null -> 1", "/shell/running null -> false")
}

func TestWithoutADirectoryPathsAreAsWritten(t *testing.T) {
	r := begin(t)
	r.do(write("a", "x"), write("/w/b", "y"))
	want(t, r.do(model.Run{Command: "rm a b", Quiet: false}),
		"/files/a known[x] by 1 -> unknown[x] by 1",
		`/shell/command null -> "rm a b"`, "/shell/running null -> false")
	// The directory after the command is better than none.
	want(t, r.do(model.Run{Command: "rm b", Cwd: ptr("/w")}),
		"/files/~1w~1b known[y] by 1 -> unknown[y] by 1",
		`/shell/command "rm a b" -> "rm b"`, `/shell/cwd null -> "/w"`)
}
