package codex

import (
	"io/fs"
	"strings"
	"testing"

	"hindcast/fixtures"
	"hindcast/fixtures/trial"
	"hindcast/model"
	"hindcast/model/jsonscan"
)

// FuzzDecode: no record makes the decoder, the linker or the effector fail, and
// what they say keeps to its bounds.
func FuzzDecode(f *testing.F) {
	_ = fs.WalkDir(fixtures.FS, "codex", func(name string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".jsonl") {
			b, _ := fixtures.FS.ReadFile(name)
			for line := range strings.Lines(string(b)) {
				f.Add(line)
			}
		}
		return err
	})
	f.Add(`{"type":"response_item","payload":{"type":"custom_tool_call","name":"exec","input":"tools.a(\"\\","call_id":"c"}}`)
	f.Add(`{"type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":-9223372036854775808}}`)
	f.Add(`{"type":"compacted","payload":{"replacement_history_metadata":[{"history_sequence":-5},{"history_sequence":9223372036854775807}]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		start, end, err := jsonscan.Value([]byte(text))
		if err != nil {
			return
		}
		raw := []byte(text)[start:end]
		lookAt(raw)
		var arrived []model.Event
		for range 3 {
			_ = New().Decode(&model.Record{Stream: &model.Stream{}, Raw: raw}, func(e *model.Event) {
				if len(e.Title) > model.TitleLimit {
					t.Errorf("title of %d bytes", len(e.Title))
				}
				c := *e
				c.HasSeq = false
				arrived = append(arrived, c)
			})
		}
		r := trial.Link(New(), &model.Stream{}, "s", arrived, nil)
		for _, e := range r.Events {
			if len(e.Title) > model.TitleLimit {
				t.Errorf("linked title of %d bytes", len(e.Title))
			}
			for _, l := range e.Links {
				if l.To.Pos >= e.Pos {
					t.Errorf("a link forwards: %+v", l)
				}
			}
		}
		b, err := r.Linker.Save()
		if err != nil {
			t.Fatal(err)
		}
		if err := New().NewLinker(nil, "s").Load(b); err != nil {
			t.Fatal(err)
		}
	})
}
