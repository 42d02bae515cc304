package store

import (
	"database/sql"
	"net/url"

	_ "modernc.org/sqlite" // the driver; its one door
)

// How the index is opened. Pragmas are constants: the driver runs them as SQL.
// wal_autocheckpoint: the log is folded in every 32 MB while a load goes on and
// others decode, instead of all at its end, where somebody waits for it.
// temp_store: a statement of many rows journals the pages that it changes, a
// few each, which would go through a file.
var (
	commonPragmas = []string{"trusted_schema(0)", "busy_timeout(5000)", "cell_size_check(1)"}
	writePragmas  = []string{"journal_mode(wal)", "synchronous(normal)", "cache_size(-32768)", "wal_autocheckpoint(4000)", "foreign_keys(0)", "temp_store(memory)"}
	readPragmas   = []string{"query_only(1)", "cache_size(-8192)"}
)

// dsn spells a path as a URI, so that no character of it is taken for syntax
// and SQLite honours mode and immutable.
func dsn(path, mode string, immutable bool, pragmas ...[]string) string {
	q := url.Values{"mode": {mode}}
	if immutable {
		q.Set("immutable", "1")
	}
	for _, list := range append([][]string{commonPragmas}, pragmas...) {
		for _, p := range list {
			q.Add("_pragma", p)
		}
	}
	u := url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: q.Encode()}
	return u.String()
}

func openDB(dsn string, conns int) (*sql.DB, error) {
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	return db, nil
}
