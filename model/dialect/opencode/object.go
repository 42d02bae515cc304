package opencode

import (
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// message is the members of a message that the dialect knows. Both eras and
// both roles share it; what a record does not hold is empty.
type message struct {
	id, session                                            string
	role, parentID, agent, mode, modelID, provider, finish string
	err, tokens, cost, path, system, diffs                 []byte
	created, completed                                     model.Time
	summary                                                bool // of a compaction
}

func readMessage(obj []byte) (m message) {
	jsonscan.Fields(obj, func(key string, v []byte) bool {
		switch key {
		case "id":
			m.id = jsonscan.Str(v)
		case "sessionID":
			m.session = jsonscan.Str(v)
		case "role":
			m.role = jsonscan.Str(v)
		case "parentID":
			m.parentID = jsonscan.Str(v)
		case "agent":
			m.agent = jsonscan.Str(v)
		case "mode":
			m.mode = jsonscan.Str(v)
		case "modelID":
			m.modelID = jsonscan.Str(v)
		case "providerID":
			m.provider = jsonscan.Str(v)
		case "model":
			m.modelID, m.provider = jsonscan.Str(jsonscan.Get(v, "modelID")), jsonscan.Str(jsonscan.Get(v, "providerID"))
		case "finish":
			m.finish = jsonscan.Scalar(v)
		case "error":
			if present(v) {
				m.err = v
			}
		case "tokens":
			m.tokens = v
		case "cost":
			m.cost = v
		case "path":
			m.path = v
		case "system":
			m.system = v
		case "summary":
			m.summary = isTrue(v)
			m.diffs = jsonscan.Get(v, "diffs")
		case "time":
			m.created, m.completed = epoch(jsonscan.Get(v, "created")), epoch(jsonscan.Get(v, "completed"))
		}
		return true
	})
	return m
}

// aborted reports that the user stopped the answer.
func (m *message) aborted() bool {
	return m.err != nil && jsonscan.Str(jsonscan.Get(m.err, "name")) == "MessageAbortedError"
}

// part is the members of a part that the dialect knows.
type part struct {
	id, session, message                             string
	typ, tool, call, hash, reason                    string
	text, metadata, files, tokens, cost              []byte
	snapshot, url, filename, mime, source            []byte
	prompt, description, agent, command, tail        []byte
	synthetic, ignored, auto, overflow, ended, timed bool
	start, end                                       model.Time
}

// partWalk reads a part in one walk, with the call where it is one: what the
// call says stands two containers deep.
type partWalk struct {
	part part
	call call
}

func walkPart(obj []byte) (w partWalk) {
	jsonscan.Nested(obj, w.into, func(depth int, key string, v []byte) bool {
		w.take(depth, key, v)
		return true
	})
	return w
}

// read gives what was walked over; the call is nil where the part is none.
func (w *partWalk) read() (part, *call) {
	if w.part.typ != "tool" {
		return w.part, nil
	}
	return w.part, &w.call
}

// into says which containers to walk into. Of duplicates the last counts.
func (w *partWalk) into(depth int, key string, open byte) bool {
	switch {
	case depth == 0 && key == "state":
		w.call = call{}
	case depth == 1 && key == "metadata":
		w.call.exit, w.call.child, w.call.interrupted = nil, "", false
	default:
		return false
	}
	return open == '{'
}

func (w *partWalk) take(depth int, key string, v []byte) {
	switch depth {
	case 0:
		w.part.take(key, v)
	case 1:
		w.call.take(key, v)
	default:
		w.call.takeMetadata(key, v)
	}
}

func (p *part) take(key string, v []byte) {
	switch key {
	case "id":
		p.id = jsonscan.Str(v)
	case "sessionID":
		p.session = jsonscan.Str(v)
	case "messageID":
		p.message = jsonscan.Str(v)
	case "type":
		p.typ = jsonscan.Str(v)
	case "tool":
		p.tool = jsonscan.Str(v)
	case "callID":
		p.call = jsonscan.Str(v)
	case "hash":
		p.hash = jsonscan.Str(v)
	case "reason":
		p.reason = jsonscan.Str(v)
	case "time":
		p.timed = isObject(v)
		p.start, p.end = epoch(jsonscan.Get(v, "start")), epoch(jsonscan.Get(v, "end"))
		if !p.start.Known {
			p.start = epoch(jsonscan.Get(v, "created"))
		}
		p.ended = p.end.Known
	case "synthetic":
		p.synthetic = isTrue(v)
	case "ignored":
		p.ignored = isTrue(v)
	case "auto":
		p.auto = isTrue(v)
	case "overflow":
		p.overflow = isTrue(v)
	default:
		if slot := p.slot(key); slot != nil {
			*slot = v
		}
	}
}

func (p *part) slot(key string) *[]byte {
	switch key {
	case "text":
		return &p.text
	case "metadata":
		return &p.metadata
	case "files":
		return &p.files
	case "tokens":
		return &p.tokens
	case "cost":
		return &p.cost
	case "snapshot":
		return &p.snapshot
	case "url":
		return &p.url
	case "filename":
		return &p.filename
	case "mime":
		return &p.mime
	case "source":
		return &p.source
	case "prompt":
		return &p.prompt
	case "description":
		return &p.description
	case "agent":
		return &p.agent
	case "command":
		return &p.command
	case "tail_start_id":
		return &p.tail
	}
	return nil
}

// The states of a call.
const (
	callPending   = "pending"
	callRunning   = "running"
	callCompleted = "completed"
	callError     = "error"
)

// call is the state of a tool part.
type call struct {
	status                                           string
	input, raw, output, title, metadata, err, attach []byte
	start, end, compacted                            model.Time
	exit                                             []byte // metadata.exit; null where the command did not end
	child                                            string // id of the session that a task made
	interrupted                                      bool
}

func (c *call) take(key string, v []byte) {
	switch key {
	case "status":
		c.status = jsonscan.Str(v)
	case "input":
		c.input = v
	case "raw":
		c.raw = v
	case "output":
		c.output = v
	case "title":
		c.title = v
	case "metadata":
		c.metadata = v
	case "error":
		c.err = v
	case "attachments":
		c.attach = v
	case "time":
		c.start, c.end = epoch(jsonscan.Get(v, "start")), epoch(jsonscan.Get(v, "end"))
		c.compacted = epoch(jsonscan.Get(v, "compacted"))
	}
}

func (c *call) takeMetadata(key string, v []byte) {
	switch key {
	case "exit":
		c.exit = v
	case "sessionId", "sessionID":
		c.child = jsonscan.Str(v)
	case "interrupted":
		c.interrupted = isTrue(v)
	}
}

// done reports that the call has come to its end.
func (c *call) done() bool { return c.status == callCompleted || c.status == callError }

// shellNote begins what the program writes at the end of the output of a
// command that it stopped.
const shellNote = "<shell_metadata>"

// failed tells whether a call failed; most failures have status completed.
// known is false where the record does not say.
func (c *call) failed(tool string) (failed bool) {
	switch {
	case c.status == callError, c.interrupted, tool == "invalid":
		return true
	case jsonscan.Kind(c.exit) == '0':
		n, ok := jsonscan.Int(c.exit)
		return !ok || n != 0
	case jsonscan.Kind(c.exit) == 'n':
		return strings.Contains(tailOf(c.output), shellNote)
	}
	return false
}

// tailOf decodes the end of a long string, enough for a note of the program.
func tailOf(v []byte) string {
	const limit = 4 << 10
	if len(v) <= limit || v[0] != '"' {
		return jsonscan.Str(v)
	}
	return string(v[len(v)-limit:])
}

// stage says which moment of an object an event is. A log's row is stageWhole:
// it says itself what the object was. Elsewhere an object stands once, as it
// was in the end, and its moments are derived from it.
type stage uint8

const (
	stageWhole stage = iota
	stageBirth       // a session or message as it was made; a call that runs; a compaction without its tail
	stageDone        // the object without what pruning did to it later
	stageLater       // what came later: an output was pruned, a tail was chosen
)

// The suffixes of the ids of derived events: <object id>~<n>.
var stageSuffix = [...]string{stageWhole: "", stageBirth: "~1", stageDone: "~2", stageLater: "~3"}

// stageOf reads the stage off a derived event's id.
func stageOf(e *model.Event) stage {
	if e.Origin != model.OriginDerived {
		return stageWhole
	}
	for s := stageBirth; s <= stageLater; s++ {
		if strings.HasSuffix(e.ID, stageSuffix[s]) {
			return s
		}
	}
	return stageWhole
}

// messageAt is the row's message as it was at a stage.
func (r *row) messageAt(s stage) message {
	m := r.asMessage
	if s == stageBirth {
		m.finish, m.err, m.completed, m.diffs = "", nil, model.Time{}, nil
		m.tokens, m.cost = nil, nil
	}
	return m
}

// partAt is the row's part, and its call where it is one, as they were at a
// stage.
func (r *row) partAt(s stage) (part, call) {
	p := r.asPart
	if s == stageBirth {
		p.tail = nil
	}
	if p.typ != "tool" {
		return p, call{}
	}
	c := *r.asCall
	if s == stageBirth && c.done() {
		c = call{status: callRunning, input: c.input, start: c.start, child: c.child}
	}
	if s == stageDone {
		c.compacted = model.Time{}
	}
	return p, c
}

// session is the members of a session that the dialect knows, of an object or
// of a row of the table.
type session struct {
	title, version, parentID, agent, model, directory string
	revert, permission, share, tokens, cost           []byte
	created, updated                                  model.Time
	archived                                          bool
	full                                              bool   // not only what changed
	present                                           string // names of the members that stand there, each behind a blank
}

func readSession(obj []byte) (s session) {
	jsonscan.Fields(obj, func(key string, v []byte) bool {
		switch key {
		case "title":
			s.title = jsonscan.Str(v)
		case "version":
			s.version = jsonscan.Str(v)
		case "parentID", "parent_id":
			s.parentID = jsonscan.Str(v)
		case "agent":
			s.agent = jsonscan.Str(v)
		case "model":
			v = inner(v)
			s.model = firstNonEmpty(jsonscan.Str(jsonscan.Get(v, "id")), jsonscan.Str(jsonscan.Get(v, "modelID")))
		case "directory":
			s.directory = jsonscan.Str(v)
		case "revert":
			s.revert = inner(v)
		case "permission":
			s.permission = inner(v)
		case "share", "share_url":
			s.share = v
		case "tokens":
			s.tokens = v
		case "cost":
			s.cost = v
		case "time":
			s.created, s.updated = epoch(jsonscan.Get(v, "created")), epoch(jsonscan.Get(v, "updated"))
			s.archived = present(jsonscan.Get(v, "archived"))
		case "time_created":
			s.created = epoch(v)
		case "time_updated":
			s.updated = epoch(v)
		case "time_archived":
			s.archived = present(v)
		case "id", "slug", "projectID", "project_id":
			s.full = true
		}
		s.present += " " + key
		return true
	})
	return s
}

// changed reports that a session is not as it was made any more.
func (s *session) changed() bool {
	cost, _ := jsonscan.Float(s.cost)
	return isObject(s.revert) || s.archived || s.updated.Known && s.updated != s.created || cost != 0
}

// revertID names what a session was taken back to: a message, or a part of it.
func (s *session) revertID() string {
	if !isObject(s.revert) {
		return ""
	}
	return firstNonEmpty(jsonscan.Str(jsonscan.Get(s.revert, "partID")), jsonscan.Str(jsonscan.Get(s.revert, "messageID")))
}

// usageOf reads tokens and cost of a step.
func usageOf(tokens, cost []byte) *model.Usage {
	var u model.Usage
	take := func(v []byte, to *int64, told model.Told) {
		if n, ok := jsonscan.Int(v); ok && n >= 0 {
			*to = n
			u.Told |= told
		}
	}
	take(jsonscan.Get(tokens, "input"), &u.Input, model.ToldInput)
	take(jsonscan.Get(tokens, "output"), &u.Output, model.ToldOutput)
	take(jsonscan.Get(tokens, "reasoning"), &u.Reasoning, model.ToldReasoning)
	take(jsonscan.Get(tokens, "cache", "read"), &u.CacheRead, model.ToldCacheRead)
	take(jsonscan.Get(tokens, "cache", "write"), &u.CacheWrite, model.ToldCacheWrite)
	if x, ok := jsonscan.Float(cost); ok && x >= 0 {
		u.CostUSD = x
		u.Told |= model.ToldCost
	}
	if u.Told == 0 {
		return nil
	}
	// A total shows where thoughts are counted within the output as well.
	total, ok := jsonscan.Int(jsonscan.Get(tokens, "total"))
	if ok && total == u.Input+u.Output+u.CacheRead+u.CacheWrite && u.Output >= u.Reasoning {
		u.Output -= u.Reasoning
	}
	return &u
}
