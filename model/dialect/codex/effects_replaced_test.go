package codex

import (
	"testing"

	"hindcast/model/phrase"
)

// A walk over a replacement history finds of each item what reading it alone does.
func TestPlacedIn(t *testing.T) {
	history := []byte(`[{"type":"message","role":"user","id":"a","content":[{"type":"input_text","text":"Rye."},{"text":"No \"oats\"."},"x",[],{"text":""},{"type":"input_image"}],"extras":[{"text":"not this"}],"metadata":{"content":["nor this"]}},
		null,
		{"content":"a text","role":"developer","type":"message"},
		{"type":"function_call_output","call_id":"c","output":{"content":[{"text":"out"},{"text":"put"}]},"content":[{"text":"not it"}]},
		{"type":"function_call_output","call_id":"c","output":"plain"},
		{"type":"function_call","call_id":"c","name":"shell","arguments":"{}"},
		{"type":"reasoning","summary":[],"content":[{"text":"not shown"}]},
		{"type":"message","role":"assistant"},
		{"type":"ghost_snapshot","id":"g"},
		{"type":"message","role":"user","content":[{"text":"one"}],"content":[{"text":"t\u0077o"},{"text":"ü"}]},
		{"type":"compaction","encrypted_content":"e"}]`)
	got := placedIn(history)
	at := 0
	for i := range int64(12) {
		b := readBody(element(history, i))
		said, ok := spokenOf(&b)
		if !ok {
			continue
		}
		if at == len(got) {
			t.Fatalf("%d items, and not item %d", len(got), i)
		}
		if got, chars := got[at], phrase.ContentChars(said.content); int64(got.index) != i || got.chars != chars || got.said.role != said.role || got.shown.Sum != 0 && got.shown != shownOf(&b) {
			t.Errorf("item %d: %+v, want %d characters of %v", i, got, chars, said.role)
		}
		at++
	}
	if at != len(got) {
		t.Errorf("%d items, want %d", len(got), at)
	}
}
