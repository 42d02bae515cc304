package index

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"hindcast/index/store"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/replay"
)

// Children pages through the members of an object or collection.
func (x *Index) Children(ctx context.Context, at model.Event, path, after string, limit int) (answer.Children, error) {
	key, err := x.folded(ctx, at.Session, at.Pos)
	if err != nil {
		return answer.Children{}, err
	}
	p, ok := model.ParseStatePath(path)
	if !ok {
		return answer.Children{}, &PathError{Path: path, Reason: "it is no path of the state"}
	}
	switch p.Pointer {
	case "":
		return x.rootPage(ctx, key, at, after, limit)
	case model.PathMessages, model.PathPending, model.PathFiles:
		return x.memberPage(ctx, key, at, p.Pointer, after, limit)
	}
	s, err := x.lookup(ctx, key, at, path)
	if err != nil {
		return answer.Children{}, err
	}
	all, err := childrenOf(s.Pointer, s.value)
	if err != nil {
		return answer.Children{}, fmt.Errorf("read the members of %s: %w", s.Pointer, err)
	}
	out := answer.Children{Path: s.Pointer, Total: int64(len(all)), Items: []answer.Child{}}
	for i := indexAfter(all, after); i < len(all) && len(out.Items) < limit; i++ {
		item := all[i]
		if err := x.attribute(ctx, key, at, s, &item); err != nil {
			return out, err
		}
		out.Items = append(out.Items, item)
	}
	return out, nil
}

func indexAfter(all []answer.Child, after string) int {
	for i, c := range all {
		if c.Path == after {
			return i + 1
		}
	}
	return 0
}

// attribute adds who wrote a member last.
func (x *Index) attribute(ctx context.Context, key int64, at model.Event, s spot, item *answer.Child) error {
	place, ok := replay.Locate(item.Path)
	if !ok {
		return nil
	}
	w, err := x.writerOf(ctx, key, at.Pos, spot{StatePath: model.StatePath{Pointer: item.Path}, place: place, cells: cellsBelow(s.cells, item.Path)})
	if err != nil || w.Pos == 0 {
		return err
	}
	item.Changed = w.Pos == at.Pos
	item.By, err = x.refAt(ctx, key, w.Pos)
	return err
}

func cellsBelow(cells replay.Cells, pointer string) replay.Cells {
	out := make(replay.Cells)
	for path, v := range cells {
		if path == pointer || below(path, pointer) {
			out[path] = v
		}
	}
	return out
}

// childrenOf lists the members of a JSON object in their order, or of an array:
// by key where its elements are members of a collection, else by index. Of a
// member that has members itself only their number is told.
func childrenOf(pointer string, value []byte) ([]answer.Child, error) {
	dec := json.NewDecoder(bytes.NewReader(value))
	open, err := dec.Token()
	if err != nil {
		return nil, err
	}
	if open != json.Delim('{') && open != json.Delim('[') {
		return nil, nil
	}
	var all []answer.Child
	for i := 0; dec.More(); i++ {
		name := fmt.Sprint(i)
		if open == json.Delim('{') {
			key, err := dec.Token()
			if err != nil {
				return nil, err
			}
			name = replay.Escape(key.(string))
		}
		var v json.RawMessage
		if err := dec.Decode(&v); err != nil {
			return nil, err
		}
		if open == json.Delim('[') {
			name = keyOf(pointer, v, name)
		}
		c := answer.Child{Path: pointer + "/" + name, Value: v}
		if c.Members = countMembers(v); c.Members > 0 {
			c.Value = nil
		}
		all = append(all, c)
	}
	return all, nil
}

// keyOf is the token by which an element of a collection is addressed.
func keyOf(pointer string, v []byte, index string) string {
	var m struct{ ID, Key, Call string }
	switch pointer {
	case model.PathTasks, model.PathMessages, model.PathPending:
		if json.Unmarshal(v, &m) != nil {
			return index
		}
	}
	for _, k := range []string{m.ID, m.Key, m.Call} {
		if k != "" {
			return replay.Escape(k)
		}
	}
	return index
}

// countMembers is how many members an object or elements an array has.
func countMembers(v []byte) int64 {
	if len(v) == 0 || v[0] != '{' && v[0] != '[' {
		return 0
	}
	dec := json.NewDecoder(bytes.NewReader(v))
	open, err := dec.Token()
	if err != nil {
		return 0
	}
	n := int64(0)
	for dec.More() {
		if open == json.Delim('{') {
			if _, err := dec.Token(); err != nil {
				return n
			}
		}
		var skip json.RawMessage
		if dec.Decode(&skip) != nil {
			return n
		}
		n++
	}
	return n
}

