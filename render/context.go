package render

import (
	"slices"
	"strconv"

	"hindcast/model/answer"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// ContextOptions say what of the model's context is drawn.
type ContextOptions struct {
	Lost   bool // what is gone was asked for
	Window int  // the policy that was tried; 0: none
	All    bool // the whole text of each message
}

// textRows is how many rows of a message's text stand below it unless all do.
const textRows = 3

// Context draws the messages that the model has in view after an event, or was
// given for it, and the ones that are gone.
func Context(c answer.Context, at answer.Event, o ContextOptions, width int) []Line {
	lines := contextHeading(c, at, width)
	digits := max(len(strconv.Itoa(len(c.Messages))), 2)
	for _, m := range c.Messages {
		lines = append(lines, message(m, digits, o.All, width)...)
	}
	lines = append(lines, lostList(c, o, width)...)
	return clamp(lines, width)
}

func contextHeading(c answer.Context, at answer.Event, width int) []Line {
	word := "in view after "
	if c.For != nil {
		word = "given to the model for "
	}
	lines := []Line{append(Line{{word, theme.Heading}}, brief(answered(at), room(width, len(word)))...)}
	var chars, tokens int64
	known := len(c.Messages) > 0
	for _, m := range c.Messages {
		chars += m.Chars
		if known = known && m.Tokens != nil; known {
			tokens += *m.Tokens
		}
	}
	l := Line{{" " + text.Plural(int64(len(c.Messages)), "message"), theme.Strong}, {"  " + text.Plural(chars, "character"), theme.Plain}}
	if known {
		l = append(l, Span{"  " + text.Plural(tokens, "token"), theme.Plain})
	}
	if c.View != "live" {
		l = append(l, Span{"  " + text.CleanCut(c.View, 20) + ": of a process that starts again from the log", theme.Warn})
	}
	if c.Exact {
		return append(lines, append(l, Span{"  exact", theme.Ok}))
	}
	return append(lines, l, Line{{" ! not exact: the dump does not tell enough to be sure of every message", theme.Warn}})
}

// message is one message: its heading, the calls and results in it, the first
// rows of its text.
func message(m answer.Message, digits int, all bool, width int) []Line {
	l := Line{
		{" " + text.PadLeft(strconv.Itoa(m.N), digits) + " ", theme.Number},
		{text.Pad(text.CleanCut(m.Role, 9), 9) + " ", roleOf(m.Role)},
	}
	l = append(l, seqsLine(m.Events, 6)...)
	l = append(l, Span{"  " + text.Count(m.Chars) + " ch", theme.Dim})
	if m.Tokens != nil {
		l = append(l, Span{"  " + text.Count(*m.Tokens) + " tok", theme.Dim})
	}
	if m.Summary {
		l = append(l, Span{"  summary", theme.Checkpoint})
	}
	lines := []Line{l}
	indent := text.Spaces(digits + 2)
	for _, r := range m.Results {
		lines = append(lines, Line{{indent + "result of ", theme.Dim}, {text.CleanCut(r, 60), theme.Plain}})
	}
	lines = append(lines, textBelow(m.Text, indent, all, width)...)
	for _, c := range m.Calls {
		lines = append(lines, Line{{indent + "calls ", theme.Dim}, {text.CleanCut(c.Tool, 60), theme.Tool}, {"  " + text.CleanCut(c.ID, 60), theme.Dim}})
		if all {
			lines = append(lines, textBelow(c.Args, indent, all, width)...)
		} else if c.Args != "" {
			lines = append(lines, Line{{indent + text.CleanCut(c.Args, argsShown), theme.Plain}})
		}
	}
	return lines
}

// argsShown is how many bytes of a call's arguments are shown without --all.
const argsShown = 200

// textBelow is the text of a message, all or its first rows.
func textBelow(s, indent string, all bool, width int) []Line {
	var lines []Line
	left := countLines(s)
	for row := range text.Lines(s) {
		for _, part := range Wrap(Line{{row, theme.Plain}}, room(width, len(indent)), 0) {
			if !all && len(lines) == textRows {
				return append(lines, Line{{indent + "… " + text.Plural(left, "line") + " more (--all)", theme.Dim}})
			}
			lines = append(lines, append(Line{{indent, theme.Plain}}, part...))
		}
		left--
	}
	return lines
}

// lostList is what is gone, with what took it out.
func lostList(c answer.Context, o ContextOptions, width int) []Line {
	if len(c.Lost) == 0 && !o.Lost && o.Window == 0 {
		return nil
	}
	title, none := "lost", " nothing was lost"
	switch {
	case o.Window > 0:
		title, none = "keeping the last "+strconv.Itoa(o.Window)+" would have dropped", " nothing would have been dropped"
	case slices.ContainsFunc(c.Messages, func(m answer.Message) bool { return m.Summary }):
		none = " nothing that the dump holds: what the summary stands for is gone from it"
	}
	lines := []Line{{{title, theme.Heading}, {"  " + text.Count(int64(len(c.Lost))), theme.Dim}}}
	if len(c.Lost) == 0 {
		return append(lines, Line{{none, theme.Ok}})
	}
	rows := make([]alignedRow, 0, len(c.Lost))
	for _, l := range c.Lost {
		by := l.By
		rows = append(rows, alignedRow{
			left:  Line{{" " + text.CleanCut(l.Reason, 14), theme.Warn}},
			mid:   named(l.Event, c.Events, midMost),
			right: byEvent(func(room int) Line { return named(by, c.Events, room) }),
		})
	}
	return append(lines, align(rows, width)...)
}
