package index

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"hindcast/index/store"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/replay"
)

// History calls yield with the writes of a path, oldest first, until it returns
// an error: of a place within a cell those that changed it, of a group of cells
// the members that each event wrote.
func (x *Index) History(ctx context.Context, session, path string, yield func(answer.HistoryWrite) error) error {
	p, ok := model.ParseStatePath(path)
	if !ok {
		return &PathError{Path: path, Reason: "it is no path of the state"}
	}
	place, ok := replay.Locate(p.Pointer)
	if !ok {
		return &PathError{Path: path, Reason: "the state has no such place"}
	}
	key, last, err := x.foldedAll(ctx, session)
	if err != nil {
		return err
	}
	h := &history{x: x, ctx: ctx, key: key, last: last, texts: x.st.Reader().FileTexts(key, last), yield: yield}
	if place.Cell == "" {
		err = h.ofGroup(place.Prefix)
	} else {
		err = h.ofCell(place.Cell, p.Pointer)
	}
	if err == nil {
		err = h.flush()
	}
	if err != nil || h.found || place.Cell == "" {
		return err
	}
	if _, fixed := replay.Initial(place.Cell); len(place.Below) == 0 && (h.any || fixed) {
		return nil
	}
	near, err := x.nearPaths(ctx, key, last, p.Pointer)
	if err != nil {
		return err
	}
	return &PathError{Path: path, Reason: "nothing ever stood there", Nearest: near}
}

// errStood ends a history by its first write.
var errStood = errors.New("something stood there")

// stood refuses a pointer at which nothing stood at any event.
func (x *Index) stood(ctx context.Context, session, pointer string) error {
	place, ok := replay.Locate(pointer)
	if ok && place.Cell == "" {
		return nil
	}
	err := x.History(ctx, session, pointer, func(answer.HistoryWrite) error { return errStood })
	if errors.Is(err, errStood) {
		return nil
	}
	return err
}

// eachWrite calls f with the writes of a cell up to pos, without texts, a page of
// them read at once.
func (x *Index) eachWrite(ctx context.Context, key int64, cell string, pos int64, f func(model.Write) error) error {
	h := cellHead{cell: cell}
	err := h.fill(ctx, x, key)
	for err == nil && len(h.page) > 0 && h.page[0].Pos <= pos {
		if err = f(h.page[0]); err == nil {
			err = h.advance(ctx, x, key)
		}
	}
	return err
}

// cellHead reads the history of a cell a page at a time.
type cellHead struct {
	cell  string
	page  []model.Write
	after int64
	end   bool
}

func (h *cellHead) fill(ctx context.Context, x *Index, key int64) error {
	if h.end {
		return nil
	}
	page, err := x.st.Reader().History(ctx, key, h.cell, h.after, pageOf)
	if err != nil {
		return err
	}
	h.page, h.end = page, len(page) < pageOf
	if n := len(page); n > 0 {
		h.after = page[n-1].Pos
	}
	return nil
}

func (h *cellHead) advance(ctx context.Context, x *Index, key int64) error {
	if h.page = h.page[1:]; len(h.page) > 0 {
		return nil
	}
	return h.fill(ctx, x, key)
}

// history is one on its way: writes wait for their events, which are read
// many at once, the first few soon.
type history struct {
	x     *Index
	ctx   context.Context
	key   int64
	last  int64 // pos
	texts *store.FileTexts
	yield func(answer.HistoryWrite) error
	any   bool // a write of the path's cell was there
	found bool // one that is told

	waiting []answer.HistoryWrite
	at      []int64 // where they were written
	bytes   int     // of their values
	room    int     // for so many
}

// How many writes wait for their events, and how many bytes of values.
const (
	firstWaiting = 32
	waitingBytes = 1 << 20
)

func (h *history) ofCell(cell, pointer string) error {
	var now []byte
	stands := false
	return h.x.eachWrite(h.ctx, h.key, cell, h.last, func(w model.Write) error {
		if err := h.texts.Fill(h.ctx, &w); err != nil {
			return err
		}
		old, hadOld := now, stands && !w.Old.Absent()
		if !h.any {
			old, hadOld = inside(w.Old, cell, pointer)
		}
		h.any = true
		if now, stands = inside(w.New, cell, pointer); hadOld == stands && bytes.Equal(old, now) {
			return nil
		}
		return h.add(w.Pos, old, now, hadOld, stands)
	})
}

