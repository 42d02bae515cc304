package check

import (
	"context"
	"fmt"
	"strings"
	"time"

	"hindcast/model/answer"
)

// twoResults: a call came back more than once, so that it may have run twice.
func twoResults(ctx context.Context, r Reader) ([]answer.Finding, error) {
	list, err := r.Results(ctx)
	if err != nil {
		return nil, err
	}
	var out []answer.Finding
	at := make(map[int64]int)
	for _, x := range list {
		if x.Call.Pos == 0 {
			continue
		}
		i, ok := at[x.Call.Pos]
		if !ok {
			i = len(out)
			at[x.Call.Pos] = i
			events, err := refs(ctx, r, x.Call.Pos, x.First.Pos)
			if err != nil {
				return nil, err
			}
			out = append(out, answer.Finding{
				Severity: Error, Events: events, Detail: fmt.Sprintf("%d: %s", x.First.Seq, titleOf(x.First)),
				Next: "hindcast why " + text(x.Call.Seq) + " --effects shows what came of each",
			})
		}
		f := &out[i]
		f.Events = append(f.Events, answer.NewRef(RefOf(x.Event)))
		f.Title = fmt.Sprintf("%d results for %s", len(f.Events)-1, callName(x))
		f.Detail += fmt.Sprintf("; %d: %s", x.Event.Seq, titleOf(x.Event))
	}
	return out, nil
}

func callName(x Result) string {
	name := strings.TrimSpace(x.Call.Tool + " at " + text(x.Call.Seq))
	if x.Call.Call != "" {
		return name + " (" + x.Call.Call + ")"
	}
	return name
}

// orphanResult: a result whose call the log does not hold.
func orphanResult(ctx context.Context, r Reader) ([]answer.Finding, error) {
	list, err := r.Results(ctx)
	var out []answer.Finding
	for _, x := range list {
		if x.Call.Pos > 0 {
			continue
		}
		f := answer.Finding{
			Severity: Error, Title: "result " + text(x.Event.Seq) + " answers a call that is not in the log",
			Events: []answer.Ref{answer.NewRef(RefOf(x.Event))}, Detail: titleOf(x.Event),
			Next: "hindcast show " + text(x.Event.Seq) + " --raw shows which call it names",
		}
		if x.Early {
			f.Severity = Note
			f.Detail += "; nothing before it calls anything: the log may begin in the middle"
		}
		out = append(out, f)
	}
	return out, err
}

// orphansListed is how many calls without a result are told one by one.
const orphansListed = 100

// orphanCall: a call without a result. At the end of the log it may be under
// way; where the run went on, a provider refuses every request that holds it.
func orphanCall(ctx context.Context, r Reader) ([]answer.Finding, error) {
	list, err := r.OpenCalls(ctx)
	var out []answer.Finding
	for i, c := range list {
		if i == orphansListed {
			out = append(out, answer.Finding{
				Severity: Warning, Title: fmt.Sprintf("%d more calls have no result (%d are listed)", len(list)-i, orphansListed),
				Events: []answer.Ref{answer.NewRef(RefOf(c.Event))}, Detail: "the first of them is at " + text(c.Event.Seq), Next: "hindcast state /pending lists them",
			})
			break
		}
		out = append(out, c.finding())
	}
	return out, err
}

func (c *OpenCall) finding() answer.Finding {
	name := strings.TrimSpace("call " + text(c.Event.Seq) + " " + c.Event.Tool)
	f := answer.Finding{
		Severity: Note, Title: name + " has no result by the end of the log", Events: []answer.Ref{answer.NewRef(RefOf(c.Event))},
		Detail: titleOf(c.Event), Next: "hindcast state /pending shows what is under way at the end",
	}
	if c.Later {
		f.Severity, f.Title = Warning, name+" has no result, and the run went on"
		f.Next = "hindcast show " + text(c.Next.Seq) + " shows what came instead"
	}
	if c.Next.Pos > 0 {
		f.Events = append(f.Events, answer.NewRef(RefOf(c.Next)))
		f.Detail += "; then came " + text(c.Next.Seq) + c.silence() + ": " + titleOf(c.Next)
	}
	return f
}

// silence says how long nothing came, where that is long.
func (c *OpenCall) silence() string {
	const long = time.Minute
	if !c.Event.Time.Known || !c.Next.Time.Known {
		return ""
	}
	after := time.Duration(c.Next.Time.Nanos - c.Event.Time.Nanos)
	if after < long {
		return ""
	}
	return " after " + strings.TrimSuffix(after.Truncate(time.Minute).String(), "0s")
}
