package query

import (
	"bytes"
	"encoding/json"
	"strings"

	"hindcast/model"
)

// The parts of a record in which a text may stand, by the words that people use.
// A text in a field that is none of them stands in "field NAME".
const (
	PartPrompt       = "prompt"
	PartReply        = "reply"
	PartThinking     = "thinking"
	PartArguments    = "arguments"
	PartOutput       = "output"
	PartAttachment   = "attachment"
	PartSummary      = "summary"
	PartInstructions = "instructions"
	PartError        = "error"
	PartTitle        = "title"
)

// keyParts tells of names of fields in what they hold.
var keyParts = map[string]string{
	"thinking": PartThinking, "reasoning": PartThinking, "reasoning_content": PartThinking, "thought": PartThinking, "thoughts": PartThinking,
	"arguments": PartArguments, "args": PartArguments, "input": PartArguments, "params": PartArguments, "parameters": PartArguments,
	"tool_input": PartArguments, "action": PartArguments, "command": PartArguments,
	"output": PartOutput, "result": PartOutput, "stdout": PartOutput, "stderr": PartOutput, "observation": PartOutput,
	"toolUseResult": PartOutput, "tool_response": PartOutput, "aggregated_output": PartOutput, "formatted_output": PartOutput,
	"attachment": PartAttachment, "attachments": PartAttachment,
	"summary": PartSummary, "replacement_history": PartSummary,
	"instructions": PartInstructions, "base_instructions": PartInstructions, "system": PartInstructions, "system_prompt": PartInstructions,
	"error": PartError,
}

// typeParts tells of what an object calls itself in what its texts are.
var typeParts = map[string]string{
	"thinking": PartThinking, "reasoning": PartThinking, "agent_reasoning": PartThinking,
	"tool_use": PartArguments, "function_call": PartArguments, "custom_tool_call": PartArguments, "local_shell_call": PartArguments,
	"tool_result": PartOutput, "function_call_output": PartOutput, "custom_tool_call_output": PartOutput,
	"attachment": PartAttachment, "file": PartAttachment, "document": PartAttachment,
	"summary": PartSummary, "compacted": PartSummary, "compaction": PartSummary,
}

// contents are names of fields that say nothing of what they hold.
var contents = map[string]bool{"": true, "text": true, "content": true, "message": true, "prompt": true, "body": true, "value": true, "data": true, "parts": true, "payload": true, "messages": true}

// Part tells in which part of a record the text that a term looks for stands
// first, and the text as it stands there; empty where it stands nowhere. raw is
// the record's JSON. What a field holds is told by its name, by what the object
// around it calls itself, and by what the event is.
func Part(t Term, e *model.Event, raw []byte) (part, found string) {
	root, err := readNode(raw)
	if err == nil {
		if part, found = root.part(t, e, nil); part != "" {
			return part, found
		}
	}
	if from, to := t.Find(e.Title); from >= 0 {
		return PartTitle, e.Title[from:to]
	}
	return "", ""
}

// node is a JSON value with its members in their order.
type node struct {
	key  string
	text string // of a string
	kind string // of an object, as it calls itself
	sums bool   // of an object: it says that it is a summary
	kids []node
}

// part finds the first string below a node that holds the text. around are the
// nodes in which it stands, outermost first.
func (n *node) part(t Term, e *model.Event, around []*node) (part, found string) {
	around = append(around, n)
	from, to := t.Find(n.text)
	if from >= 0 && len(n.kids) == 0 {
		n.unfold()
	}
	for i := range n.kids {
		if part, found = n.kids[i].part(t, e, around); part != "" {
			return part, found
		}
	}
	if from < 0 {
		return "", ""
	}
	return named(around, e), n.text[from:to]
}

// unfold reads a string that holds JSON as what it holds.
func (n *node) unfold() {
	if s := strings.TrimSpace(n.text); len(s) < 2 || s[0] != '{' && s[0] != '[' {
		return
	}
	if inner, err := readNode([]byte(n.text)); err == nil {
		n.kids, n.kind, n.sums = inner.kids, inner.kind, inner.sums
	}
}

// named is the part that a string is of, by what stands nearest around it.
func named(around []*node, e *model.Event) string {
	field := ""
	for i := len(around) - 1; i >= 0; i-- {
		n := around[i]
		if n.sums {
			return PartSummary
		}
		if p := typeParts[n.kind]; p != "" {
			return p
		}
		if p := keyParts[n.key]; p != "" {
			return p
		}
		if field == "" && !contents[n.key] {
			field = n.key
		}
	}
	if p := kindPart(e); p != "" && (field == "" || e.Kind == model.KindAction || e.Kind == model.KindObservation) {
		return p
	}
	if field == "" {
		field = "text"
	}
	return "field " + field
}

func kindPart(e *model.Event) string {
	switch e.Kind {
	case model.KindMessage:
		switch strings.ToLower(e.Source) {
		case "user", "human", "environment":
			return PartPrompt
		case "system", "developer":
			return PartInstructions
		}
		return PartReply
	case model.KindAction:
		return PartArguments
	case model.KindObservation:
		return PartOutput
	case model.KindCheckpoint:
		return PartSummary
	case model.KindError:
		return PartError
	}
	return ""
}

// maxNesting bounds how deep a record is read.
const maxNesting = 200

func readNode(raw []byte) (n node, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	err = n.read(d, 0)
	return n, err
}

func (n *node) read(d *json.Decoder, depth int) error {
	tok, err := d.Token()
	if err != nil {
		return err
	}
	switch tok := tok.(type) {
	case string:
		n.text = tok
	case bool:
		n.sums = tok && (n.key == "isCompactSummary" || n.key == "summary" || n.key == "is_summary")
	case json.Delim:
		if depth > maxNesting {
			return bytes.ErrTooLarge
		}
		for d.More() {
			kid := node{}
			if tok == '{' {
				name, err := d.Token()
				if err != nil {
					return err
				}
				kid.key, _ = name.(string)
			}
			if err := kid.read(d, depth+1); err != nil {
				return err
			}
			if kid.key == "type" && kid.text != "" {
				n.kind = kid.text
			}
			n.sums = n.sums || kid.sums && len(kid.kids) == 0
			n.kids = append(n.kids, kid)
		}
		_, err = d.Token()
		return err
	}
	return nil
}
