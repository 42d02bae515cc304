package jsonscan_test

import (
	"testing"

	"hindcast/model/jsonscan"
)

func TestWithin(t *testing.T) {
	text := []byte(` {"a": {"b": [1, 23]}}`)
	inner := jsonscan.Get(text, "a", "b")
	if at, ok := jsonscan.Within(text, inner); !ok || string(text[at:at+len(inner)]) != "[1, 23]" {
		t.Errorf("at %d, %v", at, ok)
	}
	if at, ok := jsonscan.Within(text, text); !ok || at != 0 {
		t.Errorf("the whole text: %d, %v", at, ok)
	}
	for _, other := range [][]byte{nil, []byte("[1, 23]"), append([]byte(nil), text...)} {
		if _, ok := jsonscan.Within(text, other); ok {
			t.Errorf("%q is no span of the text", other)
		}
	}
	if _, ok := jsonscan.Within(inner, text); ok {
		t.Error("a text stands in its part")
	}
}
