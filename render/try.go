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
	if a.More > 0 {
		lines = append(lines, Line{{"     " + text.Plural(int64(a.More), "more event") + "; --limit 0 shows all", theme.Dim}})
	}
	if len(a.Empty) > 0 {
		lines = append(lines, nil)
	}
	for _, p := range a.Empty {
		lines = append(lines, Line{{"! " + clip(p.Key) + " = \"" + clip(p.Place) + "\"", theme.Warn}, {": none of these records has anything there", theme.Plain}})
	}
	if a.Astray > 0 {
		astray := Line{{"! " + text.Plural(int64(a.Astray), "link"), theme.Warn}, {" to no event of these records, such as " + clip(deref(a.AstrayID)), theme.Plain}}
		if a.AstrayIn != nil {
			astray[1].Text = " to no event of their session; " + clip(deref(a.AstrayID)) + " is one of session " + clip(*a.AstrayIn) + ": global_ids = true lets causes lead into any session"
		}
		lines = append(lines, nil, astray)
	}
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

// triedEvents draws each event as a row, with its effects below.
func triedEvents(list []answer.TriedEvent, width int) []Line {
	cols := []column{
		{head: "session", max: 16}, {head: "seq", right: true}, {head: "time", max: 24}, {head: "kind"}, {head: "type", max: 28},
		{head: "links", max: 28}, {head: "title", flex: true},
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
	drawn := table(cols, rows, width)
	lines := drawn[:1:1]
	for i, t := range list {
		lines = append(lines, drawn[1+i])
		if len(t.Effects) > 0 {
			does := Line{{"     → ", theme.Dim}, {clip(strings.Join(t.Effects, " · ")), theme.Plain}}
			lines = append(lines, Wrap(does, width, 7)...)
		}
	}
	return lines
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
		if l.To.Session != t.Event.Session {
			to += " of " + l.To.Session
		}
		links = append(links, l.Reason+" "+to)
	}
	return []cell{
		{clip(e.Session), theme.Link}, {text.Count(e.Seq), theme.Number}, {clip(deref(t.Event.Time)), theme.Time},
		{t.Event.Kind, theme.Dim}, {clip(e.Type), theme.Plain}, {clip(strings.Join(links, ", ")), theme.Link}, title,
	}
}

// unmapped lists what a mapping leaves, with an example of each.
func unmapped(list []answer.Unmapped, width int) []Line {
	cols := []column{{head: "", right: true}, {head: "", max: 36}, {head: "", max: 48}, {head: "", flex: true}}
	var rows [][]cell
	for _, u := range list[:min(len(list), listLimit)] {
		if u.Type == "" {
			u.Type = "(no type)"
		}
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
