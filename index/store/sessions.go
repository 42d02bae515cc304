package store

import (
	"context"
	"database/sql"
	"strings"

	"hindcast/model"
)

// Sessions lists the sessions in the order of their first event in the dump.
func (r *Reader) Sessions(ctx context.Context) ([]model.Session, error) {
	rows, err := r.SessionRows(ctx)
	out := make([]model.Session, len(rows))
	for i := range rows {
		out[i] = rows[i].Session
	}
	return out, err
}

// SessionRows lists the sessions with what the importer keeps of them, but for
// the linkers' states.
func (r *Reader) SessionRows(ctx context.Context) ([]SessionRow, error) {
	return r.sessions(ctx, " ORDER BY rank, id")
}

// SessionKey finds the session of an id; the first one, should a dump hold
// unrelated sessions of one name.
func (r *Reader) SessionKey(ctx context.Context, id string) (key int64, ok bool, err error) {
	ok, err = r.one(ctx, "session", "SELECT id FROM sessions WHERE name IS ? ORDER BY rank, id LIMIT 1", []any{packText(id)}, &key)
	return key, ok, err
}

// maxBases ends a search in an index in which sessions go on from each other.
const maxBases = 1000

// Owner finds the session whose own event stands at a pos of a session: what a
// session inherited is of its base, or of that one's. It is the session itself
// where the pos is its own.
func (r *Reader) Owner(ctx context.Context, session, pos int64) (key int64, err error) {
	const text = `SELECT b.id FROM sessions s JOIN sessions b ON b.name IS s.base AND b.dialect IS s.dialect
WHERE s.id=? AND s.base_pos>=? AND b.id<>s.id ORDER BY b.rank, b.id LIMIT 1`
	for range maxBases {
		found, err := r.one(ctx, "session", text, []any{session, pos}, &session)
		if err != nil || !found {
			return session, err
		}
	}
	return session, nil
}

// Session reads one session by its key.
func (r *Reader) Session(ctx context.Context, key int64) (s SessionRow, ok bool, err error) {
	list, err := r.sessions(ctx, " WHERE id=?", key)
	if err != nil || len(list) == 0 {
		return SessionRow{}, false, err
	}
	return list[0], true, nil
}

func (r *Reader) sessions(ctx context.Context, rest string, args ...any) (out []SessionRow, err error) {
	// Without state: it may be large and only States is asked for it.
	columns := strings.TrimSuffix(sessionColumns, ",state")
	err = r.each(ctx, "sessions", "SELECT "+columns+" FROM sessions"+rest, args, func(rows *sql.Rows) error {
		s, err := scanSession(rows)
		out = append(out, s)
		return err
	})
	return out, err
}

func scanSession(row scanner) (s SessionRow, err error) {
	var name, dialect, version, parent, base, title, outcome any
	var started, ended sql.NullInt64
	var startedForm, endedForm, ord, told int64
	u := &s.Usage
	err = row.Scan(&s.Key, &name, &s.Stream, &s.Rank, &ord, &s.SeqSorted, &s.Provisional, &dialect, &version, &parent, &base, &s.BasePos, &title, &outcome,
		&s.Events, &s.Copies, &s.Inherited, &s.Failed, &s.OpenCalls, &s.First, &s.Last, &s.LastPos,
		&started, &startedForm, &ended, &endedForm,
		&u.Input, &u.Output, &u.CacheRead, &u.CacheWrite, &u.Reasoning, &u.CostUSD, &told)
	s.ID, s.Dialect, s.Version, s.Parent = unpackText(name), unpackText(dialect), unpackText(version), unpackText(parent)
	s.Base, s.Title, s.Outcome, s.Order = unpackText(base), unpackText(title), unpackText(outcome), model.Order(ord)
	s.Started, s.Ended = timeOf(startedForm, started.Int64), timeOf(endedForm, ended.Int64)
	u.Told = model.Told(told)
	return s, err
}

// States reads the linkers' saved states, by session key.
func (r *Reader) States(ctx context.Context) (map[int64][]byte, error) {
	out := map[int64][]byte{}
	err := r.each(ctx, "linker states", "SELECT id, state FROM sessions WHERE state IS NOT NULL", nil, func(rows *sql.Rows) error {
		var key int64
		var state []byte
		err := rows.Scan(&key, &state)
		out[key] = state
		return err
	})
	return out, err
}

// State reads the saved state of one session's linker; nil where it has none.
func (r *Reader) State(ctx context.Context, key int64) (state []byte, err error) {
	_, err = r.one(ctx, "linker state", "SELECT state FROM sessions WHERE id=?", []any{key}, &state)
	return state, err
}

// Meta reads what the importer noted about the whole.
func (r *Reader) Meta(ctx context.Context) (map[string]string, error) {
	out := map[string]string{}
	err := r.each(ctx, "notes", "SELECT name, value FROM meta ORDER BY name", nil, func(rows *sql.Rows) error {
		var name string
		var value any
		err := rows.Scan(&name, &value)
		out[name] = unpackText(value)
		return err
	})
	return out, err
}

// Streams lists the streams by id.
func (r *Reader) Streams(ctx context.Context) (out []Stream, err error) {
	err = r.each(ctx, "streams", "SELECT "+streamColumns+" FROM streams ORDER BY id", nil, func(rows *sql.Rows) error {
		var s Stream
		var dialect, version, reason, session, parent, title any
		var ord int64
		err := rows.Scan(&s.ID, &dialect, &version, &reason, &s.Confidence, &ord, &session, &parent, &title, &s.Spec)
		s.Dialect, s.Version, s.Reason = unpackText(dialect), unpackText(version), unpackText(reason)
		s.Session, s.Parent, s.Title, s.Order = unpackText(session), unpackText(parent), unpackText(title), model.Order(ord)
		out = append(out, s)
		return err
	})
	return out, err
}

