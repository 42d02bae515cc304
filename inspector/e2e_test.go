//go:build unix

package inspector

import (
	"errors"
	"image/color"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// terminal runs the built program in a pseudo-terminal and keeps what it shows
// and every byte that it wrote.
type terminal struct {
	t    *testing.T
	cmd  *exec.Cmd
	tty  *os.File
	emu  *vt.SafeEmulator
	w, h int
	read chan struct{} // closed when the output has ended

	mu  sync.Mutex
	raw []byte
}

// built is the folder of the built program; empty until a test needed it.
var built string

// binary builds the program once a test run.
var binary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "hindcast-e2e")
	if err != nil {
		return "", err
	}
	built = dir
	path := filepath.Join(dir, "hindcast")
	out, err := exec.Command("go", "build", "-o", path, "hindcast/cmd/hindcast").CombinedOutput()
	if err != nil {
		return "", errors.New(string(out))
	}
	return path, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if built != "" {
		os.RemoveAll(built)
	}
	os.Exit(code)
}

func launch(t *testing.T, w, h int, args ...string) *terminal {
	t.Helper()
	return place{home: t.TempDir()}.launch(t, w, h, args...)
}

// place is where a program runs: a home, a terminal.
type place struct {
	home       string
	background color.Color // of the terminal; nil: black
	mute       bool        // it answers nothing that it is asked
	env        []string
}

func (p place) launch(t *testing.T, w, h int, args ...string) *terminal {
	t.Helper()
	if testing.Short() {
		t.Skip("short: the program is not built")
	}
	path, err := binary()
	if err != nil {
		t.Fatalf("build hindcast: %v", err)
	}
	cmd := exec.Command(path, args...)
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "LANG=C.UTF-8", "HOME="+p.home, "XDG_CACHE_HOME=", "XDG_CONFIG_HOME=", "XDG_DATA_HOME=", "XDG_STATE_HOME=", "NO_COLOR=", "COLORFGBG=", "HINDCAST_THEME=")
	cmd.Env = append(cmd.Env, p.env...)
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(w), Rows: uint16(h)})
	if err != nil {
		t.Fatal(err)
	}
	x := &terminal{t: t, cmd: cmd, tty: tty, emu: vt.NewSafeEmulator(w, h), w: w, h: h, read: make(chan struct{})}
	if p.background != nil {
		x.emu.SetDefaultBackgroundColor(p.background)
	}
	answers := io.Writer(tty)
	if p.mute {
		answers = io.Discard
	}
	go io.Copy(answers, x.emu) // the terminal's answers to what the program asks
	go x.receive()
	t.Cleanup(func() {
		cmd.Process.Kill()
		tty.Close()
	})
	return x
}

