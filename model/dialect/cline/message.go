package cline

import (
	"encoding/json"
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
)

// message holds the spans of a message to or from the model.
type message struct {
	id, role, content, ts, metrics, metadata                   []byte
	condenseID, condenseParent, truncationID, truncationParent []byte
	isSummary, isMarker                                        []byte
	// Of an entry of the screen.
	say, ask, text, partial, index, hash, deleted []byte
}

func readMessage(raw []byte) (m message) {
	jsonscan.Fields(raw, func(key string, v []byte) bool {
		if slot := m.slot(key); slot != nil {
			*slot = v
		}
		return true
	})
	return m
}

func (m *message) slot(key string) *[]byte {
	switch key {
	case "id":
		return &m.id
	case "role":
		return &m.role
	case "content":
		return &m.content
	case "ts":
		return &m.ts
	case "metrics":
		return &m.metrics
	case "metadata":
		return &m.metadata
	case "condenseId":
		return &m.condenseID
	case "condenseParent":
		return &m.condenseParent
	case "truncationId":
		return &m.truncationID
	case "truncationParent":
		return &m.truncationParent
	case "isSummary":
		return &m.isSummary
	case "isTruncationMarker":
		return &m.isMarker
	case "say":
		return &m.say
	case "ask":
		return &m.ask
	case "text":
		return &m.text
	case "partial":
		return &m.partial
	case "conversationHistoryIndex":
		return &m.index
	case "lastCheckpointHash":
		return &m.hash
	case "conversationHistoryDeletedRange":
		return &m.deleted
	}
	return nil
}

// isScreen reports an entry of the screen.
func (m *message) isScreen() bool { return m.role == nil && (m.say != nil || m.ask != nil) }

// marker is the id of the condensation or truncation that a message marks, and
// hidden those in which it went out of the model's view.
func (m *message) marker() string {
	if is, _ := jsonscan.Bool(m.isSummary); is {
		return jsonscan.Scalar(m.condenseID)
	}
	if is, _ := jsonscan.Bool(m.isMarker); is {
		return jsonscan.Scalar(m.truncationID)
	}
	return ""
}

func (m *message) hiddenBy(marker string) bool {
	return marker != "" && (jsonscan.Scalar(m.condenseParent) == marker || jsonscan.Scalar(m.truncationParent) == marker)
}

// compacts reports the SDK's compaction, whose message stands for those that
// are gone from the file.
func (m *message) compacts() bool {
	return jsonscan.Str(jsonscan.Get(m.metadata, "kind")) == "compaction"
}

// call is a tool call: a block, or in older tasks XML in the text.
type call struct {
	id, tool string
	args     []byte // JSON
}

func (m *message) calls() (all []call) {
	if jsonscan.Str(m.role) != "assistant" {
		return nil
	}
	jsonscan.Elements(m.content, func(b []byte) bool {
		if jsonscan.Str(jsonscan.Get(b, "type")) == "tool_use" {
			all = append(all, call{jsonscan.Scalar(jsonscan.Get(b, "id")), jsonscan.Str(jsonscan.Get(b, "name")), jsonscan.Get(b, "input")})
		}
		return true
	})
	if len(all) == 0 {
		if c, ok := xmlCall(chat.Text(m.content)); ok {
			all = append(all, c)
		}
	}
	return all
}

// xmlTools are the tools that older versions called by XML in the text.
var xmlTools = []string{
	"execute_command", "read_file", "write_to_file", "replace_in_file", "apply_diff", "insert_content", "search_and_replace", "search_files", "list_files",
	"list_code_definition_names", "browser_action", "use_mcp_tool", "access_mcp_resource", "ask_followup_question", "attempt_completion", "new_task",
	"switch_mode", "plan_mode_respond", "fetch_instructions", "update_todo_list",
}

// xmlCall reads <tool><name>value</name>...</tool>.
func xmlCall(text string) (c call, ok bool) {
	at := len(text)
	for _, tool := range xmlTools {
		if i := strings.Index(text, "<"+tool+">"); i >= 0 && i < at {
			at, c.tool = i, tool
		}
	}
	if c.tool == "" {
		return c, false
	}
	body := text[at+len(c.tool)+2:]
	if end := strings.LastIndex(body, "</"+c.tool+">"); end >= 0 {
		body = body[:end]
	}
	args := "{"
	for {
		_, rest, ok := strings.Cut(body, "<")
		name, rest, ok2 := strings.Cut(rest, ">")
		value, rest, ok3 := strings.Cut(rest, "</"+name+">")
		if !ok || !ok2 || !ok3 || strings.ContainsAny(name, " \n\"\\") {
			break
		}
		if args != "{" {
			args += ","
		}
		args += jsonText(name) + ":" + jsonText(strings.TrimPrefix(strings.TrimSuffix(value, "\n"), "\n"))
		body = rest
	}
	c.args = []byte(args + "}")
	return c, true
}

