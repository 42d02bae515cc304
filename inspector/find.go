package inspector

import (
	"context"
	"errors"
	"sort"
	"time"

	"hindcast/index"
	"hindcast/inspector/travel"
	"hindcast/model"
	"hindcast/model/query"
	"hindcast/render/theme"
)

func (u *ui) toError(s travel.Stroke) {
	u.next(failedIs("true"), s.Seq == "E", s, "error")
}

func (u *ui) toCheckpoint(s travel.Stroke) {
	if !u.status.Folded {
		u.next(kindIs(model.KindCheckpoint), s.Seq[0] == '[', s, "checkpoint")
		return
	}
	u.leap(func(ctx context.Context, from travel.Place, back bool) (model.Event, bool, error) {
		list, err := u.idx.Checkpoints(ctx, from.Session)
		at := int64(0)
		for _, c := range list {
			if back && c.Last < from.Pos || !back && c.Last > from.Pos && at == 0 {
				at = c.Last
			}
		}
		if err != nil || at == 0 {
			return model.Event{}, false, err
		}
		e, err := u.idx.Event(ctx, from.Session, at)
		return e, err == nil, err
	}, s.Seq[0] == '[', s, "checkpoint")
}

func (u *ui) toTurn(s travel.Stroke) { u.next(turns(), s.Seq[0] == '[', s, "turn") }

// turns are what a person said.
func turns() query.Expr {
	user := query.Term{Field: query.FieldSource, Op: query.OpIs, Text: "user", Fold: true}
	return query.All(kindIs(model.KindMessage), user)
}

// walkLimit bounds how far a count repeats a search for the next event.
const walkLimit = 10_000

// finder finds the next event of some sort from a place on, or before it; false
// where there is none.
type finder func(ctx context.Context, from travel.Place, back bool) (model.Event, bool, error)

// matching finds the events that match.
func matching(idx index.API, where query.Expr) finder {
	return func(ctx context.Context, from travel.Place, back bool) (model.Event, bool, error) {
		return idx.Next(ctx, from.Session, from.Pos, back, where)
	}
}

// next jumps to the nearest event that matches.
func (u *ui) next(where query.Expr, back bool, s travel.Stroke, what string) {
	u.leap(matching(u.idx, where), back, s, what)
}

// leap jumps to the nearest event of a sort, as often as counted; at the end it
// goes round, so that E on opening is the last error.
func (u *ui) leap(find finder, back bool, s travel.Stroke, what string) {
	at, times := u.st.At, min(s.Times(), walkLimit)
	if at.Nowhere() {
		return
	}
	u.hold("jump", func(ctx context.Context) func() {
		to, round, found, err := walkRound(ctx, find, at, back, times)
		return func() {
			switch {
			case err != nil:
				u.sayError(err)
			case !found:
				u.say("no "+what+" in this session", theme.Dim)
			case to.Same(at):
				u.say(itoa(at.Seq)+" is the only "+what, theme.Dim)
			default:
				u.jump(to)
				if round {
					u.say("wrapped to the "+end(back)+" "+what, theme.Dim)
				}
			}
		}
	})
}

func end(back bool) string {
	if back {
		return "last"
	}
	return "first"
}

// walkRound is walkNext, and from the other end where nothing is left.
func walkRound(ctx context.Context, find finder, at travel.Place, back bool, times int64) (to travel.Place, round, found bool, err error) {
	to, found, err = walkNext(ctx, find, at, back, times)
	if found || err != nil {
		return to, false, found, err
	}
	edge := travel.Place{Session: at.Session}
	if back {
		edge.Pos = 1 << 62
	}
	to, found, err = walkNext(ctx, find, edge, back, 1)
	return to, true, found, err
}

// walkNext goes as many matches on as there are, up to times.
func walkNext(ctx context.Context, find finder, at travel.Place, back bool, times int64) (to travel.Place, found bool, err error) {
	for ; times > 0; times-- {
		e, ok, err := find(ctx, at, back)
		if err != nil || !ok {
			return at, found, err
		}
		at, found = travel.Place{Session: e.Session, Pos: e.Pos, Seq: e.Seq}, true
	}
	return at, found, nil
}

// mate goes round a call and its results.
func (u *ui) mate(travel.Stroke) {
	at := u.st.At
	u.hold("jump", func(ctx context.Context) func() {
		ring, err := u.ring(ctx, at)
		return func() {
			if err != nil {
				u.sayError(err)
				return
			}
			for i, p := range ring {
				if p.Same(at) && len(ring) > 1 {
					u.jump(ring[(i+1)%len(ring)])
					return
				}
			}
			u.say(itoa(at.Seq)+" has no other half", theme.Dim)
		}
	})
}

// ring lists a call and its results in order, the one at a place among them.
func (u *ui) ring(ctx context.Context, at travel.Place) ([]travel.Place, error) {
	e, err := u.idx.Event(ctx, at.Session, at.Pos)
	if err != nil {
		return nil, err
	}
	call := e
	for _, l := range e.Links {
		if l.Reason == model.ReasonAction && l.Resolved() {
			if call, err = u.idx.Event(ctx, l.To.Session, l.To.Pos); err != nil {
				return nil, err
			}
			break
		}
	}
	results, err := u.idx.Results(ctx, call.Session, call.Pos)
	ring := []travel.Place{{Session: call.Session, Pos: call.Pos, Seq: call.Seq}}
	for _, r := range results {
		ring = append(ring, travel.Place{Session: r.Session, Pos: r.Pos, Seq: r.Seq})
	}
	return ring, err
}

