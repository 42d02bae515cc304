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
	mayTrace := strings.Contains(s, traceback)
	for line := range strings.Lines(s) {
		if named != "" && heading == "" && !mayTrace {
			break // only a traceback says more than a line that names the fault
		}
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

// boilerplateStarts are the bytes that the lines below begin with, as small
// letters; setting the bit of those leaves # as it is.
const boilerplateStarts = "cdeflp#"

// boilerplate reports the lines that stand above the message in many outputs
// and say no more than that something went wrong.
func boilerplate(line string) bool {
	if strings.IndexByte(boilerplateStarts, line[0]|0x20) < 0 {
		return false // as most lines
	}
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

// faultStarts are the fault words by the small letter that they begin with.
var faultStarts = func() (by [256][]string) {
	for _, w := range faultWords {
		by[w[0]] = append(by[w[0]], w)
	}
	return by
}()

func namesFault(line string) bool {
	for i := range len(line) {
		for _, w := range faultStarts[small(line[i])] {
			if len(line)-i >= len(w) && isSmall(line[i:i+len(w)], w) {
				return true
			}
		}
	}
	return false
}

// isSmall reports that a text is a word of small letters, in whatever case.
func isSmall(text, word string) bool {
	for i := range len(word) {
		if small(text[i]) != word[i] {
			return false
		}
	}
	return true
}

func small(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c |= 0x20
	}
	return c
}

// namesPlace reports a line like main.go:27:9: as compilers write them: a name
// with a dot or slash in it, a colon, digits, a colon.
func namesPlace(line string) bool {
	if !numbersAfterColon(line) {
		return false // as most lines
	}
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

func numbersAfterColon(line string) bool {
	for {
		at := strings.IndexByte(line, ':')
		if at < 0 || at+1 == len(line) {
			return false
		}
		if line = line[at+1:]; '0' <= line[0] && line[0] <= '9' {
			return true
		}
	}
}
