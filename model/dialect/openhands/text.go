package openhands

import (
	"errors"
	"io"
	"strings"

	"hindcast/model/phrase"
)

func isCut(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) }

// tellingLine is the line of a failed output that says what went wrong. Where
// the text answers a call with an error, that is its first line.
func tellingLine(s string) string {
	if isRefusedEdit(s) {
		line, rest, _ := strings.Cut(s, "\n")
		if place := phrase.FirstLine(rest); strings.Contains(place, ":") && !strings.HasPrefix(place, "[") {
			return phrase.Fit(place + " " + strings.Trim(line, "[]"))
		}
	}
	if answersError(s) {
		return phrase.FirstLine(strings.TrimPrefix(s, "ERROR:"))
	}
	return phrase.TellingLine(s)
}

const refusedEdit = "[Your proposed edit has introduced new syntax error(s)"

// isRefusedEdit reports what the editor's functions say of an edit that they did
// not make. The place of it stands in the next line.
func isRefusedEdit(s string) bool {
	return strings.HasPrefix(s, refusedEdit)
}

// isID reports whether a text may be taken as an id; empty and blank may not.
func isID(s string) bool { return strings.TrimSpace(s) != "" }
