package claudecode

import "hindcast/model/jsonscan"

// record is the members of one line that the dialect knows, as spans of its
// text. Members that a session file and a stream-json capture spell differently
// share a slot.
type record struct {
	raw []byte

	typ, subtype, uuid, parentUUID, logicalParent []byte
	sessionID, timestamp, version, cwd            []byte
	isSidechain, agentID, isMeta                  []byte
	message, toolUseResult                        []byte
	requestID, requestRef, promptID               []byte
	isCompactSummary, isTranscriptOnly            []byte
	isAPIError                                    []byte
	attachment, rendered, renderedRole            []byte
	data, content                                 []byte
	compactMetadata, microcompactMetadata         []byte
	errorValue, retryAttempt, maxRetries          []byte
	parentToolUseID                               []byte // the call that a stream's or a progress record's sub-agent answers
	isError, result, usage, totalCost             []byte // a stream's result; cost-state
	modelUsage                                    []byte
	id, base, keep, tail                          []byte // api-request
	messageID, snapshot, operation                []byte
	summary, leafUUID, customTitle, aiTitle       []byte
	agentName, agentSetting, mode                 []byte
	permissionMode, prURL                         []byte
	hookInfos, hookErrors                         []byte
}

// read collects the members of obj. Of members that stand twice the last wins.
func (r *record) read(obj []byte) {
	*r = record{raw: obj}
	jsonscan.Fields(obj, func(key string, v []byte) bool {
		if slot := r.slot(key); slot != nil {
			*slot = v
		}
		return true
	})
}

// slot is where a member is kept; nil for one that the dialect passes over.
func (r *record) slot(key string) *[]byte {
	switch key {
	case "type":
		return &r.typ
	case "subtype":
		return &r.subtype
	case "uuid":
		return &r.uuid
	case "parentUuid":
		return &r.parentUUID
	case "logicalParentUuid":
		return &r.logicalParent
	case "sessionId", "session_id":
		return &r.sessionID
	case "timestamp":
		return &r.timestamp
	case "version", "claude_code_version":
		return &r.version
	case "cwd":
		return &r.cwd
	case "isSidechain":
		return &r.isSidechain
	case "agentId":
		return &r.agentID
	case "isMeta":
		return &r.isMeta
	case "message":
		return &r.message
	case "toolUseResult", "tool_use_result":
		return &r.toolUseResult
	case "requestId", "request_id":
		return &r.requestID
	case "requestRef":
		return &r.requestRef
	case "promptId":
		return &r.promptID
	case "isCompactSummary":
		return &r.isCompactSummary
	case "isVisibleInTranscriptOnly":
		return &r.isTranscriptOnly
	case "isApiErrorMessage":
		return &r.isAPIError
	}
	return r.rareSlot(key)
}

func (r *record) rareSlot(key string) *[]byte {
	switch key {
	case "attachment":
		return &r.attachment
	case "rendered":
		return &r.rendered
	case "renderedRole":
		return &r.renderedRole
	case "data", "event":
		return &r.data
	case "content":
		return &r.content
	case "compactMetadata", "compact_metadata":
		return &r.compactMetadata
	case "microcompactMetadata":
		return &r.microcompactMetadata
	case "error":
		return &r.errorValue
	case "retryAttempt":
		return &r.retryAttempt
	case "maxRetries":
		return &r.maxRetries
	case "parentToolUseID", "parent_tool_use_id":
		return &r.parentToolUseID
	case "is_error":
		return &r.isError
	case "result":
		return &r.result
	case "usage":
		return &r.usage
	case "total_cost_usd", "totalCostUSD":
		return &r.totalCost
	case "modelUsage":
		return &r.modelUsage
	case "id":
		return &r.id
	case "base":
		return &r.base
	case "keep":
		return &r.keep
	case "tail":
		return &r.tail
	}
	return r.sideSlot(key)
}

// sideSlot holds members of records that stand beside the conversation.
func (r *record) sideSlot(key string) *[]byte {
	switch key {
	case "messageId":
		return &r.messageID
	case "snapshot":
		return &r.snapshot
	case "operation":
		return &r.operation
	case "summary":
		return &r.summary
	case "leafUuid":
		return &r.leafUUID
	case "customTitle":
		return &r.customTitle
	case "aiTitle":
		return &r.aiTitle
	case "agentName":
		return &r.agentName
	case "agentSetting":
		return &r.agentSetting
	case "mode":
		return &r.mode
	case "permissionMode":
		return &r.permissionMode
	case "prUrl":
		return &r.prURL
	case "hookInfos":
		return &r.hookInfos
	case "hookErrors":
		return &r.hookErrors
	}
	return nil
}

// message is the members of a provider's message.
type message struct {
	id, role, model, content, stopReason, usage []byte
}

func (m *message) read(obj []byte) {
	*m = message{}
	jsonscan.Fields(obj, func(key string, v []byte) bool {
		switch key {
		case "id":
			m.id = v
		case "role":
			m.role = v
		case "model":
			m.model = v
		case "content":
			m.content = v
		case "stop_reason":
			m.stopReason = v
		case "usage":
			m.usage = v
		}
		return true
	})
}

// block is one content block of a message: text, thinking, a tool_use or a
// tool_result.
type block struct {
	typ                string
	text, thinking     []byte
	id, name, input    []byte // tool_use
	toolUseID, content []byte // tool_result
	isError            []byte
}

func readBlock(obj []byte) (b block) {
	jsonscan.Fields(obj, func(key string, v []byte) bool {
		switch key {
		case "type":
			b.typ = blockType(v)
		case "text":
			b.text = v
		case "thinking":
			b.thinking = v
		case "id":
			b.id = v
		case "name":
			b.name = v
		case "input":
			b.input = v
		case "tool_use_id":
			b.toolUseID = v
		case "content":
			b.content = v
		case "is_error":
			b.isError = v
		}
		return true
	})
	return b
}

// The types of blocks that the dialect looks into.
const (
	blockText       = "text"
	blockThinking   = "thinking"
	blockToolUse    = "tool_use"
	blockToolResult = "tool_result"
)

func blockType(v []byte) string {
	switch string(v) {
	case `"text"`:
		return blockText
	case `"thinking"`:
		return blockThinking
	case `"tool_use"`:
		return blockToolUse
	case `"tool_result"`:
		return blockToolResult
	}
	return jsonscan.Str(v)
}

// eachBlock walks the blocks of a message's content; a string is one text block.
func eachBlock(content []byte, f func(b block) bool) {
	if isText(content) {
		f(block{typ: blockText, text: content})
		return
	}
	jsonscan.Elements(content, func(v []byte) bool {
		if isText(v) {
			return f(block{typ: blockText, text: v})
		}
		return f(readBlock(v))
	})
}

// syntheticModel is the model of what the client wrote in the assistant's name.
const syntheticModel = "<synthetic>"

// present reports whether a member stands there and is not null.
func present(v []byte) bool {
	k := jsonscan.Kind(v)
	return k != 0 && k != 'n'
}

func isText(v []byte) bool   { return jsonscan.Kind(v) == '"' }
func isObject(v []byte) bool { return jsonscan.Kind(v) == '{' }
func isList(v []byte) bool   { return jsonscan.Kind(v) == '[' }

// isTrue is a boolean member; false where it is none.
func isTrue(v []byte) bool { return string(v) == "true" }

// count is the number of elements of a list.
func count(list []byte) (n int) {
	jsonscan.Elements(list, func([]byte) bool { n++; return true })
	return n
}
