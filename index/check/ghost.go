package check

import (
	"context"
	"slices"

	"hindcast/model"
	"hindcast/model/answer"
)

// ghost: what a checkpoint recorded differs from the fold at its base, and an
// event behind the base made it so. A restart would apply that event again.
func ghost(ctx context.Context, r Reader) ([]answer.Finding, error) {
	var out []answer.Finding
	err := eachClaim(ctx, r, func(c *Checkpoint, ahead, _ []Difference) error {
		if len(ahead) == 0 {
			return nil
		}
		var by []int64
		var seqs []string
		for _, d := range ahead {
			if slices.Contains(by, d.By) {
				continue
			}
			e, err := r.Event(ctx, d.By)
			if err != nil {
				return err
			}
			by, seqs = append(by, d.By), append(seqs, text(e.Seq))
		}
		slices.Sort(by)
		events, err := refs(ctx, r, append([]int64{c.Event.Pos, c.Base.Pos}, by...)...)
		f := answer.Finding{
			Severity: c.severity(), Title: c.Name + " is ahead of its base " + text(c.Base.Seq) + ": " + placesOf(ahead), Events: events,
			Detail: "what it recorded there came with " + enumerate(seqs) + ", behind the base: a restart from it applies that again",
			Next:   c.look(),
		}
		out = append(out, f)
		return err
	})
	return out, err
}

// eachClaim calls f with the checkpoints and their differences: those that
// later events explain, and the others. What a later event only saw was there
// before it, whoever brought it. Where events are missing, one of them explains
// a difference better than an event that came when the checkpoint was written.
func eachClaim(ctx context.Context, r Reader, f func(c *Checkpoint, ahead, other []Difference) error) error {
	list, err := r.Checkpoints(ctx)
	if err != nil {
		return err
	}
	notes, err := r.Notes(ctx)
	if err != nil {
		return err
	}
	type sight struct {
		pos  int64
		cell string
	}
	seen := map[sight]bool{}
	for _, n := range notes {
		if n.Kind == model.NoteOutside {
			seen[sight{n.Pos, n.Path}] = true
		}
	}
	for i := range list {
		c := &list[i]
		lost, err := c.lost(ctx, r)
		if err != nil {
			return err
		}
		var ahead, other []Difference
		for _, d := range c.Differences {
			d.Unsure = d.Unsure || d.By > 0 && seen[sight{d.By, d.Cell}]
			switch {
			case d.By == 0, d.Unsure, lost && d.By > c.Event.Pos:
				other = append(other, d)
			default:
				ahead = append(ahead, d)
			}
		}
		if err := f(c, ahead, other); err != nil {
			return err
		}
	}
	return nil
}

// severity is that of a fault of the checkpoint: a restart stands on one that
// names its base, others are only published.
func (c *Checkpoint) severity() string {
	if c.Named {
		return Error
	}
	return Warning
}

// look says how to see what a finding means.
func (c *Checkpoint) look() string {
	if c.Event.Pos == c.Base.Pos {
		return "restart from an earlier checkpoint, or from the first event"
	}
	return "hindcast diff --recorded " + text(c.Event.Seq) + " shows each difference; restart from an earlier checkpoint"
}
