package main

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"

	"hindcast/fixtures"
	"hindcast/model"
)

// asProgram is set in the environment of a test binary that is to be hindcast.
const asProgram = "HINDCAST_TEST_PROGRAM"

var update = flag.Bool("update", false, "rewrite golden files and the expectations of scripts")

// TestMain lets this test binary be the program: scripts run hindcast as a
// process of its own, with the code under test.
func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(realMain())
	}
	testscript.Main(m, map[string]func(){
		"hindcast": func() { os.Exit(realMain()) },
	})
}

// TestScripts runs testdata/script: one script a verb, and some of what all
// verbs share. Each finds the fixtures under fixtures/.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Setup:               setup,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": cmdExits,
			"safe":  cmdSafe,
			"lines": cmdLines,
			"scrub": cmdScrub,
		},
	})
}

func setup(env *testscript.Env) error {
	env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, ".cache"))
	env.Setenv("XDG_DATA_HOME", filepath.Join(env.WorkDir, ".data"))
	env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, ".state"))
	env.Setenv("HINDCAST_DUMP", "")
	env.Setenv("TERM", "xterm-256color")
	return fs.WalkDir(fixtures.FS, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(env.WorkDir, "fixtures", filepath.FromSlash(name))
		if d.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		data, err := fixtures.FS.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(to, data, 0o644)
	})
}

// cmdExits is: exits CODE COMMAND ARGS...
func cmdExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("%v exits %d, want %d", args[1:], got, want)
	}
}

// cmdSafe is: safe [-tabs] FILE... and demands that nothing in them could steer
// a terminal.
func cmdSafe(ts *testscript.TestScript, neg bool, args []string) {
	tabs := len(args) > 0 && args[0] == "-tabs"
	if tabs {
		args = args[1:]
	}
	for _, name := range args {
		s := ts.ReadFile(name)
		bad := ""
		for i, r := range s {
			_, n := utf8.DecodeRuneInString(s[i:])
			if r != '\n' && !(tabs && r == '\t') && model.Deceptive(r) || r == utf8.RuneError && n == 1 {
				bad = strconv.QuoteToASCII(string(r))
				break
			}
		}
		if (bad != "") != neg {
			ts.Fatalf("%s: safe is %v; holds %s", name, neg, bad)
		}
	}
}

// cmdLines is: lines FILE N, the number of lines.
func cmdLines(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: lines FILE N")
	}
	if got := strings.Count(ts.ReadFile(args[0]), "\n"); strconv.Itoa(got) != args[1] {
		ts.Fatalf("%s has %d lines, want %s", args[0], got, args[1])
	}
}

// cmdScrub is: scrub FILE TO, which copies FILE with the script's own folder
// written as WORK, so that it can be compared.
func cmdScrub(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: scrub FILE TO")
	}
	clean := strings.ReplaceAll(ts.ReadFile(args[0]), ts.Getenv("WORK"), "WORK")
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(clean), 0o644))
}
