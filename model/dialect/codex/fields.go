package codex

import (
	"bytes"
	"net/url"
	"slices"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// line holds the spans of a record's top-level fields. In the oldest files
// there is no envelope: then payload is the record itself, and flat is set.
type line struct {
	time, ordinal, typ, payload, metadata, recordType []byte

	flat bool
}

// readLine takes a record apart, down to its payload.
func readLine(raw []byte) (l line) {
	jsonscan.Fields(raw, func(key string, v []byte) bool {
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
		return true
	})
	if l.payload == nil {
		l.payload, l.metadata, l.flat = raw, nil, true
	}
	return l
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
		if to := b.field(key); to != nil {
			*to = v
		}
		return true
	})
	return b
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

// typeOf is a record's type: "<line type>/<payload type>", the bare type of an
// item in the oldest files.
func (l *line) typeOf(b *body) string {
	outer, inner := jsonscan.Str(l.typ), jsonscan.Str(b.typ)
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

// codeModePrefix begins the ids of what a script did, which names no call.
const codeModePrefix = "exec-"

// isScripted reports whether an item was made by a script, inside of a call.
func isScripted(id string) bool { return strings.HasPrefix(id, codeModePrefix) }

// isPrompt tells what a person asked from what the program put into a user's
// or developer's message: its environment, instructions, notices. kind names
// the latter.
func isPrompt(b *body, text string) (prompt bool, kind string) {
	if string(b.role) != `"user"` {
		return false, contentKind(b)
	}
	if kinds := contentKind(b); kinds != "" {
		first, _, _ := strings.Cut(kinds, ", ")
		return first == "user", kinds
	}
	text = strings.TrimLeft(text, " \t\r\n")
	for _, h := range madeUp {
		if strings.HasPrefix(text, h.begins) {
			return false, h.kind
		}
	}
	return true, ""
}

// contentKind joins the kinds that the program gave a message's parts, each once
// and without what follows its first dot; empty where it gave none.
func contentKind(b *body) string {
	if b.extras == nil {
		return ""
	}
	var kinds []string
	jsonscan.Elements(jsonscan.Get(b.extras, "content_item_kinds"), func(v []byte) bool {
		kind, _, _ := strings.Cut(jsonscan.Str(v), ".")
		if kind != "" && kind != "unknown" && !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
		return true
	})
	return strings.ReplaceAll(strings.Join(kinds, ", "), "_", " ")
}

// subAgentNotice is what the program tells a parent of its sub-agent's end.
const subAgentNotice = "sub-agent notice"

// madeUp are the beginnings of user messages that the program wrote.
var madeUp = []struct{ begins, kind string }{
	{"<environment_context>", "environment"},
	{"<user_instructions>", "instructions"},
	{"# AGENTS.md instructions", "instructions"},
	{"<INSTRUCTIONS>", "instructions"},
	{"<subagent_notification>", subAgentNotice},
	{"<turn_aborted>", "turn aborted"},
	{"<user_shell_command>", "shell command of the user"},
	{"<skill>", "skill"},
}

// usageOf reads a token usage into disjoint classes; nil where there is none.
func usageOf(v []byte) *model.Usage {
	if jsonscan.Kind(v) != '{' {
		return nil
	}
	var u model.Usage
	jsonscan.Fields(v, func(key string, v []byte) bool {
		n, ok := jsonscan.Int(v)
		if !ok {
			return true
		}
		switch key {
		case "input_tokens":
			u.Input, u.Told = n, u.Told|model.ToldInput
		case "cached_input_tokens":
			u.CacheRead, u.Told = n, u.Told|model.ToldCacheRead
		case "cache_write_input_tokens":
			u.CacheWrite, u.Told = n, u.Told|model.ToldCacheWrite
		case "output_tokens":
			u.Output, u.Told = n, u.Told|model.ToldOutput
		case "reasoning_output_tokens":
			u.Reasoning, u.Told = n, u.Told|model.ToldReasoning
		}
		return true
	})
	if u.Told == 0 {
		return nil
	}
	u.Input = max(u.Input-u.CacheRead-u.CacheWrite, 0)
	u.Output = max(u.Output-u.Reasoning, 0)
	return &u
}

// localPath is a directory as a path: items write it as a file URL.
func localPath(v []byte) string {
	path, isURL := strings.CutPrefix(jsonscan.Str(v), "file://")
	if plain, err := url.PathUnescape(path); isURL && err == nil {
		return plain
	}
	return path
}

// commandOf is the command that a person would type: of a shell call's words
// the script, else the words joined.
func commandOf(v []byte) string {
	if jsonscan.Kind(v) != '[' {
		return scriptOf(jsonscan.Str(v))
	}
	var words []string
	jsonscan.Elements(v, func(w []byte) bool {
		words = append(words, jsonscan.Str(w))
		return true
	})
	if len(words) == 3 && (words[1] == "-lc" || words[1] == "-c") {
		return words[2]
	}
	return strings.Join(words, " ")
}

// argumentsOf is the JSON object of a call's arguments, which stand as a string
// that a model wrote; nil where that holds no object.
func argumentsOf(v []byte) []byte {
	text := []byte(jsonscan.Str(v))
	start, end, err := jsonscan.Value(text)
	if err != nil || jsonscan.Kind(text[start:end]) != '{' || len(bytes.TrimSpace(text[end:])) > 0 {
		return nil
	}
	return text[start:end]
}

// scriptOf takes the shell off a command line of the form `bash -lc '...'`. What
// is quoted in another way stays as written.
func scriptOf(line string) string {
	_, quoted, ok := strings.Cut(line, " -lc ")
	if !ok || strings.ContainsRune(line[:strings.Index(line, " -lc ")], ' ') || len(quoted) < 2 {
		return line
	}
	inner := quoted[1 : len(quoted)-1]
	switch first, last := quoted[0], quoted[len(quoted)-1]; {
	case first != last:
	case first == '\'' && !strings.Contains(inner, "'"):
		return inner
	case first == '"' && !strings.ContainsAny(strings.ReplaceAll(inner, `\"`, ""), "\"`$"):
		return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(inner)
	}
	return line
}
