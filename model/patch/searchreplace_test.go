package patch_test

import (
	"testing"

	"hindcast/model/patch"
)

func TestSearchReplace(t *testing.T) {
	const text = "a\nb\nc\nb\n"
	tests := map[string]struct {
		blocks, want string
		ok           bool
	}{
		"one":       {"------- SEARCH\nb\n=======\nx\ny\n+++++++ REPLACE\n", "a\nx\ny\nc\nb\n", true},
		"older":     {"<<<<<<< SEARCH\nc\n=======\nd\n>>>>>>> REPLACE", "a\nb\nd\nb\n", true},
		"two":       {"------- SEARCH\nb\n=======\n1\n+++++++ REPLACE\n\n------- SEARCH\nb\n=======\n2\n+++++++ REPLACE", "a\n1\nc\n2\n", true},
		"removal":   {"------- SEARCH\nb\nc\n=======\n+++++++ REPLACE", "a\nb\n", true},
		"not found": {"------- SEARCH\nz\n=======\ny\n+++++++ REPLACE", "", false},
		"no block":  {"z", "a\nb\nc\nb\n", false},
		"cut":       {"------- SEARCH\nb\n=======\ny", "a\nb\nc\nb\n", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, ok := patch.SearchReplace(text, test.blocks)
			if ok != test.ok || got != test.want {
				t.Errorf("got %q, %v", got, ok)
			}
		})
	}
}
