package importer

import (
	"encoding/binary"
	"math"
	"slices"

	"hindcast/model"
	"hindcast/model/varint"
)

// draftLimit bounds the drafts of all sessions, in bytes. Events past it are
// decoded again where their session is put in order.
const draftLimit = 48 << 20

// drafts keep events as their dialect decoded them, packed, of sessions whose
// order only the dialect can tell once all is read: there each is linked again,
// in another order. Behind an event stands what the dialect orders it by.
type drafts struct {
	list []string // by pos, from 1; empty where there is none
	size int
}

// at gives the draft of an event; empty where it must be decoded again.
func (d *drafts) at(pos int64) string {
	if pos < 1 || pos > int64(len(d.list)) {
		return ""
	}
	return d.list[pos-1]
}

// keep adds the draft of the session's newest event, while there is room.
func (d *drafts) keep(m *Importer, pos int64, packed []byte) {
	if m.drafted+len(packed) > m.opt.Drafts {
		return
	}
	for int64(len(d.list)) < pos {
		d.list = append(d.list, "")
	}
	d.list[pos-1] = string(packed)
	d.size += len(packed)
	m.drafted += len(packed)
}

// free lets go of a session's drafts: it stands in order.
func (d *drafts) free(m *Importer) {
	m.drafted -= d.size
	*d = drafts{}
}

const (
	draftSeq = 1 << iota
	draftNoise
	draftTime
	draftNaive
	draftUsage
)

func draftFlags(e *model.Event) byte {
	flag := func(is bool, f byte) byte {
		if is {
			return f
		}
		return 0
	}
	return flag(e.HasSeq, draftSeq) | flag(e.Noise, draftNoise) | flag(e.Time.Known, draftTime) | flag(e.Time.Naive, draftNaive) | flag(e.Usage != nil, draftUsage)
}

// packDraft packs what a decoder fills in, but for the session and the span,
// which its place in the index tells.
func packDraft(b []byte, e *model.Event) []byte {
	b = append(b, draftFlags(e), byte(e.Kind), byte(e.Origin), byte(e.Outcome), e.Time.Digits)
	b = binary.AppendVarint(b, e.Seq)
	b = binary.AppendVarint(b, e.Time.Nanos)
	b = binary.LittleEndian.AppendUint64(b, e.Hash)
	for _, text := range [...]string{e.ID, e.Type, e.Source, e.Tool, e.Call, e.Title, e.Note} {
		b = varint.AppendText(b, text)
	}
	b = binary.AppendUvarint(b, uint64(len(e.Aliases)))
	for _, a := range e.Aliases {
		b = varint.AppendText(b, a)
	}
	b = binary.AppendUvarint(b, uint64(len(e.Links)))
	for _, l := range e.Links {
		b = packDraftLink(b, l)
	}
	if u := e.Usage; u != nil {
		for _, n := range [...]int64{u.Input, u.Output, u.CacheRead, u.CacheWrite, u.Reasoning, int64(u.Told)} {
			b = binary.AppendVarint(b, n)
		}
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(u.CostUSD))
	}
	return b
}

func packDraftLink(b []byte, l model.Link) []byte {
	inferred := byte(0)
	if l.Inferred {
		inferred = 1
	}
	b = append(b, byte(l.Reason), byte(l.Broken), inferred)
	b = varint.AppendText(varint.AppendText(varint.AppendText(b, l.ToID), l.To.Session), l.To.ID)
	return binary.AppendVarint(binary.AppendVarint(b, l.To.Seq), l.To.Pos)
}

