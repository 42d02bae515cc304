package inspector

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hindcast/index"
	"hindcast/model"
	"hindcast/model/answer"
)

// cellWrite is one write of the fake's state.
type cellWrite struct {
	pos  int64
	path string
	json string // empty: gone
}

// fixed are the leaves that always exist.
var fixed = []string{
	"/status/execution", "/status/reason", "/context/forgotten", "/context/tokens", "/shell/cwd", "/shell/command", "/shell/exit_code",
	"/shell/running", "/usage/input_tokens", "/usage/output_tokens", "/usage/cost_usd", "/errors/count", "/errors/last_seq", "/checkpoint",
}

// write records that an event wrote a cell.
func (f *fake) write(pos int64, path, value string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.writes = append(f.writes, cellWrite{pos, path, value})
	slices.SortStableFunc(f.writes, func(a, b cellWrite) int { return cmp.Compare(a.pos, b.pos) })
}

// cells are the values after pos, by path, and who wrote them.
func (f *fake) cells(pos int64) (values map[string]string, by map[string]int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	values, by = map[string]string{}, map[string]int64{}
	for _, path := range fixed {
		values[path] = "null"
	}
	values["/context/forgotten"], values["/errors/count"] = "0", "0"
	for _, w := range f.writes {
		if w.pos > pos {
			break
		}
		if by[w.path] = w.pos; w.json == "" {
			delete(values, w.path)
		} else {
			values[w.path] = w.json
		}
	}
	return values, by
}

func (f *fake) ref(session string, pos int64) *answer.Ref {
	if pos == 0 {
		return nil
	}
	e := f.in(session, pos)
	r := answer.NewRef(ref(&e))
	return &r
}

func (f *fake) WaitStates(context.Context) error { return nil }

func (f *fake) StateReady(_ context.Context, session string) (int64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.folded > 0 {
		return f.folded - 1, nil
	}
	return int64(len(f.events[session])), nil
}

func (f *fake) State(context.Context, model.Event, bool) (answer.State, error) {
	return answer.State{}, nil
}

func (f *fake) StateValue(ctx context.Context, at model.Event, path string) (answer.StateValue, error) {
	values, by := f.cells(at.Pos)
	out := answer.StateValue{Path: path, By: f.ref(at.Session, by[path])}
	if v, ok := values[path]; ok {
		out.Value = json.RawMessage(v)
		return out, nil
	}
	if path == model.PathMessages {
		c, err := f.Children(ctx, at, path, "", 1000)
		list := []json.RawMessage{}
		for _, item := range c.Items {
			list = append(list, item.Value)
		}
		out.Value, _ = json.Marshal(list)
		return out, err
	}
	if strings.Count(path, "/") > 1 {
		return out, &index.PathError{Path: path, Reason: "nothing stands there"}
	}
	members := map[string]json.RawMessage{}
	for p, v := range values {
		if name, ok := strings.CutPrefix(p, path+"/"); ok {
			members[model.UnescapePointer(name)] = json.RawMessage(v)
		}
	}
	var err error
	out.Value, err = json.Marshal(members)
	if path == model.PathTasks {
		out.Value = json.RawMessage("[]")
	}
	return out, err
}

func (f *fake) Children(_ context.Context, at model.Event, path, _ string, limit int) (answer.Children, error) {
	values, by := f.cells(at.Pos)
	out := answer.Children{Path: path}
	for p, v := range values {
		if rest, ok := strings.CutPrefix(p, path+"/"); ok && !strings.Contains(rest, "/") {
			out.Items = append(out.Items, answer.Child{Path: p, Value: json.RawMessage(v), By: f.ref(at.Session, by[p]), Changed: by[p] == at.Pos})
		}
	}
	slices.SortFunc(out.Items, func(a, b answer.Child) int { return strings.Compare(a.Path, b.Path) })
	out.Total = int64(len(out.Items))
	out.Items = out.Items[:min(limit, len(out.Items))]
	return out, nil
}

func (f *fake) Diff(_ context.Context, a, b model.Event, path string) (answer.Diff, error) {
	old, _ := f.cells(a.Pos)
	now, by := f.cells(b.Pos)
	d := answer.Diff{A: answer.NewRef(ref(&a)), B: answer.NewRef(ref(&b)), Events: map[int64]answer.Event{}}
	for p := range by {
		if old[p] == now[p] || path != "" && p != path && !strings.HasPrefix(p, path+"/") {
			continue
		}
		c := answer.Change{Path: p, Op: "replace", Old: json.RawMessage(old[p]), New: json.RawMessage(now[p]), By: f.ref(b.Session, by[p])}
		switch "" {
		case old[p]:
			c.Op, c.Old = "add", nil
		case now[p]:
			c.Op, c.New = "remove", nil
		}
		d.Changes = append(d.Changes, c)
		d.Events[by[p]] = answer.NewEvent(f.list(b.Session)[by[p]-1])
	}
	slices.SortFunc(d.Changes, func(a, b answer.Change) int { return strings.Compare(a.Path, b.Path) })
	return d, nil
}

