package jsonscan

import (
	"fmt"
	"testing"
)

// FieldsThrough gives what Fields gives of the object and of the member.
func TestFieldsThrough(t *testing.T) {
	for _, obj := range []string{
		`{}`, `{"a":1}`, `[1]`, `"p"`, `{"p":{}}`, `{"p":{"x":1},"a":[{"p":2}]}`, ` { "a" : "\"" , "p" : { "x" : {"y":[1,{}]} , "z\u0061" : null } , "b" : {"p":{"q":1}} } `,
		`{"p":3,"p":{"x":1},"p":{"x":2}}`, `{"\u0070":{"x":1}}`, `{"p":[{"x":1}]}`,
		`{"p":{"x":1`, `{"p":{"x"`, `{"p":{`, `{"p":`, `{"p"`, `{`, ``,
	} {
		var got, want []string
		note := func(list *[]string, where string) func(string, []byte) {
			return func(key string, value []byte) { *list = append(*list, fmt.Sprintf("%s %s=%s", where, key, value)) }
		}
		FieldsThrough([]byte(obj), "p", note(&got, "outer"), note(&got, "inner"))
		Fields([]byte(obj), func(key string, value []byte) bool {
			if key == "p" {
				Fields(value, func(key string, value []byte) bool { note(&want, "inner")(key, value); return true })
			}
			note(&want, "outer")(key, value)
			return true
		})
		if _, _, err := Value([]byte(obj)); err == nil && fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %q, want %q", obj, got, want)
		}
	}
}
