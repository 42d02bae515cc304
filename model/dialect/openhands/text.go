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
	if answersError(s) {
		return phrase.FirstLine(strings.TrimPrefix(s, "ERROR:"))
	}
	return phrase.TellingLine(s)
}

// isID reports whether a text may be taken as an id; empty and blank may not.
func isID(s string) bool { return strings.TrimSpace(s) != "" }
