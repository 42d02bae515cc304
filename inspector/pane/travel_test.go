package pane

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"hindcast/inspector/travel"
	"hindcast/inspector/widget"
	"hindcast/model/answer"
	"hindcast/render"
	"hindcast/render/theme"
)

// plain is what a list shows, a line a row.
func plain(r widget.Rows, width int) string {
	var b strings.Builder
	for i := range r.Len() {
		b.WriteString(strings.TrimRight(render.Plain(r.Line(i, width, false)), " ") + "\n")
	}
	return b.String()
}

func stateAt(pos int64, changed ...string) StateData {
	d := StateData{At: travel.Place{Session: "s", Pos: pos, Seq: pos}, From: pos - 1}
	for _, path := range changed {
		d.Changes = append(d.Changes, render.PathChange{Path: path, Name: render.Of(path, theme.Key)})
	}
	vars := Members(answer.Children{Items: []answer.Child{
		{Path: "/vars/a", Value: json.RawMessage(`{"deep":[1,{"er":"text"}]}`)}, {Path: "/vars/b", Value: json.RawMessage(`"x\u001b[2J"`)}}})
	files := Files("s", json.RawMessage(`{"z.go":{"content":"x","certainty":"known","lines":1,"written_by":3,"written_pos":3},"a/b.go":{"content":null,"certainty":"unknown","lines":0,"written_by":null,"written_pos":null}}`))
	d.Roots = []Node{Group("/files", files, 2), TaskGroup(json.RawMessage(`[{"id":"1","title":"t","status":"done"},{"id":"2","title":"u","status":"todo"}]`)), Group("/vars", vars, 2)}
	return d
}

