package openhands

import (
	"archive/zip"
	"bytes"
	"cmp"
	"errors"
	"hash/maphash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
	for name := range files {
		d.files = append(d.files, model.File{Name: name, Size: int64(len(files[name]))})
	}
	slices.SortFunc(d.files, func(a, b model.File) int { return cmp.Compare(a.Name, b.Name) })
	for _, f := range d.files {
		d.data = append(d.data, []byte(files[f.Name]))
	}
	return d
}

// readDump reads a file, a folder or a zip as the importer would show it.
func readDump(t testing.TB, path string) *memDump {
	t.Helper()
	files := map[string]string{}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case info.IsDir():
		err = filepath.WalkDir(path, func(p string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			b, err := os.ReadFile(p)
			rel, _ := filepath.Rel(path, p)
			files[filepath.ToSlash(rel)] = string(b)
			return err
		})
	case strings.HasSuffix(path, ".zip"):
		err = readZip(path, files)
	default:
		var b []byte
		b, err = os.ReadFile(path)
		files[filepath.Base(path)] = string(b)
	}
	if err != nil {
		t.Fatal(err)
	}
	return newDump(files)
}

func readZip(path string, files map[string]string) error {
	z, err := zip.OpenReader(path)
	if err != nil {
		return err
	}
	defer z.Close()
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			return err
		}
		b, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		files[f.Name] = string(b)
	}
	return nil
}

// run is an imported session.
type run struct {
	id      string
	stream  *model.Stream
	linker  model.Linker
	events  []*model.Event
	ids     map[string]int64
	copies  int
	arrived []*model.Event
	raw     map[*model.Event][]byte
}

// imported is a dump as the importer would see it.
type imported struct {
	streams  []model.Stream
	sessions []*run
	broken   []string
}

func (r *run) ByID(id string) (model.Brief, bool) {
	pos, ok := r.ids[id]
	if !ok {
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

// importDump claims, frames, decodes, orders and links a dump.
func importDump(t testing.TB, d *memDump) *imported {
	t.Helper()
	im := &imported{streams: New().Claim(d, false)}
	for i := range im.streams {
		im.read(t, d, &im.streams[i])
	}
	for _, r := range im.sessions {
		r.order()
		r.link()
	}
	return im
}

func (im *imported) session(s *model.Stream, id string) *run {
	for _, r := range im.sessions {
		if r.id == id {
			return r
		}
	}
	r := &run{id: id, stream: s, linker: New().NewLinker(s, id), ids: map[string]int64{}, raw: map[*model.Event][]byte{}}
	im.sessions = append(im.sessions, r)
	return r
}

func (im *imported) read(t testing.TB, d *memDump, s *model.Stream) {
	t.Helper()
	if len(s.Files) == 0 {
		im.session(s, s.Session)
	}
	for n, file := range s.Files {
		rec := model.Record{Stream: s, File: file, Name: d.files[file].Name}
		if s.Keys != nil {
			rec.Key = s.Keys[n]
		}
		split := jsonscan.NewSplitter(bytes.NewReader(d.data[file]), 0, s.Framing, false)
		for {
			c, err := split.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, span := range c.Spans {
				im.values(c, span, &rec)
			}
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
		var got []*model.Event
		if err := New().Decode(rec, func(e *model.Event) { c := *e; got = append(got, &c) }); err != nil {
			im.broken = append(im.broken, rec.Name+": "+err.Error())
			got = nil
		}
		for _, e := range got {
			if e.Span.Length == 0 {
				e.Span.Length = int64(len(rec.Raw))
			}
			e.Hash = maphash.Bytes(hashSeed, rec.Raw[e.Span.Offset:e.Span.End()])
			e.Span.Offset += rec.Offset
			if e.Session == "" {
				e.Session = rec.Stream.Session
			}
			r := im.session(rec.Stream, e.Session)
			r.arrived = append(r.arrived, e)
			r.raw[e] = bytes.Clone(rec.Raw[e.Span.Offset-rec.Offset : e.Span.End()-rec.Offset])
		}
		rec.Index++
		at += end
	}
}

// order puts the arrived events in replay order.
func (r *run) order() {
	switch r.stream.Order {
	case model.OrderSeq:
		keys := map[*model.Event]int64{}
		last := int64(0)
		for _, e := range r.arrived {
			if e.HasSeq {
				last = e.Seq
			}
			keys[e] = last
		}
		slices.SortStableFunc(r.arrived, func(a, b *model.Event) int { return cmp.Compare(keys[a], keys[b]) })
	case model.OrderRepair:
		keys := make([]model.OrderKey, len(r.arrived))
		for i, e := range r.arrived {
			keys[i] = model.OrderKey{ID: e.ID, Call: e.Call, Kind: e.Kind, Time: e.Time}
			for _, l := range e.Links {
				if l.Reason == model.ReasonParent {
					keys[i].Parent = l.ToID
				}
			}
		}
		var sorted []*model.Event
		for _, i := range New().(model.Reorderer).Reorder(keys) {
			sorted = append(sorted, r.arrived[i])
		}
		r.arrived = sorted
	}
}

func (r *run) link() {
	for _, e := range r.arrived {
		e.Pos = int64(len(r.events)) + 1
		if !e.HasSeq {
			e.Seq = e.Pos
		}
		r.events = append(r.events, e)
		if first, ok := r.ids[e.ID]; ok && e.ID != "" && r.events[first-1].Hash == e.Hash {
			e.Origin = model.OriginCopied
			r.copies++
			continue
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
		if best := model.PreferredCause(e.Links); best >= 0 {
			e.Cause = &e.Links[best]
		}
	}
}

func (r *run) resolve(e *model.Event, l *model.Link) {
	if l.To.Pos > 0 {
		return
	}
	switch b, ok := r.ByID(l.ToID); {
	case l.ToID == e.ID:
		l.Broken = model.LinkSelf
	case !ok || b.Pos >= e.Pos:
		l.Broken = model.LinkMissing
	default:
		l.To = model.Ref{Session: r.id, Seq: b.Seq, Pos: b.Pos, ID: l.ToID}
	}
}

// dataFolder finds the sample dumps, which stand beside the project.
func dataFolder(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for up := dir; ; up = filepath.Dir(up) {
		data := filepath.Join(up, "shared", "data", "openhands")
		if info, err := os.Stat(data); err == nil && info.IsDir() {
			return data
		}
		if up == filepath.Dir(up) {
			t.Skip("no sample dumps: the folder shared/data/openhands is not above this one")
		}
	}
}
