// Package answer holds the JSON shapes of hindcast's answers, one file a
// question: index fills them, render draws them, the command line prints them.
// The shapes are a contract with scripts: fields are only ever added.
package answer

import (
	"bytes"
	"encoding/json"
	"io"
	"unicode/utf8"

	"hindcast/model"
)

// Ref is how JSON names an event: REF in the documentation.
type Ref struct {
	Session string  `json:"session"`
	Seq     int64   `json:"seq"`
	Pos     int64   `json:"pos"`
	ID      *string `json:"id"`
}

// NewRef converts a model reference.
func NewRef(r model.Ref) Ref {
	return Ref{Session: r.Session, Seq: r.Seq, Pos: r.Pos, ID: orNull(r.ID)}
}

// Error is the answer of a verb that failed, printed on stdout with --json.
type Error struct {
	Error ErrorBody `json:"error"`
}

// ErrorBody says what went wrong and what to do next. Code is a stable word:
// usage, address, session, unreadable, terminal, output, index, locked, newer,
// interrupted, internal.
type ErrorBody struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint"`
}

// Encode writes v as indented JSON that is safe on a terminal: control
// characters, bidi and invisible format characters appear only as \u escapes.
func Encode(w io.Writer, v any) error {
	return encode(w, v, "  ")
}

// EncodeLine is Encode on one line.
func EncodeLine(w io.Writer, v any) error {
	return encode(w, v, "")
}

func encode(w io.Writer, v any, indent string) error {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if indent != "" {
		enc.SetIndent("", indent)
	}
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(escapeUnsafe(buf.Bytes()))
	return err
}

// escapeUnsafe rewrites the code points that a terminal might act on or hide
// as JSON escapes. They can stand only inside strings of valid JSON.
func escapeUnsafe(b []byte) []byte {
	clean := true
	for _, c := range b {
		if c >= 0x7f {
			clean = false
			break
		}
	}
	if clean {
		return b
	}
	out := make([]byte, 0, len(b)+64)
	for i := 0; i < len(b); {
		c := b[i]
		if c < 0x7f {
			out = append(out, c)
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if model.Deceptive(r) || (r == utf8.RuneError && n == 1) {
			out = appendEscape(out, r)
		} else {
			out = append(out, b[i:i+n]...)
		}
		i += n
	}
	return out
}

func appendEscape(out []byte, r rune) []byte {
	const hex = "0123456789abcdef"
	unit := func(u rune) {
		out = append(out, '\\', 'u', hex[u>>12&15], hex[u>>8&15], hex[u>>4&15], hex[u&15])
	}
	if r >= 0x10000 {
		r -= 0x10000
		unit(0xd800 + r>>10)
		unit(0xdc00 + r&0x3ff)
		return out
	}
	unit(r)
	return out
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
