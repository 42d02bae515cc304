package render

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"hindcast/model/answer"
)

// TestDiffStops: each stop is the line of its place, or a further hunk of it.
func TestDiffStops(t *testing.T) {
	var old, now []string
	for i := range 60 {
		old, now = append(old, fmt.Sprint("line ", i)), append(now, fmt.Sprint("line ", i))
	}
	now[5], now[50] = "first", "second"
	quoted := func(lines []string) json.RawMessage {
		b, err := json.Marshal(strings.Join(lines, "\n") + "\n")
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	d := answer.Diff{Changes: []answer.Change{
		{Path: "/errors/count", Op: "replace", Old: json.RawMessage("0"), New: json.RawMessage("1")},
		{Path: "/files/a.txt/content", Op: "replace", Old: quoted(old), New: quoted(now)},
		{Path: "/files/b.txt", Op: "remove", Old: json.RawMessage(`{"content":null,"certainty":"unknown","lines":0}`)},
		{Path: "/vars/x", Op: "replace", Old: json.RawMessage(`"a\nb"`), New: json.RawMessage(`"a\nc"`)},
		{Path: "/vars/y", Op: "add", New: json.RawMessage("2")},
	}}
	for _, width := range []int{0, 40, 80, 160} {
		lines, stops := DiffStops(d, DiffPoints, width)
		var got []string
		for _, s := range stops {
			got = append(got, s.Path)
			l := Plain(lines[s.Line])
			if name := s.Path[strings.LastIndexByte(s.Path, '/')+1:]; !strings.Contains(l, name) && !strings.Contains(l, "@@ -4") {
				t.Errorf("width %d: the stop of %s is at %q", width, s.Path, l)
			}
		}
		if s := strings.Join(got, " "); s != "/files/a.txt /files/a.txt /files/b.txt /errors/count /vars/x /vars/y" {
			t.Errorf("width %d: stops %s", width, s)
		}
	}
}
