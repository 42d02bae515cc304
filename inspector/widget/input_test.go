package widget

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gdamore/tcell/v2"

	"hindcast/model"
)

func TestInputEdits(t *testing.T) {
	type k = tcell.Key
	rune_ := func(s string) []any { return []any{s} }
	for name, tt := range map[string]struct {
		keys []any // text, or a key
		want string
	}{
		"types":           {rune_("abc"), "abc"},
		"inserts":         {[]any{"ac", k(tcell.KeyLeft), "b"}, "abc"},
		"erases":          {[]any{"abc", k(tcell.KeyBackspace2), k(tcell.KeyHome), k(tcell.KeyDelete)}, "b"},
		"erases clusters": {[]any{"ae\u0301", k(tcell.KeyBackspace2)}, "a"},
		"erases a word":   {[]any{"type:x  tool:y ", k(tcell.KeyCtrlW)}, "type:x  "},
		"to the start":    {[]any{"abc", k(tcell.KeyLeft), k(tcell.KeyCtrlU)}, "c"},
		"to the end":      {[]any{"abc", k(tcell.KeyCtrlA), k(tcell.KeyRight), k(tcell.KeyCtrlK)}, "a"},
		"history":         {[]any{"new", k(tcell.KeyUp), k(tcell.KeyUp), k(tcell.KeyUp)}, "one"},
		"back again":      {[]any{"new", k(tcell.KeyUp), k(tcell.KeyDown)}, "new"},
	} {
		t.Run(name, func(t *testing.T) {
			in := NewInput(look)
			in.History = []string{"one", "two"}
			in.Set("")
			for _, key := range tt.keys {
				switch key := key.(type) {
				case string:
					for _, r := range key {
						in.Key(tcell.NewEventKey(tcell.KeyRune, r, tcell.ModNone))
					}
				case tcell.Key:
					in.Key(tcell.NewEventKey(key, 0, tcell.ModNone))
				}
			}
			if in.Text() != tt.want {
				t.Errorf("%q, want %q", in.Text(), tt.want)
			}
		})
	}
}

func TestInputKeepsItsCursorInView(t *testing.T) {
	s := simulation(t, 20, 1)
	in := NewInput(look)
	in.Label = "/"
	in.SetRect(0, 0, 20, 1)
	in.Insert(strings.Repeat("漢", 30) + "end")
	in.Draw(s)
	if got := row(s, 0); !strings.HasSuffix(got, "end") || !strings.HasPrefix(got, "/") {
		t.Errorf("%q, want the label and the end of the text", got)
	}
	if x, _, shown := s.GetCursor(); !shown || x > 19 {
		t.Errorf("cursor at %d, shown %v", x, shown)
	}
}

// FuzzInput: any paste leaves one harmless line within the limit, and any keys
// leave the cursor on the edge of a character.
func FuzzInput(f *testing.F) {
	f.Add("a\nb\x1b[201~q\r", "\x01\x02\x7f")
	f.Add(strings.Repeat("x", 5000), "lrlrhd")
	f.Add("👩‍👩‍👧 e\u0301 \u202e", "llllbbb")
	f.Fuzz(func(t *testing.T, paste, keys string) {
		in := NewInput(look)
		in.Insert(paste)
		for _, b := range []byte(keys) {
			key := []tcell.Key{tcell.KeyLeft, tcell.KeyRight, tcell.KeyBackspace2, tcell.KeyDelete, tcell.KeyCtrlW,
				tcell.KeyCtrlU, tcell.KeyHome, tcell.KeyEnd, tcell.KeyRune}[int(b)%9]
			in.Key(tcell.NewEventKey(key, rune(b), tcell.ModNone))
		}
		if len(in.Text()) > InputLimit || !utf8.ValidString(in.Text()) {
			t.Fatalf("%d bytes, valid %v", len(in.Text()), utf8.ValidString(in.Text()))
		}
		for _, r := range in.Text() {
			if model.Deceptive(r) {
				t.Fatalf("holds %U", r)
			}
		}
		if in.cursor < 0 || in.cursor > len(in.text) || !utf8.ValidString(in.text[:in.cursor]) {
			t.Fatalf("cursor at %d of %q", in.cursor, in.text)
		}
	})
}

func TestOffer(t *testing.T) {
	key := func(in *Input, k tcell.Key, r rune) Outcome { return in.Key(tcell.NewEventKey(k, r, tcell.ModNone)) }
	for name, tt := range map[string]struct {
		do   func(in *Input) Outcome
		out  Outcome
		want string
	}{
		"Enter takes it":          {func(in *Input) Outcome { return key(in, tcell.KeyEnter, 0) }, Done, "offered"},
		"typing replaces it":      {func(in *Input) Outcome { return key(in, tcell.KeyRune, 'x') }, Edited, "x"},
		"Backspace drops it":      {func(in *Input) Outcome { return key(in, tcell.KeyBackspace2, 0) }, Edited, ""},
		"Left makes it one's own": {func(in *Input) Outcome { key(in, tcell.KeyLeft, 0); return key(in, tcell.KeyRune, 'x') }, Edited, "offerexd"},
		"a paste replaces it":     {func(in *Input) Outcome { in.Insert("pasted"); return Edited }, Edited, "pasted"},
		"Tab asks for another":    {func(in *Input) Outcome { return key(in, tcell.KeyTab, 0) }, Asked, "offered"},
	} {
		in := NewInput(look)
		in.Offer("offered")
		if out := tt.do(in); out != tt.out || in.Text() != tt.want {
			t.Errorf("%s: %v %q, want %v %q", name, out, in.Text(), tt.out, tt.want)
		}
	}
}
