package opencode

import (
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

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
