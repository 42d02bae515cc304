package answer

// Stats is the answer of stats: counts over the dump or one session, where it
// went wrong, and what it took.
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

	Verdict Verdict `json:"verdict"`
	// Unrecovered is where it began to go wrong; null where every failure was
	// recovered.
	Unrecovered *Unrecovered `json:"unrecovered"`
	Agents      []AgentCount `json:"agents"`
	Slowest     []Slow       `json:"slowest"`
	Costliest   []Cost       `json:"costliest"`
	Open        []OpenCall   `json:"open"`
	// Checkpoints and Curves are those of one session: the one asked for, else
	// the root session with most events.
	Checkpoints []Drop  `json:"checkpoints"`
	Curves      *Curves `json:"curves"`
}

// Count is a name with its number of events, most first.
type Count struct {
	Name   string `json:"name"`
	Events int64  `json:"events"`
	Failed int64  `json:"failed"`
	Bytes  int64  `json:"bytes"`
}

// ToolCount is a tool with its calls, failed results, and the time between
// calls and results: all of it, what nineteen of twenty calls stay within, and
// the slowest call.
type ToolCount struct {
	Name       string   `json:"name"`
	Calls      int64    `json:"calls"`
	Failed     int64    `json:"failed"`
	Open       int64    `json:"open"`
	Seconds    float64  `json:"seconds"`
	P95Seconds *float64 `json:"p95_seconds"` // null: no call tells its time
	Slowest    *Ref     `json:"slowest"`
}

// ErrorClass is a group of failures whose titles differ only in numbers, ids,
// times, quoted text and paths. Recovered counts those behind which the same was
// tried again and did not fail; RecoveredBy is the event that shows it of the
// last of them, null where that never came. Both are inferred.
type ErrorClass struct {
	Text        string `json:"text"`
	Count       int64  `json:"count"`
	First       Ref    `json:"first"`
	Last        Ref    `json:"last"`
	Example     string `json:"example"` // the title of the first
	Recovered   int64  `json:"recovered"`
	RecoveredBy *Ref   `json:"recovered_by"`
}

// Verdict is a session, or a dump, in a line. What is not known, or not looked
// for since that would take long, is null.
type Verdict struct {
	Outcomes []Outcome `json:"outcomes"`
	// Claim is success, claimed by the last that the model said, else behind the
	// first failure that was never recovered; inferred.
	Claim       *Claim `json:"claim"`
	FailedCalls int64  `json:"failed_calls"`
	OtherErrors int64  `json:"other_errors"` // failures that are no call's
	Unrecovered *int64 `json:"unrecovered"`  // of both; inferred
	First       *Ref   `json:"first_unrecovered"`
	OpenCalls   int64  `json:"open_calls"`
	Checkpoints *int64 `json:"checkpoints"`
	Findings    *int64 `json:"findings"`
}

// Outcome is how sessions ended, in their dialect's words; null where it never
// says.
type Outcome struct {
	Outcome  *string `json:"outcome"`
	Sessions int64   `json:"sessions"`
}

// Claim is what the model said of its success.
type Claim struct {
	Event Ref    `json:"event"`
	Text  string `json:"text"`
}

// Unrecovered is the first failure that was never recovered, with what came
// behind it in its session: tokens and money (null where no record tells), and
// claims of success. Where there are several sessions, First is that of the first
// one, and the rest are sums.
type Unrecovered struct {
	First      Ref     `json:"first"`
	Title      string  `json:"title"`
	UsageAfter Usage   `json:"usage_after"`
	Claims     []Claim `json:"claims"` // the first few; inferred
	ClaimCount int64   `json:"claim_count"`
}

// AgentCount is a session with what its agent did.
type AgentCount struct {
	Session     string   `json:"session"`
	Parent      *string  `json:"parent"`
	Title       string   `json:"title"`
	Outcome     *string  `json:"outcome"`
	Events      int64    `json:"events"`
	Calls       int64    `json:"calls"`
	Failed      int64    `json:"failed"`
	Unrecovered int64    `json:"unrecovered"`
	OpenCalls   int64    `json:"open_calls"`
	Seconds     *float64 `json:"seconds"`
	Usage       Usage    `json:"usage"`
	First       Ref      `json:"first"`             // its first event
	FirstFailed *Ref     `json:"first_unrecovered"` // its first failure that was never recovered
}

// Slow is a call with the time to its result, or an answer of the model with the
// time since what it answers.
type Slow struct {
	Event   Ref     `json:"event"`
	Tool    *string `json:"tool"` // null: an answer of the model
	Title   string  `json:"title"`
	Failed  bool    `json:"failed"`
	Seconds float64 `json:"seconds"`
}

// Cost is a record with the tokens and the money that it told.
type Cost struct {
	Event Ref    `json:"event"`
	Title string `json:"title"`
	Usage Usage  `json:"usage"`
}

// OpenCall is a call without a result.
type OpenCall struct {
	Event Ref    `json:"event"`
	Tool  string `json:"tool"`
	Title string `json:"title"`
}

// Drop is a checkpoint, with the tokens in context of the requests before and
// behind it.
type Drop struct {
	ID     *string `json:"id"`
	First  Ref     `json:"first"`
	Last   Ref     `json:"last"`
	Before *int64  `json:"tokens_before"`
	After  *int64  `json:"tokens_after"`
}

// Curves are what requests took along a session, gathered in stretches of like
// length. Context is the tokens that a request was given, cached ones included;
// Cost its money; Latency the seconds from the last result or message that the
// model was given to the first record of its answer. Each is null where no
// record tells.
type Curves struct {
	Session string  `json:"session"`
	Last    int64   `json:"last"`    // the session's last pos
	Buckets int     `json:"buckets"` // stretches; point i of them begins at pos 1 + i*last/buckets
	Context *Curve  `json:"context_tokens"`
	Cost    *Curve  `json:"cost_usd"`
	Latency *Curve  `json:"latency_seconds"`
	Drops   []int64 `json:"drops"` // pos of the last record of each checkpoint
}

// Curve is a series with its extremes.
type Curve struct {
	Count  int64   `json:"count"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
	Sum    float64 `json:"sum"`
	MaxAt  Ref     `json:"max_at"`
	Points []Point `json:"points"` // of stretches that hold any, in order
}

// Point is a stretch of a curve.
type Point struct {
	Bucket int     `json:"bucket"`
	Count  int64   `json:"count"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
	Last   float64 `json:"last"`
}
