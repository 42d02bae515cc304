package openhands

import (
	"bytes"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// sniffLines looks at a file of values: one event a line, between other lines
// perhaps, or one session a line.
func sniffLines(head []byte) (form, bool) {
	f := form{framing: model.Framing{Mode: model.FrameLines}, order: model.OrderArrival}
	var all []traits
	seen := 0
	for i := 0; i < len(head) && len(all) < sampleLimit && seen < 16*sampleLimit; seen++ {
		i = spaceEnd(head, i)
		end := lineEnd(head, i)
		p, ok := piece{}, false
		if i < len(head) && (head[i] == '{' || head[i] == '[') {
			p, ok = pieceAt(head, i)
		}
		switch {
		case ok && p.end > end:
			// A value over several lines: the file is a stream of values.
			f.framing.Mode = model.FrameValues
			end = p.end
			all = append(all, lookAt(head, i))
		case ok:
			all = append(all, lookAt(head, i))
		}
		i = end
	}
	if r, ok := f.judgeRuns(all); ok {
		return r, true
	}
	return f.judge(all, "a file")
}

func lineEnd(b []byte, i int) int {
	if n := bytes.IndexByte(b[min(i, len(b)):], '\n'); n >= 0 {
		return i + n + 1
	}
	return len(b)
}

// judgeRuns recognises files that hold a session in each record.
func (f form) judgeRuns(all []traits) (form, bool) {
	for _, t := range all {
		if !t.run {
			continue
		}
		inner := sample(t.historyFirst, 0)
		g, ok := form{}.judge(inner, "history")
		if !ok {
			continue
		}
		f.family, f.runs, f.confidence, f.rank, f.first = g.family, true, 92, rankWrapper, firstEvent{}
		f.order = model.OrderArrival
		f.reason = "benchmark output, one session a line, history of " + g.family.String() + " records"
		if t.resolver {
			f.reason = "issue resolver output, one session a line"
		}
		return f, true
	}
	return form{}, false
}

// convState is what a conversation's own state file tells.
type convState struct {
	id, title, parent, status, leaf, folder string
	usage                                   model.Usage
	responses                               map[string]model.Usage
	isState                                 bool
}

// readState reads base_state.json or meta.json, which may be cut.
func readState(head []byte) (s convState) {
	var agent, workspace, status, messages bool
	members(head, 0, func(key string, p piece) bool {
		v := p.of(head)
		switch key {
		case "id", "conversation_id":
			s.id = jsonscan.Str(v)
		case "title":
			s.title = jsonscan.Str(v)
		case "parent_conversation_id":
			s.parent = jsonscan.Str(v)
		case "execution_status", "agent_status":
			s.status = jsonscan.Scalar(v)
			status = s.status != ""
		case "leaf_event_id":
			s.leaf = jsonscan.Str(v)
		case "agent":
			agent = isObject(v)
		case "workspace", "persistence_dir", "working_dir":
			workspace = true
			if key == "workspace" && p.whole {
				s.folder = jsonscan.Str(jsonscan.Get(v, "working_dir"))
			}
		case "stats", "conversation_stats":
			if u := statsUsage(v); u != nil && p.whole {
				s.usage, s.responses = *u, responseUsage(v)
			}
		case "history", "events", "kind":
			messages = true
		}
		return true
	})
	s.isState = agent && (status || workspace) && s.id != "" && !messages
	return s
}
