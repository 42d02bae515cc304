package index

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"hindcast/index/installed"
	"hindcast/index/source"
	"hindcast/index/store"
	"hindcast/model"
	"hindcast/model/answer"
)

// InstalledSessions are the sessions that programs left in their usual places,
// those of a folder first, then the newest.
type InstalledSessions struct {
	list  *installed.List
	opt   Options
	known map[string]imported // by dumps
}

// imported is what an index knows that holds all of a dump; nothing where there
// is none.
type imported struct {
	sessions []model.Session
	bytes    int64 // of the dump
}

// Installed looks for sessions in the usual places of an account. It reads
// names, and of some files where they ran. The options say how the sessions
// would be opened, so that the indexes of those that were are found.
func Installed(ctx context.Context, a model.Account, folder string, o Options) (*InstalledSessions, error) {
	cache, _ := CacheDir()
	list, err := installed.Find(ctx, installed.Options{Account: a, Folder: folder, Source: source.Options{TempDir: cache}})
	if err != nil {
		return nil, err
	}
	return &InstalledSessions{list: list, opt: o, known: map[string]imported{}}, nil
}

// Places lists the folders that were looked into.
func (s *InstalledSessions) Places() []answer.InstalledPlace {
	all := make([]answer.InstalledPlace, len(s.list.Places))
	for i, p := range s.list.Places {
		all[i] = answer.InstalledPlace{Dialect: p.Dialect, Path: p.Folder, Found: p.Found, Problem: orNil(p.Problem)}
	}
	return all
}

// Rows lists the sessions as far as names tell of them.
func (s *InstalledSessions) Rows() []answer.InstalledSession {
	all := make([]answer.InstalledSession, len(s.list.Rows))
	for i, r := range s.list.Rows {
		all[i] = answer.InstalledSession{
			ID: r.Session, Dialect: r.Dialect, Dumps: []string{}, Title: orNil(r.Title), Cwd: orNil(r.Ran), Here: r.Here,
			Changed: time.Unix(0, r.Changed).UTC().Format(time.RFC3339), Bytes: size(r.Size), Read: answer.ReadNothing,
		}
	}
	return all
}

// Look tells all of a row: from the index of its dump where one holds all of
// it, else from the beginning and the end of the session. It is not safe for
// use by several goroutines.
func (s *InstalledSessions) Look(ctx context.Context, row int) answer.InstalledSession {
	r := s.Rows()[row]
	r.Dumps = s.list.Open(row)
	r.Cwd = orNil(s.list.Ran(ctx, row))
	if s.imported(ctx, &r, s.list.Rows[row].Many) {
		return r
	}
	t := s.list.Look(ctx, row)
	r.Title, r.Outcome, r.Parent, r.Bytes = orNil(t.Title), orNil(t.Outcome), orNil(t.Parent), size(t.Size)
	switch {
	case t.Problem != "":
		r.Problem = &t.Problem
		return r
	case t.Whole:
		r.Read = answer.ReadWhole
	default:
		r.Read = answer.ReadEnds
	}
	if t.Failed >= 0 {
		r.Failed = &t.Failed
	}
	return r
}

// imported fills in what the index of the session's dump knows of it; false
// where there is none.
func (s *InstalledSessions) imported(ctx context.Context, r *answer.InstalledSession, many bool) bool {
	key := strings.Join(r.Dumps, "\x00")
	known, looked := s.known[key]
	if !looked {
		known = importedSessions(ctx, r.Dumps, s.opt)
		s.known[key] = known
	}
	for _, x := range known.sessions {
		if x.ID != r.ID {
			continue
		}
		r.Title, r.Outcome, r.Parent = orNil(x.Title), orNil(x.Outcome), orNil(x.Parent)
		r.Failed, r.Read = &x.Failed, answer.ReadIndex
		if r.Bytes == nil && !many {
			r.Bytes = &known.bytes
		}
		return true
	}
	return false
}

// importedSessions are those of a dump that was imported and has not changed
// since. Nothing is made or written where it was not.
func importedSessions(ctx context.Context, dumps []string, o Options) (known imported) {
	if len(dumps) == 0 {
		return known
	}
	id, err := source.IdentityOf(dumps)
	dir, noPlace := CacheDir()
	if err != nil || noPlace != nil {
		return known
	}
	path := filepath.Join(dir, indexName(id, o))
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		return known
	}
	st, err := store.Open(path, store.Options{ReadOnly: true})
	if err != nil {
		return known
	}
	x := &Index{dumps: dumps, opt: o, st: st}
	defer x.Close()
	if x.dump, err = source.Open(ctx, dumps, source.Options{TempDir: dir, NoCopy: true}); err != nil {
		return known
	}
	meta, err := st.Reader().Meta(ctx)
	if err != nil {
		return known
	}
	if f, err := x.fitEvents(ctx, meta); err != nil || f != fitWhole {
		return known
	}
	for _, f := range x.dump.Files() {
		known.bytes += max(0, f.Size)
	}
	known.sessions, _ = st.Reader().Sessions(ctx)
	return known
}

func orNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func size(n int64) *int64 {
	if n < 0 {
		return nil
	}
	return &n
}
