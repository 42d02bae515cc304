package index

import (
	"context"
	"errors"

	"hindcast/model"
	"hindcast/model/answer"
)

// quarantineShown bounds the spans that an accounting lists; their sum counts all.
const quarantineShown = 10_000

// Import tells what the index holds and where the bytes of the dump went. It
// waits for the states, of which it counts the writes and the findings.
func (x *Index) Import(ctx context.Context) (answer.Import, error) {
	out := answer.Import{Index: x.Path(), Dialects: []answer.ImportedFormat{}}
	r := x.st.Reader()
	sessions, err := r.SessionRows(ctx)
	if err != nil {
		return out, err
	}
	perStream := make(map[int64]int64)
	for _, s := range sessions {
		perStream[s.Stream]++
		out.Sessions++
		out.Events += s.Events
	}
	streams, err := r.Streams(ctx)
	if err != nil {
		return out, err
	}
	at := make(map[answer.ImportedFormat]int)
	for _, s := range streams {
		f := answer.ImportedFormat{Name: s.Dialect, Reason: s.Reason}
		if s.Version != "" {
			f.Version = &s.Version
		}
		key := answer.ImportedFormat{Name: s.Dialect + "\x00" + s.Version, Reason: s.Reason}
		i, ok := at[key]
		if !ok {
			i = len(out.Dialects)
			at[key] = i
			out.Dialects = append(out.Dialects, f)
		}
		out.Dialects[i].Sessions += perStream[s.ID]
	}
	if out.Links, err = r.LinkCount(ctx); err != nil {
		return out, err
	}
	if err := x.countStates(ctx, &out); err != nil {
		return out, err
	}
	out.Accounting, err = x.accounting(ctx)
	return out, err
}

// countStates fills in the counts that need the states; where these could not
// be made they stay 0, and whoever asks for a state gets the reason.
func (x *Index) countStates(ctx context.Context, out *answer.Import) error {
	if err := x.WaitStates(ctx); err != nil {
		return ctx.Err()
	}
	var err error
	if out.Writes, err = x.st.Reader().WriteCount(ctx); err != nil {
		return err
	}
	found, err := x.findings(ctx, "")
	if errors.Is(err, errNotFolded) {
		err = nil
	}
	out.Findings = int64(len(found))
	return err
}

func (x *Index) accounting(ctx context.Context) (answer.Accounting, error) {
	r := x.st.Reader()
	out := answer.Accounting{Quarantined: []answer.Quarantined{}, Skipped: []answer.Skipped{}}
	sum, err := r.Accounting(ctx)
	if err != nil {
		return out, err
	}
	out.Bytes, out.EventBytes, out.StructureBytes = sum.Bytes, sum.EventBytes, sum.StructureBytes
	out.EvidenceBytes, out.QuarantinedBytes = sum.EvidenceBytes, sum.QuarantinedBytes
	spans, err := r.Quarantined(ctx, quarantineShown)
	if err != nil {
		return out, err
	}
	for _, q := range spans {
		src, err := x.source(ctx, q.Source)
		if err != nil {
			return out, err
		}
		out.Quarantined = append(out.Quarantined, answer.Quarantined{Source: src.Name, Offset: q.Offset, Length: q.Length, Reason: q.Reason})
	}
	skipped, err := r.Skipped(ctx)
	for _, s := range skipped {
		out.Skipped = append(out.Skipped, answer.Skipped{Source: s.Name, Reason: s.Reason})
	}
	return out, err
}

// UsageWithChildren sums each session's usage with that of its sub-agents, by
// session id. A ring of parents counts each member once.
func UsageWithChildren(sessions []model.Session) map[string]model.Usage {
	children := make(map[string][]int)
	for i, s := range sessions {
		if s.Parent != "" && s.Parent != s.ID {
			children[s.Parent] = append(children[s.Parent], i)
		}
	}
	out := make(map[string]model.Usage, len(sessions))
	for i, s := range sessions {
		var sum model.Usage
		seen := map[int]bool{i: true}
		for queue := []int{i}; len(queue) > 0; queue = queue[1:] {
			at := sessions[queue[0]]
			sum = sum.Add(at.Usage)
			for _, c := range children[at.ID] {
				if !seen[c] {
					seen[c] = true
					queue = append(queue, c)
				}
			}
		}
		out[s.ID] = sum
	}
	return out
}
