package store

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"strconv"
)

// applicationID marks the file as ours ("hndc"), schemaVersion its layout.
const (
	applicationID = 0x686e6463
	schemaVersion = 6
)

//go:embed schema.sql
var schemaSQL string

//go:embed writes.sql
var writesSQL string

//go:embed indexes.sql
var indexSQL string

// migration brings a database of version from to from+1.
type migration struct {
	from int
	run  func(ctx context.Context, tx *sql.Tx) error
}

// migrations lists every step from the first version on. A fresh file gets the
// newest schema at once.
var migrations = []migration{
	{1, startOver}, // flags took in other columns, the linkers' states changed
	{2, startOver}, // the writes came
	{3, startOver}, // sessions got a base
	{4, startOver}, // usage tells its classes apart
	{5, startOver}, // blocks are packed with S2
}

// wholeSQL makes the newest schema.
func wholeSQL() string { return schemaSQL + writesSQL + writesViewSQL() }

// startOver empties an index of an older layout: it is a cache, and reading the
// dump again costs less than to carry code that converts every row.
func startOver(ctx context.Context, tx *sql.Tx) error {
	rows, err := tx.QueryContext(ctx, "SELECT type, name FROM sqlite_schema WHERE type IN ('table','view') AND name NOT LIKE 'sqlite_%'")
	if err != nil {
		return err
	}
	defer rows.Close()
	var drops []string
	for rows.Next() {
		var kind, name string
		if err := rows.Scan(&kind, &name); err != nil {
			return err
		}
		drops = append(drops, "DROP "+kind+" \""+name+"\"")
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for _, text := range append(drops, wholeSQL()) {
		if _, err := tx.ExecContext(ctx, text); err != nil {
			return err
		}
	}
	return nil
}

// prepare creates or migrates the database, in one transaction a step, with
// the journal that a file not yet in WAL mode has, so that its marks are in
// the main file from the first commit on.
func (s *Store) prepare() error {
	db, err := openDB(dsn(s.path, "rw", false, []string{"page_size(8192)"})+"&_txlock=immediate", 1)
	if err != nil {
		return err
	}
	defer db.Close()
	return migrate(context.Background(), db, s.path, schemaVersion, wholeSQL(), migrations)
}

func migrate(ctx context.Context, db *sql.DB, path string, target int, schema string, steps []migration) error {
	for {
		done, err := migrateStep(ctx, db, path, target, schema, steps)
		if err != nil || done {
			return err
		}
	}
}

// migrateStep does one step inside one transaction that also reads the marks,
// so that two programs that start at once do not both take it.
func migrateStep(ctx context.Context, db *sql.DB, path string, target int, schema string, steps []migration) (done bool, err error) {
	app, version, err := marks(db)
	if err != nil {
		return false, err
	}
	if app == applicationID && version == target {
		return true, nil
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	defer tx.Rollback()
	if err := tx.QueryRow("PRAGMA application_id").Scan(&app); err != nil {
		return false, err
	}
	if err := tx.QueryRow("PRAGMA user_version").Scan(&version); err != nil {
		return false, err
	}
	next := version + 1
	switch {
	case app == 0 && version == 0:
		if err := createSchema(tx, schema); err != nil {
			return false, err
		}
		next = target
	case app != applicationID:
		return false, ErrForeign
	case version > target:
		return false, &VersionError{Path: path, Found: version, Wanted: target}
	case version == target:
		return true, nil
	default:
		if err := runStep(ctx, tx, version, steps); err != nil {
			return false, err
		}
	}
	if _, err := tx.Exec("PRAGMA user_version=" + strconv.Itoa(next)); err != nil {
		return false, err
	}
	return next == target, tx.Commit()
}

func createSchema(tx *sql.Tx, schema string) error {
	var tables int
	if err := tx.QueryRow("SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
		return err
	}
	if tables != 0 {
		return ErrForeign
	}
	if _, err := tx.Exec("PRAGMA application_id=" + strconv.Itoa(applicationID)); err != nil {
		return err
	}
	_, err := tx.Exec(schema)
	return err
}

var errNoPath = errors.New("no migration from this version; rebuild the index from its source")

func runStep(ctx context.Context, tx *sql.Tx, version int, steps []migration) error {
	for _, m := range steps {
		if m.from == version {
			if err := m.run(ctx, tx); err != nil {
				return fmt.Errorf("migrate schema from version %d: %w", version, err)
			}
			return nil
		}
	}
	return fmt.Errorf("schema version %d: %w", version, errNoPath)
}
