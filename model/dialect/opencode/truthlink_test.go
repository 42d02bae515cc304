package opencode

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hindcast/model"
)

// linkTruth is what a truth file says of sessions, links and failures.
type linkTruth struct {
	Sessions []struct{ ID, Parent, Title string }
	Links    []struct{ From, To, Reason, Note string }
	Failed   []string
	Copies   []string `json:"failed_or_interrupted_copies_in_a_fork"`
	Broken   []string `json:"interrupted"`
	Live     []any    `json:"failed_only_in_event_stream"`
}

func TestTruthOfLinks(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(dataFolder(t), "*", "truth.json"))
	if err != nil || len(files) == 0 {
		t.Fatal("no truth files")
	}
	for _, file := range files {
		dir := filepath.Dir(file)
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var want linkTruth
		if err := json.Unmarshal(b, &want); err != nil {
			t.Fatal(err)
		}
		for _, input := range packagings(t, dir) {
			t.Run(filepath.Base(dir)+"/"+filepath.Base(input), func(t *testing.T) {
				c := &linkCheck{T: t, all: importAll(t, dumpOf(t, dir, input))}
				c.sessions(&want)
				c.links(&want)
				c.failed(&want)
				t.Logf("sessions %d of %d, links %v, failures %d of %d", c.held, len(want.Sessions), c.counts, c.failures, len(want.Failed))
			})
		}
	}
}

type linkCheck struct {
	*testing.T
	all      map[string]*imported
	held     int
	failures int
	counts   []string
}

func (c *linkCheck) sessions(want *linkTruth) {
	for _, s := range want.Sessions {
		r := c.all[s.ID]
		if r == nil {
			continue
		}
		sum := r.linker.Summary()
		switch {
		case sum.Parent == s.Parent && sum.Title == s.Title:
			c.held++
		case sum.Title == "" && sum.Parent == "" && sum.Version == "":
			// This packaging holds no session.
		default:
			c.Errorf("session %s: parent %q of %q, title %q of %q", s.ID, sum.Parent, s.Parent, sum.Title, s.Title)
		}
	}
}

// object finds the session and the events of a message, part or session.
func (c *linkCheck) object(id string) (*imported, []*model.Event) {
	if r := c.all[id]; r != nil {
		return r, r.events[:1]
	}
	for _, r := range c.all {
		var events []*model.Event
		for _, e := range r.events {
			if e.ID == id || slices.Contains(e.Aliases, id) || strings.HasPrefix(e.Type, "message/tool_result") && owns(r, id, e.Pos) {
				events = append(events, e)
			}
		}
		if len(events) > 0 {
			return r, events
		}
	}
	return nil, nil
}

// owns reports whether an event is of a message or part, or of a part of that
// message.
func owns(r *imported, id string, pos int64) bool {
	e := r.events[pos-1]
	if e.ID == id || slices.Contains(e.Aliases, id) {
		return true
	}
	for _, l := range e.Links {
		if l.Reason != model.ReasonParent {
			continue
		}
		if l.ToID == id || l.To.Pos > 0 && l.To.Pos < pos && owns(r, id, l.To.Pos) {
			return true
		}
	}
	return false
}

func (c *linkCheck) links(want *linkTruth) {
	all, held := map[string]int{}, map[string]int{}
	for _, l := range want.Links {
		r, from := c.object(l.From)
		if r == nil || strings.HasPrefix(l.From, "ses_") && c.all[l.From] == nil {
			continue
		}
		if _, to := c.object(l.To); to == nil {
			continue
		}
		all[l.Reason]++
		if c.leads(r, from, l.To, l.Reason) {
			held[l.Reason]++
		} else if l.Reason == "spawn" && !c.names(l.To, r.id) {
			all[l.Reason]-- // the part names another session: two calls had one description
		} else {
			c.Errorf("%s: no link from %s to %s", l.Reason, l.From, l.To)
		}
	}
	for _, reason := range []string{"parent", "call", "result", "spawn"} {
		if all[reason] > 0 {
			c.counts = append(c.counts, fmt.Sprintf("%s %d of %d", reason, held[reason], all[reason]))
		}
	}
}

// names reports whether a task's part names the session that it made.
func (c *linkCheck) names(part, session string) bool {
	_, events := c.object(part)
	return slices.ContainsFunc(events, func(e *model.Event) bool { return slices.Contains(e.Aliases, session) })
}

func (c *linkCheck) leads(r *imported, from []*model.Event, to, reason string) bool {
	if reason == "spawn" {
		created := r.events[0]
		for _, l := range created.Links {
			if parent := c.all[r.linker.Summary().Parent]; l.Reason == model.ReasonSpawn && parent != nil {
				pos := parent.Find(l.ToID)
				return pos > 0 && owns(parent, to, pos)
			}
		}
		return false
	}
	for _, e := range from {
		for _, l := range e.Links {
			pos := l.To.Pos
			if pos == 0 {
				pos = r.Find(l.ToID)
			}
			if pos > 0 && pos < e.Pos && owns(r, to, pos) {
				return true
			}
		}
	}
	return false
}

func (c *linkCheck) failed(want *linkTruth) {
	known := append(slices.Clone(want.Copies), want.Broken...)
	for _, id := range want.Failed {
		known = append(known, id)
		_, events := c.object(id)
		if slices.ContainsFunc(events, func(e *model.Event) bool { return e.Outcome.Failed() }) {
			c.failures++
		} else if len(events) > 0 {
			c.Errorf("%s did not fail", id)
		}
	}
	for _, r := range c.all {
		for _, e := range r.events {
			if e.Outcome.Failed() && !strings.HasPrefix(e.Type, "session.") && !slices.ContainsFunc(e.Aliases, func(a string) bool { return slices.Contains(known, a) }) {
				c.Errorf("%s %s fails: %s", r.id, e.ID, e.Title)
			}
		}
	}
}
