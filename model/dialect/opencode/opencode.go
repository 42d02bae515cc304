// Package opencode reads the sessions of opencode, which keeps a session as
// objects (the session, its messages, their parts), and where it keeps a log,
// as a log of whole versions of them. It also reads what the older Go program
// of that name left.
//
// Whatever a dump holds is read as rows of one shape (fields.go): rows of a log
// are events as they stand; objects that stand only as they were in the end
// give the moments that they must have had (derive.go). The linker sees them in
// replay order and judges each row against what it knows of the object.
package opencode

import "hindcast/model"

const name = "opencode"

// dialect has no state: what Claim learns travels in Stream.Meta.
type dialect struct{}

// New returns the dialect.
func New() model.Dialect { return dialect{} }

// Info describes the format.
func (dialect) Info() model.DialectInfo {
	return model.DialectInfo{
		Name:     name,
		Title:    "opencode sessions (database, event log, export, JSON tree, live stream) and the older Go program",
		Versions: "0.5 to 1.18.34, the events of the coming model; opencode-ai/opencode of 2025",
		Packs: []string{
			"opencode.db with its event log, or with the tables only",
			"POST /sync/history, rows of the tables as JSON",
			"opencode export, whole, sanitized or cut; REST message lists; share data",
			"storage/ and project/ trees of JSON files",
			"captures of /event and /global/event; run --format json",
			"the old Go program's database",
		},
		Layout:  true,
		Detects: "tables and folders by their names, proved by ids that begin with ses_; elsewhere records that hold sessions, messages or parts",
		Context: "exact", Files: "known", Cost: "recorded", Status: "inferred",
	}
}

// meta is what Claim tells Decode, the linker and the effector about a stream.
type meta struct {
	// Near is a time that the stream holds, in milliseconds since 1970: ids tell
	// times only up to a multiple of two years.
	Near int64
	// Synced: the stream holds the log's rows, each beside a plain twin.
	Synced bool
	// Unnumbered: its rows all say 0 where their number should stand.
	Unnumbered bool
	// Skip are sessions that other files of the dump tell in full.
	Skip map[string]bool
	// Logged: the sessions are told by a log, whose rows have numbers.
	Logged bool
	// Begins holds the numbers of the first rows of logs that begin late.
	Begins map[string]int64
	// Live names files of which only what no log holds is read.
	Live    map[string]bool
	Version string // of the program that made the first session
}

// metaOf is the stream's meta; the zero value where Claim made none.
func metaOf(s *model.Stream) *meta {
	if s != nil {
		if m, ok := s.Meta.(*meta); ok && m != nil {
			return m
		}
	}
	return &meta{}
}
