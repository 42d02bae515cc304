//go:build unix

package inspector

import (
	"os"
	"strings"
	"testing"
	"time"
)

func TestCopiesWhatIsUnderTheCursor(t *testing.T) {
	d := drive(t, demo(t), 80, 24, Options{Source: "demo:"}).see("row 1/77", "4 failed calls")
	d.press("yp").see("1 is about no file").press(":113", "Enter").at("113").copied("file:main.go", "yp").copied("main.go", "yv")
	d.press("gf").see("after 113", "package main").copied("package main", "yv").copied("file:main.go", "yp").press("q")
	d.press("Tab", "Tab", "Tab").see("[state]", "changed by this step").press("4j").copied("/usage/cost_usd", "yp").copied("0.97287", "yv")
}

// TestSavedFilters: a filter that was saved by name is there again.
func TestSavedFilters(t *testing.T) {
	s := storeOf(t)
	d := keeping(t, s, Options{}).see("row 1/23")
	d.press(":filter", "Enter").see("no filter is saved").press(":filter save", "Enter").see("needs a name").press(":filter save x", "Enter").see("no filter is set")
	d.press("f", "failed:true", "Enter").see("filter failed:true").press(":filter save bad runs", "Enter").see("saved as bad runs").press("\\").see("23 rows")
	d.press(":filter nope", "Enter").see("no filter is saved as nope").press(":filter tool:(", "Enter").see("column").press(":filter tool:bash", "Enter").see("filter tool:bash").press("\\").see("23 rows")
	quit(t, d)
	d = keeping(t, s, Options{}).see("row ")
	d.press(":filter ba", "Tab").see(":filter bad runs").press("Enter").see("filter failed:true").press("\\").see("23 rows")
	d.press(":filter", "Enter").see("saved filters", "bad runs", "failed:true").golden("saved-filters").press("Enter").see("filter failed:true").press("\\")
	d.press(":filter drop bad runs", "Enter").see("bad runs is forgotten").press(":filter", "Enter").see("no filter is saved")
}

// TestTypedLinesAreKept: what was typed into a prompt is there in the next run,
// in that prompt only.
func TestTypedLinesAreKept(t *testing.T) {
	s := storeOf(t)
	d := keeping(t, s, Options{}).see("row 1/23")
	d.press("/", "tax.js", "Enter").see("/tax.js 1/").press("Esc", "f", "tool:bash", "Enter").see("filter tool:bash").press("\\", ":error", "Enter").at("45")
	quit(t, d)
	d = keeping(t, s, Options{}).see("45 of 48")
	d.press("/", "Up").see("/tax.js").press("Esc", "f", "Up").see("filter tool:bash").press("Esc", ":", "Up").see(":error").press("Esc")
}

func TestPlay(t *testing.T) {
	d := drive(t, story(), 80, 24, Options{}).see("row 1/23", "K 1")
	d.press("P").see("playing 1x").press("+", "+", "+", "+", "+", "+").see("playing 64x").press("-").see("playing 32x").at("4").at("8").press("x").see("stopped at").gone("[context]")
	d.press("G").at("48").press("P").see("played to the end").press("k").at("47")
}

// TestPipe: a shell command gets what is under the cursor as its input, on the
// terminal, and the inspector comes back.
func TestPipe(t *testing.T) {
	dir := t.TempDir()
	x := launch(t, 80, 24, "demo").see("row 1/77").typed(":113\r").see("113 of")
	x.typed("|").see("gets the text of record 113").typed("cat >"+dir+"/text; echo PIPED\r").see("PIPED", "Enter goes back").typed("\r").see("113 of")
	x.typed("r").see("raw").typed("|").see("gets the bytes of record 113").typed("cat >"+dir+"/raw; exit 3\r").see("exit status 3; Enter").typed("\r").see("exit status 3", "113 of").typed("r")
	x.typed("gf").see("package main").typed("|").see("gets main.go").typed("wc -l >" + dir + "/lines\r").see("Enter goes back").typed("\r").see("package main").typed("qq")
	if code := x.ended(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	x.restored()
	for name, want := range map[string]string{"text": "edit_file", "raw": `{"event_id":"evt_0113"`, "lines": "29"} {
		if b, err := os.ReadFile(dir + "/" + name); err != nil || !strings.Contains(string(b), want) {
			t.Errorf("%s got %q (%v), want %s in it", name, b, err, want)
		}
	}
}

// TestClipboardProgram: what is copied reaches the program of the platform too.
func TestClipboardProgram(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/xclip", []byte("#!/bin/sh\ncat >"+dir+"/clip\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	t.Setenv("WAYLAND_DISPLAY", "")
	x := launch(t, 80, 24, "demo").see("row 1/77").typed("yi").see("copied id")
	for begin := time.Now(); time.Since(begin) < patience; time.Sleep(10 * time.Millisecond) {
		if b, _ := os.ReadFile(dir + "/clip"); string(b) == "evt_0001" {
			x.typed("q").ended()
			return
		}
	}
	b, err := os.ReadFile(dir + "/clip")
	t.Errorf("the program got %q (%v)", b, err)
}
