package store

import (
	"cmp"
	"context"
	"maps"
	"slices"
)

// chunkPosts is how many posts a chunk holds.
const chunkPosts = 256

// foldCell is a numbered cell with its open chunk of posts.
type foldCell struct {
	id         int64
	born, died int64 // died 0: never
	gone       int64 // 0: it is there
	last       int64 // pos of the last post; meaningful where count > 0
	count      int   // posts of the open chunk
	first      int64 // pos of its first
	before     int64 // pos of the last but one, first where there is none
	tail       int   // where the last post stands in chunk
	chunk      []byte
	dirty      bool // the chunk
	changed    bool // the cell's row
	text       fileText
}

// cell finds a cell by path, or makes it.
func (f *folder) cell(ctx context.Context, s *foldSession, path string, pos int64) (*foldCell, error) {
	if c := s.cells[path]; c != nil {
		return c, nil
	}
	c := &foldCell{born: pos, changed: true}
	if !s.allCells {
		if err := f.loadCell(ctx, s, path, c); err != nil {
			return nil, err
		}
	}
	if c.id == 0 {
		if err := f.number(ctx, c); err != nil {
			return nil, err
		}
	}
	s.cells[path] = c
	return c, nil
}

func (f *folder) number(ctx context.Context, c *foldCell) error {
	if f.nextCell == 0 {
		if _, err := f.w.ask(ctx, "SELECT coalesce(max(id),0) FROM cells", nil, &f.nextCell); err != nil {
			return err
		}
	}
	f.nextCell++
	c.id = f.nextCell
	c.text.known = true // there is none
	return nil
}

func (f *folder) loadCell(ctx context.Context, s *foldSession, path string, c *foldCell) error {
	found, err := f.w.ask(ctx, "SELECT id, born, coalesce(died,0), coalesce(gone,0) FROM cells WHERE session=? AND path=?", []any{s.key, []byte(path)}, &c.id, &c.born, &c.died, &c.gone)
	if err != nil || !found {
		return err
	}
	c.changed = false
	found, err = f.w.ask(ctx, "SELECT pos, data FROM posts WHERE cell=? ORDER BY pos DESC LIMIT 1", []any{c.id}, &c.first, &c.chunk)
	if err != nil || !found {
		return err
	}
	u := unpack(c.chunk)
	for c.last = c.first; u.More(); c.count++ {
		c.before, c.tail = c.last, len(c.chunk)-len(u.Rest)
		c.last += u.Count() >> 1
	}
	return u.err()
}

// postTo adds a post to a cell; a second one of the same event takes the
// first's place.
func (f *folder) postTo(ctx context.Context, c *foldCell, p post) error {
	switch {
	case c.count > 0 && c.last == p.pos():
		c.chunk = appendPost(c.chunk[:c.tail], c.before, p)
	case c.count == 0 || c.count == chunkPosts:
		if err := f.addChunk(ctx, c); err != nil {
			return err
		}
		c.first, c.before, c.last, c.tail, c.count = p.pos(), p.pos(), p.pos(), 0, 1
		c.chunk = appendPost(nil, p.pos(), p)
	default:
		c.before, c.tail = c.last, len(c.chunk)
		c.chunk = appendPost(c.chunk, c.last, p)
		c.last = p.pos()
		c.count++
	}
	c.dirty = true
	gone := int64(0)
	if p.gone() {
		gone = p.pos()
	}
	if gone != c.gone {
		c.gone, c.changed = gone, true
		if c.died == 0 {
			c.died = gone
		}
	}
	return nil
}

// addChunk hands the open chunk over if it changed.
func (f *folder) addChunk(ctx context.Context, c *foldCell) error {
	if !c.dirty {
		return nil
	}
	c.dirty = false
	f.posts.add(c.id)
	f.posts.add(c.first)
	f.posts.add(c.chunk)
	return f.posts.row(ctx)
}

func (f *folder) flushCells(ctx context.Context, s *foldSession) error {
	for _, path := range sortedDirty(s.cells) {
		c := s.cells[path]
		if c.changed {
			c.changed = false
			f.cells.add(s.key)
			f.cells.add([]byte(path))
			f.cells.add(c.id)
			f.cells.add(c.born)
			f.cells.add(orNil(c.died))
			f.cells.add(orNil(c.gone))
			if err := f.cells.row(ctx); err != nil {
				return err
			}
		}
		if err := f.addChunk(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// sortedDirty lists the cells that changed, by path.
func sortedDirty(cells map[string]*foldCell) []string {
	var paths []string
	for path, c := range cells {
		if c.dirty || c.changed {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
