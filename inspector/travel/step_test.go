package travel

import (
	"fmt"
	"strings"
	"testing"

	"hindcast/index"
	"hindcast/model/query"
)

func place(pos int64) Place { return Place{Session: "s", Pos: pos, Seq: pos} }

// journey is a list of actions and where the cursor must stand after each.
type journey []struct {
	do   Action
	at   int64
	fail string // part of the error
}

func TestJourneys(t *testing.T) {
	tests := map[string]journey{
		"moves leave no trace": {
			{Move{place(3)}, 3, ""}, {Move{place(4)}, 4, ""}, {Back{1}, 4, "go back"},
		},
		"back and forward": {
			{Move{place(1)}, 1, ""}, {Jump{place(5)}, 5, ""}, {Jump{place(9)}, 9, ""},
			{Back{1}, 5, ""}, {Back{1}, 1, ""}, {Back{1}, 1, "go back"},
			{Forward{1}, 5, ""}, {Forward{1}, 9, ""}, {Forward{1}, 9, "forward"},
		},
		"counted": {
			{Move{place(1)}, 1, ""}, {Jump{place(5)}, 5, ""}, {Jump{place(9)}, 9, ""},
			{Back{2}, 1, ""}, {Forward{7}, 9, ""},
		},
		"a new jump forgets what lay ahead": {
			{Move{place(1)}, 1, ""}, {Jump{place(5)}, 5, ""}, {Back{1}, 1, ""},
			{Jump{place(7)}, 7, ""}, {Forward{1}, 7, "forward"}, {Back{1}, 1, ""},
		},
		"a jump to the same event is none": {
			{Move{place(4)}, 4, ""}, {Jump{place(4)}, 4, ""}, {Back{1}, 4, "go back"},
		},
		"back passes over where one stands": {
			{Move{place(1)}, 1, ""}, {Jump{place(2)}, 2, ""}, {Jump{place(8)}, 8, ""},
			{Move{place(2)}, 2, ""}, {Back{1}, 1, ""},
		},
		"previous toggles": {
			{Previous{}, 0, "go back"}, {Move{place(1)}, 1, ""}, {Jump{place(6)}, 6, ""},
			{Previous{}, 1, ""}, {Previous{}, 6, ""},
		},
		"marks": {
			{SetMark{'a'}, 0, "no event"}, {Move{place(2)}, 2, ""}, {SetMark{'a'}, 2, ""},
			{Move{place(8)}, 8, ""}, {GoMark{'b'}, 8, "no mark b"}, {GoMark{'a'}, 2, ""}, {Back{1}, 8, ""},
		},
	}
	for name, steps := range tests {
		t.Run(name, func(t *testing.T) {
			s := New()
			for i, st := range steps {
				next, err := Step(s, st.do)
				if st.fail == "" && err != nil || st.fail != "" && (err == nil || !strings.Contains(err.Error(), st.fail)) {
					t.Fatalf("step %d %T: error %v, want %q", i, st.do, err, st.fail)
				}
				if s = next; s.At.Pos != st.at {
					t.Fatalf("step %d %T: at %d, want %d", i, st.do, s.At.Pos, st.at)
				}
			}
		})
	}
}

func TestStepLeavesItsArgumentAlone(t *testing.T) {
	s, _ := Step(New(), Move{place(1)})
	s, _ = Step(s, SetMark{'a'})
	s, _ = Step(s, Jump{place(2)})
	before := fmt.Sprint(s)
	for _, a := range []Action{
		Jump{place(3)}, Back{1}, Previous{}, SetMark{'a'}, SetMark{'b'}, GoMark{'a'}, ToggleAll{},
		ToggleFollow{}, ToggleRaw{}, NextClock{}, SetFilter{"x", query.Term{}}, SetSearch{Text: "y", Where: query.Term{}},
	} {
		Step(s, a)
		if after := fmt.Sprint(s); after != before {
			t.Fatalf("%T changed its argument:\n%s\n%s", a, before, after)
		}
	}
	// Two futures of one past must not share their lists.
	one, _ := Step(s, Jump{place(10)})
	two, _ := Step(s, Jump{place(20)})
	one, _ = Step(one, Jump{place(11)})
	two, _ = Step(two, Jump{place(21)})
	one, _ = Step(one, Back{1})
	two, _ = Step(two, Back{1})
	if one.At.Pos != 10 || two.At.Pos != 20 {
		t.Errorf("futures mixed: %d and %d, want 10 and 20", one.At.Pos, two.At.Pos)
	}
}

func TestViewSwitches(t *testing.T) {
	s := New()
	if s.Visibility != index.Folded || s.Clock != Relative {
		t.Fatalf("new state: %+v", s)
	}
	s, _ = Step(s, ToggleAll{})
	if s.Visibility != index.All {
		t.Error("a does not show all")
	}
	seen := map[string]bool{}
	for range 3 {
		seen[s.Clock.String()] = true
		s, _ = Step(s, NextClock{})
	}
	if len(seen) != 3 || s.Clock != Relative {
		t.Errorf("clocks seen %v, back at %v", seen, s.Clock)
	}
	s, _ = Step(s, ToggleFollow{})
	s, _ = Step(s, Move{place(1)})
	if !s.Follow {
		t.Error("moving to a neighbour stopped following")
	}
	if s, _ = Step(s, Jump{place(9)}); s.Follow {
		t.Error("a jump away keeps following")
	}
	s, _ = Step(s, SetSearch{Text: "a", Where: query.Term{Text: "a"}})
	s, _ = Step(s, Move{place(30)})
	s, _ = Step(s, SetSearch{Text: "ab", Where: query.Term{Text: "ab"}})
	if s.Search.From.Pos != 9 {
		t.Errorf("search from %d, want where it began, 9", s.Search.From.Pos)
	}
	if s, _ = Step(s, SetSearch{}); s.Search != (Search{}) {
		t.Errorf("search not ended: %+v", s.Search)
	}
}

