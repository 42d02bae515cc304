package textdiff

import (
	"context"
	"fmt"
	"strings"
)

// The limits of an alignment, for what is left of the texts between their
// common beginning and end. Within them usual files take milliseconds; the worst,
// thousands of lines drawn from a few hundred in random order, take seconds.
const (
	LineLimit = 20_000  // lines of either text
	ByteLimit = 8 << 20 // bytes of both texts together
)

// TooLarge is the error of Lines for texts that differ in more than the limits
// allow. The sizes are those of the parts between the common beginning and end.
type TooLarge struct {
	Script             // one edit, from the first line that differs to the last
	OldBytes, NewBytes int
}

// Error says what was too large, and what the limits are.
func (t *TooLarge) Error() string {
	e := t.Edits[0]
	return fmt.Sprintf("too large to align: %d and %d lines differ (%d and %d bytes), the limits are %d lines and %d bytes",
		e.OldTo-e.OldFrom, e.NewTo-e.NewFrom, t.OldBytes, t.NewBytes, LineLimit, ByteLimit)
}

// Lines aligns two texts with the fewest lines changed. A line is what ends in
// LF, so a text with CRLF differs in every line from the one with LF, and a
// last line without LF from the one with it. Any bytes will do. The error is a
// *TooLarge, or the context's.
func Lines(ctx context.Context, old, new string) (Script, error) {
	s := Script{Old: Split(old), New: Split(new)}
	if old == new {
		return s, nil
	}
	if err := s.align(ctx, Edit{0, len(s.Old), 0, len(s.New)}); err != nil {
		return Script{}, err
	}
	return s, nil
}

// align finds the edits of two texts that are the same outside of one.
func (s *Script) align(ctx context.Context, within Edit) error {
	e := middle(s.Old, s.New, within)
	a, b := s.Old[e.OldFrom:e.OldTo], s.New[e.NewFrom:e.NewTo]
	if len(a) == 0 && len(b) == 0 {
		return nil
	}
	s.Edits = []Edit{e}
	if len(a) == 0 || len(b) == 0 { // nothing to align, whatever the size
		s.settle()
		return nil
	}
	if oldBytes, newBytes := size(a), size(b); max(len(a), len(b)) > LineLimit || oldBytes+newBytes > ByteLimit {
		return &TooLarge{*s, oldBytes, newBytes}
	}
	common, err := commonLines(ctx, a, b)
	if err != nil {
		return err
	}
	s.Edits = gaps(e, common)
	s.settle()
	return nil
}

// middle is what two texts do not share at the beginning and end of an edit.
func middle(a, b []string, e Edit) Edit {
	for e.OldFrom < e.OldTo && e.NewFrom < e.NewTo && a[e.OldFrom] == b[e.NewFrom] {
		e.OldFrom++
		e.NewFrom++
	}
	for e.OldFrom < e.OldTo && e.NewFrom < e.NewTo && a[e.OldTo-1] == b[e.NewTo-1] {
		e.OldTo--
		e.NewTo--
	}
	return e
}

func size(lines []string) int {
	n := 0
	for _, l := range lines {
		n += len(l)
	}
	return n
}

// commonLines aligns two runs of lines. A line that stands in one of them only
// can match nothing: leaving such lines out changes no alignment, and makes
// texts that share little as quick as those that share much.
func commonLines(ctx context.Context, a, b []string) ([]pair, error) {
	ids := interner{}
	idA, idB := ids.all(a), ids.all(b)
	inA, inB := make([]bool, len(ids)), make([]bool, len(ids))
	mark(inA, idA)
	mark(inB, idB)
	shortA, atA := only(idA, inB)
	shortB, atB := only(idB, inA)
	common, err := align(ctx, shortA, shortB)
	for i, p := range common {
		common[i] = pair{atA[p.a], atB[p.b]}
	}
	return common, err
}

// interner gives equal texts equal numbers, from 0 on.
type interner map[string]int

func (n interner) all(texts []string) []int {
	ids := make([]int, len(texts))
	for i, t := range texts {
		id, ok := n[t]
		if !ok {
			id = len(n)
			n[t] = id
		}
		ids[i] = id
	}
	return ids
}

func mark(set []bool, ids []int) {
	for _, id := range ids {
		set[id] = true
	}
}

// only keeps the ids of a set, and tells where they stood.
func only(ids []int, set []bool) (kept, at []int) {
	for i, id := range ids {
		if set[id] {
			kept, at = append(kept, id), append(at, i)
		}
	}
	return kept, at
}

// gaps is the edits between matches; those are relative to e.
func gaps(e Edit, common []pair) []Edit {
	var edits []Edit
	a, b := e.OldFrom, e.NewFrom
	add := func(nextA, nextB int) {
		if a < nextA || b < nextB {
			edits = append(edits, Edit{a, nextA, b, nextB})
		}
		a, b = nextA+1, nextB+1
	}
	for _, p := range common {
		add(e.OldFrom+p.a, e.NewFrom+p.b)
	}
	add(e.OldTo, e.NewTo)
	return edits
}

// settle moves insertions and deletions that may stand at several places, since
// a line at one end of them equals the one beyond the other end, to where
// people expect them: behind a blank line, else as far down as they go.
func (s *Script) settle() {
	for i := range s.Edits {
		e := &s.Edits[i]
		low, high := 0, len(s.New)
		if i > 0 {
			low = s.Edits[i-1].NewTo + 1
		}
		if i+1 < len(s.Edits) {
			high = s.Edits[i+1].NewFrom - 1
		}
		shift := 0
		switch {
		case e.OldFrom == e.OldTo:
			shift = settled(s.New, e.NewFrom, e.NewTo, low, high)
		case e.NewFrom == e.NewTo:
			shift = settled(s.Old, e.OldFrom, e.OldTo, e.OldFrom-(e.NewFrom-low), e.OldTo+high-e.NewTo)
		}
		*e = Edit{e.OldFrom + shift, e.OldTo + shift, e.NewFrom + shift, e.NewTo + shift}
	}
}

// settled is how far the block lines[from:to] is best moved within low and high.
func settled(lines []string, from, to, low, high int) int {
	at := from
	for to < high && lines[from] == lines[to] {
		from, to = from+1, to+1
	}
	best, shift := -1, 0
	for ; ; from, to = from-1, to-1 {
		if v := value(lines[from:to]); v > best {
			best, shift = v, from-at
		}
		if from <= low || lines[from-1] != lines[to-1] {
			return shift
		}
	}
}

// value says how well a block is cut: after its own blank line is best, before
// one second.
func value(block []string) int {
	switch {
	case blank(block[len(block)-1]):
		return 2
	case blank(block[0]):
		return 1
	}
	return 0
}

func blank(line string) bool { return strings.TrimSpace(line) == "" }
