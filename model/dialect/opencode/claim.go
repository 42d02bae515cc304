package opencode

import (
	"cmp"
	"slices"
	"strings"

	"hindcast/model"
)

// rank orders the packagings of one session, the one that tells most first.
type rank int

const (
	rankLog      rank = iota // a database with a log
	rankHistory              // a log's rows
	rankTables               // a database without one
	rankRows                 // rows of its tables
	rankTree                 // a tree of files
	rankExport               // messages with their parts
	rankSynced               // a live stream that holds the log's rows
	rankStream               // a live stream
	rankRun                  // the lines of `run --format json`
	rankSessions             // sessions alone
	rankNextRows             // messages of the coming model
)

// what says what a packaging is as evidence.
var what = [...]string{
	rankLog: "packaging", rankHistory: "packaging", rankTables: "packaging", rankRows: "packaging", rankTree: "older copy",
	rankExport: "packaging", rankSynced: "packaging", rankStream: "packaging", rankRun: "packaging", rankSessions: "metadata", rankNextRows: "projection",
}

// unit is one packaging of some sessions.
type unit struct {
	rank     rank
	stream   model.Stream
	meta     *meta
	sessions []string // in the order in which they were seen
	size     int64
	live     bool // it holds what no log does: status, questions, errors
	names    map[string]bool
}

// claimer looks for sessions in a dump.
type claimer struct {
	dump  model.Dump
	files []model.File
	taken []bool
	units []*unit
	loose []model.Evidence // files of the program that belong to whatever is read beside them
}

// Claim looks at a dump's names, and at the heads of what they do not explain.
func (dialect) Claim(d model.Dump, force bool) []model.Stream {
	c := &claimer{dump: d, files: d.Files()}
	c.taken = make([]bool, len(c.files))
	c.databases()
	c.trees()
	c.looseFiles(force)
	return c.streams()
}

// streams settles which packaging gives the events of each session: the rest is
// evidence.
func (c *claimer) streams() []model.Stream {
	slices.SortStableFunc(c.units, func(a, b *unit) int { return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.size, a.size)) })
	owner := map[string]*unit{}
	var kept []*unit
	for _, u := range c.units {
		var first *unit
		fresh := ""
		for _, s := range u.sessions {
			if o := owner[s]; o == nil {
				fresh = firstNonEmpty(fresh, s)
			} else if first == nil {
				first = o
			}
		}
		if fresh == "" && first != nil {
			first.takeIn(u)
			continue
		}
		if fresh == "" && len(kept) > 0 && u.rank >= rankSessions {
			kept[0].takeIn(u)
			continue
		}
		u.meta.Skip = map[string]bool{}
		for _, s := range u.sessions {
			if owner[s] != nil {
				u.meta.Skip[s] = true
			} else {
				owner[s] = u
			}
		}
		if u.stream.Session == "" || u.meta.Skip[u.stream.Session] {
			u.stream.Session = fresh
		}
		kept = append(kept, u)
	}
	var out []model.Stream
	for i, u := range kept {
		if i == 0 {
			u.stream.Evidence = append(u.stream.Evidence, c.loose...)
		}
		u.stream.Dialect, u.stream.Meta, u.stream.Version = name, u.meta, u.meta.Version
		out = append(out, u.stream)
	}
	return out
}

// takeIn makes evidence of a unit whose sessions this one tells.
func (u *unit) takeIn(other *unit) {
	if other.live && u.rank == rankLog && len(u.meta.Live) == 0 && other.stream.Framing == u.stream.Framing {
		u.listen(other)
		return
	}
	for _, f := range other.stream.Files {
		u.stream.Evidence = append(u.stream.Evidence, model.Evidence{File: f, What: what[other.rank]})
	}
	u.stream.Evidence = append(u.stream.Evidence, other.stream.Evidence...)
	u.stream.Refused = append(u.stream.Refused, other.stream.Refused...)
}

// listen adds to a log what of a live stream no log holds.
func (u *unit) listen(other *unit) {
	u.stream.Files = append(u.stream.Files, other.stream.Files...)
	u.stream.Order = model.OrderRepair
	u.stream.Reason += ", with what a live stream tells beside"
	u.meta.Live = other.names
}

func (c *claimer) add(u *unit) {
	for _, f := range u.stream.Files {
		c.taken[f] = true
		u.size += max(0, c.files[f].Size)
		if u.live {
			u.names = map[string]bool{c.files[f].Name: true}
		}
	}
	for _, e := range slices.Concat(u.stream.Evidence, u.stream.Refused) {
		c.taken[e.File] = true
	}
	c.units = append(c.units, u)
}

