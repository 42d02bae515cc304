package opencode

import (
	"cmp"
	"slices"
	"strings"

	"hindcast/model"
)

// Reorder puts the moments that objects stand for in the order in which a log
// would hold them, and the log's rows, where there are some, behind them.
// Objects that the log tells of are left out: it tells more of them.
func (dialect) Reorder(keys []model.OrderKey) []int {
	o := ordering{keys: keys, messages: map[string]*moments{}, tails: map[string][]int{}}
	o.sort()
	out := make([]int, 0, len(keys))
	out = append(out, o.created...)
	for _, m := range o.list {
		out = o.prunedBefore(out, m.at)
		out = append(out, m.all()...)
		out = append(out, o.tails[m.answers]...)
		delete(o.tails, m.answers)
	}
	for _, i := range o.late {
		out = append(out, i.index)
	}
	out = append(out, o.rest...)
	return append(append(out, o.updated...), o.logged...)
}

// ordering sorts the keys of a session by what they are.
type ordering struct {
	keys             []model.OrderKey
	messages         map[string]*moments
	list             []*moments
	created, updated []int // of the session
	rest             []int // whose place nothing tells
	logged           []int
	frames           []int            // of a live stream, beside the log
	late             []timed          // prunings that have not found their place
	tails            map[string][]int // of compactions, by the message that asked
}

// timed is a key with a time of its own or of what stands around it.
type timed struct {
	index int
	at    int64
	id    string
}

// moments are the keys of a message and its parts.
type moments struct {
	id          string
	at          int64
	known       bool
	answers     string // the message that it answers
	birth, done []int
	parts       []timed
	asks        []int // tails of its own compaction, which wait for the summary
}

// sort takes the keys apart.
func (o *ordering) sort() {
	seen := make(map[string]bool)
	for i, k := range o.keys {
		if k.HasSeq {
			o.logged = append(o.logged, i)
			for _, a := range k.Aliases {
				seen[a] = true
			}
		}
	}
	slices.SortStableFunc(o.logged, func(a, b int) int { return cmp.Compare(o.keys[a].Seq, o.keys[b].Seq) })
	if len(o.logged) > 0 {
		o.skipLogged(seen)
		return
	}
	for i := range o.keys {
		o.place(i)
	}
	o.settle()
}

// skipLogged places what the log does not tell of: objects before it, frames of
// a live stream among its rows.
func (o *ordering) skipLogged(seen map[string]bool) {
	created := strings.HasPrefix(o.keys[o.logged[0]].Type, "session.created")
	for i, k := range o.keys {
		object, _, _ := strings.Cut(k.ID, "~")
		isSession := strings.HasPrefix(k.Type, "session.")
		switch {
		case k.HasSeq:
		case isFrame(k):
			o.frames = append(o.frames, i)
		case isSession && (created || strings.HasPrefix(k.Type, "session.updated")), !isSession && seen[object]:
		default:
			o.place(i)
		}
	}
	o.weave()
	o.settle()
}

// isFrame reports that a key is of a frame that no log holds.
func isFrame(k model.OrderKey) bool {
	return strings.HasPrefix(k.ID, "evt_") && !k.HasSeq
}

// weave puts frames behind the last row of the log that was made before them.
// Both have ids of one clock; those of a row that is out of order count from
// the row that stands before it.
func (o *ordering) weave() {
	if len(o.frames) == 0 {
		return
	}
	rows, frames := o.logged, o.frames
	o.logged = make([]int, 0, len(rows)+len(frames))
	slices.SortStableFunc(frames, func(a, b int) int { return strings.Compare(o.keys[a].ID, o.keys[b].ID) })
	for _, row := range rows {
		for len(frames) > 0 && o.keys[frames[0]].ID < o.keys[row].ID {
			o.logged = append(o.logged, frames[0])
			frames = frames[1:]
		}
		o.logged = append(o.logged, row)
	}
	o.logged = append(o.logged, frames...)
}

