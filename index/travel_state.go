package index

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"hindcast/index/store"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/replay"
)

// StateReady reports how far a session's events have been folded.
func (x *Index) StateReady(ctx context.Context, session string) (int64, error) {
	key, err := x.key(ctx, session)
	if err != nil {
		return 0, err
	}
	return x.st.Reader().Folded(ctx, key)
}

// errNotFolded is an index that was opened by itself before its fold was done.
var errNotFolded = errors.New("the index holds no states this far: open the dump itself to complete it")

// folded waits until a session is folded up to pos, and gives its key.
func (x *Index) folded(ctx context.Context, session string, pos int64) (int64, error) {
	for {
		changed := x.Changed()
		status := x.Status()
		key, err := x.key(ctx, session)
		if err != nil {
			return 0, err
		}
		at, err := x.st.Reader().Folded(ctx, key)
		if err != nil || at >= pos {
			return key, err
		}
		if status.Folded {
			if status.FoldErr != nil {
				return 0, fmt.Errorf("fold the state: %w", status.FoldErr)
			}
			return 0, errNotFolded
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
}

// foldedAll waits until all of a session is folded, and gives its last pos.
func (x *Index) foldedAll(ctx context.Context, session string) (key, last int64, err error) {
	if err := x.Wait(ctx); err != nil {
		return 0, 0, err
	}
	if key, err = x.key(ctx, session); err != nil {
		return 0, 0, err
	}
	row, _, err := x.st.Reader().Session(ctx, key)
	if err != nil {
		return 0, 0, err
	}
	key, err = x.folded(ctx, session, row.LastPos)
	return key, row.LastPos, err
}

// pageOf is how many cells are asked for at once.
const pageOf = 1000

// cells gives the cells of a session after pos that a place in the state names
// or stands in, texts of files with them.
func (x *Index) cells(ctx context.Context, key, pos int64, place replay.Place) (replay.Cells, error) {
	out := make(replay.Cells)
	if place.Cell != "" {
		return out, x.cell(ctx, key, pos, place.Cell, out)
	}
	leaves := slices.DeleteFunc(replay.Fixed(), func(path string) bool { return path != place.Prefix && !below(path, place.Prefix) })
	found, err := x.st.Reader().Leaves(ctx, key, leaves, pos)
	if err != nil {
		return nil, err
	}
	for _, m := range found {
		out[m.Path] = m.Value
	}
	// What ever lived is many times what lives.
	for _, collection := range []string{model.PathMessages, model.PathPending, model.PathFiles, model.PathTasks, model.PathVars} {
		if collection != place.Prefix && !below(collection, place.Prefix) {
			continue
		}
		members, err := x.members(ctx, key, collection, pos)
		if err != nil {
			return nil, err
		}
		for _, m := range members {
			if collection == model.PathFiles {
				if m.Value.Text, _, err = x.st.Reader().FileText(ctx, key, m.Path, pos); err != nil {
					return nil, err
				}
			}
			out[m.Path] = m.Value
		}
	}
	return out, nil
}

// members lists all members of a collection after pos, in one question: of open
// calls a page costs as much as all.
func (x *Index) members(ctx context.Context, key int64, collection string, pos int64) ([]store.Member, error) {
	return x.st.Reader().Members(ctx, key, collection, pos, "", 0)
}

// cell adds one cell, if it exists after pos.
func (x *Index) cell(ctx context.Context, key, pos int64, path string, out replay.Cells) error {
	m, ok, err := x.st.Reader().Member(ctx, key, path, pos)
	if err != nil || !ok {
		return err
	}
	if isFile(path) {
		if m.Value.Text, _, err = x.st.Reader().FileText(ctx, key, path, pos); err != nil {
			return err
		}
	}
	out[path] = m.Value
	return nil
}

// below reports that a path stands below a pointer.
func below(path, pointer string) bool {
	return len(path) > len(pointer) && strings.HasPrefix(path, pointer) && path[len(pointer)] == '/'
}

func isFile(path string) bool { return below(path, model.PathFiles) }

func headingOf(e model.Event) replay.Heading { return replay.Heading{Ref: refOf(e), Time: e.Time} }

// State is the whole document after at.
func (x *Index) State(ctx context.Context, at model.Event, restore bool) (answer.State, error) {
	if restore {
		cells, err := x.restored(ctx, at)
		if err != nil {
			return answer.State{}, err
		}
		return replay.Assemble(headingOf(at), cells)
	}
	key, err := x.folded(ctx, at.Session, at.Pos)
	if err != nil {
		return answer.State{}, err
	}
	cells, err := x.cells(ctx, key, at.Pos, replay.Place{})
	if err != nil {
		return answer.State{}, err
	}
	return replay.Assemble(headingOf(at), cells)
}

// StateValue is one value of the state after at.
func (x *Index) StateValue(ctx context.Context, at model.Event, path string) (answer.StateValue, error) {
	key, err := x.folded(ctx, at.Session, at.Pos)
	if err != nil {
		return answer.StateValue{}, err
	}
	p, err := x.lookup(ctx, key, at, path)
	if err != nil {
		return answer.StateValue{}, err
	}
	out := answer.StateValue{Path: p.Pointer, Value: p.value, Certainty: p.certainty}
	w, err := x.writerOf(ctx, key, at.Pos, p)
	if err != nil || w.Pos == 0 {
		return out, err
	}
	out.By, err = x.refAt(ctx, key, w.Pos)
	return out, err
}

// spot is a place in the state after an event, with what stands there.
type spot struct {
	model.StatePath
	place     replay.Place
	cells     replay.Cells
	value     []byte
	certainty *string // of a file
}

// lookup finds a place in the state after at. Where nothing stands there it is
// a *PathError.
func (x *Index) lookup(ctx context.Context, key int64, at model.Event, path string) (spot, error) {
	p, ok := model.ParseStatePath(path)
	if !ok {
		return spot{}, &PathError{Path: path, Reason: "a path is a JSON Pointer (/shell/cwd), file:NAME, or a name like errors.count"}
	}
	out := spot{StatePath: p}
	if out.place, ok = replay.Locate(p.Pointer); ok {
		var err error
		if out.cells, err = x.cells(ctx, key, at.Pos, out.place); err != nil {
			return out, err
		}
		out.value, ok = replay.Lookup(out.cells, p.Pointer)
	}
	if !ok {
		near, err := x.nearPaths(ctx, key, at.Pos, p.Pointer)
		if err != nil {
			return out, err
		}
		return out, &PathError{Path: path, Reason: fmt.Sprintf("nothing stands there after %d", at.Seq), Nearest: near}
	}
	if out.place.Cell != "" && isFile(out.place.Cell) {
		c := certaintyOf(out.cells[out.place.Cell]).String()
		out.certainty = &c
	}
	return out, nil
}

// certaintyOf reads the certainty of a file's cell.
func certaintyOf(v model.Value) model.Certainty {
	var file struct{ Certainty string }
	if json.Unmarshal(v.JSON, &file) != nil {
		return model.CertaintyUnknown
	}
	c, _ := model.ParseCertainty(file.Certainty)
	return c
}

// nearPaths lists what stands in the collection in which a pointer that names
// nothing would stand: what resembles it first.
func (x *Index) nearPaths(ctx context.Context, key, pos int64, pointer string) ([]string, error) {
	const shown = 4
	group := pointer
	for group != "" {
		group = group[:strings.LastIndexByte(group, '/')]
		if p, ok := replay.Locate(group); ok && p.Cell == "" {
			break
		}
	}
	if group == "" {
		return nil, nil
	}
	paths, err := x.pathsIn(ctx, key, pos, group)
	if err != nil {
		return nil, err
	}
	name := path.Base(strings.ReplaceAll(pointer[len(group):], "~1", "/"))
	var alike, others []string
	for _, p := range paths {
		switch {
		case p == model.PathTasks:
		case strings.Contains(p, name):
			alike = append(alike, spelled(p))
		default:
			others = append(others, spelled(p))
		}
	}
	all := append(alike, others...)
	return all[:min(len(all), shown)], nil
}

// pathsIn lists the cells of a group after pos, bytewise. Of a collection it
// reads no texts.
func (x *Index) pathsIn(ctx context.Context, key, pos int64, group string) ([]string, error) {
	switch group {
	case model.PathMessages, model.PathFiles, model.PathPending:
		return x.st.Reader().MemberPaths(ctx, key, group, pos)
	}
	place, _ := replay.Locate(group)
	cells, err := x.cells(ctx, key, pos, place)
	return slices.Sorted(maps.Keys(cells)), err
}

// spelled is a cell's path as people write it.
func spelled(path string) string {
	if name, ok := strings.CutPrefix(path, model.PathFiles+"/"); ok {
		return "file:" + model.UnescapePointer(name)
	}
	return path
}

// refAt names the event that is at a pos of a session, in the session whose own
// it is.
func (x *Index) refAt(ctx context.Context, key, pos int64) (*answer.Ref, error) {
	refs, err := x.refsAt(ctx, key, []int64{pos})
	if err == nil && refs[0] == nil {
		err = noPosition(pos)
	}
	return refs[0], err
}

func refOf(e model.Event) model.Ref {
	return model.Ref{Session: e.Session, Seq: e.Seq, Pos: e.Pos, ID: e.ID}
}

// writerOf finds the write that gave a place its value: of a place within a
// cell the one since which it has not changed, of a group of cells the latest
// in it. Pos 0: it has had this value from the start.
func (x *Index) writerOf(ctx context.Context, key, pos int64, p spot) (model.Write, error) {
	if p.place.Cell != "" {
		return x.leafWriter(ctx, key, pos, p.place.Cell, p.Pointer)
	}
	at, err := x.st.Reader().NearBelow(ctx, key, p.place.Prefix, pos+1, true)
	return model.Write{Pos: at}, err
}

// leafWriter walks the writes of a cell back to the one that changed a place in it.
func (x *Index) leafWriter(ctx context.Context, key, pos int64, cell, pointer string) (model.Write, error) {
	r := x.st.Reader()
	for {
		w, ok, err := r.WriteAt(ctx, key, cell, pos)
		if err != nil || !ok || cell == pointer {
			return w, err
		}
		if err := x.fillTexts(ctx, key, &w); err != nil {
			return w, err
		}
		old, hadOld := inside(w.Old, cell, pointer)
		now, hasNew := inside(w.New, cell, pointer)
		if hadOld != hasNew || string(old) != string(now) {
			return w, nil
		}
		if pos = w.Pos - 1; pos == 0 {
			return model.Write{}, nil
		}
	}
}

// inside is what a cell's value shows at a pointer.
func inside(v model.Value, cell, pointer string) ([]byte, bool) {
	if v.Absent() {
		return nil, false
	}
	return replay.Lookup(replay.Cells{cell: v}, pointer)
}

// fillTexts adds to a write of a file the texts before and after it.
func (x *Index) fillTexts(ctx context.Context, key int64, w *model.Write) error {
	if !isFile(w.Path) {
		return nil
	}
	var err error
	if !w.New.Absent() {
		if w.New.Text, _, err = x.st.Reader().FileText(ctx, key, w.Path, w.Pos); err != nil {
			return err
		}
	}
	if !w.Old.Absent() {
		w.Old.Text, _, err = x.st.Reader().FileText(ctx, key, w.Path, w.Pos-1)
	}
	return err
}

// WaitStates blocks until the states of all events are there, and returns why
// that stopped early if it did.
func (x *Index) WaitStates(ctx context.Context) error {
	select {
	case <-x.folds:
		return x.Status().FoldErr
	case <-ctx.Done():
		return ctx.Err()
	}
}
