package claudecode

import (
	"bytes"
	"cmp"
	"errors"
	"hash/maphash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// memDump is a dump in memory.
type memDump struct {
	files []model.File
	data  [][]byte
}

func (d *memDump) Files() []model.File { return d.files }

func (d *memDump) Head(file, n int) []byte { return d.data[file][:min(n, len(d.data[file]))] }

func newDump(files map[string]string) *memDump {
	d := &memDump{}
	for name, text := range files {
		d.files = append(d.files, model.File{Name: name, Size: int64(len(text))})
	}
	slices.SortFunc(d.files, func(a, b model.File) int { return cmp.Compare(a.Name, b.Name) })
	for _, f := range d.files {
		d.data = append(d.data, []byte(files[f.Name]))
	}
	return d
}

// readDump reads a folder as the importer would show it.
func readDump(t testing.TB, path string) *memDump {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(path, func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		rel, _ := filepath.Rel(path, p)
		files[filepath.ToSlash(rel)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return newDump(files)
}

// run is an imported session.
type run struct {
	id     string
	stream *model.Stream
	linker model.Linker
	events []*model.Event
	raws   [][]byte // by pos-1
	ids    map[string]int64
	copies int
}

// imported is a dump as the importer would see it.
type imported struct {
	streams  []model.Stream
	sessions []*run
	broken   []string
}

func (r *run) ByID(id string) (model.Brief, bool) {
	pos, ok := r.ids[id]
	if !ok || pos >= int64(len(r.events)) {
		return model.Brief{}, false
	}
	return r.At(pos)
}

func (r *run) At(pos int64) (model.Brief, bool) {
	if pos < 1 || pos > int64(len(r.events)) {
		return model.Brief{}, false
	}
	e := r.events[pos-1]
	return model.Brief{Pos: e.Pos, Seq: e.Seq, Kind: e.Kind}, true
}

// find returns the event that carries an id.
func (r *run) find(t testing.TB, id string) *model.Event {
	t.Helper()
	pos, ok := r.ids[id]
	if !ok {
		t.Fatalf("session %s has no event %s", r.id, id)
	}
	return r.events[pos-1]
}

var hashSeed = maphash.MakeSeed()

// importDump claims, frames, decodes and links a dump.
func importDump(t testing.TB, d *memDump) *imported {
	t.Helper()
	im := &imported{streams: New().Claim(d, false)}
	for i := range im.streams {
		for _, file := range im.streams[i].Files {
			im.read(t, d, &im.streams[i], file)
		}
	}
	for _, r := range im.sessions {
		im.across(r)
	}
	return im
}

func (im *imported) session(s *model.Stream, id string) *run {
	for _, r := range im.sessions {
		if r.id == id {
			return r
		}
	}
	r := &run{id: id, stream: s, linker: New().NewLinker(s, id), ids: map[string]int64{}}
	im.sessions = append(im.sessions, r)
	return r
}

// byID finds a session that must be there.
func (im *imported) byID(t testing.TB, id string) *run {
	t.Helper()
	for _, r := range im.sessions {
		if r.id == id {
			return r
		}
	}
	t.Fatalf("no session %s", id)
	return nil
}

func (im *imported) read(t testing.TB, d *memDump, s *model.Stream, file int) {
	t.Helper()
	rec := model.Record{Stream: s, File: file, Name: d.files[file].Name}
	split := jsonscan.NewSplitter(bytes.NewReader(d.data[file]), 0, s.Framing, false)
	for {
		c, err := split.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, span := range c.Spans {
			im.values(c, span, &rec)
		}
	}
}

func (im *imported) values(c *jsonscan.Chunk, span jsonscan.Span, rec *model.Record) {
	if span.Broken != "" {
		im.broken = append(im.broken, rec.Name+": "+span.Broken)
		return
	}
	text := c.Data[span.Start:span.End]
	for at := 0; at < len(text); {
		start, end, err := jsonscan.Value(text[at:])
		if err != nil {
			if !errors.Is(err, io.EOF) {
				im.broken = append(im.broken, rec.Name+": "+err.Error())
			}
			return
		}
		rec.Raw, rec.Offset = text[at+start:at+end], c.Offset+int64(span.Start+at+start)
		err = New().Decode(rec, func(e *model.Event) {
			own := *e
			im.place(rec, &own)
		})
		if err != nil {
			im.broken = append(im.broken, rec.Name+": "+err.Error())
		}
		at += end
	}
	rec.Index++
}

// place gives an event its place in its session and links it.
func (im *imported) place(rec *model.Record, e *model.Event) {
	e.Span = model.Span{Offset: rec.Offset, Length: int64(len(rec.Raw))}
	e.Hash = maphash.Bytes(hashSeed, rec.Raw)
	if e.Session == "" {
		e.Session = rec.Stream.Session
	}
	r := im.session(rec.Stream, e.Session)
	r.events, r.raws = append(r.events, e), append(r.raws, bytes.Clone(rec.Raw))
	e.Pos = int64(len(r.events))
	if !e.HasSeq {
		e.Seq = e.Pos
	}
	if first, ok := r.ids[e.ID]; ok && e.ID != "" && r.events[first-1].Hash == e.Hash {
		e.Origin = model.OriginCopied
		r.copies++
		return
	}
	for _, id := range append([]string{e.ID}, e.Aliases...) {
		if _, seen := r.ids[id]; !seen && id != "" {
			r.ids[id] = e.Pos
		}
	}
	r.linker.Link(e, r)
	for i := range e.Links {
		r.resolve(e, &e.Links[i])
	}
	r.settle(e)
}

func (r *run) settle(e *model.Event) {
	if best := model.PreferredCause(e.Links); best >= 0 {
		e.Cause = &e.Links[best]
	}
}

func (r *run) resolve(e *model.Event, l *model.Link) {
	if l.To.Pos > 0 {
		return
	}
	switch pos, ok := r.ids[l.ToID]; {
	case l.ToID == e.ID:
		l.Broken = model.LinkSelf
	case !ok || pos >= e.Pos:
		l.Broken = model.LinkMissing
	default:
		l.To = model.Ref{Session: r.id, Seq: r.events[pos-1].Seq, Pos: pos, ID: l.ToID}
	}
}

// across resolves the link of a session's first event into its parent.
func (im *imported) across(r *run) {
	if len(r.events) == 0 {
		return
	}
	parent := r.linker.Summary().Parent
	for i := range r.events[0].Links {
		l := &r.events[0].Links[i]
		for _, other := range im.sessions {
			pos, ok := other.ids[l.ToID]
			if l.Broken == model.LinkMissing && ok && other != r && (parent == "" || parent == other.id) {
				l.Broken, l.To = model.LinkWhole, model.Ref{Session: other.id, Seq: other.events[pos-1].Seq, Pos: pos, ID: l.ToID}
			}
		}
	}
	r.settle(r.events[0])
}

// dataFolder finds the sample dumps, which stand beside the project.
func dataFolder(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for up := dir; ; up = filepath.Dir(up) {
		data := filepath.Join(up, "shared", "data", name)
		if info, err := os.Stat(data); err == nil && info.IsDir() {
			return data
		}
		if up == filepath.Dir(up) {
			t.Skip("no sample dumps: the folder shared/data/" + name + " is not above this one")
		}
	}
}
