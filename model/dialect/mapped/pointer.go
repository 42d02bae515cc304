package mapped

import (
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// scope is where pointers lead from.
type scope struct {
	record, element []byte
	key             string   // of the element: a member's name, or a number from 0
	members         *members // of the record; nil: it is looked through for each pointer
}

// members are a record's own members that pointers begin with, by their slot:
// a mapping has many pointers, and a record is walked once for all of them.
type members struct {
	raw, unpacked [][]byte
}

func (m *mapping) members(record []byte) *members {
	all := make([][]byte, 2*len(m.slots))
	out := &members{raw: all[:len(m.slots)], unpacked: all[len(m.slots):]}
	jsonscan.Fields(record, func(key string, v []byte) bool {
		if slot := m.slots[key]; slot > 0 {
			out.raw[slot-1] = v
		}
		return true
	})
	return out
}

// inner is a member, or the JSON that it holds as a string.
func (m *members) inner(slot int) []byte {
	if m.unpacked[slot-1] == nil {
		m.unpacked[slot-1] = jsonscan.Unpacked(m.raw[slot-1])
	}
	return m.unpacked[slot-1]
}

// base is the place from which a pointer leads.
type base uint8

const (
	fromRecord base = iota
	fromElement
	elementKey
)

// pointer is a JSON Pointer that was read.
type pointer struct {
	from   base
	tokens []string
	slot   int // of its first token, from 1; 0: none
}

// star is the token that stands for every element of a list.
const star = "*"

// parsePointer reads a pointer; problem says what is wrong with one.
func parsePointer(text string) (p pointer, problem string) {
	rest := text
	if text == "@key" {
		return pointer{from: elementKey}, ""
	}
	if strings.HasPrefix(text, "@") {
		p.from, rest = fromElement, text[1:]
		if rest == "" {
			return p, ""
		}
	}
	if !strings.HasPrefix(rest, "/") {
		return p, "is no JSON Pointer"
	}
	for token := range strings.SplitSeq(rest[1:], "/") {
		for i := range len(token) {
			if token[i] == '~' && (i+1 == len(token) || token[i+1] != '0' && token[i+1] != '1') {
				return p, "has a ~ that is neither ~0 (which means ~) nor ~1 (which means /)"
			}
		}
		p.tokens = append(p.tokens, model.UnescapePointer(token))
	}
	return p, ""
}

// find gives the value at the pointer, nil where there is none.
func (p *pointer) find(s scope) []byte {
	v, tokens := s.record, p.tokens
	switch {
	case p.from == elementKey:
		return quote(s.key)
	case p.from == fromElement && s.element != nil:
		v = s.element
	case p.slot > 0 && s.members != nil && len(tokens) == 1:
		return s.members.raw[p.slot-1]
	case p.slot > 0 && s.members != nil:
		v, tokens = s.members.inner(p.slot), tokens[1:]
	}
	for _, token := range tokens {
		if v = child(v, token); v == nil {
			return nil
		}
	}
	return v
}

// child is a member or an element; of a string that holds JSON, one of that.
func child(v []byte, token string) (found []byte) {
	switch v = jsonscan.Unpacked(v); jsonscan.Kind(v) {
	case '{':
		return jsonscan.Get(v, token)
	case '[':
		n, err := strconv.Atoi(token)
		if err != nil || n < 0 {
			return nil
		}
		jsonscan.Elements(v, func(e []byte) bool {
			if n == 0 {
				found = e
			}
			n--
			return n >= 0
		})
	}
	return found
}

// there reports a value that is neither missing nor null.
func there(v []byte) bool { return v != nil && jsonscan.Kind(v) != 'n' }

// text is a value as text: a string decoded, anything else as written; ok is
// false where there is none.
func text(v []byte) (s string, ok bool) {
	if !there(v) {
		return "", false
	}
	if s, ok := jsonscan.Text(v); ok {
		return s, true
	}
	return string(v), true
}

// String is the pointer as it is written.
func (p *pointer) String() string {
	if p.from == elementKey {
		return "@key"
	}
	var b strings.Builder
	if p.from == fromElement {
		b.WriteByte('@')
	}
	for _, t := range p.tokens {
		b.WriteString("/" + model.EscapePointer(t))
	}
	return b.String()
}
