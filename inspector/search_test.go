package inspector

import (
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"
)

// paste types a text as a terminal's bracketed paste does.
func (d *driver) paste(s string) *driver {
	post := func(e tcell.Event) {
		for d.sim.PostEvent(e) != nil { // the queue is full: it drains
			time.Sleep(time.Millisecond)
		}
	}
	post(tcell.NewEventPaste(true))
	for _, r := range s {
		key := tcell.KeyRune
		if r == '\n' || r == '\r' {
			key = tcell.KeyEnter
		}
		post(tcell.NewEventKey(key, r, tcell.ModNone))
	}
	post(tcell.NewEventPaste(false))
	return d
}

// TestSearchAsItIsTyped: the hits are counted, with the cursor on one, and it is
// told where in its record the text stands, and whether the model sees it.
func TestSearchAsItIsTyped(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		d := drive(t, demo(t), size[0], size[1], Options{Source: "demo:"}).see("row 1/77", "4 failed calls")
		d.press("/", "healthz").see("/healthz", "1/20 in prompt", "Ctrl-R regexp", "Ctrl-G all sessions").at("3").golden("search-" + sizeName(size))
		d.press("Enter").see(" 1/20 /healthz  in prompt  in view, from 3", "n N hits").press("n").see("2/20 /healthz  in").at("5")
		d.press("Esc").gone("/20").see("$ hindcast show 5")
		d.press("/", "Healthz").see("no hit").press("Backspace").see("no hit").press("Esc").at("5")
	}
}

func TestSearchForAnExpression(t *testing.T) {
	d := drive(t, demo(t), 80, 24, Options{Source: "demo:"}).see("row 1/77", "4 failed calls")
	d.press("/", `exit [1-9]:.*return`).see("no hit").press("Ctrl-R").see("re/exit", "1/1").at("20")
	d.press("(").see("missing closing )").press("Enter").see("re/exit").press("Backspace").see("1/1").press("Enter").see("re/exit [1-9]:.*return", "in title")
	d.press("/").see("Ctrl-R").press("Ctrl-R", "EXIT").see("no hit").press("Ctrl-R").see("no hit").press("Esc").at("20")
}

// TestPastedError: a provider's error leads to the record that it names, and it
// is told which part of it did.
func TestPastedError(t *testing.T) {
	d := drive(t, demo(t), 80, 24, Options{Source: "demo:"}).see("row 1/77", "4 failed calls")
	d.press(":").paste("{\"error\": {\n  \"message\": \"messages.4.content.0: tool_use ids were found without tool_result blocks: evt_0020\",\n \"request_id\": \"req_9x8y7z\"}}").press("Enter")
	d.see("of the pasted text: evt_0020 is").press("Ctrl-O").at("1")
	d.press("/").paste("no result for evt_0020, which is missing").see("what evt_0020 names").press("Enter").see("of the pasted text: evt_0020 is").press("Ctrl-O").at("1")
	d.press("/", "is evt_0020 here").see("Enter: what evt_0020 names").press("Enter").see("of the pasted text: evt_0020 is").press("Ctrl-O").at("1")
	d.press(":").paste("nothing is known of toolu_01NoSuchCall99 here").press("Enter").see("nothing here has toolu_01NoSuchCall99").at("1")
}
