package inspector

import (
	"context"
	"strings"
	"testing"

	"hindcast/index"
)

// TestPanesFollow: the panes beside the timeline speak of the selected step,
// and bring the command that prints the same.
func TestPanesFollow(t *testing.T) {
	d := drive(t, alone(), 120, 40, Options{Source: "run.jsonl"}).see("row 1/23", "K 1")
	d.press("E").at("45").press("E").at("37").see("context ─ for 35  4 messages  exact", "gone 20", "state ─ 37", "errors.count      0 → 1")
	d.press(",").at("34").see("state ─ 34", "for 32").press(".").at("37").see("state ─ 37")
	d.press("x").copied("hindcast context --for 35 run.jsonl", "yc").press("x").press("d").see("[diff]", "36 .. 37  3 changes").
		copied("hindcast show 37 run.jsonl", "yc").press("d").copied("hindcast diff 36 37 run.jsonl", "yc").press("d")
	d.press("x", "k", "Enter").at("32").press("Ctrl-O").at("37")
}

func TestRangeJourney(t *testing.T) {
	d := open(t, 80, 24)
	d.press("d").see("[diff]", "the start .. 0", "message").press("5j").at("11").press("v").see("A is 11", "A 11")
	d.press("6j").see("11 .. 29", "14 changes", "by 12").press("Esc").gone("A 11").see("28 .. 29")
	d.press("v").see("A 29").press("v").gone("A 29")
}

func TestStateTree(t *testing.T) {
	d := drive(t, alone(), 80, 40, Options{Source: "run.jsonl"}).see("row 1/23", "K 1")
	d.press("G").at("48").press("Tab", "Tab", "Tab").see("[state]", "▸ errors", "▾ files").press("G").see("none")
	d.press("k").see("checkpoint").press("k", "l").see("count", "last_seq").copied("hindcast state /errors --at 48 run.jsonl", "yc")
	d.press("j").copied("hindcast state /errors/count --at 48 run.jsonl", "yc").press("b").at("45").see("─ 45")
	d.press("[w").at("37").press("[w").see("no further write").press("]w").at("45")
	d.press(".").at("46").press("h", "h").gone("last_seq").press("L").see("last_seq").press("H").gone("last_seq").press(" ").see("last_seq").press("Esc")
	d.press(",", ",").at("44")
}

func TestFileJourney(t *testing.T) {
	d := drive(t, alone(), 80, 24, Options{Source: "run.jsonl"}).see("row 1/23", "K 1")
	d.press("gf").see("is about no file")
	d.press(":39", "Enter").at("39").press("B").see("after 41", "41 edit").press("q").press("b").at("16").press("Ctrl-O").at("39")
	d.press("G").press("gf").see("is about no file").press(":44", "Enter").at("44")
	d.press(":41", "Enter").at("41").press("gf").see("src/tax.js ─ after 41", "book: 0.07", "b blame")
	d.copied("hindcast state file:src/tax.js --at 41 run.jsonl", "yc").press("B").see("41 edit").copied("hindcast blame file:src/tax.js --at 41 run.jsonl", "yc")
	d.press("B").gone("41 edit").press("[w").at("16").see("book: 0.09", "after 16").press("5,").see("does not exist after").press("5.").see("book: 0.09")
	d.press("2j", "b").see("row").gone("book: 0.09 ").press("Ctrl-O")
	d.press(":41", "Enter").at("41").press("b").at("16").press("Ctrl-O").at("41").press("q")
	if err := d.ends(); err != nil {
		t.Error(err)
	}
}

func TestKnewJourney(t *testing.T) {
	d := drive(t, alone(), 80, 24, Options{Source: "run.jsonl"}).see("row 1/23", "K 1")
	d.press("*").see("knew ").press("9%", "Enter").see("knew “9%”", "not yet: from 4", "░░", "██").copied("hindcast knew 9% run.jsonl", "yc")
	d.press("2j").at("4").see("in view, from 4 to 29").press("E").at("45").press("E").at("37").see("gone since 30")
	d.press("*").see("knew 0.09 !== 0.07", "Tab: 1 of").press("Esc").see("hindcast knew 9%", "knew “9%”").press("Esc").gone("knew “9%”")
	d.press("*", "nothing of the kind", "Enter").see("never in the model's view").press("Esc").gone("never in")
	d.press("o", "src/tax.js", "Enter").see("origin of “src/tax.js”", "first in", "and from there").press("Enter").at("6")
	d.press("o").see("origin of").press("Esc").press("o", "zzz", "Enter").see("no event up to 6 holds")
	d.press("g").at("0").press("o", "VAT", "Enter").see("0 is its first mention")
}

func TestExchangeJourney(t *testing.T) {
	d := drive(t, alone(), 80, 40, Options{Source: "run.jsonl"}).see("row 1/23", "K 1")
	d.press("E").at("45").press("D").see("condensation 30", "dropped  20", "kept  1", "came back  0").copied("hindcast diff 29 30 /context run.jsonl", "yc")
	d.press("q").press("]k").at("30").press("X").see("view over 30", "dropped  20", "last said by the user  0").press("5j", "Enter").gone("dropped")
	d.press(":4", "Enter").at("4").press("X").see("dropped  0", "kept  3").press("q")
	f := alone()
	f.write(32, "/context/messages/0001", "") // what the user said leaves the view
	d = drive(t, f, 80, 40, Options{Source: "run.jsonl"}).see("row 1/23")
	d.press("E").at("45").press("X").see("last said by the user  0  not in view any more").press("q")
}

// TestStatesComeLater: while the states are not there the panes say how far
// they are, and ask again as they come.
func TestStatesComeLater(t *testing.T) {
	f := alone()
	f.folded, f.status.Folded = 11, false
	d := drive(t, f, 120, 40, Options{}).see("row 1/23", "state ─ 0").press("G").see("states: folded 10 of 49")
	d.press("*", "9%", "Enter").see("knew “9%”", "states: folded").press("D").see("not folded this far").press("gf").see("not folded this far")
	f.mu.Lock()
	f.folded, f.status.Folded = 0, true
	f.mu.Unlock()
	f.grow()
	d.see("state ─ 48", "for 48", "gone since 30")
}

func TestStateErrorsAreTold(t *testing.T) {
	d := drive(t, unfoldable{alone()}, 120, 40, Options{}).see("row 1/23", "no such luck").press("x", "d", "gf").see("no such luck").press("q")
	if err := d.ends(); err != nil {
		t.Error(err)
	}
}

// unfoldable is an index whose states cannot be told.
type unfoldable struct{ *fake }

func (unfoldable) StateReady(context.Context, string) (int64, error) {
	return 0, &index.PathError{Path: "/", Reason: "no such luck"}
}

// TestGWaits: g is a key, and begins others.
func TestGWaits(t *testing.T) {
	d := open(t, 80, 24).press("G").at("48").press("g").at("0").press("G").at("48").press("gj").at("1")
	d.press("G").at("48").press("gg").at("0").press("3j").at("5").press("gG").at("48")
}

func TestFooterOffersStates(t *testing.T) {
	d := open(t, 120, 40)
	for _, want := range []string{"b blame", "x context", "d diff", "* knew"} {
		if s := d.text(); !strings.Contains(s, want) {
			t.Errorf("no %q in the footer:\n%s", want, s)
		}
	}
}
