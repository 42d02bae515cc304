// Package importer is the pipeline from a dump to its index: one reader that
// cuts files into records, decoders on all cores, one sequencer that puts the
// events of each session in order and links them, one writer.
//
//	reader -> jobs -> decoders -> (in reading order) -> sequencer -> batches -> writer
//
// Memory is bounded by the queues between them, the id tables (see ids.go) and
// the largest single record. Each commit holds events, progress and working
// state together, so that an import goes on after any stop.
package importer

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"time"

	"hindcast/index/source"
	"hindcast/index/store"
	"hindcast/model"
	"hindcast/model/dialect"
)

// Options say how to import. The zero value is right for all but tests.
type Options struct {
	Dialect  string             // force this dialect for all files
	Dialects dialect.Table      // those that are known; nil: the program's own
	Bundle   bool               // spool all bytes into the index
	Workers  int                // decoders; 0: one a core
	Batch    int                // events in a commit once warm; 0: 16384
	Progress func(Progress)     // called after each commit, from one goroutine
	Folded   func(events int64) // called after each commit of a fold with the events folded, from one goroutine
	Meta     map[string]string  // written into the index with the first commit
	IDs      int                // ids kept in memory; 0: idLimit
	Drafts   int                // bytes of decoded events kept to be put in order; 0: draftLimit, < 0: none
}

// Progress is how far an import has come.
type Progress struct {
	Bytes, Total int64 // unpacked bytes done, and of all files (-1: not known)
	Events       int64 // committed, over all sessions
	Quarantined  int64 // spans
	Provisional  bool  // some session's order is not settled yet
}

// ErrOtherDialect says that, now that more of the dump is there, a file turns
// out to be of another format than what it was imported as. The index must be emptied.
var ErrOtherDialect = errors.New("the dump is of another format than it seemed")

// Importer brings an index up to date with its dump. It lives as long as the
// index is followed; Run is not safe for concurrent use.
type Importer struct {
	dump *source.Dump
	st   *store.Store
	w    *store.Writer
	opt  Options

	plan     dialect.Plan
	streams  []*streamState
	sources  map[string]*sourceState // by name in the dump
	sessions map[sessionID]*session
	owners   map[string]string // dialects of the sessions, by id
	folds    map[*session]*folding
	foldSum  int64 // events folded of the sessions before the one at hand
	nextKey  int64 // of sessions
	nextSrc  int64
	nextRank int64

	bytes       Bytes
	out         *batcher
	events      int64 // in the index with what is pending
	read        int64 // bytes read of all sources, likewise
	total       int64 // bytes of all sources, -1 where one does not tell
	quarantined int64
	unsettled   int    // sessions whose events do not stand in replay order
	drafted     int    // bytes of the drafts of all sessions
	packed      []byte // room for a draft
}

type sessionID struct{ dialect, id string }

// streamState is a stream of the plan with its number in the index.
type streamState struct {
	model.Stream
	id      int64
	dialect model.Dialect
	keys    map[int]int64 // Stream.Keys by file
	root    int           // the dump argument that its files come from
}

// sourceState is a file of the dump with its row in the index.
type sourceState struct {
	row  store.Source
	file int // index in the dump, -1 once it has gone
	// tail is the last quarantined span
	tail     store.Quarantine
	tailOpen bool // no line ends behind it
	pending  bool // the file ended in it: more may make it whole
}

// New prepares an import into st, which is empty or holds an earlier, maybe
// unfinished import of the same dump.
func New(ctx context.Context, d *source.Dump, st *store.Store, o Options) (*Importer, error) {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.IDs <= 0 {
		o.IDs = idLimit
	}
	if o.Drafts == 0 {
		o.Drafts = draftLimit
	}
	if o.Batch <= 0 {
		o.Batch = 16384
	}
	if o.Dialects == nil {
		o.Dialects = dialect.All()
	}
	w, err := st.Writer()
	if err != nil {
		return nil, fmt.Errorf("write index: %w", err)
	}
	m := &Importer{
		dump: d, st: st, w: w, opt: o,
		sources:  make(map[string]*sourceState),
		sessions: make(map[sessionID]*session), owners: make(map[string]string),
	}
	if err := m.load(ctx); err != nil {
		return nil, fmt.Errorf("read index: %w", err)
	}
	return m, nil
}

