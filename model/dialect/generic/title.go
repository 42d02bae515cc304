package generic

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// titleSource is how many bytes of a text are decoded for a title.
const titleSource = 1024

// title is a line for people: the tool and what it is given, or the first text
// that tells something, or the record as it begins.
func (f *found) title(raw []byte, e *model.Event) string {
	told := telling(f.field[roleTitle].value)
	switch {
	case e.Kind == model.KindAction && e.Tool != "":
		if f.has(roleInput) {
			return oneLine(e.Tool + " " + start(f.field[roleInput].value))
		}
		return oneLine(e.Tool)
	case e.Kind == model.KindObservation && f.has(roleOutput):
		told = f.field[roleOutput].value
	}
	if told == nil {
		if said := pairs(raw); said != "" {
			return oneLine(said)
		}
		told = raw
	}
	return oneLine(start(told))
}

// pairsShown is how many fields stand for a record that tells nothing else.
const pairsShown = 6

// shownElsewhere are the roles of fields that a row, or its links, show.
var shownElsewhere = []role{roleSeq, roleTime, roleType, roleID, roleSession, roleParent, roleCause}

// pairs are the first plain fields of a record, and of its containers, that are
// shown nowhere else.
func pairs(raw []byte) string {
	var said []string
	members(raw, func(_, key string, v []byte) {
		switch jsonscan.Kind(v) {
		case '"', '0', 't', 'f':
			elsewhere := slices.ContainsFunc(shownElsewhere, func(r role) bool { return hasRole(key, r) })
			if len(said) < pairsShown && !elsewhere {
				said = append(said, key+"="+start(v))
			}
		}
	})
	return strings.Join(said, " ")
}

// telling is the text in a value: a string that is not empty, or the first
// text of a message's parts.
func telling(v []byte) []byte {
	switch jsonscan.Kind(v) {
	case '"':
		if len(v) > 2 {
			return v
		}
	case '{':
		for _, key := range []string{"message", "text", "content"} {
			if t := jsonscan.Get(v, key); jsonscan.Kind(t) == '"' && len(t) > 2 {
				return t
			}
		}
	case '[':
		var text []byte
		jsonscan.Elements(v, func(part []byte) bool {
			if jsonscan.Kind(part) == '{' {
				part = jsonscan.Get(part, "text")
			}
			if jsonscan.Kind(part) == '"' && len(part) > 2 {
				text = part
			}
			return text == nil
		})
		return text
	}
	return nil
}

// start decodes the beginning of a string; other values stay as written.
func start(v []byte) string {
	if jsonscan.Kind(v) != '"' {
		return string(v[:min(len(v), titleSource)])
	}
	if len(v) <= titleSource {
		return jsonscan.Str(v)
	}
	// An escape that the cut could hit is left out: the longest, a surrogate
	// pair, has twelve characters.
	v = v[:titleSource]
	if n := bytes.IndexByte(v[titleSource-12:], '\\'); n >= 0 {
		v = v[:titleSource-12+n]
		v = bytes.TrimRight(v, `\`)
	}
	return jsonscan.Str(append(v[:len(v):len(v)], '"'))
}

// oneLine brings a text to one line of at most TitleLimit bytes: every run of
// white space becomes a blank.
func oneLine(s string) string {
	b := make([]byte, 0, model.TitleLimit+utf8.UTFMax)
	gap := false
	for i := 0; i < len(s) && len(b) <= model.TitleLimit; {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case unicode.IsSpace(r):
			gap = len(b) > 0
		case gap:
			b = append(b, ' ')
			gap = false
			fallthrough
		default:
			b = append(b, s[i:i+size]...)
		}
		i += size
	}
	if len(b) <= model.TitleLimit {
		return string(b)
	}
	cut := model.TitleLimit - len("…")
	for cut > 0 && !utf8.RuneStart(b[cut]) {
		cut--
	}
	return string(b[:cut]) + "…"
}
