package check

import (
	"context"

	"hindcast/model/answer"
)

// notCompared: a recorded state could not be held against the events, or not
// all of it; or a file holds one that no record stands for.
func notCompared(ctx context.Context, r Reader) ([]answer.Finding, error) {
	list, err := r.Checkpoints(ctx)
	if err != nil {
		return nil, err
	}
	var out []answer.Finding
	for i := range list {
		c := &list[i]
		if c.Unread == "" {
			continue
		}
		events, err := refs(ctx, r, c.Event.Pos)
		if err != nil {
			return nil, err
		}
		out = append(out, answer.Finding{
			Severity: Note, Title: c.Name + " was not compared with the events, or not whole", Events: events, Detail: c.Unread,
			Next: "hindcast show " + text(c.Event.Seq) + " --raw shows what it recorded",
		})
	}
	files, err := r.Unused(ctx)
	for _, name := range files {
		out = append(out, answer.Finding{
			Severity: Note, Title: name + " belongs to no checkpoint of the log", Events: []answer.Ref{},
			Detail: "no record names it: it is of a checkpoint that is gone, or nobody reads it", Next: "compare it by eye, or leave it out of the dump",
		})
	}
	return out, err
}
