package index

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"hindcast/index/check"
	"hindcast/index/store"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/replay"
)

// Check lists the findings of one session (empty: of all), session by session
// in the order of the dump, and where the bytes of the dump went.
func (x *Index) Check(ctx context.Context, session string) (answer.Check, error) {
	out := answer.Check{Findings: []answer.Finding{}}
	var err error
	if out.Findings, err = x.findings(ctx, session); err != nil {
		return out, err
	}
	if out.Sessions, err = x.others(ctx, out.Findings); err != nil {
		return out, err
	}
	out.Accounting, err = x.accounting(ctx)
	return out, err
}

// command is a command in the words of a finding.
var command = regexp.MustCompile(`\bhindcast [a-z]+\b`)

// others counts the sessions, and lets the commands of findings name theirs
// where they would ask another.
func (x *Index) others(ctx context.Context, list []answer.Finding) (int, error) {
	sessions, err := x.Sessions(ctx)
	if err != nil || len(sessions) < 2 {
		return len(sessions), err
	}
	asked, _, err := mainSession(sessions)
	for i, f := range list {
		if f.Session != asked.ID {
			list[i].Next = command.ReplaceAllStringFunc(f.Next, func(verb string) string {
				if verb == "hindcast query" || strings.Contains(f.Next, "--session") || strings.Contains(f.Next, "@@") {
					return verb // it asks all sessions, or names its own
				}
				return verb + " --session " + f.Session
			})
		}
	}
	return len(sessions), err
}

func (x *Index) findings(ctx context.Context, session string) ([]answer.Finding, error) {
	out := []answer.Finding{}
	if err := x.Wait(ctx); err != nil {
		return out, err
	}
	rows, err := x.st.Reader().SessionRows(ctx)
	if err != nil {
		return out, err
	}
	all := roster{rows: rows, byKey: make(map[int64]store.SessionRow, len(rows))}
	for _, row := range rows {
		all.byKey[row.Key] = row
	}
	found := session == ""
	for _, row := range rows {
		if session != "" && row.ID != session {
			continue
		}
		found = true
		if _, err := x.folded(ctx, row.ID, row.LastPos); err != nil {
			return out, err
		}
		f := &facts{x: x, row: row, all: &all, used: make(map[string]bool), at: newRolling(x, row.Key)}
		if err := f.gather(ctx); err != nil {
			return out, err
		}
		list, err := check.Session(ctx, f)
		if err != nil {
			return out, err
		}
		list = slices.DeleteFunc(list, func(f answer.Finding) bool { return ofBase(row, f) })
		out = append(out, list...)
		if session != "" {
			break
		}
	}
	if !found {
		return out, &SessionError{Prefix: session}
	}
	return out, nil
}

// ofBase reports that all that a finding is about was before a session went on
// from its base, where it is told already.
func ofBase(row store.SessionRow, f answer.Finding) bool {
	for _, e := range f.Events {
		if e.Session != row.ID || e.Pos > row.BasePos {
			return false
		}
	}
	return len(f.Events) > 0 && row.BasePos > 0
}

// roster is the sessions of the index, read once for the checks of all.
type roster struct {
	rows  []store.SessionRow
	byKey map[int64]store.SessionRow
}

// facts tells the rules about a session.
type facts struct {
	x           *Index
	row         store.SessionRow
	all         *roster
	checkpoints []check.Checkpoint
	read        bool
	used        map[string]bool // checkpoint files that records name
	at          *rolling
	gaps        []check.Gap
	counted     bool
	seen        *survey
	cuts        []check.Cut
	cut         bool // cuts are read
}

// gather makes what takes long, side by side.
func (f *facts) gather(ctx context.Context) error {
	walked := make(chan error, 1)
	go func() {
		_, err := f.surveyed(ctx)
		if err == nil {
			_, err = f.Cuts(ctx)
		}
		walked <- err
	}()
	_, err := f.Checkpoints(ctx)
	return errors.Join(err, <-walked)
}

// Session implements check.Reader.
func (f *facts) Session() model.Session { return f.row.Session }

// BaseThere implements check.Reader.
func (f *facts) BaseThere(context.Context) (bool, error) {
	return slices.ContainsFunc(f.all.rows, func(s store.SessionRow) bool {
		return s.Dialect == f.row.Dialect && s.ID == f.row.Base && s.Key != f.row.Key
	}), nil
}

// Event implements check.Reader.
func (f *facts) Event(ctx context.Context, pos int64) (model.Event, error) {
	return f.x.eventAt(ctx, f.row.Key, pos)
}

// Notes implements check.Reader.
func (f *facts) Notes(ctx context.Context) ([]model.Note, error) {
	return f.x.st.Reader().FoldNotes(ctx, f.row.Key)
}

