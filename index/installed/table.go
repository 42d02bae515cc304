package installed

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"

	"hindcast/index/source"
	"hindcast/model"
	"hindcast/model/jsonscan"
)

// tableRows lists the sessions of a database.
func (l *List) tableRows(ctx context.Context, d model.Dialect, p *model.Place, m source.Match) ([]Row, error) {
	path := filepath.Join(filepath.FromSlash(p.Folder), filepath.FromSlash(m.Rel))
	dump, err := source.Open(ctx, []string{path}, l.opt.Source)
	if err != nil {
		return nil, err
	}
	defer dump.Close()
	t := p.Table
	table := tableIn(dump, t.Name)
	if table < 0 {
		return nil, nil // a database of something else
	}
	text, err := dump.Rows(ctx, table, source.Pick{
		Columns: []string{t.ID, t.Parent, t.Ran, t.Title, t.Changed}, Order: t.Changed, Limit: rowsLimit, Cell: cellLimit,
	})
	var rows []Row
	for line := range bytes.Lines(text) {
		changed, _ := jsonscan.Int(jsonscan.Get(line, t.Changed))
		r := Row{
			Dialect: d.Info().Name, Session: jsonscan.Str(jsonscan.Get(line, t.ID)), Changed: changed * 1e6, Size: -1, Many: true,
			Ran: jsonscan.Str(jsonscan.Get(line, t.Ran)), Title: jsonscan.Str(jsonscan.Get(line, t.Title)),
			Parent: jsonscan.Str(jsonscan.Get(line, t.Parent)), place: p, match: m.Rel, reads: d,
		}
		if r.Session != "" {
			rows = append(rows, r)
		}
	}
	return rows, err
}

// tableIn finds a table of a dump that is one database; -1 where there is none.
func tableIn(d *source.Dump, name string) int {
	return slices.IndexFunc(d.Files(), func(f model.File) bool { return f.Database != "" && f.Name == f.Database+"/"+name })
}
