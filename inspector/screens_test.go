package inspector

import (
	"fmt"
	"testing"

	"hindcast/render/text"
)

func wide(cluster string) bool { return text.Width(cluster) == 2 }

func TestScreens(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		w, h := size[0], size[1]
		name := fmt.Sprintf("%dx%d", w, h)
		t.Run(name, func(t *testing.T) {
			d := drive(t, story(), w, h, Options{Source: "run.jsonl"})
			d.see("row 1/", "K 1", "Add a VAT rate", "2 failures").golden(name + "-open")
			d.press("E").see("#45 of 48", "AgentErrorEvent", "wrapped to the last error")
			d.press("E").see("#37 of 48", "ObservationEvent", "exit 1: 0.09")
			if w < wideWidth {
				d.press("S-Tab").see("[why]", "nearest first")
			} else {
				d.press("Tab").see("errors.count")
			}
			d.golden(name + "-error")
			d.press("?").see("Cause and effect").golden(name + "-help")
		})
	}
}
