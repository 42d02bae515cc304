package codex

import "hindcast/model/jsonscan"

// line holds the spans of a record's top-level fields. In the oldest files
// there is no envelope: then payload is the record itself, and flat is set.
type line struct {
	time, ordinal, typ, payload, metadata, recordType []byte

	flat bool
}

// readRecord takes a record and its payload apart, in one pass.
func readRecord(raw []byte) (l line, b body) {
	jsonscan.Nested(raw, entersPayload, func(depth int, key string, v []byte) bool {
		if depth == 0 {
			l.take(key, v)
		} else {
			b.take(key, v)
		}
		return true
	})
	if l.payload == nil {
		l.payload, l.metadata, l.flat = raw, nil, true
		b = readBody(raw)
	}
	return l, b
}

func entersPayload(depth int, key string, open byte) bool {
	return depth == 0 && key == "payload" && open == '{'
}

// readLine takes a record apart, down to its payload.
func readLine(raw []byte) (l line) {
	jsonscan.Fields(raw, func(key string, v []byte) bool {
		l.take(key, v)
		return true
	})
	if l.payload == nil {
		l.payload, l.metadata, l.flat = raw, nil, true
	}
	return l
}

func (l *line) take(key string, v []byte) {
	switch key {
	case "timestamp":
		l.time = v
	case "ordinal":
		l.ordinal = v
	case "type":
		l.typ = v
	case "payload":
		l.payload = v
	case "metadata":
		l.metadata = v
	case "record_type":
		l.recordType = v
	}
}

// body holds the spans of a payload's fields, or of an item's, of whatever type.
type body struct {
	typ, id, turnID, status, text, message, reason []byte

	// Of response items.
	role, content, summary, encrypted []byte
	callID, name, arguments, input    []byte
	action, output                    []byte
	author, recipient, ghost, extras  []byte

	// Of items and of the events that older versions write for them.
	item, command, cwd, aggregated, exit, stdout, stderr []byte
	changes, success, summaryText                        []byte
	kind, agentThread, agentPath, receivers              []byte
	tool, result, fault, plan, query                     []byte

	// Of the thread and its turns.
	threadID, version, provider, source, parent []byte
	base, forkedFrom, ownStart, instructions    []byte
	model, approval, sandbox, settings, full    []byte
	lastMessage, turns, state                   []byte

	// Of compactions and of tokens.
	replacement, replacementMeta, windowID []byte
	info, usage, responseID                []byte
}

// readBody takes a payload, or an item, apart. Of duplicate keys the last wins.
func readBody(obj []byte) (b body) {
	jsonscan.Fields(obj, func(key string, v []byte) bool {
		b.take(key, v)
		return true
	})
	return b
}

func (b *body) take(key string, v []byte) {
	if to := b.field(key); to != nil {
		*to = v
	}
}

// field says where a key's value goes; nil for one that is not read.
func (b *body) field(key string) *[]byte {
	switch key {
	case "type":
		return &b.typ
	case "id":
		return &b.id
	case "turn_id":
		return &b.turnID
	case "status":
		return &b.status
	case "text":
		return &b.text
	case "message":
		return &b.message
	case "reason":
		return &b.reason
	case "role":
		return &b.role
	case "content":
		return &b.content
	case "summary":
		return &b.summary
	case "encrypted_content":
		return &b.encrypted
	case "call_id":
		return &b.callID
	case "name":
		return &b.name
	case "arguments":
		return &b.arguments
	case "input":
		return &b.input
	case "action":
		return &b.action
	case "output":
		return &b.output
	case "author":
		return &b.author
	case "recipient":
		return &b.recipient
	case "ghost_commit":
		return &b.ghost
	case "internal_chat_message_metadata_passthrough":
		return &b.extras
	}
	if to := b.itemField(key); to != nil {
		return to
	}
	return b.threadField(key)
}

func (b *body) itemField(key string) *[]byte {
	switch key {
	case "item":
		return &b.item
	case "command":
		return &b.command
	case "cwd":
		return &b.cwd
	case "aggregated_output":
		return &b.aggregated
	case "exit_code":
		return &b.exit
	case "stdout":
		return &b.stdout
	case "stderr":
		return &b.stderr
	case "changes":
		return &b.changes
	case "success":
		return &b.success
	case "summary_text":
		return &b.summaryText
	case "kind":
		return &b.kind
	case "agent_thread_id":
		return &b.agentThread
	case "agent_path":
		return &b.agentPath
	case "receiver_thread_ids":
		return &b.receivers
	case "tool":
		return &b.tool
	case "result":
		return &b.result
	case "error":
		return &b.fault
	case "items", "plan":
		return &b.plan
	case "query":
		return &b.query
	}
	return nil
}

func (b *body) threadField(key string) *[]byte {
	switch key {
	case "thread_id":
		return &b.threadID
	case "cli_version":
		return &b.version
	case "model_provider":
		return &b.provider
	case "source":
		return &b.source
	case "parent_thread_id":
		return &b.parent
	case "history_base":
		return &b.base
	case "forked_from_id":
		return &b.forkedFrom
	case "subagent_history_start_ordinal":
		return &b.ownStart
	case "base_instructions", "instructions":
		return &b.instructions
	case "model":
		return &b.model
	case "approval_policy":
		return &b.approval
	case "sandbox_policy":
		return &b.sandbox
	case "thread_settings":
		return &b.settings
	case "full":
		return &b.full
	case "state":
		return &b.state
	case "last_agent_message":
		return &b.lastMessage
	case "num_turns":
		return &b.turns
	case "replacement_history":
		return &b.replacement
	case "replacement_history_metadata":
		return &b.replacementMeta
	case "window_id":
		return &b.windowID
	case "info":
		return &b.info
	case "usage":
		return &b.usage
	case "response_id":
		return &b.responseID
	}
	return nil
}
