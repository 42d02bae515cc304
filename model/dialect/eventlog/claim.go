package eventlog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// How much of a file Claim looks at.
const (
	headBytes   = 64 << 10
	headRecords = 16 // records looked at, read or broken
)

// The confidences of a claim: one of the six types in its envelope; the
// envelope with types of its own; a forced reading of anything that is JSON.
const (
	confidenceTyped    = 96
	confidenceEnvelope = 85
	confidencePart     = 40
	confidenceForced   = 1
)

// sessionByFile is a stream's Meta: records that name no session belong to a
// session named after their file, as the stream reads several files.
type sessionByFile bool

// member is a file of the dump that holds events of this format.
type member struct {
	file    int
	framing model.Framing
	look    look
}

// group gathers the files of one stream.
type group struct {
	session string // of events/<session>/; empty for loose files
	root    string // the folder that holds events/ and checkpoints/
	members []member
}

// Claim finds the files that hold event envelopes: events/<session>/ folders
// are a stream each, loose files of one folder and framing are one together.
// With force every file that holds JSON is taken.
func (dialect) Claim(d model.Dump, force bool) []model.Stream {
	groups := make(map[string]*group)
	var order []string
	var checkpoints []int
	for i, f := range d.Files() {
		if _, _, ok := checkpointName(f.Name); ok {
			checkpoints = append(checkpoints, i)
			continue
		}
		if g := groups[folderKey(f.Name, byLine)]; g != nil && !force {
			// One file of the folder was seen to be ours: thousands of heads need
			// not be read, and what is no event in them is quarantined.
			g.members = append(g.members, member{file: i, framing: byLine, look: g.members[0].look})
			continue
		}
		m, ok := inspect(d, i, force)
		if !ok {
			continue
		}
		g, key := place(f.Name, m.framing)
		if groups[key] == nil {
			groups[key] = &g
			order = append(order, key)
		}
		groups[key].members = append(groups[key].members, m)
	}
	var streams []model.Stream
	var owners []*group
	for _, key := range order {
		streams = append(streams, groups[key].stream(d))
		owners = append(owners, groups[key])
	}
	attach(d, checkpoints, streams, owners)
	return streams
}

// inspect decides whether a file holds events of this format.
func inspect(d model.Dump, file int, force bool) (member, bool) {
	head := d.Head(file, headBytes)
	whole := len(head) < headBytes
	framing, ok, _ := jsonscan.Sniff(head, whole, "events")
	if !ok {
		return member{}, false
	}
	m := member{file: file, framing: framing, look: lookAt(head, framing)}
	return m, force || m.look.confidence() > confidenceForced
}

// place says to which stream a file belongs.
func place(name string, framing model.Framing) (group, string) {
	if key := folderKey(name, framing); key != "" {
		root, session, _ := eventsName(name)
		return group{root: root, session: session}, key
	}
	dir := path.Dir(name)
	return group{root: dir}, fmt.Sprintf("loose %q %d %q", dir, framing.Mode, framing.Member)
}

// byLine is the framing of the files in events/<session>/.
var byLine = model.Framing{Mode: model.FrameLines}

// folderKey names the stream of an events/<session>/ folder; it is empty for
// files elsewhere.
func folderKey(name string, framing model.Framing) string {
	root, session, ok := eventsName(name)
	if !ok {
		return ""
	}
	return fmt.Sprintf("session %q %q %d %q", root, session, framing.Mode, framing.Member)
}

// eventsName takes apart <root>/events/<session>/<file>.jsonl.
func eventsName(name string) (root, session string, ok bool) {
	parts := strings.Split(stripCompression(name), "/")
	n := len(parts)
	if n < 3 || parts[n-3] != "events" || parts[n-2] == "" || path.Ext(parts[n-1]) != ".jsonl" {
		return "", "", false
	}
	return strings.Join(parts[:n-3], "/"), parts[n-2], true
}

// checkpointName takes apart <root>/checkpoints/<session>/<snapshot>.json.
func checkpointName(name string) (root, session string, ok bool) {
	parts := strings.Split(stripCompression(name), "/")
	n := len(parts)
	if n < 3 || parts[n-3] != "checkpoints" || parts[n-2] == "" || path.Ext(parts[n-1]) != ".json" {
		return "", "", false
	}
	return strings.Join(parts[:n-3], "/"), parts[n-2], true
}

