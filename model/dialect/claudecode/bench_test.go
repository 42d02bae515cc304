package claudecode

import (
	"strings"
	"testing"

	"hindcast/fixtures/trial"
	"hindcast/model"
)

// BenchmarkDecode measures the records that make sessions large: progress, of
// which there are gigabytes, and results of tools with what the client keeps
// beside them.
func BenchmarkDecode(b *testing.B) {
	im := trial.Read(b, New(), fixture(b, "clean"))
	r := im.Session(b, mainSession)
	large := func(id, mark, text string) []byte {
		raw := string(r.Raw(r.Event(b, uuid(id)).Pos))
		if !strings.Contains(raw, mark) {
			b.Fatalf("no %s in %s", mark, raw)
		}
		return []byte(strings.ReplaceAll(raw, mark, text))
	}
	line := `npm warn deprecated something@1.2.3: use another\n`
	for _, bench := range []struct {
		name string
		raw  []byte
	}{
		{"progress", large("9", `"fullOutput":""`, `"fullOutput":"`+strings.Repeat(line, 10)+`"`)},
		{"bash", large("10", `> shop@1.0.0 test\n`, strings.Repeat(line, 400))},
		{"edit", large("12", `export const RATE`, strings.Repeat(line, 400)+`export const RATE`)},
		{"text", large("15", "The rate", strings.Repeat(line, 40)+"The rate")},
	} {
		b.Run(bench.name, func(b *testing.B) {
			rec := model.Record{Raw: bench.raw, Stream: r.Stream, Index: 1, Scratch: new(model.Event)}
			b.SetBytes(int64(len(bench.raw)))
			b.ReportAllocs()
			for b.Loop() {
				if err := New().Decode(&rec, func(*model.Event) {}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