func (f *fake) DiffRestored(context.Context, model.Event, string) (answer.Diff, error) {
	return answer.Diff{}, nil
}

func (f *fake) DiffRecorded(context.Context, model.Event, string) (answer.Diff, error) {
	return answer.Diff{}, nil
}

func (f *fake) Blame(_ context.Context, at model.Event, path string) (answer.Blame, error) {
	values, by := f.cells(at.Pos)
	out := answer.Blame{Path: path, Value: json.RawMessage(values[path])}
	if pos := by[path]; pos > 0 {
		e := answer.NewEvent(f.in(at.Session, pos))
		out.By = &e
	}
	return out, nil
}

func (f *fake) BlameFile(ctx context.Context, at model.Event, file string, line int64) (answer.BlameFile, error) {
	path := model.PathFiles + "/" + model.EscapePointer(file)
	values, by := f.cells(at.Pos)
	var v struct{ Content, Certainty string }
	if values[path] == "" || json.Unmarshal([]byte(values[path]), &v) != nil {
		return answer.BlameFile{}, &index.PathError{Path: "file:" + file, Reason: "nothing stands there"}
	}
	out := answer.BlameFile{Path: file, Certainty: v.Certainty, Events: map[int64]answer.Event{by[path]: answer.NewEvent(f.list(at.Session)[by[path]-1])}}
	for i, text := range strings.Split(strings.TrimSuffix(v.Content, "\n"), "\n") {
		if n := int64(i + 1); line == 0 || line == n {
			out.Lines = append(out.Lines, answer.BlameLine{N: n, Text: text, By: f.ref(at.Session, by[path])})
		}
	}
	return out, nil
}

func (f *fake) FileNamed(_ context.Context, _ model.Event, name string) (string, error) {
	return name, nil
}

func (f *fake) History(_ context.Context, session, path string, yield func(answer.HistoryWrite) error) error {
	f.mu.Lock()
	list := slices.Clone(f.writes)
	f.mu.Unlock()
	for _, w := range list {
		if w.path != path {
			continue
		}
		if err := yield(answer.HistoryWrite{New: json.RawMessage(w.json), By: answer.NewEvent(f.in(session, w.pos))}); err != nil {
			return err
		}
	}
	return nil
}

func (f *fake) Checkpoints(_ context.Context, session string) (out []index.Checkpoint, err error) {
	for _, e := range f.list(session) {
		if e.Kind == model.KindCheckpoint {
			out = append(out, index.Checkpoint{ID: e.ID, First: e.Pos, Last: e.Pos})
		}
	}
	return out, nil
}

func (f *fake) Notes(context.Context, model.Event) ([]model.Note, error) { return nil, nil }

func (f *fake) WriteNear(_ context.Context, session, path string, pos int64, back bool) (e model.Event, ok bool, err error) {
	f.mu.Lock()
	list := slices.Clone(f.writes)
	f.mu.Unlock()
	if back {
		slices.Reverse(list)
	}
	for _, w := range list {
		if (w.path == path || strings.HasPrefix(w.path, path+"/")) && w.pos != pos && (w.pos < pos) == back {
			return f.in(session, w.pos), true, nil
		}
	}
	return e, false, nil
}

func (f *fake) Context(ctx context.Context, q index.ContextQuery) (answer.Context, error) {
	pos := q.At.Pos
	out := answer.Context{View: "live", Exact: true, Events: map[int64]answer.Event{}}
	if q.For {
		r := answer.NewRef(ref(&q.At))
		out.For = &r
		pos--
	}
	out.At.Session, out.At.Pos = q.At.Session, pos
	if pos > 0 {
		out.At = *f.ref(q.At.Session, pos)
	}
	c, err := f.Children(ctx, model.Event{Session: q.At.Session, Pos: pos}, model.PathMessages, "", 1000)
	for i, item := range c.Items {
		e := f.in(q.At.Session, item.By.Pos)
		role := map[string]string{"user": "user", "agent": "assistant"}[e.Source]
		m := answer.Message{N: i + 1, Role: cmp.Or(role, "tool"), Events: []answer.Ref{*item.By}, Text: e.Title, Chars: int64(len(e.Title))}
		m.Summary = strings.Contains(string(item.Value), `"summary":true`)
		out.Events[e.Pos] = answer.NewEvent(e)
		out.Messages = append(out.Messages, m)
	}
	if q.Lost {
		out.Lost = f.lost(q.At.Session, pos)
	}
	return out, err
}

