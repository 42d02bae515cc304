package source

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
)

// errFull ends a walk at Limits.Entries.
var errFull = errors.New("no room for more files")

// list finds the files of a root.
func (d *Dump) list(ctx context.Context, r *root) ([]*member, error) {
	switch r.kind {
	case rootPipe:
		return d.listPipe(ctx, r)
	case rootDemo:
		return d.listDemo(r), nil
	case rootFile:
		return d.listFile(ctx, r)
	}
	return d.listFolder(ctx, r)
}

func (d *Dump) listDemo(r *root) []*member {
	var all []*member
	for name, data := range d.o.Embedded {
		full := r.join(name)
		all = append(all, &member{name: full, raw: full, rel: name, root: r, probed: true,
			size: int64(len(data)), in: &inner{data: data}})
	}
	return all
}

func (d *Dump) listFile(ctx context.Context, r *root) ([]*member, error) {
	f, fi, err := openDisk(r.path)
	if err != nil {
		return nil, rootError(r.arg, err)
	}
	f.Close()
	name := r.prefix
	if name == "" {
		name = r.base()
	}
	m := &member{name: name, raw: name, root: r}
	m.stat(fi)
	d.admit()
	all, err := d.unwrap(ctx, m, r.prefix)
	if err != nil {
		return nil, fileError(r.arg, err)
	}
	return all, nil
}

// fileError puts why an argument cannot be unpacked into an Error.
func fileError(arg string, err error) error {
	var e *Error
	if errors.As(err, &e) {
		e.Path = arg
		return e
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	e = rootError(arg, err)
	var limit *LimitError
	if errors.As(err, &limit) {
		e.Hint = "unpack it yourself, where you trust it, and open the result"
	}
	return e
}

func (d *Dump) listFolder(ctx context.Context, r *root) ([]*member, error) {
	var all []*member
	err := r.walk(ctx, visitor{
		folder: func(path string) { d.dirs = append(d.dirs, path) },
		skip: func(rel, reason string) {
			if d.admit() {
				d.skip(r.join(rel), reason)
			}
		},
		file: func(rel string, fi fs.FileInfo) error {
			if !d.admit() {
				return errFull
			}
			found, err := d.found(ctx, r, rel, fi)
			all = append(all, found...)
			return err
		},
	})
	switch {
	case err == errFull:
		d.full(r.arg)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, rootError(r.arg, err)
	}
	return d.dropSides(r, all), nil
}

// found makes members of a file in a folder: one, those of an archive, or none
// and a reason. Only a context's error is returned.
func (d *Dump) found(ctx context.Context, r *root, rel string, fi fs.FileInfo) ([]*member, error) {
	name := r.join(rel)
	m := &member{name: name, raw: name, rel: rel, root: r}
	m.stat(fi)
	if !looksPacked(rel) {
		return []*member{m}, nil
	}
	all, err := d.unwrap(ctx, m, name)
	if err != nil && ctx.Err() == nil {
		d.skip(name, skipReason(err))
		err = nil
	}
	return all, err
}

func skipReason(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Reason
	}
	var limit *LimitError
	if errors.As(err, &limit) {
		return limit.Error()
	}
	return plainReason(err)
}

// unwrap looks at the content of a file and returns it as a member under the
// name that it has unpacked, or the members of the archive that it is, under
// prefix.
func (d *Dump) unwrap(ctx context.Context, m *member, prefix string) ([]*member, error) {
	form, err := d.probe(ctx, m)
	switch {
	case err != nil:
		return nil, err
	case form.refused():
		return nil, &Error{Path: m.raw, Reason: form.reason(), Hint: form.unpackIt()}
	case form.archive() && m.in != nil:
		return nil, &Error{Path: m.raw, Reason: "an archive inside an archive", Hint: form.unpackIt()}
	case form.archive():
		return d.openArchive(ctx, m, form, prefix)
	case form == formSQLite:
		return d.openDatabase(ctx, m, nil, m.raw)
	case looksLikeDatabase(m.raw) && len(m.layers) == 0:
		if err := d.noDatabase(ctx, m); err != nil {
			return nil, err
		}
	}
	m.name = bareName(m.raw, m.layers)
	return []*member{m}, nil
}

// noDatabase says why a file is none that has the name of a database, unless
// it holds text.
func (d *Dump) noDatabase(ctx context.Context, m *member) error {
	head, err := d.peek(ctx, m, nil, sniffLen)
	switch {
	case err != nil:
		return err
	case len(head) == 0:
		return &Error{Path: m.raw, Reason: "an empty file, not a database yet"}
	case bytes.IndexByte(head, 0) < 0 && !bytes.ContainsFunc(head[:min(len(head), sniffLen/2)], isControl):
		return nil
	}
	return &Error{Path: m.raw, Reason: "it has the name of a database but no SQLite header: it is encrypted, damaged, or of another program",
		Hint: "decrypt or export it with the program that wrote it, and open the result"}
}

func isControl(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' && r != '\x1b' && r != '\x1e'
}

// probe finds the layers around a member, by content, and tells what lies
// within.
func (d *Dump) probe(ctx context.Context, m *member) (form, error) {
	var layers []form
	for {
		head, err := d.peek(ctx, m, layers, sniffLen)
		var limit *LimitError
		if isSystem(err) {
			return formPlain, err
		}
		if errors.As(err, &limit) && len(head) == 0 {
			d.setLayers(m, layers) // reading it tells the same
			return formPlain, err
		}
		f := sniff(head)
		if !f.layer() || len(layers) > 0 && layers[len(layers)-1].encoding() {
			d.setLayers(m, layers)
			return f, nil
		}
		if f.packing() && d.depth(m, layers) >= d.o.Limits.Nesting {
			d.setLayers(m, layers)
			return f, &LimitError{Limit: "nesting", Value: int64(d.o.Limits.Nesting), Name: m.raw}
		}
		layers = append(slices.Clip(layers), f)
	}
}

// isSystem tells an error of the file system or the context from one of the
// packed bytes, which probing takes as it comes.
func isSystem(err error) bool {
	var pe *os.PathError
	return errors.As(err, &pe) || errors.Is(err, ErrGone) || errors.Is(err, ErrChanged) ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// depth counts the packings around a member.
func (d *Dump) depth(m *member, layers []form) int {
	n := 0
	if m.in != nil && m.in.box != nil {
		n = m.in.box.depth
	}
	for _, l := range layers {
		if l.packing() {
			n++
		}
	}
	return n
}

func (d *Dump) setLayers(m *member, layers []form) {
	d.mu.Lock()
	m.layers, m.probed = layers, true
	d.stale = d.stale || len(layers) > 0
	d.mu.Unlock()
}
