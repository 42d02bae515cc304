package importer

import (
	"context"
	"slices"
	"strings"

	"hindcast/index/store"
	"hindcast/model"
)

// childFiles are the files that a session's sub-agents wrote, by the events of
// the session at which they matter: from the call on that made a sub-agent its
// files may be others than the session knows; with the call's result the
// sub-agent's last texts are there.
type childFiles struct {
	doubts map[int64][]string          // paths, by the pos of the call
	comes  map[int64][]model.WriteFile // last texts, by the pos of its result
}

// effects are what an event of the session does to files through sub-agents.
func (c *childFiles) effects(e *model.Event) []model.Effect {
	if c == nil || e.Origin == model.OriginCopied {
		return nil
	}
	var out []model.Effect
	if paths := c.doubts[e.Pos]; len(paths) > 0 {
		out = append(out, model.DoubtFiles{Paths: paths})
	}
	for _, w := range c.comes[e.Pos] {
		out = append(out, w)
	}
	return out
}

// childFiles reads what the sub-agents of a session wrote; nil where it has none.
func (m *Importer) childFiles(ctx context.Context, s *session) (*childFiles, error) {
	var out *childFiles
	for _, child := range m.inRank() {
		if child == s || child.row.Parent != s.row.ID || child.row.ID == s.row.ID {
			continue
		}
		call, err := m.spawnedBy(ctx, child, s)
		if err != nil || call == 0 {
			return out, err
		}
		written, err := m.filesOf(ctx, child)
		if err != nil {
			return out, err
		}
		if len(written) == 0 {
			continue
		}
		if out == nil {
			out = &childFiles{doubts: make(map[int64][]string), comes: make(map[int64][]model.WriteFile)}
		}
		result, _, err := m.st.Reader().EventAt(ctx, s.row.Key, call)
		if err != nil {
			return out, err
		}
		for _, w := range written {
			if !slices.Contains(out.doubts[call], w.Path) {
				out.doubts[call] = append(out.doubts[call], w.Path)
			}
		}
		if result.Mate > call {
			out.comes[result.Mate] = append(out.comes[result.Mate], written...)
		}
	}
	return out, nil
}

// spawnedBy finds the event of the parent that made a sub-agent; 0: none is known.
func (m *Importer) spawnedBy(ctx context.Context, child, parent *session) (int64, error) {
	first, ok, err := m.st.Reader().EventAt(ctx, child.row.Key, 1)
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

// filesOf lists the files that a session's own events wrote, with their last
// texts, where these are known.
func (m *Importer) filesOf(ctx context.Context, s *session) ([]model.WriteFile, error) {
	r := m.st.Reader()
	var out []model.WriteFile
	after := ""
	for {
		paths, err := r.Cells(ctx, s.row.Key, model.PathFiles+"/", after, foldPage)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			after = path
			w, err := m.lastText(ctx, r, s, path)
			if err != nil {
				return nil, err
			}
			if w != nil {
				out = append(out, *w)
			}
		}
		if len(paths) < foldPage {
			return out, nil
		}
	}
}

// lastText is a file's text at the end of a session that wrote it, not only
// looked at it; nil for any other.
func (m *Importer) lastText(ctx context.Context, r *store.Reader, s *session, path string) (*model.WriteFile, error) {
	w, ok, err := r.WriteAt(ctx, s.row.Key, path, s.row.LastPos)
	if err != nil || !ok || w.New.Absent() {
		return nil, err
	}
	history, err := r.History(ctx, s.row.Key, path, 0, 2)
	if err != nil {
		return nil, err
	}
	if len(history) < 2 && strings.Contains(string(w.New.JSON), `"certainty":"partial"`) {
		return nil, nil
	}
	text, ok, err := r.FileText(ctx, s.row.Key, path, s.row.LastPos)
	if err != nil || !ok || text == nil {
		return nil, err
	}
	name := model.UnescapePointer(strings.TrimPrefix(path, model.PathFiles+"/"))
	return &model.WriteFile{Path: name, Content: *text, Certainty: model.CertaintyDerived}, nil
}
