package store

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/query"
)

// compiled is a filter as SQL over the columns of events. Every part of it is
// true or false, never NULL, so that NOT means what it says.
type compiled struct {
	sql   string // empty: everything
	args  []any
	exact bool // the SQL decides; else it lets through more than the filter
	// posLo and posHi bound the positions that can match, in any session.
	posLo, posHi int64
	// ids are the filter's id terms where the SQL is not exact: the caller's
	// evaluation must see which aliases made them true.
	ids []query.Term
}

// Limits on a filter, well inside those of SQLite (32,766 parameters, 1,000
// levels, 50,000 bytes of a pattern).
const (
	maxTerms = 5000
	maxDepth = 200
)

var (
	errUnbound = errors.New("filter counts back from the last event and must be bound first")
	errTooMany = errors.New("filter has more than " + strconv.Itoa(maxTerms) + " terms")
	errTooDeep = errors.New("filter is nested deeper than " + strconv.Itoa(maxDepth) + " levels")
)

// Exact reports whether the index alone decides a filter. Where it does not,
// Page returns a superset of the matches.
func Exact(where query.Expr) bool {
	c, err := compileWhere(where)
	return err == nil && c.exact
}

type compiler struct {
	compiled
	// rows: what matches is a row of the folded timeline, a call with its first
	// result. A term holds for it where it holds for either.
	rows  bool
	terms int
	err   error
}

func compileWhere(where query.Expr) (*compiled, error) { return compile(where, false) }

func compile(where query.Expr, rows bool) (*compiled, error) {
	c := compiler{compiled: compiled{exact: true, posLo: 0, posHi: posMask}, rows: rows}
	if where != nil {
		c.sql = c.expr(where, false, 0)
		if c.sql == yes {
			c.sql = ""
		}
		c.narrow(where, 0)
	}
	if c.err != nil {
		return nil, c.err
	}
	if c.exact {
		c.ids = nil
	}
	return &c.compiled, nil
}

// What flags say of the row that is looked at: its shape, and its call, which
// stands in call only where it is not the id.
const (
	shapeSQL = "flags >> 21"
	callSQL  = "(CASE WHEN flags >> 20 & 1 THEN id ELSE call END)"
)

// What a term that is decided beforehand becomes.
const (
	yes = "1"
	no  = "0"
)

// expr compiles with negation pushed down to the terms, so that what SQL
// cannot decide lets rows through whatever stands above it.
func (c *compiler) expr(x query.Expr, not bool, depth int) string {
	if depth > maxDepth {
		c.err = errTooDeep
		return yes
	}
	switch x := x.(type) {
	case query.And:
		return c.list(x.List, not, not, depth)
	case query.Or:
		return c.list(x.List, !not, not, depth)
	case query.Not:
		return c.expr(x.X, !not, depth+1)
	case query.Term:
		if c.terms++; c.terms > maxTerms {
			c.err = errTooMany
			return yes
		}
		if c.rows {
			return c.rowTerm(x, not)
		}
		return c.term(x, not)
	}
	if not {
		return no
	}
	return yes
}

// rowTerm is a term over a call and its first result: without a negation one
// of them must hold it, with one neither may. The columns of the inner SELECT
// are the result's.
func (c *compiler) rowTerm(t query.Term, not bool) string {
	const (
		called = "(mate IS NOT NULL AND flags>>8&15=2)"
		result = "EXISTS (SELECT 1 FROM events r WHERE r.key=events.key+events.mate AND "
	)
	call := c.term(t, not)
	if call == yes || call == no {
		return call // true or false of every event
	}
	if not {
		return "(" + call + " AND (NOT " + called + " OR " + result + c.term(t, not) + ")))"
	}
	return "(" + call + " OR " + called + " AND " + result + c.term(t, not) + "))"
}

