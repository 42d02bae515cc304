package inspector

import (
	"context"
	"strconv"
	"strings"

	"hindcast/model"
)

// cuts are what checkpoints did to the model's view, by the pos of their first
// record, for the rules across the timeline.
type cuts struct {
	session string
	at      map[int64]string
}

// cutLimit bounds for how many checkpoints of a session that is told: the last.
const cutLimit = 200

// showCuts asks for them once all states are folded.
func (u *ui) showCuts() {
	if !u.status.Folded || u.session.ID == "" || u.slow.busy("cuts") {
		return
	}
	id := u.session.ID
	u.slow.submit("cuts", func(ctx context.Context) func() {
		c := cuts{session: id, at: map[int64]string{}}
		list, err := u.idx.Checkpoints(ctx, id)
		for _, cp := range list[max(len(list)-cutLimit, 0):] {
			var b bounds
			if b, err = u.stretch(ctx, id, cp.First-1, cp.Last); err != nil {
				break
			}
			if c.at[cp.First], err = u.cutOf(ctx, b); err != nil {
				break
			}
		}
		return func() {
			if err == nil && id == u.session.ID {
				u.cuts = c
			}
		}
	})
}

// cutOf tells how many records a checkpoint took out of the view, and how many
// it put there.
func (u *ui) cutOf(ctx context.Context, b bounds) (string, error) {
	d, err := u.idx.Diff(ctx, b.before, b.after, model.PathMessages)
	gone, came := 0, 0
	for _, c := range d.Changes {
		if strings.Count(strings.TrimPrefix(c.Path, model.PathMessages), "/") != 1 {
			continue
		}
		switch c.Op {
		case "remove":
			gone++
		case "add":
			came++
		}
	}
	if gone == 0 {
		return "", err
	}
	return "-" + strconv.Itoa(gone) + " +" + strconv.Itoa(came) + " in view", err
}

func (u *ui) cutAt(pos int64) string {
	if u.cuts.session != u.session.ID {
		return ""
	}
	return u.cuts.at[pos]
}
