package importer

import (
	"hash/maphash"

	"hindcast/model"
)

// idLimit is how many ids are kept in memory over all sessions: about 40 bytes
// each. Of older ones only a filter stays, 6 bytes each, which tells nearly
// always that an id is new; else the index is asked.
const idLimit = 1 << 19

// infoLimit is how many of a session's last events keep their place, root and
// depth in memory: 24 bytes each. Older ones are read from the index.
const infoLimit = 1 << 17

var idSeed = maphash.MakeSeed()

// idEntry is what an id leads to: the first event that carries it.
type idEntry struct {
	pos   uint32
	hash  uint32 // of the event's bytes, to know a copy
	alias bool
}

// idTable maps the ids of one session. Ids are kept as 64-bit hashes, in two
// generations, so that the last ones are at hand even when old ones go.
type idTable struct {
	m, last map[uint64]idEntry
	// older are ids that only the index knows.
	older []bloom
	// partial: some ids of an earlier import are in the index alone, and in none
	// of the filters.
	partial bool
}

func (t *idTable) get(id string) (idEntry, bool) {
	h := maphash.String(idSeed, id)
	e, ok := t.m[h]
	if !ok && t.last != nil {
		e, ok = t.last[h]
	}
	return e, ok
}

// mayHold reports that the index must be asked for an id that get does not know.
func (t *idTable) mayHold(id string) bool {
	if t.partial {
		return true
	}
	if len(t.older) == 0 {
		return false
	}
	h := maphash.String(idSeed, id)
	for _, f := range t.older {
		if f.has(h) {
			return true
		}
	}
	return false
}

// forget moves the ids of the last generation into a filter; this one is the
// last from now on.
func (t *idTable) forget() {
	if len(t.last) > 0 {
		f := newBloom(len(t.last))
		for h := range t.last {
			f.add(h)
		}
		t.older = append(t.older, f)
	}
	t.m, t.last = nil, t.m
}

// bloom is a Bloom filter over hashes: with 48 bits an entry and 12 probes it
// is wrong about once in 70 million cases. Being wrong costs a query, and
// before there are indexes their building.
type bloom []uint64

func newBloom(entries int) bloom { return make(bloom, entries*48/64+1) }

func (b bloom) add(h uint64) {
	for range bloomProbes {
		i := h % uint64(len(b)*64)
		b[i/64] |= 1 << (i % 64)
		h = next(h)
	}
}

func (b bloom) has(h uint64) bool {
	for range bloomProbes {
		i := h % uint64(len(b)*64)
		if b[i/64]>>(i%64)&1 == 0 {
			return false
		}
		h = next(h)
	}
	return true
}

const bloomProbes = 12

// next is the splitmix64 step: another hash out of a hash.
func next(h uint64) uint64 {
	h += 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// add keeps the first event of an id that get and mayHold do not know.
func (t *idTable) add(id string, e idEntry) {
	if t.m == nil {
		t.m = make(map[uint64]idEntry)
	}
	t.m[maphash.String(idSeed, id)] = e
}

// put keeps the first event of an id; an event's own id goes before an alias.
func (t *idTable) put(id string, e idEntry) {
	if t.m == nil {
		t.m = make(map[uint64]idEntry)
	}
	if old, ok := t.get(id); ok && (!old.alias || e.alias) {
		return
	}
	t.m[maphash.String(idSeed, id)] = e
}

// info is what is kept at hand of an event.
type info struct {
	seq   int64
	root  uint32
	depth uint32
	kind  model.Kind
	mated bool // its first result has come
}

// infoRing keeps the info of a session's last events by pos.
type infoRing struct {
	first int64 // pos of list[0]
	list  []info
}

func (r *infoRing) at(pos int64) *info {
	i := pos - r.first
	if i < 0 || i >= int64(len(r.list)) {
		return nil
	}
	return &r.list[i]
}

func (r *infoRing) push(pos int64, i info) {
	if len(r.list) == 0 {
		r.first = pos
	}
	if len(r.list) >= 2*infoLimit {
		n := copy(r.list, r.list[len(r.list)-infoLimit:])
		r.first += int64(len(r.list) - n)
		r.list = r.list[:n]
	}
	r.list = append(r.list, i)
}

// trimIDs lets go of the ids in memory when there are too many: the index
// holds them all by then.
func (m *Importer) trimIDs() error {
	total := 0
	for _, s := range m.sessions {
		total += len(s.ids.m)
	}
	if total < m.opt.IDs/2 {
		return nil
	}
	for _, s := range m.sessions {
		s.ids.forget()
	}
	return m.out.drain()
}

// indexIDs makes the index able to find ids, once somebody asks.
func (m *Importer) indexIDs() error {
	if m.w.HasIndexes() {
		return nil
	}
	if err := m.out.rest(); err != nil { // an event is being placed: nothing may be flushed
		return err
	}
	return m.w.BuildIndexes(m.out.ctx)
}
