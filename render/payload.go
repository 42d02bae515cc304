package render

import (
	"bytes"

	"hindcast/model/jsonscan"
)

// Limits of the readable form. What lies beyond one is said in the document,
// with what shows it: the raw form has no limits.
const (
	itemLimit   = 20_000  // logical lines of one record
	shownLimit  = 4 << 20 // bytes of one string from its start
	tailLimit   = 256 << 10
	indentLimit = 40  // cells
	inlineLimit = 72  // bytes of an array of scalars on one line
	blockLimit  = 100 // bytes of a string on its key's line
	nestLimit   = 3   // JSON in a string in JSON in a string ...
)

// Raw is the record's exact bytes as rows, cleaned only.
func Raw(raw []byte) *Doc {
	if len(raw) == 0 {
		return &Doc{}
	}
	return &Doc{items: []item{{body: body{raw: raw, bare: true}}}}
}

// Payload is the readable form of a record: what it says, in its own order and
// with the short fields of its envelope last, with keys by indentation, long and
// multi-line strings as blocks of text with their escapes resolved, JSON in
// strings taken apart, and blobs as their type and size. What is not JSON is
// shown raw.
func Payload(raw []byte) *Doc {
	start, end, err := jsonscan.Value(raw)
	if err != nil || len(bytes.TrimSpace(raw[end:])) > 0 {
		return Raw(raw)
	}
	w := walker{}
	w.walk(raw[start:end])
	if len(w.envelope) > 0 {
		w.items = append(w.items, item{flow: w.envelope})
	}
	return &Doc{items: w.items}
}
