package store

import (
	"context"
	"database/sql"
	"fmt"

	"hindcast/model"
)

// EventWrites are the writes of one event, in order.
type EventWrites struct {
	Pos, Seq int64
	Writes   []model.Write
}

// FoldBatch brings what a session's next events did to its state.
type FoldBatch struct {
	Session int64 // key of the session
	// Drop, where above 0, first takes away all that events at or behind that
	// pos brought: writes, notes and saved states.
	Drop   int64
	Events []EventWrites // pos ascending, behind all that is stored
	Notes  []model.Note
	Folded int64  // the session is folded up to and including this pos
	State  []byte // working state at Folded; nil: none is saved
}

// AppendWrites brings batches in one transaction: after an error nothing of
// them is there.
//
// What is not absent in Old must be what the cell's last write left there, or
// its value from the start. Of a file's Old only the text is looked at, and
// only to save reading it. An event may write a file twice, any other cell
// once.
func (w *Writer) AppendWrites(ctx context.Context, batches []FoldBatch) error {
	err := w.transact(ctx, func(ctx context.Context) error {
		for i := range batches {
			if err := w.fold.apply(ctx, &batches[i]); err != nil {
				return err
			}
		}
		return w.fold.flush(ctx)
	})
	if err != nil {
		return fmt.Errorf("append writes to index %s: %w", w.s.path, err)
	}
	w.fold.trim()
	return nil
}

// folder is the writer's half for writes. Between commits it holds nothing
// that is not stored: it may forget everything at any time.
type folder struct {
	w        *Writer
	rows     *bulk
	cells    *bulk
	posts    *bulk
	lives    *bulk
	comings  *bulk
	texts    *bulk
	sessions map[int64]*foldSession
	nextCell int64 // 0: to be read
}

const (
	insertWrites  = "INSERT OR REPLACE INTO writes(key,data) VALUES"
	insertCells   = "INSERT OR REPLACE INTO cells(session,path,id,born,died,gone) VALUES"
	insertPosts   = "INSERT OR REPLACE INTO posts(cell,pos,data) VALUES"
	insertLives   = "INSERT OR REPLACE INTO lives(session,kind,block,born,last,alive,data) VALUES"
	insertComings = "INSERT INTO comings(session,part,path,data) VALUES"
	moreComings   = " ON CONFLICT(session,part,path) DO UPDATE SET data=CAST(data||excluded.data AS BLOB)"
	insertTexts   = "INSERT INTO texts(cell,at,hash,data) VALUES"
)

func newFolder(w *Writer) *folder {
	return &folder{
		w: w, sessions: map[int64]*foldSession{},
		rows: newBulk(w.conn, insertWrites, 2, ""), cells: newBulk(w.conn, insertCells, 6, ""),
		posts: newBulk(w.conn, insertPosts, 3, ""), lives: newBulk(w.conn, insertLives, 7, ""),
		comings: newBulk(w.conn, insertComings, 4, moreComings), texts: newBulk(w.conn, insertTexts, 4, ""),
	}
}

func (f *folder) bulks() []*bulk {
	return []*bulk{f.rows, f.cells, f.posts, f.lives, f.comings, f.texts}
}

func (f *folder) forget() {
	clear(f.sessions)
	f.nextCell = 0
}

// Bounds to what is kept between commits, the last of all sessions, the others
// of one.
const (
	keptCells    = 1 << 16
	keptLives    = 64 // blocks
	keptComings  = 1 << 14
	keptHashes   = 1 << 16 // of texts
	keptSessions = 32
)

// trim forgets what is too much to keep.
func (f *folder) trim() {
	if len(f.sessions) > keptSessions {
		clear(f.sessions)
	}
	for _, s := range f.sessions {
		if len(s.cells) > keptCells {
			clear(s.cells)
			s.allCells = false
		}
		if len(s.blocks) > keptLives || len(s.alive) > keptComings {
			clear(s.blocks)
			clear(s.recent[:])
			clear(s.alive)
			s.allLives = false
		}
		if len(s.hashes) > keptHashes {
			s.hashes = nil
		}
	}
}

// foldSession is what stands in the index of one session, as far as it was
// needed, with what a batch has changed.
type foldSession struct {
	key     int64
	pos     int64 // folded up to
	last    int64 // pos of the last event that wrote
	writes  int64
	marked  bool   // pos or writes changed
	row     []byte // the row that the last event is in
	open    bool   // row changed
	cells   map[string]*foldCell
	blocks  map[blockKey]*lifeBlock
	recent  [classPending + 1]recentBlock // of blocks, the last of each class
	alive   map[string]cellKey            // members named by their coming, by path
	coming  map[coming][]byte             // positions to be stored
	records []byte                        // of the event at hand
	values  []byte                        // of the write at hand

	// Nothing is stored that is not in cells; not in blocks and alive.
	allCells, allLives bool
	// hashes are those of all stored texts; nil: that is not known.
	hashes map[uint64]struct{}
}

