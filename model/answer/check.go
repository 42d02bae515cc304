package answer

// Check is the answer of check.
type Check struct {
	Findings   []Finding  `json:"findings"`
	Accounting Accounting `json:"accounting"`
	// Sessions is how many sessions the dump has, for people.
	Sessions int `json:"-"`
}

// Finding is one thing that is wrong, the events that prove it, and what to do
// next. Severity is error, warning or note.
type Finding struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Session  string `json:"session"`
	Title    string `json:"title"`
	Events   []Ref  `json:"events"`
	Detail   string `json:"detail"`
	Next     string `json:"next"`
}