// ofGroup lists what events wrote below a group of cells: a write is of one
// event, and its values are the members that this event wrote, as an object,
// those of collections by key.
func (h *history) ofGroup(prefix string) error {
	var writes []model.Write
	var failed error
	err := h.x.st.Reader().Writes(h.ctx, h.key, 0, h.last, func(w model.Write) bool {
		if !below(w.Path, prefix) {
			return true
		}
		if len(writes) > 0 && w.Pos != writes[0].Pos {
			failed = h.addGroup(prefix, writes)
			writes = writes[:0]
		}
		if failed == nil {
			failed = h.texts.Fill(h.ctx, &w)
		}
		writes = append(writes, w)
		return failed == nil
	})
	if err == nil && failed == nil && len(writes) > 0 {
		err = h.addGroup(prefix, writes)
	}
	return errors.Join(err, failed)
}

// addGroup adds what one event wrote below a prefix. Of a cell that it wrote
// twice the first old and the last new value count.
func (h *history) addGroup(prefix string, writes []model.Write) error {
	old, now := make(map[string]any), make(map[string]any)
	seen := make(map[string]bool)
	for _, w := range writes {
		names := strings.Split(strings.TrimPrefix(w.Path, prefix+"/"), "/")
		if !seen[w.Path] {
			put(old, names, w.Old, w.Path)
		}
		seen[w.Path] = true
		put(now, names, w.New, w.Path)
	}
	before, err := compactJSON(old)
	if err != nil {
		return err
	}
	after, err := compactJSON(now)
	if err != nil {
		return err
	}
	return h.add(writes[0].Pos, before, after, len(old) > 0, len(now) > 0)
}

// add takes what stood at the path and what stands there since.
func (h *history) add(pos int64, old, now []byte, hadOld, hasNew bool) error {
	h.found = true
	w := answer.HistoryWrite{Op: model.OpReplace.String()}
	switch {
	case !hadOld:
		w.Op = model.OpAdd.String()
	case !hasNew:
		w.Op = model.OpRemove.String()
	}
	if hadOld {
		w.Old = old
	}
	if hasNew {
		w.New = now
	}
	h.waiting, h.at = append(h.waiting, w), append(h.at, pos)
	if h.bytes += len(w.Old) + len(w.New); len(h.waiting) < max(h.room, firstWaiting) && h.bytes < waitingBytes {
		return nil
	}
	return h.flush()
}

// flush hands on the writes that wait.
func (h *history) flush() error {
	events, err := h.x.st.Reader().LinkedEventsAt(h.ctx, h.key, slices.Compact(slices.Clone(h.at)))
	if err != nil {
		return err
	}
	if err := h.x.ownEvents(h.ctx, h.key, events); err != nil {
		return err
	}
	for i, w := range h.waiting {
		e, ok := events[h.at[i]]
		if !ok {
			return fmt.Errorf("event %d is not in the index", h.at[i])
		}
		w.By = answer.NewEvent(e)
		if err := h.yield(w); err != nil {
			return err
		}
	}
	clear(h.waiting)
	h.waiting, h.at, h.bytes, h.room = h.waiting[:0], h.at[:0], 0, eventsOf
	return nil
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

// ErrStatesBehind says that the states are still being built, and are far from
// the event that was asked about.
var ErrStatesBehind = errors.New("the states are still being built")

// noteWait is how many events the states may be behind for notes to be waited
// for: a record is shown at once, however long its dump is.
const noteWait = 20_000

// Notes lists what the fold noticed at an event; ErrStatesBehind where that
// would take long to tell.
func (x *Index) Notes(ctx context.Context, e model.Event) ([]model.Note, error) {
	key, err := x.key(ctx, e.Session)
	if err != nil {
		return nil, err
	}
	at, err := x.st.Reader().Folded(ctx, key)
	if err != nil {
		return nil, err
	}
	if e.Pos-at > noteWait && !x.Status().Folded {
		return nil, ErrStatesBehind
	}
	if key, err = x.folded(ctx, e.Session, e.Pos); err != nil {
		return nil, err
	}
	return x.st.Reader().FoldNotesAt(ctx, key, e.Pos, e.Pos)
}
