package index

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"hindcast/model"
	"hindcast/model/replay"
)

// contradiction is a change from the fold to what was recorded, with the event
// behind the base that brought what is recorded as Pos; 0: none did.
type contradiction struct {
	replay.Change
	cell   string
	unsure bool // the fold does not claim to know
}

// comparison is a recorded state held against the fold at its base.
type comparison struct {
	x       *Index
	ctx     context.Context
	key     int64
	base    int64
	fold    replay.Cells
	claimed replay.Cells
	missing []string // ids that no event has
	silent  []model.Ref
	err     error
}

// compare holds a recorded state against cells, the state at its base.
func (x *Index) compare(ctx context.Context, key, base int64, fold replay.Cells, state model.RecordedState) ([]contradiction, []string, error) {
	c := &comparison{x: x, ctx: ctx, key: key, base: base, fold: fold}
	c.claimed = replay.Recorded(fold, state, c.message)
	if c.err != nil {
		return nil, nil, c.err
	}
	changes := replay.Contradictions(c.fold, c.claimed)
	changes = append(changes, c.strangers()...)
	changes = append(changes, c.order(state.Context)...)
	var out []contradiction
	explained := make(map[string]int64)
	for _, change := range changes {
		if below(change.Path, "/context") && !below(change.Path, model.PathMessages) && change.Path != model.PathMessages {
			continue // the counts are not recorded
		}
		d := contradiction{Change: change, cell: cellOf(change.Path)}
		if v, ok := c.fold[d.cell]; ok && isFile(d.cell) {
			d.unsure = certaintyOf(v) < model.CertaintyDerived
		}
		pos, known := explained[d.cell]
		if !known {
			var err error
			if pos, err = c.explain(d); err != nil {
				return nil, nil, err
			}
			explained[d.cell] = pos
		}
		d.Pos = pos
		out = append(out, d)
	}
	slices.SortFunc(out, func(a, b contradiction) int { return strings.Compare(a.Path, b.Path) })
	return out, c.missing, nil
}

func cellOf(path string) string {
	if place, ok := replay.Locate(path); ok && place.Cell != "" {
		return place.Cell
	}
	return path
}

// message finds the entry by which an event came into view, whenever it did.
func (c *comparison) message(id string) (model.Entry, bool) {
	r := c.x.st.Reader()
	found, ok, err := r.Find(c.ctx, c.key, id)
	if err != nil || c.err != nil {
		c.err = err
		return model.Entry{}, false
	}
	if !ok {
		c.missing = append(c.missing, id)
		return model.Entry{}, false
	}
	path := model.PathMessages + "/" + model.MessageKey(found.Pos)
	history, err := r.History(c.ctx, c.key, path, 0, 1)
	if err != nil {
		c.err = err
		return model.Entry{}, false
	}
	if len(history) > 0 {
		if e, ok := replay.Message(path, history[0].New); ok {
			return e, true
		}
	}
	c.silent = append(c.silent, model.Ref{Seq: found.Seq, Pos: found.Pos, ID: id})
	return model.Entry{}, false
}

// strangers are the ids of the recorded context by which no message ever came
// into view: of no event, or of one that says nothing.
func (c *comparison) strangers() []replay.Change {
	var out []replay.Change
	for _, id := range c.missing {
		out = append(out, replay.Change{
			Path: model.PathMessages + "/" + model.EscapePointer(id),
			New:  fmt.Appendf(nil, `{"event":%s}`, quote(id)),
		})
	}
	for _, e := range c.silent {
		out = append(out, replay.Change{
			Path: model.PathMessages + "/" + model.MessageKey(e.Pos),
			New:  fmt.Appendf(nil, `{"key":%q,"seq":%d,"pos":%d,"event":%s}`, model.MessageKey(e.Pos), e.Seq, e.Pos, quote(e.ID)),
		})
	}
	return out
}

// order tells of a recorded context that stands in another order than in view,
// which is that of the keys.
func (c *comparison) order(ids []string) []replay.Change {
	place := make(map[string]string)
	for path, v := range c.claimed {
		if e, ok := replay.Message(path, v); ok && below(path, model.PathMessages) && e.Event != "" {
			place[e.Event] = e.Key
		}
	}
	var known []string
	for _, id := range ids {
		if _, ok := place[id]; ok {
			known = append(known, id)
		}
	}
	right := slices.Clone(known)
	slices.SortStableFunc(right, func(a, b string) int { return strings.Compare(place[a], place[b]) })
	if slices.Equal(known, right) {
		return nil
	}
	return []replay.Change{{Path: model.PathMessages, Old: quote(right), New: quote(known)}}
}

