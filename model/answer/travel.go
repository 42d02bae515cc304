package answer

import "encoding/json"

// Diff is the answer of diff: what changed between two points of state.
type Diff struct {
	A       Ref      `json:"a"`
	B       Ref      `json:"b"`
	Changes []Change `json:"changes"`
	// Events are those that By names, by pos, for people.
	Events map[int64]Event `json:"-"`
}

// Change is one leaf that differs, or a member of a collection that came or
// went whole. Old is absent on add, New on remove.
type Change struct {
	Path string          `json:"path"`
	Op   string          `json:"op"`
	Old  json.RawMessage `json:"old,omitempty"`
	New  json.RawMessage `json:"new,omitempty"`
	By   *Ref            `json:"by"`
	// Blind: of a file whose text is known at neither point, and may differ.
	Blind bool `json:"-"`
}

// StateValue is the answer of state PATH: one value, and who wrote it last.
// Certainty is null but for files.
type StateValue struct {
	Path      string          `json:"path"`
	Value     json.RawMessage `json:"value"`
	Certainty *string         `json:"certainty"`
	By        *Ref            `json:"by"`
}

// Children is a page of the members of a collection or object.
type Children struct {
	Path  string  `json:"path"`
	Total int64   `json:"total"`
	Items []Child `json:"items"`
}

// Child is one member: its value, or how many members it has itself where it
// is an object too large to show. Changed: the event asked about wrote it.
type Child struct {
	Path    string          `json:"path"`
	Value   json.RawMessage `json:"value"`
	Members int64           `json:"members"`
	By      *Ref            `json:"by"`
	Changed bool            `json:"changed"`
}

// Blame is the answer of blame for a value.
type Blame struct {
	Path      string          `json:"path"`
	Value     json.RawMessage `json:"value"`
	By        *Event          `json:"by"`
	Certainty *string         `json:"certainty"`
	// Restores is the event whose value a revert brought back.
	Restores *Ref `json:"restores,omitempty"`
}

// BlameFile is the answer of blame for a file.
type BlameFile struct {
	Path      string      `json:"path"`
	Certainty string      `json:"certainty"`
	Lines     []BlameLine `json:"lines"`
	// Events are those that the lines name, by pos, for people.
	Events map[int64]Event `json:"-"`
}

// BlameLine is a line of a file and the event that wrote it. A line that no
// recorded write explains has no By: it came in between two sightings, and
// Suspects are the commands there.
type BlameLine struct {
	N        int64   `json:"n"`
	Text     string  `json:"text"`
	By       *Ref    `json:"by"`
	Between  *[2]Ref `json:"between"`
	Suspects []Ref   `json:"suspects"`
}

// History is the answer of history: every write of a path.
type History struct {
	Path   string         `json:"path"`
	Writes []HistoryWrite `json:"writes"`
}

// HistoryWrite is one write; Old is absent on add, New on remove.
type HistoryWrite struct {
	Op  string          `json:"op"`
	Old json.RawMessage `json:"old,omitempty"`
	New json.RawMessage `json:"new,omitempty"`
	By  Event           `json:"by"`
}

// Bisect is the answer of bisect: where an expression turns true or false. One
// that is true from the start turns at the first event.
type Bisect struct {
	Expr  string   `json:"expr"`
	Reads []string `json:"reads"`
	Flips []Flip   `json:"flips"`
	// Events are those that the flips name, by pos, for people.
	Events map[int64]Event `json:"-"`
	// Unwritten are the places of Reads at which nothing ever stood, for people.
	Unwritten []string `json:"-"`
}

// Flip is one turn.
type Flip struct {
	By Ref  `json:"by"`
	To bool `json:"to"`
}
