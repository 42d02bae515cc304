package patch_test

import (
	"testing"

	"hindcast/model/patch"
)

func TestListing(t *testing.T) {
	tests := map[string]struct {
		listing, sep, want string
		first              int
		refused            bool
	}{
		"colons":          {listing: "1: one\n2: \n3: \tthree: 3", sep: ": ", want: "one\n\n\tthree: 3", first: 1},
		"zeros":           {listing: "00008| eight\n00009| nine\n00010| ten", sep: "| ", want: "eight\nnine\nten", first: 8},
		"blanks":          {listing: "     1|one\n     2|", sep: "|", want: "one\n", first: 1},
		"a number missed": {listing: "1: one\n3: three", sep: ": ", refused: true},
		"no number":       {listing: "one: two", sep: ": ", refused: true},
		"a plain line":    {listing: "1: one\ntwo", sep: ": ", refused: true},
		"nothing":         {sep: ": ", refused: true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, first, ok := patch.Listing(test.listing, test.sep)
			if ok == test.refused || ok && (got != test.want || first != test.first) {
				t.Errorf("got %q from %d, %v", got, first, ok)
			}
		})
	}
}
