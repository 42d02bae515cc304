package store

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
)

// Node is an event that follows from others: where it stands, below which node,
// and how many causes lie between it and the nearest start.
type Node struct {
	Session, Pos int64
	Parent       int32 // in the list; -1: where the walk started
	Depth        int32
	Failed       bool
}

// Place is where a node stands.
func (n Node) Place() Step { return Step{n.Session, n.Pos} }

// Compare orders nodes by session, then by pos.
func (n Node) Compare(o Node) int {
	return cmp.Compare(keyOf(n.Session, n.Pos), keyOf(o.Session, o.Pos))
}

// Windows of targets: where most of them belong to what is looked for, one scan
// of the index costs a fraction of as many seeks.
const (
	narrowWindow = 256
	widestWindow = 1 << 18
)

// Descend lists what followed from events at any distance over causal links,
// each once, below that one of its causes which is nearest to a start, the
// earliest of several. It walks in order of keys, not of distance; whole is false
// where limit ended it. Memory: some 40 bytes a node.
func (r *Reader) Descend(ctx context.Context, from []Step, limit int) (nodes []Node, whole bool, err error) {
	d := descent{limit: limit, pages: map[int64]*descentPage{}}
	for _, s := range from {
		d.add(keyOf(s.Session, s.Pos), -1)
	}
	width := int64(narrowWindow)
	for {
		lo, ok := d.next()
		if !ok || d.full {
			break
		}
		_, end := keys(sessionOf(lo))
		hi := min(lo+width-1, end)
		if err := d.window(ctx, r, lo, hi); err != nil {
			return nil, false, err
		}
		switch hits := d.finish(lo, hi); {
		case hits*4 >= width:
			width = min(width*2, widestWindow)
		case hits*16 < width:
			width = max(width/4, narrowWindow)
		}
	}
	return d.nodes, !d.full, d.failures(ctx, r)
}

// descent is one walk on its way.
type descent struct {
	limit int
	nodes []Node
	done  []bool // of each node: its own links are read
	pages map[int64]*descentPage
	last  *descentPage // the page that was asked for last
	at    int64        // its number
	queue []int64      // pages with nodes that are not done, a heap
	full  bool
}

// descentPage finds the nodes of 4096 neighbouring keys.
type descentPage struct {
	node   [1 << pageBits]int32 // 1 + its place in the list
	queued bool
}

const pageBits = 12

func (d *descent) page(key int64) *descentPage {
	if n := key >> pageBits; d.last == nil || n != d.at {
		d.last, d.at = d.pages[n], n
	}
	return d.last
}

// find is the place of a key's node; -1 where it is none.
func (d *descent) find(key int64) int32 {
	p := d.page(key)
	if p == nil {
		return -1
	}
	return p.node[key&(1<<pageBits-1)] - 1
}

func (d *descent) add(key int64, parent int32) {
	n := Node{Session: sessionOf(key), Pos: posOf(key), Parent: parent}
	if parent >= 0 {
		n.Depth = d.nodes[parent].Depth + 1
	} else if d.find(key) >= 0 {
		return
	}
	p := d.page(key)
	if p == nil {
		p = &descentPage{}
		d.pages[key>>pageBits], d.last = p, p
	}
	d.nodes, d.done = append(d.nodes, n), append(d.done, false)
	p.node[key&(1<<pageBits-1)] = int32(len(d.nodes))
	if !p.queued {
		p.queued = true
		d.push(key >> pageBits)
	}
}

// edge takes a link from target, an earlier event, to source, a later one.
func (d *descent) edge(target, source int64) {
	parent := d.find(target)
	if parent < 0 || d.full {
		return
	}
	switch at := d.find(source); {
	case at < 0 && len(d.nodes) >= d.limit:
		d.full = true
	case at < 0:
		d.add(source, parent)
	case !d.done[at] && d.nodes[at].Parent >= 0 && d.nodes[parent].Depth+1 < d.nodes[at].Depth:
		d.nodes[at].Parent, d.nodes[at].Depth = parent, d.nodes[parent].Depth+1
	}
}

// window reads the links that lead to the keys from lo to hi, in their order: a
// link within a session starts behind its target, so that a target's own
// distance is known when its links come.
func (d *descent) window(ctx context.Context, r *Reader, lo, hi int64) error {
	const (
		others = `SELECT src - back, src FROM links WHERE back IS NOT NULL AND src - back BETWEEN ?1 AND ?2 AND code & 7 < 4 AND code >> 4 & 3 = 0 ORDER BY src - back, src`
		causes = `SELECT key - cause, key FROM events WHERE cause IS NOT NULL AND key - cause BETWEEN ?1 AND ?2 ORDER BY key - cause, key`
	)
	type link struct{ target, source int64 }
	var more []link
	var target, source any
	dest := []any{&target, &source}
	err := r.each(ctx, "links", others, []any{lo, hi}, func(rows *sql.Rows) error {
		err := rows.Scan(dest...)
		more = append(more, link{integer(target), integer(source)})
		return err
	})
	if err != nil {
		return err
	}
	err = r.each(ctx, "links", causes, []any{lo, hi}, func(rows *sql.Rows) error {
		if err := rows.Scan(dest...); err != nil {
			return err
		}
		t := integer(target)
		for len(more) > 0 && more[0].target < t {
			d.edge(more[0].target, more[0].source)
			more = more[1:]
		}
		d.edge(t, integer(source))
		return nil
	})
	for _, l := range more {
		d.edge(l.target, l.source)
	}
	return err
}

// finish marks the nodes from lo to hi as done and counts them.
func (d *descent) finish(lo, hi int64) (hits int64) {
	for from := lo; from <= hi; from = (from>>pageBits + 1) << pageBits {
		p := d.page(from)
		if p == nil {
			continue
		}
		for key := from; key <= min(hi, from|(1<<pageBits-1)); key++ {
			if at := p.node[key&(1<<pageBits-1)]; at > 0 {
				d.done[at-1] = true
				hits++
			}
		}
	}
	return hits
}

// next is the first key whose links are still to be read.
func (d *descent) next() (int64, bool) {
	for len(d.queue) > 0 {
		n := d.queue[0]
		p := d.pages[n]
		for i, at := range p.node {
			if at > 0 && !d.done[at-1] {
				return n<<pageBits | int64(i), true
			}
		}
		p.queued = false
		d.queue = d.queue[1:]
	}
	return 0, false
}

// push keeps the queue of pages in order: there are few, and they mostly come so.
func (d *descent) push(n int64) {
	i, _ := slices.BinarySearch(d.queue, n)
	d.queue = slices.Insert(d.queue, i, n)
}

// failures marks the nodes that failed.
func (d *descent) failures(ctx context.Context, r *Reader) error {
	spans := map[int64][2]int64{}
	for _, n := range d.nodes {
		s, ok := spans[n.Session]
		if !ok {
			s = [2]int64{n.Pos, n.Pos}
		}
		spans[n.Session] = [2]int64{min(s[0], n.Pos), max(s[1], n.Pos)}
	}
	for session, s := range spans {
		const text = "SELECT key FROM events WHERE flags >> 6 & 3 = 2 AND key BETWEEN ? AND ?"
		err := r.each(ctx, "failures", text, []any{keyOf(session, s[0]), keyOf(session, s[1])}, func(rows *sql.Rows) error {
			var key int64
			err := rows.Scan(&key)
			if at := d.find(key); at >= 0 {
				d.nodes[at].Failed = true
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
