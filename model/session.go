package model

// Session is one stream of events (a conversation, a run) as the index keeps
// it. Counts are over all events but copied and inherited ones, which are
// counted apart.
type Session struct {
	Key       int64  // the index's own number
	ID        string // as the source names it
	Dialect   string
	Version   string // of the program or format that wrote it; empty where unknown
	Parent    string // id of the session that made this one; empty for a root
	Base      string // id of the session that this one goes on from (see Base); empty for none
	BasePos   int64  // the last pos that it has from there; 0 where the base is not in the dump
	Title     string
	Events    int64
	Copies    int64
	Inherited int64
	First     int64 // lowest and highest seq
	Last      int64
	LastPos   int64
	Started   Time
	Ended     Time
	Failed    int64
	OpenCalls int64
	Outcome   string // the last status it reached, in the dialect's words; empty where it never says
	Usage     Usage
	// Provisional: the replay order is not settled until the import is done.
	Provisional bool
}

// Base is the point of another session from which a session goes on whose log
// does not repeat what came before, as that of a fork. The events of the base
// up to that point stand at the beginning of the session, each at the pos that
// it has in the base, with Origin inherited and its bytes where they are; the
// session's own begin behind them. So its state, context, links and ids take in
// what the base did, and each value leads to the base's event that wrote it.
// Where the base is not in the dump the session begins with its own events.
type Base struct {
	Session string // id of the base, of the same dialect; empty: the session goes on from none
	// Event is an id or alias of the last event that is inherited. Where it is
	// empty Seq tells: it is the last one whose seq is not above that.
	Event string
	Seq   int64
}

// Usage counts tokens in disjoint classes, and money. What Told does not name is
// not known, and 0 here.
type Usage struct {
	Input, Output, CacheRead, CacheWrite, Reasoning int64 // tokens
	CostUSD                                         float64
	Told                                            Told
}

// Told names the parts of a usage that a record told: a program that knows no
// reasoning tokens has not told that there were none.
type Told uint8

// The parts of a usage.
const (
	ToldInput Told = 1 << iota
	ToldOutput
	ToldCacheRead
	ToldCacheWrite
	ToldReasoning
	ToldCost
)

// Has reports whether any of these parts was told.
func (t Told) Has(any Told) bool { return t&any != 0 }

// Add sums two usages. A part is told where either tells it.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		Input: u.Input + v.Input, Output: u.Output + v.Output,
		CacheRead: u.CacheRead + v.CacheRead, CacheWrite: u.CacheWrite + v.CacheWrite,
		Reasoning: u.Reasoning + v.Reasoning, CostUSD: u.CostUSD + v.CostUSD,
		Told: u.Told | v.Told,
	}
}

// Sub takes a usage away that was counted in before.
func (u Usage) Sub(v Usage) Usage {
	return Usage{
		Input: u.Input - v.Input, Output: u.Output - v.Output,
		CacheRead: u.CacheRead - v.CacheRead, CacheWrite: u.CacheWrite - v.CacheWrite,
		Reasoning: u.Reasoning - v.Reasoning, CostUSD: u.CostUSD - v.CostUSD,
		Told: u.Told,
	}
}
