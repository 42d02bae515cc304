package importer

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"hindcast/index/store"
	"hindcast/model"
)

// childFiles are the files that a session's sub-agents wrote, by the events of
// the session at which they matter: from the call on that made a sub-agent its
// files may be others than the session knows; with the call's result the
// sub-agent's last texts are there. Nil where there are none.
type childFiles map[int64]*childStep

type childStep struct {
	doubts []childFile       // at the call
	comes  []model.WriteFile // at its result
}

// childFile is a path that a sub-agent, or one of its own, wrote.
type childFile struct {
	path string
	// only is the one text that the sub-agent ever had of it: where the session
	// has the same, nothing tells that it was more than looked at.
	only *string
}

func (c childFiles) step(pos int64) *childStep {
	if c[pos] == nil {
		c[pos] = &childStep{}
	}
	return c[pos]
}

// effects are what an event of the session does to files through sub-agents.
func (c childFiles) effects(e *model.Event, view model.View) []model.Effect {
	step := c[e.Pos]
	if step == nil || e.Origin == model.OriginCopied {
		return nil
	}
	has := func(path string, text *string) bool {
		own, certainty, ok := view.File(path)
		return ok && text != nil && own != nil && *own == *text && certainty >= model.CertaintyDerived
	}
	var doubts model.DoubtFiles
	for _, d := range step.doubts {
		if !has(d.path, d.only) {
			doubts.Paths = append(doubts.Paths, d.path)
		}
	}
	var out []model.Effect
	if len(doubts.Paths) > 0 {
		out = append(out, doubts)
	}
	for _, w := range step.comes {
		if !has(w.Path, &w.Content) {
			out = append(out, w)
		}
	}
	return out
}

// marks say what was done at which event, so that a change of it is noticed.
func (c childFiles) marks() string {
	var b strings.Builder
	for _, pos := range slices.Sorted(maps.Keys(c)) {
		var all []byte
		for _, d := range c[pos].doubts {
			all = append(append(all, d.path...), 0)
			if d.only != nil {
				all = append(append(all, *d.only...), 1)
			}
		}
		for _, w := range c[pos].comes {
			all = append(append(append(append(all, w.Path...), 0), w.Content...), 2)
		}
		fmt.Fprintf(&b, "%d:%x ", pos, HashOf(all))
	}
	return b.String()
}

// sameUpTo is the last pos up to which two marks say the same.
func sameUpTo(a, b string) int64 {
	left, right := strings.Fields(a), strings.Fields(b)
	for i := range max(len(left), len(right)) {
		switch {
		case i >= len(left):
			return markPos(right[i]) - 1
		case i >= len(right):
			return markPos(left[i]) - 1
		case left[i] != right[i]:
			return min(markPos(left[i]), markPos(right[i])) - 1
		}
	}
	return noLimit
}

// noLimit is behind every pos.
const noLimit = 1<<63 - 1

func markPos(mark string) (pos int64) {
	fmt.Sscanf(mark, "%d:", &pos)
	return pos
}

// family knows whose sub-agents a dump's sessions are, while they are folded,
// the children before their parents.
type family struct {
	m        *Importer
	children map[*session][]child
	written  map[*session][]childFile // as they were asked for
	meta     map[string]string
}

// child is a sub-agent of a session: one that it made itself, or that a base
// made before it went on from there.
type child struct {
	*session
	of   *session // that made it
	upTo int64    // which of that one's events are the session's as well
}

func (m *Importer) newFamily(ctx context.Context, all []*session) (*family, error) {
	f := &family{m: m, children: make(map[*session][]child), written: make(map[*session][]childFile)}
	byID := make(map[string]*session, len(all))
	for _, s := range all {
		byID[s.row.ID] = s
	}
	for _, s := range all {
		if p := byID[s.row.Parent]; p != nil && p != s {
			f.children[p] = append(f.children[p], child{s, p, noLimit})
		}
	}
	if len(f.children) == 0 {
		return f, nil
	}
	if err := f.lend(ctx, all); err != nil {
		return nil, err
	}
	var err error
	f.meta, err = m.st.Reader().Meta(ctx)
	return f, err
}

// lend adds the sub-agents that sessions have from their bases.
func (f *family) lend(ctx context.Context, all []*session) error {
	lent := make(map[*session][]child)
	for _, s := range all {
		upTo := s.row.BasePos
		for _, base := range f.m.bases(s) {
			for _, c := range f.children[base] {
				call, err := f.m.spawnedBy(ctx, c.session, base)
				if err != nil {
					return err
				}
				if call > 0 && call <= upTo {
					lent[s] = append(lent[s], child{c.session, base, upTo})
				}
			}
			upTo = min(upTo, base.row.BasePos)
		}
	}
	for s, list := range lent {
		f.children[s] = append(f.children[s], list...)
	}
	return nil
}

// order lists the sessions, children before their parents, else as they come.
func (f *family) order(all []*session) []*session {
	depths := make(map[*session]int, len(all))
	next := make([]child, 0, len(f.children))
	for _, children := range f.children {
		next = append(next, children...)
	}
	for depth := 1; len(next) > 0 && depth <= len(all); depth++ { // parents may run in a ring
		var below []child
		for _, c := range next {
			if depths[c.session] < depth {
				depths[c.session] = depth
				below = append(below, f.children[c.session]...)
			}
		}
		next = below
	}
	out := slices.Clone(all)
	slices.SortStableFunc(out, func(a, b *session) int { return cmp.Compare(depths[b], depths[a]) })
	return out
}

