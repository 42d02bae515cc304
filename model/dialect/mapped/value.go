package mapped

import (
	"encoding/json"
	"strconv"
	"strings"

	"hindcast/model/jsonscan"
)

// value is a Value that was read.
type value struct {
	parts     []part // of a text, or the pointer alone
	pure      bool   // a pointer alone: what stands there is meant, not its text
	constant  []byte // JSON
	words     map[string]string
	otherwise string
}

// part is a piece of a text: letters as they stand, or what a pointer leads to.
type part struct {
	literal string
	ptr     *pointer
}

func (v *value) given() bool { return v != nil && (len(v.parts) > 0 || v.constant != nil) }

// fixed reports a value that is the same for every record.
func (v *value) fixed() bool {
	for _, p := range v.parts {
		if p.ptr != nil {
			return false
		}
	}
	return true
}

// raw is the value as JSON; nil where there is none.
func (v *value) raw(s scope) []byte {
	switch {
	case v == nil:
		return nil
	case v.constant != nil:
		return v.constant
	case v.pure && v.words == nil:
		if found := v.parts[0].ptr.find(s); found != nil {
			return found
		}
		if v.otherwise == "" {
			return nil
		}
	}
	if said, ok := v.text(s); ok {
		return quote(said)
	}
	return nil
}

// text is the value as text; ok is false where none of its pointers leads to
// anything.
func (v *value) text(s scope) (said string, ok bool) {
	said, ok = v.join(s, func(s string) string { return s }, false)
	return said, ok
}

// join is text with what pointers lead to written by esc; all: none of them may
// lead to nothing.
func (v *value) join(s scope, esc func(string) string, all bool) (string, bool) {
	switch {
	case !v.given():
		return "", false
	case v.constant != nil:
		return text(v.constant)
	case v.pure:
		said, ok := text(v.parts[0].ptr.find(s))
		if word, known := v.words[said]; ok && known {
			said = word
		} else if v.otherwise != "" && (!ok || v.words != nil) {
			said, ok = v.otherwise, true
		}
		return esc(said), ok
	}
	var b strings.Builder
	found, missing := v.fixed(), false
	for _, p := range v.parts {
		if p.ptr == nil {
			b.WriteString(p.literal)
			continue
		}
		said, ok := text(p.ptr.find(s))
		found, missing = found || ok, missing || !ok
		b.WriteString(esc(said))
	}
	return b.String(), found && !(all && missing)
}

// number reads a whole number, also from a string.
func (v *value) number(s scope) (int64, bool) {
	raw := v.raw(s)
	if jsonscan.Kind(raw) == '"' {
		n, err := strconv.ParseInt(strings.TrimSpace(jsonscan.Str(raw)), 10, 64)
		return n, err == nil
	}
	if jsonscan.Kind(raw) != '0' {
		return 0, false
	}
	return jsonscan.Int(raw)
}

// truth is whether the value says something.
func (v *value) truth(s scope) bool { return v.given() && jsonscan.Truthy(v.raw(s)) }

// list gives the texts of a list, or the one text of what is none.
func (v *value) list(s scope) (all []string) {
	const limit = 64 // a record that names more causes than that says nothing by them
	raw := v.raw(s)
	if jsonscan.Kind(raw) != '[' {
		if id := jsonscan.Scalar(raw); id != "" {
			all = append(all, id)
		}
		return all
	}
	jsonscan.Elements(raw, func(e []byte) bool {
		if id := jsonscan.Scalar(e); id != "" {
			all = append(all, id)
		}
		return len(all) < limit
	})
	return all
}

// parseText takes a text apart at its braces; {{ and }} stand for one.
func parseText(text string) (parts []part, problem string) {
	var literal strings.Builder
	flush := func() {
		if literal.Len() > 0 {
			parts = append(parts, part{literal: literal.String()})
			literal.Reset()
		}
	}
	for text != "" {
		switch {
		case strings.HasPrefix(text, "{{"), strings.HasPrefix(text, "}}"):
			literal.WriteByte(text[0])
			text = text[2:]
		case text[0] == '{':
			inner, rest, ok := strings.Cut(text[1:], "}")
			if !ok {
				return nil, "has a { without its }"
			}
			p, problem := parsePointer(inner)
			if problem != "" {
				return nil, "has {" + inner + "}, which " + problem
			}
			flush()
			parts, text = append(parts, part{ptr: &p}), rest
		case text[0] == '}':
			return nil, "has a } without its {"
		default:
			literal.WriteByte(text[0])
			text = text[1:]
		}
	}
	flush()
	return parts, ""
}

// quote writes a text as JSON.
func quote(s string) []byte {
	b, err := json.Marshal(s)
	if err != nil {
		return nil // a string can always be written
	}
	return b
}

// glob matches a text with a pattern in which * stands for any run of letters
// and ? for one. Only the last * is ever tried again.
func glob(pattern, s string) bool {
	star, again := -1, 0
	p, i := 0, 0
	for i < len(s) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, again = p, i
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == s[i]):
			p++
			i++
		case star >= 0:
			again++
			p, i = star+1, again
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}

func globs(patterns []string, s string) bool {
	for _, p := range patterns {
		if glob(p, s) {
			return true
		}
	}
	return false
}
