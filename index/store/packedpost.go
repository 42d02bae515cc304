package store

import (
	"sort"

	"hindcast/model/varint"
)

// A post is a position at which a cell was written, and whether that took the
// member away: pos << 1 | gone.
type post int64

func postAt(pos int64, gone bool) post {
	if gone {
		return post(pos<<1 | 1)
	}
	return post(pos << 1)
}

func (p post) pos() int64 { return int64(p >> 1) }
func (p post) gone() bool { return p&1 != 0 }

// appendPost packs a post behind one at the pos before.
func appendPost(dst []byte, before int64, p post) []byte {
	return packUint(dst, (p.pos()-before)<<1|int64(p&1))
}

// unpackPosts appends the posts of a chunk whose first stands at pos.
func unpackPosts(dst []post, pos int64, data []byte) ([]post, error) {
	u := unpack(data)
	for u.More() {
		v := u.Count()
		pos += v >> 1
		dst = append(dst, post(pos<<1|v&1))
	}
	return dst, u.err()
}

// postIn finds the last post at or before pos in a chunk whose first stands at
// first.
func postIn(first int64, data []byte, pos int64) (p post, ok bool, err error) {
	u := unpack(data)
	for at := first; u.More(); {
		v := u.Count()
		if at += v >> 1; at > pos {
			break
		}
		p, ok = post(at<<1|v&1), true
	}
	return p, ok, u.err()
}

// lastPost finds the last post at or before pos; -1: none.
func lastPost(posts []post, pos int64) int {
	return sort.Search(len(posts), func(i int) bool { return posts[i].pos() > pos }) - 1
}

// life is a member of a block: all its posts, the first apart, because most
// have few.
type life struct {
	n       int64
	segment string // of the classes that are named by their coming
	first   post
	more    []post
}

func (l *life) last() post {
	if len(l.more) > 0 {
		return l.more[len(l.more)-1]
	}
	return l.first
}

// post adds a post; a second one of the same event takes the first's place.
func (l *life) post(p post) {
	switch {
	case l.last().pos() != p.pos():
		l.more = append(l.more, p)
	case len(l.more) > 0:
		l.more[len(l.more)-1] = p
	default:
		l.first = p
	}
}

// at finds the last post at or before pos.
func (l *life) at(pos int64) (p post, ok bool) {
	if i := lastPost(l.more, pos); i >= 0 {
		return l.more[i], true
	}
	return l.first, l.first.pos() <= pos
}

// A block of lives holds those whose numbers have the same upper bits.
const (
	livesBits = 10
	livesSpan = 1 << livesBits
)

// How the posts of a life are packed.
const (
	livesOnce  = iota // one, at its own number
	livesTwice        // and one that took it away: distance
	livesMany         // number of posts, first (signed distance << 1 | gone), the others as in a chunk
)

// packLives packs a block: for each life the distance of its number from the
// one before, the segment where it is named by its coming, and its posts.
func packLives(dst []byte, class cellClass, block int64, lives []life) []byte {
	n := block << livesBits
	for i := range lives {
		l := &lives[i]
		form := int64(livesMany)
		switch {
		case l.first != postAt(l.n, false):
		case len(l.more) == 0:
			form = livesOnce
		case len(l.more) == 1 && l.more[0].gone():
			form = livesTwice
		}
		dst = packUint(dst, (l.n-n)<<2|form)
		n = l.n
		if class != classPosMessage {
			dst = varint.AppendText(dst, l.segment)
		}
		switch form {
		case livesTwice:
			dst = packUint(dst, l.more[0].pos()-l.n)
		case livesMany:
			dst = packUint(dst, int64(len(l.more)))
			dst = packInt(dst, (l.first.pos()-l.n)<<1|int64(l.first&1))
			before := l.first.pos()
			for _, p := range l.more {
				dst = appendPost(dst, before, p)
				before = p.pos()
			}
		}
	}
	return dst
}

// livesWalk reads a block one life after another. Segments are parts of the
// packed bytes, and posts are valid until the next call.
type livesWalk struct {
	class   cellClass
	rest    unpacker
	n, k    int64
	started bool
	segment []byte
	life    life
	more    []post
}

func walkLives(class cellClass, block int64, data []byte) livesWalk {
	return livesWalk{class: class, n: block << livesBits, rest: unpack(data)}
}

// next reads a life into w.life (its segment into w.segment); w.k counts those
// of the same number.
func (w *livesWalk) next() bool {
	u := &w.rest
	if u.Bad || !u.More() {
		return false
	}
	v := u.Count()
	switch {
	case v>>2 != 0 || !w.started:
		w.n, w.k = w.n+v>>2, 0
	default:
		w.k++
	}
	w.started = true
	if w.class != classPosMessage {
		w.segment = u.Text()
	}
	w.more = w.more[:0]
	w.life = life{n: w.n, first: postAt(w.n, false)}
	switch v & 3 {
	case livesOnce:
	case livesTwice:
		w.more = append(w.more, postAt(w.n+u.Count(), true))
	case livesMany:
		count := u.Count()
		first := u.Int()
		pos := w.n + first>>1
		w.life.first = post(pos<<1 | first&1)
		for ; count > 0 && !u.Bad; count-- {
			v := u.Count()
			pos += v >> 1
			w.more = append(w.more, post(pos<<1|v&1))
		}
	default:
		u.Fail()
	}
	w.life.more = w.more
	return !u.Bad
}