// markKey is where the index keeps the marks of a session.
func markKey(s *session) string { return fmt.Sprintf("children:%d", s.row.Key) }

// files reads what the sub-agents of a session wrote.
func (f *family) files(ctx context.Context, s *session) (childFiles, error) {
	var out childFiles
	for _, c := range f.children[s] {
		call, err := f.m.spawnedBy(ctx, c.session, c.of)
		if err != nil {
			return nil, err
		}
		if call == 0 {
			continue
		}
		written, err := f.writtenBy(ctx, c.session, 0)
		if err != nil {
			return nil, err
		}
		if len(written) == 0 {
			continue
		}
		if out == nil {
			out = make(childFiles)
		}
		out.step(call).doubts = append(out.step(call).doubts, written...)
		made, _, err := f.m.st.Reader().EventAt(ctx, c.of.row.Key, call)
		if err != nil {
			return nil, err
		}
		if made.Mate > call && made.Mate <= c.upTo {
			last, err := f.m.lastTexts(ctx, c.session, written)
			if err != nil {
				return nil, err
			}
			out.step(made.Mate).comes = append(out.step(made.Mate).comes, last...)
		}
	}
	return out, nil
}

// spawnedBy finds the event of the parent that made a sub-agent; 0: none is known.
func (m *Importer) spawnedBy(ctx context.Context, child, parent *session) (int64, error) {
	first, ok, err := m.st.Reader().EventAt(ctx, child.row.Key, child.row.BasePos+1)
	if err != nil || !ok {
		return 0, err
	}
	for _, l := range first.Links {
		if l.Reason == model.ReasonSpawn && l.Resolved() && l.To.Session == parent.row.ID {
			return l.To.Pos, nil
		}
	}
	return 0, nil
}

// writtenBy lists the files that a session and its sub-agents wrote, each once.
func (f *family) writtenBy(ctx context.Context, s *session, depth int) ([]childFile, error) {
	if known, ok := f.written[s]; ok || depth > len(f.children) {
		return known, nil
	}
	out, err := f.m.writtenFiles(ctx, s)
	if err != nil {
		return nil, err
	}
	own := make(map[string]bool, len(out))
	for _, w := range out {
		own[w.path] = true
	}
	for _, c := range f.children[s] {
		if c.of != s {
			continue
		}
		theirs, err := f.writtenBy(ctx, c.session, depth+1)
		if err != nil {
			return nil, err
		}
		for _, w := range theirs {
			if !own[w.path] {
				own[w.path] = true
				out = append(out, w)
			}
		}
	}
	f.written[s] = out
	return out, nil
}

// writtenFiles lists the files that a session's own events wrote.
func (m *Importer) writtenFiles(ctx context.Context, s *session) ([]childFile, error) {
	r := m.st.Reader()
	var out []childFile
	after := ""
	for {
		paths, err := r.Cells(ctx, s.row.Key, model.PathFiles, after, foldPage)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			after = path
			history, err := r.History(ctx, s.row.Key, path, s.row.BasePos, 2)
			if err != nil {
				return nil, err
			}
			if len(history) == 0 {
				continue // its base wrote it
			}
			w := childFile{path: model.UnescapePointer(strings.TrimPrefix(path, model.PathFiles+"/"))}
			if len(history) < 2 {
				if strings.Contains(string(history[0].New.JSON), `"written_pos":null`) {
					continue // a part of it was seen
				}
				if w.only, _, err = r.FileText(ctx, s.row.Key, path, s.row.LastPos); err != nil {
					return nil, err
				}
			}
			out = append(out, w)
		}
		if len(paths) < foldPage {
			return out, nil
		}
	}
}

// lastTexts gives the texts of files at the end of a session, where these are
// known.
func (m *Importer) lastTexts(ctx context.Context, s *session, files []childFile) ([]model.WriteFile, error) {
	r := m.st.Reader()
	var out []model.WriteFile
	for _, f := range files {
		text, ok, err := r.FileText(ctx, s.row.Key, filePath(f.path), s.row.LastPos)
		if err != nil {
			return nil, err
		}
		if ok && text != nil {
			out = append(out, model.WriteFile{Path: f.path, Content: *text, Certainty: model.CertaintyDerived})
		}
	}
	return out, nil
}

func filePath(name string) string { return model.PathFiles + "/" + model.EscapePointer(name) }

// agreesUpTo says up to which pos what the index holds of a session's fold
// agrees with what its sub-agents are known to have written.
func (f *family) agreesUpTo(s *session, files childFiles) int64 {
	if len(f.children[s]) == 0 {
		return noLimit
	}
	return sameUpTo(f.meta[markKey(s)], files.marks())
}

// mark notes what a session's fold is told from here on. What the index holds
// must agree with it.
func (f *family) mark(ctx context.Context, s *session, files childFiles) error {
	key, marks := markKey(s), files.marks()
	if len(f.children[s]) == 0 || f.meta[key] == marks {
		return nil
	}
	f.meta[key] = marks
	return f.m.w.Append(ctx, &store.Batch{Meta: map[string]string{key: marks}})
}
