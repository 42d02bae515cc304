package jsonscan

// commonKeys holds, sorted, keys that agents write most.
var commonKeys = tableOf(
	"action", "action_id", "agent", "agentId", "aggregate_id", "args", "arguments", "attachment", "cache_creation",
	"cache_creation_input_tokens", "cache_read_input_tokens", "callID", "call_id", "cause", "content", "cost",
	"created_at", "cwd", "data", "elapsedTimeSeconds", "entrypoint", "error", "event", "event_type", "extras",
	"filePath", "fullOutput", "function", "gitBranch", "id", "index", "info", "input", "input_tokens", "interrupted",
	"isError", "isImage", "isMeta", "isSidechain", "is_error", "kind", "level", "llm_response_id", "logicalParentUuid",
	"message", "messageID", "message_id", "messages", "metadata", "model", "name", "newString", "observation",
	"oldString", "originalFile", "output", "output_tokens", "parentID", "parentToolUseID", "parentUuid", "parent_id",
	"parent_tool_use_id", "part", "parts", "payload", "permissionMode", "promptId", "properties", "reason",
	"reasoning_content", "rendered", "renderedRole", "replaceAll", "requestId", "requestRef", "result", "role",
	"security_risk", "seq", "sequence", "service_tier", "sessionID", "sessionId", "session_id", "signature", "slug",
	"source", "sourceToolAssistantUUID", "source_event_id", "span_id", "state", "status", "stderr", "stdout",
	"stop_reason", "stop_sequence", "structuredPatch", "subtype", "summary", "text", "thinking", "thinking_blocks",
	"thought", "time", "timestamp", "title", "tool", "toolUseID", "toolUseResult", "tool_call", "tool_call_id",
	"tool_calls", "tool_name", "tool_use_id", "totalLines", "trace_id", "ts", "type", "usage", "userModified",
	"userType", "uuid", "value", "version",
)

func tableOf(words ...string) map[string]string {
	t := make(map[string]string, len(words))
	for _, w := range words {
		t[w] = w
	}
	return t
}
