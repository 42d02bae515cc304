package index

import (
	"context"
	"errors"

	"hindcast/model/answer"
)

// quarantineShown bounds the spans that an accounting lists; their sum counts all.
const quarantineShown = 10_000

// Import tells what the index holds of a session (empty: of all), and where the
// bytes of the whole dump went. It waits for the states, of which it counts the
// writes and the findings.
func (x *Index) Import(ctx context.Context, session string) (answer.Import, error) {
	out := answer.Import{Index: x.Path(), Dialects: []answer.ImportedFormat{}}
	key, err := x.key(ctx, session)
	if err != nil {
		return out, err
	}
	r := x.st.Reader()
	sessions, err := r.SessionRows(ctx)
	if err != nil {
		return out, err
	}
	perStream := make(map[int64]int64)
	for _, s := range sessions {
		if key == 0 || s.Key == key {
			perStream[s.Stream]++
			out.Sessions++
			out.Events += s.Events
		}
	}
	if err := x.importedFormats(ctx, &out, perStream, key != 0); err != nil {
		return out, err
	}
	if out.Links, err = r.LinkCount(ctx, key); err != nil {
		return out, err
	}
	if err := x.countStates(ctx, &out, session, key); err != nil {
		return out, err
	}
	out.Accounting, err = x.accounting(ctx)
	return out, err
}

// importedFormats lists the dialects of the dump, or only those that have
// sessions among the ones counted by stream.
func (x *Index) importedFormats(ctx context.Context, out *answer.Import, perStream map[int64]int64, some bool) error {
	streams, err := x.st.Reader().Streams(ctx)
	if err != nil {
		return err
	}
	at := make(map[answer.ImportedFormat]int)
	for _, s := range streams {
		if some && perStream[s.ID] == 0 {
			continue
		}
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
	return nil
}

// countStates fills in the counts that need the states; where these could not
// be made they stay 0, and whoever asks for a state gets the reason.
func (x *Index) countStates(ctx context.Context, out *answer.Import, session string, key int64) error {
	if err := x.WaitStates(ctx); err != nil {
		return ctx.Err()
	}
	var err error
	if out.Writes, err = x.st.Reader().WriteCount(ctx, key); err != nil {
		return err
	}
	found, err := x.findings(ctx, session)
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
