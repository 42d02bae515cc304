package openhands

import "hindcast/model/jsonscan"

// record is the members of one event object that the dialect knows, as spans
// of its text. Both families share it: which one a record is of shows only
// when its members have been seen.
type record struct {
	raw []byte

	// Envelope of V1 and V0.
	kind, id, timestamp, source, parentID []byte
	// V1 messages, calls and results.
	llmMessage, action, observation, toolName, toolCallID, toolCall []byte
	responseID, actionID, messageID, summary, errorText             []byte
	systemPrompt, tools                                             []byte
	rejectionReason, rejectionSource                                []byte
	thought, extended                                               []byte
	// V1 checkpoints, state, errors.
	forgotten, key, value, code, detail, agentStatus []byte
	// V1 hooks, ACP, logs.
	hookType, success, blocked, exitCode, reason, title, status, isError, usageID []byte
	// V0.
	args, extras, content, message, cause, callMeta, llmMetrics []byte
	// Wrappers, frames and lines that hold many events.
	typ, event, seq, items, history, trajectory, events, entries []byte
	instanceID, attempt, issue, metrics, actorType               []byte
	conversation                                                 []byte

	// odd is the first member that is none of the above.
	odd      string
	oddValue []byte

	// inner are the members of the latest of action, observation, args and
	// extras; innerOf is the value that holds them.
	inner   details
	innerOf []byte
}

// read collects the members of obj, and those of what says what was done, in
// one pass: the text of a result is most of a log. Of members that stand twice
// the last wins.
func (r *record) read(obj []byte) {
	r.raw = obj
	jsonscan.Nested(obj, func(depth int, key string, open byte) bool {
		if depth > 0 {
			return r.inner.enters(depth-1, key, open)
		}
		if enters := open == '{' && saysWhatWasDone(key); enters {
			r.inner = details{}
			return true
		}
		return false
	}, func(depth int, key string, v []byte) bool {
		if depth > 0 {
			return r.inner.take(depth-1, key, v)
		}
		if slot := r.slot(key); slot != nil {
			*slot = v
		} else if r.odd == "" {
			r.odd, r.oddValue = key, v
		}
		if v[0] == '{' && saysWhatWasDone(key) {
			r.inner.done()
			r.innerOf = v
		}
		return true
	})
}

func saysWhatWasDone(key string) bool {
	return key == "observation" || key == "action" || key == "args" || key == "extras"
}

// detailsOf are the members of a value of the record. They stand until the next
// call.
func (r *record) detailsOf(v []byte) *details {
	if len(v) == 0 || len(r.innerOf) == 0 || &v[0] != &r.innerOf[0] {
		r.inner, r.innerOf = details{}, v
		r.inner.read(v)
	}
	return &r.inner
}

// slot is where a member is kept; nil for a name that the dialect ignores.
func (r *record) slot(key string) *[]byte {
	if s := r.v1Slot(key); s != nil {
		return s
	}
	switch key {
	case "args":
		return &r.args
	case "extras":
		return &r.extras
	case "content":
		return &r.content
	case "message":
		return &r.message
	case "cause":
		return &r.cause
	case "tool_call_metadata":
		return &r.callMeta
	case "llm_metrics":
		return &r.llmMetrics
	case "type":
		return &r.typ
	case "event":
		return &r.event
	case "seq":
		return &r.seq
	case "items":
		return &r.items
	case "history":
		return &r.history
	case "trajectory":
		return &r.trajectory
	case "events":
		return &r.events
	case "entries":
		return &r.entries
	case "instance_id":
		return &r.instanceID
	case "attempt":
		return &r.attempt
	case "issue":
		return &r.issue
	case "metrics":
		return &r.metrics
	case "actorType":
		return &r.actorType
	case "conversation":
		return &r.conversation
	}
	return nil
}

func (r *record) v1Slot(key string) *[]byte {
	switch key {
	case "kind":
		return &r.kind
	case "id":
		return &r.id
	case "timestamp":
		return &r.timestamp
	case "source":
		return &r.source
	case "parent_id":
		return &r.parentID
	case "llm_message":
		return &r.llmMessage
	case "action":
		return &r.action
	case "observation":
		return &r.observation
	case "tool_name":
		return &r.toolName
	case "tool_call_id":
		return &r.toolCallID
	case "tool_call":
		return &r.toolCall
	case "llm_response_id":
		return &r.responseID
	case "action_id":
		return &r.actionID
	case "message_id":
		return &r.messageID
	case "summary":
		return &r.summary
	case "error":
		return &r.errorText
	case "system_prompt":
		return &r.systemPrompt
	case "tools":
		return &r.tools
	}
	return r.v1RareSlot(key)
}

