package textdiff

import (
	"context"
	"errors"
	"iter"
	"strings"
)

// Blame says where each line of a text came from, over its versions. Its zero
// value has no version yet. What is kept is the lines of one text, a number for
// each of them and a tag for each version.
type Blame[T any] struct {
	versions []version[T]
	lines    []string
	origins  []int32 // of each line: the version that brought it in
	anew     bool    // the next version brings in all its lines
	coarse   int

	spareLines   []string // room for those of the next version
	spareOrigins []int32
}

type version[T any] struct {
	tag     T
	written bool
}

// Origin is where a line came from. Of a line that a recorded write brought in,
// Tag is that write. Otherwise it was first seen in version Tag, and came in
// after version After, the one before, if there was one.
type Origin[T any] struct {
	Tag      T
	Written  bool
	After    T
	HasAfter bool
}

// Change is a version of a text as it was made from the one before: so many
// bytes of that stay at its start and at its end, and Middle stands between
// them. The zero value empties a text.
type Change struct {
	Prefix, Suffix int
	Middle         string
}

// Add takes the next version of the text. written is false for a sighting: a
// version that was seen, with nothing recorded that wrote it. A version that is
// too large to align counts as new from its first changed line to its last.
//
// Only the lines that the change touches are compared, so that one costs what
// it changes, and passing over the lines of the text. Where Prefix and Suffix
// are as long as they can be, and where both are 0, the outcome is that of
// aligning the whole texts. The error is ErrMismatch for a change of a longer
// text, or the context's, and then the blame stays as it was.
func (b *Blame[T]) Add(ctx context.Context, c Change, tag T, written bool) error {
	e, middle, err := b.touched(c)
	if err != nil {
		return err
	}
	s := Script{Old: b.lines}
	s.New = append(append(append(b.spareLines[:0], b.lines[:e.OldFrom]...), middle...), b.lines[e.OldTo:]...)
	var large *TooLarge
	switch err := b.align(ctx, &s, e); {
	case errors.As(err, &large):
		s = large.Script
		b.coarse++
	case err != nil:
		return err
	}
	b.versions = append(b.versions, version[T]{tag, written})
	b.splice(s, int32(len(b.versions)-1))
	clear(b.lines) // they may hold on to texts that are gone
	b.lines, b.spareLines = s.New, b.lines[:0]
	b.anew = false
	return nil
}

// align finds what a version brings in.
func (b *Blame[T]) align(ctx context.Context, s *Script, within Edit) error {
	if !b.anew {
		return s.align(ctx, within)
	}
	s.Edits = []Edit{{0, len(s.Old), 0, len(s.New)}}
	return ctx.Err()
}

// Same is the change that keeps the text as it is.
func (b *Blame[T]) Same() Change { return Change{Prefix: size(b.lines)} }

// Restart forgets the versions so far, but not the text that the next one
// changes: all its lines are new.
func (b *Blame[T]) Restart() {
	b.versions, b.anew = b.versions[:0], true
}

// touched finds the lines that a change touches, and those that it puts there.
func (b *Blame[T]) touched(c Change) (Edit, []string, error) {
	// A last line without its end is touched by what comes behind it.
	from, at := 0, 0
	for from < len(b.lines) && at+len(b.lines[from]) <= c.Prefix && strings.HasSuffix(b.lines[from], "\n") {
		at += len(b.lines[from])
		from++
	}
	to, left := len(b.lines), 0
	for to > from && left+len(b.lines[to-1]) <= c.Suffix {
		to--
		left += len(b.lines[to])
	}
	text, head, tail := c.Middle, c.Prefix-at, c.Suffix-left
	if head != 0 || tail != 0 {
		rest := strings.Join(b.lines[from:to], "")
		if head < 0 || tail < 0 || head > len(rest)-tail {
			return Edit{}, nil, ErrMismatch
		}
		text = rest[:head] + text + rest[len(rest)-tail:]
	}
	if to < len(b.lines) && text != "" && !strings.HasSuffix(text, "\n") {
		text += b.lines[to]
		to++
	}
	lines := Split(text)
	return Edit{from, to, from, from + len(lines)}, lines, nil
}

// splice takes the lines of a script for those of a version.
func (b *Blame[T]) splice(s Script, by int32) {
	if len(s.Edits) == 0 {
		return
	}
	out := b.spareOrigins[:0]
	at := 0
	for _, e := range s.Edits {
		out = append(out, b.origins[at:e.OldFrom]...)
		for range e.NewTo - e.NewFrom {
			out = append(out, by)
		}
		at = e.OldTo
	}
	b.origins, b.spareOrigins = append(out, b.origins[at:]...), b.origins
}

// Lines gives the lines of the last version, with their line ends, and where
// each came from.
func (b *Blame[T]) Lines() iter.Seq2[string, Origin[T]] {
	return func(yield func(string, Origin[T]) bool) {
		if b.anew {
			return
		}
		for i, line := range b.lines {
			if !yield(line, b.origin(b.origins[i])) {
				return
			}
		}
	}
}

func (b *Blame[T]) origin(v int32) Origin[T] {
	o := Origin[T]{Tag: b.versions[v].tag, Written: b.versions[v].written}
	if !o.Written && v > 0 {
		o.After, o.HasAfter = b.versions[v-1].tag, true
	}
	return o
}

// Coarse is the number of versions that were too large to align.
func (b *Blame[T]) Coarse() int { return b.coarse }
