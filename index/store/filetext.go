package store

import (
	"context"
	"database/sql"

	"github.com/cespare/xxhash/v2"

	"hindcast/model"
	"hindcast/model/varint"
)

// A version of a file's text is packed as a form, the number of versions below
// it that reading it takes, and then
//
//	textNone    nothing: it is not known from here on
//	textWhole   all of it
//	textSplice  lengths of the prefix and suffix of the version before that stay, and what stands between
//	textSame    cell and time of an equal version in the same session
//
// Bytes are a length << 1, or << 1 | 1 and then blocks of at most
// BlockSize each, with their lengths.
const (
	textNone = iota
	textWhole
	textSplice
	textSame
)

// maxTextDepth bounds how many versions are read to make one.
const maxTextDepth = 32

// Texts shorter than shortText are stored again rather than looked up, and not
// compressed.
const shortText = 1024

// fileText is what the writer remembers of a cell's last version.
type fileText struct {
	known bool   // the rest is as the index has it
	at    int64  // 0: there is no version
	hash  uint64 // of the text
	none  bool
	depth int
}

// text stores a version of a file's text where it differs from the last one.
func (f *folder) text(ctx context.Context, s *foldSession, c *foldCell, pos int64, second bool, wr *model.Write) error {
	if err := f.loadText(ctx, c); err != nil {
		return err
	}
	last := &c.text
	at := pos << 1
	if second {
		at++
	}
	if wr.New.Text == nil {
		if last.at == 0 || last.none {
			return nil
		}
		*last = fileText{known: true, at: at, none: true}
		return f.addText(ctx, c.id, at, nil, []byte{textNone, 0})
	}
	text := *wr.New.Text
	hash := textHash(s.key, text)
	if last.at != 0 && !last.none && last.hash == hash {
		return nil
	}
	data, depth, err := f.packVersion(ctx, s, c, wr.Old.Text, text, hash)
	if err != nil {
		return err
	}
	*last = fileText{known: true, at: at, hash: hash, depth: depth}
	if s.hashes != nil {
		s.hashes[hash] = struct{}{}
	}
	return f.addText(ctx, c.id, at, int64(hash), data)
}

// textHash is different for equal texts of different sessions: none may stand
// on what another one's end takes away.
func textHash(session int64, text string) uint64 {
	const odd = 0x9e3779b97f4a7c15
	return xxhash.Sum64String(text) ^ uint64(session)*odd
}

func (f *folder) addText(ctx context.Context, cell, at int64, hash any, data []byte) error {
	f.texts.add(cell)
	f.texts.add(at)
	f.texts.add(hash)
	f.texts.add(data)
	return f.texts.row(ctx)
}

func (f *folder) loadText(ctx context.Context, c *foldCell) error {
	if c.text.known {
		return nil
	}
	var hash int64
	var data []byte
	found, err := f.w.ask(ctx, "SELECT at, coalesce(hash,0), data FROM texts WHERE cell=? ORDER BY at DESC LIMIT 1", []any{c.id}, &c.text.at, &hash, &data)
	if err != nil {
		return err
	}
	if found {
		if len(data) < 2 {
			return errPacked
		}
		c.text.hash, c.text.none, c.text.depth = uint64(hash), data[0] == textNone, int(data[1])
	}
	c.text.known = true
	return nil
}

// packVersion packs a text on the version before, as the same as an earlier
// one, or whole, whatever is short.
func (f *folder) packVersion(ctx context.Context, s *foldSession, c *foldCell, old *string, text string, hash uint64) (data []byte, depth int, err error) {
	last := &c.text
	if last.at != 0 && !last.none && last.depth < maxTextDepth-1 {
		base, err := f.baseText(ctx, s, c, old)
		if err != nil {
			return nil, 0, err
		}
		prefix, suffix := commonEnds(base, text)
		depth = last.depth + 1
		data = packUint(packUint([]byte{textSplice, byte(depth)}, int64(prefix)), int64(suffix))
		data = packContent(data, text[prefix:len(text)-suffix])
	}
	if data != nil && len(data) <= shortText || data == nil && len(text) <= shortText {
		if data == nil {
			data = packContent([]byte{textWhole, 0}, text)
		}
		return data, depth, nil
	}
	same, sameDepth, err := f.sameText(ctx, s, text, hash)
	if err != nil || same != nil {
		return same, sameDepth, err
	}
	if whole := packContent([]byte{textWhole, 0}, text); data == nil || len(whole) <= len(data) {
		return whole, 0, nil
	}
	return data, depth, nil
}

// baseText is the text of a cell's last version: the one at hand if it is that.
func (f *folder) baseText(ctx context.Context, s *foldSession, c *foldCell, old *string) (string, error) {
	if old != nil && textHash(s.key, *old) == c.text.hash {
		return *old, nil
	}
	if err := f.texts.flush(ctx); err != nil {
		return "", err
	}
	text, err := readText(ctx, f.w, c.id, c.text.at)
	return string(text), err
}

