// Package generic reads any JSON as plain events, so that no dump of JSON is
// refused. It knows no program: identity, order, time, type and causes are
// found by the names that most programs give these fields. It makes no claim
// where another dialect does, and infers nothing.
package generic

import (
	"fmt"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

type dialect struct{}

// New returns the dialect "generic".
func New() model.Dialect { return dialect{} }

// Info describes the dialect.
func (dialect) Info() model.DialectInfo {
	return model.DialectInfo{
		Name:     "generic",
		Title:    "any JSON",
		Versions: "all",
		Packs:    []string{"JSON lines", "JSON values one after another", "a JSON array", "an object that holds an array of records"},
		Detects:  "whatever holds JSON and is no other dialect's",
		Context:  "none",
		Files:    "none",
		Cost:     "none",
		Status:   "none",
	}
}

// Decode reads an object as one event, and an array of objects as one event
// for each.
func (dialect) Decode(rec *model.Record, emit func(*model.Event)) error {
	var fields choice
	if rec.Stream != nil {
		if c, ok := rec.Stream.Meta.(choice); ok {
			fields = c
		}
	}
	switch jsonscan.Kind(rec.Raw) {
	case '{':
		emit(event(rec.Raw, fields))
		return nil
	case '[':
		return decodeArray(rec.Raw, fields, emit)
	}
	return fmt.Errorf("not an object: %s", kindNames[jsonscan.Kind(rec.Raw)])
}

// kindNames says what a value is that is no event.
var kindNames = map[byte]string{0: "nothing", '"': "a string", '0': "a number", 't': "true", 'f': "false", 'n': "null", '[': "an array"}

func decodeArray(raw []byte, fields choice, emit func(*model.Event)) error {
	objects, others := 0, 0
	jsonscan.Elements(raw, func(v []byte) bool {
		if jsonscan.Kind(v) == '{' {
			objects++
		} else {
			others++
		}
		return others == 0
	})
	if objects == 0 || others > 0 {
		return fmt.Errorf("not an object: %s", kindNames['['])
	}
	// Elements does not tell where an element stands, Value does.
	at := 1
	for ; raw[at-1] != '['; at++ {
	}
	for range objects {
		start, end, err := jsonscan.Value(raw[at:])
		if err != nil {
			return fmt.Errorf("read element: %w", err)
		}
		e := event(raw[at+start:at+end], fields)
		e.Span = model.Span{Offset: int64(at + start), Length: int64(end - start)}
		emit(e)
		at += end
		for at < len(raw) && raw[at] != '{' {
			at++
		}
	}
	return nil
}

// NewLinker starts the work on one session.
func (dialect) NewLinker(*model.Stream, string) model.Linker { return newLinker() }
