package answer

// Import is the answer of import.
type Import struct {
	Index      string           `json:"index"`
	Dialects   []ImportedFormat `json:"dialects"`
	Sessions   int64            `json:"sessions"`
	Events     int64            `json:"events"`
	Links      int64            `json:"links"`
	Writes     int64            `json:"writes"`
	Findings   int64            `json:"findings"`
	Accounting Accounting       `json:"accounting"`
}

// ImportedFormat is a dialect that the dump holds, and why it was taken for it.
type ImportedFormat struct {
	Name     string  `json:"name"`
	Version  *string `json:"version"`
	Reason   string  `json:"reason"`
	Sessions int64   `json:"sessions"`
}

// Accounting says where every byte of the unpacked dump went:
// Bytes = EventBytes + StructureBytes + EvidenceBytes + QuarantinedBytes.
type Accounting struct {
	Bytes            int64         `json:"bytes"`
	EventBytes       int64         `json:"event_bytes"`
	StructureBytes   int64         `json:"structure_bytes"`
	EvidenceBytes    int64         `json:"evidence_bytes"`
	QuarantinedBytes int64         `json:"quarantined_bytes"`
	Quarantined      []Quarantined `json:"quarantined"`
	Skipped          []Skipped     `json:"skipped"`
}

// Quarantined is a span that could not be read as events.
type Quarantined struct {
	Source string `json:"source"`
	Offset int64  `json:"offset"`
	Length int64  `json:"length"`
	Reason string `json:"reason"`
}

// Skipped is a file that was not read at all.
type Skipped struct {
	Source string `json:"source"`
	Reason string `json:"reason"`
}
