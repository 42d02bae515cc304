package inspector

import (
	"context"
	"errors"
	"slices"
	"strings"

	"hindcast/index"
	"hindcast/inspector/pane"
	"hindcast/inspector/travel"
	"hindcast/model"
	"hindcast/model/query"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// parsed reads a filter and binds what is relative to the dump.
func (u *ui) parsed(ctx context.Context, session, line string) (query.Expr, error) {
	x, err := query.Parse(line)
	if err != nil || x == nil {
		return nil, err
	}
	return u.idx.Bind(ctx, session, x)
}

// preview counts what the filter that is typed would leave, and dims the rows at
// hand that would go.
func (u *ui) preview() {
	line, q, wanted, epoch := u.prompt.input.Text(), u.pageQuery(), u.wantedNow(), u.epoch
	if _, err := query.Parse(line); err != nil {
		u.endPreview()
		u.hintError(err)
		return
	}
	from, to := u.timeline.Span()
	u.sweep.submit("preview", func(ctx context.Context) func() {
		x, err := u.parsed(ctx, q.Session, line)
		if err != nil {
			return func() { u.previewed(line, err.Error(), theme.Warn) }
		}
		stays, err := u.staying(ctx, q, x, from, to)
		if err == nil {
			u.pump.post(func() {
				if u.typesFilter(line) && epoch == u.epoch {
					u.timeline.View.Goes = func(pos int64) bool { return x != nil && pos >= from && pos <= to && !stays[pos] }
				}
			})
		}
		q.Where = wanted
		all, _, err2 := u.idx.Count(ctx, q, 0)
		q.Where = both(x, wanted)
		n, _, err3 := u.idx.Count(ctx, q, 0)
		if err = errors.Join(err, err2, err3); err != nil {
			return func() { u.previewed(line, err.Error(), theme.Warn) }
		}
		return func() { u.previewed(line, text.Count(n)+" of "+text.Count(all)+" rows", theme.Dim) }
	})
}

// staying are the positions of the rows from a pos to another that a filter
// leaves among those that are shown.
func (u *ui) staying(ctx context.Context, q index.PageQuery, x query.Expr, from, to int64) (map[int64]bool, error) {
	here := query.Term{Field: query.FieldPos, Op: query.OpBetween, Lo: from, Hi: to}
	q.Where, q.From, q.Limit = both(here, both(x, q.Where)), from, pane.WindowLimit
	rows, err := u.idx.Page(ctx, q)
	stays := make(map[int64]bool, len(rows))
	for _, r := range rows {
		stays[r.Event.Pos] = true
	}
	return stays, err
}

// endPreview shows the rows as they are.
func (u *ui) endPreview() {
	u.sweep.cancel("preview")
	u.timeline.View.Goes = nil
}

// typesFilter reports whether a filter is being typed, and is at that line.
func (u *ui) typesFilter(line string) bool {
	return u.prompt != nil && u.prompt.kind == filterPrompt && u.prompt.input.Text() == line
}

func (u *ui) previewed(line, hint string, role theme.Role) {
	if u.typesFilter(line) {
		u.prompt.hint(hint, role)
	}
}

// hintError shows what is wrong with a filter, and where.
func (u *ui) hintError(err error) {
	var bad *query.SyntaxError
	if errors.As(err, &bad) {
		u.prompt.hint("column "+itoa(int64(bad.Column))+": "+bad.Message, theme.Warn)
		return
	}
	u.prompt.hint(err.Error(), theme.Warn)
}

// commitFilter applies a filter; one that cannot be read stays to be mended.
func (u *ui) commitFilter(line string) {
	if _, err := query.Parse(line); err != nil {
		u.sayError(err)
		return
	}
	u.prompt = nil
	u.msg = nil
	u.endPreview()
	u.filter(line)
}

// filter shows only what matches.
func (u *ui) filter(line string) {
	session := u.session.ID
	u.hold("filter", func(ctx context.Context) func() {
		x, err := u.parsed(ctx, session, line)
		return func() {
			if err != nil {
				u.sayError(err)
				return
			}
			u.step(travel.SetFilter{Text: line, Where: x})
			u.reload(true)
		}
	})
}

func (u *ui) clearFilter(travel.Stroke) {
	if u.st.Where == nil {
		u.say("no filter is set: f sets one", theme.Dim)
		return
	}
	u.step(travel.SetFilter{})
	u.reload(true)
}

// quoted spells a value so that the filter language takes it literally.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		if strings.ContainsRune("\"\\*?", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	b.WriteByte('"')
	return b.String()
}

