package claudecode

import (
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// The confidences of a claim: a record of a session's tree; a capture; records
// beside a tree only; the dialect was named.
const (
	confidenceChain  = 98
	confidenceStream = 96
	confidenceStub   = 95
	confidenceForced = 1
)

// claimer looks for sessions in a dump.
type claimer struct {
	dump    model.Dump
	files   []model.File
	names   []placed
	streams []*found
	// mains are the session files by the session that they hold.
	mains map[string]*found
	metas map[string]int // by folder and agent
}

// found is a stream with what was seen of its file.
type found struct {
	model.Stream
	look
	meta  *meta
	file  int
	calls *agentCalls // once they were asked for
}

// Claim finds session files, those of sub-agents and captures by their first
// records, and what belongs to them by its name.
func (dialect) Claim(d model.Dump, force bool) []model.Stream {
	c := &claimer{dump: d, files: d.Files(), mains: map[string]*found{}, metas: map[string]int{}}
	c.names = make([]placed, len(c.files))
	var captures, agents []*found
	for i, f := range c.files {
		if f.Database != "" {
			continue
		}
		c.names[i] = placeOf(f.Name)
		switch c.names[i].role {
		case roleUnknown, roleAgent:
			s := c.inspect(i, force)
			switch {
			case s == nil:
			case s.stream && !s.chain:
				captures = append(captures, s)
			case c.names[i].role == roleAgent:
				agents = append(agents, s)
			default:
				c.session(s)
			}
		case roleMeta:
			c.metas[folderOf(f.Name)+c.names[i].agent] = i
		}
	}
	for _, s := range agents {
		c.agent(s)
	}
	for _, s := range captures {
		c.capture(s)
	}
	c.threads()
	c.evidence()
	out := make([]model.Stream, len(c.streams))
	for i, s := range c.streams {
		out[i] = s.Stream
	}
	return out
}

// inspect looks at a file's first records; nil where they are no session's.
func (c *claimer) inspect(i int, force bool) *found {
	head := c.dump.Head(i, headBytes)
	l := lookAt(head)
	if !l.found() && len(head) == headBytes && len(head) > 0 && head[0] == '{' {
		l = lookAt(c.dump.Head(i, deepBytes)) // what tells may stand behind a long line
	}
	s := &found{look: l, file: i, meta: &meta{}}
	s.Stream = model.Stream{
		Dialect: name, Version: l.version, Files: []int{i}, Meta: s.meta,
		Framing: model.Framing{Mode: model.FrameLines}, Order: model.OrderArrival,
	}
	switch {
	case l.chain:
		s.Confidence, s.Reason = confidenceChain, "lines with uuid, parentUuid and sessionId, a Claude Code session"
	case l.stream:
		s.Confidence, s.Reason = confidenceStream, "lines with type and session_id, the stdout of Claude Code"
	case l.side:
		s.Confidence, s.Reason = confidenceStub, "lines of a Claude Code session without a conversation"
	case force:
		framing, ok, _ := jsonscan.Sniff(head, len(head) < headBytes)
		if !ok {
			return nil
		}
		s.Confidence, s.Reason, s.Framing = confidenceForced, "the dialect was named", framing
	default:
		return nil
	}
	return s
}

// session takes a session file. A file that is named by an id is that session,
// whatever it repeats of others; the records of any other name their sessions.
func (c *claimer) session(s *found) {
	own := stem(c.files[s.file].Name)
	s.Session = firstOf(s.look.session, own)
	if isSessionID(own) || c.mains[s.Session] != nil {
		s.meta.Own = true
		s.Session = own
	}
	if c.mains[s.Session] == nil {
		c.mains[s.Session] = s
	}
	c.streams = append(c.streams, s)
}

// agent takes a sub-agent's file.
func (c *claimer) agent(s *found) {
	at := c.names[s.file]
	s.meta.Own = true
	s.Session = agentPrefix + at.agent
	s.Parent = firstOf(at.session, s.look.session)
	c.streams = append(c.streams, s)
	if i, ok := c.metas[folderOf(c.files[s.file].Name)+at.agent]; ok {
		head := c.dump.Head(i, headBytes)
		s.Evidence = append(s.Evidence, model.Evidence{File: i, What: evidenceNames[roleMeta]})
		s.meta.Spawn = jsonscan.Str(jsonscan.Get(head, "toolUseId"))
		s.Title = jsonscan.Str(jsonscan.Get(head, "description"))
		if depth, ok := jsonscan.Int(jsonscan.Get(head, "spawnDepth")); ok && depth > 1 && s.meta.Spawn != "" {
			s.Parent = "" // another sub-agent, which the call tells
		}
	}
}

// capture takes a capture of stdout. Those of one session are one stream; where
// the session's file is there as well they only say it again.
func (c *claimer) capture(s *found) {
	if main := c.mains[s.look.session]; main != nil {
		if main.meta.Stream {
			main.Files = append(main.Files, s.file)
		} else {
			main.Evidence = append(main.Evidence, model.Evidence{File: s.file, What: "packaging"})
		}
		return
	}
	s.meta.Stream = true
	s.Session = firstOf(s.look.session, stem(c.files[s.file].Name))
	c.mains[s.Session] = s
	c.streams = append(c.streams, s)
}

// evidence gives the files that hold no events to the sessions that their names
// tell, and refuses what nobody should read.
func (c *claimer) evidence() {
	for i, p := range c.names {
		what := evidenceNames[p.role]
		main := c.mains[p.session]
		switch {
		case p.role == roleSecret && len(c.streams) > 0:
			first := c.streams[0]
			first.Refused = append(first.Refused, model.Evidence{File: i, What: "holds the keys of an account"})
		case what == "" || p.role == roleMeta && c.taken(i):
		case main != nil:
			main.Evidence = append(main.Evidence, model.Evidence{File: i, What: what})
		}
	}
}

// taken reports whether a file is some stream's evidence.
func (c *claimer) taken(file int) bool {
	for _, s := range c.streams {
		for _, e := range s.Evidence {
			if e.File == file {
				return true
			}
		}
	}
	return false
}

// folderOf is the folder of a file with its slash.
func folderOf(file string) string { return file[:strings.LastIndexByte(file, '/')+1] }
