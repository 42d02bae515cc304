package command

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"hindcast/index"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/query"
)

// world is a fake that also answers about states, from a story of eight events:
// a port is set, moved, forgotten in a compaction, and missed. It notes what it
// was asked.
type world struct {
	*fake
	asked []string
	again int // how often a history repeats itself
	notes map[int64][]model.Note
}

func (w *world) ask(format string, args ...any) {
	w.asked = append(w.asked, fmt.Sprintf(format, args...))
}

func newWorld() *world {
	f := &fake{raw: map[int64]string{}, sessions: []model.Session{{ID: "s1", First: 1, Last: 8, LastPos: 8, Events: 8}}}
	add := func(kind model.Kind, source, tool, title string, o model.Outcome) {
		n := int64(len(f.events) + 1)
		f.events = append(f.events, model.Event{
			Session: "s1", Pos: n, Seq: n, HasSeq: true, ID: fmt.Sprintf("e%d", n), Type: "T", Kind: kind, Source: source, Tool: tool,
			Title: title, Outcome: o, Mate: n, Span: model.Span{Length: 10},
		})
	}
	add(model.KindMessage, "user", "", "user: Serve on port 8000", model.OutcomeUnknown)
	add(model.KindAction, "agent", "write_file", "write_file config/app.yaml", model.OutcomeUnknown)
	add(model.KindObservation, "tool", "write_file", "write_file ok: 2 lines", model.OutcomeOK)
	add(model.KindMessage, "user", "", "user: The gateway has 8000; move to 8080", model.OutcomeUnknown)
	add(model.KindAction, "agent", "edit_file", "edit_file config/app.yaml", model.OutcomeUnknown)
	add(model.KindObservation, "tool", "edit_file", "edit_file ok: 1 replacement", model.OutcomeOK)
	add(model.KindCheckpoint, "runtime", "", "rebuild: 2 of 4 messages stay", model.OutcomeUnknown)
	add(model.KindError, "system", "", "check_failed: 404 page not found", model.OutcomeFailed)
	return &world{fake: f}
}

func (w *world) ref(pos int64) answer.Ref {
	e := w.events[pos-1]
	return answer.NewRef(model.Ref{Session: e.Session, Seq: e.Seq, Pos: e.Pos, ID: e.ID})
}

func (w *world) refp(pos int64) *answer.Ref { r := w.ref(pos); return &r }

func (w *world) titles() map[int64]answer.Event {
	out := map[int64]answer.Event{}
	for _, e := range w.events {
		out[e.Pos] = answer.NewEvent(e)
	}
	return out
}

const (
	textBefore = "host: 127.0.0.1\nport: 8000\n"
	textAfter  = "host: 127.0.0.1\nport: 8080\n"
)

func fileJSON(text, certainty string, by int64) string {
	quoted, _ := json.Marshal(text)
	return fmt.Sprintf(`{"content":%s,"certainty":%q,"lines":2,"sha256":"%064d","written_by":%d,"written_pos":%d}`, quoted, certainty, by, by, by)
}

func stateJSON(restored bool) string {
	file := fileJSON(textAfter, "derived", 5)
	if restored {
		file = fileJSON(textBefore, "known", 3)
	}
	return `{"session":"s1","seq":8,"pos":8,"event":"e8","time":"2026-03-01T09:00:08Z",
"status":{"execution":"running","reason":null},
"context":{"messages":[{"key":"0000000001","seq":1,"pos":1,"event":"e1","role":"user","tokens":null,"chars":18,"summary":false},
{"key":"0000000007","seq":7,"pos":7,"event":"e7","role":"user","tokens":40,"chars":120,"summary":true}],"forgotten":2,"tokens":null},
"files":{"config/app.yaml":` + file + `,"notes.md":{"content":null,"certainty":"unknown","lines":0,"sha256":null,"written_by":2,"written_pos":2}},
"shell":{"cwd":"/srv/app","command":"make smoke","exit_code":2,"running":false},
"tasks":[{"id":"1","title":"Set the port","status":"done"},{"id":"2","title":"Test it","status":"in_progress"}],
"pending":[{"call":"call_9","seq":5,"pos":5,"tool":"edit_file"}],
"usage":{"input_tokens":1200,"output_tokens":80,"cache_read_tokens":null,"cache_write_tokens":null,"reasoning_tokens":null,"cost_usd":0.25},
"errors":{"count":1,"last_seq":8},
"checkpoint":{"id":"cp_1","seq":7,"pos":7,"base_seq":6},
"vars":{"plan":{"steps":["a","b"],"note":"first line\nsecond line"},"mode":"careful"}}`
}

