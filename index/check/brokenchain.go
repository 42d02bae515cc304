package check

import (
	"context"

	"hindcast/model"
	"hindcast/model/answer"
)

// brokenChain: the base of a checkpoint is no event before it, or events that
// its state stands on are gone.
func brokenChain(ctx context.Context, r Reader) ([]answer.Finding, error) {
	var out []answer.Finding
	err := eachClaim(ctx, r, func(c *Checkpoint, _, other []Difference) error {
		var f answer.Finding
		var err error
		if c.Named && c.Base.Pos == 0 {
			f, err = noBase(ctx, r, c)
		} else {
			var missing bool
			if missing, err = c.explained(ctx, r, other); !missing || err != nil {
				return err
			}
			f, err = lostEvents(ctx, r, c, other)
		}
		out = append(out, f)
		return err
	})
	return out, err
}

func noBase(ctx context.Context, r Reader, c *Checkpoint) (answer.Finding, error) {
	events, err := refs(ctx, r, c.Event.Pos)
	base := text(c.Base.Seq)
	f := answer.Finding{
		Severity: Error, Events: events, Detail: "a restart from it does not know which events it holds already",
		Next: "restart from an earlier checkpoint, or from the first event",
	}
	s := r.Session()
	switch {
	case c.Base.Broken == model.LinkSelf:
		f.Title = c.Name + " names itself as its base"
	case c.Base.Broken == model.LinkLater:
		f.Title = c.Name + " names base " + base + ", which comes after it"
	case c.Base.Seq < s.First && c.Recorded:
		return cutLog(c, f, s), err
	case c.Base.Seq < s.First:
		f.Title = c.Name + " stands on events up to " + base + ", which are gone: the log begins at " + text(s.First)
		f.Detail = "it recorded no state either: what the events did is lost"
		f.Next = "get the log from before " + text(s.First)
	default:
		f.Title = c.Name + " names base " + base + ", which is no event of the log"
	}
	return f, err
}

// cutLog: old events were taken away, and the checkpoint covers them. That is
// how it should be, if what stands between is there.
func cutLog(c *Checkpoint, f answer.Finding, s model.Session) answer.Finding {
	f.Title = "the log begins at " + text(s.First) + "; " + c.Name + " holds the state of what came before"
	f.Detail = "the states before it are not known"
	f.Next = "get the log from before " + text(s.First) + " to see more"
	if f.Severity = Note; c.Base.Seq+1 < s.First {
		f.Severity = Warning
		f.Title = "the log begins at " + text(s.First) + ", and its first checkpoint " + c.Name + " holds only what came up to " + text(c.Base.Seq)
		f.Detail = "events from " + text(c.Base.Seq+1) + " to " + text(s.First-1) + " may be missing between the two"
	}
	return f
}

// explained reports that missing events explain differences.
func (c *Checkpoint) explained(ctx context.Context, r Reader, other []Difference) (bool, error) {
	if c.Base.Pos == 0 || len(c.Missing) == 0 && !hasSure(other) {
		return false, nil
	}
	return c.lost(ctx, r)
}

// lost reports that events up to the base are missing: the record names some,
// or the sequence has holes.
func (c *Checkpoint) lost(ctx context.Context, r Reader) (bool, error) {
	if len(c.Missing) > 0 || c.Base.Pos == 0 || len(c.Differences) == 0 {
		return len(c.Missing) > 0, nil
	}
	gaps, err := r.Gaps(ctx, c.Base.Pos)
	return len(gaps) > 0, err
}

func hasSure(list []Difference) bool {
	for _, d := range list {
		if !d.Unsure {
			return true
		}
	}
	return false
}

func lostEvents(ctx context.Context, r Reader, c *Checkpoint, other []Difference) (answer.Finding, error) {
	events, err := refs(ctx, r, c.Event.Pos, c.Base.Pos)
	if err != nil {
		return answer.Finding{}, err
	}
	gaps, err := r.Gaps(ctx, c.Base.Pos)
	f := answer.Finding{
		Severity: c.severity(), Events: events, Title: "events that " + c.Name + " stands on are missing",
		Next: "get the whole log; the states before " + text(c.Event.Seq) + " are not those of the run",
	}
	if len(c.Missing) > 0 {
		f.Detail = "its context holds " + enumerate(c.Missing) + ", of which the log knows nothing"
	} else {
		f.Detail = "it differs from the events up to " + text(c.Base.Seq) + " in " + placesOf(other)
	}
	if len(gaps) > 0 {
		f.Detail += "; the sequence has no " + gapsText(gaps)
	}
	return f, err
}
