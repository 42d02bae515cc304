// Package installed finds the sessions that programs left in their usual
// places, newest first and those of a folder before all others. It walks names,
// sizes and times; what a session is about it learns from a few of its bytes,
// and only when asked. It opens nothing outside of those places, follows no
// link out of them, and writes nowhere.
package installed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"hindcast/index/source"
	"hindcast/model"
	"hindcast/model/dialect"
)

// The bounds of a look at a place.
const (
	namesLimit = 1 << 16 // names read of a place
	rowsLimit  = 4096    // sessions listed of a database
	traceLimit = 1024    // sessions of a place that are asked where they stand, the newest
)

// Options say where to look.
type Options struct {
	Account model.Account
	Folder  string         // the folder whose sessions come first; empty: none
	Source  source.Options // how files are opened
	Names   int            // names read of a place; 0: 65,536
}

// Row is a session that was found.
type Row struct {
	Dialect string
	Session string // its id in the dump
	Many    bool   // the dump holds other sessions as well
	Ran     string // the directory that it ran in; empty where not known yet
	Here    bool   // it ran in the folder, or below the root of its repository
	Title   string // as its program calls it; empty where not known yet
	Parent  string // the session that made it; empty where none did, or that is not known yet
	Base    string // the session that it goes on from, likewise; see model.Trace
	Changed int64  // ns since 1970
	Size    int64  // bytes; -1 where not known yet

	place *model.Place
	match string // below the place's folder
	reads model.Dialect

	traced bool  // Ran, Parent and Base are read
	kin    []int // the rows of what it stands on, and of what it made, that stand in dumps of their own
}

// Place is a folder that was looked into.
type Place struct {
	Dialect string
	Folder  string
	Found   int    // sessions
	Problem string // why not all of it was seen; empty where it was, or is not there
}

// List is what was found.
type List struct {
	Rows   []Row
	Places []Place
	opt    Options
}

// Find looks into all usual places. Places that are not there, or cannot be
// read, are no errors; the context's end is one.
func Find(ctx context.Context, o Options) (*List, error) {
	o.Source.NoCopy = true
	o.Names = cmp.Or(o.Names, namesLimit)
	l := &List{opt: o}
	for _, d := range dialect.All() {
		settled, ok := d.(model.Settled)
		if !ok {
			continue
		}
		seen := map[string]bool{}
		for _, p := range settled.Places(o.Account) {
			if !filepath.IsAbs(p.Folder) {
				continue // of an account without a home
			}
			rows, place := l.look(ctx, d, &p)
			rows = slices.DeleteFunc(rows, func(r Row) bool {
				known := seen[r.Session]
				seen[r.Session] = true
				return known
			})
			l.Rows = append(l.Rows, rows...)
			l.add(place)
		}
		// Who made a session shows it, where both stand in one dump.
		l.Rows = slices.DeleteFunc(l.Rows, func(r Row) bool { return r.Many && r.Dialect == d.Info().Name && seen[r.Parent] })
	}
	for i := range l.Places {
		p := &l.Places[i]
		for _, r := range l.Rows {
			if r.Dialect == p.Dialect && filepath.FromSlash(r.place.Folder) == p.Folder {
				p.Found++
			}
		}
	}
	roots := rootsOf(o.Folder)
	for i := range l.Rows {
		l.Rows[i].Here = within(l.Rows[i].Ran, roots)
	}
	slices.SortStableFunc(l.Rows, order)
	l.kin()
	return l, ctx.Err()
}

// reason says why something cannot be read, without naming it.
func reason(err error) string {
	var e *source.Error
	if errors.As(err, &e) {
		return e.Reason
	}
	return err.Error()
}

// add notes a place; two of one program in one folder are one.
func (l *List) add(p Place) {
	for i := range l.Places {
		if q := &l.Places[i]; q.Dialect == p.Dialect && q.Folder == p.Folder {
			q.Problem = cmp.Or(q.Problem, p.Problem)
			return
		}
	}
	l.Places = append(l.Places, p)
}

// order puts the folder's own first, then the newest.
func order(a, b Row) int {
	if a.Here != b.Here {
		if a.Here {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(b.Changed, a.Changed), cmp.Compare(a.Dialect, b.Dialect), cmp.Compare(a.Session, b.Session))
}

// look finds the sessions of a place, the newest first.
func (l *List) look(ctx context.Context, d model.Dialect, p *model.Place) ([]Row, Place) {
	place := Place{Dialect: d.Info().Name, Folder: filepath.FromSlash(p.Folder)}
	found, err := source.Glob{Folder: place.Folder, Pattern: p.Match, Marks: p.Marks, Names: l.opt.Names}.Find(ctx)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		place.Problem = reason(err)
	case found.Cut:
		place.Problem = fmt.Sprintf("it holds more names than are read (limit names = %d)", l.opt.Names)
	case len(found.Skipped) > 0:
		place.Problem = found.Skipped[0].Name + ": " + found.Skipped[0].Reason
	}
	var rows []Row
	for _, m := range found.All {
		if p.Table != nil {
			more, err := l.tableRows(ctx, d, p, m)
			if err != nil {
				place.Problem = cmp.Or(place.Problem, m.Rel+": "+reason(err))
			}
			rows = append(rows, more...)
			continue
		}
		if id := p.Session(m.Rel); id != "" {
			rows = append(rows, Row{
				Dialect: place.Dialect, Session: id, Changed: m.Changed, Size: m.Size, Many: p.Open != nil && p.Open(m.Rel)[0] != m.Rel,
				place: p, match: m.Rel, reads: d,
			})
			if r := &rows[len(rows)-1]; r.inTree() {
				r.Size = -1
			}
		}
	}
	// Of a session that stands there twice, the plain file before the packed one.
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.Changed, a.Changed), cmp.Compare(len(a.match), len(b.match)), cmp.Compare(a.match, b.match))
	})
	l.askWhere(ctx, p, rows)
	return rows, place
}

// askWhere reads where the newest sessions of a place stand, as far as their
// names do not tell that they ran elsewhere.
func (l *List) askWhere(ctx context.Context, p *model.Place, rows []Row) {
	roots := rootsOf(l.opt.Folder)
	left := traceLimit
	for i := range rows {
		r := &rows[i]
		if p.Trace == nil || p.MayRun != nil && !mayRun(p, r.match, roots) {
			continue
		}
		if left--; left < 0 || ctx.Err() != nil {
			return
		}
		t := r.trace(ctx, l.opt.Source)
		r.Ran, r.Parent, r.Base, r.traced = t.Ran, t.Parent, t.Base, true
	}
}

func mayRun(p *model.Place, rel string, roots []string) bool {
	return slices.ContainsFunc(roots, func(root string) bool { return p.MayRun(rel, filepath.ToSlash(root)) })
}
