// Package index is the facade over everything below it: open a dump, build its
// index behind the reader, follow it as it grows, and ask it questions. All
// that stands above (commands, panes) asks only here and gets answers of
// package model/answer or events of package model.
package index

import (
	"context"
	"io"
	"strings"
	"time"

	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/dialect/mapped"
	"hindcast/model/query"
)

// Options say how to open a dump. The zero value is what a person wants.
type Options struct {
	IndexPath string            // where to keep the index; empty: the cache, by the source's identity
	Dialect   string            // force this dialect; empty: detect by content
	Mappings  []mapped.Mapping  // formats of the user's own, asked before the others
	Stdin     io.Reader         // what "-" reads
	Embedded  map[string][]byte // files of "demo:", by name
	Rebuild   bool              // drop an index that exists
	NoBuild   bool              // do not import; answer from what the index holds
	Bundle    bool              // spool all source bytes into the index

	batch  int // events a commit; tests make it small
	ids    int // ids kept in memory; likewise
	drafts int // bytes of decoded events kept; likewise
}

// Status is how far the index has come. Values only grow during a build.
type Status struct {
	Bytes, TotalBytes int64 // unpacked source bytes read, and to read (-1 unknown)
	Events            int64 // events committed, over all sessions
	Quarantined       int64 // spans
	Elapsed           time.Duration
	Done              bool
	Provisional       bool  // replay order may still change
	Err               error // why the build stopped early
	FoldedEvents      int64 // events whose states are there, over all sessions, during a build
	// Folded: the states of all events are there (see Travel), or FoldErr says why not.
	Folded  bool
	FoldErr error
}

// Visibility selects which events a page shows.
type Visibility uint8

// All shows every record. Folded hides noise and copies, and a result whose
// call is known (it is part of its call's row, see Row.Result).
const (
	All Visibility = iota
	Folded
)

// PageQuery asks for a run of rows of one session in pos order.
type PageQuery struct {
	Session    string     // exact session id
	From       int64      // first pos wanted (Desc: last); 0 means the end that Desc starts from
	Desc       bool       // walk back from From; rows are still returned in pos order
	Limit      int        // rows wanted
	Where      query.Expr // nil: all; bound (no OpSince)
	Visibility Visibility
}

// Row is a line of the timeline: an event, and in folded pages the result of
// its call.
type Row struct {
	Event  model.Event
	Result *model.Event // first result of the call, if it came; nil in All pages
	// Hidden counts the noise and copies between the row before and this one, in
	// folded pages without a filter; HiddenType is the type that most of them have.
	Hidden     int64
	HiddenType string
}

// Last is the pos on which a cursor in this row stands: the row's last record.
func (r Row) Last() int64 {
	if r.Result != nil {
		return r.Result.Pos
	}
	return r.Event.Pos
}

// AddressUse says how a shared seq is read: as an event its first record, as a
// point of state its last.
type AddressUse uint8

// The uses.
const (
	AsEvent AddressUse = iota
	AsPoint
)

