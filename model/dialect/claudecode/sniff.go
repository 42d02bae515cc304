package claudecode

import (
	"bytes"
	"slices"

	"hindcast/model/jsonscan"
)

// How much of a file Claim looks at: its beginning, and, where a record must be
// found among many (a call that made a sub-agent, side chains, the end of what
// a fork repeats) or where the first line is long, all that can be had.
const (
	headBytes   = 64 << 10
	deepBytes   = 4 << 20
	headRecords = 64
)

// look is what the first records of a file tell.
type look struct {
	chain   bool // a record of a session file's tree
	side    bool // a record that stands beside it
	stream  bool // a capture of stdout
	session string
	version string
	agent   string
	// first is the first record of the tree; isBoundary: it is a compaction, so
	// that what stands before it may be in another file.
	first      string
	isBoundary bool
}

func (l *look) found() bool { return l.chain || l.side || l.stream }

// lookAt reads the first records of a file.
func lookAt(head []byte) (l look) {
	n := 0
	eachRecord(head, func(obj []byte) bool {
		n++
		l.take(obj)
		return n < headRecords && !(l.chain && l.session != "" && l.version != "")
	})
	return l
}

// mark tells by its bytes whether a line may be of interest.
type mark func(line []byte) bool

// holds marks lines with a text.
func holds(text string) mark {
	want := []byte(text)
	return func(line []byte) bool { return bytes.Contains(line, want) }
}

// beside marks lines that may be of a side chain. Most others say that they are
// of none, and some programs put blanks between a key and its value.
func beside(line []byte) bool {
	const key = `"isSidechain"`
	for {
		i := bytes.Index(line, []byte(key))
		if i < 0 {
			return false
		}
		line = bytes.TrimLeft(line[i+len(key):], " \t\r")
		if value, ok := bytes.CutPrefix(line, []byte(":")); ok && bytes.HasPrefix(bytes.TrimLeft(value, " \t\r"), []byte("true")) {
			return true
		}
	}
}

// eachRecord walks the objects of JSON lines. The last may be cut. With marks,
// lines that none of them is of are passed over.
func eachRecord(text []byte, f func(obj []byte) bool, marks ...mark) {
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		text = rest
		if len(marks) > 0 && !slices.ContainsFunc(marks, func(m mark) bool { return m(line) }) {
			continue
		}
		for {
			start, end, err := jsonscan.Value(line)
			if start >= len(line) || line[start] != '{' {
				break
			}
			// Of a record that is cut, the members up to there tell enough.
			if !f(line[start:end]) {
				return
			}
			if err != nil {
				break
			}
			line = line[end:]
		}
	}
}

// take learns from a record what kind of file holds it.
func (l *look) take(obj []byte) {
	var r record
	r.read(obj)
	typ := typeOf(r.typ)
	snake := jsonscan.Get(obj, "session_id")
	switch {
	case isText(snake) && streamTypes[typ]:
		l.stream = true
		l.version = firstOf(l.version, jsonscan.Str(r.version))
	case isText(r.uuid) && chainTypes[typ] && r.parentUUID != nil:
		l.chain = true
		l.version = firstOf(l.version, jsonscan.Str(r.version))
		l.agent = firstOf(l.agent, jsonscan.Str(r.agentID))
		if l.first == "" {
			l.first = jsonscan.Str(r.uuid)
			l.isBoundary = jsonscan.Str(r.subtype) == "compact_boundary"
		}
	case besideTypes[typ] && besideKnown(&r):
		l.side = true
	default:
		return
	}
	l.session = firstOf(l.session, jsonscan.Str(r.sessionID))
}

// chainTypes are the types of a session's tree.
var chainTypes = map[string]bool{"user": true, "assistant": true, "system": true, "attachment": true, "progress": true}

// streamTypes are the types of a capture.
var streamTypes = map[string]bool{"user": true, "assistant": true, "system": true, "stream_event": true, "result": true}

// besideTypes are the types of records without uuid with which a session file
// may begin, and of which a stub has nothing else.
var besideTypes = map[string]bool{
	"summary": true, "file-history-snapshot": true, "queue-operation": true, "mode": true, "permission-mode": true, "last-prompt": true,
	"custom-title": true, "ai-title": true, "agent-name": true, "agent-setting": true, "atis-latch": true, "tools-used": true, "pr-link": true,
	"cost-state": true, "api-request": true, "api-request-shape": true, "api-request-blob": true, "file-history-delta": true, "bridge-session": true,
}

// besideKnown reports the members that such a record has.
func besideKnown(r *record) bool {
	return isText(r.sessionID) || isText(r.summary) && isText(r.leafUUID) || isText(r.messageID) && isObject(r.snapshot)
}

func firstOf(all ...string) string {
	for _, s := range all {
		if s != "" {
			return s
		}
	}
	return ""
}
