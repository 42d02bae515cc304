package replay

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"hindcast/model"
)

// Change is one difference between two states. It names a leaf of the state
// document, or a whole message, task, call or file that came or went.
type Change struct {
	Path     string
	Old, New []byte // JSON as the document shows it; nil: nothing stood there
	Pos      int64  // of the event that wrote it last
	Blind    bool   // of a file whose text is not known in either state, and may differ
}

// Op says what the change does.
func (c Change) Op() model.Op {
	switch {
	case c.Old == nil:
		return model.OpAdd
	case c.New == nil:
		return model.OpRemove
	}
	return model.OpReplace
}

// Changes gives the difference between two states of a session from the writes
// between them, in pos order, sorted bytewise by path. What ends as it began is
// no change.
func Changes(writes []model.Write) []Change {
	spans := map[string]*span{}
	for _, w := range writes {
		if w.Path == model.PathTasks {
			continue
		}
		if s := spans[w.Path]; s != nil {
			s.new, s.pos = w.New, w.Pos
		} else {
			spans[w.Path] = &span{old: w.Old, new: w.New, pos: w.Pos}
		}
	}
	var out []Change
	for path, s := range spans {
		if !equal(s.old, s.new) {
			out = append(out, s.changes(path)...)
		}
	}
	slices.SortFunc(out, func(a, b Change) int { return cmp.Compare(a.Path, b.Path) })
	return out
}

// span is a cell over a range of events.
type span struct {
	old, new model.Value
	pos      int64
}

func (s *span) changes(path string) []Change {
	d := difference{pos: s.pos}
	whole := path != pathCheckpoint && !within(path, model.PathVars) && (s.old.Absent() || s.new.Absent())
	switch {
	case whole:
		d.add(path, Shown(path, s.old), Shown(path, s.new))
	case within(path, model.PathFiles):
		if !sameText(s.old.Text, s.new.Text) {
			d.add(path+"/content", leaf(s.old.Text).JSON, leaf(s.new.Text).JSON)
		}
		d.blind = s.old.Text == nil && s.new.Text == nil
		d.walk(path, s.old.JSON, s.new.JSON, 0)
	default:
		d.walk(path, Shown(path, s.old), Shown(path, s.new), 0)
	}
	return d.out
}

type difference struct {
	out   []Change
	pos   int64
	blind bool
}

func (d *difference) add(path string, old, new []byte) {
	if !bytes.Equal(old, new) {
		d.out = append(d.out, Change{Path: path, Old: old, New: new, Pos: d.pos, Blind: d.blind})
	}
}

// maxWalk bounds how deep a value is taken apart: each level reads all below it.
const maxWalk = 64

// walk goes down to the leaves of two values. An empty object is a leaf, and so
// is an array. An object beside nothing falls into its leaves: Apply makes the
// objects above a leaf that comes, and drops those that the last leaf leaves.
// What lies deeper than maxWalk is compared whole.
func (d *difference) walk(path string, old, new []byte, depth int) {
	if depth == maxWalk {
		d.add(path, old, new)
		return
	}
	from, to := members(old), members(new)
	if (from == nil && old != nil) || (to == nil && new != nil) {
		d.add(path, old, new)
		return
	}
	names := map[string]bool{}
	for name := range from {
		names[name] = true
	}
	for name := range to {
		names[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !bytes.Equal(from[name], to[name]) {
			d.walk(path+"/"+Escape(name), from[name], to[name], depth+1)
		}
	}
}

// members are those of a JSON object that has any; nil for all else.
func members(text []byte) map[string]json.RawMessage {
	if len(text) < 3 || text[0] != '{' {
		return nil
	}
	var m map[string]json.RawMessage
	if json.Unmarshal(text, &m) != nil {
		return nil
	}
	return m
}

// Within keeps of changes what they do at and below a pointer. A change of more
// than that becomes one of the part that the pointer names.
func Within(changes []Change, pointer string) []Change {
	if pointer == "" {
		return changes
	}
	var kept []Change
	for _, c := range changes {
		switch {
		case c.Path == pointer || strings.HasPrefix(c.Path, pointer+"/"):
			kept = append(kept, c)
		case strings.HasPrefix(pointer, c.Path+"/"):
			rest := strings.Split(pointer[len(c.Path)+1:], "/")
			c.Path, c.Old, c.New = pointer, memberOf(c.Old, rest), memberOf(c.New, rest)
			if !bytes.Equal(c.Old, c.New) {
				kept = append(kept, c)
			}
		}
	}
	return kept
}

// memberOf is what a value holds behind tokens of a pointer, nil where that is
// nothing.
func memberOf(value []byte, tokens []string) []byte {
	if value == nil {
		return nil
	}
	at, ok := decode(value)
	for _, token := range tokens {
		if !ok {
			return nil
		}
		at, ok = child(at, model.UnescapePointer(token))
	}
	if !ok {
		return nil
	}
	return encode(at)
}
