package jsonscan

import (
	"fmt"
	"testing"
)

// Nested gives what Fields and Elements give of the whole and of what it enters.
func TestNested(t *testing.T) {
	for _, text := range []string{
		`{}`, `{"a":1}`, `[1]`, `"p"`, `{"p":{}}`, `{"p":{"x":1},"a":[{"p":2}]}`, ` { "a" : "\"" , "p" : { "x" : {"y":[1,{}]} , "z\u0061" : null } , "b" : {"p":{"q":1}} } `,
		`{"p":3,"p":{"x":1},"p":{"x":2}}`, `{"\u0070":{"x":1}}`, `{"p":[{"x":1}]}`, `[[],[1,[2,{"p":[3]}]],"]"]`, `[{"p":"}"},{"p":[{"x":"{"}]}]`, `[ ]`, ` `, ``,
		`{"p":{"x":1`, `{"p":{"x"`, `{"p":{`, `{"p":`, `{"p"`, `{`, `[`, `[{`, `[1,`,
	} {
		var got, want []string
		for limit := 1; ; limit++ {
			got, want = got[:0], want[:0]
			Nested([]byte(text), enters, func(depth int, key string, value []byte) bool {
				got = append(got, fmt.Sprint(depth, key, "=", string(value)))
				return len(got) < limit
			})
			plainly([]byte(text), 0, func(s string) { want = append(want, s) })
			if _, _, err := Value([]byte(text)); err != nil {
				break // no more is asked of it than to end
			}
			if fmt.Sprint(got) != fmt.Sprint(want[:min(limit, len(want))]) {
				t.Errorf("%s: %q, want %q", text, got, want)
			}
			if limit > len(want) {
				break
			}
		}
	}
}

func enters(depth int, key string, _ byte) bool { return depth < 2 && key != "a" }

// plainly does what Nested does, with a walk for each container.
func plainly(v []byte, depth int, note func(string)) {
	each := func(key string, value []byte) bool {
		if enters(depth, key, 0) {
			plainly(value, depth+1, note)
		}
		note(fmt.Sprint(depth, key, "=", string(value)))
		return true
	}
	Fields(v, each)
	Elements(v, func(value []byte) bool { return each("", value) })
}
