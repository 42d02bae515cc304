package openhands

import (
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// How many bytes of a text are looked at for a title: enough for its first
// line, and for the line of a long output that tells what failed.
const (
	lineLimit = 1 << 10
	textLimit = 16 << 10
)

func isCut(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) }

// headText decodes the first limit bytes of a string value; "" for what is no
// string. Titles need a line, not the megabyte behind it.
func headText(v []byte, limit int) string {
	if len(v) <= limit || limit < 8 || v[0] != '"' {
		return jsonscan.Str(v)
	}
	cut := 1
	for i := 1; i < limit-2; {
		cut = i
		switch {
		case v[i] != '\\':
			i++
		case v[i+1] == 'u':
			i += 6
		default:
			i += 2
		}
	}
	// A rune that the cut splits goes as a whole.
	for back := cut; back > 1 && back >= cut-3 && v[back] >= utf8.RuneSelf; back-- {
		if utf8.RuneStart(v[back]) {
			cut = back
			break
		}
	}
	head := append(v[:cut:cut], '"')
	return jsonscan.Str(head)
}

// oneLine joins a text's words to one line and cuts it to a title's length.
func oneLine(s string) string {
	if len(s) > 2*model.TitleLimit {
		s = s[:cutAt(s, 2*model.TitleLimit)] + "…"
	}
	return fit(strings.Join(strings.Fields(s), " "))
}

// fit cuts a line to a title's length.
func fit(s string) string {
	const ellipsis = "…"
	if len(s) <= model.TitleLimit {
		return s
	}
	return strings.TrimRight(s[:cutAt(s, model.TitleLimit-len(ellipsis))], " ") + ellipsis
}

// cutAt returns the last rune boundary of s at or before n.
func cutAt(s string, n int) int {
	if n >= len(s) {
		return len(s)
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return n
}

// firstLine is the first line of a text that holds more than space.
func firstLine(s string) string {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			return fit(line)
		}
	}
	return ""
}

// errorWords mark a line of output that says what went wrong.
var errorWords = []string{"error", "exception", "fatal", "failed", "failure", "cannot ", "can't ", "not found", "no such", "denied", "panic", "refused", "invalid", "unable to"}

// tellingLine is the line of a failed output that says what went wrong: the
// exception under a Python traceback, else the first line that names an error,
// else the first line.
func tellingLine(s string) string {
	if answersError(s) {
		return firstLine(strings.TrimPrefix(s, "ERROR:"))
	}
	var named string
	traced := false
	for line := range strings.Lines(s) {
		bare := strings.TrimSpace(line)
		if bare == "" {
			continue
		}
		if strings.HasPrefix(bare, "Traceback (most recent call last)") {
			traced = true
			continue
		}
		if traced && !startsWithSpace(line) {
			return fit(bare)
		}
		if named == "" && !traced && namesError(bare) {
			named = bare
		}
	}
	if named != "" {
		return fit(named)
	}
	return firstLine(s)
}

func startsWithSpace(s string) bool { return s[0] == ' ' || s[0] == '\t' }

func namesError(line string) bool {
	line = strings.ToLower(line)
	for _, w := range errorWords {
		if strings.Contains(line, w) {
			return true
		}
	}
	return false
}

// countLines counts a text's lines; a last line need not end in a newline.
func countLines(s string) int {
	n := strings.Count(s, "\n")
	if s != "" && !strings.HasSuffix(s, "\n") {
		n++
	}
	return n
}

// isID reports whether a text may be taken as an id; empty and blank may not.
func isID(s string) bool { return strings.TrimSpace(s) != "" }