// lost are the messages that left the view up to pos and are not in it.
func (f *fake) lost(session string, pos int64) []answer.Lost {
	values, by := f.cells(pos)
	var out []answer.Lost
	for path, last := range by {
		if said, ok := strings.CutPrefix(path, model.PathMessages+"/"); ok && values[path] == "" {
			n, _ := strconv.ParseInt(said, 10, 64)
			out = append(out, answer.Lost{Event: *f.ref(session, n), By: *f.ref(session, last), Reason: "condensation"})
		}
	}
	slices.SortFunc(out, func(a, b answer.Lost) int { return cmp.Compare(a.Event.Pos, b.Event.Pos) })
	return out
}

func (f *fake) Knew(ctx context.Context, session, text string) (answer.Knew, error) {
	out := answer.Knew{Text: text}
	for _, e := range f.list(session) {
		c, err := f.Context(ctx, index.ContextQuery{At: e})
		if err != nil {
			return out, err
		}
		holds := slices.ContainsFunc(c.Messages, func(m answer.Message) bool { return strings.Contains(m.Text, text) })
		n := len(out.Spans)
		open := n > 0 && out.Spans[n-1].To == nil
		switch {
		case holds && !open:
			r := *f.ref(session, e.Pos)
			out.Spans = append(out.Spans, answer.Span{From: r, InBy: r, Carriers: []answer.Ref{r}, Exact: true})
		case !holds && open:
			out.Spans[n-1].To, out.Spans[n-1].OutBy = f.ref(session, e.Pos-1), f.ref(session, e.Pos)
		}
	}
	return out, nil
}

func (f *fake) Origin(_ context.Context, at model.Event, text string) (answer.Origin, error) {
	out := answer.Origin{Text: text, UsedAt: answer.NewRef(ref(&at)), Events: map[int64]answer.Event{}}
	for _, e := range f.list(at.Session) {
		if e.Pos > at.Pos || !strings.Contains(e.Title, text) {
			continue
		}
		out.Events[e.Pos] = answer.NewEvent(e)
		r := *f.ref(at.Session, e.Pos)
		if out.First == nil {
			out.First = &r
		}
		out.Path = append(out.Path, r)
	}
	return out, nil
}

func (f *fake) Bisect(context.Context, string, string) (answer.Bisect, error) {
	return answer.Bisect{}, nil
}

func (f *fake) WhyPath(context.Context, model.Event, string) (answer.Why, error) {
	return answer.Why{}, nil
}

func (f *fake) Check(context.Context, string) (answer.Check, error) { return answer.Check{}, nil }

// says puts every message, call and result of a session into the context, and
// a checkpoint takes all but the first out of it.
func (f *fake) says(session string) {
	failed, live := 0, []string{}
	for _, e := range f.list(session) {
		switch e.Kind {
		case model.KindMessage, model.KindAction, model.KindObservation:
			path := fmt.Sprintf("/context/messages/%04d", e.Pos)
			f.write(e.Pos, path, fmt.Sprintf(`{"key":"%04d","seq":%d,"pos":%d,"event":%q,"role":"user","tokens":null,"chars":%d,"summary":false}`, e.Pos, e.Seq, e.Pos, e.ID, len(e.Title)))
			live = append(live, path)
		case model.KindCheckpoint:
			for _, path := range live[1:] {
				f.write(e.Pos, path, "")
			}
			f.write(e.Pos, "/context/forgotten", fmt.Sprint(len(live)-1))
			f.write(e.Pos, "/checkpoint", fmt.Sprintf(`{"id":%q,"seq":%d,"pos":%d,"base_seq":null}`, e.ID, e.Seq, e.Pos))
			live = live[:1]
		}
		if e.Outcome.Failed() {
			failed++
			f.write(e.Pos, "/errors/count", fmt.Sprint(failed))
			f.write(e.Pos, "/errors/last_seq", fmt.Sprint(e.Seq))
		}
		if e.Tool == "bash" && e.Kind == model.KindAction {
			f.write(e.Pos, "/shell/command", fmt.Sprintf("%q", e.Title))
		}
	}
}

// file is a file's value as the state document has it.
func file(content, certainty string, seq, pos int64) string {
	b, err := json.Marshal(answer.StateFile{Content: &content, Certainty: certainty, Lines: int64(strings.Count(content, "\n")), WrittenBy: &seq, WrittenPos: &pos})
	if err != nil {
		panic(err)
	}
	return string(b)
}

// in is an event of a session; the story's writes are those of its main session,
// whatever session they are asked for.
func (f *fake) in(session string, pos int64) model.Event {
	list := f.list(session)
	if pos < 1 || pos > int64(len(list)) {
		return model.Event{Session: session, Pos: pos, Seq: pos}
	}
	return list[pos-1]
}