// WriterBefore implements check.Reader.
func (f *facts) WriterBefore(ctx context.Context, path string, pos int64) (int64, error) {
	w, ok, err := f.x.st.Reader().WriteAt(ctx, f.row.Key, path, pos-1)
	if err != nil || !ok {
		return 0, err
	}
	return w.Pos, nil
}

// Checkpoints implements check.Reader.
func (f *facts) Checkpoints(ctx context.Context) ([]check.Checkpoint, error) {
	if f.read {
		return f.checkpoints, nil
	}
	cut := false // the log begins behind what a checkpoint covers: the fold alone knows nothing of it
	err := f.x.claims(ctx, f.row, 1, false, func(c *claim) (bool, error) {
		cp, err := f.checkpoint(ctx, c, cut)
		if err != nil {
			return false, fmt.Errorf("checkpoint at %d: %w", c.event.Seq, err)
		}
		f.checkpoints = append(f.checkpoints, cp)
		cut = cut || c.state != nil && c.base == 0 && c.broken == model.LinkMissing && c.snap.BaseSeq < f.row.First
		return true, nil
	})
	if err != nil {
		return nil, err
	}
	if err := f.beside(ctx); err != nil {
		return nil, err
	}
	f.read = true
	return f.checkpoints, nil
}

func (f *facts) checkpoint(ctx context.Context, c *claim, cut bool) (check.Checkpoint, error) {
	cp := check.Checkpoint{
		Event: c.event, Name: c.snap.Checkpoint, Named: c.snap.HasBase, Recorded: c.state != nil,
		Base: check.Base{Seq: c.snap.BaseSeq, Pos: c.base, Broken: c.broken}, Unread: c.unread,
	}
	f.used[c.file] = true
	if cp.Name == "" || cp.Name == c.event.ID {
		cp.Name = fmt.Sprintf("the checkpoint at %d", c.event.Seq)
	}
	if c.base == 0 {
		return cp, nil
	}
	base, err := f.Event(ctx, c.base)
	if err != nil || c.state == nil {
		return cp, err
	}
	cp.Base.Seq = base.Seq
	if cp.Named && len(c.state.Unread) > 0 {
		cp.Unread = "nothing is known to compare with: " + strings.Join(c.state.Unread, ", ")
	}
	if c.state.HasBase && c.snap.HasBase && c.state.BaseSeq != c.snap.BaseSeq {
		cp.FileBase = &c.state.BaseSeq
	}
	state := *c.state
	var cells replay.Cells
	if cut {
		cells, err = f.x.restored(ctx, base)
	} else {
		cells, err = f.at.facing(ctx, c.base, &state)
	}
	if err != nil {
		return cp, err
	}
	return cp, f.fill(ctx, &cp, cells, state)
}

// fill compares a recorded state with the cells at its base.
func (f *facts) fill(ctx context.Context, cp *check.Checkpoint, cells replay.Cells, state model.RecordedState) error {
	list, missing, err := f.x.compare(ctx, f.row.Key, cp.Base.Pos, cells, state)
	cp.Missing = missing
	for _, d := range list {
		if silent := d.Old == nil || string(d.Old) == "null"; silent && !cp.Named {
			continue // what the log does not tell is nothing to contradict
		}
		cp.Differences = append(cp.Differences, check.Difference{Path: d.Path, Cell: d.cell, Old: d.Old, New: d.New, By: d.Pos, Unsure: d.unsure})
	}
	return err
}

// dense is how many of the numbers of a sequence must be there, in percent, for
// the others to be missing.
const dense = 80

// Gaps implements check.Reader.
func (f *facts) Gaps(ctx context.Context, pos int64) ([]check.Gap, error) {
	if !f.counted {
		if err := f.count(ctx); err != nil {
			return nil, err
		}
		f.counted = true
	}
	end, err := f.Event(ctx, pos)
	if err != nil {
		return nil, err
	}
	var out []check.Gap
	for _, g := range f.gaps {
		if g.To < end.Seq {
			out = append(out, g)
		}
	}
	return out, nil
}

func (f *facts) count(ctx context.Context) error {
	var last, events int64
	err := eachSeq(ctx, f.x.st.Reader(), f.row.Key, func(_, seq int64, has bool) bool {
		if !has || seq <= last && events > 0 {
			return true
		}
		if events == 0 {
			last = min(seq-1, 0) // a sequence begins at 1, or wherever it is lower
		}
		if seq > last+1 {
			f.gaps = append(f.gaps, check.Gap{From: last + 1, To: seq - 1})
		}
		last, events = seq, events+1
		return true
	})
	if events*100 < (last-min(f.row.First, 1))*dense {
		f.gaps = nil
	}
	return err
}

// eachSeq walks the numbers of a session's events in pos order; has is false
// where a record carries none of its own.
func eachSeq(ctx context.Context, r *store.Reader, key int64, f func(pos, seq int64, has bool) bool) error {
	return r.Places(ctx, key, func(p store.Place) bool { return f(p.Pos, p.Seq, p.HasSeq) })
}