// explain finds the first event behind the base that left in a cell what is
// recorded of it.
func (c *comparison) explain(d contradiction) (int64, error) {
	if d.cell == model.PathMessages {
		return 0, nil
	}
	want, holds := c.claimed[d.cell]
	if e, ok := replay.Message(d.cell, want); ok && below(d.cell, model.PathMessages) && e.Pos > c.base {
		return e.Pos, nil
	}
	for after := c.base; ; {
		page, err := c.x.st.Reader().History(c.ctx, c.key, d.cell, after, pageOf)
		if err != nil {
			return 0, err
		}
		for _, w := range page {
			if after = w.Pos; holds == !w.New.Absent() && (!holds || sameRecorded(d.cell, w.New, want)) {
				return w.Pos, nil
			}
		}
		if len(page) < pageOf {
			return 0, nil
		}
	}
}

// sameRecorded compares what a record can tell of two values of a cell.
func sameRecorded(cell string, a, b model.Value) bool {
	switch {
	case below(cell, model.PathMessages):
		return true // it is there
	case isFile(cell):
		return hashOf(a) != "" && hashOf(a) == hashOf(b)
	}
	return string(a.JSON) == string(b.JSON)
}

// hashOf is the SHA-256 of a file's text; empty where that is not known.
func hashOf(v model.Value) string {
	var file struct{ SHA256 string }
	if v.Absent() || json.Unmarshal(v.JSON, &file) != nil {
		return ""
	}
	return file.SHA256
}

// quote is a text as JSON.
func quote(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return []byte("null")
	}
	return bytes.TrimSpace(b.Bytes())
}

// facingLeaves are the leaves that records tell.
var facingLeaves = []string{"/shell/cwd", "/status/execution", model.PathTasks}

// facing gives the cells that a recorded state can be held against, as they are
// after pos. Texts that are the recorded ones are taken from there.
func (x *Index) facing(ctx context.Context, key, pos int64, state model.RecordedState) (replay.Cells, error) {
	out := make(replay.Cells)
	for _, leaf := range facingLeaves {
		if err := x.cell(ctx, key, pos, leaf, out); err != nil {
			return nil, err
		}
	}
	if state.Context != nil {
		members, err := x.members(ctx, key, model.PathMessages, pos)
		if err != nil {
			return nil, err
		}
		for _, m := range members {
			out[m.Path] = m.Value
		}
	}
	for _, prefix := range []string{model.PathFiles, model.PathTasks, model.PathVars} {
		if prefix == model.PathFiles && state.Files == nil {
			continue
		}
		if err := x.facingMembers(ctx, key, pos, prefix, state.Files, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (x *Index) facingMembers(ctx context.Context, key, pos int64, prefix string, files map[string]string, out replay.Cells) error {
	r := x.st.Reader()
	for after := ""; ; {
		paths, err := r.Cells(ctx, key, prefix, after, pageOf)
		if err != nil {
			return err
		}
		for _, path := range paths {
			after = path
			w, ok, err := r.WriteAt(ctx, key, path, pos)
			if err != nil {
				return err
			}
			if !ok || w.New.Absent() {
				continue
			}
			if isFile(path) {
				if w.New.Text, err = x.textFacing(ctx, key, pos, w, files); err != nil {
					return err
				}
			}
			out[path] = w.New
		}
		if len(paths) < pageOf {
			return nil
		}
	}
}

func (x *Index) textFacing(ctx context.Context, key, pos int64, w model.Write, files map[string]string) (*string, error) {
	name := model.UnescapePointer(strings.TrimPrefix(w.Path, model.PathFiles+"/"))
	if text, ok := files[name]; ok {
		if sum := sha256.Sum256([]byte(text)); hex.EncodeToString(sum[:]) == hashOf(w.New) {
			return &text, nil
		}
	}
	text, _, err := x.st.Reader().FileText(ctx, key, w.Path, pos)
	return text, err
}
