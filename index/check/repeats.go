package check

import (
	"context"
	"fmt"
	"strings"

	"hindcast/model/answer"
)

// duplicateID: records stand again under their ids.
func duplicateID(ctx context.Context, r Reader) ([]answer.Finding, error) {
	list, err := r.Repeats(ctx)
	var out []answer.Finding
	for _, x := range list {
		f := answer.Finding{
			Severity: Note, Title: plural(x.Count, "record") + stand(x.Count) + " again, byte for byte",
			Events: []answer.Ref{answer.NewRef(RefOf(x.FirstOf)), answer.NewRef(RefOf(x.First))},
			Detail: fmt.Sprintf("#%d repeats #%d%s", x.First.Pos, x.FirstOf.Pos, x.upTo()),
			Next:   "hindcast query origin:copied lists them",
		}
		if x.Unread {
			f.Title = plural(x.Count, "record") + stand(x.Count) + " again under the same id, and were not compared"
		}
		if len(x.Differ) > 0 {
			f.Severity = Warning
			f.Title = plural(x.Count, "record") + stand(x.Count) + " again under the same id, with another " + strings.Join(shorten(x.Differ), ", ")
			f.Next = "hindcast show '#" + text(x.First.Pos) + "' and hindcast show '#" + text(x.FirstOf.Pos) + "' show the two"
		}
		if x.Copied {
			f.Detail += "; copies do nothing and are hidden"
		} else {
			f.Detail += "; each counts as an event of its own"
		}
		if x.Parent {
			f.Detail += "; what differs is what it names as its cause, so that two chains lead through one id"
		}
		out = append(out, f)
	}
	return out, err
}

func stand(n int) string {
	if n == 1 {
		return " stands"
	}
	return " stand"
}

func (x *Repeat) upTo() string {
	if x.Count == 1 {
		return ""
	}
	return fmt.Sprintf(", and so on to #%d", x.Last.Pos)
}

// sharedMessage: what a user said in one session stands in another as well.
func sharedMessage(ctx context.Context, r Reader) ([]answer.Finding, error) {
	list, err := r.Shared(ctx)
	var out []answer.Finding
	for _, x := range list {
		out = append(out, answer.Finding{
			Severity: Warning, Title: plural(x.Count, "message") + " of the user" + stand(x.Count) + " in session " + x.Session + " too, with the same id and time",
			Events: []answer.Ref{answer.NewRef(RefOf(x.Here)), answer.NewRef(RefOf(x.There))},
			Detail: titleOf(x.Here), Next: "hindcast query " + quoted("id:"+x.Here.ID) + " lists every place of the first",
		})
	}
	return out, err
}
