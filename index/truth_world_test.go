package index

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hindcast/model"
	"hindcast/model/answer"
)

// world is an opened dump that is compared with its truth file.
type world struct {
	*testing.T
	*ledger
	x        *Index
	ctx      context.Context
	dump     string // folder and packaging
	want     *truth
	names    truthNames
	sessions []model.Session
	events   map[string][]model.Event // of a session, by pos-1
	ids      map[string]map[string]int64
	states   map[model.Ref]answer.State
}

func openWorld(t *testing.T, dump, input string, want *truth) *world {
	t.Helper()
	dialect, _, _ := strings.Cut(dump, "/")
	w := &world{T: t, ctx: context.Background(), dump: dump, want: want, names: namesOf(dialect),
		events: make(map[string][]model.Event), ids: make(map[string]map[string]int64), states: make(map[model.Ref]answer.State)}
	w.names.pad = lengthened[filepath.Dir(dump)]
	if w.names.pad != "" {
		input = w.lengthen(input)
	}
	w.x = openAll(t, "", Options{IndexPath: filepath.Join(t.TempDir(), "index.db")}, input)
	var err error
	if w.sessions, err = w.x.Sessions(w.ctx); err != nil {
		t.Fatal(err)
	}
	for _, s := range w.sessions {
		ids := make(map[string]int64)
		if err := w.x.st.Reader().Aliases(w.ctx, s.Key, func(pos int64, alias string) { ids[alias] = pos }); err != nil {
			t.Fatal(err)
		}
		w.ids[s.ID] = ids
	}
	for _, e := range allEvents(t, w.x) {
		w.events[e.Session] = append(w.events[e.Session], e)
		if _, seen := w.ids[e.Session][e.ID]; e.ID != "" && (!seen || w.ids[e.Session][e.ID] > e.Pos) {
			w.ids[e.Session][e.ID] = e.Pos
		}
	}
	return w
}

// lengthen copies a dump with the folder's name as long as it was when the run
// was recorded.
func (w *world) lengthen(input string) string {
	w.Helper()
	b, err := os.ReadFile(input)
	if err != nil {
		w.Fatal(err)
	}
	to := filepath.Join(w.TempDir(), filepath.Base(input))
	writeFile(w.T, to, []byte(w.names.longer(string(b))))
	return to
}

func (w *world) check() {
	checkAccounting(w.T, w.x)
	checkRaw(w.T, w.x)
	w.checkSessions()
	w.checkCounts()
	w.checkLinks()
	w.checkFailures()
	w.checkCauses()
	w.checkContexts()
	w.checkView()
	w.checkFiles()
	w.checkShell()
	w.checkTasks()
	w.checkUsage()
}

// absent counts what a packaging holds no record of.
func (w *world) absent(key string, named ...word) {
	w.Helper()
	w.say("absent", missing, "%s: no record of %s", key, named)
}

func (w *world) say(key string, v verdict, format string, args ...any) {
	w.Helper()
	w.claim(w.T, w.dump, key, v, format, args...)
}

// session finds a session by its id; nil where the packaging does not hold it.
// One that its records do not name is called after its file.
func (w *world) session(id string) *model.Session {
	for i := range w.sessions {
		if w.sessions[i].ID == id {
			return &w.sessions[i]
		}
	}
	stem := strings.TrimSuffix(path.Base(w.dump), path.Ext(w.dump))
	if len(w.sessions) == 1 && len(w.want.Sessions) == 1 && string(w.want.Sessions[0].ID) == id && w.sessions[0].ID == stem {
		return &w.sessions[0]
	}
	return nil
}

func (w *world) last(session string) model.Event {
	all := w.events[session]
	return all[len(all)-1]
}

func (w *world) at(session string, pos int64) model.Event { return w.events[session][pos-1] }

// named lists the events that a truth file means by a word: those of an id, those
// of a call, the one at a place in the file.
func (w *world) named(word word) []model.Event { return w.meant(word, w.is) }