// Sources lists the members of the dump by id, which is their reading order.
func (r *Reader) Sources(ctx context.Context) ([]Source, error) {
	return r.sources(ctx, " ORDER BY id")
}

// Source reads one member by id.
func (r *Reader) Source(ctx context.Context, id int64) (s Source, ok bool, err error) {
	list, err := r.sources(ctx, " WHERE id=?", id)
	if err != nil || len(list) == 0 {
		return Source{}, false, err
	}
	return list[0], true, nil
}

func (r *Reader) sources(ctx context.Context, rest string, args ...any) (out []Source, err error) {
	err = r.each(ctx, "sources", "SELECT "+sourceColumns+" FROM sources"+rest, args, func(rows *sql.Rows) error {
		var s Source
		var name, path, role, dialect any
		var head, tail, inode int64
		err := rows.Scan(&s.ID, &name, &path, &role, &dialect, &s.Stream, &s.Spooled, &s.Size, &s.Indexed, &s.Records,
			&s.EventBytes, &s.StructureBytes, &s.EvidenceBytes, &s.QuarantinedBytes, &head, &tail, &s.ModTime, &s.ChangeTime, &inode, &s.Done)
		s.Name, s.Path, s.Role, s.Dialect = unpackText(name), unpackText(path), unpackText(role), unpackText(dialect)
		s.Head, s.Tail, s.Inode = uint64(head), uint64(tail), uint64(inode)
		out = append(out, s)
		return err
	})
	return out, err
}

// Accounting sums where the bytes of all sources went. Bytes is the sum of the
// other four.
type Accounting struct {
	Bytes, EventBytes, StructureBytes, EvidenceBytes, QuarantinedBytes int64
	Quarantined                                                        int64 // spans
}

// Accounting reads the sums.
func (r *Reader) Accounting(ctx context.Context) (a Accounting, err error) {
	const text = "SELECT coalesce(sum(event_bytes),0), coalesce(sum(structure_bytes),0), coalesce(sum(evidence_bytes),0), coalesce(sum(quarantined_bytes),0), (SELECT count(*) FROM quarantine) FROM sources"
	_, err = r.one(ctx, "accounting", text, nil, &a.EventBytes, &a.StructureBytes, &a.EvidenceBytes, &a.QuarantinedBytes, &a.Quarantined)
	a.Bytes = a.EventBytes + a.StructureBytes + a.EvidenceBytes + a.QuarantinedBytes
	return a, err
}

// Quarantined lists spans that could not be read, in the order of the dump.
func (r *Reader) Quarantined(ctx context.Context, limit int) (out []Quarantine, err error) {
	err = r.each(ctx, "quarantine", "SELECT source, offset, length, reason FROM quarantine ORDER BY source, offset LIMIT ?", []any{limit}, func(rows *sql.Rows) error {
		var q Quarantine
		var reason any
		err := rows.Scan(&q.Source, &q.Offset, &q.Length, &reason)
		q.Reason = unpackText(reason)
		out = append(out, q)
		return err
	})
	return out, err
}

// OpenTails lists quarantined spans behind what is indexed of their source: a
// record that may be whole once the source has grown.
func (r *Reader) OpenTails(ctx context.Context) (out []Quarantine, err error) {
	const text = "SELECT q.source, q.offset, q.length FROM quarantine q JOIN sources s ON s.id=q.source WHERE q.offset>=s.indexed AND q.length>0"
	err = r.each(ctx, "quarantine", text, nil, func(rows *sql.Rows) error {
		var q Quarantine
		err := rows.Scan(&q.Source, &q.Offset, &q.Length)
		out = append(out, q)
		return err
	})
	return out, err
}

// Evidence lists spans that hold no events but are read.
func (r *Reader) Evidence(ctx context.Context) (out []Evidence, err error) {
	err = r.each(ctx, "evidence", "SELECT source, offset, length, what FROM evidence ORDER BY source, offset", nil, func(rows *sql.Rows) error {
		var e Evidence
		var what any
		err := rows.Scan(&e.Source, &e.Offset, &e.Length, &what)
		e.What = unpackText(what)
		out = append(out, e)
		return err
	})
	return out, err
}

// Skipped lists the members that were not read at all.
func (r *Reader) Skipped(ctx context.Context) (out []Skipped, err error) {
	err = r.each(ctx, "skipped files", "SELECT name, reason FROM skipped ORDER BY name", nil, func(rows *sql.Rows) error {
		var name, reason any
		err := rows.Scan(&name, &reason)
		out = append(out, Skipped{unpackText(name), unpackText(reason)})
		return err
	})
	return out, err
}

// Progress is how far an import has come.
type Progress struct {
	Bytes       int64 // unpacked source bytes read
	Events      int64
	Quarantined int64 // spans
	Provisional bool  // the order of some session may still change
	Complete    bool  // the importer noted its end under "complete"
	Folded      bool  // and that of the fold under "folded"
}

// Progress reads it from the sums of sources and sessions.
func (r *Reader) Progress(ctx context.Context) (p Progress, err error) {
	const text = `SELECT (SELECT coalesce(sum(max(size,indexed)),0) FROM sources), (SELECT coalesce(sum(last_pos),0) FROM sessions),
(SELECT count(*) FROM quarantine), (SELECT coalesce(max(provisional),0) FROM sessions), EXISTS (SELECT 1 FROM meta WHERE name='complete'),
EXISTS (SELECT 1 FROM meta WHERE name='folded' AND value<>'')`
	_, err = r.one(ctx, "progress", text, nil, &p.Bytes, &p.Events, &p.Quarantined, &p.Provisional, &p.Complete, &p.Folded)
	return p, err
}
