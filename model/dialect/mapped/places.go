package mapped

import "fmt"

// Place is a place that [event] or [detect] names, and whether a record has
// anything there.
type Place struct {
	Key     string // in the mapping file: event.id
	Pointer string
	at      pointer
}

// Places lists the places that [event] and [detect] name, in the order of the
// documentation.
func (d Dialect) Places() []Place { return d.m.places }

// In reports whether something stands at the place in a record.
func (p Place) In(record []byte) bool { return there(p.at.find(scope{record: record})) }

// eventPlaces are the pointers that every record is asked for, each with its key.
func (m *mapping) eventPlaces() (all []Place) {
	for i := range m.present {
		all = append(all, Place{fmt.Sprintf("detect.present[%d]", i), m.present[i].String(), m.present[i]})
	}
	for i := range m.values {
		all = append(all, Place{"detect.values", m.values[i].at.String(), m.values[i].at})
	}
	add := func(key string, v *value) {
		if v == nil {
			return
		}
		for _, p := range v.parts {
			if p.ptr != nil {
				all = append(all, Place{"event." + key, p.ptr.String(), *p.ptr})
			}
		}
	}
	add("type", m.typ)
	add("id", m.id)
	add("sequence", m.seq)
	add("time", m.time)
	add("session", m.session)
	add("session_title", m.title)
	add("session_parent", m.parent)
	add("spawned_by", m.spawned)
	for i, a := range m.aliases {
		add(fmt.Sprintf("aliases[%d]", i), a)
	}
	add("cause", m.event.cause)
	add("parent", m.event.parent)
	add("call", m.event.call)
	add("tool", m.event.tool)
	add("source", m.event.source)
	add("title", m.event.title)
	if f := m.event.failed; f != nil && !f.always {
		all = append(all, Place{"event.failed", f.at.String(), f.at})
	}
	return all
}
