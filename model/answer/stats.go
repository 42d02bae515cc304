package answer

// Stats is the answer of stats: counts over the dump or one session.
type Stats struct {
	Sessions int64        `json:"sessions"`
	Events   int64        `json:"events"`
	Failed   int64        `json:"failed"`
	Copies   int64        `json:"copies"`
	Bytes    int64        `json:"bytes"`
	Started  *string      `json:"started"`
	Ended    *string      `json:"ended"`
	Seconds  *float64     `json:"seconds"`
	Kinds    []Count      `json:"kinds"`
	Types    []Count      `json:"types"`
	Tools    []ToolCount  `json:"tools"`
	Errors   []ErrorClass `json:"errors"`
	Usage    Usage        `json:"usage"`
}

// Count is a name with its number of events, most first.
type Count struct {
	Name   string `json:"name"`
	Events int64  `json:"events"`
	Failed int64  `json:"failed"`
	Bytes  int64  `json:"bytes"`
}

// ToolCount is a tool with its calls, failed results, and the time between
// calls and results.
type ToolCount struct {
	Name    string  `json:"name"`
	Calls   int64   `json:"calls"`
	Failed  int64   `json:"failed"`
	Open    int64   `json:"open"`
	Seconds float64 `json:"seconds"`
}

// ErrorClass is a group of failures whose titles differ only in numbers, ids,
// quoted text and paths.
type ErrorClass struct {
	Text  string `json:"text"`
	Count int64  `json:"count"`
	First Ref    `json:"first"`
	Last  Ref    `json:"last"`
}
