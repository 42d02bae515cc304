// Package textdiff aligns texts: line by line, word by word within a line, and
// over many versions. It is deterministic, exact behind named limits, and the
// one door of go-diff. It knows nothing of events and draws nothing.
package textdiff

import (
	"errors"
	"slices"
	"strings"
)

// Script is what turns one text into another, line by line.
type Script struct {
	Old, New []string // the lines of both texts with their line ends; only the last may lack one
	Edits    []Edit   // ascending; at least one common line stands between two
}

// Edit replaces Old[OldFrom:OldTo] by New[NewFrom:NewTo]. One of the two ranges
// may be empty, never both.
type Edit struct{ OldFrom, OldTo, NewFrom, NewTo int }

// Hunk is a part of both texts that holds Edits and the common lines around
// them: Old[OldFrom:OldTo] and New[NewFrom:NewTo].
type Hunk struct {
	Edit
	Edits []Edit
}

// ErrMismatch is the error of Apply for a text that the script was not made for.
var ErrMismatch = errors.New("the text is not the one that the script changes")

// Split cuts a text behind each LF. The empty text has no lines; joining them
// gives the text again.
func Split(text string) []string {
	lines := make([]string, 0, strings.Count(text, "\n")+1)
	for text != "" {
		n := strings.IndexByte(text, '\n') + 1
		if n == 0 {
			n = len(text)
		}
		lines = append(lines, text[:n])
		text = text[n:]
	}
	return lines
}

// Counts is the number of lines that the script takes away and brings in.
func (s Script) Counts() (removed, added int) {
	for _, e := range s.Edits {
		removed += e.OldTo - e.OldFrom
		added += e.NewTo - e.NewFrom
	}
	return removed, added
}

// Apply changes a text. Its error is ErrMismatch.
func (s Script) Apply(old string) (string, error) {
	lines := Split(old)
	if len(lines) != len(s.Old) {
		return "", ErrMismatch
	}
	var out strings.Builder
	at := 0
	for _, e := range s.Edits {
		if !slices.Equal(lines[e.OldFrom:e.OldTo], s.Old[e.OldFrom:e.OldTo]) {
			return "", ErrMismatch
		}
		write(&out, lines[at:e.OldFrom])
		write(&out, s.New[e.NewFrom:e.NewTo])
		at = e.OldTo
	}
	write(&out, lines[at:])
	return out.String(), nil
}

func write(out *strings.Builder, lines []string) {
	for _, l := range lines {
		out.WriteString(l)
	}
}

// Inverse is the script from the new text to the old one.
func (s Script) Inverse() Script {
	inverse := Script{Old: s.New, New: s.Old, Edits: make([]Edit, len(s.Edits))}
	for i, e := range s.Edits {
		inverse.Edits[i] = Edit{e.NewFrom, e.NewTo, e.OldFrom, e.OldTo}
	}
	return inverse
}

// Hunks groups the edits with up to context common lines at each side; edits
// whose contexts touch share a hunk.
func (s Script) Hunks(context int) []Hunk {
	var hunks []Hunk
	for i, e := range s.Edits {
		before := min(context, e.OldFrom)
		after := min(context, len(s.Old)-e.OldTo)
		wide := Edit{e.OldFrom - before, e.OldTo + after, e.NewFrom - before, e.NewTo + after}
		if n := len(hunks); n > 0 && wide.OldFrom <= hunks[n-1].OldTo {
			h := &hunks[n-1]
			h.OldTo, h.NewTo = wide.OldTo, wide.NewTo
			h.Edits = s.Edits[i-len(h.Edits) : i+1]
			continue
		}
		hunks = append(hunks, Hunk{wide, s.Edits[i : i+1]})
	}
	return hunks
}