// goAddress jumps to what an address names. Marks are this reader's own: the
// index does not know them.
func (u *ui) goAddress(text string) {
	if a, err := model.ParseAddress(text); err == nil && len(a.Readings) > 0 && a.Readings[0].Form == model.FormMark {
		if name := []rune(a.Readings[0].Text); len(name) == 1 {
			u.goMark(travel.Stroke{Seq: "'" + string(name[0])})
			return
		}
	}
	if (seeking{}).names(text) != "" {
		u.goPasted(text, travel.Place{}, u.sayError)
		return
	}
	session := u.session.ID
	u.hold("jump", func(ctx context.Context) func() {
		e, err := u.resolveMarked(ctx, session, text)
		return func() {
			if err != nil {
				u.sayError(err)
				return
			}
			u.jump(travel.Place{Session: e.Session, Pos: e.Pos, Seq: e.Seq})
		}
	})
}

func (u *ui) resolveMarked(ctx context.Context, session, text string) (model.Event, error) {
	e, err := resolve(ctx, u.idx, session, text)
	var missing *index.AddressError
	if err == nil && e.Pos == 0 {
		err = errors.New("no address given")
	}
	if errors.As(err, &missing) && missing.Reason == "" {
		missing.Reason = "nothing has that address"
	}
	return e, err
}

// hits are the events that match a search: their positions in order, as far as
// the scan has come.
type hits struct {
	pos   []int64
	whole bool // the scan is through
}

// hitLimit bounds how many positions a search remembers; n and N find those
// beyond it one by one.
const hitLimit = 1_000_000

func (h hits) has(pos int64) bool {
	i := sort.Search(len(h.pos), func(i int) bool { return h.pos[i] >= pos })
	return i < len(h.pos) && h.pos[i] == pos
}

// rank is the number of hits up to a position.
func (h hits) rank(pos int64) int {
	return sort.Search(len(h.pos), func(i int) bool { return h.pos[i] > pos })
}

// scan counts the hits of the search, telling as it goes.
func (u *ui) scan() {
	where, session := u.st.Search.Where, u.session.ID
	u.hits = hits{}
	u.sweep.cancel("search")
	if where == nil {
		return
	}
	text := u.st.Search.Text
	u.sweep.submit("search", func(ctx context.Context) func() {
		var found []int64
		told := time.Now()
		err := u.idx.Query(ctx, session, where, func(e model.Event) bool {
			found = append(found, e.Pos)
			if time.Since(told) > 150*time.Millisecond {
				told = time.Now()
				part := found[:len(found):len(found)]
				u.pump.post(func() { u.scanned(text, hits{pos: part}) })
			}
			return len(found) < hitLimit && ctx.Err() == nil
		})
		return func() {
			u.sayError(err)
			u.scanned(text, hits{pos: found, whole: err == nil && len(found) < hitLimit})
		}
	})
}

func (u *ui) scanned(text string, h hits) {
	if u.st.Search.Text == text && u.st.Search.Where != nil {
		u.hits = h
		u.searchHint()
	}
}

// peek shows the hit nearest to where the search began, while it is typed.
func (u *ui) peek() {
	where, from, back, p := u.st.Search.Where, u.st.Search.From, u.st.Search.Back, u.prompt
	if where == nil {
		return
	}
	u.front.submit("peek", func(ctx context.Context) func() {
		to, found, err := nearest(ctx, u.idx, from, back, where)
		return func() {
			if err != nil {
				u.sayError(err)
			} else if found && u.prompt == p { // an answer to a prompt that was dropped must not move anyone
				u.step(travel.Move{To: to})
				u.arrive()
			}
		}
	})
}

// nearest is the first hit from a place on (back: before it), itself included,
// else the first from the other end.
func nearest(ctx context.Context, idx index.API, from travel.Place, back bool, where query.Expr) (travel.Place, bool, error) {
	starts := []int64{max(from.Pos-1, 0), 0}
	if back {
		starts = []int64{from.Pos + 1, 1 << 62}
	}
	for _, pos := range starts {
		to, found, err := walkNext(ctx, matching(idx, where), travel.Place{Session: from.Session, Pos: pos}, back, 1)
		if found || err != nil {
			return to, found, err
		}
	}
	return from, false, nil
}

// toHit goes to the next or previous hit, and round at the ends.
func (u *ui) toHit(s travel.Stroke) {
	where, at, back := u.st.Search.Where, u.st.At, (s.Seq == "N") != u.st.Search.Back
	if where == nil {
		u.say("no search: / starts one", theme.Dim)
		return
	}
	times := min(s.Times(), walkLimit)
	u.hold("jump", func(ctx context.Context) func() {
		to, round, found, err := walkRound(ctx, matching(u.idx, where), at, back, times)
		return func() {
			switch {
			case err != nil:
				u.sayError(err)
			case !found:
				u.say("no hit for “"+u.st.Search.Text+"”", theme.Dim)
			default:
				u.jump(to)
				if round {
					u.say("wrapped to the "+end(back)+" hit", theme.Dim)
				}
			}
		}
	})
}

// endSearch forgets the search and its marks.
func (u *ui) endSearch() {
	u.sweep.cancel("search")
	u.step(travel.SetSearch{})
	u.hits = hits{}
	u.forgetSought()
}
