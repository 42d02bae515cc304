package index

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/jsonscan"
)

func sha(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// checkContexts compares what a provider got, message by message. What does not
// hold must not claim to be exact.
func (w *world) checkContexts() {
	for _, want := range w.want.Contexts {
		id := want.Part
		if id == "" {
			id = want.For
		}
		if id == "" {
			continue // it left nothing in the dump
		}
		e, ok := w.first(id)
		if !ok {
			w.absent("contexts", id)
			continue
		}
		if want.View != nil {
			w.say("contexts", holdsIf(slices.Equal(viewOf(w.before(e)), want.View)), "for %s: %v, not %v", id, viewOf(w.before(e)), want.View)
			continue
		}
		said, err := w.x.Context(w.ctx, ContextQuery{At: e, For: true})
		if err != nil {
			w.Fatal(err)
		}
		if diff := w.otherwise(said, want); diff != "" {
			v := missing
			if said.Exact {
				v = wrong
			}
			w.say("contexts", v, "for %s: %s", id, diff)
			continue
		}
		w.say("contexts", holds, "")
		w.say("exact contexts", holdsIf(said.Exact), "for %s", id)
	}
}

// viewOf names the records in view as the truth files of OpenHands V0 do.
func viewOf(s answer.State) []word {
	out := []word{}
	for _, m := range s.Context.Messages {
		name := word("")
		if m.Event != nil {
			name = word(*m.Event)
		}
		if m.Summary {
			name = "summary:" + name
		}
		out = append(out, name)
	}
	return out
}

// otherwise tells how a context differs from what was sent.
func (w *world) otherwise(said answer.Context, want truthRequest) string {
	got := slices.DeleteFunc(slices.Clone(said.Messages), func(m answer.Message) bool { return w.names.noSystem && m.Role == "system" })
	sent := slices.Clone(want.Messages)
	if w.names.noDeveloper {
		n := 0
		for _, m := range sent {
			if m.Role != "developer" {
				sent[n] = m
				n++
			}
		}
		sent = sent[:n]
	}
	summaries := make(map[int64]bool)
	if len(sent) > 0 && sent[0].Events != nil {
		for _, m := range w.state(w.at(said.At.Session, said.At.Pos)).Context.Messages {
			summaries[m.Pos] = m.Summary
		}
	}
	if len(got) != len(sent) {
		return fmt.Sprintf("%d messages, not %d", len(got), len(sent))
	}
	for i, want := range sent {
		m := got[i]
		role := want.Role
		if role == "reasoning" {
			role, want.SHA = "assistant", "" // thinking is no text
		}
		var calls, events []string
		for _, c := range m.Calls {
			calls = append(calls, c.ID)
			if want.Args != "" && sha(normal(c.Args)) != want.Args {
				return fmt.Sprintf("message %d: arguments %q", i, c.Args)
			}
		}
		for _, r := range m.Events {
			if r.ID == nil {
				continue
			}
			events = append(events, *r.ID)
			if summaries[r.Pos] {
				events[len(events)-1] += "-summary"
			}
		}
		results := want.Results
		for _, r := range []string{want.Answers, want.ResultOf} {
			if r != "" {
				results = append(results, r)
			}
		}
		switch {
		case m.Role != role, !slices.Equal(calls, want.ToolCalls), !slices.Equal(m.Results, results),
			want.Events != nil && !slices.Equal(events, want.Events):
			return fmt.Sprintf("message %d: %s, calls %v, results %v, events %v, not %+v", i, m.Role, calls, m.Results, events, want)
		case want.SHA != "" && sha(normal(w.uncut(said, m))) != want.SHA:
			return fmt.Sprintf("message %d: text %.300q", i, m.Text)
		}
	}
	return ""
}

// normal is a text with every run of space made one, trimmed: as the truth
// files hash it.
func normal(s string) string { return strings.Join(strings.Fields(s), " ") }

// The reminders of Claude Code are cut in the dumps, and left out in the truth
// files.
var (
	reminders = regexp.MustCompile(`(?m)^<system-reminder>\[omitted \d+ chars\]</system-reminder>\n?`)
	omitted   = regexp.MustCompile(`(?m)^\[omitted (\d+) chars\]$`)
)

// uncut is a message's text as it was sent: where the dump's copy of it lacks
// what the client said, with that from the record of it.
func (w *world) uncut(said answer.Context, m answer.Message) string {
	text := omitted.ReplaceAllStringFunc(w.names.plain(m.Text), func(cut string) string {
		for _, r := range m.Events {
			raw, err := w.x.Raw(w.ctx, w.at(r.Session, r.Pos))
			if err != nil {
				w.Fatal(err)
			}
			whole := jsonscan.Str(jsonscan.Get(raw, "message", "content"))
			if fmt.Sprintf("[omitted %d chars]", len(whole)+len("\n")) == cut {
				return whole
			}
		}
		return cut
	})
	return reminders.ReplaceAllString(text, "")
}

// checkView: which requests held a text, and what a compaction took out.
func (w *world) checkView() {
	for _, v := range w.want.InView {
		spans := make(map[string][]answer.Span)
		for _, s := range w.sessions {
			knew, err := w.x.Knew(w.ctx, s.ID, v.Text)
			if err != nil {
				w.Fatal(err)
			}
			spans[s.ID] = knew.Spans
		}
		look := func(id word, is bool) {
			e, ok := w.first(id)
			if !ok {
				w.absent("texts in view", id)
				return
			}
			has := slices.ContainsFunc(spans[e.Session], func(s answer.Span) bool {
				return s.From.Pos < e.Pos && (s.To == nil || s.To.Pos >= e.Pos-1)
			})
			w.say("texts in view", holdsIf(has == is), "%q in view for %s: %v", v.Text, id, has)
		}
		for _, x := range v.In {
			look(x.For, true)
		}
		for _, x := range v.Out {
			look(x.For, false)
		}
	}
	for _, l := range w.want.Lost {
		from, _ := w.first(l.Between[0])
		to, _ := w.first(l.Between[1])
		after := w.before(to).Context.Messages
		var lost []string
		for _, m := range w.state(from).Context.Messages {
			if m.Event != nil && w.at(from.Session, m.Pos).Kind != model.KindCheckpoint && !slices.ContainsFunc(after, func(x answer.StateMessage) bool { return x.Key == m.Key }) {
				lost = append(lost, *m.Event)
			}
		}
		w.say("lost messages", holdsIf(slices.Equal(lost, l.IDs)), "between %v: %v, not %v", l.Between, lost, l.IDs)
	}
}