func (g *group) stream(d model.Dump) model.Stream {
	s := model.Stream{Dialect: Name, Framing: g.members[0].framing, Order: model.OrderSeq, Session: g.session}
	var best look
	for _, m := range g.members {
		s.Files = append(s.Files, m.file)
		if m.look.confidence() > best.confidence() {
			best = m.look
		}
	}
	s.Confidence, s.Reason, s.Version = best.confidence(), best.reason(), best.version
	if g.session == "" {
		s.Session = baseName(d.Files()[s.Files[0]].Name)
		if len(s.Files) > 1 {
			s.Meta = sessionByFile(true)
		}
	} else {
		s.Reason += "; folder events/" + g.session
	}
	return s
}

// attach gives each checkpoint file to the stream of its session, or else to
// the first stream beside it.
func attach(d model.Dump, checkpoints []int, streams []model.Stream, owners []*group) {
	for _, file := range checkpoints {
		root, session, _ := checkpointName(d.Files()[file].Name)
		at := slices.IndexFunc(owners, func(g *group) bool { return g.session == session && g.root == root })
		if at < 0 {
			at = slices.IndexFunc(owners, func(g *group) bool { return path.Clean(g.root) == path.Clean(root) })
		}
		if at >= 0 {
			streams[at].Evidence = append(streams[at].Evidence, model.Evidence{File: file, What: "checkpoint"})
		}
	}
}

// look is what the first records of a file show.
type look struct {
	records, typed, enveloped, partial int
	typ, version                       string
}

// lookAt reads the first records of head. Broken lines are passed over; of a
// record that head cuts, the fields before the cut count.
func lookAt(head []byte, framing model.Framing) look {
	var l look
	rest := inner(bytes.TrimPrefix(head, []byte("\ufeff")), framing)
	for l.records < headRecords && len(rest) > 0 {
		start, end, err := jsonscan.Value(rest)
		l.records++
		if errors.Is(err, io.ErrUnexpectedEOF) {
			l.take(bytes.TrimLeft(rest, " \t\r\n"))
			break
		}
		if err != nil {
			rest = nextLine(rest)
			continue
		}
		l.take(rest[start:end])
		rest = trimComma(rest[end:])
	}
	return l
}

// inner skips to the first record of an array or wrapper.
func inner(head []byte, framing model.Framing) []byte {
	if framing.Mode != model.FrameElements && framing.Mode != model.FrameMember {
		return head
	}
	if framing.Member != "" {
		_, after, found := bytes.Cut(head, []byte(`"`+framing.Member+`"`))
		if !found {
			return nil
		}
		head = after
	}
	_, elements, _ := bytes.Cut(head, []byte("["))
	return elements
}

func nextLine(b []byte) []byte {
	_, rest, _ := bytes.Cut(b, []byte("\n"))
	return rest
}

func trimComma(b []byte) []byte {
	for i, c := range b {
		if c == ',' {
			return b[i+1:]
		}
		if c > ' ' {
			break
		}
	}
	return b
}

func (l *look) take(v []byte) {
	if jsonscan.Kind(v) != '{' {
		return
	}
	var env envelope
	members(v, env.take)
	if jsonscan.Kind(env.typ) != '"' {
		return
	}
	others := 0
	for _, field := range [...][]byte{env.id, env.seq, env.payload} {
		if field != nil {
			others++
		}
	}
	switch {
	case known(typeName(env.typ)) && others > 0:
		l.typed++
		l.typ = typeName(env.typ)
	case others >= 2:
		l.enveloped++
	case others == 1:
		l.partial++
	}
	if version, ok := jsonscan.Int(env.version); ok && l.version == "" {
		l.version = fmt.Sprintf("schema %d", version)
	}
}

func known(t string) bool {
	switch t {
	case typeUser, typeAction, typeResult, typeSession, typeCheckpoint, typeError:
		return true
	}
	return false
}

func (l *look) confidence() int {
	switch {
	case l.typed > 0:
		return confidenceTyped
	case l.enveloped > 0:
		return confidenceEnvelope
	case l.partial > 0:
		return confidencePart
	}
	return confidenceForced
}

func (l *look) reason() string {
	switch {
	case l.typed > 0:
		return "event_type " + l.typ + " in the event envelope"
	case l.enveloped > 0:
		return "the event envelope (event_type, event_id, sequence, payload) with types of its own"
	case l.partial > 0:
		return "event_type beside one more field of the event envelope"
	}
	return "forced: no event envelope was seen"
}
