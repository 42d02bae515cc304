// Package patch applies the patches and reads the numbered listings that tools
// leave in records, strictly: what does not fit is refused, never guessed.
package patch

import (
	"strconv"
	"strings"
)

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
	at := 0 // lines taken over so far
	for _, hunk := range strings.Split(hunks, "\n@@ ") {
		head, body, _ := strings.Cut(hunk, "\n")
		from, ok := hunkStart(head)
		if !ok || from < at || from > len(lines) {
			return "", false
		}
		made, at = append(made, lines[at:from]...), from
		for _, line := range strings.Split(body, "\n") {
			if line == "" {
				continue
			}
			switch line[0] {
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
	return strings.Join(append(made, lines[at:]...), "\n"), true
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
