package opencode

import (
	"bytes"
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// How much of a file is looked at: a little to see whose it is, more to see
// which sessions it holds.
const (
	glanceBytes = 16 << 10
	lookBytes   = 4 << 20
)

var byLine = model.Framing{Mode: model.FrameLines}

// glimpse is what the head of a file shows.
type glimpse struct {
	framing  model.Framing
	records  int
	whole    bool // the head is all of the file
	ops      map[op]int
	sessions []string
	known    map[string]bool
	begun    map[string]bool // sessions whose creation the head shows
	begins   map[string]int64
	version  string
	near     int64
	synced   int             // the log's rows in frames of a stream
	zero     map[string]bool // sessions of which a row in a frame has the number 0
	// unnumbered: a session has several rows of that number.
	unnumbered bool
	logged     int // rows of a log
	derived    int
	table      int
	frames     int // of a live stream
	live       bool
}

// lookInto reads the head of a file.
func (c *claimer) lookInto(file int, f model.Framing) *glimpse {
	head := c.dump.Head(file, lookBytes)
	s := &glimpse{framing: f, whole: len(head) < lookBytes, ops: map[op]int{}, known: map[string]bool{}, begun: map[string]bool{}, zero: map[string]bool{}, begins: map[string]int64{}}
	s.read(head)
	return s
}

func (s *glimpse) read(head []byte) {
	split := jsonscan.NewSplitter(bytes.NewReader(head), 0, s.framing, !s.whole)
	for {
		chunk, err := split.Next()
		if err != nil {
			return
		}
		for _, span := range chunk.Spans {
			if span.Broken != "" {
				continue
			}
			start, end, err := jsonscan.Value(chunk.Data[span.Start:span.End])
			if err == nil {
				s.record(chunk.Data[span.Start+start : span.Start+end])
			}
		}
	}
}

func (s *glimpse) record(raw []byte) {
	r := readRow(raw)
	s.records++
	s.ops[r.op]++
	s.live = s.live || liveOnly(r)
	if r.at.Known && s.near == 0 {
		s.near = r.at.Nanos / 1e6
	}
	switch {
	case r.sync:
		s.synced++
	case r.hasSeq:
		s.logged++
	case r.table:
		s.table++
	case r.derived:
		s.derived++
	case r.op != opOther && r.op != opRun:
		s.frames++
	}
	if r.op == opTurn && s.near == 0 {
		s.near = r.asMessage.created.Nanos / 1e6
	}
	if r.session == "" {
		return
	}
	if r.sync && r.seq == 0 {
		if s.zero[r.session] {
			s.unnumbered = true
		}
		s.zero[r.session] = true
	}
	if !s.known[r.session] {
		s.known[r.session] = true
		s.sessions = append(s.sessions, r.session)
		if r.hasSeq && r.seq > 0 {
			s.begins[r.session] = r.seq
		}
		s.begun[r.session] = r.typ == "session.created" || r.op == opSession && r.derived
	}
	if r.op == opSession && s.version == "" {
		s.version = readSession(r.object).version
	}
}

// tells reports that a log tells each session of the table from its beginning,
// as far as the heads of both show.
func (s *glimpse) tells(table *glimpse) bool {
	for _, id := range table.sessions {
		if !s.known[id] && s.whole || s.known[id] && !s.begun[id] {
			return false
		}
	}
	return s.whole || len(s.sessions) > 0
}

// looseFiles claims what no name explains.
func (c *claimer) looseFiles(force bool) {
	rows := map[string]*unit{}
	for i, f := range c.files {
		if c.taken[i] || f.Database != "" {
			continue
		}
		framing, ok := c.glance(i, force)
		if !ok {
			continue
		}
		s := c.lookInto(i, framing)
		u := s.unit(i, force)
		if u == nil {
			continue
		}
		if u.rank == rankRows {
			dir := f.Name[:strings.LastIndexByte(f.Name, '/')+1]
			if r := rows[dir]; r != nil {
				r.join(u, s)
				c.taken[i] = true
				continue
			}
			rows[dir] = u
		}
		c.add(u)
	}
}

// glance tells whether a file may be one of the program's, and its framing.
func (c *claimer) glance(i int, force bool) (model.Framing, bool) {
	head := c.dump.Head(i, glanceBytes)
	rest := head
	if bytes.HasPrefix(head, []byte("Exporting session")) {
		if n := bytes.IndexByte(head, '\n'); n >= 0 {
			rest = head[n:]
		}
	}
	f, ok, _ := jsonscan.Sniff(rest, len(head) < glanceBytes, "messages", "data")
	if !ok {
		return f, false
	}
	if f.Mode == model.FrameMember {
		f.Beside = "info"
	}
	for _, sign := range signs {
		if bytes.Contains(head, []byte(sign)) {
			return f, true
		}
	}
	return f, force
}

// signs are texts of which every packaging holds one near its beginning.
var signs = []string{"ses_", `"sessionID"`, "server.connected", "msg_", "prt_", "evt_", "session.updated", "message.part.updated"}

// unit makes a packaging of what a file shows; nil where it is none.
func (s *glimpse) unit(file int, force bool) *unit {
	u := &unit{meta: &meta{Near: s.near, Version: s.version, Begins: s.begins}, sessions: s.sessions, live: s.live}
	st := &u.stream
	st.Files, st.Framing, st.Confidence = []int{file}, s.framing, 90
	switch {
	case s.synced > 0:
		u.rank, st.Order, st.Reason = rankSynced, model.OrderSeq, "frames of /global/event that hold the log's rows"
		u.meta.Synced = true
		if s.unnumbered {
			u.meta.Unnumbered, st.Order = true, model.OrderArrival
		}
	case s.logged > 0:
		u.rank, st.Order, st.Reason = rankHistory, model.OrderSeq, "rows of the event log: "+strconv.Itoa(len(s.sessions))+" sessions in its head"
		u.meta.Logged = true
	case s.table > 0:
		u.rank, st.Order, st.Reason = rankRows, model.OrderRepair, "rows of the program's tables"
	case s.ops[opTurn] > 0:
		u.rank, st.Order, st.Reason = rankExport, model.OrderRepair, "messages with their parts"
		if s.framing.Mode == model.FrameMember {
			st.Reason = "an export: a session with its messages"
		}
	case s.ops[opRun] > 0:
		u.rank, st.Order, st.Reason = rankRun, model.OrderArrival, "lines of run --format json"
	case s.frames > 0 && s.frames*2 > s.ops[opOther]:
		u.rank, st.Order, st.Reason = rankStream, model.OrderArrival, "frames of a live stream"
	case s.ops[opMessage]+s.ops[opPart] > 0 && len(s.sessions) > 0:
		u.rank, st.Order, st.Reason = rankExport, model.OrderRepair, "messages and parts"
	case s.ops[opSession] > 0:
		u.rank, st.Order, st.Reason = rankSessions, model.OrderRepair, "sessions"
	case s.ops[opNextRow] > 0:
		u.rank, st.Order, st.Reason = rankNextRows, model.OrderArrival, "messages of the coming model"
	case force && s.records > 0:
		u.rank, st.Order, st.Reason, st.Confidence = rankStream, model.OrderArrival, "JSON that was to be read so", 1
	default:
		return nil
	}
	return u
}

// join adds rows of another table that stand in a file of their own.
func (u *unit) join(other *unit, s *glimpse) {
	u.sessions = union(u.sessions, other.sessions)
	if s.ops[opNextRow] > 0 {
		u.stream.Evidence = append(u.stream.Evidence, model.Evidence{File: other.stream.Files[0], What: "projection"})
		return
	}
	u.stream.Files = append(u.stream.Files, other.stream.Files...)
	u.meta.Near = max(u.meta.Near, other.meta.Near)
	u.meta.Version = firstNonEmpty(u.meta.Version, other.meta.Version)
}
