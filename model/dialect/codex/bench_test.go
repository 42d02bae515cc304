package codex

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"hindcast/model"
)

// BenchmarkDecode reads the records that make rollouts large: outputs, and
// compactions that hold the whole history again.
func BenchmarkDecode(b *testing.B) {
	text := strings.Repeat(`ledger line 7: \"amount\" 12 cents\n`, 600)
	output := `{"timestamp":"2026-03-01T10:00:00.000Z","ordinal":9,"type":"response_item","payload":{"type":"function_call_output","id":"o1","call_id":"c1","output":"Process exited with code 0\nOutput:\n` + text + `"},"metadata":{"history_sequence":4,"sampled_through_sequence":2}}`
	item := `{"timestamp":"2026-03-01T10:00:00.000Z","ordinal":9,"type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","id":"c1","command":["bash","-lc","cat x"],"cwd":"file:///srv","status":"completed","aggregated_output":"` + text + `","exit_code":0}}}`
	var history, numbers bytes.Buffer
	for i := range 50 {
		fmt.Fprintf(&history, `,{"type":"function_call_output","call_id":"c%d","output":"%s"}`, i, text)
		fmt.Fprintf(&numbers, `,{"history_sequence":%d,"sampled_through_sequence":1}`, i+7)
	}
	compaction := `{"timestamp":"2026-03-01T10:00:00.000Z","ordinal":9,"type":"compacted","payload":{"message":"s","window_id":"w","replacement_history":[` +
		history.String()[1:] + `],"replacement_history_metadata":[` + numbers.String()[1:] + `]}}`
	small := `{"timestamp":"2026-03-01T10:00:00.000Z","ordinal":9,"type":"response_item","payload":{"type":"function_call","id":"f1","name":"exec_command","arguments":"{\"cmd\":\"cat bell.txt\"}","call_id":"c1"},"metadata":{"history_sequence":4,"sampled_through_sequence":2}}`
	for name, raw := range map[string]string{"output": output, "item": item, "compaction": compaction, "call": small} {
		b.Run(name, func(b *testing.B) {
			d, rec := New(), model.Record{Stream: &model.Stream{}, Raw: []byte(raw), Scratch: new(model.Event)}
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				if err := d.Decode(&rec, func(*model.Event) {}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
