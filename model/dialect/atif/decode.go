package atif

import (
	"errors"
	"strings"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

var errNoObject = errors.New("not a step: a JSON object is expected")

// step holds the spans of a step's members.
type step struct {
	id, time, source, message, reasoning, calls, observation, metrics, copied, extra []byte
}

func readStep(raw []byte) (s step) {
	jsonscan.Fields(raw, func(key string, v []byte) bool {
		switch key {
		case "step_id":
			s.id = v
		case "timestamp":
			s.time = v
		case "source":
			s.source = v
		case "message":
			s.message = v
		case "reasoning_content":
			s.reasoning = v
		case "tool_calls":
			s.calls = v
		case "observation":
			s.observation = v
		case "metrics":
			s.metrics = v
		case "is_copied_context":
			s.copied = v
		case "extra":
			s.extra = v
		}
		return true
	})
	return s
}

// results gives the results that a step observed.
func (s *step) results(f func(call string, result []byte)) {
	jsonscan.Elements(jsonscan.Get(s.observation, "results"), func(v []byte) bool {
		f(jsonscan.Scalar(jsonscan.Get(v, "source_call_id")), v)
		return true
	})
}

// compacts reports a step that replaced the context before it.
func (s *step) compacts() bool {
	return jsonscan.Kind(jsonscan.Get(s.extra, "context_management")) == '{'
}

// Decode reads a step, a document of steps, or an event line.
func (dialect) Decode(rec *model.Record, emit func(*model.Event)) error {
	if jsonscan.Kind(rec.Raw) != '{' {
		return errNoObject
	}
	switch {
	case jsonscan.Kind(jsonscan.Get(rec.Raw, "steps")) == '[':
		session := ""
		if rec.Stream != nil && rec.Stream.Framing.Mode == model.FrameLines {
			session = identity(rec.Raw, "")
		}
		decoder{rec, emit}.document(rec.Raw, session, "", 0)
	case jsonscan.Get(rec.Raw, "scope_category") != nil, jsonscan.Get(rec.Raw, "atof_version") != nil:
		emit(eventLine(rec.Raw))
	default:
		d := decoder{rec, emit}
		d.step(rec.Raw, "", rec.Index == 0 && d.isFirstFile(), nil)
	}
	return nil
}

type decoder struct {
	rec  *model.Record
	emit func(*model.Event)
}

func (d decoder) isFirstFile() bool {
	s := d.rec.Stream
	return s == nil || len(s.Files) == 0 || s.Files[0] == d.rec.File
}

// nestLimit is how deep sub-agents may stand in each other.
const nestLimit = 8

// document reads a whole trajectory, and those of its sub-agents behind it.
func (d decoder) document(doc []byte, session, parent string, depth int) {
	first := true
	own := ""
	if d.rec.Stream != nil {
		own = d.rec.Stream.Session
	}
	tell := chat.Note{Parent: parent, Version: program(jsonscan.Get(doc, "agent"))}
	jsonscan.Elements(jsonscan.Get(doc, "steps"), func(v []byte) bool {
		d.step(v, session, first && (depth > 0 || d.isFirstFile()), &tell)
		first = false
		return true
	})
	if session != "" {
		own = session
	}
	jsonscan.Elements(jsonscan.Get(doc, "subagent_trajectories"), func(sub []byte) bool {
		if id := identity(sub, ""); id != "" && id != own && depth < nestLimit {
			d.document(sub, id, own, depth+1)
		}
		return true
	})
}

// step reads a step. Call and results stand in it together, so it is one event.
func (d decoder) step(raw []byte, session string, first bool, tell *chat.Note) {
	if jsonscan.Kind(raw) != '{' {
		return
	}
	s, m := readStep(raw), metaOf(d.rec.Stream)
	e := &model.Event{Session: session, Type: jsonscan.Str(s.source), Source: jsonscan.Str(s.source), Time: model.ParseTime(jsonscan.Scalar(s.time)), Span: chat.SpanOf(d.rec.Raw, raw)}
	if seq, ok := jsonscan.Int(s.id); ok && !m.Continued {
		e.Seq, e.HasSeq = seq, true
	}
	var n chat.Note
	if tell != nil {
		n = *tell
	}
	if copied, _ := jsonscan.Bool(s.copied); copied {
		n.Flags |= chat.Copy
	}
	text := phrase.Content(s.message, phrase.LineLimit)
	switch e.Type {
	case "user":
		e.Kind, e.Title = model.KindMessage, phrase.Titled("user", phrase.FirstLine(text))
		n.Flags |= chat.Prompt
		n.Title = phrase.FirstLine(text)
	case "system":
		e.Kind, e.Title = model.KindMessage, phrase.Titled("system", phrase.FirstLine(text))
		if s.compacts() {
			what := jsonscan.Str(jsonscan.Get(s.extra, "context_management", "type"))
			e.Kind, e.Title = model.KindCheckpoint, phrase.Titled(what, phrase.FirstLine(text))
		}
	case "agent":
		n.Flags |= chat.Reply
		s.agent(e, &n, text)
	default:
		e.Kind, e.Title = model.KindOther, phrase.Titled(e.Type, phrase.FirstLine(text))
	}
	if e.Title == "" {
		e.Title = "step"
	}
	e.Usage = s.usage()
	subagents(raw, func(ref []byte) { e.Aliases = append(e.Aliases, refNames(ref)...) })
	if first {
		spawn := m.Spawn
		if session != "" && n.Parent != "" {
			spawn = session
		}
		if spawn != "" {
			e.Links = append(e.Links, model.Link{Reason: model.ReasonSpawn, ToID: spawn})
		}
	}
	e.Note = n.String()
	d.emit(e)
}

// agent reads what a step of the agent calls and gets.
func (s *step) agent(e *model.Event, n *chat.Note, text string) {
	var tools []string
	jsonscan.Elements(s.calls, func(call []byte) bool {
		id, tool := jsonscan.Scalar(jsonscan.Get(call, "tool_call_id")), jsonscan.Str(jsonscan.Get(call, "function_name"))
		n.Calls = append(n.Calls, id)
		if id != "" {
			e.Aliases = append(e.Aliases, id)
		}
		e.Outcome = worse(e.Outcome, told(jsonscan.Get(call, "extra")))
		about := tool
		if a := chat.About(jsonscan.Get(call, "arguments")); a != "" {
			about += " " + a
		}
		tools = append(tools, about)
		if e.Tool == "" {
			e.Tool, e.Call = tool, id
		}
		return true
	})
	typed, result := "", ""
	if len(tools) == 0 {
		typed = keystrokes(text)
	}
	s.results(func(call string, v []byte) {
		n.Results = append(n.Results, call)
		e.Outcome = worse(e.Outcome, told(jsonscan.Get(v, "extra")))
		if result == "" {
			result = shown(phrase.Content(jsonscan.Get(v, "content"), phrase.LineLimit), typed)
		}
	})
	e.Outcome = worse(e.Outcome, told(s.extra))
	e.Kind, e.Title = model.KindMessage, phrase.Titled("agent", chat.Line(text))
	switch {
	case len(tools) > 0:
		e.Kind, e.Title = model.KindAction, strings.Join(tools, ", ")
	case typed != "":
		e.Title = typed
	case analysis(text) != "":
		e.Title = phrase.Titled("agent", analysis(text))
	}
	if result != "" {
		e.Title += " → " + result
	}
	e.Title = phrase.OneLine(e.Title)
}

// keystrokes are the commands in the answer of a terminal agent, which is JSON
// in its message.
func keystrokes(text string) string {
	if _, _, err := jsonscan.Value([]byte(text)); err != nil {
		return ""
	}
	var all []string
	jsonscan.Elements(jsonscan.Get([]byte(text), "commands"), func(v []byte) bool {
		if k := strings.TrimSpace(jsonscan.Str(jsonscan.Get(v, "keystrokes"))); k != "" {
			all = append(all, k)
		}
		return true
	})
	return strings.Join(all, "; ")
}

// analysis is what a terminal agent says where it types nothing.
func analysis(text string) string {
	if _, _, err := jsonscan.Value([]byte(text)); err != nil {
		return ""
	}
	said := phrase.FirstLine(jsonscan.Str(jsonscan.Get([]byte(text), "analysis")))
	if done, _ := jsonscan.Bool(jsonscan.Get([]byte(text), "task_complete")); done {
		return phrase.Titled("task complete", said)
	}
	return said
}

// frames are the lines that a terminal agent puts around what its terminal shows.
var frames = map[string]bool{"New Terminal Output:": true, "Current terminal state:": true, "Current Terminal Screen:": true}

// shown is the first line of a result that is no frame and no echo of what was
// typed.
func shown(text, typed string) string {
	command, _, _ := strings.Cut(typed, "; ")
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && !frames[line] && (command == "" || !strings.HasSuffix(line, command)) {
			return phrase.Fit(line)
		}
	}
	return ""
}

