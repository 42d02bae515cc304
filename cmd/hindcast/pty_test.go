//go:build unix

package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"hindcast/fixtures"
)

// newCommand is this test binary as hindcast, in a folder with one small dump.
func newCommand(t *testing.T, env []string, args ...string) (*exec.Cmd, string) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"eventlog/clean.jsonl", "hostile/escapes.jsonl"} {
		data, err := fixtures.FS.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), waitLimit)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, os.Args[0], args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), asProgram+"=1", "HOME="+dir, "XDG_CACHE_HOME="+dir, "XDG_CONFIG_HOME=", "XDG_DATA_HOME=", "XDG_STATE_HOME=", "TERM=xterm-256color", "HINDCAST_DUMP=", "NO_COLOR=")
	cmd.Env = append(cmd.Env, env...)
	return cmd, dir
}

// onTerminal runs hindcast with a terminal as stdin, stdout and stderr.
func onTerminal(t *testing.T, env []string, args ...string) (output string, code int) {
	t.Helper()
	cmd, _ := newCommand(t, env, args...)
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	defer tty.Close()
	// Reading a terminal whose program has ended is an error on Linux.
	data, _ := io.ReadAll(tty)
	return strings.ReplaceAll(string(data), "\r\n", "\n"), exitOf(t, cmd.Wait())
}

func exitOf(t *testing.T, err error) int {
	t.Helper()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	t.Fatal(err)
	return -1
}

func TestTerminalRefusesExactBytes(t *testing.T) {
	for _, args := range [][]string{
		{"show", "7", "--raw", "clean.jsonl"},
		{"dump", "--raw", "clean.jsonl"},
		{"dump", "--raw", "--session", "s1", "clean.jsonl"},
	} {
		out, code := onTerminal(t, nil, args...)
		if code != exitUsage || !strings.Contains(out, "--force") || strings.Contains(out, "event_id") {
			t.Errorf("%v: exit %d, %q", args, code, out)
		}
		out, code = onTerminal(t, nil, append(args, "--force")...)
		if code != 0 || !strings.Contains(out, `"event_id":"e7"`) {
			t.Errorf("%v --force: exit %d, %q", args, code, out)
		}
	}
}

// TestTerminalGetsNoForeignControls: on a terminal there are only our own
// colours, and none where they are not wanted.
func TestTerminalGetsNoForeignControls(t *testing.T) {
	for _, args := range [][]string{
		{"query", "escapes.jsonl"}, {"show", "error", "escapes.jsonl"}, {"dump", "escapes.jsonl"},
		{"tail", "--json", "escapes.jsonl"}, {"query", "tool:\x1b[31mx", "escapes.jsonl"}, {"show", "\x1b]0;x\a", "escapes.jsonl"},
	} {
		out, _ := onTerminal(t, nil, append(args, "--no-color")...)
		if i := strings.IndexFunc(out, func(r rune) bool { return r != '\n' && r < 0x20 || r >= 0x7f && r < 0xa0 }); i >= 0 {
			t.Errorf("%q prints %q", args, out[i:min(i+20, len(out))])
		}
		if len(out) < 20 {
			t.Errorf("%q prints only %q", args, out)
		}
	}
	coloured, _ := onTerminal(t, nil, "query", "clean.jsonl")
	if !strings.Contains(coloured, "\x1b[") {
		t.Errorf("no colours on a terminal: %q", coloured)
	}
}

func TestTerminalThatCannotHoldTheInspector(t *testing.T) {
	for _, name := range []string{"TERM=dumb", "TERM=", "TERM=no-such-terminal"} {
		out, code := onTerminal(t, []string{name}, "clean.jsonl")
		if code != exitHere || strings.Contains(out, "goroutine") || strings.Count(out, "\n") > 3 || !strings.Contains(out, "hindcast") {
			t.Errorf("%s: exit %d, %q", name, code, out)
		}
	}
}

func TestReaderThatGoesAway(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	cmd, _ := newCommand(t, nil, "query", "--json", "clean.jsonl")
	var stderr strings.Builder
	cmd.Stdout, cmd.Stderr = w, &stderr
	code := exitOf(t, cmd.Run())
	w.Close()
	if code != exitSignal+int(syscall.SIGPIPE) || stderr.String() != "" {
		t.Errorf("exit %d, stderr %q", code, stderr.String())
	}
}

func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("no /dev/full: %v", err)
	}
	defer full.Close()
	cmd, _ := newCommand(t, nil, "dump", "--raw", "clean.jsonl")
	var stderr strings.Builder
	cmd.Stdout, cmd.Stderr = full, &stderr
	if code := exitOf(t, cmd.Run()); code != exitHere || !strings.Contains(stderr.String(), "write the output") {
		t.Errorf("exit %d, stderr %q", code, stderr.String())
	}
}

// TestTailFollows: new events are printed as a file grows, whole lines only;
// a signal ends it with its code.
func TestTailFollows(t *testing.T) {
	cmd, dir := newCommand(t, nil, "tail", "-f", "-n", "1", "--jsonl", "clean.jsonl")
	var stdout, stderr buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	await(t, &stdout, &stderr, `"e12"`)
	name := filepath.Join(dir, "clean.jsonl")
	appendTo(t, name, `{"event_id":"e13","event_type":"UserInput","session_id":"s1","sequence":13,"payload":{"content":"more"}}`+"\n")
	await(t, &stdout, &stderr, `"e13"`)
	appendTo(t, name, `{"event_id":"e14","event_type":"UserInput","session_id":"s1","sequen`)
	appendTo(t, name, `ce":14,"payload":{"content":"in two parts"}}`+"\n")
	await(t, &stdout, &stderr, "in two parts")
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := exitOf(t, cmd.Wait()); code != exitSignal+int(syscall.SIGTERM) {
		t.Errorf("exit %d, stderr %q", code, stderr.String())
	}
	if n := strings.Count(stdout.String(), "\n"); n != 3 {
		t.Errorf("%d lines, want 3:\n%s", n, stdout.String())
	}
}

// A signal that would have Go print every goroutine ends a verb in one line.
func TestVerbEndsInALine(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGQUIT, syscall.SIGABRT} {
		cmd, _ := newCommand(t, nil, "tail", "-f", "-n", "1", "--jsonl", "clean.jsonl")
		var stdout, stderr buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		await(t, &stdout, &stderr, `"e12"`)
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		if code := exitOf(t, cmd.Wait()); code != exitSignal+int(sig) {
			t.Errorf("%v: exit %d", sig, code)
		}
		if got, want := stderr.String(), "hindcast: stopped by signal: "+sig.String()+"\n"; got != want {
			t.Errorf("%v: stderr %q, want %q", sig, got, want)
		}
	}
}

func appendTo(t *testing.T, name, text string) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func await(t *testing.T, out, errs *buffer, text string) {
	t.Helper()
	for deadline := time.Now().Add(waitLimit); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if strings.Contains(out.String(), text) {
			return
		}
	}
	t.Fatalf("no %q in %q; stderr %q", text, out.String(), errs.String())
}
