package render

import (
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/render/text"
	"hindcast/render/theme"
)

const listLimit = 20 // entries of a list before "and N more"

// Import draws what an import did: what the dump was taken for and why, what
// it holds, where every byte went, and what could not be read.
func Import(a answer.Import, width int) []Line {
	var lines []Line
	for _, d := range a.Dialects {
		lines = append(lines, Wrap(formatLine(d), width, 1)...)
	}
	totals := Line{{text.Plural(a.Events, "event"), theme.Strong}, {" in " + text.Plural(a.Sessions, "session"), theme.Plain}}
	totals = append(totals, Span{"  " + text.Plural(a.Links, "link"), theme.Plain})
	if a.Writes > 0 {
		totals = append(totals, Span{"  " + text.Plural(a.Writes, "write"), theme.Plain})
	}
	if a.Findings > 0 {
		totals = append(totals, Span{"  ! " + text.Plural(a.Findings, "finding"), theme.Warn})
	}
	lines = append(lines, Cut(totals, width))
	lines = append(lines, Accounting(a.Accounting, width)...)
	if a.Index != "" {
		lines = append(lines, Cut(Line{{"index  ", theme.Key}, {clip(a.Index), theme.Dim}}, width))
	}
	return lines
}

func formatLine(d answer.ImportedFormat) Line {
	l := Line{{text.CleanCut(d.Name, 60), theme.Strong}}
	if d.Version != nil && *d.Version != "" {
		l = append(l, Span{" " + text.CleanCut(*d.Version, 60), theme.Plain})
	}
	l = append(l, Span{"  " + text.Plural(d.Sessions, "session"), theme.Dim})
	if d.Reason != "" {
		l = append(l, Span{"  because " + clip(d.Reason), theme.Dim})
	}
	return l
}

// Accounting draws where every byte of a dump went, as a sum, then what was
// quarantined and skipped.
func Accounting(a answer.Accounting, width int) []Line {
	var lines []Line
	digits := text.Width(text.Count(a.Bytes))
	add := func(sign string, n int64, what string, role theme.Role) {
		lines = append(lines, Cut(Line{{" " + sign + " " + text.PadLeft(text.Count(n), digits), theme.Number}, {"  " + what, role}}, width))
	}
	add(" ", a.EventBytes, "bytes in events", theme.Plain)
	add("+", a.StructureBytes, "structure (separators, wrappers)", theme.Plain)
	add("+", a.EvidenceBytes, "evidence (read, but no events)", theme.Plain)
	role := theme.Plain
	if a.QuarantinedBytes > 0 {
		role = theme.Warn
	}
	add("+", a.QuarantinedBytes, "quarantined", role)
	sum := a.EventBytes + a.StructureBytes + a.EvidenceBytes + a.QuarantinedBytes
	add("=", a.Bytes, "in the dump ("+text.Size(a.Bytes)+")", theme.Strong)
	if sum != a.Bytes {
		lines = append(lines, Line{{"X " + text.Count(a.Bytes-sum) + " bytes are not accounted for", theme.Fail}})
	}
	lines = append(lines, quarantined(a.Quarantined, width)...)
	return clamp(append(lines, skipped(a.Skipped, width)...), width)
}

func quarantined(list []answer.Quarantined, width int) []Line {
	if len(list) == 0 {
		return nil
	}
	lines := []Line{{{"! quarantined", theme.Warn}, {"  " + text.Plural(int64(len(list)), "span"), theme.Dim}}}
	for i, q := range list {
		if i == listLimit {
			return append(lines, more(len(list)-i))
		}
		l := Line{{" " + text.CleanCut(q.Source, 60), theme.Link}, {" at " + text.Count(q.Offset) + ", " + text.Plural(q.Length, "byte") + ": ", theme.Dim}, {clip(q.Reason), theme.Plain}}
		lines = append(lines, Wrap(l, width, 3)...)
	}
	return lines
}

func skipped(list []answer.Skipped, width int) []Line {
	if len(list) == 0 {
		return nil
	}
	lines := []Line{{{"skipped", theme.Heading}, {"  " + text.Plural(int64(len(list)), "file"), theme.Dim}}}
	for i, s := range list {
		if i == listLimit {
			return append(lines, more(len(list)-i))
		}
		l := Line{{" " + text.CleanCut(s.Source, 60), theme.Link}, {": ", theme.Dim}, {clip(s.Reason), theme.Plain}}
		lines = append(lines, Wrap(l, width, 3)...)
	}
	return lines
}

func more(n int) Line {
	return Line{{" and " + text.Count(int64(n)) + " more (--json lists all)", theme.Dim}}
}

// Dialects draws what formats are known, what each can tell, and how each is
// recognised.
func Dialects(list []model.DialectInfo, width int) []Line {
	g := grid{cols: []column{
		{head: "dialect"}, {head: "program", flex: true}, {head: "versions", flex: true},
		{head: "context"}, {head: "files"}, {head: "cost"}, {head: "status"},
	}}
	for _, d := range list {
		g.rows = append(g.rows, []cell{
			{clip(d.Name), theme.Strong}, {clip(d.Title), theme.Plain}, {clip(d.Versions), theme.Plain},
			{clip(d.Context), theme.Plain}, {clip(d.Files), theme.Plain}, {clip(d.Cost), theme.Plain}, {clip(d.Status), theme.Plain},
		})
	}
	lines := table(g.cols, g.rows, width)
	for _, d := range list {
		lines = append(lines, nil, Line{{clip(d.Name), theme.Strong}})
		for _, p := range d.Packs {
			lines = append(lines, Wrap(Line{{" opens   ", theme.Key}, {clip(p), theme.Plain}}, width, 9)...)
		}
		if d.Detects != "" {
			lines = append(lines, Wrap(Line{{" detects ", theme.Key}, {clip(d.Detects), theme.Plain}}, width, 9)...)
		}
	}
	return clamp(lines, width)
}
