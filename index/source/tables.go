package source

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// openDatabase lists the tables of a database as files under the file's name.
func (d *Dump) openDatabase(ctx context.Context, m, wal *member, label string) ([]*member, error) {
	b := &database{d: d, m: m, wal: wal, name: bareName(m.name, m.layers), label: label}
	tables, err := b.tables(ctx)
	if err == nil && len(tables) == 0 {
		err = b.empty()
	}
	if err != nil {
		b.close()
		return nil, noTables(ctx, m, err)
	}
	b.tell()
	b.letGo()
	d.mu.Lock()
	d.bases = append(d.bases, b)
	d.mu.Unlock()
	var all []*member
	for _, t := range tables {
		if !d.admit() {
			d.full(label)
			break
		}
		if t.virtual {
			d.skip(label+"/"+t.name, "a virtual table, whose rows a module would have to make")
			continue
		}
		all = append(all, b.member(t))
	}
	return all, nil
}

// empty says why a database lists no tables.
func (b *database) empty() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.snap.torn {
		return fmt.Errorf("%w: its list of tables is not readable", ErrDamaged)
	}
	return &Error{Path: b.m.raw, Reason: "a SQLite database without tables"}
}

// noTables puts why no table of a database can be read into an Error.
func noTables(ctx context.Context, m *member, err error) error {
	var e *Error
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &e):
		return e
	}
	e = &Error{Path: m.raw, Err: err, Reason: "a SQLite database that cannot be read: " + plainReason(err)}
	if errors.Is(err, ErrDamaged) {
		e.Reason += "; it is cut, damaged or encrypted"
		e.Hint = "what of it is whole may be had with: sqlite3 FILE .recover | sqlite3 mended.db"
	}
	return e
}

// tell notes damage, the files beside the database, which are read with it, and
// why a copy is read where that is so.
func (b *database) tell() {
	b.mu.Lock()
	copied, torn := b.snap.way == accessCopy, b.snap.torn
	b.mu.Unlock()
	if torn {
		b.d.skip(b.label, "the database is cut or damaged; what of it can be read is")
	}
	if !b.onDisk() {
		return
	}
	state, _ := b.seen()
	note := func(side, how string) { b.d.skip(b.label+side, "it belongs to the database "+b.label+how) }
	how := ", and is read with it"
	if copied {
		how += ", in a private copy"
	}
	if state.log.size > 0 {
		if copied && !state.shared {
			how += ", since there is no " + sideShared + " beside it"
		}
		note(sideLog, how)
	}
	if state.journal.size > 0 {
		note(sideJournal, how)
	}
}

// member offers a table.
func (b *database) member(t *table) *member {
	in := &inner{db: b, table: t}
	if b.m.in != nil {
		in.box = b.m.in.box
	}
	return &member{name: b.name + "/" + t.name, raw: b.m.raw + "/" + t.name, rel: b.m.rel, root: b.m.root, in: in, probed: true, size: -1}
}

// table is a table of a database, as listed.
type table struct {
	name    string
	noRowid bool // WITHOUT ROWID: its rows stand by their primary key
	virtual bool // a module makes its rows
}

// ours is the application_id of indexes, which are no dumps of a database.
const ours = 0x686e6463

// tables lists the tables: no views, nothing of SQLite itself, and not what
// virtual ones keep their data in.
func (b *database) tables(ctx context.Context) ([]*table, error) {
	s, err := b.use(ctx)
	if err != nil {
		return nil, err
	}
	var app int64
	if err := s.conn.QueryRowContext(ctx, "PRAGMA application_id").Scan(&app); err != nil {
		return nil, databaseError(err)
	}
	if app == ours {
		return nil, &Error{Path: b.label, Reason: "an index of hindcast, which is opened by itself"}
	}
	hidden, err := s.shadows(ctx)
	if err != nil {
		return nil, err
	}
	var all []*table
	err = s.each(ctx, "SELECT name, wr, type='virtual' FROM pragma_table_list WHERE schema='main' AND type IN ('table','virtual') ORDER BY name", nil, func(rows *sql.Rows) error {
		t := &table{}
		if err := rows.Scan(&t.name, &t.noRowid, &t.virtual); err != nil {
			return err
		}
		shadow := func(prefix string) bool { return strings.HasPrefix(t.name, prefix) }
		if !shadow("sqlite_") && !slices.ContainsFunc(hidden, shadow) {
			all = append(all, t)
		}
		return nil
	})
	return all, err
}

