package render

import (
	"encoding/json"
	"testing"

	"hindcast/model/answer"
	"hindcast/render/theme"
)

func TestPulse(t *testing.T) {
	write := func(pos int64, now string) answer.HistoryWrite {
		return answer.HistoryWrite{New: json.RawMessage(now), By: answer.Event{Pos: pos}}
	}
	for name, tt := range map[string]struct {
		writes []answer.HistoryWrite
		want   string
	}{
		"nothing":             {nil, "▁▁▁▁"},
		"a number's height":   {[]answer.HistoryWrite{write(1, "1"), write(26, "7"), write(60, "null"), write(100, "3.5")}, "▂█▁▄"},
		"how often it was":    {[]answer.HistoryWrite{write(1, `"a"`), write(2, `"b"`), write(99, `"c"`)}, "█▁▁▄"},
		"negative is nothing": {[]answer.HistoryWrite{write(1, "-4"), write(50, "2")}, "▁███"},
	} {
		if got := Pulse(tt.writes, 100, 4, &theme.Unicode); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}
