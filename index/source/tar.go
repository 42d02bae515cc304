package source

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// listTar lists a tar in one pass. Where r is nil it stands at box.at and its
// members are read in place; otherwise each is copied from r into the spool.
func (d *Dump) listTar(ctx context.Context, box *archive, r io.Reader) ([]*member, error) {
	t := &tarLister{d: d, ctx: ctx, box: box}
	if r == nil {
		t.place = io.NewSectionReader(box.at, 0, box.size)
		r = t.place
	} else {
		r = d.within(r, box.raw)
	}
	t.tr = tar.NewReader(r)
	for {
		h, err := t.tr.Next()
		if err == nil || errors.Is(err, tar.ErrInsecurePath) {
			err = t.add(h)
		}
		if cerr := ctx.Err(); cerr != nil {
			return nil, cerr
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			d.skip(box.raw, "the rest of the archive cannot be read: "+tarReason(err))
			break
		}
	}
	return d.settleMembers(ctx, box, d.lastOfName(box, t.all))
}

type tarLister struct {
	d     *Dump
	ctx   context.Context
	box   *archive
	tr    *tar.Reader
	place *io.SectionReader // nil where members are spooled
	all   []*member
}

// add takes one member. An error ends the listing.
func (t *tarLister) add(h *tar.Header) error {
	if !t.d.admit() {
		return &LimitError{Limit: "entries", Value: int64(t.d.o.Limits.Entries), Name: t.box.raw}
	}
	if h.Typeflag == tar.TypeDir || h.Typeflag == tar.TypeXGlobalHeader {
		return nil
	}
	name, why := memberName(h.Name)
	if why == "" {
		why = memberJunk(name)
	}
	if why == "" {
		why = oddMember(h)
	}
	if why != "" {
		t.d.skip(t.box.join(h.Name), why)
		return nil
	}
	m := &member{name: name, raw: name, size: h.Size, probed: true, in: &inner{box: t.box}}
	if t.place != nil {
		return t.point(m)
	}
	return t.copy(m)
}

// point notes where a member stands in the archive itself.
func (t *tarLister) point(m *member) error {
	at, err := t.place.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	m.in.off = at
	if left := t.box.size - at; m.size > left {
		m.size, m.in.fault = left, ErrTruncated
	}
	t.all = append(t.all, m)
	return nil
}

// copy spools a member. One that is cut is offered as far as it goes.
func (t *tarLister) copy(m *member) error {
	off, n, err := t.d.spool.write(t.ctx, t.tr)
	m.in.off, m.size = off, n
	if err != nil {
		var read *ReadError
		if errors.As(err, &read) {
			err = read.Err // its place is one of the archive, not of the member
		}
		if errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, ErrTruncated) {
			err = fmt.Errorf("%w: %w", ErrTruncated, err)
		}
		m.in.fault = err
		if n == 0 {
			return err
		}
	}
	t.all = append(t.all, m)
	return err
}

// oddMember says why a member holds no bytes of its own that can be read.
func oddMember(h *tar.Header) string {
	switch h.Typeflag {
	case tar.TypeReg:
	case tar.TypeSymlink:
		return "a link"
	case tar.TypeLink:
		return "a hard link to another member"
	case tar.TypeChar, tar.TypeBlock:
		return "a device"
	case tar.TypeFifo:
		return "a named pipe"
	case tar.TypeGNUSparse:
		return "a sparse file, which is not read"
	default:
		return fmt.Sprintf("a member of unknown type %q", h.Typeflag)
	}
	for key := range h.PAXRecords {
		if strings.HasPrefix(key, "GNU.sparse.") {
			return "a sparse file, which is not read"
		}
	}
	return ""
}

func tarReason(err error) string {
	switch {
	case errors.Is(err, ErrTruncated):
		return ErrTruncated.Error()
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "it is cut short"
	case errors.Is(err, tar.ErrHeader):
		return "a header is damaged"
	}
	var read *ReadError
	if errors.As(err, &read) {
		err = read.Err
	}
	return err.Error()
}
