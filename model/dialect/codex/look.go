package codex

import (
	"bytes"

	"hindcast/model/jsonscan"
)

// lookKind is what a file's first lines show.
type lookKind uint8

const (
	lookNothing lookKind = iota // no JSON
	lookJSON                    // JSON of some other kind
	lookLines                   // a rollout without its first line
	lookFlat
	lookStdout
	lookRollout
)

// isRollout reports whether the lines are a rollout's, of any era.
func (k lookKind) isRollout() bool { return k == lookRollout || k == lookFlat || k == lookLines }

// look is what the first lines of a file tell.
type look struct {
	kind                  lookKind
	thread, version, base string
}

// looksLines is how many lines are looked at.
const looksLines = 8

// lookAt reads the first lines of a file. A first line that is cut counts as
// far as it goes.
func lookAt(head []byte) (l look) {
	head = bytes.TrimPrefix(head, []byte("\ufeff"))
	var oldHead string
	states, items := 0, 0
	for n := 0; n < looksLines && len(head) > 0; n++ {
		raw, rest, _ := bytes.Cut(head, []byte("\n"))
		head = rest
		if raw = bytes.TrimSpace(raw); len(raw) == 0 || raw[0] != '{' {
			continue
		}
		_, _, err := jsonscan.Value(raw)
		ln := readLine(raw)
		if err != nil && ln.payload == nil {
			continue
		}
		if l.kind == lookNothing {
			l.kind = lookJSON
		}
		typ := jsonscan.Str(ln.typ)
		switch {
		case !ln.flat && typ == "session_meta":
			b := readBody(ln.payload)
			l.thread, l.version = jsonscan.Str(b.id), jsonscan.Str(b.version)
			l.base = jsonscan.Str(jsonscan.Get(b.base, "thread_id"))
			l.kind = lookRollout
			return l
		case ln.flat && typ == "thread.started":
			l.thread = jsonscan.Str(readBody(raw).threadID)
			if l.thread != "" {
				l.kind = lookStdout
				return l
			}
		case !ln.flat && (typ == lineItem || typ == lineEvent):
			l.kind = lookLines
		case ln.flat && typ == "" && ln.time != nil && ln.recordType == nil:
			oldHead = jsonscan.Str(readBody(raw).id)
		case ln.flat && oldHead != "" && (ln.recordType != nil || jsonscan.Str(ln.typ) == "message"):
			l.thread, l.kind = oldHead, lookFlat
			return l
		case ln.flat && jsonscan.Str(ln.recordType) == "state":
			states++
		case ln.flat && jsonscan.Str(ln.typ) == "message":
			items++
		}
	}
	if l.kind == lookJSON && states > 0 && items > 0 { // without its first line
		l.kind = lookFlat
	}
	return l
}
