package answer

// Context is the answer of context: what the model has in view after At, or
// what it was given for the response of For.
type Context struct {
	At       Ref       `json:"at"`
	For      *Ref      `json:"for"`
	View     string    `json:"view"` // live, cold
	Messages []Message `json:"messages"`
	Lost     []Lost    `json:"lost"`
	Exact    bool      `json:"exact"`
	// Events are those that messages and losses name, by pos, for people.
	Events map[int64]Event `json:"-"`
}

// Message is one message as it went to the provider.
type Message struct {
	N       int           `json:"n"`
	Role    string        `json:"role"`
	Events  []Ref         `json:"events"`
	Text    string        `json:"text"`
	Chars   int64         `json:"chars"`
	Calls   []MessageCall `json:"calls"`
	Results []string      `json:"results"`
	Tokens  *int64        `json:"tokens"`
	Summary bool          `json:"summary"`
}

// MessageCall is a tool call in a message.
type MessageCall struct {
	ID   string `json:"id"`
	Tool string `json:"tool"`
	Args string `json:"-"` // what it was given, as recorded, for people
}

// Lost is a record that is no longer in view, and what took it out.
type Lost struct {
	Event  Ref    `json:"event"`
	By     Ref    `json:"by"`
	Reason string `json:"reason"`
}

// Knew is the answer of knew: the spans of the run in which a text was in the
// model's view.
type Knew struct {
	Text  string `json:"text"`
	Spans []Span `json:"spans"`
	First *Ref   `json:"first"`
	// Events are those that the spans name, by pos, for people.
	Events map[int64]Event `json:"-"`
}

// Span is one stretch in which the text was in view: from the first event
// after which it was to the last one, To null where it still is at the end.
type Span struct {
	From     Ref   `json:"from"`
	To       *Ref  `json:"to"`
	Carriers []Ref `json:"carriers"`
	InBy     Ref   `json:"in_by"`
	OutBy    *Ref  `json:"out_by"`
	Exact    bool  `json:"exact"`
}

// Origin is the answer of origin: where a text used by an event first appeared,
// and the way from there, first to last.
type Origin struct {
	Text   string `json:"text"`
	UsedAt Ref    `json:"used_at"`
	First  *Ref   `json:"first"`
	Path   []Ref  `json:"path"`
	// Events are those that First and Path name, by pos, for people.
	Events map[int64]Event `json:"-"`
}
