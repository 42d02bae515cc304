package index

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"hindcast/fixtures/gen/stream"
)

// randomRuns is how many dumps randomDumps makes, branchedRuns how many of them
// are OpenHands runs that go back and on from there.
const (
	randomRuns   = 15
	branchedRuns = 3
)

// randomDumps writes small runs in which everything that a log can say happens
// in an order that means nothing: few names and few texts, so that what happens
// meets.
func randomDumps(t *testing.T, dir string) []aDump {
	t.Helper()
	var all []aDump
	for seed := range uint64(randomRuns) {
		d := aDump{name: fmt.Sprintf("random-%d", seed)}
		d.path = filepath.Join(dir, d.name)
		if seed < branchedRuns {
			writeFile(t, d.path, branched(t, seed))
		} else {
			writeFile(t, d.path, []byte(strings.Join(randomFamily(seed), "")))
		}
		all = append(all, d)
	}
	return all
}

// randomFamily is a run with sub-agents, which have some themselves, and with
// sessions that go on from it. Some lines come late, some twice.
func randomFamily(seed uint64) []string {
	w := &wild{r: rand.New(rand.NewPCG(seed, 77))}
	w.session("main", 25+w.r.IntN(25), 0, nil)
	lines := w.lines
	for range len(lines) / 10 {
		i := w.r.IntN(len(lines) - 1)
		switch w.r.IntN(3) {
		case 0:
			lines[i], lines[i+1] = lines[i+1], lines[i]
		case 1: // late
			late := lines[i]
			to := min(i+w.r.IntN(9), len(lines)-1)
			copy(lines[i:to], lines[i+1:to+1])
			lines[to] = late
		default: // again
			lines = append(lines, lines[i])
		}
	}
	return lines
}

// wild writes sessions that do anything.
type wild struct {
	r     *rand.Rand
	lines []string
	made  int // sessions so far
}

func (w *wild) one(list ...string) string { return list[w.r.IntN(len(list))] }

func (w *wild) path() string { return w.one("a", "b", "src/c.go", "src/d.go", "odd ~/\u00e9") }

func (w *wild) text() string {
	if w.r.IntN(150) == 0 {
		return strings.Repeat(w.one("long\n", "no end of line ", "\u00fc\n"), 20_000)
	}
	var b strings.Builder
	for range w.r.IntN(6) {
		b.WriteString(w.one("one\n", "two\n", "three\n", "\n", "two two\r\n", "last"))
	}
	return b.String()
}

// session writes a session of some events; begin, where there is one, writes
// the first of them.
func (w *wild) session(name string, events, depth int, begin func(*scribe)) {
	s := &scribe{session: name, seq: w.r.IntN(3) * 10}
	if begin != nil {
		begin(s)
	}
	from := len(w.lines)
	for range events {
		if w.r.IntN(20) == 0 && depth < 2 && w.made < 4 {
			w.made++
			w.other(s, fmt.Sprintf("%s-%d", name, w.made), events/2, depth+1)
			continue
		}
		w.event(s)
	}
	// What others wrote meanwhile stands between the session's own lines.
	own := w.lines[from:]
	mixed := make([]string, 0, len(own)+len(s.lines))
	for len(own)+len(s.lines) > 0 {
		if len(s.lines) == 0 || len(own) > 0 && w.r.IntN(2) == 0 {
			mixed, own = append(mixed, own[0]), own[1:]
		} else {
			mixed, s.lines = append(mixed, s.lines[0]), s.lines[1:]
		}
	}
	w.lines = append(w.lines[:from:from], mixed...)
}

// other makes a sub-agent, or a session that goes on from this one.
func (w *wild) other(s *scribe, name string, events, depth int) {
	if w.r.IntN(3) == 0 && len(s.lines) > 0 {
		w.session(name, events, depth, func(o *scribe) { o.fork(s.session, s.seq-w.r.IntN(3)) })
		return
	}
	made := s.call("delegate", fields{"task": "work"})
	w.session(name, events, depth, func(o *scribe) { o.begin(s.session, made) })
	if w.r.IntN(4) > 0 {
		s.result(made, "delegate", "done")
	}
}

