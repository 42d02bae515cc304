package codex

import (
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// The states of a run, in the words of section 7 of the format.
const (
	statusRunning     = "running"
	statusIdle        = "idle"
	statusInterrupted = "interrupted"
	statusError       = "error"
)

// event is what the program's screen was told.
func (r *record) event(kind string) {
	b, e := &r.body, r.e
	e.Source = "program"
	switch kind {
	case "item_completed", "item_started", "item_updated":
		turn := jsonscan.Str(b.turnID)
		r.body = readBody(b.item)
		r.threadItem(kind, turn)
	case "user_message":
		r.copyOf("user", phrase.Content(b.message, phrase.LineLimit))
	case "agent_message":
		r.copyOf("assistant", phrase.Content(b.message, phrase.LineLimit))
	case "agent_reasoning", "agent_reasoning_raw_content":
		r.copyOf("reasoning", phrase.Content(b.text, phrase.LineLimit))
	case "token_count":
		r.tokenCount()
	case "task_started", "turn_started":
		e.Kind, e.Title = model.KindSession, "turn started"
		r.n.Status = statusRunning
		r.alias(jsonscan.Str(b.turnID))
	case "task_complete", "turn_complete":
		r.turnEnd()
	case "turn_aborted":
		e.Kind = model.KindSession
		e.Title = phrase.Titled("turn aborted", jsonscan.Str(b.reason))
		r.n.Status = statusInterrupted
		r.turnLink()
	case "error", "stream_error":
		e.Kind, e.Outcome = model.KindError, model.OutcomeFailed
		e.Title = phrase.TellingLine(phrase.Content(b.message, phrase.TextLimit))
		r.n.Flags = endsBadly
	case "context_compacted":
		e.Kind, e.Noise, e.Title = model.KindDelta, true, "compaction done"
		r.n.Flags = compacted
	case "thread_rolled_back":
		e.Kind = model.KindCheckpoint
		r.n.Flags, r.n.Number = rollsBack, intOr(b.turns, 0)
		e.Title = "rolled back " + phrase.Plural(int(r.n.Number), "turn")
	case "thread_settings_applied":
		r.settings("settings", b.settings)
	default:
		r.callEvent(kind)
	}
}

// callEvent is one of the older events around a call: `_begin` and `_end` of a
// command, a patch, a search, a tool of a server.
func (r *record) callEvent(kind string) {
	b, e := &r.body, r.e
	e.Call = jsonscan.Str(b.callID)
	what, ends := strings.CutSuffix(kind, "_end")
	switch {
	case ends && e.Call != "":
		r.n.Flags = tellsCall
		e.Kind = model.KindState
		v := itemVerdict(b)
		r.tells(&v)
		e.Title = phrase.OneLine(itemTitle(what, b, &v))
	case e.Call != "":
		e.Kind, e.Noise = model.KindDelta, true
		e.Title = strings.ReplaceAll(kind, "_", " ")
	default:
		r.other()
	}
}

// tells keeps for the result how the call went.
func (r *record) tells(v *verdict) {
	switch v.outcome() {
	case model.OutcomeFailed:
		r.n.Flags |= callFailed
	case model.OutcomeOK:
		if v.hasExit || string(r.body.status) == `"completed"` {
			r.n.Flags |= callWorked
		}
	}
}

func (r *record) turnEnd() {
	b, e := &r.body, r.e
	e.Kind, e.Title = model.KindSession, "turn complete"
	r.n.Status = statusIdle
	if jsonscan.Kind(b.fault) == '{' || jsonscan.Kind(b.fault) == '"' {
		e.Kind, e.Outcome = model.KindError, model.OutcomeFailed
		text := phrase.Content(b.fault, phrase.TextLimit)
		if text == "" {
			text = phrase.Head(jsonscan.Get(b.fault, "message"), phrase.TextLimit)
		}
		e.Title = phrase.Titled("turn failed", phrase.TellingLine(text))
		r.n.Status = statusError
		r.n.Flags |= endsBadly
	}
	r.turnLink()
}

// turnLink leads from a turn's end to its start.
func (r *record) turnLink() {
	if id := jsonscan.Str(r.body.turnID); id != "" {
		r.e.Links = append(r.e.Links, model.Link{Reason: model.ReasonParent, ToID: id})
	}
}

// copyOf is a message that the history holds too.
func (r *record) copyOf(role, text string) {
	e := r.e
	e.Kind, e.Noise = model.KindDelta, true
	r.n.Flags |= isCopy
	r.n.Sum = sumOf(role, text)
	line := phrase.FirstLine(text)
	switch role {
	case "user":
		e.Source = "user"
		r.n.Flags |= isPrompted
		r.n.Line = line
		e.Title = phrase.Titled("user", line)
	case "assistant":
		e.Source, e.Title = "agent", phrase.Titled("assistant", line)
	default:
		e.Source, e.Title = "agent", phrase.Titled("thinking", plainHeading(line))
	}
}

func (r *record) tokenCount() {
	e := r.e
	e.Kind, e.Noise = model.KindDelta, true
	total := jsonscan.Get(r.body.info, "total_token_usage")
	if e.Usage = usageOf(total); e.Usage != nil {
		r.n.Flags = isTotal
	}
	e.Title = "tokens so far: " + tokens(jsonscan.Get(total, "total_tokens"))
}

// threadItem is a part of a thread as the screen shows it.
func (r *record) threadItem(stage, turn string) {
	b, e := &r.body, r.e
	id := jsonscan.Str(b.id)
	kind := word(b.typ)
	if stage != "item_completed" {
		e.Kind, e.Noise, e.Title = model.KindDelta, true, phrase.OneLine(kind+" "+strings.TrimPrefix(stage, "item_"))
		e.Call = id
		return
	}
	switch kind {
	case "UserMessage":
		e.ID = id
		r.copyOf("user", phrase.Content(b.content, phrase.LineLimit))
	case "AgentMessage":
		// The id is its original's.
		r.n.Original = id
		r.copyOf("assistant", phrase.Content(b.content, phrase.LineLimit))
	case "Reasoning":
		r.n.Original = id
		r.copyOf("reasoning", phrase.Content(b.summaryText, phrase.LineLimit))
	case "ContextCompaction":
		e.ID = id
		e.Kind, e.Noise, e.Title = model.KindDelta, true, "compaction done"
		r.n.Flags = compacted
	case "Plan":
		e.ID = id
		e.Kind, e.Source = model.KindObservation, "agent"
		e.Title = planTitle(b)
	default:
		r.callItem(kind, id)
	}
}

// callItem is what became of a call: of one of the model's, whose result says it
// too, or of one that a script made, of which nothing else is left.
func (r *record) callItem(kind, id string) {
	b, e := &r.body, r.e
	e.Kind = model.KindState
	v := itemVerdict(b)
	e.Title = phrase.OneLine(itemTitle(kind, b, &v))
	if isScripted(id) {
		r.n.Flags = scripted // no call has that id
		e.ID, e.Kind, e.Source = id, model.KindObservation, "tool"
		e.Tool = itemTool(kind, b)
		e.Outcome = v.outcome()
		r.n.Line = itemSubject(b)
		return
	}
	e.Call = id
	r.n.Flags = tellsCall
	r.tells(&v)
	r.alias(jsonscan.Str(b.agentThread))
	jsonscan.Elements(b.receivers, func(v []byte) bool {
		r.alias(jsonscan.Str(v))
		return true
	})
}
