package inspector

import (
	"slices"

	"hindcast/index"
	"hindcast/inspector/config"
	"hindcast/inspector/travel"
	"hindcast/model/query"
	"hindcast/render"
)

// columns are those of the timeline that are left out, since a setting does not
// name them.
func columns(named []string) (without render.Columns, timeless bool) {
	for name, c := range map[string]render.Columns{"seq": render.SeqColumn, "who": render.WhoColumn, "out": render.OutColumn, "took": render.TookColumn} {
		if !slices.Contains(named, name) {
			without |= c
		}
	}
	return without, !slices.Contains(named, "time")
}

// clockNamed is the time column that a setting names.
func clockNamed(name string) travel.Clock {
	return travel.Clock(max(slices.Index(config.Clocks, name), 0))
}

// wanted leaves out of folded rows what a reader does not want to see, but for
// what failed; nil: nothing is left out.
func wanted(kinds, types []string) query.Expr {
	var keep []query.Expr
	for _, k := range kinds {
		keep = append(keep, query.Not{X: query.Term{Field: query.FieldKind, Op: query.OpIs, Text: k}})
	}
	for _, t := range types {
		keep = append(keep, query.Not{X: query.Term{Field: query.FieldType, Op: query.OpMatch, Text: t}})
	}
	if len(keep) == 0 {
		return nil
	}
	return query.Or{List: []query.Expr{failedIs("true"), query.All(keep...)}}
}

// wantedNow is what the rows leave out by setting: nothing where every record is
// asked for.
func (u *ui) wantedNow() query.Expr {
	if u.st.Visibility == index.All {
		return nil
	}
	return u.wanted
}

// both is what matches two filters, each of which may be nil.
func both(a, b query.Expr) query.Expr {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return query.All(a, b)
}

func failedIs(word string) query.Expr {
	return query.Term{Field: query.FieldFailed, Op: query.OpIs, Text: word}
}
