package inspector

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hindcast/inspector/config"
)

// Keyboard tells what can be given other keys, and which.
var Keyboard config.Keyboard = keyboard{}

type keyboard struct{}

// unchanging are the commands whose keys stay: they are the ways out.
var unchanging = []string{"escape", "end", "suspend"}

// Commands implements config.Keyboard.
func (keyboard) Commands(preset string) []config.Command {
	var out []config.Command
	for _, b := range bindings() {
		for _, c := range b.commands() {
			if slices.Contains(unchanging, c.name) {
				continue
			}
			keys := append([]string{}, c.keys...)
			if given, ok := presets[preset][c.name]; ok {
				keys = given
			}
			out = append(out, config.Command{Name: c.name, About: b.help, Keys: keys})
		}
	}
	return out
}

// Check implements config.Keyboard.
func (k keyboard) Check(preset string, keys map[string][]string) []config.KeyFault {
	var out []config.KeyFault
	owner := map[string]string{}
	for _, b := range bindings() {
		for _, c := range b.commands() {
			if slices.Contains(unchanging, c.name) {
				own(owner, c.name, c.keys)
			}
		}
	}
	commands := k.Commands(preset)
	for _, c := range commands { // what is given keeps no key from what is said in the file
		if _, said := keys[c.Name]; !said {
			own(owner, c.Name, c.Keys)
		}
	}
	for _, c := range commands {
		for _, key := range keys[c.Name] {
			if why := faulty(c.Name, key); why != "" {
				out = append(out, config.KeyFault{Name: c.Name, Message: why})
				continue
			}
			for _, seq := range expand(spelled(key)) {
				if other := owner[seq]; other != "" && other != c.Name {
					out = append(out, config.KeyFault{Name: c.Name, Message: seq + " is the key of " + other + ": " + instead(other)})
					break
				}
				owner[seq] = c.Name
			}
		}
	}
	return out
}

func own(owner map[string]string, name string, keys []string) {
	for _, key := range keys {
		for _, seq := range expand(key) {
			owner[seq] = name
		}
	}
}

func instead(other string) string {
	if slices.Contains(unchanging, other) {
		return "it keeps it"
	}
	return "give " + other + " another key or none: " + other + " = []"
}

// keyHint says how keys are written.
const keyHint = "keys are written as c, C, Space, F5, Ctrl-X, Alt-x, or two in a row: ]k, gf, Ctrl-W{h}"

// faulty says what is wrong with a key for a command; empty: nothing.
func faulty(name, key string) string {
	seq := spelled(key)
	lead, set, isSet := keySet(seq)
	if want := wantedSet(name); want != "" {
		if !isSet || lead == "" || !single(lead) {
			return show(key) + " is no key for it: write one with all that follows, as in x{" + want + "}"
		}
		return ""
	}
	switch {
	case isSet && utf8.RuneCountInString(set) == 1 && single(lead):
	case isSet || !single(seq) && !pair(seq):
		return show(key) + " is no key: " + keyHint
	}
	if same := twins[seq]; same != "" {
		return seq + " is the same as " + same + " in terminals: write that"
	}
	if r, _ := utf8.DecodeRuneInString(seq); unicode.IsDigit(r) {
		return show(key) + " begins with a digit: digits are counts"
	}
	return ""
}

// twins are chords that terminals send as another key.
var twins = map[string]string{"Ctrl-I": "Tab", "Ctrl-M": "Enter", "Ctrl-H": "Backspace", "Ctrl-[": "Esc"}

func show(key string) string { return "\"" + key + "\"" }

// wantedSet is the set that a command's key ends with, as it is written.
func wantedSet(name string) string {
	for _, b := range bindings() {
		if _, _, ok := keySet(b.keys); ok && b.name == name {
			return b.keys[strings.IndexByte(b.keys, '{')+1 : len(b.keys)-1]
		}
	}
	return ""
}

// single tells one press of a key.
func single(key string) bool {
	if namedKeys[key] {
		return true
	}
	for _, chord := range []string{"Ctrl-", "Alt-"} {
		if rest, ok := strings.CutPrefix(key, chord); ok {
			return namedKeys[rest] || utf8.RuneCountInString(rest) == 1
		}
	}
	r, n := utf8.DecodeRuneInString(key)
	return n > 0 && n == len(key) && r != utf8.RuneError && unicode.IsGraphic(r) && r != ' '
}

// pair tells two characters in a row.
func pair(key string) bool {
	_, n := utf8.DecodeRuneInString(key)
	return utf8.RuneCountInString(key) == 2 && single(key[:n]) && single(key[n:])
}
