//go:build unix

package inspector

import (
	"bytes"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// How the selected row is written in either theme, and the question.
const (
	darkRow, lightRow = "48;5;238", "48;5;253"
	question          = "\x1b]11;?"
)

func (x *terminal) wrote(part string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return bytes.Contains(x.raw, []byte(part))
}

// writes waits for bytes of the program.
func (x *terminal) writes(part string) *terminal {
	x.t.Helper()
	for deadline := time.Now().Add(patience); !x.wrote(part); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			x.t.Fatalf("never wrote %q:\n%s", part, x.screen())
		}
	}
	return x
}

func (x *terminal) quits() {
	x.t.Helper()
	if code := x.typed("q").ended(); code != 0 {
		x.t.Errorf("exit code %d", code)
	}
	x.restored()
}

func TestThemeFollowsTheBackground(t *testing.T) {
	x := place{home: t.TempDir(), background: color.White}.launch(t, 80, 24, "demo").see("row 1/77").writes(lightRow)
	x.typed("jj").see("3 of")
	if s := x.screen(); strings.Contains(s, "rgb") || strings.Contains(s, "11;") {
		t.Errorf("the answer shows:\n%s", s)
	}
	x.quits()
	x = place{home: t.TempDir(), background: color.Black}.launch(t, 80, 24, "demo").see("row 1/77").writes(darkRow).typed("j").see("2 of")
	x.quits()
	if x.wrote(lightRow) {
		t.Error("light on black")
	}
}

// TestKeysAmongAnswers: what is typed before, within the same read as, and behind
// a late answer in parts is done.
func TestKeysAmongAnswers(t *testing.T) {
	x := place{home: t.TempDir(), mute: true}.launch(t, 80, 24, "demo").see("row 1/77").writes(question).writes(darkRow)
	x.typed("j\x1b]11;rgb:ffff/ff").see("2 of").typed("ff/ffff\x1b\\j").see("3 of").writes(lightRow)
	x.quits()
}

// TestNoAnswer: a terminal that says nothing keeps nobody waiting, and COLORFGBG
// counts there.
func TestNoAnswer(t *testing.T) {
	x := place{home: t.TempDir(), mute: true, env: []string{"COLORFGBG=0;15"}}.launch(t, 80, 24, "demo").see("row 1/77").writes(lightRow).typed("j").see("2 of")
	x.quits()
	if x.wrote(darkRow) {
		t.Error("dark where COLORFGBG says light")
	}
}

func TestThemesThatAskNothing(t *testing.T) {
	home := t.TempDir()
	config := filepath.Join(home, ".config", "hindcast", "config.toml")
	os.MkdirAll(filepath.Dir(config), 0o700)
	if err := os.WriteFile(config, []byte("theme = \"light\"\nglyphs = \"ascii\"\n[keys]\nclose = \"Q\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	x := place{home: home, background: color.Black}.launch(t, 80, 24, "demo").see("row 1/77", "- timeline -").writes(lightRow)
	if x.typed("Q").ended() != 0 || x.wrote(question) || x.wrote(darkRow) {
		t.Error("a theme by name asks, or is another")
	}
	x = place{home: t.TempDir(), background: color.White, env: []string{"NO_COLOR=1"}}.launch(t, 80, 24, "demo").see("row 1/77")
	x.quits()
	if x.wrote(question) || x.wrote("38;5;") || x.wrote("48;5;") {
		t.Error("without colours the background is asked for, or there are some")
	}
}

// TestWrongSettingsAreToldOnce: the inspector opens with what can be meant.
func TestWrongSettingsAreToldOnce(t *testing.T) {
	home := t.TempDir()
	config := filepath.Join(home, ".config", "hindcast", "config.toml")
	os.MkdirAll(filepath.Dir(config), 0o700)
	os.WriteFile(config, []byte("colour = 1\n[keys]\ncause = \"d\"\n"), 0o600)
	x := place{home: home}.launch(t, 120, 40, "demo").see("row 1/77", "config.toml:1: colour: there is no such key")
	x.typed("j").see("2 of", "$ hindcast show").typed("E").see("118 of").typed("c").see("92 of")
	x.quits()
}

// TestNotesAndViewsSurvive: a whole journey with a home: a mark, a note, a place;
// the index is thrown away; all is there again, and the verb prints it.
func TestNotesAndViewsSurvive(t *testing.T) {
	home := t.TempDir()
	dump := filepath.Join(home, "run.jsonl")
	if err := os.WriteFile(dump, []byte(said("s1", 1, 30)), 0o644); err != nil {
		t.Fatal(err)
	}
	at := place{home: home}
	x := at.launch(t, 80, 24, dump).see("row 1/30").typed(":20\r").see("20 of 30").typed("mq").see("mark q").typed("Mlook here\r").see("look here").typed("j").see("21 of 30")
	x.quits()
	if err := os.RemoveAll(filepath.Join(home, ".cache")); err != nil {
		t.Fatal(err)
	}
	x = at.launch(t, 80, 24, dump).see("21 of 30").typed("'q").see("20 of 30", "look here").typed(":notes\r").see("# Notes on", "mark `q`", "look here").typed("q").see("20 of 30")
	x.quits()
	x = at.launch(t, 80, 24, dump, "--at", "3").see("3 of 30")
	x.quits()
	for _, name := range []string{".local/share/hindcast/notes", ".local/state/hindcast/views"} {
		if list, err := os.ReadDir(filepath.Join(home, name)); err != nil || len(list) != 1 {
			t.Errorf("%s: %v, %v", name, list, err)
		}
	}
}
