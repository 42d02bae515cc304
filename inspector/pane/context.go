package pane

import (
	"strconv"
	"strings"

	"hindcast/inspector/travel"
	"hindcast/inspector/widget"
	"hindcast/model/answer"
	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// ContextData is the model's view for a step.
type ContextData struct {
	At      travel.Place // the selected event
	Context answer.Context
	Gone    int64 // messages that are gone from the view; where Context.Lost is not asked for, those that left it so far
}

// Context is the pane of what the model had in view: one row a message, as the
// provider got it.
type Context struct {
	*Links
	Folder func() string // in which the session works; nil: not known
	data   ContextData
}

// NewContext makes an empty pane.
func NewContext(look *widget.Look) *Context { return &Context{Links: NewLinks(look)} }

// Show shows a view. The cursor of a pane that has the keys stays on the message
// that it stood on; else it goes to the last one, which is what the model
// answered to.
func (c *Context) Show(d ContextData) {
	old, held := c.Target()
	held = held && c.HasFocus()
	c.data = d
	entries := make([]Entry, 0, len(d.Context.Messages)+1)
	folder := ""
	if c.Folder != nil {
		folder = c.Folder()
	}
	digits := max(len(strconv.Itoa(len(d.Context.Messages))), 2)
	for _, m := range d.Context.Messages {
		entries = append(entries, messageEntry(m, d.Context, folder, digits))
	}
	if d.Gone > 0 {
		entries = append(entries, goneEntry(d))
	}
	c.Set(d.At, entries)
	at := max(len(d.Context.Messages)-1, 0)
	for i, e := range entries {
		if held && e.To.Same(old) {
			at = i
		}
	}
	c.Replaced(max(len(entries)-1, 0)) // what is gone stands below the last message: both are in view
	c.Select(at)
}

// Clear shows nothing: the view is not there yet.
func (c *Context) Clear() {
	c.data = ContextData{}
	c.Set(travel.Place{}, nil)
}

// Data is what is shown.
func (c *Context) Data() ContextData { return c.data }

// Note says of what the pane speaks.
func (c *Context) Note() render.Line {
	d := c.data
	if d.At.Nowhere() {
		return nil
	}
	word, of := "after ", d.Context.At.Seq
	if d.Context.For != nil {
		word, of = "for ", d.Context.For.Seq
	}
	l := render.Line{
		{Text: word, Role: theme.Dim}, {Text: strconv.FormatInt(of, 10), Role: theme.Seq},
		{Text: "  " + text.Plural(int64(len(d.Context.Messages)), "message"), Role: theme.Dim},
	}
	if d.Context.Exact {
		return append(l, render.Span{Text: "  exact", Role: theme.Ok})
	}
	return append(l, render.Span{Text: "  not exact", Role: theme.Warn})
}

// messageEntry is one message: its number, role, tools, first line, records and
// size.
func messageEntry(m answer.Message, c answer.Context, folder string, digits int) Entry {
	first, tools := leadLine(m, c), messageTools(m, c, folder)
	e := Entry{Draw: func(width int) render.Line { return messageLine(m, tools, first, digits, width) }}
	if len(m.Events) > 0 {
		r := m.Events[0]
		e.To = travel.Place{Session: r.Session, Pos: r.Pos, Seq: r.Seq}
	}
	return e
}

func messageLine(m answer.Message, tools, first string, digits, width int) render.Line {
	l := render.Line{
		{Text: text.PadLeft(strconv.Itoa(m.N), digits) + " ", Role: theme.Number},
		{Text: text.Pad(text.CleanCut(roleWord(m), 6), 6) + " ", Role: messageRole(m)},
	}
	tail := render.Line{{Text: "  " + seqs(m.Events, 2), Role: theme.Seq}, {Text: text.PadLeft(text.Count(m.Chars), 7) + " ch", Role: theme.Dim}}
	said := render.Line{}
	if tools != "" {
		said = append(said, render.Span{Text: tools, Role: theme.Tool})
	}
	if first != "" {
		if len(said) > 0 {
			said = append(said, render.Span{Text: "  "})
		}
		said = append(said, render.Span{Text: first})
	}
	if width < 40 {
		return render.Cut(append(l, said...), width)
	}
	return append(render.Pad(append(l, said...), width-render.Width(tail)), tail...)
}

func roleWord(m answer.Message) string {
	switch {
	case m.Summary:
		return "summ"
	case m.Role == "assistant":
		return "model"
	case m.Role == "system":
		return "sys"
	}
	return m.Role
}

func messageRole(m answer.Message) theme.Role {
	switch {
	case m.Summary:
		return theme.Checkpoint
	case m.Role == "user":
		return theme.User
	case m.Role == "tool":
		return theme.Tool
	case m.Role == "system":
		return theme.SessionMark
	}
	return theme.Agent
}

// messageTools names the tools that a message calls, or those whose results it
// holds, with what they were asked where an event tells.
func messageTools(m answer.Message, c answer.Context, folder string) string {
	var out []string
	for _, r := range m.Events {
		e, ok := c.Events[r.Pos]
		if !ok || e.Tool == nil {
			continue
		}
		if name := text.CleanCut(*e.Tool, 40); len(m.Calls) > 0 {
			out = append(out, strings.TrimSpace("+ "+name+" "+text.CleanCut(fromFolder(e, folder), 60)))
		} else if len(m.Results) > 0 {
			out = append(out, name)
		}
	}
	if len(out) == 0 {
		for _, call := range m.Calls {
			out = append(out, "+ "+text.CleanCut(call.Tool, 40))
		}
	}
	return strings.Join(out, " ")
}

// leadLine is the line that stands for a message: what a person said in it, which
// the program may have put something before, else the first.
func leadLine(m answer.Message, c answer.Context) string {
	first := firstLine(m.Text)
	for _, r := range m.Events {
		e := eventOf(c, r)
		if m.Role != "user" || m.Summary || !byPerson(e) {
			continue
		}
		said := strings.TrimSuffix(shortTitle(e), "…")
		for line := range text.Lines(m.Text) {
			if said != "" && strings.HasPrefix(strings.Join(strings.Fields(line), " "), said) {
				return text.CleanCut(strings.TrimSpace(line), 200)
			}
		}
	}
	return first
}

func firstLine(s string) string {
	for line := range text.Lines(s) {
		if strings.TrimSpace(line) != "" {
			return text.CleanCut(strings.TrimSpace(line), 200)
		}
	}
	return ""
}

// seqs lists records by seq, at most limit of them.
func seqs(refs []answer.Ref, limit int) string {
	var b strings.Builder
	for i, r := range refs {
		if i == limit {
			return b.String() + "+" + strconv.Itoa(len(refs)-i)
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strconv.FormatInt(r.Seq, 10))
	}
	return b.String()
}

// goneEntry sums up what has left the view.
func goneEntry(d ContextData) Entry {
	return Entry{Draw: func(width int) render.Line {
		word := "   gone "
		if len(d.Context.Lost) == 0 {
			word = "   left so far "
		}
		l := render.Line{{Text: word, Role: theme.Warn}, {Text: text.Count(d.Gone), Role: theme.Number}}
		reasons := map[string]int64{}
		var order []string
		for _, lost := range d.Context.Lost {
			if reasons[lost.Reason]++; reasons[lost.Reason] == 1 {
				order = append(order, lost.Reason)
			}
		}
		for _, r := range order {
			l = append(l, render.Span{Text: "  " + text.CleanCut(r, 20) + " " + text.Count(reasons[r]), Role: theme.Dim})
		}
		const shown = 12
		for i, lost := range d.Context.Lost {
			if i == shown {
				l = append(l, render.Span{Text: " …", Role: theme.Dim})
				break
			}
			lead := " "
			if i == 0 {
				lead = "  "
			}
			l = append(l, render.Span{Text: lead + strconv.FormatInt(lost.Event.Seq, 10), Role: theme.Seq})
		}
		return render.Cut(l, width)
	}}
}