// sameText finds an equal text among the stored ones of the session.
func (f *folder) sameText(ctx context.Context, s *foldSession, text string, hash uint64) (data []byte, depth int, err error) {
	if _, may := s.hashes[hash]; s.hashes != nil && !may {
		return nil, 0, nil
	}
	if err := f.texts.flush(ctx); err != nil {
		return nil, 0, err
	}
	var cell, at int64
	found, err := f.w.ask(ctx, "SELECT cell, at, data FROM texts WHERE hash=? ORDER BY cell, at LIMIT 1", []any{int64(hash)}, &cell, &at, &data)
	if err != nil || !found {
		return nil, 0, err
	}
	stored, err := readText(ctx, f.w, cell, at)
	if err != nil || string(stored) != text || len(data) < 2 || int(data[1]) >= maxTextDepth-1 {
		return nil, 0, err
	}
	depth = int(data[1]) + 1
	return packUint(packUint([]byte{textSame, byte(depth)}, cell), at), depth, nil
}

// commonEnds finds how many bytes two texts have in common at their start, and
// of the rest at their end.
func commonEnds(a, b string) (prefix, suffix int) {
	const step = 64
	n := min(len(a), len(b))
	for prefix+step <= n && a[prefix:prefix+step] == b[prefix:prefix+step] {
		prefix += step
	}
	for prefix < n && a[prefix] == b[prefix] {
		prefix++
	}
	n -= prefix
	for suffix+step <= n && a[len(a)-suffix-step:len(a)-suffix] == b[len(b)-suffix-step:len(b)-suffix] {
		suffix += step
	}
	for suffix < n && a[len(a)-suffix-1] == b[len(b)-suffix-1] {
		suffix++
	}
	return prefix, suffix
}

func packContent(dst []byte, text string) []byte {
	n := int64(len(text)) << 1
	if len(text) > shortText {
		packed := packUint(nil, n|1)
		for rest := text; rest != ""; {
			part := rest[:min(BlockSize, len(rest))]
			rest = rest[len(part):]
			packed = varint.AppendText(packed, EncodeBlock([]byte(part)))
		}
		if len(packed) < len(text) {
			return append(dst, packed...)
		}
	}
	return append(packUint(dst, n), text...)
}

func unpackContent(u *unpacker) ([]byte, error) {
	n := u.Count()
	if n&1 == 0 {
		return u.Take(n >> 1), u.err()
	}
	var out, block []byte
	for left := n >> 1; left > 0 && !u.Bad; {
		part := min(left, BlockSize)
		var err error
		if block, err = DecodeBlock(block[:0], u.Text(), int(part)); err != nil {
			return nil, err
		}
		out = append(out, block...)
		left -= part
	}
	return out, u.err()
}

// asker calls f with the rows of a query until it returns errStop.
type asker interface {
	each(ctx context.Context, text string, args []any, f func(*sql.Rows) error) error
}

// readText makes the text of a version. The versions that it stands on are
// read back to one that stands alone, those of one cell in one go, then applied.
func readText(ctx context.Context, q asker, cell, at int64) ([]byte, error) {
	text, known, err := lastText(ctx, q, cell, at)
	if err == nil && !known {
		err = errPacked
	}
	return text, err
}

// lastText makes the text of the last version up to one; known is false where
// nothing is known of it.
func lastText(ctx context.Context, q asker, cell, upTo int64) (text []byte, known bool, err error) {
	c := textChain{cell: cell, upTo: upTo}
	for !c.whole {
		c.jumped = false
		err := q.each(ctx, "SELECT at, data FROM texts WHERE cell=? AND at<=? ORDER BY at DESC", []any{c.cell, c.upTo}, c.row)
		switch {
		case err != nil:
			return nil, false, err
		case c.unknown || len(c.splices) == 0 && !c.whole:
			return nil, false, nil
		case !c.jumped && !c.whole:
			return nil, false, errPacked // nothing stands below a splice
		}
	}
	text, err = applySplices(c.text, c.splices)
	return text, err == nil, err
}

// textChain is a text on the way back to a version that stands alone.
type textChain struct {
	cell, upTo int64
	jumped     bool // to another cell
	unknown    bool // nothing is known of the text
	splices    [][]byte
	text       []byte
	whole      bool
}

func (c *textChain) row(rows *sql.Rows) (err error) {
	var at int64
	var data []byte
	if err := rows.Scan(&at, &data); err != nil {
		return err
	}
	if len(data) < 2 || len(c.splices) > maxTextDepth {
		return errPacked
	}
	u := unpack(data[2:])
	switch data[0] {
	case textNone:
		if len(c.splices) > 0 {
			return errPacked
		}
		c.unknown = true
		return errStop
	case textWhole:
		if c.text, err = unpackContent(&u); err != nil {
			return err
		}
		c.whole = true
		return errStop
	case textSplice:
		c.splices = append(c.splices, data[2:])
		return nil
	case textSame:
		c.splices = append(c.splices, nil)
		c.cell, c.upTo, c.jumped = u.Count(), u.Count(), true
		if u.Bad {
			return errPacked
		}
		return errStop
	}
	return errPacked
}

// applySplices applies them from the last to the first; a nil one changes
// nothing.
func applySplices(text []byte, splices [][]byte) ([]byte, error) {
	for i := len(splices) - 1; i >= 0; i-- {
		if splices[i] == nil {
			continue
		}
		u := unpack(splices[i])
		prefix, suffix := u.Count(), u.Count()
		middle, err := unpackContent(&u)
		n := int64(len(text))
		if err != nil || prefix > n || suffix > n-prefix {
			return nil, errPacked
		}
		next := make([]byte, 0, prefix+int64(len(middle))+suffix) // not nil: it may be empty
		text = append(append(append(next, text[:prefix]...), middle...), text[n-suffix:]...)
	}
	return text, nil
}
