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

	// said are the members of message, blocks those of its content.
	said   message
	blocks []block
}

// read collects the members of obj, and what its message holds, in one pass: a
// block of it is most of a record. Of members that stand twice the last wins.
func (r *record) read(obj []byte) {
	*r = record{raw: obj, blocks: r.blocks[:0]}
	jsonscan.Nested(obj, r.enters, r.take)
}

// enters tells into what read goes: the message, its content, and its blocks.
func (r *record) enters(depth int, key string, open byte) bool {
	switch depth {
	case 0:
		if key != "message" || open != '{' {
			return false
		}
		r.said, r.blocks = message{}, r.blocks[:0]
		return true
	case 1:
		if key != "content" || open != '[' {
			return false
		}
		r.blocks = r.blocks[:0]
		return true
	case 2:
		r.blocks = append(r.blocks, block{})
		return open == '{'
	}
	return false
}

// take keeps a member, or what lies in the message.
func (r *record) take(depth int, key string, v []byte) bool {
	switch depth {
	case 0:
		if slot := r.slot(key); slot != nil {
			*slot = v
		}
		if key == "message" && v[0] != '{' {
			r.said, r.blocks = message{}, r.blocks[:0]
		}
	case 1:
		r.said.take(key, v)
		if key == "content" && v[0] != '[' {
			r.blocks = append(r.blocks[:0], textBlocks(v)...)
		}
	case 2:
		if v[0] != '{' && v[0] != '[' {
			r.blocks = append(r.blocks, block{})
		}
		if v[0] == '"' {
			r.blocks[len(r.blocks)-1] = block{typ: blockText, text: v}
		}
	default:
		r.blocks[len(r.blocks)-1].take(key, v)
	}
	return true
}

// textBlocks is content that is no list: a string is one text block.
func textBlocks(content []byte) []block {
	if !isText(content) {
		return nil
	}
	return []block{{typ: blockText, text: content}}
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
		m.take(key, v)
		return true
	})
}

func (m *message) take(key string, v []byte) {
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
		b.take(key, v)
		return true
	})
	return b
}

func (b *block) take(key string, v []byte) {
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
	for _, b := range textBlocks(content) {
		f(b)
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
