package store

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"hindcast/model"
)

// world is a state document kept the simple way, with all that was ever
// written.
type world struct {
	rng    *rand.Rand
	cells  map[string]model.Value
	events []EventWrites
	floor  int64 // no event comes at or before it
}

func newWorld(seed uint64) *world {
	return &world{rng: rand.New(rand.NewPCG(seed, 9)), cells: map[string]model.Value{}}
}

var worldLeaves = map[string]string{"/usage/input_tokens": "null", "/usage/cost_usd": "null", "/status/execution": "null", "/errors/count": "0",
	"/shell/running": "null", "/checkpoint": "null", "/context/tokens": "null"}

// step makes the writes of the next event, which stands up to three positions
// further.
func (w *world) step() {
	pos := max(w.last(), w.floor) + int64(1+w.rng.IntN(3))
	e := EventWrites{Pos: pos, Seq: pos - 7}
	done := map[string]bool{}
	for range 1 + w.rng.IntN(6) {
		w.change(&e, done)
	}
	if len(e.Writes) > 0 || w.rng.IntN(2) == 0 {
		w.events = append(w.events, e)
	}
}

func (w *world) change(e *EventWrites, done map[string]bool) {
	switch w.rng.IntN(12) {
	case 0:
		leaf := slices.Sorted(maps.Keys(worldLeaves))[w.rng.IntN(len(worldLeaves))]
		w.put(e, done, leaf, w.leaf())
	case 1, 2:
		w.put(e, done, "/context/messages/"+model.MessageKey(e.Pos), w.message(e, model.MessageKey(e.Pos)))
	case 3:
		keys := []string{"k" + fmt.Sprint(w.rng.IntN(9)), "a~1b", "0000000000x", model.MessageKey(int64(w.rng.IntN(3000))), `q"u`, "", "\xff\x00", "9999999999"}
		key := keys[w.rng.IntN(len(keys))]
		w.put(e, done, "/context/messages/"+key, w.message(e, key))
	case 4:
		if w.rng.IntN(20) == 0 {
			for _, path := range w.members(model.PathMessages) {
				w.put(e, done, path, model.Value{})
			}
		}
		fallthrough
	case 5:
		for range w.rng.IntN(4) {
			collection := []string{model.PathMessages, model.PathPending, model.PathFiles, model.PathTasks, model.PathVars}[w.rng.IntN(5)]
			if list := w.members(collection); len(list) > 0 {
				w.put(e, done, list[w.rng.IntN(len(list))], model.Value{})
			}
		}
	case 6:
		for range 1 + w.rng.IntN(3) {
			call := fmt.Sprintf("call_%d", w.rng.IntN(40))
			w.put(e, done, "/pending/"+call, model.Value{JSON: fmt.Appendf(nil, `{"call":"%s","seq":%d,"pos":%d,"tool":"ba\"sh"}`, call, e.Seq, e.Pos)})
		}
	case 7:
		w.put(e, done, "/tasks/"+fmt.Sprint(w.rng.IntN(5)), model.Value{JSON: fmt.Appendf(nil, `{"id":"x","title":"t%d"}`, w.rng.IntN(3))})
		w.put(e, done, "/tasks", model.Value{JSON: fmt.Appendf(nil, `["%d"]`, w.rng.IntN(1000))})
	case 8:
		w.put(e, done, "/vars/"+fmt.Sprint(w.rng.IntN(30)), w.leaf())
	default:
		path := "/files/~1f" + fmt.Sprint(w.rng.IntN(8))
		if w.rng.IntN(5) == 0 && !done[path] && !w.cells[path].Absent() {
			w.put(e, done, path, w.file(e, path))
			done[path] = false
		}
		w.put(e, done, path, w.file(e, path))
	}
}

func (w *world) leaf() model.Value {
	list := []string{"null", "true", "false", "0", "17", "-3", "1e3", "0.25", `"running"`, `{"a":[1,2]}`, fmt.Sprint(w.rng.IntN(1 << 40)), "01", "123456789012345678901"}
	return model.Value{JSON: []byte(list[w.rng.IntN(len(list))])}
}

func (w *world) message(e *EventWrites, key string) model.Value {
	id := []string{"null", `"evt_1"`, `"9f1c2a3b-0000-4444-8888-aabbccddeeff"`, `"q\"\\"`}[w.rng.IntN(4)]
	role := []string{"user", "assistant", "tool", "system", "odd"}[w.rng.IntN(5)]
	tokens := []string{"null", "0", "812", "-1"}[w.rng.IntN(4)]
	key = strings.NewReplacer("~1", "/", `"`, `\"`).Replace(key)
	return model.Value{JSON: fmt.Appendf(nil, `{"key":"%s","seq":%d,"pos":%d,"event":%s,"role":"%s","tokens":%s,"chars":%d,"summary":%t}`,
		key, e.Seq, e.Pos-int64(w.rng.IntN(2)), id, role, tokens, w.rng.IntN(9000), w.rng.IntN(2) == 0)}
}

