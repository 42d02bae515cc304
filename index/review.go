package index

import (
	"cmp"
	"context"
	"slices"

	"hindcast/index/store"
	"hindcast/model"
	"hindcast/model/answer"
)

// site is an event of any session.
type site struct{ session, pos int64 }

func (s site) before(t site) bool {
	return cmp.Or(cmp.Compare(s.session, t.session), cmp.Compare(s.pos, t.pos)) < 0
}

// Limits of a review: the distinct texts of failures that are told apart
// (further ones count under "(other)"), the failures that are no call's whose
// attempt is looked for, the targets in need of a success that are remembered
// at a time (further ones count as never recovered), and the length of its lists.
const (
	classLimit  = 10_000
	strayLimit  = 10_000
	targetLimit = 10_000
	listLength  = 6
)

// review is what one pass over the failures and one over the calls of a session,
// or of all, tell: nothing of it grows with the number of events.
type review struct {
	x *Index

	classes  map[string]*errorClass
	strays   map[site][]stray // failures that are no call's, by the call that they tell of
	loose    []stray          // those that tell of none, in order
	others   int64            // all of both
	failed   int64            // calls
	tools    map[string]*toolTally
	slowest  longest
	open     []store.Call // the last few
	sessions map[int64]*sessionTally
	hurt     *hurts // of the session at hand
	at       int64  // its key
}

// errorClass is a class on its way to an answer.
type errorClass struct {
	answer.ErrorClass
	first, last site
	by          site // what recovered the last
}

// stray is a failed event that is neither call nor result.
type stray struct {
	at    site
	class *errorClass
}

// sessionTally is what is counted for a session.
type sessionTally struct {
	calls, unrecovered int64
	first              site // failure that was never recovered
}

// review looks through a session, or all for key 0: through the failures only, or
// the calls as well.
func (x *Index) review(ctx context.Context, key int64, calls bool) (*review, error) {
	s := &review{x: x, classes: map[string]*errorClass{},
		strays: map[site][]stray{}, tools: map[string]*toolTally{}, sessions: map[int64]*sessionTally{}}
	if err := x.st.Reader().Failures(ctx, key, s.failure); err != nil || !calls {
		return s, err
	}
	if err := x.st.Reader().EachCall(ctx, key, s.call); err != nil {
		return nil, err
	}
	s.turnTo(0)
	return s, s.settleLoose(ctx)
}

func (s *review) session(key int64) *sessionTally {
	t := s.sessions[key]
	if t == nil {
		t = &sessionTally{}
		s.sessions[key] = t
	}
	return t
}

// class finds the class of a failure's text.
func (s *review) class(title string) *errorClass {
	text := Normalise(title)
	c := s.classes[text]
	if c == nil && len(s.classes) >= classLimit {
		text = "(other)"
		c = s.classes[text]
	}
	if c == nil {
		c = &errorClass{ErrorClass: answer.ErrorClass{Text: text, Example: title}}
		s.classes[text] = c
	}
	return c
}

// failure counts a failed event, and puts by those that the calls do not tell of.
func (s *review) failure(e *store.Failure) error {
	at := site{e.Session, e.Pos}
	c := s.class(e.Title)
	if c.Count++; c.Count == 1 {
		c.first, c.Example = at, e.Title
	}
	c.last = at
	if e.Counts {
		s.failed++
	}
	if e.OfCall {
		return nil
	}
	f := stray{at, c}
	if s.others++; e.Attempt == 0 || s.others > strayLimit {
		s.loose = append(s.loose, f)
		return nil
	}
	call := site{e.Session, e.Attempt}
	s.strays[call] = append(s.strays[call], f)
	return nil
}

// call counts a call, and lets it recover what failed before.
func (s *review) call(c *store.Call) error {
	s.turnTo(c.Session)
	t := s.session(c.Session)
	t.calls++
	s.tool(c)
	if c.Returned && !c.Failed && !c.Own {
		s.hurt.heal(c)
	}
	if c.Own {
		s.hurt.add(c, stray{site{c.Session, c.Pos}, s.class(c.Title)})
	}
	if c.Failed {
		s.hurt.add(c, stray{site{c.Session, c.Result}, s.class(c.Says)})
	}
	for _, f := range s.strays[site{c.Session, c.Pos}] {
		s.hurt.add(c, f)
	}
	return nil
}

