package inspector

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"hindcast/inspector/command"
	"hindcast/model"
	"hindcast/render"
	"hindcast/render/theme"
)

// copied presses keys and waits until the clipboard holds exactly want.
func (d *driver) copied(want string, keys ...string) *driver {
	d.t.Helper()
	return d.press(keys...).until("copied "+want+" (the clipboard holds "+d.clipboard()+")", func(string) bool { return d.clipboard() == want })
}

// alone is the story without its second session.
func alone() *fake {
	f := story()
	f.session = f.session[:1]
	return f
}

func TestCommandOfEachView(t *testing.T) {
	d := drive(t, alone(), 80, 24, Options{Source: "-d a.jsonl -d 'b c.jsonl'"}).see("row 1/23", "K 1")
	d.copied("0", "ya").copied("hindcast show 0 -d a.jsonl -d 'b c.jsonl'", "yc")
	d.press("j", "j").at("4").press("Tab").copied("hindcast why 4 -d a.jsonl -d 'b c.jsonl'", "yc").press("Tab", "Tab")
	d.press("Esc").see("[state] context  diff  ─ 4").copied("hindcast state --at 4 -d a.jsonl -d 'b c.jsonl'", "yc")
	d.press("x").see("for 2").copied("hindcast context --for 2 -d a.jsonl -d 'b c.jsonl'", "yc")
	d.press("d").see("3 .. 4").copied("hindcast diff 3 4 -d a.jsonl -d 'b c.jsonl'", "yc").press("Enter", "Esc").see("[detail]")
	d.press("r").copied("hindcast show 4 --raw -d a.jsonl -d 'b c.jsonl'", "yc").press("r")
	d.press("C").see("effects of 4").copied("hindcast why 4 --effects -d a.jsonl -d 'b c.jsonl'", "yc").press("q")
	d.press("s").see("outcome").copied("hindcast sessions -d a.jsonl -d 'b c.jsonl'", "yc").press("q")
	d.press("f", `text:"a b"`, "Enter").see("filter text").copied(`hindcast query 'text:"a b"' -d a.jsonl -d 'b c.jsonl'`, "yc").press("\\")
	d.press("?").see("Cause and effect").press("yc").see("no command shows this page")
}

// TestCommandsOfSeveralSessions: an address always names its session; a verb is
// given one only where it would take another.
func TestCommandsOfSeveralSessions(t *testing.T) {
	d := drive(t, story(), 80, 24, Options{Source: "run.jsonl"}).see("row 1/23", "K 1")
	d.copied("b58db045-77aa@@0", "ya").copied("hindcast show 0 run.jsonl", "yc")
	d.press("f", "failed:true", "Enter").see("filter failed").copied("hindcast query failed:true --session b58db045-77aa run.jsonl", "yc").press("\\")
	d.press(":sub-1f@@1", "Enter").see("Found none").copied("sub-1f@@1", "ya").copied("hindcast show 1 --session sub-1f run.jsonl", "yc")
}

func TestCommandOfTheCommandLine(t *testing.T) {
	o := Options{Source: "run.jsonl", Commands: []string{"stats", "query"}, RunCommand: runStats}
	d := drive(t, alone(), 80, 24, o).see("row 1/23")
	d.press(`:stats --x "a b" it\'s`, "Enter").see("events  51").copied(`hindcast stats --x 'a b' 'it'\''s' run.jsonl`, "yc").press("q")
	d.press(":hindcast stats --x run.jsonl", "Enter").see("events  51").copied(`hindcast stats --x run.jsonl`, "yc").press("q")
	o.Session = "b58"
	d = drive(t, story(), 80, 24, o).see("row 1/23")
	d.press(`:stats -- -x`, "Enter").see("events  51").copied(`hindcast stats --session b58db045-77aa -- -x run.jsonl`, "yc").press("q")
	d.press(`:stats --session=sub-1f`, "Enter").see("events  51").copied(`hindcast stats --session=sub-1f run.jsonl`, "yc")
}

func TestPipeIsNotRepeatable(t *testing.T) {
	d := drive(t, alone(), 80, 24, Options{Source: "-", Unrepeatable: "from a pipe: not repeatable"}).see("row 1/23", "2 failed calls")
	d.press("j").see(" from a pipe: not repeatable").press("yc", "j").at("4")
	if got := d.clipboard(); got != "" {
		t.Errorf("copied %q", got)
	}
}

// TestAnswersFillThePage: answers of the prompt are drawn for the width that
// they have, and a page that has no rows to select does not offer to go to one.
func TestAnswersFillThePage(t *testing.T) {
	o := Options{Commands: []string{"ruler"}, RunCommand: func(_ context.Context, _, _ string, width int) ([]render.Line, error) {
		return []render.Line{{{Text: strings.Repeat("=", width-2) + strconv.Itoa(width)[:1] + "|", Role: theme.Plain}}, {{Text: "under it"}}}, nil
	}}
	for _, w := range []int{80, 120} {
		d := drive(t, alone(), w, 24, o).see("row 1/23")
		d.press(":ruler", "Enter").see("under it", "j/k scroll").until("drew the whole width", func(s string) bool {
			for _, l := range strings.Split(s, "\n") {
				if strings.HasPrefix(l, "====") {
					return len(l) == w && strings.HasSuffix(l, "|")
				}
			}
			return false
		})
		if strings.Contains(d.text(), "Enter go") {
			t.Errorf("a page of text offers Enter:\n%s", d.text())
		}
		d.press("q", "s").see("Enter go")
	}
}

// TestShellWords: what is quoted for a shell is read as the same words.
func TestShellWords(t *testing.T) {
	for _, w := range []string{"plain", "", "a b", "it's", `"x"`, "$HOME", "*", "a\nb", "ü", "#12", "~"} {
		got, err := command.SplitLine(shell(w) + " x")
		if err != nil || len(got) != 2 || got[0] != w {
			t.Errorf("%q is spelt %s and read as %q (%v)", w, shell(w), got, err)
		}
	}
}

// TestAddressBesideTheLog: a row that only shares its neighbour's seq is named by pos.
func TestAddressBesideTheLog(t *testing.T) {
	f := alone()
	e := f.add(storyID, model.Event{Type: "Retry", Kind: model.KindState, Title: "a live retry", Seq: 7})
	if e.HasSeq {
		t.Fatal("the fake gave it a seq of its own")
	}
	d := drive(t, f, 80, 24, Options{Source: "run.jsonl"}).see("row 1/24").press("G").see("a live retry", "row 24/24")
	d.copied("#50", "ya").copied("hindcast show '#50' run.jsonl", "yc")
}