// API is what commands and panes need of an open index. *Index implements it;
// tests may substitute it.
type API interface {
	Status() Status
	// Changed returns a channel that closes at the next commit (or at once, if
	// one came since Status was last read).
	Changed() <-chan struct{}
	// Wait blocks until the build is done or ctx ends.
	Wait(ctx context.Context) error

	// Sessions lists sessions in the order of their first event in the dump.
	Sessions(ctx context.Context) ([]model.Session, error)
	// Session finds one by a unique prefix of its id. Empty: the root session
	// with most events; more is then how many others there are.
	Session(ctx context.Context, prefix string) (s model.Session, more int, err error)

	// Agents lists the sub-agents of a session, Caller the event that made one
	// (Pos 0 where no record tells).
	Agents(ctx context.Context, session string) ([]Agent, error)
	Caller(ctx context.Context, session string) (model.Ref, error)

	// Resolve finds the event that an address names. An address that names
	// nothing is an *AddressError.
	Resolve(ctx context.Context, session string, a model.Address, use AddressUse) (model.Event, error)

	Page(ctx context.Context, q PageQuery) ([]Row, error)
	// Count tells how many rows Page would give from start to end, and how many
	// of them stand before pos.
	Count(ctx context.Context, q PageQuery, pos int64) (total, before int64, err error)
	// Overview cuts a session into n stretches and counts what Page shows in each.
	Overview(ctx context.Context, q PageQuery, n int) (Overview, error)
	// Next finds the nearest row after (back: before) pos that matches where,
	// whatever its visibility; ok is false if there is none.
	Next(ctx context.Context, session string, pos int64, back bool, where query.Expr) (e model.Event, ok bool, err error)
	// Query calls yield with each matching event of one session (empty: of all)
	// in pos order until it returns false.
	Query(ctx context.Context, session string, where query.Expr, yield func(model.Event) bool) error
	// Bind resolves what in an expression is relative to the dump (since:10m).
	Bind(ctx context.Context, session string, where query.Expr) (query.Expr, error)

	Event(ctx context.Context, session string, pos int64) (model.Event, error)
	// Raw returns the record's exact bytes. An error says if the source has
	// changed or gone.
	Raw(ctx context.Context, e model.Event) ([]byte, error)
	// Results lists the events whose action link names this call, in pos order.
	Results(ctx context.Context, session string, pos int64) ([]model.Event, error)

	Why(ctx context.Context, e model.Event) (answer.Why, error)
	// Impact finds all that followed from events, at any distance.
	Impact(ctx context.Context, from []model.Event) (*Impact, error)
	// ImpactUsage gives an impact with tokens and cost in its sums; it waits for the
	// states.
	ImpactUsage(ctx context.Context, m *Impact) (*Impact, error)
	// ImpactTotal sums up all that followed, without the events it followed from.
	ImpactTotal(ctx context.Context, m *Impact) (answer.Sum, error)
	// ImpactEffects reads nodes of an impact.
	ImpactEffects(ctx context.Context, m *Impact, nodes []int32) ([]answer.Effect, error)
	Stats(ctx context.Context, session string) (answer.Stats, error)
	// Verdict is what Stats says of a session in a line, for less.
	Verdict(ctx context.Context, session string) (answer.Verdict, error)
	// Import tells what the index holds of a session, of all where the id is empty.
	Import(ctx context.Context, session string) (answer.Import, error)
	// Names lists the distinct types, tools or sources, for completion.
	Names(ctx context.Context, f query.Field) ([]string, error)

	// CopySource writes the unpacked bytes of the dump's one source, or of the
	// one whose name is given.
	CopySource(ctx context.Context, name string, w io.Writer) error
	// Sources lists the names of the dump's files, in reading order.
	Sources(ctx context.Context) ([]string, error)

	Travel

	// Follow keeps importing as the source grows, until ctx ends. Status and
	// Changed tell of progress; truncation and rotation are survived.
	Follow(ctx context.Context) error

	Close() error
}

// AddressError is an address that names nothing, with what stands nearest.
type AddressError struct {
	Text    string
	Reason  string   // what was looked for
	Nearest []string // addresses that exist
}

// Error says what the address was and what exists near it.
func (e *AddressError) Error() string {
	return nearest("no event "+e.Text+": "+e.Reason, e.Nearest)
}

// nearest adds to a message what exists near the thing that does not.
func nearest(msg string, list []string) string {
	if len(list) == 0 {
		return msg
	}
	return msg + "; nearest: " + strings.Join(list, ", ")
}

// SessionError is a session that is not in the dump, or a prefix of several.
type SessionError struct {
	Prefix    string
	Ambiguous bool     // several ids begin so
	Known     []string // ids that match, or all where none does; at most a few
}

// Error names the sessions that exist.
func (e *SessionError) Error() string {
	if e.Prefix == "" {
		return "no session in this dump: nothing in it could be read as events; hindcast import tells what is there"
	}
	msg := "no session " + e.Prefix + " in this dump"
	if e.Ambiguous {
		msg = "several sessions begin with " + e.Prefix + ":"
	} else if len(e.Known) > 0 {
		msg += "; it holds"
	}
	if len(e.Known) > 0 {
		for _, k := range e.Known {
			msg += " " + k
		}
	}
	return msg
}
