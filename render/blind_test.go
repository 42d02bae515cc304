package render

import (
	"encoding/json"
	"strings"
	"testing"

	"hindcast/model/answer"
)

// TestFileWithoutText: of an edit to a file whose text no record holds, nothing
// says that the text is the same or that it is empty; the record that tells the
// edit is named.
func TestFileWithoutText(t *testing.T) {
	const path = "/files/~1shop~1tax.js"
	by := answer.Ref{Session: "s", Seq: 75, Pos: 76}
	leaf := func(name, was, is string) answer.Change {
		return answer.Change{Path: path + "/" + name, Op: "replace", Old: json.RawMessage(was), New: json.RawMessage(is), By: &by, Blind: true}
	}
	blind := []answer.Change{leaf("written_by", "20", "75"), leaf("written_pos", "21", "76")}
	seen := []answer.Change{blind[0], blind[1]}
	seen[0].Blind, seen[1].Blind = false, false
	value := func(seq string) json.RawMessage {
		return json.RawMessage(`{"content":null,"certainty":"partial","lines":0,"sha256":null,"written_by":` + seq + `,"written_pos":` + seq + `}`)
	}
	history := answer.History{Path: path, Writes: []answer.HistoryWrite{
		{Op: "add", New: value("20"), By: answer.Event{Seq: 20}}, {Op: "replace", Old: value("20"), New: value("75"), By: answer.Event{Seq: 75}}}}
	for _, c := range []struct {
		got        []Line
		want, lack string
	}{
		{Diff(answer.Diff{Changes: blind}, DiffPoints, 100), "1 change\nfiles\n ~ /shop/tax.js  written, its text is not known: show 75", "same text"},
		{Diff(answer.Diff{Changes: seen}, DiffPoints, 100), "written again, the same text", "not known"},
		{[]Line{filePathChange(blind).Line}, "written, its text is not known: show 75", "same text"},
		{HistoryWrites(history, 100), "partial  text not known: show 75", "0 lines"},
	} {
		var b strings.Builder
		for _, l := range c.got {
			b.WriteString(Plain(l) + "\n")
		}
		if !strings.Contains(b.String(), c.want) || strings.Contains(b.String(), c.lack) {
			t.Errorf("no %q, or %q, in\n%s", c.want, c.lack, b.String())
		}
	}
}