func (x *terminal) receive() {
	defer close(x.read)
	buf := make([]byte, 32<<10)
	for {
		n, err := x.tty.Read(buf)
		x.mu.Lock()
		x.raw = append(x.raw, buf[:n]...)
		x.emu.Write(buf[:n])
		x.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (x *terminal) screen() string {
	x.mu.Lock() // the emulator hands out its own cells
	defer x.mu.Unlock()
	var b strings.Builder
	for y := range x.h {
		for col := 0; col < x.w; col++ {
			if c := x.emu.CellAt(col, y); c != nil {
				b.WriteString(c.Content)
				col += max(c.Width-1, 0)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func (x *terminal) see(parts ...string) *terminal {
	x.t.Helper()
	return x.until(strings.Join(parts, ", "), func(s string) bool {
		return !slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(s, p) })
	})
}

// until waits for a screen that ok likes.
func (x *terminal) until(what string, ok func(screen string) bool) *terminal {
	x.t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if ok(x.screen()) {
			return x
		}
	}
	x.t.Fatalf("never saw %q:\n%s", what, x.screen())
	return x
}

func (x *terminal) typed(s string) *terminal {
	if _, err := x.tty.WriteString(s); err != nil {
		x.t.Fatal(err)
	}
	return x
}

// ended waits for the program and returns its exit code (128+n for a signal
// that killed it).
func (x *terminal) ended() int {
	x.t.Helper()
	done := make(chan error, 1)
	go func() { done <- x.cmd.Wait() }()
	select {
	case <-done:
	case <-time.After(patience):
		x.t.Fatalf("still running:\n%s", x.screen())
	}
	select {
	case <-x.read:
	case <-time.After(patience):
	}
	if ws := x.cmd.ProcessState.Sys().(syscall.WaitStatus); ws.Signaled() {
		return 128 + int(ws.Signal())
	}
	return x.cmd.ProcessState.ExitCode()
}

// restored holds that every mode that was switched on has been switched off
// after it was last switched on.
func (x *terminal) restored() {
	x.t.Helper()
	x.mu.Lock()
	out := string(x.raw)
	x.mu.Unlock()
	for what, seq := range map[string][2]string{
		"alternate screen": {"\x1b[?1049h", "\x1b[?1049l"}, "mouse buttons": {"\x1b[?1000h", "\x1b[?1000l"},
		"mouse drags": {"\x1b[?1002h", "\x1b[?1002l"}, "mouse encoding": {"\x1b[?1006h", "\x1b[?1006l"},
		"bracketed paste": {"\x1b[?2004h", "\x1b[?2004l"}, "hidden cursor": {"\x1b[?25l", "\x1b[?25h"},
	} {
		on, off := strings.LastIndex(out, seq[0]), strings.LastIndex(out, seq[1])
		if on < 0 {
			x.t.Errorf("%s was never switched on: the test looks at the wrong bytes", what)
		} else if off < on {
			x.t.Errorf("%s is still on", what)
		}
	}
	if strings.Contains(out, "\x1b[?1003h") {
		x.t.Error("all mouse motion was asked for")
	}
}

func TestTerminalJourney(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		x := launch(t, size[0], size[1], "demo")
		x.see("row 1/77", "Try E").typed("j").see("2 of").typed("12j").see("row 14/77").typed("k").see("row 13/77")
		x.typed("EG").see("120 of").typed("E").see("118 of", "check_failed").typed("EE").see("108 of").typed("ee").see("118 of")
		x.typed("c").see("92 of").typed("\x0f").see("118 of")
		x.typed("gf").see("118 is about").typed("v,,").see("A 118").typed("\x1b").see("range is dropped").typed("G").see("120 of")
		x.typed("ffailed:true").see(" of 77 rows").typed("\r").see("filter failed:true").typed("\\").see("77 rows of")
		x.typed(":stats\r").see("read_file").typed("q").typed("q")
		if code := x.ended(); code != 0 {
			t.Errorf("q: exit code %d", code)
		}
		x.restored()
	}
}

func TestTerminalIsRestored(t *testing.T) {
	for name, end := range map[string]struct {
		do   func(*terminal)
		code int
	}{
		"Ctrl-C": {func(x *terminal) { x.typed("\x03") }, 130},
		"TERM":   {func(x *terminal) { x.cmd.Process.Signal(syscall.SIGTERM) }, 143},
		"HUP":    {func(x *terminal) { x.cmd.Process.Signal(syscall.SIGHUP) }, 129},
		"INT":    {func(x *terminal) { x.cmd.Process.Signal(syscall.SIGINT) }, 130},
		"QUIT":   {func(x *terminal) { x.cmd.Process.Signal(syscall.SIGQUIT) }, 131},
		"ABRT":   {func(x *terminal) { x.cmd.Process.Signal(syscall.SIGABRT) }, 134},
	} {
		t.Run(name, func(t *testing.T) {
			x := launch(t, 80, 24, "demo").see("row 1/77")
			end.do(x)
			if code := x.ended(); code != end.code {
				t.Errorf("exit code %d, want %d", code, end.code)
			}
			x.restored()
		})
	}
}

func TestSuspends(t *testing.T) {
	x := launch(t, 80, 24, "demo").see("row 1/77").typed("j").see("2 of")
	x.typed("\x1a") // nobody can continue a session of its own: it comes back by itself
	x.typed("j").see("3 of").typed("q")
	if code := x.ended(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	x.restored()
}

// TestEditor: the editor gets a copy that only its owner can see and nobody can
// write, and afterwards both the copy and the screen are as before.
func TestEditor(t *testing.T) {
	dir := t.TempDir()
	script := "#!/bin/sh\ncp \"$2\" " + dir + "/seen\nstat -c %a \"$2\" \"$(dirname \"$2\")\" >" + dir + "/modes\necho \"$2\" >" + dir + "/path\n" +
		"stty -a </dev/tty >" + dir + "/stty\ntrap : INT; [ \"$1\" = -x ] && kill -INT 0\necho EDITING; read line\n"
	if err := os.WriteFile(dir+"/ed", []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("VISUAL", "")
	t.Setenv("EDITOR", "trap : INT; "+dir+"/ed -x")
	x := launch(t, 80, 24, "demo").see("row 1/77").typed(":113\r").see("113 of").typed("d").see("111 .. 113").typed("gF").see("EDITING").typed("\r").see("that was main.go after 113", "113 of")
	x.typed("j").see("115 of").typed("q")
	if code := x.ended(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	x.restored()
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if got := read("seen"); !strings.HasPrefix(got, "package main\n") || !strings.Contains(got, "healthz") {
		t.Errorf("the editor saw\n%s", got)
	}
	if got := read("modes"); got != "400\n700\n" {
		t.Errorf("modes %q, want 400 in 700", got)
	}
	if got := read("stty"); !strings.Contains(got, " icanon") || strings.Contains(got, "-icanon") {
		t.Errorf("the terminal was still the inspector's: %s", got)
	}
	path := strings.TrimSpace(read("path"))
	if _, err := os.Stat(filepath.Dir(path)); !os.IsNotExist(err) || filepath.Base(path) != "main.go" {
		t.Errorf("%s is still there: %v", path, err)
	}
}

func TestTerminalOpensAtAnAddress(t *testing.T) {
	for range 4 {
		x := launch(t, 80, 24, "--at", "error", "demo:").see("118 of").typed("q")
		if code := x.ended(); code != 0 {
			t.Errorf("exit code %d", code)
		}
	}
}

func TestTerminalFollowsTheDump(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	if err := os.WriteFile(path, []byte(said("s1", 1, 3)), 0o644); err != nil {
		t.Fatal(err)
	}
	nudge(t, path)
	x := launch(t, 80, 24, path).see("row 1/3")
	appended(t, path, said("s1", 4, 7))
	x.see("row 1/7", "7 events", "line 7").typed("G").see("7 of 7").typed("q")
	if code := x.ended(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}
