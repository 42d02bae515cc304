package importer

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"hindcast/index/store"
	"hindcast/model"
	"hindcast/model/chat"
)

// session is a session that is being imported.
type session struct {
	row    store.SessionRow
	linker model.Linker
	look   lookup // what the linker asks
	state  sessionState
	ids    idTable
	info   infoRing
	drafts drafts
	mated  map[int64]bool // calls older than info whose first result has come in this run
	batch  []*model.Event // its events in the pending batch, in pos order
	dirty  bool
	// asleep: an earlier import left it in the index; its working state is read
	// when its next event comes.
	asleep bool
	// staged: its events are being written again beside those of a session that
	// readers still see; its row comes with the last of them.
	staged bool
	// kept: its events are being put in order anew, and up to this pos the index
	// holds them as they are; those behind it there are not its own any more.
	kept int64
}

// sessionState is what is kept of a session between imports, beside its row.
type sessionState struct {
	Order   int64  // highest seq so far
	Ordered bool   // Order is set
	Late    bool   // some event came after one with a higher seq
	Repair  bool   // events came whose order only the dialect can tell
	Stand   stand  `json:",omitzero"` // what of another session comes before its own events
	Linker  []byte `json:",omitempty"`
}

// session finds or makes the session of an id; one without an id has the name of
// its file. Dumps that are opened together are dumps of their own: where two
// hold sessions of one id, those of the later dump get its name before theirs.
// Of two dialects' sessions of one id the later gets the dialect's name before it.
func (m *Importer) session(ss *streamState, id string) *session {
	if id == "" {
		id = chat.Stem(m.dump.Files()[firstFile(ss.Stream)].Name)
	}
	for m.owners[id] != "" && m.owners[id] != ss.Dialect {
		id = ss.Dialect + "/" + id
	}
	key := sessionID{ss.Dialect, id}
	s := m.sessions[key]
	for s != nil && !m.sameRoot(s, ss) {
		id = strings.SplitN(m.dump.Files()[firstFile(ss.Stream)].Name, "/", 2)[0] + "/" + id
		key.id = id
		s = m.sessions[key]
	}
	if s == nil {
		m.owners[id] = ss.Dialect
		m.nextKey++
		m.nextRank++
		s = &session{row: store.SessionRow{Stream: ss.id, Rank: m.nextRank, Order: ss.Order}}
		s.row.Session = model.Session{Key: m.nextKey, ID: id, Dialect: ss.Dialect, Version: ss.Version, Parent: ss.Parent, Title: ss.Title}
		s.row.SeqSorted = true
		s.linker = ss.dialect.NewLinker(&ss.Stream, id)
		m.sessions[key] = s
	}
	return s
}

// sameRoot reports whether a session came from the dump argument of a stream.
func (m *Importer) sameRoot(s *session, ss *streamState) bool {
	other := m.streamOf(s.row.Stream)
	return other == nil || other.root == ss.root
}

// byRoot splits streams over several dump arguments into one for each.
func (m *Importer) byRoot(streams []model.Stream) []model.Stream {
	var out []model.Stream
	for _, s := range streams {
		parts := make(map[int]*model.Stream)
		var order []int
		part := func(file int) *model.Stream {
			root := m.dump.Listed(file).Root
			if parts[root] == nil {
				p := s
				p.Files, p.Keys, p.Evidence = nil, nil, nil
				parts[root] = &p
				order = append(order, root)
			}
			return parts[root]
		}
		for i, f := range s.Files {
			p := part(f)
			p.Files = append(p.Files, f)
			if s.Keys != nil {
				p.Keys = append(p.Keys, s.Keys[i])
			}
		}
		for _, e := range s.Evidence {
			p := part(e.File)
			p.Evidence = append(p.Evidence, e)
		}
		for _, root := range order {
			out = append(out, *parts[root])
		}
	}
	return out
}

// rootOf is the dump argument that a stream's files come from.
func (m *Importer) rootOf(s model.Stream) int { return m.dump.Listed(firstFile(s)).Root }

func firstFile(s model.Stream) int {
	if len(s.Files) > 0 {
		return s.Files[0]
	}
	return s.Evidence[0].File
}

// nameApart gives streams that would name their sessions alike, after a file
// or folder of the same name, the path to tell them apart: of several the first
// keeps the bare name.
func nameApart(streams []model.Stream, files []model.File) {
	taken := make(map[sessionID]bool)
	for i := range streams {
		s := &streams[i]
		if s.Session == "" {
			continue
		}
		name := s.Session
		if dir := path.Dir(files[firstFile(*s)].Name); taken[sessionID{s.Dialect, name}] && dir != "." {
			name = strings.TrimSuffix(dir, "/events")
			if path.Base(name) != s.Session {
				name += "/" + s.Session
			}
		}
		for n := 2; taken[sessionID{s.Dialect, name}]; n++ {
			name = s.Session + "-" + strconv.Itoa(n)
		}
		s.Session = name
		taken[sessionID{s.Dialect, name}] = true
	}
}

