package pane

import (
	"regexp"
	"strings"
	"unicode"
)

// news are the records that came into view since: where a dropped one may stand
// again.
type news struct {
	plain     []string         // their texts, as plainly
	lines     map[string][]int // which of them hold a line
	asked     map[string]int   // the first that answers a question
	summaries []int
}

// returned finds the dropped records whose content stands in records that came
// in since.
func returned(dropped []Passed, fresh []Said) []Returned {
	n := news{lines: map[string][]int{}, asked: map[string]int{}}
	for i, s := range fresh {
		n.plain = append(n.plain, plainly(s.Text))
		for l := range telling(s.Text) {
			n.lines[l] = append(n.lines[l], i)
		}
		if _, ok := n.asked[s.asked]; !ok {
			n.asked[s.asked] = i
		}
		if s.summary {
			n.summaries = append(n.summaries, i)
		}
	}
	var out []Returned
	for _, d := range dropped {
		if how, at, ok := n.holds(d.Said); ok {
			out = append(out, Returned{d, how, fresh[at].Event})
		}
	}
	return out
}

// holds is where a record's content stands now: asked for again by the same
// call, or its whole text in the summary or in another record.
func (n *news) holds(d Said) (how string, at int, ok bool) {
	lines := telling(d.Text)
	if size(lines) >= askedLength && d.asked != "" { // "task list updated" comes back all the time
		if at, ok = n.asked[d.asked]; ok {
			return "asked for again", at, true
		}
	}
	if letters(d.Text) < tellingLetters {
		return "", 0, false
	}
	own := plainly(d.Text)
	for _, at := range n.summaries {
		if strings.Contains(n.plain[at], own) {
			return "quoted in the summary", at, true
		}
	}
	for _, at := range n.lines[longest(lines)] {
		if strings.Contains(n.plain[at], own) {
			return "its text stands there again", at, true
		}
	}
	return "", 0, false
}

const (
	tellingLength  = 8  // bytes: shorter lines say nothing about where they are from (brackets, "ok")
	askedLength    = 24 // bytes of such lines: shorter answers are the same all the time
	tellingLetters = 12 // letters and digits: a shorter text stands elsewhere by chance
)

func size(lines map[string]bool) int {
	n := 0
	for l := range lines {
		n += len(l)
	}
	return n
}

// longest is the longest line; of several the first in bytewise order.
func longest(lines map[string]bool) string {
	best := ""
	for l := range lines {
		if len(l) > len(best) || len(l) == len(best) && l < best {
			best = l
		}
	}
	return best
}

// letters counts letters and digits, as far as it takes to tell a text.
func letters(s string) int {
	n := 0
	for _, r := range s {
		if n == tellingLetters {
			break
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

// numbered is the line number before a line, as tools that show files write it.
var numbered = regexp.MustCompile(`^\s*\d+\s*[\t→|:]`)

// telling are the lines of a text that tell it from others, without their
// numbers.
func telling(s string) map[string]bool {
	out := map[string]bool{}
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(numbered.ReplaceAllString(line, ""))
		if len(line) >= tellingLength {
			out[line] = true
		}
	}
	return out
}

// plainly is a text without line numbers, and with one space between words: how
// it is broken into lines is not its content.
func plainly(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		for _, word := range strings.Fields(numbered.ReplaceAllString(line, "")) {
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(word)
		}
	}
	return b.String()
}
