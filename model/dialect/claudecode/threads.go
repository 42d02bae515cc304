package claudecode

import (
	"strings"

	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// threads finds what ties the files and threads of a dump together: the calls
// that made sub-agents, the side chains within a file, and what a fork repeats.
func (c *claimer) threads() {
	twins := make(map[string][]*found) // session files by the record with which they begin
	for _, s := range c.streams {
		if s.chain && !s.meta.Stream && c.names[s.file].role != roleAgent {
			twins[s.first] = append(twins[s.first], s)
		}
	}
	for _, s := range c.streams {
		switch {
		case c.names[s.file].role == roleAgent:
			if s.meta.Spawn == "" {
				c.spawned(s)
			}
		case !s.chain:
		case oldLayout(s.version):
			c.sideChains(s)
		case s.isBoundary:
			c.forked(s, append(twins[s.first], c.siblings(s)...))
		case len(twins[s.first]) > 1:
			c.forked(s, twins[s.first])
		}
	}
}

// text is as much of a stream's file as can be had.
func (c *claimer) text(s *found) []byte { return c.dump.Head(s.file, deepBytes) }

// oldLayout reports the versions whose sub-agents stand within the session file.
func oldLayout(version string) bool {
	return strings.HasPrefix(version, "1.") || strings.HasPrefix(version, "2.0.")
}

// spawned finds the call that made a sub-agent: the one whose result, or whose
// progress, names the agent; else that with its prompt.
func (c *claimer) spawned(s *found) {
	parent := c.mains[s.Parent]
	if parent == nil || parent == s {
		return
	}
	if parent.calls == nil {
		parent.calls = c.callsOf(parent)
	}
	s.meta.Spawn = parent.calls.byAgent[c.names[s.file].agent]
	if s.meta.Spawn == "" {
		s.meta.Spawn = parent.calls.byPrompt[firstPrompt(c.dump.Head(s.file, headBytes))]
		s.meta.Inferred = s.meta.Spawn != ""
	}
}

// agentCalls are the calls of a session that make sub-agents.
type agentCalls struct {
	byAgent  map[string]string
	byPrompt map[string]string // the first of a prompt
}

func (c *claimer) callsOf(s *found) *agentCalls {
	calls := &agentCalls{map[string]string{}, map[string]string{}}
	eachRecord(c.text(s), func(obj []byte) bool {
		var r record
		r.read(obj)
		agent, call := "", ""
		switch typeOf(r.typ) {
		case "user":
			if isObject(r.toolUseResult) {
				agent, call = jsonscan.Str(jsonscan.Get(r.toolUseResult, "agentId")), firstResult(&r)
			}
		case "progress":
			agent, call = jsonscan.Str(jsonscan.Get(r.data, "agentId")), jsonscan.Str(r.parentToolUseID)
		case "assistant":
			if call, prompt := agentCall(&r); prompt != "" && calls.byPrompt[prompt] == "" {
				calls.byPrompt[prompt] = call
			}
		}
		if agent != "" && calls.byAgent[agent] == "" {
			calls.byAgent[agent] = call
		}
		return true
	}, holds(`"agentId"`), holds(`"prompt"`))
	return calls
}

// firstResult is the call that a user record answers first.
func firstResult(r *record) (call string) {
	eachBlock(jsonscan.Get(r.message, "content"), func(b block) bool {
		call = jsonscan.Str(b.toolUseID)
		return call == ""
	})
	return call
}

// agentCall is the call of a sub-agent in an assistant record, and its prompt.
func agentCall(r *record) (call, prompt string) {
	eachBlock(jsonscan.Get(r.message, "content"), func(b block) bool {
		if n := jsonscan.Str(b.name); n == "Task" || n == "Agent" {
			call, prompt = jsonscan.Str(b.id), phrase.Head(jsonscan.Get(b.input, "prompt"), phrase.TextLimit)
		}
		return call == ""
	})
	return call, prompt
}

// firstPrompt is the text with which a thread begins.
func firstPrompt(head []byte) (text string) {
	eachRecord(head, func(obj []byte) bool {
		var r record
		r.read(obj)
		if typeOf(r.typ) == "user" {
			text = promptOf(&r)
		}
		return text == ""
	})
	return text
}

func promptOf(r *record) string {
	return phrase.Content(jsonscan.Get(r.message, "content"), phrase.TextLimit)
}

// sideChains numbers the side chains of a session file in the order of their
// roots, and finds for each the newest call before it that has its prompt and
// has made none.
func (c *claimer) sideChains(s *found) {
	sides := make(map[string]int)
	spawns := make(map[int]string)
	type asked struct{ call, prompt string }
	var calls []asked
	roots := 0
	eachRecord(c.text(s), func(obj []byte) bool {
		var r record
		r.read(obj)
		uuid := jsonscan.Str(r.uuid)
		if typeOf(r.typ) == "assistant" {
			if call, prompt := agentCall(&r); call != "" {
				calls = append(calls, asked{call, prompt})
			}
		}
		if uuid == "" || !isTrue(r.isSidechain) || isText(r.agentID) {
			return true
		}
		if n, ok := sides[jsonscan.Str(r.parentUUID)]; ok {
			sides[uuid] = n
			return true
		}
		roots++
		sides[uuid] = roots
		prompt := promptOf(&r)
		for i, a := range calls {
			if a.prompt == prompt {
				spawns[roots] = a.call
				calls = append(calls[:i], calls[i+1:]...)
				break
			}
		}
		return true
	}, beside, holds(`"prompt"`))
	if roots > 0 {
		s.meta.Sides, s.meta.SideSpawns = sides, spawns
	}
}