func (w *world) WaitStates(context.Context) error { return nil }

func (w *world) Next(context.Context, string, int64, bool, query.Expr) (model.Event, bool, error) {
	return model.Event{}, false, nil
}

func (w *world) StateReady(context.Context, string) (int64, error) { return 8, nil }

func (w *world) State(_ context.Context, at model.Event, restore bool) (answer.State, error) {
	w.ask("state %d %v", at.Pos, restore)
	var s answer.State
	return s, json.Unmarshal([]byte(stateJSON(restore)), &s)
}

func (w *world) StateValue(_ context.Context, at model.Event, path string) (answer.StateValue, error) {
	w.ask("value %d %s", at.Pos, path)
	switch {
	case path == "/errors/count" && at.Pos == 8:
		return answer.StateValue{Path: path, Value: json.RawMessage("1"), By: w.refp(8)}, nil
	case path == "/errors/count":
		return answer.StateValue{Path: path, Value: json.RawMessage("0")}, nil
	case path == "/pending/call_9" && at.Pos == 5:
		return answer.StateValue{Path: path, Value: json.RawMessage(`{"call":"call_9","seq":5,"pos":5,"tool":"edit_file"}`), By: w.refp(5)}, nil
	case path == "/files/config~1app.yaml":
		certainty := "derived"
		return answer.StateValue{Path: path, Value: json.RawMessage(fileJSON(textAfter, certainty, 5)), Certainty: &certainty, By: w.refp(5)}, nil
	}
	if value, ok := pick([]byte(stateJSON(false)), path); ok && at.Pos == 8 {
		return answer.StateValue{Path: path, Value: value, By: w.refp(2)}, nil
	}
	return answer.StateValue{}, &index.PathError{Path: path, Reason: "nothing stands there after 8", Nearest: []string{"/errors/count", "/errors/last_seq"}}
}

func (w *world) Children(_ context.Context, at model.Event, path, after string, limit int) (answer.Children, error) {
	w.ask("children %d %s %q %d", at.Pos, path, after, limit)
	out := answer.Children{Path: path, Total: 2}
	for _, name := range []string{"config~1app.yaml", "notes.md"} {
		out.Items = append(out.Items, answer.Child{Path: path + "/" + name})
	}
	return out, nil
}

func (w *world) Diff(_ context.Context, a, b model.Event, path string) (answer.Diff, error) {
	w.ask("diff %d %d %s", a.Pos, b.Pos, path)
	d := answer.Diff{A: w.ref(a.Pos), B: w.ref(b.Pos), Changes: []answer.Change{}, Events: w.titles()}
	if a.Pos == b.Pos {
		return d, nil
	}
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	text := func(s string) json.RawMessage { quoted, _ := json.Marshal(s); return quoted }
	for _, c := range []answer.Change{
		{Path: "/checkpoint", Op: "replace", Old: raw("null"), New: raw(`{"id":"cp_1","seq":7,"pos":7,"base_seq":6}`), By: w.refp(7)},
		{Path: "/context/forgotten", Op: "replace", Old: raw("0"), New: raw("2"), By: w.refp(7)},
		{Path: "/context/messages/0000000004", Op: "remove", Old: raw(`{"key":"0000000004","seq":4,"pos":4,"event":"e4","role":"user","tokens":null,"chars":39,"summary":false}`), By: w.refp(7)},
		{Path: "/context/messages/0000000007", Op: "add", New: raw(`{"key":"0000000007","seq":7,"pos":7,"event":"e7","role":"user","tokens":40,"chars":120,"summary":true}`), By: w.refp(7)},
		{Path: "/errors/count", Op: "replace", Old: raw("0"), New: raw("1"), By: w.refp(8)},
		{Path: "/errors/last_seq", Op: "replace", Old: raw("null"), New: raw("8"), By: w.refp(8)},
		{Path: "/files/config~1app.yaml/certainty", Op: "replace", Old: raw(`"known"`), New: raw(`"derived"`), By: w.refp(6)},
		{Path: "/files/config~1app.yaml/content", Op: "replace", Old: text(textBefore), New: text(textAfter), By: w.refp(6)},
		{Path: "/files/config~1app.yaml/sha256", Op: "replace", Old: text("a"), New: text("b"), By: w.refp(6)},
		{Path: "/files/new.sh", Op: "add", New: raw(fileJSON("#!/bin/sh\nmake\n", "known", 5)), By: w.refp(5)},
		{Path: "/shell/command", Op: "replace", Old: text("go build ./... && go vet ./..."), New: text("make smoke PORT=8000 HOST=127.0.0.1"), By: w.refp(6)},
		{Path: "/vars/note", Op: "replace", Old: text("one\ntwo\n"), New: text("one\n2\n")},
	} {
		if strings.HasPrefix(c.Path, path) {
			d.Changes = append(d.Changes, c)
		}
	}
	return d, nil
}