type blockKey struct {
	class cellClass
	block int64
}

// recentBlock is the block that was asked for last; nil: none was.
type recentBlock struct {
	at    int64
	block *lifeBlock
}

func (f *folder) session(ctx context.Context, key int64) (*foldSession, error) {
	if s := f.sessions[key]; s != nil {
		return s, nil
	}
	if key < 1 || key > 1<<30 {
		return nil, fmt.Errorf("session %d: out of the index's range", key)
	}
	s := &foldSession{key: key, cells: map[string]*foldCell{}, blocks: map[blockKey]*lifeBlock{}, alive: map[string]cellKey{}, coming: map[coming][]byte{}}
	found, err := f.w.ask(ctx, "SELECT pos, writes FROM folded WHERE session=?", []any{key}, &s.pos, &s.writes)
	if err != nil {
		return nil, err
	}
	if s.allCells, s.allLives = !found, !found; !found {
		s.hashes = map[uint64]struct{}{}
	}
	if err := f.loadRow(ctx, s); err != nil {
		return nil, err
	}
	f.sessions[key] = s
	return s, nil
}

// loadRow reads the last row of writes, to which the next event may belong.
func (f *folder) loadRow(ctx context.Context, s *foldSession) error {
	s.row, s.last, s.open = nil, 0, false
	a, b := keys(s.key)
	var key int64
	var data []byte
	found, err := f.w.ask(ctx, "SELECT key, data FROM writes WHERE key BETWEEN ? AND ? ORDER BY key DESC LIMIT 1", []any{a, b}, &key, &data)
	if err != nil || !found {
		return err
	}
	e := eventWalk{first: posOf(key), rest: unpack(data)}
	var w recordWalk
	for e.next(&w) {
		s.last = w.pos
	}
	s.row = data
	return e.rest.err()
}

func (f *folder) apply(ctx context.Context, b *FoldBatch) error {
	s, err := f.session(ctx, b.Session)
	if err != nil {
		return err
	}
	if b.Drop > 0 {
		if err := f.flush(ctx); err != nil {
			return err
		}
		if err := f.drop(ctx, b.Session, b.Drop); err != nil {
			return err
		}
		if s, err = f.session(ctx, b.Session); err != nil {
			return err
		}
	}
	for i := range b.Events {
		if err := f.event(ctx, s, &b.Events[i]); err != nil {
			return fmt.Errorf("writes of event %d of session %d: %w", b.Events[i].Pos, b.Session, err)
		}
	}
	if b.Folded > s.pos {
		s.pos, s.marked = b.Folded, true
	}
	if err := f.notes(ctx, b); err != nil || b.State == nil {
		return err
	}
	return f.state(ctx, b)
}

// flush writes what waits, the cells sorted, so that the same batch makes the
// same file.
func (f *folder) flush(ctx context.Context) error {
	for _, key := range sortedKeys(f.sessions) {
		if err := f.flushSession(ctx, f.sessions[key]); err != nil {
			return err
		}
	}
	for _, b := range f.bulks() {
		if err := b.flush(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (f *folder) flushSession(ctx context.Context, s *foldSession) error {
	if s.open {
		if err := f.addRow(ctx, s); err != nil {
			return err
		}
	}
	if err := f.flushCells(ctx, s); err != nil {
		return err
	}
	if err := f.flushLives(ctx, s); err != nil {
		return err
	}
	if !s.marked {
		return nil
	}
	s.marked = false
	return f.w.exec(ctx, "INSERT OR REPLACE INTO folded(session,pos,writes) VALUES(?,?,?)", s.key, s.pos, s.writes)
}

func (f *folder) addRow(ctx context.Context, s *foldSession) error {
	s.open = false
	f.rows.add(writesKey(s.key, s.last))
	f.rows.add(s.row)
	return f.rows.row(ctx)
}

// ask scans the first row of a query of the writer's connection.
func (w *Writer) ask(ctx context.Context, text string, args []any, dest ...any) (ok bool, err error) {
	st, err := w.stmt(ctx, text)
	if err != nil {
		return false, err
	}
	err = st.QueryRowContext(ctx, args...).Scan(dest...)
	if err == sql.ErrNoRows {
		return false, nil
	}
	return err == nil, err
}

// each calls f with the rows of a query of the writer's connection until it
// returns errStop.
func (w *Writer) each(ctx context.Context, text string, args []any, f func(*sql.Rows) error) error {
	st, err := w.stmt(ctx, text)
	if err != nil {
		return err
	}
	rows, err := st.QueryContext(ctx, args...)
	if err != nil {
		return err
	}
	return eachRow(rows, f)
}