// place puts a key where it belongs.
func (o *ordering) place(i int) {
	k := o.keys[i]
	object, at, _ := strings.Cut(k.ID, "~")
	at = "~" + at
	// A link that was resolved names the first moment of its object.
	parent, _, _ := strings.Cut(k.Parent, "~")
	switch {
	case strings.HasPrefix(k.Type, "session.created"):
		o.created = append(o.created, i)
	case strings.HasPrefix(k.Type, "session.updated"):
		o.updated = append(o.updated, i)
	case strings.HasPrefix(k.Type, "message.updated"):
		m := o.message(object)
		if parent != object { // a later moment goes back to the first of its own
			m.answers = firstNonEmpty(m.answers, parent)
		}
		if at == stageSuffix[stageBirth] {
			m.birth = append(m.birth, i)
			m.at, m.known = k.Time.Nanos, k.Time.Known
		} else {
			m.done = append(m.done, i)
		}
	case strings.HasPrefix(k.Type, "message.part.updated"):
		m := o.message(parent)
		switch {
		case at != stageSuffix[stageLater]:
			m.parts = append(m.parts, timed{i, timeOf(k), k.ID})
		case k.Kind == model.KindState && k.Time.Known:
			o.late = append(o.late, timed{i, k.Time.Nanos, k.ID})
		default:
			m.asks = append(m.asks, i)
		}
	default:
		o.rest = append(o.rest, i)
	}
}

// unknownTime stands for the time of what has none.
const unknownTime = -1 << 63

func timeOf(k model.OrderKey) int64 {
	if !k.Time.Known {
		return unknownTime
	}
	return k.Time.Nanos
}

func (o *ordering) message(id string) *moments {
	m := o.messages[id]
	if m == nil {
		m = &moments{id: id}
		o.messages[id] = m
		o.list = append(o.list, m)
	}
	return m
}

// settle sorts messages by their time, and parts within them.
func (o *ordering) settle() {
	answered := make(map[string]bool)
	for _, m := range o.list {
		answered[m.answers] = true
		m.settle()
	}
	for _, m := range o.list {
		switch {
		case len(m.asks) == 0:
		case answered[m.id]:
			o.tails[m.id] = m.asks
		default:
			m.done = append(m.done, m.asks...)
		}
	}
	o.byClock()
	slices.SortStableFunc(o.list, func(a, b *moments) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.id, b.id)) })
	slices.SortStableFunc(o.late, func(a, b timed) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.id, b.id)) })
}

// byClock puts rows of several tables that have no order in common behind each
// other by their times. Within a table the order stays.
func (o *ordering) byClock() {
	at := make([]int64, len(o.keys))
	last := make(map[string]int64) // by table
	for _, i := range o.rest {
		table, _, _ := strings.Cut(o.keys[i].Type, "/")
		last[table] = max(last[table], timeOf(o.keys[i]))
		at[i] = last[table]
	}
	slices.SortStableFunc(o.rest, func(a, b int) int { return cmp.Compare(at[a], at[b]) })
}

// settle gives parts without a time that of those before, and sorts them.
func (m *moments) settle() {
	slices.SortStableFunc(m.parts, func(a, b timed) int { return cmp.Compare(a.id, b.id) })
	last := m.at
	for i := range m.parts {
		p := &m.parts[i]
		if p.at == unknownTime {
			p.at = last
		}
		if !m.known {
			m.at, m.known = p.at, p.at != 0
		}
		last = max(last, p.at)
	}
	slices.SortStableFunc(m.parts, func(a, b timed) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.id, b.id)) })
}

func (m *moments) all() []int {
	out := slices.Clone(m.birth)
	for _, p := range m.parts {
		out = append(out, p.index)
	}
	return append(out, m.done...)
}

// prunedBefore gives out the prunings that came before a message was made.
func (o *ordering) prunedBefore(out []int, at int64) []int {
	for len(o.late) > 0 && o.late[0].at <= at {
		out = append(out, o.late[0].index)
		o.late = o.late[1:]
	}
	return out
}
