package jsonscan

import (
	"io"
	"strings"
	"testing"

	"hindcast/model"
)

func TestStanding(t *testing.T) {
	for in, want := range map[string]string{
		``:                                 "",
		`{"a":1,"b":`:                      "",
		`[1,2,3`:                           "",
		`{"steps":[{"n":1},{"n":2`:         `{"steps":[{"n":1}`,
		`{"steps":[{"n":1},{"n":[[7],[8`:   `{"steps":[{"n":1},{"n":[[7]`,
		`{"a":{"b":1},"s":["]}",{"q":"]`:   "",
		`  {"steps":[{"n":"]}\"["} , {"m"`: `  {"steps":[{"n":"]}\"["}`,
		`[[1],[2]`:                         `[[1],[2]`,
		`{"a":[{}]}]]]`:                    `{"a":[{}`,
	} {
		if got := in[:Standing([]byte(in))]; got != want {
			t.Errorf("of %s stands %s, want %s", in, got, want)
		}
	}
}

// A torn document is given out in one piece, however large, where the stream
// asks for it, and is quarantined where it does not.
func TestTornDocuments(t *testing.T) {
	small := `{"steps":[{"n":1},{"n":2`
	large := `{"steps":[` + strings.Repeat(`{"text":"`+strings.Repeat("x", 1000)+`"},`, 3000) + `{"n":2`
	for _, mode := range []model.FramingMode{model.FrameLines, model.FrameValues, model.FrameWhole} {
		for _, text := range []string{small, large} {
			for _, torn := range []bool{true, false} {
				s := NewSplitter(strings.NewReader(text), 0, model.Framing{Mode: mode, Torn: torn}, false)
				records, broken, bytes := 0, 0, 0
				for {
					c, err := s.Next()
					if err == io.EOF {
						break
					}
					if err != nil {
						t.Fatal(err)
					}
					for _, sp := range c.Spans {
						if bytes += sp.End - sp.Start; sp.Broken != "" {
							broken++
						} else {
							records++
						}
					}
				}
				// A short line is looked into by who takes it.
				whole := torn || mode != model.FrameValues && text == small
				if (records == 1) != whole || (broken == 0) != whole || bytes != len(text) {
					t.Errorf("mode %d, torn %v, %d bytes: %d records, %d broken, %d bytes", mode, torn, len(text), records, broken, bytes)
				}
			}
		}
	}
}