// turnTo ends a session in the order of the calls: what nothing has recovered by
// now was never.
func (s *review) turnTo(key int64) {
	if key == s.at && s.hurt != nil {
		return
	}
	if s.hurt != nil {
		t := s.session(s.at)
		for _, w := range s.hurt.open() {
			t.lost(w.first, w.n)
		}
	}
	s.at, s.hurt = key, newHurts()
}

// lost counts failures that were never recovered; first is the earliest of them.
func (t *sessionTally) lost(first site, n int64) {
	if n > 0 && (t.unrecovered == 0 || first.before(t.first)) {
		t.first = first
	}
	t.unrecovered += n
}

// settleLoose decides of failures that tell of no call: the run went on if the
// model said or did something behind them.
func (s *review) settleLoose(ctx context.Context) error {
	var next site // the model's next word, as far as it is known
	for _, f := range s.loose {
		if next.session != f.at.session || next.pos <= f.at.pos {
			pos, err := s.spoke(ctx, f.at)
			if err != nil {
				return err
			}
			next = site{f.at.session, pos}
		}
		f.class.settle(f.at, 1, next, next.pos > f.at.pos)
		if next.pos <= f.at.pos {
			s.session(f.at.session).lost(f.at, 1)
		}
	}
	return nil
}

// spoke finds the next event behind another that the model made; 0: none.
func (s *review) spoke(ctx context.Context, at site) (int64, error) {
	e, _, err := s.x.modelNear(ctx, at, false)
	return e.Pos, err
}

// modelNear finds the nearest event behind (back: before) another that the model
// made; ok is false if there is none.
func (x *Index) modelNear(ctx context.Context, at site, back bool) (e model.Event, ok bool, err error) {
	for e.Pos = at.pos; ; {
		e, ok, _, err = x.st.Reader().Next(ctx, at.session, e.Pos, back, modelEvents)
		if err != nil || !ok {
			return model.Event{}, false, err
		}
		if e.Kind == model.KindAction || model.SpokenByModel(e.Source) {
			return e, true, nil
		}
	}
}

// settle counts failures of a class that were recovered, or never.
func (c *errorClass) settle(last site, n int64, by site, recovered bool) {
	if !recovered {
		return
	}
	c.Recovered += n
	if last == c.last {
		c.by = by
	}
}

// answers gives the classes, those that were never recovered first, then by
// their number.
func (s *review) answers(ctx context.Context) ([]answer.ErrorClass, error) {
	out := make([]answer.ErrorClass, 0, len(s.classes))
	var sites []site
	for _, c := range s.classes {
		if sites = append(sites, c.first, c.last); c.by.pos > 0 {
			sites = append(sites, c.by)
		}
	}
	refs, err := s.x.refsAcross(ctx, sites)
	if err != nil {
		return nil, err
	}
	for _, c := range s.classes {
		c.First, c.Last = refs[c.first], refs[c.last]
		if ref, ok := refs[c.by]; ok {
			c.RecoveredBy = &ref
		}
		out = append(out, c.ErrorClass)
	}
	slices.SortFunc(out, func(a, b answer.ErrorClass) int {
		return cmp.Or(cmp.Compare(min(b.Count-b.Recovered, 1), min(a.Count-a.Recovered, 1)), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Text, b.Text))
	})
	return out, nil
}

// refsAcross names events of any session.
func (x *Index) refsAcross(ctx context.Context, sites []site) (map[site]answer.Ref, error) {
	bySession := map[int64][]int64{}
	for _, s := range sites {
		bySession[s.session] = append(bySession[s.session], s.pos)
	}
	out := make(map[site]answer.Ref, len(sites))
	for key, positions := range bySession {
		refs, err := x.st.Reader().Refs(ctx, key, positions)
		if err != nil {
			return nil, err
		}
		for pos, ref := range refs {
			out[site{key, pos}] = answer.NewRef(ref)
		}
	}
	return out, nil
}
