package eventlog

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// fakeDump is a dump in memory, in path order.
type fakeDump struct {
	files []model.File
	bytes [][]byte
}

func newDump(files map[string]string) *fakeDump {
	d := &fakeDump{}
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		d.files = append(d.files, model.File{Name: name, Size: int64(len(files[name]))})
		d.bytes = append(d.bytes, []byte(files[name]))
	}
	return d
}

func (d *fakeDump) Files() []model.File { return d.files }
func (d *fakeDump) Head(file, n int) []byte {
	return d.bytes[file][:min(n, len(d.bytes[file]))]
}

// decodeAll decodes JSON values one after another and ranks them by sequence,
// as an importer would.
func decodeAll(t testing.TB, text string) []*model.Event {
	t.Helper()
	s := &model.Stream{Session: "run"}
	var events []*model.Event
	rest := []byte(text)
	for {
		start, end, err := jsonscan.Value(rest)
		if err != nil {
			break
		}
		rec := &model.Record{Stream: s, Name: "run.jsonl", Raw: rest[start:end]}
		if err := New().Decode(rec, func(e *model.Event) { events = append(events, e) }); err != nil {
			t.Fatalf("decode %s: %v", rest[start:end], err)
		}
		rest = rest[end:]
	}
	slices.SortStableFunc(events, func(a, b *model.Event) int { return int(a.Seq - b.Seq) })
	for i, e := range events {
		e.Pos = int64(i + 1)
		if e.Session == "" {
			e.Session = s.Session
		}
	}
	return events
}

// fakeLookup answers about the events that went before.
type fakeLookup struct{ events []*model.Event }

func (f *fakeLookup) ByID(id string) (model.Brief, bool) {
	for _, e := range f.events {
		if e.ID == id && id != "" {
			return model.Brief{Pos: e.Pos, Seq: e.Seq, Kind: e.Kind}, true
		}
	}
	return model.Brief{}, false
}

func (f *fakeLookup) At(pos int64) (model.Brief, bool) {
	if pos < 1 || pos > int64(len(f.events)) {
		return model.Brief{}, false
	}
	e := f.events[pos-1]
	return model.Brief{Pos: e.Pos, Seq: e.Seq, Kind: e.Kind}, true
}

// linkAll decodes and links a stream.
func linkAll(t testing.TB, text string) ([]*model.Event, model.Linker) {
	t.Helper()
	events := decodeAll(t, text)
	l := New().NewLinker(&model.Stream{}, "run")
	look := &fakeLookup{}
	for _, e := range events {
		l.Link(e, look)
		look.events = append(look.events, e)
	}
	return events, l
}

// linkText writes an event's links: reason, target seq, and what is odd.
func linkText(e *model.Event) string {
	var out []string
	for _, l := range e.Links {
		s := l.Reason.String()
		switch {
		case l.Resolved():
			s += fmt.Sprintf(">%d", l.To.Seq)
		case l.Broken != model.LinkWhole:
			s += "!" + l.Broken.String()
		default:
			s += "?" + l.ToID
		}
		if l.Inferred {
			s += "~"
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}
