package inspector

import (
	"context"

	"hindcast/index"
	"hindcast/inspector/pane"
	"hindcast/inspector/travel"
	"hindcast/model/answer"
	"hindcast/render"
	"hindcast/render/theme"
)

// effects lists what followed from the selected row, at any distance; what
// followed alone is gone to. In the list it goes to the selected event.
func (u *ui) effects(s travel.Stroke) {
	if u.effectsPage() != nil {
		u.enter(s)
		return
	}
	at := u.st.At
	row, ok := u.timeline.Row()
	u.hold("jump", func(ctx context.Context) func() {
		e, err := u.askEffects(ctx, row, ok, at)
		return func() {
			if err != nil || !u.st.At.Same(at) {
				u.sayError(err)
				return
			}
			u.showEffects(at, e)
		}
	})
}

// impact is what followed from a row, and its first events.
type impact struct {
	of    *index.Impact
	total answer.Sum
	nodes []int32
	first []answer.Effect
}

// askEffects asks for what followed from the records of a row, without the row's
// own.
func (u *ui) askEffects(ctx context.Context, row index.Row, ok bool, at travel.Place) (out impact, err error) {
	const first = 100
	events, err := u.records(ctx, row, ok, at)
	if err != nil {
		return out, err
	}
	if out.of, err = u.idx.Impact(ctx, events); err != nil {
		return out, err
	}
	if out.total, err = u.idx.ImpactTotal(ctx, out.of); err != nil {
		return out, err
	}
	out.nodes = out.of.Near(0, first)
	out.first, err = u.idx.ImpactEffects(ctx, out.of, out.nodes)
	return out, err
}

func (u *ui) showEffects(at travel.Place, e impact) {
	switch len(e.first) {
	case 0:
		u.say("nothing links to "+itoa(at.Seq), theme.Dim)
		return
	case 1:
		to := e.first[0].Event
		u.jump(travel.Place{Session: to.Session, Pos: to.Pos, Seq: to.Seq})
		return
	}
	page := pane.NewEffects(u.look, at.Session, u.folder(), e.of, e.total)
	page.Know(e.nodes, e.first)
	o := &overlay{name: effectsName(at, e.of, e.total), view: page, shows: u.here("why", u.seq(), "--effects"), enter: func() {
		if p, ok := page.Target(); ok {
			u.closeOverlay()
			u.jump(p)
		}
	}}
	u.open_(o)
	u.back.submit("effects", func(ctx context.Context) func() {
		with, err := u.idx.ImpactUsage(ctx, e.of)
		var total answer.Sum
		if err == nil {
			total, err = u.idx.ImpactTotal(ctx, with)
		}
		return func() {
			if err != nil || u.overlay != o {
				u.sayError(err)
				return
			}
			page.Set(with, total)
			o.name = effectsName(at, with, total)
		}
	})
}

func effectsName(at travel.Place, m *index.Impact, total answer.Sum) string {
	name := "effects of " + itoa(at.Seq) + ": " + render.SumOf(total)
	if !m.Whole {
		name += " and more"
	}
	return name
}

// effectsPage is the page of effects, if it is what lies over the panes.
func (u *ui) effectsPage() *pane.Effects {
	if u.overlay == nil {
		return nil
	}
	page, _ := u.overlay.view.(*pane.Effects)
	return page
}

// fetchEffects reads the events of the rows that were drawn without.
func (u *ui) fetchEffects() {
	page := u.effectsPage()
	if page == nil {
		return
	}
	nodes := page.Lacks()
	if len(nodes) == 0 {
		return
	}
	m := page.Impact()
	u.side.submit("effects", func(ctx context.Context) func() {
		list, err := u.idx.ImpactEffects(ctx, m, nodes)
		return func() {
			if err != nil {
				u.sayError(err)
			} else if page.Impact() == m {
				page.Know(nodes, list)
			}
		}
	})
}

// treeKey switches the effects between list and tree.
func (u *ui) treeKey(travel.Stroke) {
	page := u.effectsPage()
	if page == nil {
		u.say("T makes a tree of what followed, or a list: C asks for that", theme.Dim)
		return
	}
	page.Switch()
	u.overlay.shows = u.here("why", u.seq(), "--effects")
	if page.Tree {
		u.overlay.shows = u.here("why", u.seq(), "--tree")
	}
}
