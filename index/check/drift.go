package check

import (
	"context"
	"encoding/json"

	"hindcast/model/answer"
)

// drift: what a checkpoint recorded differs from the fold at its base, and no
// event explains it. It is an error where the fold knows better; a file that a
// command may have changed can be right in the checkpoint.
func drift(ctx context.Context, r Reader) ([]answer.Finding, error) {
	var out []answer.Finding
	err := eachClaim(ctx, r, func(c *Checkpoint, _, other []Difference) error {
		if c.FileBase != nil {
			f, err := otherBase(ctx, r, c)
			if err != nil {
				return err
			}
			out = append(out, f)
		}
		if len(other) == 0 {
			return nil
		}
		missing, err := c.explained(ctx, r, other)
		if err != nil || missing {
			return err
		}
		var sure, unsure []Difference
		for _, d := range other {
			if d.Unsure {
				unsure = append(unsure, d)
			} else {
				sure = append(sure, d)
			}
		}
		if len(sure) > 0 {
			f, err := drifted(ctx, r, c, sure, c.severity(), "no event leads to what it recorded there")
			if err != nil {
				return err
			}
			out = append(out, f)
		}
		if len(unsure) == 0 {
			return nil
		}
		f, err := drifted(ctx, r, c, unsure, Warning, "something that no event tells changed it before the checkpoint, or the checkpoint is wrong")
		out = append(out, f)
		return err
	})
	return out, err
}

func drifted(ctx context.Context, r Reader, c *Checkpoint, list []Difference, severity, detail string) (answer.Finding, error) {
	positions := []int64{c.Event.Pos, c.Base.Pos}
	for _, d := range list[:min(len(list), listed)] {
		at, err := r.WriterBefore(ctx, d.Cell, c.Base.Pos+1)
		if err != nil {
			return answer.Finding{}, err
		}
		positions = append(positions, at, d.By)
	}
	events, err := refs(ctx, r, positions...)
	next := c.look()
	if !c.Named && c.Event.Pos == c.Base.Pos {
		next = "compare it with hindcast state --at " + text(c.Base.Seq)
	} else if !c.Named {
		next = "hindcast diff --recorded " + text(c.Event.Seq) + " shows each difference"
	}
	if values := valuesOf(list[0]); values != "" {
		detail = values + "; " + detail
	}
	return answer.Finding{
		Severity: severity, Events: events, Detail: detail, Next: next,
		Title: c.Name + " " + differs(list) + " from the events up to " + text(c.Base.Seq) + ": " + placesOf(list),
	}, err
}

// valuesOf says both values of a difference; empty where they are no short
// ones.
func valuesOf(d Difference) string {
	const short = 40
	value := func(v json.RawMessage) string {
		if v == nil {
			return "nothing"
		}
		return string(v)
	}
	old, recorded := value(d.Old), value(d.New)
	if len(old) > short || len(recorded) > short {
		return ""
	}
	return d.Path + " is " + old + " by the events, " + recorded + " as recorded"
}

// otherBase: record and file of a checkpoint do not agree on where it stands.
func otherBase(ctx context.Context, r Reader, c *Checkpoint) (answer.Finding, error) {
	events, err := refs(ctx, r, c.Event.Pos, c.Base.Pos)
	return answer.Finding{
		Severity: Warning, Events: events,
		Title:  "the file of " + c.Name + " names base " + text(*c.FileBase) + ", its record " + text(c.Base.Seq),
		Detail: "one of them is stale: a restart goes on from the wrong event",
		Next:   c.look(),
	}, err
}
