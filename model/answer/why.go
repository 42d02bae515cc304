package answer

// Why is the answer of why: from an event back to what caused it.
type Why struct {
	From     Event     `json:"from"`
	Suspects []Suspect `json:"suspects"`
	Roots    []Event   `json:"roots"`
	Chain    []Step    `json:"chain"`
	// Complete is false when a recorded link on the way names something
	// missing, later, itself, or closes a ring.
	Complete bool `json:"complete"`
	// Truncated: the chain is longer than what is shown. Roots are the first
	// suspects; without any they name the chain's end in the session where it was
	// cut.
	Truncated bool `json:"truncated,omitempty"`
}

// Suspect is an event that probably caused another, with its evidence.
type Suspect struct {
	Event    Event    `json:"event"`
	Because  string   `json:"because"`
	Evidence Evidence `json:"evidence"`
	Rank     int      `json:"rank"`
}

// Evidence is what in an error's text led to a suspect.
type Evidence struct {
	Path *string `json:"path"`
	Line *int64  `json:"line"`
	Text *string `json:"text"`
}

// Step is one event of the chain; Also names its other causes.
type Step struct {
	Event Event `json:"event"`
	Via   Via   `json:"via"`
	Also  []Ref `json:"also"`
}

// Via is the link by which a step was reached.
type Via struct {
	Reason   string `json:"reason"`
	Inferred bool   `json:"inferred"`
}

// Effects is the answer of why --effects: what followed from an event, nearest
// first.
type Effects struct {
	From    Event    `json:"from"`
	Effects []Effect `json:"effects"`
	Total   Sum      `json:"total"` // of all that followed, listed or not
}

// Effect is one event that followed, the link that says so, and what it and all
// below it come to. An event that followed on several ways stands on the
// shortest, and counts there alone.
type Effect struct {
	Event  Event `json:"event"`
	Via    Via   `json:"via"`
	Parent Ref   `json:"parent"` // where the link leads
	Depth  int64 `json:"depth"`  // links to the event asked about
	Sum    Sum   `json:"sum"`
}

// Sum is what events come to. Null is what the dump does not tell.
type Sum struct {
	Events  int64    `json:"events"`
	Failed  int64    `json:"failed"`
	Seconds *float64 `json:"seconds"` // from the first, of a total from the event asked about, to the last
	Tokens  *int64   `json:"tokens"`  // of all kinds
	CostUSD *float64 `json:"cost_usd"`
}