// touch makes the session's row be written even if no event comes.
func (s *session) touch(m *Importer) {
	if !s.dirty {
		s.dirty = true
		m.out.touched = append(m.out.touched, s)
	}
}

// wake reads the working state that an earlier import left.
func (s *session) wake(m *Importer, ss *streamState) error {
	if !s.asleep {
		return nil
	}
	s.asleep = false
	s.ids.partial = s.row.LastPos > 0
	s.info.first = s.row.LastPos + 1
	blob, err := m.st.Reader().State(m.out.ctx, s.row.Key)
	if err != nil {
		return fmt.Errorf("read state of session %s: %w", s.row.ID, err)
	}
	if len(blob) > 0 {
		if err := json.Unmarshal(blob, &s.state); err != nil {
			return fmt.Errorf("read state of session %s: %w", s.row.ID, err)
		}
	}
	s.linker = ss.dialect.NewLinker(&ss.Stream, s.row.ID)
	if s.state.Linker != nil {
		if err := s.linker.Load(s.state.Linker); err != nil {
			return fmt.Errorf("read state of session %s: %w", s.row.ID, err)
		}
	}
	return nil
}

// count keeps the session's totals.
func (s *session) count(e *model.Event) {
	r := &s.row
	switch e.Origin {
	case model.OriginCopied:
		r.Copies++
		return
	case model.OriginInherited:
		r.Inherited++
		return
	}
	if r.Events == 0 || e.Seq < r.First {
		r.First = e.Seq
	}
	if r.Events == 0 || e.Seq > r.Last {
		r.Last = e.Seq
	}
	r.Events++
	if e.Outcome.Failed() {
		r.Failed++
	}
	if e.Time.Known {
		if !r.Started.Known || e.Time.Nanos < r.Started.Nanos {
			r.Started = e.Time
		}
		if !r.Ended.Known || e.Time.Nanos > r.Ended.Nanos {
			r.Ended = e.Time
		}
	}
}

// stale reports a pos behind which the index holds what an order that is given
// up had there.
func (s *session) stale(pos int64) bool { return s.kept > 0 && pos > s.kept }

// inBatch finds an event that is not yet handed to the writer.
func (s *session) inBatch(pos int64) *model.Event {
	if len(s.batch) == 0 {
		return nil
	}
	i := pos - s.batch[0].Pos
	if i < 0 || i >= int64(len(s.batch)) {
		return nil
	}
	return s.batch[i]
}

// close writes the session's row into a batch.
func (s *session) close(b *store.Batch) error {
	s.dirty = false
	s.batch = s.batch[:0]
	if s.linker != nil {
		sum := s.linker.Summary()
		r := &s.row
		r.Outcome, r.OpenCalls, r.Usage = sum.Outcome, sum.OpenCalls, sum.Usage.Sub(s.state.Stand.Usage)
		r.Title = firstOf(sum.Title, r.Title)
		r.Version = firstOf(sum.Version, r.Version)
		r.Parent = firstOf(sum.Parent, r.Parent)
		r.Base, r.BasePos = sum.Base.Session, s.state.Stand.Pos
		var err error
		if s.state.Linker, err = s.linker.Save(); err != nil {
			return fmt.Errorf("save state of session %s: %w", r.ID, err)
		}
	}
	if s.staged {
		return nil
	}
	s.row.Provisional = s.unsettled()
	if !s.asleep {
		s.row.SeqSorted = !s.row.Provisional && (s.state.Stand.Pos == 0 || s.row.First >= s.state.Stand.Last)
	}
	s.row.State = nil // keeps what the index has
	if !s.asleep {
		var err error
		if s.row.State, err = json.Marshal(s.state); err != nil {
			return fmt.Errorf("save state of session %s: %w", s.row.ID, err)
		}
	}
	b.Sessions = append(b.Sessions, s.row)
	return nil
}

// unsettled reports that the session's events do not stand in replay order.
func (s *session) unsettled() bool { return s.state.Late || s.state.Repair }

// inRank lists the sessions in the order of their first events in the dump.
func (m *Importer) inRank() []*session {
	var all []*session
	for _, s := range m.sessions {
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b *session) int { return int(a.row.Rank - b.row.Rank) })
	return all
}

// inOrder lists the sources in the order in which they were found.
func (m *Importer) inOrder() []*sourceState {
	var all []*sourceState
	for _, s := range m.sources {
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b *sourceState) int { return int(a.row.ID - b.row.ID) })
	return all
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
