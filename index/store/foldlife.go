package store

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sort"
)

// lifeBlock is a block of lives while it is changed.
type lifeBlock struct {
	lives []life
	dirty bool
}

// find searches a life; where there is none, the index tells where it goes.
func (b *lifeBlock) find(key cellKey) (i int, found bool) {
	n := len(b.lives)
	if n == 0 || b.lives[n-1].n < key.n {
		return n, false
	}
	i = sort.Search(n, func(i int) bool { return b.lives[i].n >= key.n })
	for ; i < n && b.lives[i].n == key.n; i++ {
		if key.k == 0 {
			return i, true
		}
		key.k--
	}
	return i, false
}

// block finds or loads a block, or begins one.
func (f *folder) block(ctx context.Context, s *foldSession, at blockKey) (*lifeBlock, error) {
	recent := &s.recent[at.class]
	if recent.block != nil && recent.at == at.block {
		return recent.block, nil
	}
	b, err := f.findBlock(ctx, s, at)
	if err == nil {
		*recent = recentBlock{at.block, b}
	}
	return b, err
}

func (f *folder) findBlock(ctx context.Context, s *foldSession, at blockKey) (*lifeBlock, error) {
	if b := s.blocks[at]; b != nil {
		return b, nil
	}
	b := &lifeBlock{}
	if !s.allLives {
		var data []byte
		if _, err := f.w.ask(ctx, "SELECT data FROM lives WHERE session=? AND kind=? AND block=?", []any{s.key, int64(at.class), at.block}, &data); err != nil {
			return nil, err
		}
		if err := b.load(at, data); err != nil {
			return nil, err
		}
	}
	s.blocks[at] = b
	return b, nil
}

func (b *lifeBlock) load(at blockKey, data []byte) error {
	w := walkLives(at.class, at.block, data)
	for w.next() {
		l := w.life
		l.segment = string(w.segment)
		l.more = slices.Clone(w.more)
		b.lives = append(b.lives, l)
	}
	return w.rest.err()
}

// coming names a row of comings.
type coming struct {
	part int64
	path string
}

const (
	comingBits    = 16
	selectComings = `WITH RECURSIVE parts(n) AS (SELECT 0 UNION ALL SELECT n+1 FROM parts WHERE n<?3)
SELECT data FROM parts CROSS JOIN comings ON session=?1 AND part=n AND path=?2 ORDER BY n`
)

// living finds the member of a path that is there now.
func (f *folder) living(ctx context.Context, s *foldSession, path string, class cellClass, segment string) (key cellKey, ok bool, err error) {
	if key, ok = s.alive[path]; ok || s.allLives {
		return key, ok, nil
	}
	comings, waits := s.coming[coming{s.last >> comingBits, path}]
	if !waits {
		if _, err := f.w.ask(ctx, selectComings+" DESC LIMIT 1", []any{s.key, []byte(path), s.last >> comingBits}, &comings); err != nil {
			return key, false, err
		}
	}
	n := int64(-1)
	for u := unpack(comings); u.More(); {
		n = u.Count()
	}
	if n < 0 {
		return key, false, nil
	}
	b, err := f.block(ctx, s, blockKey{class, n >> livesBits})
	if err != nil {
		return key, false, err
	}
	i, _ := b.find(cellKey{n: n})
	for k := int64(0); i < len(b.lives) && b.lives[i].n == n; i, k = i+1, k+1 {
		if b.lives[i].segment == segment {
			key, ok = cellKey{class: class, n: n, k: k}, true
		}
	}
	return key, ok, nil
}

func (f *folder) flushLives(ctx context.Context, s *foldSession) error {
	var dirty []blockKey
	for at, b := range s.blocks {
		if b.dirty {
			dirty = append(dirty, at)
		}
	}
	slices.SortFunc(dirty, func(a, b blockKey) int { return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.block, b.block)) })
	for _, at := range dirty {
		if err := f.addLives(ctx, s, at); err != nil {
			return err
		}
	}
	comings := slices.SortedFunc(maps.Keys(s.coming), func(a, b coming) int { return cmp.Or(cmp.Compare(a.part, b.part), cmp.Compare(a.path, b.path)) })
	for _, at := range comings {
		f.comings.add(s.key)
		f.comings.add(at.part)
		f.comings.add([]byte(at.path))
		f.comings.add(s.coming[at])
		if err := f.comings.row(ctx); err != nil {
			return err
		}
	}
	clear(s.coming)
	return nil
}

func (f *folder) addLives(ctx context.Context, s *foldSession, at blockKey) error {
	b := s.blocks[at]
	b.dirty = false
	if len(b.lives) == 0 {
		return f.w.exec(ctx, "DELETE FROM lives WHERE session=? AND kind=? AND block=?", s.key, int64(at.class), at.block)
	}
	born, last, alive := b.lives[0].first.pos(), int64(0), int64(0)
	for i := range b.lives {
		l := &b.lives[i]
		born, last = min(born, l.first.pos()), max(last, l.last().pos())
		if !l.last().gone() {
			alive++
		}
	}
	f.lives.add(s.key)
	f.lives.add(int64(at.class))
	f.lives.add(at.block)
	f.lives.add(born)
	f.lives.add(last)
	f.lives.add(alive)
	f.lives.add(packLives(nil, at.class, at.block, b.lives))
	return f.lives.row(ctx)
}
