package command

import (
	"context"
	"io"

	"hindcast/model/answer"
	"hindcast/render"
	"hindcast/render/theme"
)

// Format is a form of output.
type Format uint8

// The formats: lines for people, one JSON document, one JSON value a line, CSV.
const (
	Human Format = iota
	JSON
	JSONLines
	CSV
)

// Output is where and how an answer is written.
type Output struct {
	W      io.Writer
	Format Format
	Width  int          // of the lines for people, in cells; 0: unlimited
	Theme  *theme.Theme // nil: no escape sequences
	// Sink gets the lines for people instead of W, where it is not nil.
	Sink func([]render.Line) error
}

// Lines writes lines for people.
func (o *Output) Lines(lines []render.Line) error {
	if o.Sink != nil {
		return o.Sink(lines)
	}
	return render.WriteLines(o.W, lines, o.Theme)
}

// Show makes all that was written appear now, past a buffer.
func (o *Output) Show() error {
	if f, ok := o.W.(interface{ Flush() error }); ok {
		return f.Flush()
	}
	return nil
}

// Answer is what a verb found. It may be asked to write itself once.
type Answer interface {
	Write(ctx context.Context, o *Output) error
}

// Coded is an answer that ends the program with a code of its own.
type Coded interface {
	// ExitCode is 1 for a difference or a finding, 3 for quarantined input, 4 for a
	// record that the answer lacks.
	ExitCode() int
}

// document is an answer that fits in memory: a JSON value, and its lines.
type document struct {
	value any
	lines func(width int) []render.Line
	code  int
}

// Write encodes the value, or draws its lines.
func (d document) Write(_ context.Context, o *Output) error {
	switch o.Format {
	case Human:
		return o.Lines(d.lines(o.Width))
	case JSONLines:
		return answer.EncodeLine(o.W, d.value)
	}
	return answer.Encode(o.W, d.value)
}

// ExitCode is the answer's own code.
func (d document) ExitCode() int { return d.code }

// stream is an answer that is written as it is found.
type stream func(ctx context.Context, o *Output) error

// Write runs the stream.
func (s stream) Write(ctx context.Context, o *Output) error { return s(ctx, o) }
