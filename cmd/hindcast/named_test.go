package main

import (
	"testing"

	"hindcast/inspector/command"
)

// TestInspectorNamesItsDump: the commands that the inspector shows open the same
// dumps in the same way.
func TestInspectorNamesItsDump(t *testing.T) {
	for _, tt := range []struct {
		dialect string
		dumps   []string
		want    string
	}{
		{"", []string{"run.jsonl"}, "run.jsonl"},
		{"", []string{"it's a run.jsonl"}, `'it'\''s a run.jsonl'`},
		{"", []string{"a", "b c"}, "-d a -d 'b c'"},
		{"openhands", []string{"a", "b"}, "--dialect openhands -d a -d b"},
		{"codex", []string{"-v"}, "--dialect codex ./-v"},
		{"", []string{"demo:"}, "demo:"},
	} {
		p := &program{dialect: tt.dialect, getenv: func(string) string { return "" }}
		o := p.inspectorOptions(nil, tt.dumps, command.NewArgs(nil, nil))
		if o.Source != tt.want || o.Fixed || o.Unrepeatable != "" {
			t.Errorf("%q: %q (fixed %v, %q), want %q", tt.dumps, o.Source, o.Fixed, o.Unrepeatable, tt.want)
		}
	}
	p := &program{getenv: func(string) string { return "" }}
	if o := p.inspectorOptions(nil, []string{pipe}, command.NewArgs(nil, nil)); !o.Fixed || o.Unrepeatable == "" {
		t.Errorf("a pipe: fixed %v, %q", o.Fixed, o.Unrepeatable)
	}
}
