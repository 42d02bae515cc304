//go:build unix

package inspector

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// realDump is a dump of the collection beside the project's folder.
func realDump(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "..", "shared", "data", name))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Skip("the collection of real dumps, ../shared/data, is not here")
	}
	return path
}

// compacted are three runs of three programs that forgot a rule, or did not, with
// the keys that tell: docs/jobs.md shows them. Each character is one press.
var compacted = []struct {
	dump, truth string
	causes      []keysTo
	knew        keysTo
}{
	{
		"claudecode/05-compaction/input", "claudecode/05-compaction/truth.json",
		[]keysTo{{"ec", "  72 of "}, {"e2c", "  34 of "}},
		// The file with the rule came back into view, attached anew.
		keysTo{"]kD", `came back[\s\S]* 24 Read [^\n]*docs/rul[^\n]*stands there again 54[\s\S]* dropped `},
	},
	{
		"codex/05-compaction/input", "codex/05-compaction/truth.json",
		[]keysTo{{"ec", "  61 of "}, {"e2c", "  18 of "}},
		keysTo{"]kD", ` dropped [\s\S]* 14 exec_command exit 0: # Rules `},
	},
	{
		"opencode/05-compaction/opencode.db", "opencode/05-compaction/truth.json",
		[]keysTo{{"ec", "  96 of "}, {"eccc", "  83 of "}},
		keysTo{"]kD", ` dropped [\s\S]* 14 read +ok: docs/rules.md `},
	},
}

// keysTo are keys, and what stands on the screen once they are pressed.
type keysTo struct{ press, sees string }

// TestKeysToTheCause: from opening a dump it takes at most five keys to each true
// cause of the first failure, as the truth beside the dump names it, and at most
// three to whether the model still had the rule.
func TestKeysToTheCause(t *testing.T) {
	for _, c := range compacted {
		t.Run(filepath.Dir(filepath.Dir(c.dump)), func(t *testing.T) {
			t.Parallel()
			dump, truth := realDump(t, c.dump), trueCauses(t, realDump(t, c.truth))
			for _, size := range [][2]int{{80, 24}, {120, 40}} {
				for _, k := range append(slices.Clone(c.causes), c.knew) {
					limit := 5
					if k == c.knew {
						limit = 3
					}
					if len(k.press) > limit {
						t.Errorf("%s: %d keys, more than %d", k.press, len(k.press), limit)
					}
					x := launch(t, size[0], size[1], dump).see("row 1/", " events").typed(k.press)
					x.match(k.sees).typed("\x03").ended()
				}
			}
			for _, k := range c.causes {
				seq := strings.Fields(k.sees)[0]
				truth = slices.DeleteFunc(truth, func(id string) bool { return mentions(t, dump, seq, id) })
			}
			if len(truth) > 0 {
				t.Errorf("the keys lead to none of %v", truth)
			}
		})
	}
}

// trueCauses are the ids that a truth names as roots of the first failure, and of
// these where it goes on.
func trueCauses(t *testing.T, path string) (ids []string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var truth struct {
		Causes []struct {
			Of    string
			Roots []string
		}
	}
	if err := json.Unmarshal(data, &truth); err != nil {
		t.Fatal(err)
	}
	for i, c := range truth.Causes {
		if i == 0 || slices.Contains(ids, c.Of) {
			ids = append(ids, c.Roots...)
		}
	}
	if len(ids) == 0 {
		t.Fatal("the truth names no cause")
	}
	return ids
}

// mentions tells whether an event or its results hold an id.
func mentions(t *testing.T, dump, seq, id string) bool {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"show", seq, "--raw"}, {"why", seq, "--effects", "--json"}} {
		cmd := exec.Command(path, append(args, dump)...)
		cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+t.TempDir())
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		if strings.Contains(string(out), id) {
			return true
		}
	}
	return false
}

// match waits until the screen looks like a pattern.
func (x *terminal) match(pattern string) *terminal {
	x.t.Helper()
	x.until(pattern, regexp.MustCompile(pattern).MatchString)
	return x
}
