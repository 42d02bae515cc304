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