// unpackDraft is the inverse of packDraft; its texts are parts of the draft.
// What is left is what packKey wrote.
func unpackDraft(draft string) (*model.Event, string) {
	r := varint.Of(draft)
	flags := r.Byte()
	e := &model.Event{
		HasSeq: flags&draftSeq != 0, Noise: flags&draftNoise != 0,
		Kind: model.Kind(r.Byte()), Origin: model.Origin(r.Byte()), Outcome: model.Outcome(r.Byte()),
	}
	e.Time = model.Time{Known: flags&draftTime != 0, Naive: flags&draftNaive != 0, Digits: r.Byte()}
	e.Seq, e.Time.Nanos = r.Int(), r.Int()
	e.Hash = eightBytes(&r)
	for _, text := range [...]*string{&e.ID, &e.Type, &e.Source, &e.Tool, &e.Call, &e.Title, &e.Note} {
		*text = r.Text()
	}
	if n := r.Count(); n > 0 {
		e.Aliases = make([]string, n)
		for i := range e.Aliases {
			e.Aliases[i] = r.Text()
		}
	}
	if n := r.Count(); n > 0 {
		e.Links = make([]model.Link, n, n+2) // a linker adds some
		for i := range e.Links {
			e.Links[i] = unpackDraftLink(&r)
		}
	}
	if flags&draftUsage != 0 {
		u := &model.Usage{Input: r.Int(), Output: r.Int(), CacheRead: r.Int(), CacheWrite: r.Int(), Reasoning: r.Int(), Told: model.Told(r.Int())}
		u.CostUSD = math.Float64frombits(eightBytes(&r))
		e.Usage = u
	}
	return e, r.Rest
}

func unpackDraftLink(r *varint.Reader[string]) model.Link {
	l := model.Link{Reason: model.Reason(r.Byte()), Broken: model.Broken(r.Byte()), Inferred: r.Byte() != 0}
	l.ToID, l.To.Session, l.To.ID = r.Text(), r.Text(), r.Text()
	l.To.Seq, l.To.Pos = r.Int(), r.Int()
	return l
}

func eightBytes(r *varint.Reader[string]) uint64 {
	text := r.Take(8)
	if r.Bad {
		return 0
	}
	return binary.LittleEndian.Uint64([]byte(text))
}

// packKey adds what a dialect orders an event by once it is linked. A parent
// that the link leads to is named by its pos.
func packKey(b []byte, e *model.Event) []byte {
	key := model.KeyOf(e)
	parent := int64(0)
	for _, l := range e.Links {
		if l.Reason == model.ReasonParent && !l.Inferred {
			if l.To.Session == e.Session {
				parent = l.To.Pos
			}
			break
		}
	}
	known := byte(0)
	if key.Time.Known {
		known = 1
	}
	b = append(b, byte(key.Kind), known)
	b = binary.AppendVarint(binary.AppendVarint(b, key.Time.Nanos), parent)
	return varint.AppendText(varint.AppendText(varint.AppendText(b, key.Type), key.Call), key.Parent)
}

// keys gives what Reorder sees of events, as the index would tell it; nil where
// a draft of one is missing.
func (d *drafts) keys(list []arrival) []model.OrderKey {
	keys := make([]model.OrderKey, len(list))
	taken := make(map[string]int64) // pos of the first event with an alias
	for i, a := range list {
		draft := d.at(a.pos)
		if draft == "" {
			return nil
		}
		e, rest := unpackDraft(draft)
		r := varint.Of(rest)
		k := model.OrderKey{ID: e.ID, Aliases: e.Aliases, HasSeq: a.hasSeq, Seq: a.seq, Kind: model.Kind(r.Byte())}
		k.Time.Known = r.Byte() != 0
		k.Time.Nanos = r.Int()
		parent := r.Int()
		k.Type, k.Call, k.Parent = r.Text(), r.Text(), r.Text()
		if parent > 0 {
			e, _ := unpackDraft(d.at(parent))
			k.Parent = e.ID
		}
		for _, alias := range e.Aliases {
			if first, ok := taken[alias]; !ok || a.pos < first {
				taken[alias] = a.pos
			}
		}
		keys[i] = k
	}
	for i := range keys {
		keys[i].Aliases = slices.DeleteFunc(keys[i].Aliases, func(alias string) bool { return taken[alias] != list[i].pos })
	}
	return keys
}
