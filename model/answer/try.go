package answer

// Try is what a mapping makes of the first records of a dump.
type Try struct {
	Dialect string `json:"dialect"`
	// Detected: the dump opens so by itself, without --dialect.
	Detected bool `json:"detected"`
	Records  int  `json:"records"` // that were looked at
	Ruled    int  `json:"ruled"`   // of them, for which there is a rule
	Broken   int  `json:"broken"`  // of them, that could not be read
	// Astray counts the links that name no event among these records, as
	// AstrayID does.
	Astray   int     `json:"astray"`
	AstrayID *string `json:"astray_id"`
	// AstrayIn is the session that has an event of that id: the mapping's ids
	// count in their session, but these do not.
	AstrayIn *string      `json:"astray_in"`
	Events   []TriedEvent `json:"events"`
	More     int          `json:"more"` // events that were made and are not shown
	// Empty are the places of [event] and [detect] at which none of these records
	// has anything.
	Empty []EmptyPlace `json:"empty"`
	// Types are those without a rule, Fields what no rule names of the others:
	// the most frequent first.
	Types  []Unmapped `json:"types"`
	Fields []Unmapped `json:"fields"`
}

// EmptyPlace is a place that a key of the mapping file names.
type EmptyPlace struct {
	Key   string `json:"key"`
	Place string `json:"place"` // JSON Pointer
}

// TriedEvent is an event with what it does, in words.
type TriedEvent struct {
	Event   Event    `json:"event"`
	Effects []string `json:"effects"`
}

// Unmapped is a type, or a field of a type, that a mapping leaves.
type Unmapped struct {
	Type    string  `json:"type"`
	Field   *string `json:"field"` // JSON Pointer; * stands for each element of a list
	Count   int     `json:"count"`
	Example string  `json:"example"` // a record, or a value
}