func (w *world) file(e *EventWrites, path string) model.Value {
	old := w.cells[path].Text
	var text *string
	switch {
	case w.rng.IntN(9) == 0:
	case old != nil && w.rng.IntN(3) == 0:
		text = old
	case w.rng.IntN(6) == 0:
		for _, other := range w.members(model.PathFiles) {
			text = w.cells[other].Text
		}
	default:
		s := ""
		if old != nil && w.rng.IntN(8) > 0 {
			s = *old
		}
		at := w.rng.IntN(len(s) + 1)
		cut := min(len(s)-at, w.rng.IntN(20))
		s = s[:at] + strings.Repeat(fmt.Sprintf("line %d\n", w.rng.IntN(1000)), w.rng.IntN(60)) + s[at+cut:]
		text = &s
	}
	hash, lines := "null", 0
	if text != nil {
		hash, lines = fmt.Sprintf(`"%x"`, sha256.Sum256([]byte(*text))), strings.Count(*text, "\n")
	}
	certainty := model.Certainty(w.rng.IntN(4)).String()
	writer := fmt.Sprintf(`"written_by":%d,"written_pos":%d`, e.Seq-int64(w.rng.IntN(3)), e.Pos)
	if w.rng.IntN(4) == 0 {
		writer = `"written_by":null,"written_pos":null`
	}
	return model.Value{JSON: fmt.Appendf(nil, `{"certainty":"%s","lines":%d,"sha256":%s,%s}`, certainty, lines, hash, writer), Text: text}
}

// put writes a cell once.
func (w *world) put(e *EventWrites, done map[string]bool, path string, v model.Value) {
	old, there := w.cells[path]
	if initial, fixed := worldLeaves[path]; fixed && !there {
		old = model.Value{JSON: []byte(initial)}
	}
	if done[path] || old.Absent() && v.Absent() {
		return
	}
	done[path] = true
	wr := model.Write{Path: path, Pos: e.Pos, Old: old, New: v, Restores: int64(w.rng.IntN(2) * w.rng.IntN(int(e.Pos)+5))}
	if v.Absent() && strings.HasPrefix(path, model.PathMessages) {
		wr.Lost = model.LostReason(w.rng.IntN(7))
	}
	e.Writes = append(e.Writes, wr)
	w.cells[path] = v
}

func (w *world) members(collection string) (out []string) {
	for path, v := range w.cells {
		if strings.HasPrefix(path, collection+"/") && !v.Absent() {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out
}

// back undoes all events at or behind pos.
func (w *world) back(pos int64) {
	clear(w.cells)
	w.floor = pos - 1
	for i, e := range w.events {
		if e.Pos >= pos {
			w.events = w.events[:i:i]
			break
		}
		for _, wr := range e.Writes {
			w.cells[wr.Path] = wr.New
		}
	}
}

func (w *world) last() int64 {
	if len(w.events) == 0 {
		return 0
	}
	return w.events[len(w.events)-1].Pos
}

// writes lists the writes of (from, to], without texts, of one path or all.
func (w *world) writes(path string, from, to int64) (out []model.Write) {
	for _, e := range w.events {
		for _, wr := range e.Writes {
			if wr.Pos > from && wr.Pos <= to && (path == "" || wr.Path == path) {
				wr.Old.Text, wr.New.Text = nil, nil
				out = append(out, wr)
			}
		}
	}
	return out
}

// at gives the last write of each cell at or before pos.
func (w *world) at(pos int64) map[string]model.Write {
	out := map[string]model.Write{}
	for _, e := range w.events {
		for _, wr := range e.Writes {
			if wr.Pos <= pos {
				out[wr.Path] = wr
			}
		}
	}
	return out
}

func (w *world) paths() []string {
	return slices.Sorted(maps.Keys(w.at(w.last())))
}

// standing lists the members of a collection after the event at pos.
func (w *world) standing(collection string, pos int64) (out []Member) {
	for path, wr := range w.at(pos) {
		if strings.HasPrefix(path, collection+"/") && !wr.New.Absent() {
			out = append(out, Member{Path: path, Value: model.Value{JSON: wr.New.JSON}, Pos: wr.Pos})
		}
	}
	slices.SortFunc(out, func(a, b Member) int { return cmp.Compare(a.Path, b.Path) })
	return out
}
