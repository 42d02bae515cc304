package jsonscan

// commonKeys holds, sorted, keys that agents write most.
var commonKeys = tableOf(
	"action", "action_id", "agent", "agentId", "aggregate_id", "args", "arguments", "callID", "call_id", "cause", "content", "cost", "created_at", "cwd",
	"data", "error", "event", "event_type", "extras", "function", "gitBranch", "id", "index", "info", "input",
	"isError", "isSidechain", "is_error", "kind", "level", "llm_response_id", "message", "messageID", "message_id", "messages", "metadata",
	"model", "name", "observation", "output", "parentID", "parentUuid", "parent_id", "part", "parts", "payload", "properties", "reason",
	"reasoning_content", "result", "role", "security_risk", "seq", "sequence", "sessionID", "sessionId",
	"session_id", "source", "source_event_id", "span_id", "state", "status", "stop_reason", "summary", "text",
	"thinking_blocks", "thought", "time", "timestamp", "title", "tool", "toolUseResult", "tool_call",
	"tool_call_id", "tool_calls", "tool_name", "tool_use_id", "trace_id", "ts", "type", "usage", "userType", "uuid",
	"value", "version",
)

func tableOf(words ...string) map[string]string {
	t := make(map[string]string, len(words))
	for _, w := range words {
		t[w] = w
	}
	return t
}
