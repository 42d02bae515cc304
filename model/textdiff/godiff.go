package textdiff

import (
	"context"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// pair is the indexes of two elements that match.
type pair struct{ a, b int }

// quick is a size of the table of all pairs below which aligning takes less
// time than anybody waits.
const quick = 1 << 22

// align finds the longest common subsequence of two sequences of numbers. The
// library cannot be interrupted: when the context ends first, its work is
// abandoned and ends by itself, which the limits of the callers see to.
func align(ctx context.Context, a, b []int) ([]pair, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if ctx.Done() == nil || len(a)*len(b) < quick {
		return lcs(a, b), nil
	}
	done := make(chan []pair, 1)
	go func() { done <- lcs(a, b) }()
	select {
	case pairs := <-done:
		return pairs, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func lcs(a, b []int) []pair {
	dmp := diffmatchpatch.New()
	dmp.DiffTimeout = 0 // no clock: the answer must not depend on the machine
	var pairs []pair
	i, j := 0, 0
	for _, d := range dmp.DiffMainRunes(runes(a), runes(b), false) {
		n := utf8.RuneCountInString(d.Text)
		switch d.Type {
		case diffmatchpatch.DiffDelete:
			i += n
		case diffmatchpatch.DiffInsert:
			j += n
		case diffmatchpatch.DiffEqual:
			for range n {
				pairs = append(pairs, pair{i, j})
				i, j = i+1, j+1
			}
		}
	}
	return pairs
}

// runes writes numbers as code points. It steps over the surrogates, which the
// library would turn into one and the same character. There is room for 1.1
// million; the limits keep far below it.
func runes(ids []int) []rune {
	const surrogates, count = 0xd800, 0x800
	out := make([]rune, len(ids))
	for i, id := range ids {
		if id >= surrogates {
			id += count
		}
		out[i] = rune(id)
	}
	return out
}
