package importer

import (
	"context"
	"hash/maphash"

	"hindcast/model"
)

// idLimit is how many ids a session keeps in memory: about 30 bytes each.
// Beyond it the index's own id index is built early and asked instead.
const idLimit = 4 << 20

// infoLimit is how many of a session's last events keep their place, root and
// depth in memory: 32 bytes each. Older ones are read from the index.
const infoLimit = 1 << 20

var idSeed = maphash.MakeSeed()

// idEntry is what an id leads to: the first event that carries it.
type idEntry struct {
	pos    uint32
	hash   uint32 // of the event's bytes, to know a copy
	stream uint16 // where it came from; another stream's record of one id is a copy
	alias  bool
}

// idTable maps the ids of one session. Ids are kept as 64-bit hashes.
type idTable struct {
	m map[uint64]idEntry
	// partial: some earlier ids are only in the index.
	partial bool
}

func (t *idTable) get(id string) (idEntry, bool) {
	e, ok := t.m[maphash.String(idSeed, id)]
	return e, ok
}

// put keeps the first event of an id; an event's own id goes before an alias.
func (t *idTable) put(id string, e idEntry) {
	if t.m == nil {
		t.m = make(map[uint64]idEntry)
	}
	h := maphash.String(idSeed, id)
	if old, ok := t.m[h]; ok && (!old.alias || e.alias) {
		return
	}
	t.m[h] = e
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

// trimIDs lets go of the ids in memory when there are too many. From then on
// they are asked of the index, which holds them all by now.
func (m *Importer) trimIDs(ctx context.Context) error {
	total := 0
	for _, s := range m.sessions {
		total += len(s.ids.m)
	}
	if total < idLimit {
		return nil
	}
	for _, s := range m.sessions {
		s.ids = idTable{partial: true}
	}
	if err := m.out.drain(); err != nil {
		return err
	}
	return m.w.BuildIndexes(ctx)
}
