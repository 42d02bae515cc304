package opencode

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"hash/maphash"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/replay"
)

// memoryDump is a dump in memory.
type memoryDump struct {
	files []model.File
	data  [][]byte
}

func (d *memoryDump) Files() []model.File { return d.files }

func (d *memoryDump) Head(file, n int) []byte { return d.data[file][:min(n, len(d.data[file]))] }

func (d *memoryDump) add(name, database string, data []byte) {
	d.files = append(d.files, model.File{Name: name, Size: int64(len(data)), Database: database})
	d.data = append(d.data, data)
}

// dumpOf reads a file or a folder below root as the importer would show it; of
// databases their tables.
func dumpOf(t testing.TB, root, path string) *memoryDump {
	t.Helper()
	d := &memoryDump{}
	err := filepath.WalkDir(path, func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		if strings.HasSuffix(name, ".db") {
			d.tables(t, p, filepath.ToSlash(name))
			return nil
		}
		b, err := os.ReadFile(p)
		d.add(filepath.ToSlash(name), "", b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// tables reads a database with the program sqlite3.
func (d *memoryDump) tables(t testing.TB, path, name string) {
	t.Helper()
	tool, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("no program sqlite3 to read databases with")
	}
	ask := func(query string) []byte {
		out, err := exec.Command(tool, "-json", "file:"+path+"?immutable=1", query).Output()
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		return out
	}
	jsonscan.Elements(ask("select name from sqlite_master where type = 'table' order by name"), func(v []byte) bool {
		table := jsonscan.Str(jsonscan.Get(v, "name"))
		var lines []byte
		jsonscan.Elements(ask(`select * from "`+table+`" order by rowid`), func(row []byte) bool {
			lines = append(append(lines, row...), '\n')
			return true
		})
		d.add(name+"/"+table, name, lines)
		return true
	})
}

// stream is an imported session, and a Records of it.
type imported struct {
	id      string
	stream  *model.Stream
	linker  model.Linker
	events  []*model.Event
	ids     map[string]int64
	arrived []*model.Event
	raw     map[*model.Event][]byte
}

func (r *imported) ByID(id string) (model.Brief, bool) { return r.At(r.ids[id]) }

func (r *imported) At(pos int64) (model.Brief, bool) {
	if pos < 1 || pos > int64(len(r.events)) {
		return model.Brief{}, false
	}
	e := r.events[pos-1]
	return model.Brief{Pos: e.Pos, Seq: e.Seq, Kind: e.Kind}, true
}

func (r *imported) Record(pos int64) (model.Event, []byte, bool) {
	if pos < 1 || pos > int64(len(r.events)) {
		return model.Event{}, nil, false
	}
	e := r.events[pos-1]
	return *e, bytes.Clone(r.raw[e]), true
}

func (r *imported) Find(id string) int64 { return r.ids[id] }

var testSeed = maphash.MakeSeed()

// importAll claims, frames, decodes, orders and links a dump, session by
// session.
func importAll(t testing.TB, d *memoryDump) map[string]*imported {
	t.Helper()
	all := map[string]*imported{}
	streams := New().Claim(d, false)
	for i := range streams {
		for _, file := range streams[i].Files {
			readFile(t, all, d, &streams[i], file)
		}
	}
	for _, r := range all {
		r.order()
		r.link()
	}
	return all
}

func readFile(t testing.TB, all map[string]*imported, d *memoryDump, s *model.Stream, file int) {
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
			text := c.Data[span.Start:span.End]
			for at := 0; span.Broken == "" && at < len(text); rec.Index++ {
				start, end, err := jsonscan.Value(text[at:])
				if err != nil {
					break
				}
				rec.Raw, rec.Offset = text[at+start:at+end], c.Offset+int64(span.Start+at+start)
				err = New().Decode(&rec, func(e *model.Event) { arrive(all, &rec, *e) })
				if err != nil {
					t.Errorf("%s: %v", rec.Name, err)
				}
				at += end
			}
		}
	}
}

func arrive(all map[string]*imported, rec *model.Record, e model.Event) {
	if e.Span.Length == 0 {
		e.Span.Length = int64(len(rec.Raw))
	}
	raw := bytes.Clone(rec.Raw[e.Span.Offset:e.Span.End()])
	e.Hash = maphash.Bytes(testSeed, raw)
	e.Links, e.Aliases = slices.Clone(e.Links), slices.Clone(e.Aliases)
	if e.Session == "" {
		e.Session = rec.Stream.Session
	}
	r := all[e.Session]
	if r == nil {
		r = &imported{id: e.Session, stream: rec.Stream, linker: New().NewLinker(rec.Stream, e.Session), ids: map[string]int64{}, raw: map[*model.Event][]byte{}}
		all[e.Session] = r
	}
	r.arrived = append(r.arrived, &e)
	r.raw[&e] = raw
}

