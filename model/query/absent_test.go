package query

import (
	"encoding/json"
	"strings"
	"testing"

	"hindcast/model"
)

// What Raw spares must never change the verdict of Text.
func FuzzAbsent(f *testing.F) {
	f.Add("a/b \"quoted\" é\n", "é", false)
	f.Add("Timeout", "timeout", true)
	f.Add("<tag>", "<TAG", true)
	f.Add("a\\u0062c", "abc", false)
	f.Fuzz(func(t *testing.T, text, needle string, fold bool) {
		if !json.Valid([]byte(`"`+needle+`"`)) && strings.ToValidUTF8(text, "") != text {
			t.Skip()
		}
		raw, err := json.Marshal(text)
		if err != nil {
			t.Skip()
		}
		var decoded string
		if json.Unmarshal(raw, &decoded) != nil {
			t.Skip()
		}
		term := Term{Field: FieldText, Op: OpContains, Text: needle, Fold: fold}
		s := Subject{Event: &model.Event{}, Text: func() string { return decoded }}
		want := Eval(term, s)
		for _, spelled := range [][]byte{raw, []byte(strings.ReplaceAll(string(raw), "/", `\/`))} {
			s.Raw = func() []byte { return spelled }
			if got := Eval(term, s); got != want {
				t.Errorf("%q in %s: %v with Raw, %v without", needle, spelled, got, want)
			}
		}
	})
}
