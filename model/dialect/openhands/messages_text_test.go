package openhands

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
)

// What a record says is counted without making its text.
func TestCharsAreThoseOfTheText(t *testing.T) {
	log, err := os.ReadFile("testdata/records.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{0, 1, outputLimit - 60, outputLimit, outputLimit + 60} {
		for _, rest := range []string{``, `,"is_error":true`, `,"metadata":{"exit_code":3,"working_dir":"/w","prefix":"é\n","suffix":""},"is_error":true`} {
			text := strings.Repeat("ü", size)
			log = fmt.Appendf(log, `{"kind":"ObservationEvent","extended_content":[{"text":"more"}],"observation":{"content":[{"text":%q},{"text":"x"}]%s}}`+"\n", text, rest)
			log = fmt.Appendf(log, `{"kind":"ObservationEvent","observation":{"output":%q%s}}`+"\n", text, rest)
			log = fmt.Appendf(log, `{"kind":"ObservationEvent","observation":{"content":[{"text":%q}]%s}}`+"\n", text, rest)
		}
	}
	seen := 0
	for line := range bytes.Lines(log) {
		var r record
		readEvent(&r, bytes.TrimSpace(line))
		r.inner.read(r.observation)
		typ := strings.Trim(string(r.kind), `"`)
		if got, want := charsV1(typ, &r), chars(textV1(typ, &r)); got != want {
			t.Errorf("%d characters, want %d: %.200s", got, want, line)
		}
		seen++
	}
	if seen < 50 {
		t.Errorf("only %d records", seen)
	}
}
