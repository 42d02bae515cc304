package query

import (
	"bytes"
	"strings"
	"unsafe"
)

// MayMatch reports whether an event with this JSON text can match: false only
// where a text that the filter needs does not occur, in it or in that of the
// result in the same row (nil: none). It decodes nothing and looks at nothing
// but text terms.
func MayMatch(x Expr, raw, result []byte) bool {
	switch x := x.(type) {
	case And:
		for _, y := range x.List {
			if !MayMatch(y, raw, result) {
				return false
			}
		}
	case Or:
		for _, y := range x.List {
			if MayMatch(y, raw, result) {
				return true
			}
		}
		return len(x.List) == 0
	case Term:
		return x.Field != FieldText || !x.absent(raw) || result != nil && !x.absent(result)
	}
	return true
}

// absent reports that a contained text cannot occur in the decoded strings of
// a JSON text, without decoding them: it holds nothing that JSON escapes, and
// the JSON text has no escape that could spell it. False means nothing.
func (t Term) absent(raw []byte) bool {
	if t.Op != OpContains || !spelledPlainly(t.Text) || bytes.Contains(raw, []byte(`\u`)) {
		return false
	}
	if strings.Contains(t.Text, "/") && bytes.Contains(raw, []byte(`\/`)) {
		return false
	}
	return !contains(unsafe.String(unsafe.SliceData(raw), len(raw)), t.Text, t.Fold)
}

// spelledPlainly reports that JSON writes a text as it is, \u and \/ aside.
func spelledPlainly(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] == '"' || s[i] == '\\' {
			return false
		}
	}
	return s != ""
}
