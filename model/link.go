package model

// Ref names an event from outside its session. It is how JSON refers to
// events that it does not show whole.
type Ref struct {
	Session string
	Seq     int64
	Pos     int64
	ID      string // empty where the record has none
}

// Link is a directed edge from an event to an earlier one. While decoding, a
// link names its target by ToID (or ToCall); the Linker or the importer
// resolves it to To. A link that could not be resolved keeps ToID and says why
// in Broken.
type Link struct {
	Reason   Reason
	Inferred bool   // made by hindcast from evidence, not written in the record
	ToID     string // target id as written in the record; empty where inferred
	To       Ref    // Pos 0 while unresolved
	Broken   Broken
}

// Resolved reports whether the link leads to an event.
func (l Link) Resolved() bool { return l.To.Pos > 0 && l.Broken == LinkWhole }

// Reason says what a link means.
type Reason uint8

// The reasons, in the order in which `why` prefers them. The first four may be
// causes; the others are structure: shown, never a cause.
const (
	ReasonAction  Reason = iota // a result to its call
	ReasonSource                // what triggered the event
	ReasonSpawn                 // a sub-agent to the call that made it
	ReasonData                  // the last writer of what the event used
	ReasonBase                  // a checkpoint to what it stands on
	ReasonForgets               // a checkpoint to what it drops
	ReasonParent                // the record before it in the source's own tree
	ReasonBatch                 // the first event of the same response
)

var reasonNames = [...]string{"action", "source", "spawn", "data", "base", "forgets", "parent", "batch"}

// String is the reason's name in JSON.
func (r Reason) String() string { return nameOf(reasonNames[:], int(r)) }

// ParseReason is the inverse of Reason.String.
func ParseReason(name string) (Reason, bool) {
	i := indexOf(reasonNames[:], name)
	return Reason(max(i, 0)), i >= 0
}

// Causal reports whether a link of this reason can be a cause.
func (r Reason) Causal() bool { return r <= ReasonData }

// Broken says why a recorded link leads nowhere.
type Broken uint8

// What can be wrong with a recorded link.
const (
	LinkWhole   Broken = iota
	LinkMissing        // its target is not in the dump (yet)
	LinkLater          // its target stands later in replay order
	LinkSelf           // it names its own event
)

var brokenNames = [...]string{"", "missing", "later", "self"}

// String is the fault as a word; empty for a whole link.
func (b Broken) String() string { return nameOf(brokenNames[:], int(b)) }

// PreferredCause picks the link that `why` follows: among resolved causal
// links, recorded before inferred, then by reason, then the latest target. It
// returns -1 where no link can be a cause.
func PreferredCause(links []Link) int {
	best := -1
	for i, l := range links {
		if !l.Resolved() || !l.Reason.Causal() {
			continue
		}
		if best < 0 || preferred(l, links[best]) {
			best = i
		}
	}
	return best
}

func preferred(a, b Link) bool {
	if a.Inferred != b.Inferred {
		return !a.Inferred
	}
	if a.Reason != b.Reason {
		return a.Reason < b.Reason
	}
	return a.To.Pos > b.To.Pos
}
