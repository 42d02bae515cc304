package mapped

import (
	"slices"
	"strings"

	"hindcast/model/jsonscan"
)

// deepest is how many steps below a record its fields are told apart.
const deepest = 8

// Ruled gives the type of a record, and whether any rule is for it.
func (d Dialect) Ruled(raw []byte) (typ string, ruled bool) {
	r := d.m.read(raw)
	return r.typ, len(r.rules) > 0
}

// Unread calls yield with the fields of a record that neither [event] nor a rule
// that fits it names: their pointer, in which * stands for each element of a
// list, and one value.
func (d Dialect) Unread(raw []byte, yield func(pointer string, value []byte) bool) {
	r := d.m.read(raw)
	leaves(raw, nil, func(at []string, v []byte) bool {
		named := !there(v) || isNamed(at, d.m.named)
		for _, x := range r.rules {
			named = named || isNamed(at, x.named)
		}
		return named || yield((&pointer{tokens: at}).String(), v)
	})
}

// names adds the places that every record is asked for, but for the session's
// title: that may be another field of each type, and is news where it changes.
func (m *mapping) names(all [][]string) [][]string {
	for _, v := range append([]*value{m.id, m.typ, m.session, m.seq, m.time, m.parent, m.spawned}, m.aliases...) {
		all = v.names(all, nil)
	}
	for i := range m.present {
		all = m.present[i].names(all, nil)
	}
	for i := range m.values {
		all = m.values[i].at.names(all, nil)
	}
	return m.event.names(all)
}

func (x *rule) names(all [][]string) [][]string {
	for i := range x.has {
		all = x.has[i].names(all, nil)
	}
	for i := range x.values {
		all = x.values[i].at.names(all, nil)
	}
	for i := range x.effects {
		fx := &x.effects[i]
		for _, v := range fx.args {
			all = v.names(all, fx.each)
		}
	}
	return x.common.names(all)
}

func (c *common) names(all [][]string) [][]string {
	for _, v := range []*value{c.parent, c.cause, c.call, c.tool, c.source, c.title} {
		all = v.names(all, nil)
	}
	if c.failed != nil && !c.failed.always {
		all = c.failed.at.names(all, nil)
	}
	return all
}

func (v *value) names(all [][]string, each *pointer) [][]string {
	if v == nil {
		return all
	}
	for _, p := range v.parts {
		if p.ptr != nil {
			all = p.ptr.names(all, each)
		}
	}
	return all
}

// names adds the place of a pointer, from the record down.
func (p *pointer) names(all [][]string, each *pointer) [][]string {
	switch {
	case p.from == elementKey:
		return all
	case p.from == fromElement && each != nil:
		return append(all, slices.Concat(each.tokens, []string{star}, p.tokens))
	}
	return append(all, p.tokens)
}

// isNamed reports a place that is named, or lies in one that is, or holds one.
func isNamed(at []string, named [][]string) bool {
	for _, n := range named {
		same := true
		for i := range min(len(n), len(at)) {
			same = same && (n[i] == at[i] || n[i] == star || at[i] == star && strings.Trim(n[i], "0123456789") == "")
		}
		if same {
			return true
		}
	}
	return false
}

// leaves walks what a value holds that is no container, containers that are
// empty, and those that are too deep. A string that holds a container is one. It
// stops when yield returns false.
func leaves(v []byte, at []string, yield func(at []string, v []byte) bool) bool {
	some, more := false, true
	inner := func(token string, e []byte) bool {
		some = true
		more = leaves(e, append(at[:len(at):len(at)], token), yield)
		return more
	}
	if len(at) < deepest {
		within := v
		if jsonscan.Kind(v) == '"' && (v[1] == '{' || v[1] == '[') {
			within = jsonscan.Unpacked(v)
		}
		jsonscan.Fields(within, inner)
		jsonscan.Elements(within, func(e []byte) bool { return inner(star, e) })
	}
	if some {
		return more
	}
	return yield(at, v)
}

// plainFields are the record's fields beside those that are the same thing in
// every record: what a title can be made of.
func (r *reading) plainFields(yield func(name string, v []byte) bool) {
	leaves(r.scope.record, nil, func(at []string, v []byte) bool {
		if len(at) == 0 || at[len(at)-1] == star || isNamed(at, r.m.shared) {
			return true
		}
		switch jsonscan.Kind(v) {
		case '"', '0', 't', 'f':
			return yield(at[len(at)-1], v)
		}
		return true
	})
}
