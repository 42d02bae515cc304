package opencode

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"hindcast/model"
)

// BenchmarkDecode reads rows of a log whose calls have outputs of some size, as
// rows of a table (data is a string) and as an answer of the server.
func BenchmarkDecode(b *testing.B) {
	output := strings.Repeat("2026-01-01 12:00:00 INFO worker said \\\"ok\\\"\\n", 200)
	part := fmt.Sprintf(`{"sessionID":"ses_1","part":{"type":"tool","tool":"bash","callID":"call_1","state":{"status":"completed","input":{"command":"make check","description":"Runs the checks"},"output":"%s","title":"Runs the checks","metadata":{"output":"%s","exit":0},"time":{"start":1767261600000,"end":1767261600100}},"id":"prt_1","sessionID":"ses_1","messageID":"msg_1"},"time":1767261600100}`, output, output)
	answer := fmt.Sprintf(`{"id":"evt_b78fff9360080000000001","aggregate_id":"ses_1","seq":7,"type":"message.part.updated.1","data":%s}`, part)
	quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(part)
	row := fmt.Sprintf(`{"id":"evt_b78fff9360080000000001","aggregate_id":"ses_1","seq":7,"type":"message.part.updated.1","data":"%s"}`, quoted)
	for name, text := range map[string]string{"answer": answer, "table": row} {
		b.Run(name, func(b *testing.B) {
			raw := []byte(text)
			rec := model.Record{Stream: &model.Stream{Meta: &meta{Near: 1767261600000}}, Raw: raw, Scratch: new(model.Event)}
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				n := 0
				if err := New().Decode(&rec, func(*model.Event) { n++ }); err != nil || n != 1 {
					b.Fatal(err, n)
				}
			}
			if !bytes.Equal(raw, []byte(text)) {
				b.Fatal("the record was changed")
			}
		})
	}
}
