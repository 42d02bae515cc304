package chat

import (
	"bytes"
	"io"
	"path"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// How much of a file Claim looks at: its first bytes, and where the first value
// does not end there, all that may be asked for.
const (
	headBytes = 64 << 10
	longHead  = 4 << 20
)

// Look is a file of a dump as Claim sees it.
type Look struct {
	Name    string
	Framing model.Framing
	// Head are the first bytes: all of the file where Whole is set.
	Head  []byte
	Whole bool
}

// LookAt looks at a file's first bytes. members are the names of the arrays
// that may hold the records of a wrapper object. ok is false where it holds no
// JSON.
func LookAt(d model.Dump, file int, members ...string) (l Look, ok bool) {
	l.Name = d.Files()[file].Name
	l.Head = d.Head(file, headBytes)
	l.Whole = len(l.Head) < headBytes
	if !l.Whole && bytes.HasPrefix(bytes.TrimLeft(l.Head, "\ufeff \t\r\n"), []byte("{")) {
		if _, _, err := jsonscan.Value(bytes.TrimPrefix(l.Head, []byte("\ufeff"))); err == io.ErrUnexpectedEOF {
			l.Head = d.Head(file, longHead)
			l.Whole = len(l.Head) < longHead
		}
	}
	l.Framing, ok, _ = jsonscan.Sniff(l.Head, l.Whole, members...)
	l.Head = bytes.TrimPrefix(l.Head, []byte("\ufeff"))
	return l, ok
}

// Top is a member of the object that the file begins with. Of an object that
// the head cuts, members before the cut are seen.
func (l *Look) Top(keys ...string) []byte { return jsonscan.Get(l.Head, keys...) }

// Records gives up to n of the first records that are objects.
func (l *Look) Records(n int) (all [][]byte) {
	s := jsonscan.NewSplitter(bytes.NewReader(l.Head), 0, l.Framing, !l.Whole)
	for len(all) < n {
		chunk, err := s.Next()
		if err != nil {
			return all
		}
		for _, sp := range chunk.Spans {
			rest := chunk.Data[sp.Start:sp.End]
			for sp.Broken == "" && len(all) < n {
				start, end, err := jsonscan.Value(rest)
				if err != nil {
					break
				}
				if rest[start] == '{' {
					all = append(all, bytes.Clone(rest[start:end]))
				}
				rest = rest[end:]
			}
		}
	}
	return all
}

// extensions are taken off a file's name to make the name of its session.
var extensions = map[string]bool{
	".bz2": true, ".gz": true, ".json": true, ".jsonl": true, ".log": true, ".ndjson": true, ".traj": true, ".txt": true, ".xz": true, ".zst": true,
}

// Stem is a file's base name without its extensions: the name of its session
// where the file gives it none.
func Stem(name string) string {
	base := path.Base(name)
	for extensions[path.Ext(base)] && path.Ext(base) != base {
		base = strings.TrimSuffix(base, path.Ext(base))
	}
	return base
}
