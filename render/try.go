package render

import (
	"strings"

	"hindcast/model/answer"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// Try draws what a mapping makes of the first records of a dump, and what it
// leaves.
func Try(a answer.Try, width int) []Line {
	head := Line{{clip(a.Dialect), theme.Strong}, {"  " + text.Plural(int64(a.Records), "record"), theme.Plain}, {", rules for " + text.Count(int64(a.Ruled)), theme.Plain}}
	if a.Broken > 0 {
		head = append(head, Span{"  X " + text.Plural(int64(a.Broken), "record") + " could not be read", theme.Fail})
	}
	if a.Detected {
		head = append(head, Span{"  detected", theme.Ok})
	} else {
		head = append(head, Span{"  not detected: opens with --dialect " + clip(a.Dialect) + ", or as [detect] says", theme.Warn})
	}
	lines := append([]Line{head, nil}, triedEvents(a.Events, width)...)
	if len(a.Types) > 0 {
		lines = append(lines, nil, Line{{"types without a rule", theme.Heading}})
		lines = append(lines, unmapped(a.Types, width)...)
	}
	if len(a.Fields) > 0 {
		lines = append(lines, nil, Line{{"fields that no rule names", theme.Heading}})
		lines = append(lines, unmapped(a.Fields, width)...)
	}
	return clamp(lines, width)
}

func triedEvents(list []answer.TriedEvent, width int) []Line {
	cols := []column{
		{head: "session", max: 16}, {head: "seq", right: true}, {head: "time", max: 24}, {head: "kind"}, {head: "type", max: 28},
		{head: "title", flex: true, max: 60}, {head: "links", max: 28}, {head: "effects", flex: true},
	}
	several := false
	var rows [][]cell
	for _, t := range list {
		several = several || t.Event.Session != list[0].Event.Session
		rows = append(rows, triedRow(t))
	}
	for i := range rows {
		if !several {
			rows[i][0].text = ""
		}
	}
	return table(cols, rows, width)
}

func triedRow(t answer.TriedEvent) []cell {
	e := answered(t.Event)
	title := cell{clip(e.Title), theme.Plain}
	if e.Outcome.Failed() {
		title = cell{"X " + title.text, theme.Fail}
	}
	var links []string
	for _, l := range t.Event.Links {
		to := text.Count(l.To.Seq)
		if l.To.Session != "" && l.To.Session != t.Event.Session {
			to = l.To.Session + "/" + to
		}
		links = append(links, l.Reason+" "+to)
	}
	return []cell{
		{clip(e.Session), theme.Link}, {text.Count(e.Seq), theme.Number}, {clip(deref(t.Event.Time)), theme.Time},
		{t.Event.Kind, theme.Dim}, {clip(e.Type), theme.Plain}, title,
		{clip(strings.Join(links, ", ")), theme.Link}, {clip(strings.Join(t.Effects, " · ")), theme.Plain},
	}
}

// unmapped lists what a mapping leaves, with an example of each.
func unmapped(list []answer.Unmapped, width int) []Line {
	cols := []column{{head: "", right: true}, {head: "", max: 36}, {head: "", max: 48}, {head: "", flex: true}}
	var rows [][]cell
	for _, u := range list[:min(len(list), listLimit)] {
		rows = append(rows, []cell{
			{text.Count(int64(u.Count)), theme.Number}, {clip(u.Type), theme.Plain}, {clip(deref(u.Field)), theme.Key}, {clip(u.Example), theme.Dim},
		})
	}
	lines := table(cols, rows, width)[1:]
	if more := len(list) - listLimit; more > 0 {
		lines = append(lines, Line{{" and " + text.Count(int64(more)) + " more", theme.Dim}})
	}
	return lines
}

// Trouble draws an error where no program ends by it.
func Trouble(message, hint string, width int) []Line {
	lines := Wrap(Of(message, theme.Fail), width, 2)
	if hint != "" {
		lines = append(lines, Wrap(Of("  "+hint, theme.Dim), width, 2)...)
	}
	return lines
}
