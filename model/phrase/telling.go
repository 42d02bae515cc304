package phrase

import "strings"

// faultWords mark a line of output that says what went wrong.
var faultWords = []string{
	"error", "exception", "fatal", "fail", "cannot ", "can't ", "not found", "no such", "denied", "panic", "refused",
	"invalid", "unable to", "undefined", "timed out", "unexpected", "not permitted", "killed",
}

// TellingLine is the line of a failed output that says what went wrong: the
// exception under a Python traceback, else the first line that names a fault or
// a place in a file as compilers write it, else the first that says more than
// that something failed, else the first.
func TellingLine(s string) string {
	var named, plain, heading string
	traced := false
	for line := range strings.Lines(s) {
		bare := strings.TrimSpace(line)
		switch {
		case bare == "":
		case heading != "":
			// The message of a test's report stands in a block below its key.
			if named = strings.TrimPrefix(heading+" "+bare, " "); !strings.HasSuffix(bare, ":") || heading != openHeading {
				return Fit(named)
			}
			heading = named
		case named == "" && opensMessage(bare):
			heading = openHeading
		case boilerplate(bare) && !strings.HasPrefix(bare, traceback):
		case strings.HasPrefix(bare, traceback):
			traced = true
		case traced:
			if line[0] != ' ' && line[0] != '\t' {
				return Fit(bare)
			}
		case named == "" && (namesFault(bare) || namesPlace(bare)):
			named = bare
		case plain == "":
			plain = bare
		}
	}
	switch {
	case named != "":
		return Fit(named)
	case plain != "":
		return Fit(plain)
	}
	return FirstLine(s)
}

// openHeading stands for the heading of a message whose first line is to come.
const openHeading = " "

// opensMessage reports the key of a message in a report as test runners write
// them (TAP): a block of lines follows it.
func opensMessage(line string) bool {
	rest, ok := strings.CutPrefix(line, "error: ")
	return ok && (strings.HasPrefix(rest, "|") || strings.HasPrefix(rest, ">")) && len(rest) <= len("|-")
}

const traceback = "Traceback (most recent call last)"

// boilerplateBytes: a longer line that starts with an exit code says more.
const boilerplateBytes = 36

// boilerplate reports the lines that stand above the message in many outputs
// and say no more than that something went wrong.
func boilerplate(line string) bool {
	lower := strings.ToLower(line)
	switch strings.TrimRight(lower, ":.") {
	case "error", "failed", "failure", "command failed":
		return true
	}
	for _, prefix := range []string{"location: ", "failuretype: ", "duration_ms: ", "# fail "} {
		if strings.HasPrefix(lower, prefix) {
			return true
		}
	}
	for _, prefix := range []string{"exit code", "exit status", "process exited", "command failed with exit", "command exited"} {
		if strings.HasPrefix(lower, prefix) && len(line) < boilerplateBytes {
			return true
		}
	}
	return false
}

func namesFault(line string) bool {
	line = strings.ToLower(line)
	for _, w := range faultWords {
		if strings.Contains(line, w) {
			return true
		}
	}
	return false
}

// namesPlace reports a line like main.go:27:9: as compilers write them: a name
// with a dot or slash in it, a colon, digits, a colon.
func namesPlace(line string) bool {
	for word := range strings.FieldsSeq(line) {
		name, rest, ok := strings.Cut(strings.TrimLeft(word, `("'`), ":")
		if !ok || !strings.ContainsAny(name, "./") || strings.Contains(rest, "//") {
			continue
		}
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		if digits > 0 && strings.HasPrefix(rest[digits:], ":") {
			return true
		}
	}
	return false
}