// jsonText writes a text as JSON.
func jsonText(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(b)
}

// result is what a call gave.
type result struct {
	id, text string
	outcome  model.Outcome
	exit     *int64
	taken    bool // its call was found
}

// results lists the results of a user's message. An older one names its call by
// words only, and has no id.
func (m *message) results() (all []result) {
	if jsonscan.Str(m.role) != "user" {
		return nil
	}
	jsonscan.Elements(m.content, func(b []byte) bool {
		if jsonscan.Str(jsonscan.Get(b, "type")) != "tool_result" {
			return true
		}
		r := result{id: jsonscan.Scalar(jsonscan.Get(b, "tool_use_id"))}
		r.read(jsonscan.Get(b, "content"))
		if failed, ok := jsonscan.Bool(jsonscan.Get(b, "is_error")); ok && failed {
			r.outcome = model.OutcomeFailed
		}
		all = append(all, r)
		return true
	})
	if text := chat.Text(m.content); len(all) == 0 && strings.HasPrefix(text, "[") {
		if head, body, ok := strings.Cut(text, "] Result:"); ok && !strings.Contains(head, "\n") {
			r := result{text: strings.TrimSpace(body)}
			r.judge()
			all = append(all, r)
		}
	}
	return all
}

// read takes a result's content: text, or the SDK's objects with success and
// result, as JSON or as text that holds JSON.
func (r *result) read(content []byte) {
	if s, ok := jsonscan.Text(content); ok {
		if _, _, err := jsonscan.Value([]byte(s)); err != nil || !strings.HasPrefix(s, "{") && !strings.HasPrefix(s, "[") {
			r.text = s
			r.judge()
			return
		}
		content = []byte(s)
	}
	var texts []string
	one := func(v []byte) bool {
		if ok, told := jsonscan.Bool(jsonscan.Get(v, "success")); told {
			if !ok {
				r.outcome = model.OutcomeFailed
			}
			r.outcome = max(r.outcome, model.OutcomeOK)
		}
		for _, key := range []string{"result", "error", "text"} {
			if s, ok := jsonscan.Text(jsonscan.Get(v, key)); ok && s != "" {
				texts = append(texts, s)
			}
		}
		return true
	}
	if jsonscan.Kind(content) == '[' {
		jsonscan.Elements(content, one)
	} else {
		one(content)
	}
	r.text = strings.Join(texts, "\n")
	r.judge()
}

// judge looks for what the text alone tells: an exit code.
func (r *result) judge() {
	for _, mark := range []string{"Exit code: ", "exit code: ", "exited with code "} {
		_, rest, ok := strings.Cut(r.text, mark)
		if !ok {
			continue
		}
		digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
		if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
			r.exit = &n
			if n != 0 {
				r.outcome = model.OutcomeFailed
			}
			return
		}
	}
}

// usage: the SDK counts cached tokens in the input.
func (m *message) usage() *model.Usage {
	c := chat.Counts{
		Prompt: jsonscan.Get(m.metrics, "inputTokens"), Completion: jsonscan.Get(m.metrics, "outputTokens"), CacheRead: jsonscan.Get(m.metrics, "cacheReadTokens"),
		CacheWrite: jsonscan.Get(m.metrics, "cacheWriteTokens"), Cost: jsonscan.Get(m.metrics, "cost"), CacheInside: true,
	}
	return c.Usage()
}

// requestUsage is what an entry of the screen tells of a request: cached tokens
// are counted apart.
func (m *message) requestUsage() *model.Usage {
	text := []byte(jsonscan.Str(m.text))
	if _, _, err := jsonscan.Value(text); err != nil || jsonscan.Str(m.say) != "api_req_started" {
		return nil
	}
	c := chat.Counts{
		Prompt: jsonscan.Get(text, "tokensIn"), Completion: jsonscan.Get(text, "tokensOut"), CacheRead: jsonscan.Get(text, "cacheReads"),
		CacheWrite: jsonscan.Get(text, "cacheWrites"), Cost: jsonscan.Get(text, "cost"),
	}
	return c.Usage()
}
