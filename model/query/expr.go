// Package query is the filter language: parse, print, evaluate. An expression
// is a tree that index/store turns into SQL as far as it can and that this
// package evaluates over an event for the rest (text terms need the record's
// bytes). It knows nothing of SQL, files or screens.
package query

import (
	"regexp"

	"hindcast/model"
)

// Expr is a filter expression. The nil Expr matches everything.
type Expr interface{ expr() }

// And matches where all of its parts do; Or where any does; Not where X does not.
type (
	And struct{ List []Expr }
	Or  struct{ List []Expr }
	Not struct{ X Expr }
)

// Term is one condition on one field.
type Term struct {
	Field Field
	Op    Op
	// Text is the operand of Match, Is, Contains and Pattern: for Match a glob (*
	// and ?), for Contains a literal.
	Text string
	// Fold: letter case is ignored (smart case: set when Text has no upper case).
	Fold bool
	// Lo and Hi bound Between, inclusive: a seq, a pos, bytes, or nanoseconds
	// since 1970. An open end is math.MinInt64 or math.MaxInt64.
	Lo, Hi int64
	// Back is the operand of Since and Until: nanoseconds back from the last
	// event's time. Bind turns it into Between.
	Back int64

	re *regexp.Regexp // of OpPattern; Pattern makes such terms
}

func (And) expr()  {}
func (Or) expr()   {}
func (Not) expr()  {}
func (Term) expr() {}

// Field names what a term looks at.
type Field uint8

// The fields. FieldText is the record's whole decoded text; FieldTitle only
// its title; FieldID matches an event id or alias exactly or by prefix glob.
const (
	FieldText Field = iota
	FieldTitle
	FieldType
	FieldKind
	FieldTool
	FieldSource
	FieldOrigin
	FieldSession
	FieldID
	FieldCall
	FieldFailed // Is "true", "false" or "null"
	FieldSeq
	FieldPos
	FieldBytes
	FieldTime
)

// Op is how a term compares.
type Op uint8

// The comparisons.
const (
	OpContains Op = iota // Text occurs literally
	OpMatch              // the whole value matches the glob Text
	OpIs                 // the whole value equals Text
	OpBetween            // Lo <= value <= Hi
	OpSince              // value >= last event's time - Back; only before Bind
	OpUntil              // value <= last event's time - Back; only before Bind
	OpPattern            // a match of the regular expression Text: of FieldText, in the title too
)

// Fields lists the fields by the names that people type.
var Fields = map[string]Field{
	"text": FieldText, "title": FieldTitle, "type": FieldType, "kind": FieldKind, "tool": FieldTool,
	"source": FieldSource, "origin": FieldOrigin, "session": FieldSession, "id": FieldID, "call": FieldCall,
	"failed": FieldFailed, "seq": FieldSeq, "pos": FieldPos, "bytes": FieldBytes, "time": FieldTime,
}

// Subject is what Eval looks at: an event, and its decoded text on demand.
type Subject struct {
	Event *model.Event
	// Text returns the record's decoded text: every string of the JSON value,
	// escapes resolved. It is called only where a text term decides.
	Text func() string
	// Raw is the record's JSON text; nil where it is not at hand. It spares
	// decoding records in which a text cannot occur.
	Raw func() []byte
	// Also is a second event that stands for the same row: a call's result. A
	// term holds where it holds for either.
	Also *Subject
}