func TestStateFolds(t *testing.T) {
	s := NewState(look)
	s.Set(stateAt(5, "/errors/count"))
	if got, want := plain(s, 60), "changed by this step  1\n/errors/count\n"; !strings.HasPrefix(got, want) {
		t.Errorf("begins with\n%s\nwant\n%s", got, want)
	}
	for _, want := range []string{"▾ files", "? lines  unknown", "1 line   known", "3\n", "▸ tasks", "1 of 2 done", "▸ vars"} {
		if got := plain(s, 60); !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	s.Last()
	if s.Unfold(true); !strings.Contains(plain(s, 60), `er`) || s.Path() != "/vars" {
		t.Errorf("at %s after unfolding all:\n%s", s.Path(), plain(s, 60))
	}
	if strings.Contains(plain(s, 60), "\x1b") {
		t.Error("an escape reached a row")
	}
	s.Last()
	if got := s.Text(); s.Path() != "/vars/b" || got != "x\x1b[2J" {
		t.Errorf("%s holds %q", s.Path(), got)
	}
	for _, want := range []string{"/vars", "/vars"} {
		if s.Fold(); s.Path() != want {
			t.Errorf("folding goes to %s, want %s", s.Path(), want)
		}
	}
	if s.Fold() {
		t.Error("a closed root was folded")
	}
}

// TestStateKeepsItsPath: what is selected stays selected as time goes by, and
// where it is gone the place above it is.
func TestStateKeepsItsPath(t *testing.T) {
	s := NewState(look)
	s.Set(stateAt(5))
	for s.Path() != "/files/z.go" {
		s.Move(1)
	}
	s.Set(stateAt(6, "/files/z.go", "/errors/count", "/status/reason"))
	if got := s.Path(); got != "/files/z.go" || s.File() != "z.go" || s.Cursor() < 4 {
		t.Errorf("at %s, row %d, want the file in the tree", got, s.Cursor())
	}
	d := stateAt(7)
	d.Roots[0].Kids = d.Roots[0].Kids[:1]
	if s.Set(d); s.Path() != "/files" {
		t.Errorf("at %s once the file is gone", s.Path())
	}
	if s.Set(stateAt(8)); s.Path() != "/files/z.go" {
		t.Errorf("at %s once the file is back", s.Path())
	}
	if s.Clear(); s.Len() != 0 || s.Path() != "" {
		t.Errorf("%d rows, at %q after Clear", s.Len(), s.Path())
	}
}

// said builds a view of messages: one event each.
func said(list ...answer.Message) Seen {
	c := answer.Context{Exact: true, Events: map[int64]answer.Event{}}
	for i, m := range list {
		m.N = i + 1
		for _, r := range m.Events {
			tool, call := "read", "c"+m.Text
			e := answer.Event{Session: "s", Seq: r.Pos, Pos: r.Pos, Kind: "observation"}
			if m.Role == "user" && !m.Summary {
				e.Kind, e.Source, e.Title = "message", &m.Role, "user: "+m.Text
			}
			if len(m.Results) > 0 {
				e.Tool, e.Call = &tool, &call
				c.Events[-r.Pos] = answer.Event{Kind: "action", Tool: &tool, Call: &call, Title: m.Results[0]}
			}
			c.Events[r.Pos] = e
		}
		c.Messages = append(c.Messages, m)
	}
	return Seen{Context: c}
}

func message(pos int64, role, text string, of ...string) answer.Message {
	return answer.Message{Role: role, Text: text, Chars: int64(len(text)), Results: of, Events: []answer.Ref{{Session: "s", Seq: pos, Pos: pos}}}
}

func TestExchange(t *testing.T) {
	const rules = "Books are taxed at nine percent.\nNever change a test to fit the code.\n"
	user := message(1, "user", "Add a rate.")
	before := said(user,
		message(2, "tool", rules, "docs/rules.md"),
		message(3, "tool", "export const rates = {\n  food: 0.07,\n}\n", "src/tax.js"),
		message(4, "assistant", "src/format.js stays exactly as it is today."),
		message(5, "tool", "done", "make"),
		message(6, "tool", strings.Repeat("long output ", 40), "ls"),
		message(7, "tool", "a text that nobody repeats anywhere", "cat x"))
	summary := message(9, "user", "Goal: a rate. src/format.js stays exactly as it is today.")
	summary.Summary = true
	after := said(user, summary, message(6, "tool", "[output pruned]"))
	later := said(user, summary, message(6, "tool", "[output pruned]"),
		message(12, "tool", "     1\tBooks are taxed at nine percent.\n     2\tNever change a test to fit the code.\n", "other.md"),
		message(14, "tool", "export const rates = {\n  food: 0.07,\n  book: 0.09,\n}\n", "src/tax.js"),
		message(15, "tool", "done", "make"))
	x := Exchanged(before, after, later)
	if len(x.Dropped) != 6 || len(x.Kept) != 1 || x.Kept[0].Event.Pos != 1 {
		t.Errorf("%d dropped, %d kept", len(x.Dropped), len(x.Kept))
	}
	pruned := 0
	for _, d := range x.Dropped {
		if d.Pruned {
			pruned++
		}
	}
	got := map[int64]string{}
	for _, r := range x.Back {
		got[r.Event.Pos] = r.How
	}
	want := map[int64]string{2: "its text stands there again", 3: "asked for again", 4: "quoted in the summary"}
	for pos, how := range want {
		if got[pos] != how {
			t.Errorf("#%d came back as %q, want %q", pos, got[pos], how)
		}
	}
	if len(got) != len(want) || pruned != 1 {
		t.Errorf("came back: %v; %d pruned", got, pruned)
	}
	if x.Summary == nil || x.Summary.Event.Pos != 9 || x.User == nil || x.User.Event.Pos != 1 {
		t.Errorf("summary %v, user %v", x.Summary, x.User)
	}
	links := NewLinks(look)
	links.Set(travel.Place{}, ExchangeEntries(x, &theme.Unicode))
	page := plain(links, 100)
	for _, want := range []string{"summary  9", "last said by the user  1", "came back  3", "dropped  6", "kept  1", "asked for again 14", "pruned"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	x.Dropped = nil
	links.Set(travel.Place{}, ExchangeEntries(x, &theme.Unicode))
	if page := plain(links, 100); !strings.Contains(page, "what the summary stands for is gone from it") {
		t.Errorf("a summary of nothing that is here is not told as one in\n%s", page)
	}
	for _, w := range []int{1, 10, 30} {
		for i := range links.Len() {
			if got := render.Width(links.Line(i, w, false)); got > max(w, 40) {
				t.Errorf("row %d is %d cells wide at %d", i, got, w)
			}
		}
	}
}

// TestExchangeTellsRecordsApart: a message that the client merged of several
// records is listed as what each of them says, the summary as its own text, and
// a text without words does not come back.
func TestExchangeTellsRecordsApart(t *testing.T) {
	merged := func(text string, records ...answer.StateMessage) Seen {
		m := answer.Message{Role: "user", Text: text, Chars: int64(len(text))}
		v := Seen{Records: map[int64][]answer.StateMessage{}}
		for _, r := range records {
			m.Events = append(m.Events, answer.Ref{Session: "s", Seq: r.Pos, Pos: r.Pos})
			m.Summary = m.Summary || r.Summary
			v.Records[r.Pos] = append(v.Records[r.Pos], r)
		}
		v.Context = said(m).Context
		return v
	}
	ask, hint := answer.StateMessage{Pos: 1, Chars: 11}, answer.StateMessage{Pos: 2, Chars: 29}
	tiny, none := answer.StateMessage{Pos: 3, Chars: 10}, answer.StateMessage{Pos: 4}
	summary := answer.StateMessage{Pos: 9, Chars: 18, Summary: true}
	tail := answer.StateMessage{Pos: 10, Chars: 29}
	before := merged("Add a rate.\nFollow the rules of the house\n.......ok.", ask, hint, tiny, none)
	after := merged("Add a rate.\nGoal: a rate of 9%", ask, summary)
	later := merged("Add a rate.\nGoal: a rate of 9%\nFollow the rules of the house\n.......ok.", ask, summary, tail, answer.StateMessage{Pos: 11, Chars: 10})
	x := Exchanged(before, after, later)
	if x.Summary == nil || x.Summary.Text != "Goal: a rate of 9%" || x.Summary.Event.Pos != 9 {
		t.Errorf("summary %+v", x.Summary)
	}
	if x.User == nil || x.User.Event.Pos != 4 {
		t.Errorf("user %+v", x.User)
	}
	if len(x.Kept) != 1 || x.Kept[0].Chars != 11 || x.Kept[0].Text != "Add a rate." {
		t.Errorf("kept %+v", x.Kept)
	}
	var chars []int64
	for _, d := range x.Dropped {
		chars = append(chars, d.Chars)
	}
	if !slices.Equal(chars, []int64{29, 10, 0}) {
		t.Errorf("dropped have %v characters", chars)
	}
	if len(x.Back) != 1 || x.Back[0].Event.Pos != 2 || x.Back[0].In.Pos != 10 {
		t.Errorf("came back: %+v", x.Back)
	}
}

// TestExchangeSummary: the summary is the one that came in, not that of a later
// compaction whose text is said before it cuts.
func TestExchangeSummary(t *testing.T) {
	sum := func(pos int64, text string) answer.Message {
		m := message(pos, "assistant", text)
		m.Summary = true
		return m
	}
	user, first, second := message(1, "user", "Add a rate."), sum(80, "Goal: a rate."), sum(159, "Goal: a rate and a format.")
	for name, c := range map[string]struct {
		before, after, later Seen
		want                 int64
	}{
		"said before another": {said(user), said(first), said(first, second), 80},
		"comes behind":        {said(user, first), said(), said(second), 159},
		"nothing cut":         {said(first, user), said(first, user), said(first, user, second), 80},
	} {
		if x := Exchanged(c.before, c.after, c.later); x.Summary == nil || x.Summary.Event.Pos != c.want {
			t.Errorf("%s: summary %+v, want that of %d", name, x.Summary, c.want)
		}
	}
}

// TestExchangeUser: what the user said last is what a person wrote, no result
// and nothing that the program put in.
func TestExchangeUser(t *testing.T) {
	view := said(message(1, "user", "Add a rate."), message(2, "user", "The file has been updated."), message(3, "user", "Continue."), message(4, "user", "What did we do?"))
	program := "synthetic"
	result, put, asked := view.Events[2], view.Events[3], view.Events[4]
	result.Kind, put.Source, asked.Kind = "observation", &program, "checkpoint"
	view.Events[2], view.Events[3], view.Events[4] = result, put, asked
	x := Exchanged(view, said(), said())
	if x.User == nil || x.User.Event.Pos != 1 {
		t.Errorf("the user said %+v last", x.User)
	}
	x.User = Unseen(answer.Event{Seq: 7, Pos: 7, Title: "user: Add a rate."})
	links := NewLinks(look)
	links.Set(travel.Place{}, ExchangeEntries(x, &theme.Unicode))
	if page := plain(links, 100); !strings.Contains(page, "last said by the user  7  not in view any more  user: Add a rate.") {
		t.Errorf("\n%s", page)
	}
}

// TestExchangeOneRecord: of a record that holds several messages, each is what it
// is; the summary is not the system's text beside it.
func TestExchangeOneRecord(t *testing.T) {
	system, sum := message(34, "system", "Speak plainly to all the people."), message(34, "user", "Goal: a rate.")
	sum.Summary = true
	after := said(system, sum)
	after.Records = map[int64][]answer.StateMessage{34: {{Pos: 34, Chars: 32}, {Pos: 34, Chars: 13, Summary: true}}}
	x := Exchanged(said(message(2, "system", "Speak plainly to all the people.")), after, after)
	if x.Summary == nil || x.Summary.Text != "Goal: a rate." || x.Summary.Chars != 13 {
		t.Errorf("summary %+v", x.Summary)
	}
	if len(x.Back) != 1 || x.Back[0].How != "its text stands there again" {
		t.Errorf("came back: %+v", x.Back)
	}
}

// TestContextLead: a message is titled with what a person said in it, not with
// what the program put before it.
func TestContextLead(t *testing.T) {
	view := said(message(2, "user", "Add a rate,\nplease."))
	view.Messages[0].Text = "<system-reminder>[omitted]</system-reminder>\nAdd  a rate,\nplease."
	e := view.Events[2]
	e.Title = "user: Add a rate,"
	view.Events[2] = e
	c := NewContext(look)
	c.Show(ContextData{At: travel.Place{Session: "s", Pos: 3, Seq: 3}, Context: view.Context})
	if got := plain(c, 80); !strings.Contains(got, " 1 user   Add  a rate,") {
		t.Errorf("\n%s", got)
	}
}

func TestContextRows(t *testing.T) {
	c := NewContext(look)
	view := said(message(1, "user", "Add a rate."), message(2, "tool", "\n\n9 lines\nmore", "x"))
	view.Lost = []answer.Lost{{Event: answer.Ref{Seq: 4}, Reason: "compaction"}, {Event: answer.Ref{Seq: 5}, Reason: "prune"}}
	c.Show(ContextData{At: travel.Place{Session: "s", Pos: 3, Seq: 3}, Context: view.Context, Gone: 2})
	for _, want := range []string{" 1 user   Add a rate.", " 2 tool   read  9 lines", "gone 2  compaction 1  prune 1  4 5"} {
		if got := plain(c, 80); !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if p, ok := c.Target(); !ok || p.Pos != 2 {
		t.Errorf("the cursor stands on %v, want the last message", p)
	}
	if note := render.Plain(c.Note()); !strings.Contains(note, "2 messages  exact") {
		t.Errorf("note %q", note)
	}
}

func TestFileRows(t *testing.T) {
	f := NewFile(look)
	text := "package main\n\nfunc main() {}\n"
	ref := func(pos int64) *answer.Ref { return &answer.Ref{Session: "s", Seq: pos, Pos: pos} }
	f.Set(FileData{At: travel.Place{Session: "s", Pos: 3, Seq: 3}, Text: &text, Lines: render.Code("main.go", text), Blame: []answer.BlameLine{
		{N: 1, By: ref(3)}, {N: 2, By: ref(3)}, {N: 3, Between: &[2]answer.Ref{*ref(4), *ref(6)}}}})
	if got := plain(f, 80); strings.Count(got, "3  ") != 1 || !strings.Contains(got, "⇠ between 4 and 6") || !strings.Contains(got, "3 func main() {}") {
		t.Errorf("\n%s", got)
	}
	f.Last()
	if f.Number() != 3 || f.Selected() != "func main() {}" {
		t.Errorf("line %d %q", f.Number(), f.Selected())
	}
}
