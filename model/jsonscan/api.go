// Package jsonscan finds spans in JSON text: the values of a stream, the
// fields of an object, the elements of an array. It never builds trees, never
// recurses, keeps numbers as text and keys by exact case, and leaves the bytes
// where they are.
package jsonscan

import (
	"errors"
	"io"

	"hindcast/model"
)

var errTODO = errors.New("jsonscan: to be written")

// SyntaxError says where JSON text (RFC 8259) goes wrong.
type SyntaxError struct {
	Offset int64 // in the text given
	Reason string
}

func (e *SyntaxError) Error() string { return e.Reason }

// Value validates the first JSON value of b, after white space, and returns
// where it starts and ends. io.EOF: only white space is left;
// io.ErrUnexpectedEOF: the value is cut; *SyntaxError: it is not JSON.
func Value(b []byte) (start, end int, err error) { return 0, 0, errTODO }

// Kind is the first byte of a value that tells its type: { [ " 0 (any number)
// t f n, or 0 for an empty value.
func Kind(v []byte) byte { return 0 }

// Fields walks the members of an object in order; key is decoded, value is a
// span of obj without surrounding space. It stops when f returns false.
// Duplicates are all given. obj must be valid; a non-object has no fields.
func Fields(obj []byte, f func(key string, value []byte) bool) {}

// Get follows keys down from obj and returns the value's span, nil if there is
// none. Of duplicate keys the last wins, as in encoding/json.
func Get(obj []byte, keys ...string) []byte { return nil }

// Elements walks the elements of an array until f returns false.
func Elements(arr []byte, f func(value []byte) bool) {}

// Text decodes a string value. Invalid UTF-8 is kept byte for byte; a lone
// surrogate escape is kept as its six characters, so that different ids stay
// different. ok is false for what is not a string.
func Text(v []byte) (s string, ok bool) { return "", false }

// Str is Text, and "" for what is not a string.
func Str(v []byte) string { return "" }

// Scalar is a scalar as text: a string decoded, a number, true and false as
// written, null and containers as "".
func Scalar(v []byte) string { return "" }

// Int reads an integral number of any JSON spelling (7, 7.0, 1e3) or a string
// of digits; ok is false for anything else or beyond int64.
func Int(v []byte) (n int64, ok bool) { return 0, false }

// Float reads a finite number; ok is false where float64 cannot hold it.
func Float(v []byte) (x float64, ok bool) { return 0, false }

// Bool reads true or false.
func Bool(v []byte) (b, ok bool) { return false, false }

// Strings calls f with every string of the value, keys included where keys is
// set, decoded, in document order, until it returns false.
func Strings(v []byte, keys bool, f func(s string) bool) {}

// Sniff guesses how a file falls into records from its first bytes; whole says
// that head is all of the file. members are the keys of arrays that may hold
// the records of a wrapper object, in the order of preference. ok is false
// where head holds no JSON; seen then says what it looks like.
func Sniff(head []byte, whole bool, members ...string) (f model.Framing, ok bool, seen string) {
	return f, false, ""
}

// Chunk is a run of input with the records found in it. Chunks come in order
// and cover every byte: what lies outside all spans is structure.
type Chunk struct {
	Data   []byte // owned by the receiver until it is given back with Free
	Offset int64  // of Data in the input
	Spans  []Span
	Free   func()
}

// Span is one record, or bytes that cannot be read, within a Chunk's Data.
type Span struct {
	Start, End int
	Broken     string // why it cannot be read; empty for a record candidate
}

// Splitter cuts a stream into chunks of whole records. In FrameLines a span is
// a line (its values are found later, by Value); elsewhere it is one value.
type Splitter struct{}

// NewSplitter reads r, whose first byte is at offset base of the input.
// tail says whether bytes at the end of input that could still grow into a
// record (a last line without newline that is not a complete value, an
// unclosed value) are left unread instead of being given out as broken.
func NewSplitter(r io.Reader, base int64, f model.Framing, tail bool) *Splitter { return &Splitter{} }

// Next returns the next chunk, io.EOF after the last, or the reader's error.
func (s *Splitter) Next() (*Chunk, error) { return nil, errTODO }

// Offset is the offset in the input just after what Next has given out: where
// a later splitter may go on.
func (s *Splitter) Offset() int64 { return 0 }