func (w *world) DiffRestored(ctx context.Context, at model.Event, path string) (answer.Diff, error) {
	w.ask("restored %d %s", at.Pos, path)
	return w.Diff(ctx, w.events[6], at, "/files")
}

func (w *world) DiffRecorded(ctx context.Context, cp model.Event, path string) (answer.Diff, error) {
	w.ask("recorded %d %s", cp.Pos, path)
	return w.Diff(ctx, w.events[5], cp, "/files/new.sh")
}

func (w *world) Blame(_ context.Context, at model.Event, path string) (answer.Blame, error) {
	w.ask("blame %d %s", at.Pos, path)
	if path == "/status/reason" {
		return answer.Blame{Path: path, Value: json.RawMessage("null")}, nil
	}
	by := answer.NewEvent(w.events[7])
	return answer.Blame{Path: path, Value: json.RawMessage("1"), By: &by, Restores: w.refp(3)}, nil
}

func (w *world) FileNamed(_ context.Context, _ model.Event, name string) (string, error) {
	return name, nil
}

func (w *world) BlameFile(_ context.Context, at model.Event, file string, line int64) (answer.BlameFile, error) {
	w.ask("blame %d %s %d", at.Pos, file, line)
	lines := []answer.BlameLine{
		{N: 1, Text: "host: 127.0.0.1", By: w.refp(2), Suspects: []answer.Ref{}},
		{N: 2, Text: "port: 8080", By: w.refp(5), Suspects: []answer.Ref{}},
		{N: 3, Text: "debug: true", Between: &[2]answer.Ref{w.ref(3), w.ref(6)}, Suspects: []answer.Ref{w.ref(5)}},
	}
	if line > 0 {
		lines = lines[line-1 : line]
	}
	return answer.BlameFile{Path: "/files/" + model.EscapePointer(file), Certainty: "derived", Lines: lines, Events: w.titles()}, nil
}

