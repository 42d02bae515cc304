package check

import (
	"context"

	"hindcast/model/answer"
)

// cwdChange: the shell is in another directory, and no command went there.
func cwdChange(ctx context.Context, r Reader) ([]answer.Finding, error) {
	list, err := r.Moves(ctx)
	var out []answer.Finding
	for _, m := range list {
		f := answer.Finding{
			Severity: Warning, Title: "the directory changed from " + m.From + " to " + m.To + " without a command that goes there",
			Events: []answer.Ref{answer.NewRef(RefOf(m.Event))}, Detail: "no call of this session changes it",
			Next: "hindcast history shell.cwd shows each change",
		}
		if m.Child != "" {
			f.Detail = "sub-agent " + m.Child + " had gone there at its event " + text(m.By.Seq)
			f.Events = append(f.Events, answer.NewRef(RefOf(m.By)))
		}
		out = append(out, f)
	}
	return out, err
}
