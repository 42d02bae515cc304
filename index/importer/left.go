package importer

import (
	"context"
	"errors"
	"fmt"

	"hindcast/index/source"
	"hindcast/index/store"
)

// ErrNoEvents is wrapped by a NothingError.
var ErrNoEvents = errors.New("no events")

// NothingError is a dump in which no dialect found anything to read.
type NothingError struct {
	Files int
	Seen  string // what the first file looks like
	Name  string // of the first file
}

// Error says what was seen instead of events.
func (e *NothingError) Error() string {
	if e.Files == 0 {
		return "no events: there is no file to read"
	}
	if e.Files == 1 {
		return fmt.Sprintf("no events: %s holds %s", e.Name, e.Seen)
	}
	return fmt.Sprintf("no events in %d files; %s holds %s", e.Files, e.Name, e.Seen)
}

// Unwrap makes errors.Is(err, ErrNoEvents) true.
func (e *NothingError) Unwrap() error { return ErrNoEvents }

// seeFaults says of packed files out of which nothing came why: to the dialects
// they are empty.
func (m *Importer) seeFaults(ctx context.Context) {
	for i := range m.plan.Left {
		l := &m.plan.Left[i]
		if m.dump.Entry(l.File).Compressed == "" || len(m.dump.Head(l.File, 1)) > 0 {
			continue
		}
		r, err := m.dump.Reader(ctx, l.File, 0)
		if err == nil {
			_, err = r.Read(make([]byte, 1))
			r.Close()
		}
		switch {
		case errors.Is(err, source.ErrTruncated):
			l.Seen = "packed data that is cut short, of which nothing could be unpacked"
		case errors.Is(err, source.ErrCorrupt):
			l.Seen = "packed data that is damaged, of which nothing could be unpacked"
		}
	}
}

func (m *Importer) nothing() error {
	e := &NothingError{Files: len(m.dump.Files())}
	if len(m.plan.Left) > 0 {
		e.Seen = m.plan.Left[0].Seen
		e.Name = m.dump.Files()[m.plan.Left[0].File].Name
	}
	return e
}

// skip records the files that nobody reads, each with its reason.
func (m *Importer) skip() {
	for _, s := range m.dump.Skipped() {
		m.out.pending.Skipped = append(m.out.pending.Skipped, store.Skipped{Name: s.Name, Reason: s.Reason})
	}
	files := m.dump.Files()
	for _, e := range m.plan.Refused {
		m.out.pending.Skipped = append(m.out.pending.Skipped, store.Skipped{Name: files[e.File].Name, Reason: e.What})
	}
	for _, l := range m.plan.Left {
		reason := "holds no events"
		if l.Seen != "" {
			reason = "holds " + l.Seen
		}
		m.out.pending.Skipped = append(m.out.pending.Skipped, store.Skipped{Name: files[l.File].Name, Reason: reason})
	}
}
