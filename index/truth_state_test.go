package index

import (
	"fmt"
	"math"
	"strings"

	"hindcast/model"
)

// checkFiles: a text that is said to be known or derived is the one that stood
// there. What is not known is counted only.
func (w *world) checkFiles() {
	for _, want := range w.want.Files {
		var at []model.Event
		if want.At == "end" {
			for _, s := range w.sessions {
				if s.Parent == "" && len(w.events[s.ID]) > 0 {
					at = append(at, w.last(s.ID))
				}
			}
		} else if e, ok := w.settled(want.At); ok {
			at = append(at, e)
		}
		if len(at) == 0 {
			w.absent("files", want.At)
			continue
		}
		v := missing
		for _, e := range at {
			f, ok := w.state(e).Files[w.names.longer(want.Path)]
			sure := ok && (f.Certainty == "known" || f.Certainty == "derived")
			switch {
			case want.Deleted && !ok, !want.Deleted && sure && f.Content != nil && sha(w.names.plain(*f.Content)) == want.SHA:
				v = holds
			case sure:
				w.say("files", wrong, "%s at %s is said to be %s: %.200q", want.Path, want.At, f.Certainty, *f.Content)
			}
		}
		w.say("files", v, "%s at %s is not known", want.Path, want.At)
	}
}

// checkShell compares the shell after a command. Code -1 stands for a command
// that runs, or, of a failed result, for one that never started.
func (w *world) checkShell() {
	for _, want := range w.want.Shell {
		e, ok := w.settled(want.At)
		if !ok {
			w.absent("shell", want.At)
			continue
		}
		s := w.state(w.ran(e)).Shell
		running := want.Exit != nil && *want.Exit == -1
		if w.names.exitTitles && want.Exit != nil && !(running && e.Outcome.Failed()) {
			ending := "exit " + number(want.Exit)
			if running {
				ending = "still running"
			}
			w.say("titles", holdsIf(strings.Contains(e.Title, ending)), "at %s: %q does not say %q", want.At, e.Title, ending)
		}
		if running {
			want.Exit = nil
		}
		v := holds
		for _, dir := range []*string{want.Cwd, want.Workdir} {
			if dir != nil {
				v = max(v, told(w.names.plain(text(s.Cwd)), *dir))
			}
		}
		if want.Command != "" && !strings.HasPrefix(text(s.Command), want.Command) {
			v = max(v, told(text(s.Command), want.Command))
		}
		if want.Exit != nil {
			v = max(v, told(number(s.ExitCode), number(want.Exit)))
		}
		if s.Running != nil && *s.Running != (running && !e.Outcome.Failed()) {
			v = wrong
		}
		w.say("shell", v, "at %s: %q in %q: exit %s, not %+v", want.At, text(s.Command), text(s.Cwd), number(s.ExitCode), want)
	}
}

// ran is the event that tells how the command of a result went: where several
// ran at once, another one of the same call may.
func (w *world) ran(result model.Event) model.Event {
	if result.Call == "" || w.names.objects {
		return result
	}
	for _, e := range w.events[result.Session] {
		if e.Call != result.Call || e.Pos == result.Pos || e.Kind == model.KindAction {
			continue
		}
		if before, after := w.before(e).Shell, w.state(e).Shell; after.ExitCode != nil && fmt.Sprint(text(before.Command), number(before.ExitCode), text(before.Cwd)) != fmt.Sprint(text(after.Command), number(after.ExitCode), text(after.Cwd)) {
			return e
		}
	}
	return result
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func number(n *int64) string {
	if n == nil {
		return ""
	}
	return fmt.Sprint(*n)
}

// checkTasks compares the list after the results of calls. Of results that came
// in another order than their calls, which is that of the truth files, only what
// all of them left is compared.
func (w *world) checkTasks() {
	done := make([]model.Event, len(w.want.Tasks))
	found := make([]bool, len(done))
	for i, want := range w.want.Tasks {
		done[i], found[i] = w.settled(want.At)
		for _, e := range w.events[done[i].Session] {
			if want.Call != "" && e.Call == string(want.Call) && e.Kind == model.KindObservation {
				done[i] = e
			}
		}
	}
	for i, want := range w.want.Tasks {
		if i+1 < len(done) && done[i+1].Pos < done[i].Pos {
			done[i+1] = done[i]
			continue
		}
		if !found[i] {
			w.absent("tasks", want.At)
			continue
		}
		tasks := w.state(done[i]).Tasks
		v := holdsIf(len(tasks) > 0)
		for n, item := range want.Items {
			if n < len(tasks) && (tasks[n].Title != item.Title || tasks[n].Status != item.Status) || len(tasks) > 0 && n >= len(tasks) {
				v = wrong
			}
		}
		w.say("tasks", v, "after %s: %+v, not %+v", want.At, tasks, want.Items)
	}
}

// checkUsage compares what the sessions used in the end, and what had been spent
// at some events.
func (w *world) checkUsage() {
	for _, want := range w.want.Usage {
		var parts []model.Session
		if s := w.session(w.names.of(sessionOf(want.Session, want.File))); s != nil {
			parts = w.parts(s.ID)
		}
		if len(parts) == 0 {
			w.absent("usage", want.Session)
			continue
		}
		var in, out, read, written, thought float64
		cost := math.NaN()
		for _, s := range parts {
			u := w.state(w.last(s.ID)).Usage
			in, out, read = in+count(u.InputTokens), out+count(u.OutputTokens), read+count(u.CacheReadTokens)
			written, thought = written+count(u.CacheWriteTokens), thought+count(u.ReasoningTokens)
			if u.CostUSD != nil {
				cost = *u.CostUSD
			}
		}
		if w.names.cachedIn {
			in += read + written
		}
		if w.names.thinkingOut {
			out += thought
		}
		v := holds
		for _, pair := range []struct {
			want *float64
			got  float64
		}{{want.Input, in}, {want.Output, out}, {want.Cached, read}, {want.CacheWritten, written}, {want.Reasoning, thought}} {
			if pair.want != nil && math.Abs(*pair.want-pair.got) > 1e-9 {
				v = missing
			}
		}
		if want.Recorded.Cost != nil {
			want.Cost = want.Recorded.Cost // older versions count thinking twice
		}
		if want.Cost != nil && math.Abs(*want.Cost-cost) > 1e-9 {
			v = missing
		}
		w.say("usage", v, "of %s: %v %v, cached %v %v, thinking %v, %v $", want.Session, in, out, read, written, thought, cost)
	}
	for _, want := range w.want.Over {
		e, ok := w.first(want.At)
		if !ok {
			w.absent("usage", want.At)
			continue
		}
		got := w.state(e).Usage.CostUSD
		w.say("usage", holdsIf(got != nil && math.Abs(*got-want.Cost) < 1e-9), "cost at %s: %v, not %v", want.At, got, want.Cost)
	}
	if n := len(w.want.ProgramCost); n > 0 {
		for _, s := range w.sessions {
			got := w.state(w.last(s.ID)).Usage.CostUSD
			w.say("usage", holdsIf(got != nil && math.Abs(*got-w.want.ProgramCost[n-1].USD) < 1e-9), "cost of %s: %v", s.ID, got)
		}
	}
}

func count(n *int64) float64 {
	if n == nil {
		return 0
	}
	return float64(*n)
}
