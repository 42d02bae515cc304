package inspector

import (
	"strings"
	"testing"
)

func TestKeyTable(t *testing.T) {
	seen := map[string]string{}
	groups, named := map[string]bool{}, map[string]bool{}
	for _, g := range groupTitles {
		groups[g.group] = true
	}
	last, closed := "", map[string]bool{}
	for _, b := range bindings() {
		if b.help == "" || b.name == "" || b.do == nil || !groups[b.group] {
			t.Errorf("%q: no help, no action or unknown group %q", b.keys, b.group)
		}
		if b.group != last {
			if closed[b.group] {
				t.Errorf("%q: group %s stands in two places", b.keys, b.group)
			}
			closed[b.group], last = true, b.group
		}
		if (b.foot == "") != (b.where == 0) {
			t.Errorf("%q: a word for the footer needs panes, and panes a word", b.keys)
		}
		if n, keys := len(strings.Fields(b.name)), len(strings.Fields(b.keys)); n != 1 && n != keys {
			t.Errorf("%q: %d names for %d keys", b.keys, n, keys)
		}
		for _, name := range strings.Fields(b.name) {
			if named[name] {
				t.Errorf("%q: the name %s is taken", b.keys, name)
			}
			named[name] = true
		}
		for _, seq := range expand(b.keys) {
			if other, ok := seen[seq]; ok {
				t.Errorf("%q is bound by %q and by %q", seq, other, b.keys)
			}
			seen[seq] = b.keys
		}
	}
	// A key that begins others waits for them: that must stay the exception.
	table := newKeyTable(bindings(), "", nil)
	for seq, keys := range seen {
		for _, lead := range leads(seq) {
			if other, ok := seen[lead]; ok && other != keys && lead != "g" && lead != "'" {
				t.Errorf("%q waits, because it begins %q", lead, seq)
			}
			if _, longer := table.bound(lead); !longer {
				t.Errorf("%q does not lead to %q", lead, seq)
			}
		}
	}
	for _, must := range strings.Fields("j k Down Up g gg G Ctrl-D Ctrl-U Ctrl-F Ctrl-B PgUp PgDn h l Space , . J K e E ]k [k ]t [t ]m [m " +
		"ma 'a '' c C R % s S f / n N = - \\ a F t r Tab S-Tab Z zt zz zb Ctrl-O Alt-Right Ctrl-] yy yi ya yc : ? F1 F2 q Esc Ctrl-C Ctrl-Z Enter " +
		"x X d D v b B o * gf gF ]w [w ]d [d ]c [c ; w W Delete H L") {
		if seen[must] == "" {
			t.Errorf("%q is not bound", must)
		}
	}
}

func TestHelpShowsEveryKey(t *testing.T) {
	for _, width := range []int{30, 80, 120, 200} {
		d := drive(t, story(), width, 60, Options{})
		d.see("row").press("?").see("12j")
		for _, part := range []string{"12j", "Ctrl-W{hjklw}", "F2", "Ctrl-Z"} {
			d.until("saw or scrolled to "+part, func(s string) bool {
				if strings.Contains(s, part) {
					return true
				}
				d.press("j")
				return false
			}).press("g")
		}
	}
}

func TestKeysMarkdown(t *testing.T) {
	page := KeysMarkdown()
	for _, want := range []string{"## Cause and effect\n", "| `e` `E` | next, previous error", "| `\\` | all filters off |", "type:Agent\\*"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	if got, want := strings.Count(page, "\n| `"), len(bindings())-1; got != want {
		t.Errorf("%d rows, want one for each of %d bindings with keys", got, want)
	}
}
