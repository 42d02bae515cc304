package codex

import (
	"strings"

	"hindcast/model/jsonscan"
)

// typeOf is a record's type: "<line type>/<payload type>", the bare type of an
// item in the oldest files.
func (l *line) typeOf(b *body) string {
	outer, inner := word(l.typ), word(b.typ)
	switch {
	case l.flat && outer == "" && l.recordType != nil:
		return jsonscan.Str(l.recordType)
	case l.flat && outer == "":
		return "session_meta"
	case l.flat || inner == "":
		return outer
	}
	switch outer {
	case lineItem:
		return intern(outer, inner, itemTypes)
	case lineEvent:
		return intern(outer, inner, eventTypes)
	}
	return outer
}

// intern joins the halves of a type, without a new string for the usual ones.
func intern(outer, inner string, usual map[string]string) string {
	if s, ok := usual[inner]; ok {
		return s
	}
	return outer + "/" + inner
}

// The types of lines.
const (
	lineItem  = "response_item"
	lineEvent = "event_msg"
)

var (
	itemTypes = joined(lineItem, "message", "reasoning", "function_call", "function_call_output",
		"custom_tool_call", "custom_tool_call_output")
	eventTypes = joined(lineEvent, "item_completed", "token_count", "user_message", "agent_message",
		"agent_reasoning", "task_started", "task_complete", "thread_settings_applied", "patch_apply_end")
)

func joined(outer string, inner ...string) map[string]string {
	all := make(map[string]string, len(inner))
	for _, s := range inner {
		all[s] = outer + "/" + s
	}
	return all
}

// isItem reports whether a line is part of the model's history. The oldest
// files hold such items bare.
func (l *line) isItem() bool {
	if l.flat {
		t := jsonscan.Str(l.typ)
		return t != "" && !isStdout(t)
	}
	return string(l.typ) == `"`+lineItem+`"`
}

// isStdout knows the types that `codex exec --json` writes.
func isStdout(t string) bool {
	return strings.HasPrefix(t, "thread.") || strings.HasPrefix(t, "turn.") || strings.HasPrefix(t, "item.") || t == "error"
}

// sequence reads history_sequence and sampled_through_sequence of a line's
// metadata; -1 where it has none. draft: the item is the summary that a
// compaction asked for.
func (l *line) sequence() (own, sampled int64, draft bool) {
	own, sampled = -1, -1
	jsonscan.Fields(l.metadata, func(key string, v []byte) bool {
		switch key {
		case "history_sequence":
			own = intOr(v, -1)
		case "sampled_through_sequence":
			sampled = intOr(v, -1)
		case "compaction_output":
			draft, _ = jsonscan.Bool(v)
		}
		return true
	})
	return own, sampled, draft
}

func intOr(v []byte, other int64) int64 {
	if n, ok := jsonscan.Int(v); ok {
		return n
	}
	return other
}

// words are texts that stand in nearly every record, by their JSON.
var words = func() map[string]string {
	all := map[string]string{}
	for _, w := range []string{
		lineItem, lineEvent, "session_meta", "turn_context", "world_state", "compacted", "token_usage_record",
		"message", "reasoning", "function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output",
		"item_completed", "token_count", "user_message", "agent_message", "agent_reasoning", "task_started", "task_complete",
		"UserMessage", "AgentMessage", "Reasoning", "CommandExecution", "FileChange",
		"user", "assistant", "developer", "completed", "failed", "exec_command", "apply_patch", "write_stdin", "shell", "exec",
	} {
		all[`"`+w+`"`] = w
	}
	return all
}()

// word is a string value that is likely one of the usual words.
func word(v []byte) string {
	if w, ok := words[string(v)]; ok {
		return w
	}
	return jsonscan.Str(v)
}
