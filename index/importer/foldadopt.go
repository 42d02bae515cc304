package importer

import (
	"strings"

	"hindcast/index/store"
	"hindcast/model"
	"hindcast/model/replay"
)

// adopt gives the effects of the state that a session's first record holds, or
// names a file for, if it is the checkpoint of a log whose beginning is gone.
func (f *folding) adopt(e *model.Event, effects []model.Effect, records *foldRecords) []model.Effect {
	if e.Pos != 1 || f.recorder == nil {
		return nil
	}
	for _, x := range effects {
		s, ok := x.(model.Snapshot)
		if !ok || !begins(e, s) {
			continue
		}
		raw := s.State
		if raw == nil && s.File != "" {
			raw = records.evidence(s.File, f.stream)
		}
		if state, err := f.recorder.Recorded(raw); raw != nil && err == nil {
			return replay.Adopt(state)
		}
	}
	return nil
}

// begins reports that a session's log begins with a checkpoint, of which the
// events that it covers are gone.
func begins(e *model.Event, s model.Snapshot) bool {
	return e.Pos == 1 && s.HasBase && s.BasePos == 0 && s.BaseSeq < e.Seq
}

// evidence reads a file beside the events; nil where there is none that can be
// read. One of the session's own stream goes first: two dumps may hold files of
// one name.
func (r *foldRecords) evidence(name string, stream int64) []byte {
	var found *store.Source
	for _, src := range r.m.inOrder() {
		if src.row.Role != "events" && NamesFile(src.row.Name, name) && (found == nil || src.row.Stream == stream && found.Stream != stream) {
			found = &src.row
		}
	}
	if found == nil {
		return nil
	}
	raw, err := r.lookups.Read(r.ctx, r.m.st.Reader(), *found, 0, found.Size)
	if err != nil {
		return nil
	}
	return raw
}

// NamesFile reports that a member of a dump is the file of a name: with folders
// before it, packed or not.
func NamesFile(member, name string) bool {
	for _, packed := range []string{".gz", ".zst"} {
		member = strings.TrimSuffix(member, packed)
	}
	rest, ok := strings.CutSuffix(member, name)
	return ok && (rest == "" || strings.HasSuffix(rest, "/"))
}