func (w *world) History(_ context.Context, session, path string, yield func(answer.HistoryWrite) error) error {
	w.ask("history %s %s", session, path)
	var writes []answer.HistoryWrite
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	ev := func(pos int64) answer.Event { return answer.NewEvent(w.events[pos-1]) }
	switch path {
	case "/files/config~1app.yaml":
		writes = append(writes,
			answer.HistoryWrite{Op: "add", New: raw(fileJSON(textBefore, "known", 2)), By: ev(2)},
			answer.HistoryWrite{Op: "replace", Old: raw(fileJSON(textBefore, "known", 2)), New: raw(fileJSON(textAfter, "derived", 5)), By: ev(5)})
	case "/errors/count":
		writes = append(writes, answer.HistoryWrite{Op: "replace", Old: raw("0"), New: raw("1"), By: ev(8)})
	}
	for range w.again + 1 {
		for _, v := range writes {
			if err := yield(v); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *world) Checkpoints(context.Context, string) ([]index.Checkpoint, error) { return nil, nil }

func (w *world) Notes(_ context.Context, e model.Event) ([]model.Note, error) {
	return w.notes[e.Pos], nil
}

func (w *world) WriteNear(context.Context, string, string, int64, bool) (model.Event, bool, error) {
	return model.Event{}, false, nil
}

func (w *world) Context(_ context.Context, q index.ContextQuery) (answer.Context, error) {
	w.ask("context %d for=%v cold=%v lost=%v window=%d", q.At.Pos, q.For, q.Cold, q.Lost, q.Window)
	c := answer.Context{At: w.ref(q.At.Pos), View: "live", Exact: !q.Cold, Lost: []answer.Lost{}, Events: w.titles()}
	if q.For {
		c.For = w.refp(q.At.Pos)
	}
	if q.Cold {
		c.View = "cold"
	}
	tokens := int64(40)
	c.Messages = []answer.Message{
		{N: 1, Role: "user", Events: []answer.Ref{w.ref(1)}, Text: "Serve on port 8000", Chars: 18, Calls: []answer.MessageCall{}, Results: []string{}},
		{N: 2, Role: "assistant", Events: []answer.Ref{w.ref(2), w.ref(5)}, Text: "Moving it.\nOne\nTwo\nThree\nFour\n", Chars: 30, Calls: []answer.MessageCall{{ID: "call_9", Tool: "edit_file"}}, Results: []string{}, Tokens: &tokens},
		{N: 3, Role: "tool", Events: []answer.Ref{w.ref(6)}, Text: "ok", Chars: 2, Calls: []answer.MessageCall{}, Results: []string{"call_9"}},
		{N: 4, Role: "user", Events: []answer.Ref{w.ref(7)}, Text: "Goal: a server.", Chars: 15, Calls: []answer.MessageCall{}, Results: []string{}, Summary: true},
	}
	if q.Lost {
		c.Lost = append(c.Lost, answer.Lost{Event: w.ref(4), By: w.ref(7), Reason: "rebuild"}, answer.Lost{Event: w.ref(3), By: w.ref(7), Reason: "rebuild"})
	}
	if q.Window == 2 {
		c.Lost = append(c.Lost, answer.Lost{Event: w.ref(1), By: w.ref(7), Reason: "window"})
	}
	return c, nil
}

func (w *world) Knew(_ context.Context, session, text string) (answer.Knew, error) {
	w.ask("knew %s %s", session, text)
	k := answer.Knew{Text: text, Spans: []answer.Span{}, Events: w.titles()}
	if text != "8080" {
		return k, nil
	}
	k.First = w.refp(4)
	k.Spans = append(k.Spans,
		answer.Span{From: w.ref(4), To: w.refp(6), Carriers: []answer.Ref{w.ref(4), w.ref(5)}, InBy: w.ref(4), OutBy: w.refp(7), Exact: true},
		answer.Span{From: w.ref(8), Carriers: []answer.Ref{w.ref(8)}, InBy: w.ref(8)})
	return k, nil
}

func (w *world) Origin(_ context.Context, at model.Event, text string) (answer.Origin, error) {
	w.ask("origin %d %s", at.Pos, text)
	o := answer.Origin{Text: text, UsedAt: w.ref(at.Pos), Path: []answer.Ref{}, Events: w.titles()}
	if text == "8000" {
		o.First, o.Path = w.refp(1), []answer.Ref{w.ref(1), w.ref(2), w.ref(at.Pos)}
	}
	return o, nil
}

func (w *world) Bisect(_ context.Context, session, expr string) (answer.Bisect, error) {
	w.ask("bisect %s %s", session, expr)
	b := answer.Bisect{Expr: expr, Reads: []string{}, Flips: []answer.Flip{}, Events: w.titles()}
	switch expr {
	case "errors.count >":
		return b, &index.ExprError{Expr: expr, Column: 15, Reason: "something is missing behind >"}
	case "errors.count > 0":
		b.Reads = []string{"/errors/count"}
		b.Flips = append(b.Flips, answer.Flip{By: w.ref(8), To: true})
	case "len(pending) > 0":
		b.Reads = []string{"/pending/call_9"}
		b.Flips = append(b.Flips, answer.Flip{By: w.ref(5), To: true}, answer.Flip{By: w.ref(6)})
	}
	return b, nil
}

func (w *world) WhyPath(_ context.Context, at model.Event, path string) (answer.Why, error) {
	w.ask("why %d %s", at.Pos, path)
	return w.Why(context.Background(), w.events[7])
}

func (w *world) Why(_ context.Context, e model.Event) (answer.Why, error) {
	return answer.Why{
		From: answer.NewEvent(e), Suspects: []answer.Suspect{}, Roots: []answer.Event{answer.NewEvent(w.events[0])},
		Chain: []answer.Step{{Event: answer.NewEvent(w.events[0]), Via: answer.Via{Reason: "source"}, Also: []answer.Ref{}}}, Complete: true,
	}, nil
}

func (w *world) Check(_ context.Context, session string) (answer.Check, error) {
	w.ask("check %s", session)
	c := answer.Check{
		Findings: []answer.Finding{
			{Rule: "checkpoint-ahead", Severity: "error", Session: "s1", Title: "checkpoint cp_1 holds more than its base", Events: []answer.Ref{w.ref(7), w.ref(6)}, Detail: "/files/new.sh was written by 5", Next: "hindcast diff --recorded cp:1"},
			{Rule: "open-call", Severity: "note", Session: "s1", Title: "a call never returned", Events: []answer.Ref{w.ref(5)}},
		},
		Accounting: answer.Accounting{Bytes: 100, EventBytes: 90, StructureBytes: 10, Quarantined: []answer.Quarantined{}, Skipped: []answer.Skipped{}},
	}
	if session == "" {
		return c, nil
	}
	c.Findings = c.Findings[1:]
	return c, nil
}

var _ index.Travel = (*world)(nil)
