package index

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/replay"
)

// groupHistory lists what the events up to pos wrote below a group of cells: a
// write is of one event, and its values are the members that this event wrote,
// as an object, those of collections by key.
func (x *Index) groupHistory(ctx context.Context, key int64, prefix string, pos int64) ([]answer.HistoryWrite, error) {
	var writes []model.Write
	err := x.st.Reader().Writes(ctx, key, 0, pos, func(w model.Write) bool {
		if strings.HasPrefix(w.Path, prefix+"/") {
			writes = append(writes, w)
		}
		return true
	})
	out := []answer.HistoryWrite{}
	for err == nil && len(writes) > 0 {
		n := 1
		for n < len(writes) && writes[n].Pos == writes[0].Pos {
			n++
		}
		var w answer.HistoryWrite
		if w, err = x.groupWrite(ctx, key, prefix, writes[:n]); err == nil {
			out = append(out, w)
		}
		writes = writes[n:]
	}
	return out, err
}

// groupWrite is what one event wrote below a prefix. Of a cell that it wrote
// twice the first old and the last new value count.
func (x *Index) groupWrite(ctx context.Context, key int64, prefix string, writes []model.Write) (answer.HistoryWrite, error) {
	old, now := make(map[string]any), make(map[string]any)
	seen := make(map[string]bool)
	for _, w := range writes {
		if err := x.fillTexts(ctx, key, &w); err != nil {
			return answer.HistoryWrite{}, err
		}
		names := strings.Split(strings.TrimPrefix(w.Path, prefix+"/"), "/")
		if !seen[w.Path] {
			put(old, names, w.Old, w.Path)
		}
		seen[w.Path] = true
		put(now, names, w.New, w.Path)
	}
	e, err := x.ownEvent(ctx, key, writes[0].Pos)
	if err != nil {
		return answer.HistoryWrite{}, err
	}
	out := answer.HistoryWrite{Op: model.OpReplace.String(), By: answer.NewEvent(e)}
	switch {
	case len(old) == 0:
		out.Op = model.OpAdd.String()
	case len(now) == 0:
		out.Op = model.OpRemove.String()
	}
	if len(old) > 0 {
		out.Old, err = compactJSON(old)
	}
	if err == nil && len(now) > 0 {
		out.New, err = compactJSON(now)
	}
	return out, err
}

// put sets a member of nested objects to what a cell shows, or takes it out.
func put(into map[string]any, names []string, v model.Value, cell string) {
	shown, ok := replay.Lookup(replay.Cells{cell: v}, cell)
	ok = ok && !v.Absent()
	for _, name := range names[:len(names)-1] {
		next, there := into[model.UnescapePointer(name)].(map[string]any)
		switch {
		case there:
		case !ok:
			return
		default:
			next = make(map[string]any)
			into[model.UnescapePointer(name)] = next
		}
		into = next
	}
	last := model.UnescapePointer(names[len(names)-1])
	if delete(into, last); ok {
		into[last] = json.RawMessage(shown)
	}
}

// compactJSON writes a value as the state has it: members by name, and nothing
// escaped for HTML.
func compactJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