// belonging lists these and, of a message, the events of its parts.
func (w *world) belonging(word word) []model.Event { return w.meant(word, w.within) }

func (w *world) meant(word word, is func(model.Event, string) bool) (out []model.Event) {
	text := w.names.of(string(word))
	if text == "" {
		return nil
	}
	if s := w.session(text); s != nil {
		return w.events[s.ID][:min(1, len(w.events[s.ID]))]
	}
	for _, s := range w.sessions {
		all := w.events[s.ID]
		if id, pos, ok := strings.Cut(text, ":"); ok && id == s.ID {
			if n, err := strconv.Atoi(pos); err == nil && n >= 1 && n <= len(all) {
				return all[n-1 : n]
			}
		}
		if n, ok := placeIn(text); ok && n <= len(all) && len(w.sessions) == 1 {
			return all[n-1 : n]
		}
		for _, e := range all {
			if e.Origin != model.OriginInherited && is(e, text) {
				out = append(out, e)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// is reports whether an event carries an id, or tells of the part that does
// again.
func (w *world) is(e model.Event, id string) bool {
	if e.ID == id || w.ids[e.Session][id] == e.Pos || e.Call == id && (e.ID == "" || w.names.byCall) {
		return true
	}
	return w.names.objects && strings.HasPrefix(id, "prt_") && w.under(e, func(up model.Event) bool { return w.is(up, id) })
}

// within reports whether an event is of the object of an id, or of a part of it.
func (w *world) within(e model.Event, id string) bool {
	return w.is(e, id) || w.names.objects && w.under(e, func(up model.Event) bool { return w.within(up, id) })
}

// under reports whether what an event has as parent is so.
func (w *world) under(e model.Event, is func(model.Event) bool) bool {
	return slices.ContainsFunc(e.Links, func(l model.Link) bool {
		return l.Reason == model.ReasonParent && l.To.Session == e.Session && l.To.Pos > 0 && l.To.Pos < e.Pos && is(w.at(e.Session, l.To.Pos))
	})
}

// placeIn reads messages[7] and history[7], which count from 0.
func placeIn(text string) (n int, ok bool) {
	for _, list := range []string{"messages[", "history["} {
		if rest, found := strings.CutPrefix(text, list); found {
			n, err := strconv.Atoi(strings.TrimSuffix(rest, "]"))
			return n + 1, err == nil
		}
	}
	return 0, false
}

// first is the first event that a word names.
func (w *world) first(word word) (model.Event, bool) {
	all := w.named(word)
	if len(all) == 0 {
		return model.Event{}, false
	}
	return all[0], true
}

// settled is the event at which what a word names was done: of a call its
// result.
func (w *world) settled(word word) (model.Event, bool) {
	all := w.named(word)
	if len(all) == 0 {
		return model.Event{}, false
	}
	if i := slices.IndexFunc(all, func(e model.Event) bool { return e.Kind == model.KindObservation }); i >= 0 {
		return all[i], true
	}
	if w.names.objects {
		parts := w.belonging(word)
		if i := slices.IndexFunc(parts, func(e model.Event) bool { return e.Kind == model.KindObservation }); i >= 0 {
			return parts[i], true
		}
	}
	return all[len(all)-1], true
}

// state is the state document after an event.
func (w *world) state(at model.Event) answer.State {
	w.Helper()
	ref := model.Ref{Session: at.Session, Pos: at.Pos}
	if s, ok := w.states[ref]; ok {
		return s
	}
	s, err := w.x.State(w.ctx, at, false)
	if err != nil {
		w.Fatal(err)
	}
	w.states[ref] = s
	return s
}

// before is the state before an event.
func (w *world) before(e model.Event) answer.State {
	if e.Pos == 1 {
		return answer.State{}
	}
	return w.state(w.at(e.Session, e.Pos-1))
}
