package inspector

import (
	"context"
	"strings"
	"testing"

	"hindcast/inspector/command"
	"hindcast/render"
)

// TestCommandsSayWhatTheScreenSays: the command line that each pane and page
// prints answers with what stands there.
func TestCommandsSayWhatTheScreenSays(t *testing.T) {
	idx := demo(t)
	if err := idx.WaitStates(context.Background()); err != nil {
		t.Fatal(err)
	}
	run := func(line string) string {
		t.Helper()
		words, err := command.SplitLine(line)
		if err != nil || len(words) < 3 || words[0] != "hindcast" || words[len(words)-1] != "demo:" {
			t.Fatalf("%q is no command on demo: (%v)", line, err)
		}
		var quoted []string
		for _, w := range words[1 : len(words)-1] {
			if w != "--raw" { // which the prompt refuses, but not the rest
				quoted = append(quoted, shell(w))
			}
		}
		lines, err := command.Execute(context.Background(), &command.Env{Index: idx}, strings.Join(quoted, " "), 200)
		if err != nil {
			t.Errorf("%s: %v", line, err)
		}
		var b strings.Builder
		for _, l := range lines {
			b.WriteString(render.Plain(l) + "\n")
		}
		return b.String()
	}
	d := drive(t, idx, 80, 24, Options{Source: "demo:"}).see("row 1/77", "4 failed calls")
	for _, tt := range []struct {
		keys []string
		see  string   // before it is copied
		line string   // the beginning of the command
		says []string // on the screen, and by the command
	}{
		{[]string{":113", "Enter"}, "113 of", "hindcast show 113", []string{"replaced 1 occurrence in main.go"}},
		{[]string{"Tab"}, "nearest first", "hindcast why 113", []string{"read_file", "write_file"}},
		{[]string{"Tab", "r"}, " raw", "hindcast show 113 --raw", []string{"replaced 1 occurrence"}},
		{[]string{"r", "Tab"}, "changed by this step", "hindcast state", []string{"running"}},
		{[]string{"4j"}, "usage.cost_usd", "hindcast state /usage/cost_usd --at 113", []string{"0.97287"}},
		{[]string{"Tab"}, "exact", "hindcast context --for 112", []string{"exact"}},
		{[]string{"Tab"}, "111 .. 113", "hindcast diff 111 113", []string{"0.97287"}},
		{[]string{"Esc", "gf"}, "package main", "hindcast state file:main.go --at 113", []string{"package main"}},
		{[]string{"B"}, "10 read_file", "hindcast blame file:main.go --at 113", []string{"package main", "read_file"}},
		{[]string{"q", "*", "healthz", "Enter"}, "in view, from 3", "hindcast knew healthz", []string{"healthz"}},
		{[]string{"Esc", "o", "healthz", "Enter"}, "origin of", "hindcast origin healthz --at 113", []string{"greeter has no health check"}},
		{[]string{"q", "D"}, "came back", "hindcast diff 90 91 /context", []string{"82 ch"}},
		{[]string{"q", "X"}, "view over 113", "hindcast diff 111 113 /context", []string{"113"}},
		{[]string{"q", "s"}, "outcome", "hindcast sessions", []string{"greeter-docs", "completed"}},
		{[]string{"q", "Enter", "Esc"}, "[detail]", "hindcast show 113", []string{"replaced 1 occurrence"}},
		{[]string{"f", "failed:true -tool:run_command", "Enter"}, "filter failed:true", "hindcast query 'failed:true -tool:run_command' --session greeter", []string{"disk_warning"}},
		{[]string{"\\", ":search --all --re docs/(api|x)", "Enter"}, "in 2 sessions", `hindcast query 're:"docs/(api|x)"'`, []string{"docs/api.md"}},
		{[]string{"q", ":82", "Enter"}, "82 of", "hindcast show 82", []string{"scripts/smoke.sh"}},
		{[]string{"C"}, "effects of 82", "hindcast why 82 --effects", []string{"84"}},
	} {
		d.press(tt.keys...).see(tt.see)
		d.press("yc").until("copied "+tt.line, func(string) bool { return strings.HasPrefix(d.clipboard(), tt.line) })
		screen, answer := d.text(), run(d.clipboard())
		for _, s := range tt.says {
			if !strings.Contains(answer, s) {
				t.Errorf("%s does not say %q, as the screen does:\n%s\nbut\n%.2000s", d.clipboard(), s, screen, answer)
			}
		}
	}
}

// TestCommandLineCompletes: verbs, flags, their values, addresses, places.
func TestCommandLineCompletes(t *testing.T) {
	o := Options{Source: "demo:"}
	for _, c := range command.All() {
		o.Commands = append(o.Commands, c.Name)
	}
	o.RunCommand = runStats
	d := drive(t, demo(t), 80, 24, o).see("row 1/77", "4 failed calls")
	d.press(":hist", "Tab").see(":history").press(" /us", "Tab").see(":history /usage").press("/cost", "Tab").see("/usage/cost_usd").press("Esc")
	d.press(":diff check", "Tab").see(":diff checkpoint:").press("2", "Tab").see("checkpoint:2").press(" --rec", "Tab").see("--recorded").press("Esc")
	d.press(":query --ty", "Tab").see("--type").press(" Agent", "Tab").see("AgentAction").press("Esc")
	d.press(":sear", "Tab").see(":search").press("Esc").press(":filter ki", "Tab").see(":filter kind:").press("Esc")
}