func TestNextMark(t *testing.T) {
	s := New()
	for i, pos := range []int64{5, 9, 2} {
		s, _ = Step(s, Move{place(pos)})
		s, _ = Step(s, SetMark{'a' + rune(i)})
	}
	s, _ = Step(s, Move{Place{Session: "other", Pos: 6}})
	s, _ = Step(s, SetMark{'z'})
	for _, tt := range []struct {
		at   int64
		back bool
		want int64
	}{{5, false, 9}, {5, true, 2}, {9, false, 0}, {2, true, 0}, {6, true, 5}, {1, false, 2}} {
		s, _ = Step(s, Move{place(tt.at)})
		got, ok := s.NextMark(tt.back)
		if got.Pos != tt.want || ok != (tt.want > 0) {
			t.Errorf("from %d back %v: %d %v, want %d", tt.at, tt.back, got.Pos, ok, tt.want)
		}
	}
	if m := s.MarkAt(place(9)); m != 'b' {
		t.Errorf("mark at 9: %q", m)
	}
}

func TestJumpListIsBounded(t *testing.T) {
	s := New()
	for i := range int64(3 * JumpLimit) {
		s, _ = Step(s, Jump{place(i + 1)})
	}
	if back, _ := s.Depth(); back != JumpLimit {
		t.Errorf("%d places behind, want %d", back, JumpLimit)
	}
	s, _ = Step(s, Back{1 << 40})
	if _, forward := s.Depth(); forward > JumpLimit {
		t.Errorf("%d places ahead, limit %d", forward, JumpLimit)
	}
}

func TestKeys(t *testing.T) {
	table := []string{"j", "g", "gg", "G", "]k", "]t", "Ctrl-W h", "zz", "yy", "ma", "mb", "''", "Ctrl-D"}
	bound := func(seq string) (exact, longer bool) {
		for _, k := range table {
			exact = exact || k == seq
			longer = longer || strings.HasPrefix(k, seq) && k != seq
		}
		return exact, longer
	}
	for _, tt := range []struct{ press, want string }{
		{"j", "j"}, {"1 2 j", "12*j"}, {"1 0 G", "10*G"}, {"0 j", "0 j"}, {"g", "g"}, {"g g", "gg"}, {"g j", "g j"}, {"3 g ] k", "3*g ]k"},
		{"] k", "]k"}, {"3 ] t", "3*]t"}, {"] x j", "]x j"}, {"] Esc j", "j"}, {"4 Esc j", "j"}, {"Esc", "Esc"},
		{"Ctrl-W h", "Ctrl-W h"}, {"z z", "zz"}, {"m a", "ma"}, {"' '", "''"}, {"2 Ctrl-D", "2*Ctrl-D"}, {"Ctrl-D", "Ctrl-D"},
		{"9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 j", "999999999999*j"}, {"y 5", "y5"},
	} {
		var k Keys
		var got []string
		for _, p := range strings.Fields(tt.press) {
			var s Stroke
			var done bool
			if alone, ok := k.Settled(p, bound); ok {
				got, k = append(got, spelt(alone)), Keys{}
			}
			if k, s, done = k.Feed(p, bound); !done {
				continue
			}
			got = append(got, spelt(s))
			if !k.Idle() {
				t.Errorf("%q: keys left over after a stroke: %+v", tt.press, k)
			}
		}
		if alone, ok := k.Settled("", bound); ok {
			got = append(got, spelt(alone))
		}
		if g := strings.Join(got, " "); g != tt.want {
			t.Errorf("%q: %q, want %q", tt.press, g, tt.want)
		}
	}
}

func spelt(s Stroke) string {
	if s.Count > 0 {
		return fmt.Sprintf("%d*%s", s.Count, s.Seq)
	}
	return s.Seq
}

func TestAnchorAndTrack(t *testing.T) {
	if _, err := Step(New(), SetAnchor{}); err == nil {
		t.Error("an anchor was set nowhere")
	}
	s, _ := Step(New(), Move{place(4)})
	s, _ = Step(s, SetAnchor{})
	s, _ = Step(s, Move{place(9)})
	if !s.Anchor.Same(place(4)) || !s.At.Same(place(9)) {
		t.Errorf("the range is %v to %v, want 4 to 9", s.Anchor, s.At)
	}
	if s, _ = Step(s, DropAnchor{}); !s.Anchor.Nowhere() {
		t.Errorf("the anchor stands at %v after it was dropped", s.Anchor)
	}
	one, _ := Step(s, TogglePin{"/errors/count"})
	two, _ := Step(one, TogglePin{"/shell/cwd"})
	if back, _ := Step(two, TogglePin{"/errors/count"}); fmt.Sprint(one.Pins, two.Pins, back.Pins) != "[/errors/count] [/errors/count /shell/cwd] [/shell/cwd]" {
		t.Errorf("pins: %v, %v, %v", one.Pins, two.Pins, back.Pins)
	}
	if s, _ = Step(s, Track{"9%"}); s.Tracked != "9%" {
		t.Errorf("tracks %q", s.Tracked)
	}
}