// told is what an extra says of success. The format itself has no such flag.
func told(extra []byte) model.Outcome {
	for _, name := range []string{"exit_code", "returncode", "return_code"} {
		if n, ok := jsonscan.Int(jsonscan.Get(extra, name)); ok {
			if n != 0 {
				return model.OutcomeFailed
			}
			return model.OutcomeOK
		}
	}
	if isError, ok := jsonscan.Bool(jsonscan.Get(extra, "is_error")); ok && isError {
		return model.OutcomeFailed
	}
	switch strings.ToLower(jsonscan.Str(jsonscan.Get(extra, "invocation", "status"))) {
	case "completed", "success", "ok":
		return model.OutcomeOK
	case "failed", "error":
		return model.OutcomeFailed
	}
	return model.OutcomeUnknown
}

func worse(a, b model.Outcome) model.Outcome { return max(a, b) }

// usage reads what a step took: cached tokens are counted in the prompt's.
func (s *step) usage() *model.Usage {
	c := chat.Counts{CacheInside: true}
	jsonscan.Fields(s.metrics, func(key string, v []byte) bool {
		switch key {
		case "prompt_tokens":
			c.Prompt = v
		case "completion_tokens":
			c.Completion = v
		case "cached_tokens":
			c.CacheRead = v
		case "cost_usd":
			c.Cost = v
		}
		return true
	})
	return c.Usage()
}
