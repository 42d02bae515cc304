// Package phrase makes the one-line titles of events out of records: the
// telling line of a long output, a text cut to a title's length, counts. What
// it returns is text of the dump and goes through render/text like any other.
package phrase

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// How many bytes of a text are worth a look for a title: enough for its first
// line, and for the line of a long output that tells what failed.
const (
	LineLimit = 1 << 10
	TextLimit = 16 << 10
)

// Head decodes the first limit bytes of a JSON string; "" for what is no
// string. Titles need a line, not the megabyte behind it.
func Head(v []byte, limit int) string {
	if len(v) <= limit || limit < 8 || v[0] != '"' {
		return jsonscan.Str(v)
	}
	cut := 1
	for i := 1; i < limit-2; {
		plain := bytes.IndexByte(v[i:limit-2], '\\')
		if plain < 0 {
			cut = limit - 3
			break
		}
		i += plain
		cut = i
		if v[i+1] == 'u' {
			i += 6
		} else {
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

// Content is the text of a message's content: a string, a block {"text"}, or
// the blocks of a list that hold text, joined by newlines, up to about limit
// bytes.
func Content(v []byte, limit int) string {
	switch jsonscan.Kind(v) {
	case '"':
		return Head(v, limit)
	case '{':
		return Head(jsonscan.Get(v, "text"), limit)
	}
	j := joint{limit: limit}
	Texts(v, j.add)
	return j.text
}

// ContentChars counts the characters of Content, all of it, without making it.
func ContentChars(v []byte) (n int64) {
	switch jsonscan.Kind(v) {
	case '"':
		return jsonscan.Chars(v)
	case '{':
		return jsonscan.Chars(jsonscan.Get(v, "text"))
	}
	Texts(v, func(text []byte) bool {
		n = jointChars(n, jsonscan.Chars(text))
		return true
	})
	return n
}

// Texts gives the texts of the blocks of a list, as JSON, until f returns false.
func Texts(list []byte, f func(text []byte) bool) {
	var text []byte
	jsonscan.Nested(list, isBlock, func(depth int, key string, v []byte) bool {
		switch {
		case depth == 1 && key == "text":
			text = v
			return true
		case depth == 1:
			return true
		case v[0] == '"':
			text = v
		}
		more := text == nil || f(text)
		text = nil
		return more
	})
}

func isBlock(depth int, _ string, open byte) bool { return depth == 0 && open == '{' }

// Joined is Content of a list whose texts were taken out of it.
func Joined(texts [][]byte, limit int) string {
	j := joint{limit: limit}
	for _, text := range texts {
		if !j.add(text) {
			break
		}
	}
	return j.text
}

// JoinedChars counts the characters of Joined, all of it.
func JoinedChars(texts [][]byte) (n int64) {
	for _, text := range texts {
		n = jointChars(n, jsonscan.Chars(text))
	}
	return n
}

// joint joins texts by newlines until there are limit bytes.
type joint struct {
	text  string
	limit int
}

func (j *joint) add(text []byte) bool {
	switch t := Head(text, j.limit); {
	case t == "":
	case j.text == "":
		j.text = t
	default:
		j.text += "\n" + t
	}
	return len(j.text) < j.limit
}

// jointChars adds the characters of a text to those of the ones before it.
func jointChars(before, text int64) int64 {
	if before > 0 && text > 0 {
		before++ // the newline between them
	}
	return before + text
}

// OneLine joins a text's words to one line and cuts it to a title's length.
func OneLine(s string) string {
	if len(s) > 2*model.TitleLimit {
		s = s[:cutAt(s, 2*model.TitleLimit)] + "…"
	}
	return Fit(strings.Join(strings.Fields(s), " "))
}

// Fit cuts a line to a title's length.
func Fit(s string) string {
	const ellipsis = "…"
	if len(s) <= model.TitleLimit {
		return s
	}
	return strings.TrimRight(s[:cutAt(s, model.TitleLimit-len(ellipsis))], " ") + ellipsis
}

// cutAt is the last rune boundary of s at or before n.
func cutAt(s string, n int) int {
	if n >= len(s) {
		return len(s)
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return n
}

// FirstLine is the first line of a text that holds more than space.
func FirstLine(s string) string {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			return Fit(line)
		}
	}
	return ""
}

// Said is what a text of several paragraphs begins with: its first line, or,
// where that is a heading of Markdown, the heading with the line below it.
func Said(s string) string {
	heading := ""
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		switch bare := strings.TrimLeft(line, "#"); {
		case line == "":
		case heading != "":
			return Titled(heading, line)
		case len(bare) < len(line) && strings.HasPrefix(bare, " "):
			heading = strings.TrimSpace(bare)
		default:
			return Fit(line)
		}
	}
	return Fit(heading)
}

// frames are how programs that solve issues begin their prompts: the same for
// every run, with the line or tag behind which what is asked for stands.
var frames = []struct{ opens, before string }{
	{"We're currently solving the following issue", "ISSUE:"},
	{"Please fix the following issue for the repository", "# Problem Statement"},
	{"<uploaded_files>", "<pr_description>"},
	{"<pr_description>", "<pr_description>"},
}

// Asked is the line of a prompt that says what is asked for: the first, but of a
// prompt that a program framed the first of what it was given.
func Asked(s string) string {
	s = strings.TrimSpace(s)
	for _, f := range frames {
		if !strings.HasPrefix(s, f.opens) {
			continue
		}
		if _, rest, ok := strings.Cut(s, f.before); ok {
			if line := FirstLine(rest); line != "" {
				return line
			}
		}
	}
	return FirstLine(s)
}

// Titled puts a tool before what is said of it.
func Titled(tool, rest string) string {
	switch {
	case rest == "":
		return OneLine(tool)
	case tool == "":
		return OneLine(rest)
	}
	return OneLine(tool + ": " + rest)
}

// Plural counts things: "1 file", "3 files".
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// CountLines counts a text's lines; a last line need not end in a newline.
func CountLines(s string) int {
	n := strings.Count(s, "\n")
	if s != "" && !strings.HasSuffix(s, "\n") {
		n++
	}
	return n
}

// Change tells the lines that an edit took out and put in: "+3 −1".
func Change(old, now string) string {
	same := commonPrefix(old, now)
	old, now = old[same:], now[same:]
	same = commonSuffix(old, now)
	old, now = old[:len(old)-same], now[:len(now)-same]
	return fmt.Sprintf("+%d −%d", CountLines(now), CountLines(old))
}

// commonPrefix is the length of the whole lines that both texts start with.
func commonPrefix(a, b string) int {
	n, line := 0, 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
		if a[n-1] == '\n' {
			line = n
		}
	}
	if n == len(a) && n == len(b) {
		return n
	}
	return line
}

// commonSuffix is the length of the whole lines that both texts end with.
func commonSuffix(a, b string) int {
	n, line := 0, 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
		// The line that starts here is common to its start in both texts.
		if startsLine(a, len(a)-n) && startsLine(b, len(b)-n) {
			line = n
		}
	}
	return line
}

func startsLine(s string, i int) bool { return i == 0 || s[i-1] == '\n' }