var usingModule = regexp.MustCompile(`(?i)\busing\s+["'\x60\[]?(\w+)`)

// shadows gives the beginnings of the names of tables that belong to virtual
// ones of modules that are not there to say so themselves.
func (s *snapshot) shadows(ctx context.Context) ([]string, error) {
	modules := map[string]bool{}
	err := s.each(ctx, "SELECT name FROM pragma_module_list", nil, func(rows *sql.Rows) error {
		var name string
		err := rows.Scan(&name)
		modules[strings.ToLower(name)] = true
		return err
	})
	if err != nil {
		return nil, err
	}
	var prefixes []string
	err = s.each(ctx, "SELECT name, coalesce(sql,'') FROM sqlite_schema WHERE type='table' AND rootpage=0", nil, func(rows *sql.Rows) error {
		var name, text string
		if err := rows.Scan(&name, &text); err != nil {
			return err
		}
		if m := usingModule.FindStringSubmatch(text); m == nil || !modules[strings.ToLower(m[1])] {
			prefixes = append(prefixes, name+"_")
		}
		return nil
	})
	return prefixes, err
}

// each runs a question within the snapshot.
func (s *snapshot) each(ctx context.Context, text string, args []any, row func(*sql.Rows) error) error {
	rows, err := s.conn.QueryContext(context.Background(), text, args...)
	if err != nil {
		return databaseError(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := row(rows); err != nil {
			return err
		}
	}
	return databaseError(rows.Err())
}

// column is a column of a table.
type column struct {
	name, kind string
	key        bool // of the primary key
}

// columns lists the columns in table order, generated ones among them.
func (s *snapshot) columns(ctx context.Context, t *table) ([]column, error) {
	var all []column
	err := s.each(ctx, "SELECT name, type, pk>0 FROM pragma_table_xinfo(?) WHERE hidden<>1 ORDER BY cid", []any{t.name}, func(rows *sql.Rows) error {
		var c column
		err := rows.Scan(&c.name, &c.kind, &c.key)
		all = append(all, c)
		return err
	})
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("%w: the table is not there any more", ErrGone)
	}
	return all, err
}

// rowid is the name by which a table's rowid can be asked for, empty where a
// column stands in front of every one, and whether no column holds it.
func (s *snapshot) rowid(ctx context.Context, t *table, columns []column) (name string, bare bool, err error) {
	if t.noRowid {
		return "", false, nil
	}
	taken := func(name string) bool {
		return slices.ContainsFunc(columns, func(c column) bool { return strings.EqualFold(c.name, name) })
	}
	for _, alias := range []string{"rowid", "_rowid_", "oid"} {
		if !taken(alias) {
			name = alias
			break
		}
	}
	keys, integer := 0, false
	for _, c := range columns {
		if c.key {
			keys++
			integer = strings.EqualFold(c.kind, "INTEGER")
		}
	}
	held := keys == 1 && integer
	if held {
		// INTEGER PRIMARY KEY DESC is a key like any other, with an index.
		err = s.each(ctx, "SELECT 1 FROM pragma_index_list(?) WHERE origin='pk'", []any{t.name}, func(*sql.Rows) error {
			held = false
			return nil
		})
	}
	return name, name != "" && !held && !taken("rowid"), err
}

// query is the question for a table's rows in their order, and the keys of the
// objects that they become.
func (s *snapshot) query(ctx context.Context, t *table) (text string, keys []string, err error) {
	columns, err := s.columns(ctx, t)
	if err != nil {
		return "", nil, err
	}
	rowid, bare, err := s.rowid(ctx, t, columns)
	if err != nil {
		return "", nil, err
	}
	var q strings.Builder
	q.WriteString("SELECT ")
	if bare {
		q.WriteString(rowid + ", ")
		keys = append(keys, "rowid")
	}
	for i, c := range columns {
		if i > 0 {
			q.WriteString(", ")
		}
		// An expression has no declared type, by which the driver would make
		// times and booleans of what is stored.
		q.WriteString("+" + quoteName(c.name))
		keys = append(keys, c.name)
	}
	// Without an index the rows come in the order in which they are stored.
	q.WriteString(" FROM main." + quoteName(t.name) + " NOT INDEXED")
	if rowid != "" {
		q.WriteString(" ORDER BY " + rowid)
	}
	return q.String(), keys, nil
}

func quoteName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
