package inspector

import "testing"

// TestFilterPreview: while a filter is typed, the rows that would go are marked.
func TestFilterPreview(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		d := drive(t, story(), size[0], size[1], Options{}).see("row 1/23", "K 1")
		d.press("j", "j", "f", "tool:read").see("3 of 23 rows", "-    5 ", "-    0 ").golden("filter-" + sizeName(size)).press("Esc").gone("-    5 ").at("4")
		d.press("f", "failed:true").see("2 of 23 rows", "-    5 ").press("Enter").see("filter failed:true").gone("-    5 ")
	}
}

func TestFilterCompletes(t *testing.T) {
	d := drive(t, demo(t), 80, 24, Options{}).see("row 1/77", "4 failed calls")
	d.press("f", "ki", "Tab").see("filter kind:").press("ch", "Tab").see("filter kind:checkpoint", "2 of 77 rows").press(",e", "Tab").see("kind:checkpoint,error", "5 of 77")
	d.press(" -to", "Tab").see("-tool:").press("Tab").see("run_command", "edit_file").press("run", "Tab").see("-tool:run_command").press("Esc")
	d.press("f", "type:U", "Tab").see("type:UserInput").press("Esc")
}

// TestFilterByWhatIsUnderTheCursor: = and - take the value on which the cursor
// stands, in any pane.
func TestFilterByWhatIsUnderTheCursor(t *testing.T) {
	d := drive(t, demo(t), 80, 24, Options{}).see("row 1/77", "4 failed calls")
	d.press(":19", "Enter").at("19").press("=").see(`filter tool:"run_command"`, `2= type:"AgentAction"`).press("\\").see("77 rows")
	d.press("2-").see(`filter -type:"AgentAction"`).press("\\").see("77 rows").press(":19", "Enter").at("19")
	d.press("3=").see(`filter source:"agent"`).press("\\").see("77 rows").press(":1", "Enter").see("SessionEvent").press(":20", "Enter").at("20")
	d.press("Enter").see(" detail c", "20  run_command", `tool_name "run_command"`).press("3j").press("=").see(`filter tool:"run_command"`).press("\\").see("77 rows", "20  run_command", `status "error"`).at("20")
	d.press("j").press("=").see(`filter text:"error"`)
}

// TestSearchInAllSessions: the sessions with hits are listed, and Enter goes to
// the first there; the search goes on.
func TestSearchInAllSessions(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		d := drive(t, demo(t), size[0], size[1], Options{Source: "demo:"}).see("row 1/77", "4 failed calls")
		d.press(":search --all docs/api", "Enter").see("all sessions  /docs/api", "in 2 sessions", "greeter-docs").golden("all-sessions-" + sizeName(size))
		d.copied("hindcast query 'title:docs/api or docs/api' demo:", "yc")
		d.press("G", "Enter").see("/docs/api 1/", "greeter-docs  ").press("n").see("/docs/api 2/").press("Ctrl-O", "Ctrl-O").at("1")
	}
	d := drive(t, demo(t), 80, 24, Options{Source: "demo:"}).see("row 1/77", "4 failed calls")
	d.press("/", "Ctrl-G").see("all /").press("no such words", "Enter").see("no hit in any session").press("q").at("1").press(":search", "Enter").see("search what?")
}
