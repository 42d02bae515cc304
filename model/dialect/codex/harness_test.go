package codex

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
	"strings"
	"testing"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// memDump is a dump in memory, in path order.
type memDump struct {
	files []model.File
	data  [][]byte
}

func (d *memDump) Files() []model.File     { return d.files }
func (d *memDump) Head(file, n int) []byte { return d.data[file][:min(n, len(d.data[file]))] }

func newDump(files map[string]string) *memDump {
	d := &memDump{}
	for name, text := range files {
		f := model.File{Name: name, Size: int64(len(text))}
		if at := strings.Index(name, ".sqlite/"); at >= 0 {
			f.Database = name[:at+len(".sqlite")]
		}
		d.files = append(d.files, f)
	}
	slices.SortFunc(d.files, func(a, b model.File) int { return cmp.Compare(a.Name, b.Name) })
	for _, f := range d.files {
		d.data = append(d.data, []byte(files[f.Name]))
	}
	return d
}

// readDump reads the JSON lines of a folder.
func readDump(t testing.TB, path string) *memDump {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(path, func(p string, e fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(p) != ".jsonl" {
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
	raw    map[*model.Event][]byte
	ids    map[string]int64
	own    []*model.Event // in order, not yet placed
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

// event finds the event of a seq.
func (r *run) event(t testing.TB, seq int64) *model.Event {
	t.Helper()
	for _, e := range r.events {
		if e.Seq == seq {
			return e
		}
	}
	t.Fatalf("session %s has no event %d", r.id, seq)
	return nil
}

// imported is a dump as the importer would see it.
type imported struct {
	streams  []model.Stream
	sessions []*run
	broken   []string
}

func (im *imported) session(t testing.TB, id string) *run {
	t.Helper()
	for _, r := range im.sessions {
		if r.id == id {
			return r
		}
	}
	t.Fatalf("no session %s", id)
	return nil
}

var hashSeed = maphash.MakeSeed()

// importDump claims, frames, decodes, orders and links a dump; what a session
// has from its base comes first.
func importDump(t testing.TB, d *memDump) *imported {
	t.Helper()
	im := &imported{streams: New().Claim(d, false)}
	for i := range im.streams {
		im.read(t, d, &im.streams[i])
	}
	for _, r := range im.sessions {
		im.link(r)
	}
	return im
}

func (im *imported) read(t testing.TB, d *memDump, s *model.Stream) {
	t.Helper()
	r := &run{id: s.Session, stream: s, raw: map[*model.Event][]byte{}}
	im.sessions = append(im.sessions, r)
	for _, file := range s.Files {
		rec := model.Record{Stream: s, File: file, Name: d.files[file].Name}
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
				im.values(c.Data[span.Start:span.End], span.Broken, &rec, r)
			}
		}
	}
	slices.SortStableFunc(r.own, func(a, b *model.Event) int {
		if !a.HasSeq || !b.HasSeq {
			return 0
		}
		return cmp.Compare(a.Seq, b.Seq)
	})
}

func (im *imported) values(text []byte, broken string, rec *model.Record, r *run) {
	for at := 0; at < len(text) && broken == ""; {
		start, end, err := jsonscan.Value(text[at:])
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			broken = err.Error()
			break
		}
		rec.Raw = text[at+start : at+end]
		err = New().Decode(rec, func(e *model.Event) {
			copied := *e
			copied.Session, copied.Hash = r.id, maphash.Bytes(hashSeed, rec.Raw)
			r.own = append(r.own, &copied)
			r.raw[&copied] = bytes.Clone(rec.Raw)
		})
		if err != nil {
			im.broken = append(im.broken, err.Error())
		}
		at += end
	}
	if broken != "" {
		im.broken = append(im.broken, broken)
	}
}

// link places a session's events, first what it has from its base.
func (im *imported) link(r *run) {
	if r.linker != nil {
		return
	}
	place := func(inherited []*model.Event) model.Base {
		r.linker, r.events, r.ids = New().NewLinker(r.stream, r.id), nil, map[string]int64{}
		for _, e := range inherited {
			c := *e
			c.Origin = model.OriginInherited
			r.raw[&c] = r.raw[e]
			r.place(&c)
		}
		for _, e := range r.own {
			c := *e
			r.raw[&c] = r.raw[e]
			r.place(&c)
		}
		return r.linker.Summary().Base
	}
	base := place(nil)
	for _, from := range im.sessions {
		if base.Session == "" || from.id != base.Session {
			continue
		}
		im.link(from)
		var inherited []*model.Event
		for _, e := range from.events {
			if e.Seq <= base.Seq {
				again := *e
				again.Links, again.Note = nil, ""
				for _, own := range from.own {
					if own.Seq == e.Seq {
						again = *own
					}
				}
				r.raw[&again] = from.raw[e]
				inherited = append(inherited, &again)
			}
		}
		place(inherited)
	}
}

func (r *run) place(e *model.Event) {
	e.Pos, e.Session = int64(len(r.events))+1, r.id
	if !e.HasSeq {
		e.Seq = e.Pos
	}
	e.Links, e.Aliases = slices.Clone(e.Links), slices.Clone(e.Aliases)
	r.events = append(r.events, e)
	for _, id := range append([]string{e.ID}, e.Aliases...) {
		if _, seen := r.ids[id]; !seen && id != "" {
			r.ids[id] = e.Pos
		}
	}
	r.linker.Link(e, r)
	for i := range e.Links {
		l := &e.Links[i]
		if l.To.Pos > 0 || l.Broken != model.LinkWhole {
			continue
		}
		if b, ok := r.ByID(l.ToID); ok && b.Pos < e.Pos {
			l.To = model.Ref{Session: r.id, Seq: b.Seq, Pos: b.Pos, ID: l.ToID}
		} else {
			l.Broken = model.LinkMissing
		}
	}
	if best := model.PreferredCause(e.Links); best >= 0 {
		e.Cause = &e.Links[best]
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
		data := filepath.Join(up, "shared", "data", "codex")
		if info, err := os.Stat(data); err == nil && info.IsDir() {
			return data
		}
		if up == filepath.Dir(up) {
			t.Skip("no sample dumps: the folder shared/data/codex is not above this one")
		}
	}
}