// secretTables hold what lets others act for the user.
var secretTables = []string{"account", "account_state", "control_account", "credential", "session_share"}

// databases claims the tables of the program's databases.
func (c *claimer) databases() {
	tables := map[string]map[string]int{}
	var order []string
	for i, f := range c.files {
		if f.Database == "" {
			continue
		}
		if tables[f.Database] == nil {
			tables[f.Database] = map[string]int{}
			order = append(order, f.Database)
		}
		tables[f.Database][strings.TrimPrefix(f.Name, f.Database+"/")] = i
	}
	for _, db := range order {
		t := tables[db]
		switch {
		case has(t, "session", "message", "part"):
			c.database(t)
		case has(t, "sessions", "messages", "files"):
			c.goDatabase(t)
		}
	}
}

func has(tables map[string]int, names ...string) bool {
	for _, n := range names {
		if _, ok := tables[n]; !ok {
			return false
		}
	}
	return true
}

func (c *claimer) database(t map[string]int) {
	sessions := c.lookInto(t["session"], byLine)
	if len(sessions.sessions) == 0 && sessions.records > 0 {
		return // tables of another program that bear these names
	}
	u := &unit{meta: &meta{Near: sessions.near, Version: sessions.version}, sessions: sessions.sessions}
	s := &u.stream
	s.Confidence, s.Framing = 97, byLine
	for _, n := range secretTables {
		if i, ok := t[n]; ok {
			s.Refused = append(s.Refused, model.Evidence{File: i, What: "a table of secrets"})
		}
	}
	var events *glimpse
	if i, ok := t["event"]; ok {
		events = c.lookInto(i, byLine)
	}
	switch {
	case events == nil || events.records == 0:
		u.rank, s.Order = rankTables, model.OrderRepair
		s.Reason = "a database with the tables session, message and part"
		s.Files = []int{t["session"], t["message"], t["part"]}
	case events.tells(sessions):
		u.rank, s.Order, u.meta.Logged = rankLog, model.OrderSeq, true
		s.Reason = "a database with the table event, which tells every session from its beginning"
		s.Files = []int{t["event"]}
		for _, n := range []string{"session", "message", "part"} {
			s.Evidence = append(s.Evidence, model.Evidence{File: t[n], What: "projection"})
		}
	default:
		u.rank, s.Order, u.meta.Logged = rankLog, model.OrderRepair, true
		s.Reason = "a database with the table event, which does not tell all: the other tables tell the rest"
		s.Files = []int{t["event"], t["session"], t["message"], t["part"]} // what is first has the objects' ids
	}
	if events != nil {
		u.meta.Near, u.meta.Begins = max(u.meta.Near, events.near), events.begins
		u.sessions = union(u.sessions, events.sessions)
	}
	for _, n := range []string{"event_sequence", "todo", "session_message", "session_input", "session_context_epoch", "project", "permission"} {
		if i, ok := t[n]; ok {
			s.Evidence = append(s.Evidence, model.Evidence{File: i, What: "projection"})
		}
	}
	c.add(u)
}

// goTables are all that the old Go program made, with that of its migrations.
var goTables = []string{"sessions", "messages", "files", "goose_db_version"}

func (c *claimer) goDatabase(t map[string]int) {
	sessions := c.lookInto(t["sessions"], byLine)
	if sessions.records > 0 && sessions.ops[opGoSession] == 0 {
		return
	}
	u := &unit{rank: rankTables, meta: &meta{}, sessions: sessions.sessions}
	u.stream = model.Stream{
		Confidence: 97, Framing: byLine, Order: model.OrderRepair,
		Reason: "a database of the old Go program: tables sessions, messages and files",
		Files:  []int{t["sessions"], t["messages"], t["files"]},
	}
	for name, i := range t {
		if !slices.Contains(goTables, name) {
			u.stream.Refused = append(u.stream.Refused, model.Evidence{File: i, What: "a table that is none of opencode's"})
		}
	}
	slices.SortFunc(u.stream.Refused, func(a, b model.Evidence) int { return a.File - b.File })
	c.add(u)
}

// union adds to a list what it does not hold.
func union(a, b []string) []string {
	known := map[string]bool{}
	for _, s := range a {
		known[s] = true
	}
	for _, s := range b {
		if !known[s] {
			known[s] = true
			a = append(a, s)
		}
	}
	return a
}