func (r *imported) order() {
	switch r.stream.Order {
	case model.OrderSeq:
		keys, last := map[*model.Event]int64{}, int64(0)
		for _, e := range r.arrived {
			if e.HasSeq {
				last = e.Seq
			}
			keys[e] = last
		}
		slices.SortStableFunc(r.arrived, func(a, b *model.Event) int { return cmp.Compare(keys[a], keys[b]) })
	case model.OrderRepair:
		keys := make([]model.OrderKey, len(r.arrived))
		first := map[string]string{} // ids as the importer resolves them
		for _, e := range r.arrived {
			for _, id := range append([]string{e.ID}, e.Aliases...) {
				if first[id] == "" {
					first[id] = e.ID
				}
			}
		}
		for i, e := range r.arrived {
			keys[i] = model.OrderKey{ID: e.ID, Aliases: e.Aliases, Type: e.Type, Call: e.Call, Kind: e.Kind, Time: e.Time, Seq: e.Seq, HasSeq: e.HasSeq}
			for _, l := range e.Links {
				if l.Reason == model.ReasonParent {
					keys[i].Parent = firstNonEmpty(first[l.ToID], l.ToID)
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

func (r *imported) link() {
	for _, e := range r.arrived {
		e.Pos = int64(len(r.events)) + 1
		if !e.HasSeq {
			e.Seq = e.Pos
		}
		r.events = append(r.events, e)
		if first, ok := r.ids[e.ID]; ok && e.ID != "" && r.events[first-1].Hash == e.Hash {
			e.Origin = model.OriginCopied
			continue
		}
		r.linker.Link(e, r)
		for _, id := range append([]string{e.ID}, e.Aliases...) {
			if _, known := r.ids[id]; !known && id != "" {
				r.ids[id] = e.Pos
			}
		}
	}
}

// folded is a session with all that its rows did.
type folded struct {
	*imported
	log     replay.Log
	effects [][]model.Effect // by pos-1
	views   [][]model.Entry  // after each event
	notes   []model.Note
}

// fold replays a session; with stops the effector is saved and loaded again
// before each event.
func (r *imported) fold(t testing.TB, stops bool) *folded {
	t.Helper()
	f := &folded{imported: r}
	state := replay.New(replay.Options{Past: &f.log})
	view := state.View(r)
	effector := New().(model.Teller).NewEffector(r.stream, r.id)
	for _, e := range r.events {
		if stops {
			saved, err := effector.Save()
			if err != nil {
				t.Fatal(err)
			}
			effector = New().(model.Teller).NewEffector(r.stream, r.id)
			if err := effector.Load(saved); err != nil {
				t.Fatal(err)
			}
		}
		effects := effector.Effects(e, bytes.Clone(r.raw[e]), view)
		f.effects = append(f.effects, effects)
		f.log.Add(state.Apply(e, effects))
		f.views = append(f.views, append([]model.Entry(nil), view.Context()...))
		f.notes = append(f.notes, state.Notes()...)
	}
	return f
}

// viewed is what is in view after the event at pos, with the records.
func (f *folded) viewed(pos int64) []model.Viewed {
	if pos < 1 {
		return nil
	}
	var out []model.Viewed
	for _, x := range f.views[pos-1] {
		e, raw, _ := f.Record(x.Pos)
		out = append(out, model.Viewed{Entry: x, Record: e, Raw: raw})
	}
	return out
}

// cell decodes a cell's value after the event at pos; nil where it is absent
// or null.
func (f *folded) cell(t testing.TB, pos int64, path string) any {
	t.Helper()
	v, ok := f.log.At(pos)[path]
	if !ok || v.JSON == nil {
		return nil
	}
	var x any
	if err := json.Unmarshal(v.JSON, &x); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return x
}

// file is what is told of a file after the event at pos.
func (f *folded) file(t testing.TB, pos int64, path string) (text *string, certainty string, ok bool) {
	t.Helper()
	v, ok := f.log.At(pos)[replay.FilePath(path)]
	if !ok {
		return nil, "", false
	}
	var cell struct{ Certainty string }
	if err := json.Unmarshal(v.JSON, &cell); err != nil {
		t.Fatal(err)
	}
	return v.Text, cell.Certainty, true
}

// dataFolder finds the sample dumps, which stand beside the project.
func dataFolder(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for up := dir; ; up = filepath.Dir(up) {
		data := filepath.Join(up, "shared", "data", "opencode")
		if info, err := os.Stat(data); err == nil && info.IsDir() {
			return data
		}
		if up == filepath.Dir(up) {
			t.Skip("no sample dumps: the folder shared/data/opencode is not above this one")
		}
	}
}
