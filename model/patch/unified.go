// Package patch applies the patches and reads the numbered listings that tools
// leave in records, strictly: what does not fit is refused, never guessed.
package patch

import (
	"strconv"
	"strings"
)

// noNewline begins the line of a diff that says that the one before it is the
// last of its file and has no newline.
const noNewline = '\\'

// Unified applies a unified diff of one file to a text. ok is false where the
// diff is none, or takes or keeps lines that do not stand there. Diffs without
// context lines, or without the last newline, are read as well.
func Unified(text, diff string) (out string, ok bool) {
	_, hunks, found := strings.Cut("\n"+diff, "\n@@ ")
	if !found {
		return "", false
	}
	lines := strings.Split(text, "\n")
	var made []string
	var oldEnds, newEnds bool // without a newline, as a line of the diff says
	at := 0                   // lines taken over so far
	for _, hunk := range strings.Split(hunks, "\n@@ ") {
		head, body, _ := strings.Cut(hunk, "\n")
		from, ok := hunkStart(head)
		if !ok || from < at || from > len(lines) {
			return "", false
		}
		made, at = append(made, lines[at:from]...), from
		sign := byte(0)
		for _, line := range strings.Split(body, "\n") {
			if line == "" {
				continue
			}
			if line[0] == noNewline {
				oldEnds, newEnds = oldEnds || sign != '+', newEnds || sign != '-'
				continue
			}
			sign = line[0]
			switch sign {
			case '+':
				made = append(made, line[1:])
			case '-', ' ':
				if at >= len(lines) || lines[at] != line[1:] {
					return "", false
				}
				if line[0] == ' ' {
					made = append(made, line[1:])
				}
				at++
			}
		}
	}
	made = append(made, lines[at:]...)
	switch last := len(made) - 1; {
	case oldEnds && !newEnds:
		made = append(made, "")
	case newEnds && !oldEnds && last > 0 && made[last] == "":
		made = made[:last]
	}
	return strings.Join(made, "\n"), true
}

// hunkStart reads "-12,3 +12,4 @@": how many lines stand before the hunk.
func hunkStart(head string) (int, bool) {
	old, _, ok := strings.Cut(head, " ")
	if !ok || !strings.HasPrefix(old, "-") {
		return 0, false
	}
	first, count, hasCount := strings.Cut(old[1:], ",")
	n, err := strconv.Atoi(first)
	if err != nil || n < 0 {
		return 0, false
	}
	if hasCount && count == "0" {
		return n, true // an insertion goes behind that line
	}
	return max(n-1, 0), true
}