// alikeLimit is the longest text, in bytes, that is taken as a value to filter by.
const alikeLimit = 200

// alike are the filter terms for what the cursor stands on, the likeliest first:
// of a value or a line the text, or the field of the event that has it; of an
// event its tool, type, source and kind.
func (u *ui) alike(e model.Event) []string {
	var out []string
	add := func(field, value string) {
		if value != "" && len(value) <= alikeLimit && !slices.Contains(out, field+":"+quoted(value)) {
			out = append(out, field+":"+quoted(value))
		}
	}
	if u.inTree() || u.overlay != nil || u.focus == onDetail || u.focus == onDiff {
		for _, s := range append(u.texts(), u.state.File()) {
			if n := len(s); n > 2 && s[0] == '"' && s[n-1] == '"' { // as values are drawn
				s = s[1 : n-1]
			}
			switch {
			case s == "" || strings.TrimSpace(s) == "":
			case s == e.Tool:
				add("tool", s)
			case s == e.Type:
				add("type", s)
			case s == e.Source:
				add("source", s)
			default:
				add("text", s)
			}
		}
		return out
	}
	add("tool", e.Tool)
	add("type", e.Type)
	add("source", e.Source)
	if e.Kind != model.KindOther {
		out = append(out, "kind:"+e.Kind.String())
	}
	return out
}

// keepAlike keeps or drops the rows that have the value under the cursor; a count
// takes another of its values.
func (u *ui) keepAlike(s travel.Stroke) {
	at := u.st.At
	if row, ok := u.timeline.Row(); ok && pane.Holds(row, at.Pos) {
		at = eventPlace(row.Event) // a result's tool is its call's, and so is its type
	}
	if to, ok := u.target(); ok {
		at = to
	}
	if at.Nowhere() {
		return
	}
	u.hold("filter", func(ctx context.Context) func() {
		e, err := u.idx.Event(ctx, at.Session, at.Pos)
		return func() {
			if err != nil {
				u.sayError(err)
				return
			}
			u.narrow(s, u.alike(e))
		}
	})
}

// target is the event of the selected row of why or of the context.
func (u *ui) target() (travel.Place, bool) {
	switch {
	case u.overlay != nil:
	case u.focus == onWhy:
		return u.why.Target()
	case u.focus == onContext:
		return u.context.Target()
	}
	return travel.Place{}, false
}

// narrow adds a term to the filter, and tells which others there were.
func (u *ui) narrow(s travel.Stroke, terms []string) {
	n := int(min(s.Times(), int64(len(terms))))
	if n == 0 {
		u.say("nothing under the cursor to filter by", theme.Dim)
		return
	}
	sign := map[string]string{"-": "-"}[s.Seq]
	line := sign + terms[n-1]
	if old := u.st.Filter; old != "" {
		if strings.Contains(" "+old+" ", " or ") {
			old = "(" + old + ")"
		}
		line = old + " " + line
	}
	u.filter(line)
	var others []string
	for i, t := range terms {
		if i != n-1 {
			others = append(others, itoa(int64(i+1))+s.Seq+" "+text.CleanCut(t, 30))
		}
	}
	if len(others) > 0 {
		u.say("\\ undoes it; or "+strings.Join(others[:min(len(others), 3)], "  "), theme.Dim)
	}
}

func (u *ui) toggleAll(travel.Stroke) {
	u.step(travel.ToggleAll{})
	u.reload(true)
	if u.st.Visibility == index.All {
		u.say("every record: a folds them again", theme.Dim)
	}
}