func (c *compiler) list(list []query.Expr, or, not bool, depth int) string {
	parts := make([]string, 0, len(list))
	for _, x := range list {
		if c.err != nil {
			break
		}
		parts = append(parts, c.expr(x, not, depth+1))
	}
	if or {
		return balance(parts, " OR ", no)
	}
	return balance(parts, " AND ", yes)
}

// balance joins parts into a tree of logarithmic depth: SQLite counts every
// level of a chain.
func balance(parts []string, op, empty string) string {
	switch len(parts) {
	case 0:
		return empty
	case 1:
		return parts[0]
	}
	half := len(parts) / 2
	return "(" + balance(parts[:half], op, empty) + op + balance(parts[half:], op, empty) + ")"
}

func (c *compiler) arg(v any) string {
	c.args = append(c.args, v)
	return "?"
}

// unknown is a term that SQL cannot decide.
func (c *compiler) unknown() string {
	c.exact = false
	return yes
}

// SQL for the fields that are numbers. Their values are never NULL but time's.
var numberSQL = map[query.Field]string{
	query.FieldSeq:   "seq+(key&4294967295)",
	query.FieldPos:   "key&4294967295",
	query.FieldBytes: "coalesce(length,0)",
	query.FieldTime:  "time",
}

func (c *compiler) term(t query.Term, not bool) string {
	switch {
	case t.Op == query.OpSince || t.Op == query.OpUntil:
		c.err = errUnbound
		return yes
	case t.Op == query.OpBetween:
		return c.between(t, not)
	case t.Field == query.FieldText:
		return c.unknown()
	}
	negate := ""
	if not {
		negate = "NOT "
	}
	switch t.Field {
	case query.FieldKind, query.FieldOrigin, query.FieldFailed:
		return c.word(t, not)
	case query.FieldType, query.FieldTool, query.FieldSource:
		column := map[query.Field]string{query.FieldType: "type", query.FieldTool: "tool", query.FieldSource: "source"}[t.Field]
		return negate + shapeSQL + " IN (SELECT id FROM shapes WHERE " + c.match(column, t) + ")"
	case query.FieldSession:
		return negate + "key>>32 IN (SELECT id-1 FROM sessions WHERE " + c.match("name", t) + ")"
	case query.FieldTitle:
		return negate + c.match("title", t)
	case query.FieldCall:
		return negate + c.matchID(callSQL, t)
	case query.FieldID:
		return negate + c.id(t)
	}
	// A number has no text to compare: nothing matches.
	return map[bool]string{false: no, true: yes}[not]
}

func (c *compiler) between(t query.Term, not bool) string {
	column, ok := numberSQL[t.Field]
	if !ok {
		return map[bool]string{false: no, true: yes}[not]
	}
	text := "(" + column + ") BETWEEN " + c.arg(t.Lo) + " AND " + c.arg(t.Hi)
	if t.Field == query.FieldTime {
		text = "(time IS NOT NULL AND " + text + ")"
	}
	if not {
		return "NOT (" + text + ")"
	}
	return text
}

// word decides a term over a closed vocabulary by asking for each word. Its
// SQL is spelled as the partial indexes are, so that they serve it.
func (c *compiler) word(t query.Term, not bool) string {
	var column string
	var events []model.Event
	value := func(e *model.Event) string { return strconv.Itoa(int(e.Kind)) }
	switch t.Field {
	case query.FieldKind:
		column = "flags >> 8 & 15"
		for _, k := range model.Kinds() {
			events = append(events, model.Event{Kind: k})
		}
	case query.FieldOrigin:
		column = "flags >> 13 & 3"
		value = func(e *model.Event) string { return strconv.Itoa(int(e.Origin)) }
		for o := model.OriginRecorded; o <= model.OriginCopied; o++ {
			events = append(events, model.Event{Origin: o})
		}
	default:
		column = "flags >> 6 & 3"
		value = func(e *model.Event) string { return strconv.Itoa(int(e.Outcome)) }
		for o := model.OutcomeUnknown; o <= model.OutcomeFailed; o++ {
			events = append(events, model.Event{Outcome: o})
		}
	}
	var in []string
	for i := range events {
		if query.Eval(t, query.Subject{Event: &events[i]}) != not {
			in = append(in, value(&events[i]))
		}
	}
	switch len(in) {
	case 0:
		return no
	case 1:
		return column + " = " + in[0]
	case len(events):
		return yes
	}
	return column + " IN (" + strings.Join(in, ",") + ")"
}

