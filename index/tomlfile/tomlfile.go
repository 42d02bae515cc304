// Package tomlfile reads what users write by hand: TOML, as a tree with the line
// of each key, so that what is wrong in it can be told with its place. It is the
// door of the TOML library, and knows no keys.
package tomlfile

import (
	"bytes"
	"errors"

	"github.com/pelletier/go-toml/v2"
)

// Document is a TOML text that was read.
type Document struct {
	Tree map[string]any
	text []byte
}

// Error is a text that is no TOML.
type Error struct {
	Line    int // from 1; 0 where it is the text as a whole
	Message string
	Hint    string
}

// Error says what is wrong, without its line.
func (e *Error) Error() string { return e.Message }

// Parse reads a text. An error is an *Error.
func Parse(text []byte) (Document, error) {
	if utf16(text) {
		return Document{}, &Error{Message: "it is UTF-16 text", Hint: "save it as UTF-8"}
	}
	d := Document{text: bytes.TrimPrefix(text, []byte("\ufeff"))} // as editors on Windows begin a file
	if err := toml.Unmarshal(d.text, &d.Tree); err != nil {
		out := &Error{Message: err.Error(), Hint: "the file must be TOML 1.0"}
		var bad *toml.DecodeError
		if errors.As(err, &bad) {
			out.Line, _ = bad.Position()
		}
		return Document{}, out
	}
	return d, nil
}

// utf16 tells text in two-byte units by the mark before it, or by the NUL beside
// its first letter.
func utf16(text []byte) bool {
	return len(text) > 1 && (text[0] == 0xff && text[1] == 0xfe || text[0] == 0xfe && text[1] == 0xff || (text[0] == 0) != (text[1] == 0))
}
