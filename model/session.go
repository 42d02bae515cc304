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

// Usage counts tokens in disjoint classes, and money. Known is false where no
// record of the session told any.
type Usage struct {
	Input, Output, CacheRead, CacheWrite, Reasoning int64 // tokens
	CostUSD                                         float64
	Known, CostKnown                                bool
}

// Add sums two usages.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		Input: u.Input + v.Input, Output: u.Output + v.Output,
		CacheRead: u.CacheRead + v.CacheRead, CacheWrite: u.CacheWrite + v.CacheWrite,
		Reasoning: u.Reasoning + v.Reasoning, CostUSD: u.CostUSD + v.CostUSD,
		Known: u.Known || v.Known, CostKnown: u.CostKnown || v.CostKnown,
	}
}
