package jsonscan

import (
	"io"
	"strings"
	"testing"
	"time"

	"hindcast/model"
)

// TestSplitHostile repeats what is hard to recover from. Whatever it is, the
// work must grow with the input only: a search that started again and again
// over the same bytes would take minutes here.
func TestSplitHostile(t *testing.T) {
	const size = 96 << 10
	starts := []string{"", "[", `{"events":[`, `{"events":`}
	units := []string{
		`{"id":"a},`, `{"id":1,"x":[{"id":2},{"id":3}],"y":NaN},`, `{"a":NaN},`, `{"a":[`, `[[[[`, "{", "}", `"`, `\`, `,`, "{x},", "\n{", "\n[",
		`{"a":"`, "\n {\"a\":1\n", "]", `{"a":1]`, `},{"`, "{\"a\":1}\r", "\x1e", "\xef\xbb\xbf", `"events":[`, ` `, "\n", "nul", "-", `{"id":[`,
		"{\"events\":[}\n", `,{"id":x`, "data:{",
	}
	for _, f := range []model.Framing{byLine, byValue, byElement, byMember, byFile} {
		for _, start := range starts {
			for _, unit := range units {
				in := start + strings.Repeat(unit, size/len(unit))
				began := time.Now()
				pieces := splitQuickly(t, in, f)
				if took := time.Since(began); took > 5*time.Second {
					t.Errorf("%v: %q and %q repeated took %v for %d spans", f, start, unit, took, pieces)
				}
			}
		}
	}
}

func splitQuickly(t *testing.T, in string, f model.Framing) (spans int) {
	t.Helper()
	s := NewSplitter(strings.NewReader(in), 0, f, false)
	covered := 0
	for {
		c, err := s.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		covered += len(c.Data)
		spans += len(c.Spans)
		c.Free()
	}
	if covered != len(in) {
		t.Errorf("%v: %d bytes of %d given out", f, covered, len(in))
	}
	return spans
}
