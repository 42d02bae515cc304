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
			d.see("row 1/", "K 1", "Add a VAT rate", "2 failed calls").golden(name + "-open")
			d.press("E").see("45 of 48", "AgentErrorEvent", "wrapped to the last error")
			d.press("E").see("37 of 48", "ObservationEvent", "exit 1: 0.09")
			if w < wideWidth {
				d.press("Tab").see("[why]", "nearest first")
			} else {
				d.press("Tab").see("errors.count")
			}
			d.golden(name + "-error")
			d.press("?").see("Cause and effect").golden(name + "-help")
		})
	}
}

// TestTravelScreens: what the demo's states look like, on the steps at which
// something happens to them.
func TestTravelScreens(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		w, h := size[0], size[1]
		name := fmt.Sprintf("demo-%dx%d", w, h)
		t.Run(name, func(t *testing.T) {
			d := drive(t, demo(t), w, h, Options{Source: "demo:"}).see("row 1/", "4 failed calls")
			d.press(":113", "Enter").see("113 of")
			if w < wideWidth {
				d.press("Tab", "Tab", "Tab", "Esc")
			}
			d.see("changed by this step", "main.go").golden(name + "-state")
			d.press("x", "x").see("for 112", "exact").golden(name+"-context").press("x", "d", "d").see("diff", "111 .. 113").golden(name + "-diff")
			d.press("d", "*", "healthz", "Enter").see("knew “healthz”", "in view").golden(name + "-knew").press("Esc").gone("knew “")
			d.press("gf").see("after 113", "package main").press("B").see("10 read_file").golden(name + "-file").press("q")
			d.press("D").see("came back", "dropped", "kept").golden(name + "-checkpoint")
		})
	}
}

func sizeName(size [2]int) string { return fmt.Sprintf("%dx%d", size[0], size[1]) }
