package importer

import (
	"hash/maphash"
	"math/bits"

	"hindcast/model"
)

// idLimit is how many ids are kept in memory over all sessions: about 32 bytes
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

// idTable maps the ids of one session. Ids are kept as hashes, in two
// generations, so that the last ones are at hand even when old ones go.
type idTable struct {
	m, last idMap
	// older are ids that only the index knows.
	older []bloom
	// partial: some ids of an earlier import are in the index alone, and in none
	// of the filters.
	partial bool
}

// idHash leaves the two highest bits to the slots of an idMap.
func idHash(id string) uint64 { return maphash.String(idSeed, id) >> 2 }

func (t *idTable) get(id string) (idEntry, bool) {
	h := idHash(id)
	e, ok := t.m.get(h)
	if !ok {
		e, ok = t.last.get(h)
	}
	return e, ok
}

// idMap is a hash table with open addressing. Nearly every event asks for its
// id in vain and then adds it, and what that costs is to fetch memory: here it
// is one place, and small.
type idMap struct {
	slots []idSlot // a power of two of them, at most three quarters in use
	n     int
}

// idSlot is free where its key is 0.
type idSlot struct {
	key  uint64 // the hash, slotUsed, and slotAlias where the entry is one
	pos  uint32
	hash uint32
}

const (
	slotUsed  = 1 << 63
	slotAlias = 1 << 62
)

// find returns the index of the slot of h, or of the free one where it belongs.
func (t *idMap) find(h uint64) uint64 {
	mask := uint64(len(t.slots) - 1)
	i := h & mask
	for t.slots[i].key != 0 && t.slots[i].key&^slotAlias != h|slotUsed {
		i = (i + 1) & mask
	}
	return i
}

func (t *idMap) get(h uint64) (idEntry, bool) {
	if t.n == 0 {
		return idEntry{}, false
	}
	s := &t.slots[t.find(h)]
	return idEntry{pos: s.pos, hash: s.hash, alias: s.key&slotAlias != 0}, s.key != 0
}

func (t *idMap) put(h uint64, e idEntry) {
	if t.n >= len(t.slots)/4*3 {
		t.grow(max(8, 2*len(t.slots)))
	}
	s := &t.slots[t.find(h)]
	if s.key == 0 {
		t.n++
	}
	*s = idSlot{key: h | slotUsed, pos: e.pos, hash: e.hash}
	if e.alias {
		s.key |= slotAlias
	}
}

func (t *idMap) grow(size int) {
	old := t.slots
	t.slots = make([]idSlot, size)
	for _, s := range old {
		if s.key != 0 {
			t.slots[t.find(s.key&^(slotUsed|slotAlias))] = s
		}
	}
}

// whole reports that all ids of the session are at hand, each with the first
// event that carries it: one that get does not know is none.
func (t *idTable) whole() bool { return !t.partial && t.m.n+t.last.n > 0 && len(t.older) == 0 }

// mayHold reports that the index must be asked for an id that get does not know.
func (t *idTable) mayHold(id string) bool {
	if t.partial {
		return true
	}
	if len(t.older) == 0 {
		return false
	}
	h := idHash(id)
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
	if t.last.n > 0 {
		f := newBloom(t.last.n)
		for _, s := range t.last.slots {
			if s.key != 0 {
				f.add(s.key &^ (slotUsed | slotAlias))
			}
		}
		t.older = append(t.older, f)
	}
	t.m, t.last = idMap{}, t.m
}

// bloom is a Bloom filter over hashes: with 48 bits an entry and 12 probes it
// is wrong about once in 70 million cases. Being wrong costs a query, and
// before there are indexes their building.
type bloom []uint64

func newBloom(entries int) bloom { return make(bloom, entries*48/64+1) }

func (b bloom) add(h uint64) {
	for range bloomProbes {
		h = next(h)
		i := b.bit(h)
		b[i/64] |= 1 << (i % 64)
	}
}

func (b bloom) has(h uint64) bool {
	for range bloomProbes {
		h = next(h)
		i := b.bit(h)
		if b[i/64]>>(i%64)&1 == 0 {
			return false
		}
	}
	return true
}

const bloomProbes = 12

// bit scales a hash to the number of a bit, without the division of a modulus.
func (b bloom) bit(h uint64) uint64 {
	i, _ := bits.Mul64(h, uint64(len(b)*64))
	return i
}

// next is the splitmix64 step: another hash out of a hash.
func next(h uint64) uint64 {
	h += 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// add keeps the first event of an id that get and mayHold do not know.
func (t *idTable) add(id string, e idEntry) { t.m.put(idHash(id), e) }

// put keeps the first event of an id; an event's own id goes before an alias.
func (t *idTable) put(id string, e idEntry) {
	if old, ok := t.get(id); ok && (!old.alias || e.alias) {
		return
	}
	t.m.put(idHash(id), e)
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

// trimIDs lets go of the ids in memory when there are too many. The index holds
// them once it has what was handed over, which is waited for only if it is
// asked: most ids that come are new.
func (m *Importer) trimIDs() {
	total := 0
	for _, s := range m.sessions {
		total += s.ids.m.n
	}
	if total < m.opt.IDs/2 {
		return
	}
	for _, s := range m.sessions {
		s.ids.forget()
	}
	m.out.owed = true
}

// indexIDs makes the index able to find the ids that are not in memory, once
// somebody asks. An event is being placed then: nothing may be flushed.
func (m *Importer) indexIDs() error {
	if m.w.HasIndexes() && !m.out.owed {
		return nil
	}
	if err := m.out.rest(); err != nil {
		return err
	}
	m.out.owed = false
	if m.w.HasIndexes() {
		return nil
	}
	return m.w.BuildIndexes(m.out.ctx)
}
