package generic

// role is what a field means for an event.
type role uint8

const (
	roleCall    role = iota // id of a tool call
	roleCause               // ids of what caused the event
	roleError               // an error's text or object; null, false and "" are none
	roleExit                // exit code of a process
	roleFailed              // a truth value that says it failed
	roleID                  // identity
	roleInput               // arguments of a call
	roleLevel               // severity of a log line
	roleOK                  // a truth value that says it did not fail
	roleOutput              // result of a call
	roleParent              // id of the record above
	roleSeq                 // sequence number
	roleSession             // session, conversation, run, trace
	roleSource              // who emitted it
	roleSpeaker             // role of a message
	roleStatus              // outcome as a word
	roleTime
	roleTitle // text that tells what happened
	roleTool  // name of a tool
	roleType
	roles // their number
)

// fieldNames lists the fields of each role, the most telling first. The first
// that a record carries with a usable value counts.
var fieldNames = [roles][]string{
	roleCall: {"call_id", "callId", "callID", "tool_call_id", "toolCallId", "toolCallID", "tool_use_id", "toolUseId", "function_call_id", "invocation_id"},
	roleCause: {
		"caused_by", "causedBy", "cause_id", "causeId", "cause", "causation_id", "causationId", "causationid", "$causedBy", "$causationId",
		"source_event_id", "sourceEventId", "triggered_by", "triggeredBy", "trigger_id", "in_reply_to", "reply_to",
	},
	roleError:  {"error", "err", "exception", "error_message", "errorMessage", "failure", "fault"},
	roleExit:   {"exit_code", "exitCode", "returncode", "return_code"},
	roleFailed: {"is_error", "isError", "failed", "has_error"},
	roleID: {
		"id", "event_id", "eventId", "eventID", "uuid", "_id", "guid", "uid", "record_id", "recordId", "message_id", "messageId", "span_id", "spanId", "spanID",
	},
	roleInput:  {"arguments", "args", "input", "tool_input", "toolInput", "tool_args", "parameters", "params"},
	roleLevel:  {"level", "severity", "severity_text", "severityText", "log_level", "loglevel", "lvl", "levelname"},
	roleOK:     {"success", "ok", "succeeded", "is_success"},
	roleOutput: {"output", "result", "tool_output", "toolOutput", "tool_result", "toolResult", "observation", "stdout"},
	roleParent: {
		"parent_id", "parentId", "parentID", "parent", "parent_uuid", "parentUuid", "parent_event_id", "parentEventId", "parent_span_id", "parentSpanId",
		"parent_message_id", "parentMessageId", "previous_id", "prev_id",
	},
	roleSeq: {
		"seq", "sequence", "seq_no", "seqNo", "sequence_number", "sequenceNumber", "seq_id", "event_number", "eventNumber", "step_id", "step",
		"turn", "version", "position", "offset", "index", "idx", "n",
	},
	roleSession: {
		"session_id", "sessionId", "sessionID", "session", "conversation_id", "conversationId", "conversation", "thread_id", "threadId", "chat_id", "chatId",
		"run_id", "runId", "stream_id", "streamId", "trace_id", "traceId", "traceID", "correlation_id", "correlationId", "correlationid",
	},
	roleSource:  {"source", "actor", "author", "sender", "from", "agent", "agent_id", "agentId", "service", "component", "logger", "logger_name"},
	roleSpeaker: {"role"},
	roleStatus:  {"status", "state", "outcome", "status_code", "statusCode"},
	roleTime: {
		"timestamp", "ts", "time", "@timestamp", "created_at", "createdAt", "created", "datetime", "date", "event_time", "eventTime", "occurred_at",
		"occurredAt", "start_time", "startTime", "started_at", "startedAt", "startTimeUnixNano", "timeUnixNano", "time_unix_nano", "recorded_at",
		"received_at", "logged_at", "updated_at", "updatedAt", "asctime", "t",
	},
	roleTitle: {
		"message", "msg", "content", "text", "title", "summary", "prompt", "command", "cmd", "description", "body", "thought", "name", "error", "err", "reason",
	},
	roleTool: {"tool", "tool_name", "toolName"},
	roleType: {"type", "event_type", "eventType", "kind", "event", "$type", "@type", "_type", "action", "op", "operation", "name", "role", "level"},
}

// containerNames are the fields whose members are looked at as well, one level
// down, after all of the record's own, in this order of preference.
var containerNames = [...]string{"data", "payload", "event", "message", "attributes", "metadata"}

// wrappers are the keys of arrays that hold the records of a file, the most
// telling first.
var wrappers = []string{
	"events", "records", "entries", "messages", "history", "trajectory", "steps", "spans", "items", "logs", "log", "trace", "results", "data",
}

// fieldUse is one meaning of a key.
type fieldUse struct {
	role role
	rank int // place in fieldNames
}

// keyUses is fieldNames, by key.
var keyUses = byKey()

func byKey() map[string][]fieldUse {
	uses := make(map[string][]fieldUse)
	for r, names := range fieldNames {
		for rank, name := range names {
			uses[name] = append(uses[name], fieldUse{role(r), rank})
		}
	}
	return uses
}

// failedWords and okWords are what programs write where they tell an outcome,
// in lower case.
var (
	failedWords = map[string]bool{
		"abort": true, "aborted": true, "error": true, "errored": true, "exception": true, "fail": true, "failed": true, "failure": true,
		"status_code_error": true, "timeout": true, "timed_out": true,
	}
	okWords = map[string]bool{
		"complete": true, "completed": true, "done": true, "ok": true, "passed": true, "success": true, "succeeded": true, "successful": true,
		"status_code_ok": true,
	}
	errorLevels = map[string]bool{
		"alert": true, "crit": true, "critical": true, "emerg": true, "emergency": true, "err": true, "error": true, "fatal": true, "panic": true,
		"severe": true,
	}
	speakers = map[string]bool{
		"ai": true, "assistant": true, "developer": true, "human": true, "model": true, "system": true, "user": true,
	}
)
