package docs_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

const fence = "```"

// TestConsole runs the commands of every console block from the root of the
// project and compares what a reader would see: stdout and stderr as they come.
func TestConsole(t *testing.T) {
	dependOnSources(t)
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh: the commands of the pages cannot be run")
	}
	commands := 0
	for _, name := range pages(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			have := read(t, name)
			want, n := rerun(t, have, folder(t, have))
			commands += n
			settle(t, name, have, want)
		})
	}
	if commands < 20 {
		t.Errorf("only %d commands found: the test looks in the wrong place", commands)
	}
}

var elsewhere = regexp.MustCompile(`(?m)^<!-- commands run in (\S+) -->$`)

// folder is where the commands of a page run: in the root of the project, or in
// the folder that a comment of the page names. Without that folder the page
// cannot be held to anything.
func folder(t *testing.T, page string) string {
	t.Helper()
	m := elsewhere.FindStringSubmatch(page)
	if m == nil {
		return ".."
	}
	dir := filepath.Join("..", m[1])
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the dumps of this page are not beside the project: %v", err)
	}
	return dir
}

// rerun gives a page with the outputs of its console blocks made anew in dir. A
// command is a line that begins with "$ "; what follows it is its output.
func rerun(t *testing.T, page, dir string) (string, int) {
	t.Helper()
	var out []string
	inside, keep, commands := false, false, 0
	for _, line := range strings.Split(page, "\n") {
		switch {
		case line == fence+"console":
			inside = true
		case inside && line == fence:
			inside = false
		case inside && strings.HasPrefix(line, "$ "):
			commands++
			out = append(out, line)
			if keep = lacks(line); keep {
				t.Logf("not run: %s", line)
				continue
			}
			if text := shell(t, dir, line[2:]); text != "" {
				out = append(out, strings.Split(text, "\n")...)
			}
			continue
		case inside && !keep:
			continue
		}
		out = append(out, line)
	}
	if inside {
		t.Fatal("a console block does not end")
	}
	return strings.Join(out, "\n"), commands
}

// lacks tells whether a command needs a program that is not installed here.
func lacks(command string) bool {
	for _, word := range strings.Fields(command) {
		if word == "jq" || word == "sqlite3" {
			if _, err := exec.LookPath(word); err != nil {
				return true
			}
		}
	}
	return false
}

// shell is what a command prints, without line breaks at its end. Where a path
// or a time of this machine would stand, it says what stands for it.
func shell(t *testing.T, dir, command string) string {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Dir, cmd.Env = dir, environment()
	data, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		t.Fatalf("%s does not end", command)
	}
	text := strings.TrimRight(string(data), "\n")
	if err != nil && text == "" {
		t.Fatalf("%s: %v, and nothing printed", command, err)
	}
	text = indexName.ReplaceAllString(strings.NewReplacer(filepath.Join(cache, ".config"), "~/.config", cache, "~/.cache").Replace(text), "/hindcast/<hash>.db")
	if strings.Contains(text, fence) {
		t.Fatalf("%s prints a fence", command)
	}
	return tidy(text, !forMachines.MatchString(command))
}

var (
	indexName   = regexp.MustCompile(`/hindcast/[0-9a-f]{24}\.db`)
	forMachines = regexp.MustCompile(`--json|--csv|jq |^hindcast dump`)
)

// width is where lines for people are cut in the pages.
const width = 110

// tidy drops spaces at line ends, which editors drop as well, and cuts long
// lines.
func tidy(text string, cut bool) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if r := []rune(l); cut && len(r) > width {
			l = string(r[:width-1]) + "…"
		}
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n")
}

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// TestLinks: what a page links to within the project exists.
func TestLinks(t *testing.T) {
	found := 0
	for _, name := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(read(t, name), -1) {
			target, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			found++
			to := name
			if target != "" {
				to = filepath.Join(filepath.Dir(name), target)
			}
			if matches, _ := filepath.Glob(to); len(matches) != 1 {
				t.Errorf("%s links to %s, which is not there", name, m[1])
			} else if anchor != "" && !headed(read(t, to), anchor) {
				t.Errorf("%s links to %s, which has no such heading", name, m[1])
			}
		}
	}
	if found < 10 {
		t.Errorf("only %d links found: the test looks in the wrong place", found)
	}
}

var punctuation = regexp.MustCompile(`[^a-z0-9 -]`)

// headed tells whether a page has the heading that an anchor names.
func headed(page, anchor string) bool {
	for _, line := range strings.Split(page, "\n") {
		if !strings.HasPrefix(line, "#") {
			continue
		}
		title := strings.ToLower(strings.TrimSpace(strings.TrimLeft(line, "#")))
		if strings.ReplaceAll(punctuation.ReplaceAllString(title, ""), " ", "-") == anchor {
			return true
		}
	}
	return false
}
