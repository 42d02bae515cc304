package generic

import (
	"slices"
	"strings"

	"hindcast/model/jsonscan"
)

// nested is added to the rank of a field for each container that goes before
// the one in which it stands, and for the record itself.
const nested = 1000

// choice is which field a stream uses where records may carry several: its
// name, as container.key where it stands in a container. unset: whichever
// counts in the record; none: no field.
type choice struct {
	seq, session string
}

const (
	unset = ""
	none  = "\x00"
)

// field is the value that a record has for a role.
type field struct {
	value []byte
	rank  int
}

// found holds what a record tells.
type found struct {
	field   [roles]field
	choice  choice
	aliases []field // further ids
}

// look finds the fields of a record.
func look(raw []byte, c choice) *found {
	f := &found{choice: c}
	members(raw, f.take)
	return f
}

// members walks a record's own fields, and then those of its containers.
func members(raw []byte, f func(container, key string, value []byte)) {
	var inner [len(containerNames)][]byte
	jsonscan.Fields(raw, func(key string, value []byte) bool {
		f("", key, value)
		if jsonscan.Kind(value) == '{' {
			if i := slices.Index(containerNames[:], key); i >= 0 {
				inner[i] = value
			}
		}
		return true
	})
	for i, value := range inner {
		if value == nil {
			continue
		}
		jsonscan.Fields(value, func(key string, value []byte) bool {
			f(containerNames[i], key, value)
			return true
		})
	}
}

// take notes a field for every role that it can have. Of a key that a record
// carries twice the last counts, as it does for most readers.
func (f *found) take(container, key string, value []byte) {
	for _, use := range keyUses[key] {
		rank := use.rank
		if container != "" {
			rank += nested * (1 + slices.Index(containerNames[:], container))
		}
		have := &f.field[use.role]
		if have.value != nil && have.rank < rank && use.role != roleID || !usable(use.role, value) || !f.chosen(use.role, container, key) {
			continue
		}
		if use.role == roleID && have.value != nil && have.rank != rank {
			if container != "" {
				continue // the id of something else
			}
			other := field{value, rank}
			if rank < have.rank {
				*have, other = other, *have
			}
			f.aliases = append(f.aliases, other)
			continue
		}
		*have = field{value, rank}
	}
}

// chosen reports whether the stream uses this field for the role.
func (f *found) chosen(r role, container, key string) bool {
	want := unset
	switch r {
	case roleSeq:
		want = f.choice.seq
	case roleSession:
		want = f.choice.session
	}
	return want == unset || want == fieldName(container, key)
}

func fieldName(container, key string) string {
	if container == "" {
		return key
	}
	return container + "." + key
}

// usable reports whether a value can serve in a role.
func usable(r role, v []byte) bool {
	kind := jsonscan.Kind(v)
	switch r {
	case roleCause:
		return kind == '[' || isText(v)
	case roleError, roleOutput, roleInput:
		return kind != 'n'
	case roleExit:
		_, ok := jsonscan.Int(v)
		return ok
	case roleFailed, roleOK:
		return kind == 't' || kind == 'f'
	case roleSeq:
		n, ok := jsonscan.Int(v)
		return ok && n >= 0
	case roleTime:
		return jsonscan.Time(v).Known
	case roleTitle:
		return telling(v) != nil
	case roleTool:
		return kind == '"' && len(v) > 2 || kind == '{' && jsonscan.Kind(jsonscan.Get(v, "name")) == '"'
	case roleType, roleSpeaker, roleSource:
		return kind == '"' && len(v) > 2
	case roleStatus:
		return kind == '"' || kind == '{'
	}
	return isText(v)
}

// isText reports whether a value is a string that is not empty, or a number.
func isText(v []byte) bool {
	kind := jsonscan.Kind(v)
	return kind == '"' && len(v) > 2 || kind == '0'
}

// text is a role's value as text.
func (f *found) text(r role) string { return jsonscan.Scalar(f.field[r].value) }

// word is a role's value in lower case.
func (f *found) word(r role) string { return strings.ToLower(f.text(r)) }

func (f *found) has(r role) bool { return f.field[r].value != nil }
