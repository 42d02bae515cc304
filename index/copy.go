package index

import (
	"context"
	"errors"
	"fmt"
	"io"

	"hindcast/index/store"
)

// Sources lists the names of the dump's files, in reading order.
func (x *Index) Sources(ctx context.Context) ([]string, error) {
	rows, err := x.st.Reader().Sources(ctx)
	var names []string
	for _, s := range rows {
		names = append(names, s.Name)
	}
	return names, err
}

// CopySource writes a source's unpacked bytes.
func (x *Index) CopySource(ctx context.Context, name string, w io.Writer) error {
	rows, err := x.st.Reader().Sources(ctx)
	if err != nil {
		return err
	}
	src, err := pickSource(rows, name)
	if err != nil {
		return err
	}
	if !src.Spooled && src.Path == "" {
		r, err := x.anew(ctx, src)
		if err != nil {
			return err
		}
		defer r.Close()
		_, err = io.Copy(w, r)
		return err
	}
	for off := int64(0); off < src.Size; off += copyStep {
		n := min(copyStep, src.Size-off)
		b, err := x.bytes.Read(ctx, x.st.Reader(), src, off, n)
		if err != nil {
			return err
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return nil
}

// anew reads a source that the index knows only the size of: a table of a
// database that holds no events.
func (x *Index) anew(ctx context.Context, src store.Source) (io.ReadCloser, error) {
	if x.dump != nil {
		for i, f := range x.dump.Files() {
			if f.Name == src.Name {
				return x.dump.Reader(ctx, i, 0)
			}
		}
	}
	return nil, fmt.Errorf("the index does not hold %s, whose rows are no events; name the dump itself", src.Name)
}

// allOf reads a source that holds no events.
func (x *Index) allOf(ctx context.Context, src store.Source) ([]byte, error) {
	if src.Spooled || src.Path != "" {
		return x.bytes.Read(ctx, x.st.Reader(), src, 0, src.Size)
	}
	r, err := x.anew(ctx, src)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// copyStep is how much of a source is held at once while it is copied.
const copyStep = 1 << 20

// ErrManySources is wrapped where one source must be named.
var ErrManySources = errors.New("the dump has several files")

func pickSource(rows []store.Source, name string) (store.Source, error) {
	if name == "" && len(rows) == 1 {
		return rows[0], nil
	}
	for _, s := range rows {
		if s.Name == name {
			return s, nil
		}
	}
	e := &SourceError{Name: name}
	for _, s := range rows[:min(len(rows), 8)] {
		e.Known = append(e.Known, s.Name)
	}
	e.More = len(rows) - len(e.Known)
	return store.Source{}, e
}

// SourceError is a source that must be named, or whose name is not in the dump.
type SourceError struct {
	Name  string
	Known []string
	More  int
}

// Error names sources that exist.
func (e *SourceError) Error() string {
	msg := "the dump has several files; name one of"
	if e.Name != "" {
		msg = "no file " + e.Name + " in the dump; it has"
	}
	for _, k := range e.Known {
		msg += " " + k
	}
	if e.More > 0 {
		msg += fmt.Sprintf(" and %d more", e.More)
	}
	return msg
}

// Unwrap makes errors.Is(err, ErrManySources) true.
func (e *SourceError) Unwrap() error { return ErrManySources }