// event writes something that happens, with its result where it has one.
func (w *wild) event(s *scribe) {
	path := w.path()
	switch w.r.IntN(14) {
	case 0:
		s.log("UserInput", "", fields{"content": w.text()})
	case 1:
		s.log("AgentAction", "", fields{"action_type": "respond", "params": fields{"content": w.text()}, "usage": fields{"input_tokens": w.r.IntN(99), "output_tokens": 3}})
	case 2, 3:
		s.write(path, w.text())
	case 4:
		s.edit(path, w.one("one", "two", "three\n", "nowhere"), w.one("1", "zwei\n", ""))
	case 5:
		s.read(path, w.text())
	case 6:
		s.result(s.call("move_file", fields{"from": path, "to": w.path()}), "move_file", "ok")
	case 7:
		s.result(s.call("delete_file", fields{"path": path}), "delete_file", "ok")
	case 8:
		s.log("ToolResult", s.call("run_command", fields{"command": w.one("make", "sed -i s/a/b/ "+path, "rm "+path)}),
			fields{"tool_name": "run_command", "status": w.one("ok", "error"), "exit_code": w.r.IntN(2), "cwd": w.one("/w", "/x"), "output": w.text()})
	case 9:
		s.result(s.call("update_tasks", fields{"tasks": w.tasks()}), "update_tasks", "ok")
	case 10:
		w.checkpoint(s)
	case 11:
		s.log("SystemError", s.call(w.one("grep", "make"), fields{}), fields{"error_code": "E", "message": "it broke"})
	case 12:
		s.log("SessionEvent", "", fields{"state": "context_rebuilt", "kept_event_ids": w.kept(s)})
	default:
		s.log("SessionEvent", "", fields{"state": w.one("running", "paused", "crashed"), "reason": w.one("", "why not")})
	}
}

func (w *wild) tasks() []fields {
	var list []fields
	for i := range w.r.IntN(4) {
		list = append(list, fields{"id": w.one("1", "2", "x") + fmt.Sprint(i), "title": w.one("do", "think"), "status": w.one("todo", "done")})
	}
	return list
}

// checkpoint claims a state at an event before it; what it claims is seldom so.
func (w *wild) checkpoint(s *scribe) {
	payload := fields{"snapshot_id": fmt.Sprint("snap", s.seq), "base_event_seq": s.seq - w.r.IntN(4)}
	if w.r.IntN(2) == 0 {
		payload["state"] = fields{"files": fields{w.path(): w.text()}, "cwd": "/w", "context": w.kept(s)}
	}
	s.log("Checkpoint", "", payload)
}

// kept names some of a session's events.
func (w *wild) kept(s *scribe) []string {
	ids := []string{}
	for i := range s.seq {
		if w.r.IntN(3) > 0 {
			ids = append(ids, fmt.Sprintf("%s_%d", s.session, i+1))
		}
	}
	return ids
}

// branched is an OpenHands run some of whose messages hang on earlier events:
// the conversation goes back to them.
func branched(t *testing.T, seed uint64) []byte {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 78))
	lines := bytes.SplitAfter(generated(t, stream.Options{Format: stream.OpenHands, Events: 60, Size: 350, Seed: 300 + seed}), []byte("\n"))
	var ids []string
	for i, line := range lines {
		var e struct{ ID, Kind string }
		if json.Unmarshal(line, &e) != nil || e.ID == "" {
			continue
		}
		if e.Kind == "MessageEvent" && len(ids) > 4 && r.IntN(2) == 0 {
			to, _ := json.Marshal(ids[len(ids)-1-r.IntN(len(ids)-1)])
			lines[i] = append([]byte(`{"parent_id":`+string(to)+`,`), line[1:]...)
		}
		ids = append(ids, e.ID)
	}
	return bytes.Join(lines, nil)
}
