package pane

import (
	"regexp"
	"strings"

	"hindcast/index"
	"hindcast/model/answer"
	"hindcast/render"
	"hindcast/render/theme"
)

// partLimit is how many parts of a text are offered.
const partLimit = 12

var (
	quotedPart = regexp.MustCompile("\"([^\"]{2,})\"|'([^']{2,})'|`([^`]{2,})`")
	exitLead   = regexp.MustCompile(`^exit -?\d+: *`)
)

// Parts are what a reader may mean by a text: all of it, what is quoted in it,
// its words. Of several lines the first that says something stands for itself
// as well.
func Parts(s string) []string {
	line := strings.TrimSpace(s)
	out := []string{s}
	for l := range strings.Lines(s) {
		if l = strings.TrimSpace(l); l != "" {
			out, line = append(out, l), l
			break
		}
	}
	for _, m := range quotedPart.FindAllStringSubmatch(line, partLimit) {
		out = append(out, m[1]+m[2]+m[3])
	}
	words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\"'`,;(){}[]<>=│", r) })
	for _, w := range words {
		if w = strings.Trim(w, ".:!?"); len(w) > 1 {
			out = append(out, w)
		}
	}
	return out[:min(len(out), partLimit)]
}

// LineParts are Parts of a drawn line, without what was drawn before its text:
// numbers, signs, and the name of a value, which comes last.
func LineParts(l render.Line) []string {
	for len(l) > 0 && (l[0].Role == theme.Gutter || strings.Trim(l[0].Text, " +-~") == "") {
		l = l[1:]
	}
	all := strings.TrimSpace(render.Plain(l))
	if len(l) > 1 && (l[0].Role == theme.Key || l[0].Role == theme.Link) {
		if value := strings.TrimSpace(render.Plain(l[1:])); value != "" {
			return append(Parts(value), all)
		}
	}
	return Parts(all)
}

// Telling are the texts of a row: of a failed call what it failed with, of a
// call what it was asked, of a message what it says.
func Telling(r index.Row) []string {
	title := shortTitle(answer.NewEvent(r.Event))
	if r.Result == nil {
		return Parts(title)
	}
	result := exitLead.ReplaceAllString(shortTitle(answer.NewEvent(*r.Result)), "")
	if r.Result.Outcome.Failed() {
		return append([]string{result}, Parts(title)...)
	}
	return append(Parts(title), result)
}