// match is SQL for a term over a column of other text. Equality is SQLite's
// own; for the rest hindcast's matcher is called, because LIKE and GLOB stop
// at a NUL and know other characters and other case than the filter language.
func (c *compiler) match(column string, t query.Term) string {
	if t.Op == query.OpIs && !t.Fold {
		return column + " IS " + c.arg(packText(t.Text))
	}
	return matchFunction + "(" + column + "," + c.arg(patternOf(t)) + ")"
}

// matchID is match for a column of identifiers.
func (c *compiler) matchID(column string, t query.Term) string {
	if t.Op == query.OpIs && !t.Fold {
		return column + " IS " + c.arg(packID(t.Text))
	}
	return matchFunction + "(" + spellExpr(column) + "," + c.arg(patternOf(t)) + ")"
}

// patternOf is the second argument of matchFunction: a BLOB, which goes through
// whole where text would end at a NUL.
func patternOf(t query.Term) []byte {
	mark := byte('e')
	if t.Fold {
		mark = 'f'
	}
	return append([]byte{'0' + byte(t.Op), mark}, t.Text...)
}

// id matches the event's id or one of its aliases.
func (c *compiler) id(t query.Term) string {
	if len(c.ids) < maxIDTerms {
		c.ids = append(c.ids, t)
	}
	own := c.matchID("id", t)
	alias, args := aliasCondition(t)
	c.args = append(c.args, args...)
	return "(" + own + " OR key IN (SELECT session-1<<32|pos FROM aliases WHERE " + alias + "))"
}

// maxIDTerms bounds for how many id terms a page names the aliases.
const maxIDTerms = 32

func aliasCondition(t query.Term) (text string, args []any) {
	var c compiler
	text = c.matchID("alias", t)
	return text, c.args
}

// narrow finds the bounds that a filter sets to pos, where all of it stands or
// falls with them: then a page need not look beyond.
func (c *compiler) narrow(x query.Expr, depth int) {
	switch x := x.(type) {
	case query.And:
		for _, y := range x.List {
			if depth < maxDepth {
				c.narrow(y, depth+1)
			}
		}
	case query.Term:
		if x.Field == query.FieldPos && x.Op == query.OpBetween {
			c.posHi = min(c.posHi, x.Hi)
			if !c.rows { // a call may stand before its result that matches
				c.posLo = max(c.posLo, x.Lo)
			}
		}
	}
}

func (c *compiled) lo(session int64) int64 {
	if session == 0 || c.posLo > posMask {
		return math.MinInt64
	}
	return keyOf(session, c.posLo)
}

func (c *compiled) hi(session int64) int64 {
	if session == 0 || c.posHi < 0 {
		return math.MaxInt64
	}
	return keyOf(session, c.posHi)
}

func (c *compiled) and() string {
	if c.sql == "" {
		return ""
	}
	return " AND " + c.sql
}

// extraColumns ask, for each id term of a filter that is not exact, for an
// alias by which the row matches it.
func (c *compiled) extraColumns() string {
	var b strings.Builder
	for _, t := range c.ids {
		alias, _ := aliasCondition(t)
		b.WriteString(",(SELECT alias FROM aliases WHERE session=(events.key>>32)+1 AND pos=events.key&4294967295 AND " + alias + " LIMIT 1)")
	}
	return b.String()
}

func (c *compiled) extraArgs() []any {
	var out []any
	for _, t := range c.ids {
		_, args := aliasCondition(t)
		out = append(out, args...)
	}
	return out
}
