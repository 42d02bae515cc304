package inspector

import (
	"cmp"
	"context"
	"slices"

	"hindcast/inspector/pane"
	"hindcast/inspector/travel"
	"hindcast/render/theme"
)

// markList lists the marks and notes, those of this session first, in the order
// of the events.
func (u *ui) markList(travel.Stroke) { u.withRemarks(u.listMarks) }

func (u *ui) listMarks() {
	at, places := u.st.At, u.remarkedPlaces()
	switch {
	case at.Nowhere() || u.overlay != nil:
		return
	case len(places) == 0:
		u.say("no marks and no notes: m and a letter sets a mark, M writes a note", theme.Dim)
		return
	}
	u.hold("jump", func(ctx context.Context) func() {
		list := make([]pane.Remark, 0, len(places))
		for _, p := range places {
			e, err := u.idx.Event(ctx, p.Session, p.Pos)
			if err != nil {
				continue // the order is changing: it will be found anew
			}
			list = append(list, pane.Remark{At: p, Event: e})
		}
		return func() {
			for i := range list {
				list[i].Mark, list[i].Note = u.st.MarkAt(list[i].At), u.st.NoteAt(list[i].At)
			}
			links := pane.NewLinks(u.look)
			links.Set(at, pane.RemarkEntries(list, at.Session, u.look.Glyphs))
			u.openLinks("marks and notes", links, []string{"notes"})
		}
	})
}

// remarkedPlaces are the places with a mark or a note.
func (u *ui) remarkedPlaces() []travel.Place {
	var out []travel.Place
	for _, p := range u.st.Marks {
		out = append(out, p)
	}
	for p := range u.st.Notes {
		out = append(out, p)
	}
	here := u.session.ID
	slices.SortFunc(out, func(a, b travel.Place) int {
		if away := (a.Session != here); away != (b.Session != here) {
			if away {
				return 1
			}
			return -1
		}
		return cmp.Or(cmp.Compare(a.Session, b.Session), cmp.Compare(a.Pos, b.Pos))
	})
	return slices.CompactFunc(out, travel.Place.Same)
}