func (r *record) v1RareSlot(key string) *[]byte {
	switch key {
	case "rejection_reason":
		return &r.rejectionReason
	case "rejection_source":
		return &r.rejectionSource
	case "thought":
		return &r.thought
	case "extended_content":
		return &r.extended
	case "forgotten_event_ids":
		return &r.forgotten
	case "key":
		return &r.key
	case "value":
		return &r.value
	case "code":
		return &r.code
	case "detail":
		return &r.detail
	case "agent_status":
		return &r.agentStatus
	case "hook_event_type":
		return &r.hookType
	case "success":
		return &r.success
	case "blocked":
		return &r.blocked
	case "exit_code":
		return &r.exitCode
	case "reason":
		return &r.reason
	case "title":
		return &r.title
	case "status":
		return &r.status
	case "is_error":
		return &r.isError
	case "usage_id":
		return &r.usageID
	}
	return nil
}

// details are the members of a call's arguments or a result that titles and
// outcomes need: V1 action and observation, V0 args and extras.
type details struct {
	kind, command, path, url, content, output, message, thought, text []byte
	isError, err, exit, metadataExit, timeout, metadata               []byte
	oldContent, newContent, taskList                                  []byte
	code, name, query, recallType, agent, agentState, reason, hidden  []byte
	forgotten, forgetFrom, forgetTo, summary, finalThought, version   []byte
	tools                                                             []byte
	// texts are those of the blocks of content where that is a list.
	texts [][]byte
	block []byte // of them the text of the one at hand
	// subject is the first member that says what the call is about, where none
	// of the above does.
	subject []byte
}

// read collects the members of obj.
func (d *details) read(obj []byte) {
	jsonscan.Nested(obj, d.enters, d.take)
	d.done()
}

// enters tells into which values below obj, at depth 0, a walk for take goes:
// into the blocks of its content.
func (d *details) enters(depth int, key string, open byte) bool {
	switch depth {
	case 0:
		if key != "content" || open != '[' {
			return false
		}
		d.texts = nil
		return true
	case 1:
		return open == '{'
	}
	return false
}

// take keeps a member of obj, at depth 0, or what lies in its content.
func (d *details) take(depth int, key string, v []byte) bool {
	switch depth {
	case 0:
		if slot := d.slot(key); slot != nil {
			*slot = v
		} else if d.subject == nil && subjects[key] {
			d.subject = v
		}
	case 1:
		if v[0] == '"' {
			d.block = v
		}
		if d.block != nil {
			d.texts = append(d.texts, d.block)
			d.block = nil
		}
	case 2:
		if key == "text" {
			d.block = v
		}
	}
	return true
}

// done reads what stands deeper, when all members are there.
func (d *details) done() {
	if jsonscan.Kind(d.metadata) == '{' {
		d.metadataExit = jsonscan.Get(d.metadata, "exit_code")
	}
}

// subjects are the arguments that tell what a call is about.
var subjects = map[string]bool{
	"pattern": true, "prompt": true, "description": true, "patch": true, "script": true, "profile_name": true,
	"index": true, "tab_id": true, "direction": true, "browser_actions": true, "ids": true, "option": true,
}

func (d *details) slot(key string) *[]byte {
	switch key {
	case "kind":
		return &d.kind
	case "command":
		return &d.command
	case "path", "file_path", "dir_path":
		return &d.path
	case "url":
		return &d.url
	case "content":
		return &d.content
	case "output":
		return &d.output
	case "message":
		return &d.message
	case "thought":
		return &d.thought
	case "text":
		return &d.text
	case "is_error":
		return &d.isError
	case "error":
		return &d.err
	case "exit_code":
		return &d.exit
	case "metadata":
		return &d.metadata
	case "timeout":
		return &d.timeout
	case "old_content":
		return &d.oldContent
	case "new_content":
		return &d.newContent
	case "task_list":
		return &d.taskList
	}
	return d.v0Slot(key)
}

func (d *details) v0Slot(key string) *[]byte {
	switch key {
	case "code":
		return &d.code
	case "name":
		return &d.name
	case "query":
		return &d.query
	case "recall_type":
		return &d.recallType
	case "agent":
		return &d.agent
	case "agent_state":
		return &d.agentState
	case "reason":
		return &d.reason
	case "hidden":
		return &d.hidden
	case "forgotten_event_ids":
		return &d.forgotten
	case "forgotten_events_start_id":
		return &d.forgetFrom
	case "forgotten_events_end_id":
		return &d.forgetTo
	case "summary":
		return &d.summary
	case "final_thought":
		return &d.finalThought
	case "openhands_version":
		return &d.version
	case "tools":
		return &d.tools
	}
	return nil
}

// present reports whether a member stands there and is not null.
func present(v []byte) bool {
	k := jsonscan.Kind(v)
	return k != 0 && k != 'n'
}

// isText and friends tell a value's type; an absent member has none.
func isText(v []byte) bool   { return jsonscan.Kind(v) == '"' }
func isObject(v []byte) bool { return jsonscan.Kind(v) == '{' }
func isList(v []byte) bool   { return jsonscan.Kind(v) == '[' }

// isTrue is a boolean member; false where it is none.
func isTrue(v []byte) bool {
	b, ok := jsonscan.Bool(v)
	return ok && b
}

// count is the number of elements of a list.
func count(list []byte) (n int) {
	jsonscan.Elements(list, func([]byte) bool { n++; return true })
	return n
}
