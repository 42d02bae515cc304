package generic

import (
	"bytes"
	"io"
	"path"
	"slices"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

const (
	headBytes   = 64 << 10
	longHead    = 4 << 20 // asked for where the first value does not end in headBytes
	headRecords = 64      // how many records decide on order and sessions

	confidenceGuess  = 1
	confidenceForced = 100
)

// Claim takes each file that holds JSON as a stream of its own.
func (dialect) Claim(d model.Dump, force bool) []model.Stream {
	names := sessionNames(d.Files())
	var streams []model.Stream
	for i, file := range d.Files() {
		head := d.Head(i, headBytes)
		if len(head) == headBytes {
			if _, _, err := jsonscan.Value(trimMarks(head)); err == io.ErrUnexpectedEOF {
				head = d.Head(i, longHead)
			}
		}
		whole := file.Size >= 0 && int64(len(head)) >= file.Size || file.Size < 0 && len(head) < headBytes
		framing, ok, _ := jsonscan.Sniff(head, whole, wrappers...)
		if !ok {
			continue
		}
		s := model.Stream{
			Dialect:    "generic",
			Confidence: confidenceGuess,
			Files:      []int{i},
			Framing:    framing,
			Order:      model.OrderArrival,
			Session:    names[i],
		}
		if force {
			s.Confidence = confidenceForced
		}
		c := choose(head, framing)
		if c.seq != none {
			s.Order = model.OrderSeq
		}
		s.Meta = c
		s.Reason = reason(framing, c)
		streams = append(streams, s)
	}
	return streams
}

func trimMarks(b []byte) []byte { return bytes.TrimLeft(b, "\ufeff\x1e \t\r\n") }

// reason says what was seen, for people.
func reason(f model.Framing, c choice) string {
	what := map[model.FramingMode]string{
		model.FrameLines:    "JSON lines",
		model.FrameValues:   "JSON values",
		model.FrameElements: "a JSON array",
		model.FrameMember:   "an object with the array " + f.Member,
	}[f.Mode]
	if c.seq != none {
		what += ", in the order of " + c.seq
	}
	if c.session != none && c.session != unset {
		what += ", sessions by " + c.session
	}
	return what + ", of no known program"
}

// choose decides from the first records which of their fields is the sequence
// and which names the session.
func choose(head []byte, f model.Framing) choice {
	s := jsonscan.NewSplitter(bytes.NewReader(head), 0, f, true)
	var first [][]byte
	for len(first) < headRecords {
		chunk, err := s.Next()
		if err != nil {
			break
		}
		for _, sp := range chunk.Spans {
			if sp.Broken == "" && len(first) < headRecords {
				first = append(first, objects(chunk.Data[sp.Start:sp.End])...)
			}
		}
	}
	session := chooseSession(first)
	return choice{seq: chooseSeq(first, session), session: session}
}

// objects are the valid objects of a span: several may stand on a line.
func objects(b []byte) [][]byte {
	var all [][]byte
	for {
		start, end, err := jsonscan.Value(b)
		if err != nil {
			return all
		}
		if b[start] == '{' {
			all = append(all, b[start:end])
		}
		b = b[end:]
	}
}

// tally is what the first records hold in one field.
type tally struct {
	count    int
	distinct map[string]bool
}

// tallies counts the usable values of a role's fields, by field name. Values
// are told apart within a session.
func tallies(first [][]byte, r role, session string) map[string]*tally {
	all := make(map[string]*tally)
	for _, raw := range first {
		in := jsonscan.Scalar(valueOf(raw, session)) + "\x00"
		members(raw, func(container, key string, value []byte) {
			if !hasRole(key, r) || !usable(r, value) {
				return
			}
			name := fieldName(container, key)
			t := all[name]
			if t == nil {
				t = &tally{distinct: make(map[string]bool)}
				all[name] = t
			}
			t.count++
			t.distinct[in+jsonscan.Scalar(value)] = true
		})
	}
	return all
}

func hasRole(key string, r role) bool {
	return slices.ContainsFunc(keyUses[key], func(u fieldUse) bool { return u.role == r })
}

// chooseSession picks the field that names sessions: the first that records
// carry. One whose values hardly repeat names something smaller than a
// session. Where no record carries any, none is chosen in advance.
func chooseSession(first [][]byte) string {
	all := tallies(first, roleSession, none)
	for _, name := range candidates(roleSession) {
		if t := all[name]; t != nil && (t.count < 8 || 2*len(t.distinct) <= t.count) {
			return name
		}
	}
	if len(all) > 0 {
		return none
	}
	return unset
}

// chooseSeq picks the field that every record carries with another number, in
// each session; one record alone shows no sequence.
func chooseSeq(first [][]byte, session string) string {
	all := tallies(first, roleSeq, session)
	for _, name := range candidates(roleSeq) {
		if t := all[name]; t != nil && len(first) > 1 && t.count == len(first) && len(t.distinct) == t.count {
			return name
		}
	}
	return none
}

// candidates are the names under which a role's field may stand.
func candidates(r role) []string {
	names := slices.Clone(fieldNames[r])
	for _, c := range containerNames {
		for _, name := range fieldNames[r] {
			names = append(names, fieldName(c, name))
		}
	}
	return names
}

// valueOf is the field that a choice names.
func valueOf(raw []byte, name string) []byte {
	if name == unset || name == none {
		return nil
	}
	container, key, ok := strings.Cut(name, ".")
	if !ok {
		return jsonscan.Get(raw, name)
	}
	return jsonscan.Get(raw, container, key)
}

// extensions are taken off a file's name to make the name of its session.
var extensions = map[string]bool{
	".bz2": true, ".events": true, ".gz": true, ".json": true, ".jsonl": true, ".log": true, ".ndjson": true, ".txt": true, ".xz": true, ".zst": true,
}

// sessionNames names each file's session after the file: by its base name, or
// by as much of its whole name as tells it from the other files of the dump.
func sessionNames(files []model.File) []string {
	names := make([]string, len(files))
	forms := []func(string) string{
		func(name string) string { return stem(path.Base(name)) },
		stem,
		func(name string) string { return name },
	}
	for _, form := range forms {
		count := make(map[string]int)
		for _, f := range files {
			count[form(f.Name)]++
		}
		for i, f := range files {
			if name := form(f.Name); names[i] == "" && count[name] == 1 {
				names[i] = name
			}
		}
	}
	for i, f := range files {
		if names[i] == "" {
			names[i] = f.Name
		}
	}
	return names
}

func stem(name string) string {
	for {
		ext := path.Ext(name)
		short := strings.TrimSuffix(name, ext)
		if !extensions[strings.ToLower(ext)] || short == "" || strings.HasSuffix(short, "/") {
			return name
		}
		name = short
	}
}