// load takes up what an earlier import left in the index.
func (m *Importer) load(ctx context.Context) error {
	r := m.st.Reader()
	sources, err := r.Sources(ctx)
	if err != nil {
		return err
	}
	for _, row := range sources {
		m.sources[row.Name] = &sourceState{row: row, file: -1}
		m.read += max(row.Size, 0)
		m.nextSrc = max(m.nextSrc, row.ID)
	}
	progress, err := r.Progress(ctx)
	if err != nil {
		return err
	}
	m.quarantined = progress.Quarantined
	tails, err := r.OpenTails(ctx)
	if err != nil {
		return err
	}
	for _, src := range m.sources {
		for _, q := range tails {
			if q.Source == src.row.ID {
				src.tail, src.pending = q, true
			}
		}
	}
	streams, err := r.Streams(ctx)
	if err != nil {
		return err
	}
	dialects := make(map[int64]string)
	for _, s := range streams {
		dialects[s.ID] = s.Dialect
	}
	rows, err := r.SessionRows(ctx)
	if err != nil {
		return err
	}
	for _, row := range rows {
		m.sessions[sessionID{dialects[row.Stream], row.ID}] = &session{row: row, asleep: true}
		m.owners[row.ID] = dialects[row.Stream]
		m.nextKey = max(m.nextKey, row.Key)
		m.nextRank = max(m.nextRank, row.Rank)
		m.events += row.LastPos
		if row.Provisional {
			m.unsettled++
		}
	}
	return m.w.DropOrphans(ctx)
}

// Run imports what is new in the dump. It returns when all files are read to
// their present end, or when ctx ends; what was committed by then stays.
func (m *Importer) Run(ctx context.Context) error {
	defer m.dump.LetGo()
	m.plan = m.opt.Dialects.MakePlan(m.dump, m.opt.Dialect)
	m.plan.Streams = m.byRoot(m.plan.Streams)
	m.seeFaults(ctx)
	m.dump.DropHeads()
	if len(m.plan.Streams) == 0 {
		return m.nothing()
	}
	if m.mistaken() {
		return ErrOtherDialect
	}
	m.out = newBatcher(ctx, m)
	m.out.pending.Meta = m.opt.Meta
	defer m.out.stop()
	defer m.bytes.Close()
	m.enroll()
	if err := m.readAll(ctx); err != nil {
		return m.out.fail(err)
	}
	return m.out.fail(m.finish(ctx))
}

// mistaken reports that a file of events is now planned as another dialect.
func (m *Importer) mistaken() bool {
	files := m.dump.Files()
	for _, s := range m.plan.Streams {
		for _, f := range s.Files {
			if src := m.sources[files[f].Name]; src != nil && src.row.Role == "events" && src.row.Dialect != s.Dialect {
				return true
			}
		}
	}
	return false
}

