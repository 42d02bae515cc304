package inspector

import (
	"strings"
	"unicode/utf8"

	"hindcast/inspector/travel"
)

// keyTable is the key table as it is bound, by key sequence.
type keyTable struct {
	list []binding // with the keys as they are bound
	do   map[string]action
	lead map[string]bool // sequences that longer ones begin with
}

// action is what a sequence does. A command that looks at its key is told the
// one of the table, whatever key it has been given.
type action struct {
	do  func(*ui, travel.Stroke)
	seq string
}

// newKeyTable binds a list of bindings: over their own keys those of a preset,
// over these the keys that are given to commands by name. Keys that cannot be
// are the caller's fault: see keyboard.Check.
func newKeyTable(list []binding, preset string, keys map[string][]string) *keyTable {
	t := &keyTable{do: map[string]action{}, lead: map[string]bool{}}
	for _, b := range list {
		var bound []string
		for _, c := range b.commands() {
			given, ok := keys[c.name]
			if !ok {
				given, ok = presets[preset][c.name]
			}
			if !ok {
				given = c.keys
			}
			for _, k := range given {
				k = spelled(k)
				t.bind(b.do, c, k)
				bound = append(bound, k)
			}
		}
		b.keys = strings.Join(bound, " ")
		t.list = append(t.list, b)
	}
	return t
}

// presets are sets of keys to begin with, by name and command.
var presets = map[string]map[string][]string{
	"less": {"search-back": {"?"}, "help": {"F1", "h"}, "left": {"Left"}},
}

func (t *keyTable) bind(do func(*ui, travel.Stroke), c keyCommand, key string) {
	for i, seq := range expand(key) {
		t.do[seq] = action{do, c.canonical(key, seq, i)}
		for _, lead := range leads(seq) {
			t.lead[lead] = true
		}
	}
}

// keyCommand is one name of a binding, with the keys that are its own.
type keyCommand struct {
	name string
	keys []string
}

// commands are what a binding's names stand for: one for all of its keys, or one
// for each.
func (b binding) commands() []keyCommand {
	names, keys := strings.Fields(b.name), strings.Fields(b.keys)
	if len(names) == 1 {
		return []keyCommand{{b.name, keys}}
	}
	out := make([]keyCommand, len(names))
	for i, name := range names {
		out[i] = keyCommand{name, keys[i : i+1]}
	}
	return out
}

// canonical is the sequence that a command is told: its own where it has been
// pressed, else the first of its own that means the same.
func (c keyCommand) canonical(key, seq string, i int) string {
	for _, own := range c.keys {
		if own == key {
			return seq
		}
	}
	if len(c.keys) == 0 {
		return c.name
	}
	if own := expand(c.keys[0]); i < len(own) {
		return own[i]
	}
	return seq
}

// spelled is a key as the table spells it, each a word: a space is Space, and
// "Ctrl-w h" is Ctrl-W{h}.
func spelled(key string) string {
	if key == " " {
		return "Space"
	}
	lead, last, two := strings.Cut(key, " ")
	if rest, ok := strings.CutPrefix(lead, "Ctrl-"); ok {
		lead = "Ctrl-" + strings.ToUpper(rest[:min(len(rest), 1)]) + rest[min(len(rest), 1):]
	}
	if two {
		return lead + "{" + last + "}"
	}
	return lead
}

// keySets are the sets of characters that a sequence may end with, spelled
// short.
var keySets = map[string]string{"a-z": "abcdefghijklmnopqrstuvwxyz"}

// expand spells out every sequence that keys name: "m{a-z}" is 26.
func expand(keys string) []string {
	var out []string
	for _, k := range strings.Fields(keys) {
		lead, set, ok := keySet(k)
		if !ok {
			out = append(out, k)
			continue
		}
		if utf8.RuneCountInString(lead) > 1 {
			lead += " "
		}
		for _, r := range set {
			out = append(out, lead+string(r))
		}
	}
	return out
}

// keySet takes a sequence with a set at its end apart.
func keySet(k string) (lead, set string, ok bool) {
	open := strings.IndexByte(k, '{')
	if open < 1 || !strings.HasSuffix(k, "}") {
		return k, "", false
	}
	lead, set = k[:open], k[open+1:len(k)-1]
	if all, ok := keySets[set]; ok {
		set = all
	}
	return lead, set, set != ""
}

// leads lists what is pending before a sequence is whole.
func leads(seq string) []string {
	if i := strings.IndexByte(seq, ' '); i > 0 {
		return []string{seq[:i]}
	}
	if _, named := namedKeys[seq]; named || utf8.RuneCountInString(seq) < 2 || chord(seq) {
		return nil
	}
	_, n := utf8.DecodeRuneInString(seq)
	return []string{seq[:n]}
}

// chord tells a key that is pressed with Ctrl or Alt.
func chord(seq string) bool { return strings.HasPrefix(seq, "Ctrl-") || strings.HasPrefix(seq, "Alt-") }

// namedKeys are the sequences that are one press of a key with a long name.
var namedKeys = func() map[string]bool {
	out := map[string]bool{"Space": true}
	for _, name := range keyNames {
		out[name] = true
	}
	return out
}()

func (t *keyTable) bound(seq string) (exact, longer bool) { return t.do[seq].do != nil, t.lead[seq] }

// keysOf are the keys of a command as they are bound, the first of them at the
// front; empty where it has none.
func (t *keyTable) keysOf(name string) string {
	for _, b := range t.list {
		if b.name == name {
			return b.keys
		}
	}
	return ""
}
