package check

import (
	"context"

	"hindcast/model/answer"
)

// missingBase: what a fork or a resumed session did not repeat in its own log
// is not in the dump.
func missingBase(ctx context.Context, r Reader) ([]answer.Finding, error) {
	s := r.Session()
	if s.Base == "" || s.BasePos > 0 {
		return nil, nil
	}
	there, err := r.BaseThere(ctx)
	if err != nil {
		return nil, err
	}
	f := answer.Finding{
		Severity: Warning, Title: "it goes on from session " + s.Base + ", which is not in the dump",
		Detail: "what the model saw, and the files and values as they were before, are not known",
		Next:   "open the log of " + s.Base + " together with this one",
	}
	if there {
		f.Title = "it goes on from an event of session " + s.Base + " that its log does not hold"
		f.Next = "get the whole log of " + s.Base
	}
	f.Events, err = refs(ctx, r, min(1, s.LastPos))
	return []answer.Finding{f}, err
}
