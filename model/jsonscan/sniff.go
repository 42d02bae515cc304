package jsonscan

import (
	"bytes"
	"io"

	"hindcast/model"
)

// Sniff guesses how a file falls into records from its first bytes; whole says
// that head is all of the file. members are the keys of arrays that may hold
// the records of a wrapper object, in the order of preference. ok is false
// where head holds no JSON; seen then says what it looks like.
func Sniff(head []byte, whole bool, members ...string) (f model.Framing, ok bool, seen string) {
	if seen = looksLike(head); seen != "" {
		return f, false, seen
	}
	start, _ := bounds(head, 0, len(head))
	b := head[start:]
	if len(b) == 0 {
		return f, false, emptiness(head)
	}
	if structure[b[0]] == opens {
		f, ok = container(b, members)
	} else {
		ok = scalars(b, whole)
	}
	if ok {
		return f, true, ""
	}
	if objectLines(b) {
		return model.Framing{Mode: model.FrameLines}, true, ""
	}
	return model.Framing{}, false, textOrBinary(head)
}

// container tells the framing of a text that begins with a bracket; ok is false
// where it does not go on like JSON.
func container(b []byte, members []string) (f model.Framing, ok bool) {
	_, end, err := Value(b)
	line, rest := b, []byte(nil)
	if n := bytes.IndexByte(b, '\n'); n >= 0 {
		line, rest = b[:n], bytes.TrimSpace(b[n:])
	}
	within := end <= len(line) // the first value, or its error, is in the first line
	lines := model.Framing{Mode: model.FrameLines}
	wrong := err != nil && err != io.ErrUnexpectedEOF
	switch {
	case err == nil && within && len(rest) > 0:
		return lines, true
	case wrong && within && objectLines(rest), wrong && len(line) > 2 && mostlyObjectLines(rest):
		return lines, true
	case wrong && !begun(b, end):
		return f, false
	case b[0] == '[':
		return model.Framing{Mode: model.FrameElements}, true
	}
	if name := recordsMember(b, members); name != "" {
		return model.Framing{Mode: model.FrameMember, Member: name}, true
	}
	if within {
		return lines, true
	}
	return model.Framing{Mode: model.FrameValues}, true
}

// begun reports whether a text in which the byte at bad does not fit had begun
// like JSON: a key and its colon, or something in an array, was read.
func begun(b []byte, bad int) bool {
	if b[0] == '{' {
		i := spaceEnd(b, 1)
		if i >= bad || b[i] != '"' {
			return false
		}
		i = spaceEnd(b, skipString(b, i))
		return i < bad && b[i] == ':'
	}
	return spaceEnd(b, 1) < bad && bytes.IndexByte(b[1:bad], '"') >= 0
}

// recordsMember finds the preferred of members whose value in the object at
// the start of b is an array of objects, or an empty one. b may be cut.
func recordsMember(b []byte, members []string) string {
	best := len(members)
	for i := enter(b, '{'); i >= 0 && i < len(b); {
		key, value, next := member(b, i)
		if key == nil {
			break
		}
		for rank, name := range members[:best] {
			if isKey(key, name) && holdsRecords(value) {
				best = rank
				break
			}
		}
		i = next
	}
	if best == len(members) {
		return ""
	}
	return members[best]
}

func holdsRecords(v []byte) bool {
	i := enter(v, '[')
	return i >= 0 && i < len(v) && (v[i] == '{' || v[i] == ']')
}

// scalars reports whether every line is made of JSON values; b does not begin
// with a bracket. A last line may be cut unless whole is set.
func scalars(b []byte, whole bool) bool {
	for len(b) > 0 {
		line, rest, more := bytes.Cut(b, []byte("\n"))
		start, end := bounds(line, 0, len(line))
		for start < end {
			_, n, err := Value(line[start:end])
			if err == io.ErrUnexpectedEOF && !more && !whole {
				return true
			}
			if err != nil {
				return false
			}
			start = spaceEnd(line[:end], start+n)
		}
		b = rest
	}
	return true
}

// objectLines reports whether one of the lines is a JSON object, or the cut
// beginning of one at the end of b.
func objectLines(b []byte) bool {
	whole, _ := countObjectLines(b)
	return whole > 0
}

// mostlyObjectLines reports whether most of the lines that begin an object end
// it as well. In a document over many lines, which may have an object a line,
// commas follow them.
func mostlyObjectLines(b []byte) bool {
	whole, others := countObjectLines(b)
	return whole > others
}

// countObjectLines counts the lines that are objects, and the lines that only
// begin like one.
func countObjectLines(b []byte) (whole, others int) {
	for len(b) > 0 {
		line, rest, more := bytes.Cut(b, []byte("\n"))
		start, end := bounds(line, 0, len(line))
		if start < end && line[start] == '{' {
			_, n, err := Value(line[start:end])
			switch {
			case err == nil && spaceEnd(line[:end], start+n) == end:
				whole++
			case err == io.ErrUnexpectedEOF && !more && begun(line[start:end], end-start):
				whole++
			default:
				others++
			}
		}
		b = rest
	}
	return whole, others
}
