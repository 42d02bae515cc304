// Package command is the registry of verbs: their names, arguments, flags, help
// and what they do with an open index. The command line, the inspector's prompt
// and every other front are built from it. It knows no terminal library and no
// flag library: a front turns words into Args, gives an Env, and writes the
// Answer that it gets.
package command

import (
	"context"
	"strings"

	"hindcast/index"
)

// Command is a verb.
type Command struct {
	Name     string
	Args     string // how help shows the positional arguments, the dump not among them
	Min, Max int    // how many there may be; Max < 0: any number
	Input    Input
	Short    string // one line without a full stop
	Long     string // paragraphs; empty where Short says it all
	Examples []Example
	Flags    []Flag
	// Complete says what completes the first argument.
	Complete Completion
	// Configure turns flags into options of the index before it is opened; nil
	// where none do.
	Configure func(a Args, o *index.Options)
	// Dumpless tells of a verb of InputDump which arguments read none; nil: all do.
	Dumpless func(a Args) bool
	// Validate refuses arguments that can be told to be wrong without a dump,
	// before one is opened, which may take long; nil: none can.
	Validate func(a Args) error
	// Run answers. It is nil for verbs that only the program itself can do
	// (open, demo, completion): they stand here for help.
	Run func(ctx context.Context, env *Env, a Args) (Answer, error)
}

// Input says what a verb reads.
type Input uint8

// The inputs: one dump behind the arguments, any number of dumps as the
// arguments, or nothing.
const (
	InputDump Input = iota
	InputDumps
	InputNone
)

// Example is a command line and what it is for.
type Example struct{ Line, Text string }

// Flag is an option of a verb.
type Flag struct {
	Name     string // without dashes
	Short    string // one letter, or empty
	Kind     FlagKind
	Value    string // how help shows the value
	Help     string // a clause, lower case
	Complete Completion
	Words    []string // the values there are, where they are few
}

// FlagKind is the type of a flag's value.
type FlagKind uint8

// The kinds of flags.
const (
	FlagBool FlagKind = iota
	FlagText
	FlagInt // not negative
)

// Completion says what may stand in a place, for shells.
type Completion uint8

// The completions. Types, tools, sources, sessions, addresses and places in the
// state come from the dump's index.
const (
	CompleteNone Completion = iota
	CompleteFile
	CompleteWords
	CompleteType
	CompleteTool
	CompleteSource
	CompleteSession
	CompleteAddress
	CompleteFilter
	CompletePath
)

// Usage is the verb's synopsis: its name, arguments and dump.
func (c *Command) Usage() string {
	parts := []string{c.Name}
	if c.Args != "" {
		parts = append(parts, c.Args)
	}
	if c.Input == InputDump {
		parts = append(parts, "[DUMP]")
	}
	return strings.Join(parts, " ")
}

// Reads is the verb's input with these arguments.
func (c *Command) Reads(a Args) Input {
	if c.Dumpless != nil && c.Dumpless(a) {
		return InputNone
	}
	return c.Input
}

// flag finds a flag by its long or, with one letter, short name.
func (c *Command) flag(name string) (Flag, bool) {
	for _, f := range c.Flags {
		if f.Name == name || f.Short != "" && f.Short == name {
			return f, true
		}
	}
	return Flag{}, false
}

// UsageError is a command line that cannot be meant. Fronts show Hint on a line
// of its own.
type UsageError struct {
	Message string
	Hint    string
	cause   error // what the index said, if it was the one to refuse
}

// Error is the message.
func (e *UsageError) Error() string { return e.Message }

// Unwrap is the index's own error, or nil.
func (e *UsageError) Unwrap() error { return e.cause }

func usage(message, hint string) error { return &UsageError{Message: message, Hint: hint} }
