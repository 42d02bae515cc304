package answer

// Installed is the answer of sessions --installed.
type Installed struct {
	Sessions []InstalledSession `json:"sessions"`
	More     int                `json:"more"` // sessions that were found beside those
	Places   []InstalledPlace   `json:"places"`
}

// InstalledSession is a session that a program left in its usual place. What is
// not known is null.
type InstalledSession struct {
	ID      string   `json:"id"`
	Dialect string   `json:"dialect"`
	Dumps   []string `json:"dumps"` // what to open, with the id as --session
	Title   *string  `json:"title"`
	Cwd     *string  `json:"cwd"`  // the directory that it ran in
	Here    bool     `json:"here"` // that is this folder, or below the root of its repository
	Changed string   `json:"changed"`
	Bytes   *int64   `json:"bytes"`
	Parent  *string  `json:"parent"`
	Outcome *string  `json:"outcome"`
	Failed  *int64   `json:"failed"` // events, of what was read
	// Read says what the title, the outcome and the failures were read from: index
	// (of an import that holds all of it), whole (the session itself), ends (its
	// beginning and end: there may be more failures), nothing.
	Read    string  `json:"read"`
	Problem *string `json:"problem"` // why nothing could be read
}

// What InstalledSession.Read says.
const (
	ReadIndex   = "index"
	ReadWhole   = "whole"
	ReadEnds    = "ends"
	ReadNothing = "nothing"
)

// InstalledPlace is a folder that was looked into.
type InstalledPlace struct {
	Dialect string  `json:"dialect"`
	Path    string  `json:"path"`
	Found   int     `json:"found"`   // sessions
	Problem *string `json:"problem"` // why not all of it was seen
}
