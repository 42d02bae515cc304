package inspector

import (
	"strings"
	"testing"
)

func TestPinJourney(t *testing.T) {
	d := drive(t, alone(), 120, 40, Options{Source: "run.jsonl"}).see("row 1/23", "K 1")
	d.press("W").see("no pins").press("w").see("is about no file").press(":41", "Enter").at("41").press("w").see("pinned src/tax.js", "pinned  1")
	d.press("G").at("48").press("Tab", "Tab", "Tab", "Tab").see("state ─ 48").press("G", "2k", "l", "j").copied("hindcast state /errors/count --at 48 run.jsonl", "yc")
	d.press("w").see("pinned /errors/count").press("g").see("pinned  2", "▁▁▁▁▁▁▁▁▁▄▄█").press("j", "5,").at("41").see("pinned  2", "state ─ 41", "▁▁▁▁▁▁▁▁▁▄▄█")
	d.press("W").see("pins after 41", "w unpin", "src/tax.js", "errors.count").press("Enter").at("41").press("[w").at("16").see("state ─ 16")
	d.press("W").see("pins after 16").press("j", "Enter").see("pins after 16").press("q", ":48", "Enter").at("48").press("W").see("pins after 48").press("j", "Enter").at("45")
	d.press("W").see("pins after 45").press("Delete").see("unpinned src/tax.js", "pins after 45").press("w").see("unpinned /errors/count").gone("pinned  1")
	d.press("Delete").see("W opens it")
}

func TestChangeJourney(t *testing.T) {
	d := drive(t, alone(), 80, 24, Options{Source: "run.jsonl"}).see("row 1/23", "K 1").press(":41", "Enter").at("41")
	d.press("]d").see("[diff]", "@@ -1,4").press(";").press("9;", ";").see("no further change").press("9[d", "[d", "[d").see("no further change")
	d.press("d", "w").see("pinned").press("w").see("unpinned").press("*").see("Tab: 1 of").press("Esc", "d")
	d.press("D").see("came back").press("]d", "]d", "]d", "]d").see("no further list").press("[d", "[d", "[d").see("no further list").press("q")
	d.press("?").press("]d").see("no further list").press("q").press("g").at("0").press("]d").see("[diff]", "the start .. 0", "+ message").press("9]d", "]d").see("no further change")
}

func TestMotionsAgain(t *testing.T) {
	d := open(t, 80, 24).press(";").see("none was made yet")
	d.press("]c").see("is no call").press("2j").at("4").press("]c").at("6").press(";").at("48").press("[c").at("6").press("2;").at("2")
	d.press("[t").at("0").press(";").at("47")
}

// TestOffers: what the cursor stands on is what a prompt offers, and typing
// takes its place.
func TestOffers(t *testing.T) {
	d := drive(t, alone(), 80, 24, Options{Source: "run.jsonl"}).see("row 1/23", "K 1")
	d.press("E").at("45").press("E").at("37").press("o").see("origin of 0.09 !== 0.07 at test/book.test.js:4:34", "Tab: 1 of")
	d.press("Tab").see("origin of node --test").press("Backspace").see("origin of\n").press("0.09", "Enter").see("origin of “0.09”").press("q")
	d.press("*").see("knew 0.09 !==").press("Left", "Backspace").see("4:3").press("Esc")
	d.press("Enter").press("j").press("o").see("origin of").press("Esc").press("Esc")
	d.press(":41", "Enter").at("41").press("gf").see("book: 0.07").press("2j", "*").see("knew book: 0.07,").press("Tab").see("knew book").press("Enter").see("knew “book”", "in view")
	if s := d.text(); strings.Contains(s, "Tab:") {
		t.Errorf("the prompt is still there:\n%s", s)
	}
}

func TestNoEditor(t *testing.T) {
	d := drive(t, alone(), 80, 24, Options{}).see("row 1/23").press("gF").see("no $EDITOR is set")
	if err := d.press("q").ends(); err != nil {
		t.Error(err)
	}
}

func TestCopyName(t *testing.T) {
	for name, want := range map[string]string{
		"src/tax.js": "tax.js", "/a/Makefile": "Makefile", `c:\x\y.go`: "y.go", "": "file", "a/": "file", "..": "file",
		"a b\x1b[2J\x00.py": "a_b__2J_.py", "größe.txt": "gr__e.txt", "-rf": "-rf", strings.Repeat("x", 300) + ".go": strings.Repeat("x", 97) + ".go",
	} {
		if got := copyName(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
