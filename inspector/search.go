package inspector

import (
	"context"
	"strings"
	"unicode"

	"hindcast/inspector/travel"
	"hindcast/model/answer"
	"hindcast/model/query"
	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// seeking is how the search that is typed looks. Its label tells, so that the
// state of its keys is seen without colour.
type seeking struct {
	pattern bool // for a regular expression
	all     bool // in all sessions: Enter lists them
	back    bool // backwards
	pasted  bool // the text was pasted: what it names goes before where it stands
}

func (k seeking) label() string {
	label := "/"
	if k.back {
		label = "?"
	}
	if k.pattern {
		label = "re" + label
	}
	if k.all {
		label = "all " + label
	}
	return label
}

// The keys within the search prompt.
const (
	patternKey = "Ctrl-R"
	allKey     = "Ctrl-G"
)

// searchSwitch takes a key that changes how the search looks.
func (u *ui) searchSwitch(key string) bool {
	p := u.prompt
	switch key {
	case patternKey:
		p.seek.pattern = !p.seek.pattern
	case allKey:
		p.seek.all = !p.seek.all
	default:
		return false
	}
	p.input.Label = p.seek.label()
	u.edited()
	return true
}

// searchSign is what stands before a search's text on the screen.
func searchSign(t query.Term) string {
	return seeking{pattern: t.Op == query.OpPattern}.label() // whichever way
}

// searchFor is what a search looks for: the text in a title or in a record,
// smart case, or what a regular expression matches there.
func searchFor(s string, pattern bool) (t query.Term, where query.Expr, err error) {
	switch {
	case s == "":
		return t, nil, nil
	case pattern:
		t, err = query.Pattern(s)
		return t, t, err
	}
	t = query.Term{Field: query.FieldText, Op: query.OpContains, Text: s, Fold: !strings.ContainsFunc(s, unicode.IsUpper)}
	title := t
	title.Field = query.FieldTitle
	return t, query.Or{List: []query.Expr{title, t}}, nil
}

// searchTyped looks for what has been typed so far.
func (u *ui) searchTyped(p *prompt) {
	s := p.input.Text()
	t, where, err := searchFor(s, p.seek.pattern)
	if err != nil {
		u.sweep.cancel("search")
		u.front.cancel("peek")
		p.hint(strings.TrimPrefix(err.Error(), "error parsing regexp: "), theme.Warn)
		return
	}
	u.forgetSought()
	u.step(travel.SetSearch{Text: s, Term: t, Where: where, Back: p.seek.back})
	u.scan()
	u.searchHint()
	u.peek()
}

// searchHint tells beside the search that is typed how many hits there are, which
// of them the cursor stands on, where it is in its record, and the prompt's keys.
func (u *ui) searchHint() {
	p := u.prompt
	if p == nil || !p.searches() || p.input.Cut {
		return
	}
	var hint render.Line
	switch n := len(u.hits.pos); {
	case u.st.Search.Where == nil:
	case n == 0 && u.hits.whole && p.seek.names(p.input.Text()) != "":
		hint = render.Line{{Text: "Enter: what " + text.CleanCut(p.seek.names(p.input.Text()), 24) + " names", Role: theme.Prompt}}
	case n == 0 && u.hits.whole:
		hint = render.Line{{Text: "no hit", Role: theme.Warn}}
	default:
		hint = render.Line{{Text: u.hitCount(), Role: theme.Strong}}
		if part := u.soughtPart(); part != "" {
			hint = append(hint, render.Span{Text: " in " + text.CleanCut(part, 20), Role: theme.Dim})
		}
	}
	p.input.Hint = hint
}

// searchKeys are the keys of the prompt, as its hint shows them.
func searchKeys() render.Line {
	return render.Line{{Text: "  " + patternKey, Role: theme.Key}, {Text: " regexp  ", Role: theme.Dim}, {Text: allKey, Role: theme.Key}, {Text: " all sessions", Role: theme.Dim}}
}

// hitCount is "3/41": which of the hits the cursor stands on, and how many there
// are so far.
func (u *ui) hitCount() string {
	count := text.Count(int64(len(u.hits.pos)))
	if !u.hits.whole {
		count += "+"
	}
	if u.hits.has(u.st.At.Pos) {
		count = text.Count(int64(u.hits.rank(u.st.At.Pos))) + "/" + count
	}
	return count
}

// hitFacts is what is known of the hit under the cursor.
type hitFacts struct {
	at    travel.Place
	part  string // of the record, in which the text stands
	found string // the text as it stands there
	knew  string // the text of spans; empty: not asked yet
	spans []answer.Span
}

func (u *ui) forgetSought() {
	u.hit = hitFacts{}
	u.front.cancel("sought")
	u.sweep.cancel("presence")
}

// atHit reports whether the cursor stands on a hit of a search that is over.
func (u *ui) atHit() bool {
	return u.overlay == nil && u.st.Search.Where != nil && u.hits.has(u.st.At.Pos)
}

// soughtPart is where in its record the hit under the cursor stands, if known.
func (u *ui) soughtPart() string {
	if !u.hit.at.Same(u.st.At) {
		return ""
	}
	return u.hit.part
}

// showSought asks where in the selected record the text stands, then whether that
// text is in the model's view.
func (u *ui) showSought() {
	t, at := u.st.Search.Term, u.st.At
	if u.st.Search.Where == nil || at.Nowhere() {
		return
	}
	u.front.submit("sought", func(ctx context.Context) func() {
		e, err := u.idx.Event(ctx, at.Session, at.Pos)
		if err != nil {
			return nil
		}
		raw, err := u.idx.Raw(ctx, e)
		if err != nil {
			return nil // the detail says so
		}
		part, found := query.Part(t, &e, raw)
		return func() {
			if u.st.At.Same(at) && u.st.Search.Term == t && found != "" {
				u.hit.at, u.hit.part, u.hit.found = at, part, found
				u.searchHint()
				u.showPresence()
			}
		}
	})
}

// commonHits is how many hits a text may have for its presence to be looked up: a
// text that is everywhere tells nothing by being in view.
const commonHits = 5_000

// showPresence asks when the text under the cursor was in the model's view, once
// it is not being typed any more.
func (u *ui) showPresence() {
	session, found := u.st.At.Session, u.hit.found
	if u.prompt != nil || !u.status.Folded || !u.hits.whole || len(u.hits.pos) > commonHits || found == "" || u.hit.knew == found {
		return
	}
	u.sweep.submit("presence", func(ctx context.Context) func() {
		k, err := u.idx.Knew(ctx, session, found)
		if err != nil {
			return nil
		}
		return func() {
			if u.hit.found == found && u.session.ID == session {
				u.hit.knew, u.hit.spans = found, k.Spans
			}
		}
	})
}

// soughtNote tells of the hit under the cursor: which it is, where in its record,
// and whether its text is in the model's view.
func (u *ui) soughtNote() render.Line {
	l := render.Line{
		{Text: " " + u.hitCount() + " ", Role: theme.Strong},
		{Text: searchSign(u.st.Search.Term) + text.CleanCut(u.st.Search.Text, 24), Role: theme.Match},
	}
	part := u.soughtPart()
	if part == "" {
		return l
	}
	l = append(l, render.Span{Text: "  in "}, render.Span{Text: text.Clean(part), Role: theme.Strong}, render.Span{Text: "  "})
	switch {
	case part == query.PartTitle: // which the model never sees
	case u.hit.knew != "" && u.hit.knew == u.hit.found:
		note := presence(u.hit.spans, u.st.At.Pos)
		if !strings.Contains(note[0].Text, "view") {
			l = append(l, render.Span{Text: "model's view: ", Role: theme.Dim})
		}
		return append(l, note...)
	case !u.status.Folded:
		return append(l, render.Span{Text: u.foldNote(), Role: theme.Dim})
	}
	return l
}
