package claudecode

import (
	"strings"
	"testing"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// FuzzDecode feeds a session anything that is JSON: whatever it holds, it is an
// event or an error.
func FuzzDecode(f *testing.F) {
	for _, root := range []string{"clean", "stream.jsonl", "broken.jsonl"} {
		for _, text := range fixture(f, root).data {
			f.Add(string(text))
		}
	}
	f.Add(`{"type":"user","uuid":"a","parentUuid":"a","message":{"content":[{"type":"tool_result","tool_use_id":"` + "\x1e\x1f" + `"}]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		d := newDump(map[string]string{"a.jsonl": text, mainSession + ".jsonl": text, "agent-x.jsonl": text})
		im := importDump(t, d)
		for _, r := range im.sessions {
			for _, e := range r.events {
				if len(e.Title) > model.TitleLimit || e.Title == "" {
					t.Errorf("title of %d bytes: %q", len(e.Title), e.Title)
				}
				for _, l := range e.Links {
					if l.Resolved() && l.To.Session == r.id && l.To.Pos >= e.Pos {
						t.Errorf("a link of %d leads forward to %d", e.Pos, l.To.Pos)
					}
				}
			}
		}
		for line := range strings.Lines(text) {
			if _, _, err := jsonscan.Value([]byte(line)); err == nil {
				rec := model.Record{Raw: []byte(line), Stream: &model.Stream{Meta: &meta{Stream: true, Sides: map[string]int{"a": 1}, Spawn: "c"}}}
				_ = New().Decode(&rec, func(*model.Event) {})
			}
		}
	})
}