// enroll gives numbers to the streams and files of the plan, those that an
// earlier import gave where it knew them.
func (m *Importer) enroll() {
	var nextStream int64
	for _, s := range m.sources {
		nextStream = max(nextStream, s.row.Stream)
	}
	m.streams = m.streams[:0]
	files := m.dump.Files()
	nameApart(m.plan.Streams, files)
	for _, s := range m.plan.Streams {
		ss := &streamState{Stream: s, dialect: m.opt.Dialects.ByName(s.Dialect), keys: make(map[int]int64), root: m.rootOf(s)}
		for i, key := range s.Keys {
			ss.keys[s.Files[i]] = key
		}
		for _, f := range s.Files {
			if src := m.sources[files[f].Name]; src != nil && src.row.Dialect == s.Dialect {
				ss.id = src.row.Stream
				break
			}
		}
		if ss.id == 0 {
			nextStream++
			ss.id = nextStream
		}
		for _, f := range s.Files {
			m.source(f, ss, "events")
		}
		for _, e := range s.Evidence {
			m.source(e.File, ss, e.What)
		}
		m.streams = append(m.streams, ss)
		m.out.pending.Streams = append(m.out.pending.Streams, store.Stream{
			ID: ss.id, Dialect: s.Dialect, Version: s.Version, Reason: s.Reason, Confidence: s.Confidence,
			Order: s.Order, Session: s.Session, Parent: s.Parent, Title: s.Title,
		})
		if len(s.Files) == 0 && s.Session != "" {
			if state := m.session(ss, s.Session); !state.asleep {
				state.touch(m)
			}
		}
	}
	m.total = m.sum()
	m.skip()
}

// source finds or makes the row of a file.
func (m *Importer) source(file int, ss *streamState, role string) *sourceState {
	e := m.dump.Listed(file)
	src := m.sources[e.Name]
	if src == nil {
		m.nextSrc++
		src = &sourceState{row: store.Source{
			ID: m.nextSrc, Name: e.Name, Path: e.Path, Role: role, Dialect: ss.Dialect, Stream: ss.id,
			Spooled: !e.Addressable || m.opt.Bundle,
		}}
		m.sources[e.Name] = src
	}
	src.file = file
	src.row.ModTime, src.row.ChangeTime, src.row.Inode = e.ModTime, e.ChangeTime, e.Inode
	return src
}

// sum is the number of unpacked bytes in the files that are read, -1 where a
// file does not tell its size.
func (m *Importer) sum() int64 {
	var sum int64
	for _, src := range m.sources {
		if src.file < 0 {
			sum += src.row.Size
			continue
		}
		size := m.dump.Listed(src.file).Size
		if size < 0 {
			if !src.row.Done {
				return -1
			}
			size = src.row.Size
		}
		sum += size
	}
	return sum
}

// finish settles what needed all records: order, links between sessions,
// indexes, and what the files looked like.
func (m *Importer) finish(ctx context.Context) error {
	if err := m.out.drain(); err != nil {
		return err
	}
	for _, s := range m.basesFirst() {
		if err := m.settle(ctx, s); err != nil {
			return fmt.Errorf("order session %s: %w", s.row.ID, err)
		}
	}
	if err := m.out.drain(); err != nil {
		return err
	}
	if err := m.w.BuildIndexes(ctx); err != nil {
		return fmt.Errorf("build indexes: %w", err)
	}
	if err := m.linkSessions(ctx); err != nil {
		return fmt.Errorf("link sessions: %w", err)
	}
	m.fingerprint()
	m.out.pending.Meta = map[string]string{"complete": strconv.FormatInt(time.Now().Unix(), 10)}
	if err := m.out.drain(); err != nil {
		return err
	}
	return m.w.Finish(ctx)
}

// fingerprint notes what each plain file looks like up to where it was read, so
// that the next start knows it again.
func (m *Importer) fingerprint() {
	for _, src := range m.inOrder() {
		if src.file < 0 {
			continue
		}
		upto := src.row.Indexed
		if e := m.dump.Entry(src.file); !e.Addressable {
			upto = e.Packed
		}
		head, tail, err := m.dump.Fingerprint(src.file, upto)
		if err != nil {
			continue // it has gone meanwhile: the next start will see
		}
		if src.row.Head != head || src.row.Tail != tail {
			src.row.Head, src.row.Tail = head, tail
			m.out.source(src)
		}
	}
}

// Close gives the index's writer back.
func (m *Importer) Close() error {
	m.bytes.Close()
	return m.w.Close()
}