// memberPage reads the members of a collection that may be large. Of files only
// how many members each has is told: the text of one is worth a question.
func (x *Index) memberPage(ctx context.Context, key int64, at model.Event, collection, after string, limit int) (answer.Children, error) {
	r := x.st.Reader()
	out := answer.Children{Path: collection, Items: []answer.Child{}}
	var err error
	if out.Total, err = r.MemberCount(ctx, key, collection, at.Pos); err != nil {
		return out, err
	}
	var members []store.Member
	if collection == model.PathPending {
		members, err = r.Calls(ctx, key, at.Pos, after, limit)
	} else {
		members, err = r.Members(ctx, key, collection, at.Pos, after, limit)
	}
	if err != nil {
		return out, err
	}
	written := make([]int64, len(members))
	for i, m := range members {
		written[i] = m.Pos
	}
	by, err := x.refsAt(ctx, key, written)
	if err != nil {
		return out, err
	}
	for i, m := range members {
		item := answer.Child{Path: m.Path, Value: replay.Shown(m.Path, m.Value), By: by[i], Changed: m.Pos == at.Pos}
		if collection == model.PathFiles {
			item.Members, item.Value = countMembers(item.Value), nil
		}
		out.Items = append(out.Items, item)
	}
	return out, nil
}

// refsAt names events, each in the session whose own it is; that at 0 is none.
func (x *Index) refsAt(ctx context.Context, key int64, positions []int64) ([]*answer.Ref, error) {
	refs, err := x.st.Reader().Refs(ctx, key, positions)
	out := make([]*answer.Ref, len(positions))
	for i, pos := range positions {
		if ref, ok := refs[pos]; ok {
			named := answer.NewRef(ref)
			out[i] = &named
		}
	}
	return out, err
}

// rootPage lists the members of the document: how many each has, and who wrote
// in it last. It reads no more of the large collections than their numbers.
func (x *Index) rootPage(ctx context.Context, key int64, at model.Event, after string, limit int) (answer.Children, error) {
	large := []string{model.PathFiles, model.PathPending, model.PathTasks, model.PathVars}
	found, err := x.st.Reader().Leaves(ctx, key, replay.Fixed(), at.Pos)
	if err != nil {
		return answer.Children{}, err
	}
	leaves := make(replay.Cells)
	for _, m := range found {
		leaves[m.Path] = m.Value
	}
	value, _ := replay.Lookup(leaves, "")
	all, err := childrenOf("", value)
	if err != nil {
		return answer.Children{}, fmt.Errorf("read the members of the document: %w", err)
	}
	out := answer.Children{Total: int64(len(all)), Items: []answer.Child{}}
	var written []int64
	for i := indexAfter(all, after); i < len(all) && len(out.Items) < limit; i++ {
		item := all[i]
		if slices.Contains(large, item.Path) {
			if item.Members, err = x.st.Reader().MemberCount(ctx, key, item.Path, at.Pos); err != nil {
				return out, err
			}
			if item.Members > 0 {
				item.Value = nil
			}
		}
		pos, err := x.wroteLast(ctx, key, at.Pos, item.Path, found)
		if err != nil {
			return out, err
		}
		item.Changed = pos > 0 && pos == at.Pos
		out.Items, written = append(out.Items, item), append(written, pos)
	}
	by, err := x.refsAt(ctx, key, written)
	for i := range by {
		out.Items[i].By = by[i]
	}
	return out, err
}

// wroteLast finds the event that wrote last in a member of the document, of
// which the fixed leaves are at hand; 0: none did.
func (x *Index) wroteLast(ctx context.Context, key, pos int64, path string, leaves []store.Member) (last int64, err error) {
	if place, _ := replay.Locate(path); place.Cell == "" && replay.HasMembers(path) {
		if last, err = x.st.Reader().NearBelow(ctx, key, path, pos+1, true); err != nil {
			return 0, err
		}
	}
	for _, m := range leaves {
		if below(m.Path, path) || m.Path == path && path != model.PathTasks {
			last = max(last, m.Pos)
		}
	}
	return last, nil
}
