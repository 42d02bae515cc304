package index

import (
	"maps"
	"slices"
	"strings"

	"hindcast/index/store"
)

// hurts are the failures of a session that nothing has recovered so far, by what
// was tried. A later call recovers them that has the same tool and does not fail:
// to the same target, or, with commands, with the same words or the first of
// them (a test run that passes covers the single test that failed).
type hurts struct {
	byTarget map[string]*hurt
	leads    map[string][]string // targets by the first words of their commands
	beyond   hurt                // more than are remembered
}

// hurt is the failures of one target.
type hurt struct {
	n       int64
	first   site
	classes map[*errorClass]*classHurt
}

// classHurt is those of one class.
type classHurt struct {
	n    int64
	last site
}

// leadWords is how many words of a command may stand for the whole of it, at
// least and at most.
const leadLeast, leadMost = 2, 8

func newHurts() *hurts { return &hurts{byTarget: map[string]*hurt{}, leads: map[string][]string{}} }

func (h *hurts) add(c *store.Call, f stray) {
	target, words := targetOf(c)
	w := h.byTarget[target]
	if w == nil && len(h.byTarget) >= targetLimit {
		w = &h.beyond
	}
	if w == nil {
		w = &hurt{classes: map[*errorClass]*classHurt{}}
		h.byTarget[target] = w
		for _, lead := range leadsOf(c.Tool, words) {
			h.leads[lead] = append(h.leads[lead], target)
		}
	}
	if w.n++; w.n == 1 || f.at.before(w.first) {
		w.first = f.at
	}
	if w.classes == nil { // beyond: nothing recovers them
		return
	}
	k := w.classes[f.class]
	if k == nil {
		k = &classHurt{}
		w.classes[f.class] = k
	}
	k.n++
	if k.last.before(f.at) {
		k.last = f.at
	}
}

// heal takes away what a call that did not fail recovers.
func (h *hurts) heal(c *store.Call) {
	if len(h.byTarget) == 0 {
		return
	}
	target, _ := targetOf(c)
	by := site{c.Session, c.End()}
	for _, t := range append(h.leads[target], target) {
		w := h.byTarget[t]
		if w == nil {
			continue
		}
		for class, k := range w.classes {
			class.settle(k.last, k.n, by, true)
		}
		delete(h.byTarget, t)
	}
	delete(h.leads, target)
}

// open lists what was never recovered.
func (h *hurts) open() []*hurt { return append(slices.Collect(maps.Values(h.byTarget)), &h.beyond) }

// targetOf names what a call is about, with its tool; words are those of a
// command.
func targetOf(c *store.Call) (target string, words []string) {
	tool := c.Tool
	words = strings.Fields(bareCommand(strings.TrimLeft(strings.TrimPrefix(c.Title, c.Tool), ": ")))
	if writesFile(tool) && len(words) > 0 {
		tool = "write" // a file that could not be edited may be written
		for _, w := range words {
			if strings.ContainsAny(w, "/.") {
				return tool + "\x00" + w, nil
			}
		}
	}
	return tool + "\x00" + strings.Join(words, " "), words
}

// leadsOf are the targets that cover a command: those of its first words.
func leadsOf(tool string, words []string) (out []string) {
	for n := leadLeast; n < min(len(words), leadMost+1); n++ {
		out = append(out, tool+"\x00"+strings.Join(words[:n], " "))
	}
	return out
}

// writesFile reports a tool that by its name changes a file.
func writesFile(tool string) bool {
	tool = strings.ToLower(tool)
	return slices.ContainsFunc([]string{"edit", "write", "patch", "replace"}, func(s string) bool { return strings.Contains(tool, s) })
}

// bareCommand takes off a command what does not change what it runs: a change of
// folder before it, and what is done with its output.
func bareCommand(s string) string {
	s = strings.TrimPrefix(s, "$ ")
	if strings.HasPrefix(s, "cd ") {
		if _, rest, ok := strings.Cut(s, "&&"); ok {
			s = rest
		}
	}
	for _, end := range []string{"| tail", "| head", "2>&1", "|| true"} {
		if i := strings.LastIndex(s, end); i > 0 {
			s = s[:i]
		}
	}
	return strings.TrimSpace(s)
}
