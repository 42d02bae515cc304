package textdiff

import (
	"context"
	"errors"
	"iter"
)

// Blame says where each line of a text came from, over its versions. Its zero
// value has no version yet. Adding one costs a comparison with the version
// before and copying one number a line; what is kept is one text, a number for
// each of its lines and a tag for each version.
type Blame[T any] struct {
	versions []version[T]
	text     string
	origins  []int32 // of each line: the version that brought it in
	coarse   int
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

// Add takes the next version of the text. written is false for a sighting: a
// version that was seen, with nothing recorded that wrote it. A version that is
// too large to align counts as new from its first changed line to its last. The
// error is the context's, and then the blame stays as it was.
func (b *Blame[T]) Add(ctx context.Context, text string, tag T, written bool) error {
	s, err := Lines(ctx, b.text, text)
	var large *TooLarge
	switch {
	case errors.As(err, &large):
		s = large.Script
		b.coarse++
	case err != nil:
		return err
	}
	b.versions = append(b.versions, version[T]{tag, written})
	b.text = text
	b.splice(s, int32(len(b.versions)-1))
	return nil
}

// splice takes the lines of a script for those of a version.
func (b *Blame[T]) splice(s Script, by int32) {
	if len(s.Edits) == 0 {
		return
	}
	out := make([]int32, 0, len(s.New))
	at := 0
	for _, e := range s.Edits {
		out = append(out, b.origins[at:e.OldFrom]...)
		for range e.NewTo - e.NewFrom {
			out = append(out, by)
		}
		at = e.OldTo
	}
	b.origins = append(out, b.origins[at:]...)
}

// Lines gives the lines of the last version, with their line ends, and where
// each came from.
func (b *Blame[T]) Lines() iter.Seq2[string, Origin[T]] {
	return func(yield func(string, Origin[T]) bool) {
		for i, line := range Split(b.text) {
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
