package claudecode

import (
	"strings"
	"testing"

	"hindcast/fixtures/trial"
	"hindcast/model"
	"hindcast/model/jsonscan"
)

// FuzzDecode feeds a session anything that is JSON: whatever it holds, it is an
// event or an error.
func FuzzDecode(f *testing.F) {
	for _, root := range []string{"clean", "stream.jsonl", "broken.jsonl"} {
		d := fixture(f, root)
		for i := range d.Files() {
			f.Add(string(d.Whole(i)))
		}
	}
	f.Add(`{"type":"user","uuid":"a","parentUuid":"a","message":{"content":[{"type":"tool_result","tool_use_id":"` + "\x1e\x1f" + `"}]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		d := trial.NewDump(map[string]string{"a.jsonl": text, mainSession + ".jsonl": text, "agent-x.jsonl": text})
		im := trial.Read(t, New(), d)
		for _, r := range im.Sessions {
			for _, e := range r.Events {
				if len(e.Title) > model.TitleLimit || e.Title == "" {
					t.Errorf("title of %d bytes: %q", len(e.Title), e.Title)
				}
				for _, l := range e.Links {
					if l.Resolved() && l.To.Session == r.ID && l.To.Pos >= e.Pos {
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
