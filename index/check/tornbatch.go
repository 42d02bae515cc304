package check

import (
	"context"
	"fmt"
	"strings"

	"hindcast/model/answer"
)

// tornBatch: a condensation, compaction or rebuild left half of what belongs
// together in the model's context. Providers refuse such a request.
func tornBatch(ctx context.Context, r Reader) ([]answer.Finding, error) {
	cuts, err := r.Cuts(ctx)
	var out []answer.Finding
	for _, c := range cuts {
		f := answer.Finding{
			Severity: Error, Title: "the context at " + text(c.Event.Seq) + " is cut through what belongs together",
			Events: []answer.Ref{answer.NewRef(RefOf(c.Event))},
			Next:   "hindcast context --at " + text(c.Event.Seq) + " --lost shows what is left; hindcast context --for " + text(c.Event.Seq) + " what was there before",
		}
		var told []string
		for _, p := range c.Pieces {
			f.Events = append(f.Events, answer.NewRef(RefOf(p.Event)))
			told = append(told, p.tell())
		}
		for _, p := range c.Pieces {
			f.Events = addRef(f.Events, answer.NewRef(RefOf(p.Lost)))
		}
		f.Detail = "in view: " + strings.Join(shorten(told), "; ")
		out = append(out, f)
	}
	return out, err
}

func (p *Piece) tell() string {
	switch p.Loss {
	case LossResult:
		return fmt.Sprintf("call %d without its result %d", p.Event.Seq, p.Lost.Seq)
	case LossCall:
		return fmt.Sprintf("result %d without its call %d", p.Event.Seq, p.Lost.Seq)
	}
	return fmt.Sprintf("%d, torn from %d of the same answer %s", p.Event.Seq, p.Lost.Seq, p.Response)
}

func addRef(list []answer.Ref, ref answer.Ref) []answer.Ref {
	for _, have := range list {
		if have.Session == ref.Session && have.Pos == ref.Pos {
			return list
		}
	}
	return append(list, ref)
}
