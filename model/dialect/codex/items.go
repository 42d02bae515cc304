package codex

import (
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// responseItem is a part of the model's history.
func (r *record) responseItem(kind string) {
	b, e := &r.body, r.e
	e.ID, e.Call = jsonscan.Str(b.id), jsonscan.Str(b.callID)
	own, sampled, draft := r.line.sequence()
	r.n.Flags = isItem
	r.n.Own = max(own, 0)
	switch {
	case kind == "message":
		r.message(draft)
	case kind == "reasoning":
		r.reasoning()
	case kind == "agent_message":
		r.agentMessage()
	case kind == "ghost_snapshot":
		r.ghost()
	case strings.HasSuffix(kind, "_call_output"), strings.HasSuffix(kind, "_output") && e.Call != "":
		r.result()
	case strings.HasSuffix(kind, "_call"):
		r.call(kind)
	case kind == "additional_tools":
		r.other()
		e.Noise = true
	default:
		r.other()
	}
	if r.n.Flags.has(isMade) {
		r.n.Sampled = max(sampled, 0)
	}
}

func (r *record) message(draft bool) {
	b, e := &r.body, r.e
	e.Kind = model.KindMessage
	text := phrase.Content(b.content, phrase.LineLimit)
	line := phrase.FirstLine(text)
	if line == "" && jsonscan.Kind(b.content) == '[' {
		line = "[no text]"
	}
	switch role := word(b.role); role {
	case "assistant":
		e.Source = "agent"
		r.n.Flags |= isMade
		r.n.Sum = sumOf("assistant", text)
		e.Title = phrase.Titled("assistant", line)
		if draft {
			r.n.Flags |= isDraft
			e.Title = phrase.Titled("summary draft", line)
		}
	case "user":
		e.Source = "user"
		r.n.Sum = sumOf("user", text)
		prompt, kind := isPrompt(b, text)
		if prompt {
			r.n.Flags |= isPrompted | isInput
			r.n.Line = line
			e.Title = phrase.Titled("user", line)
			return
		}
		e.Source = "program"
		e.Title = phrase.Titled(kind, contextLine(text))
		if kind == subAgentNotice {
			r.n.Flags |= isInput
			r.notice(text)
		}
	default:
		e.Source = "program"
		if kind := contentKind(b); kind != "" {
			line = kind
		}
		e.Title = phrase.Titled(role, line)
	}
}

// contextLine is what an environment or a block of instructions says first
// behind its tag.
func contextLine(text string) string {
	if _, rest, ok := strings.Cut(text, "<cwd>"); ok {
		cwd, _, _ := strings.Cut(rest, "</cwd>")
		return "cwd " + phrase.FirstLine(cwd)
	}
	if line := phrase.FirstLine(text); !strings.HasPrefix(line, "<") || !strings.HasSuffix(line, ">") {
		return line
	}
	_, rest, _ := strings.Cut(text, ">")
	return phrase.FirstLine(rest)
}

// notice is what the program tells a parent of its sub-agent's end.
func (r *record) notice(text string) {
	_, text, _ = strings.Cut(text, "\n")
	start, end, err := jsonscan.Value([]byte(text))
	if err != nil {
		return
	}
	v := []byte(text)[start:end]
	r.n.Original = jsonscan.Str(jsonscan.Get(v, "agent_path"))
	jsonscan.Fields(jsonscan.Get(v, "status"), func(status string, v []byte) bool {
		r.e.Title = phrase.Titled("sub-agent "+status, phrase.FirstLine(phrase.Content(v, phrase.LineLimit)))
		return false
	})
}

func (r *record) reasoning() {
	b, e := &r.body, r.e
	e.Kind, e.Source = model.KindMessage, "agent"
	r.n.Flags |= isMade
	text := phrase.Content(b.summary, phrase.LineLimit)
	if text == "" {
		text = phrase.Content(b.content, phrase.LineLimit)
	}
	r.n.Sum = sumOf("reasoning", text)
	line := plainHeading(phrase.FirstLine(text))
	if line == "" && jsonscan.Str(b.encrypted) != "" {
		line = "(encrypted)"
	}
	e.Title = phrase.Titled("thinking", line)
}

// plainHeading takes the stars off a summary's heading.
func plainHeading(line string) string {
	if rest, ok := strings.CutPrefix(line, "**"); ok {
		head, tail, _ := strings.Cut(rest, "**")
		return strings.TrimSpace(head + tail)
	}
	return line
}

func (r *record) agentMessage() {
	b, e := &r.body, r.e
	e.Kind, e.Source = model.KindMessage, "agent"
	r.n.Flags |= isInput
	line := phrase.FirstLine(phrase.Content(b.content, phrase.LineLimit))
	r.n.Line = line
	if line == "" {
		line = "(encrypted)"
	}
	e.Title = phrase.OneLine(jsonscan.Str(b.author) + " → " + jsonscan.Str(b.recipient) + ": " + line)
}

func (r *record) ghost() {
	b, e := &r.body, r.e
	e.Kind, e.Source = model.KindCheckpoint, "program"
	r.n.Flags = isGhost
	commit := jsonscan.Str(jsonscan.Get(b.ghost, "id"))
	r.alias(commit)
	e.Title = "ghost commit " + commit
}

// call is what the model asks for. What the provider runs itself (a search)
// has no call id, and no result comes.
func (r *record) call(kind string) {
	b, e := &r.body, r.e
	e.Kind, e.Source = model.KindAction, "agent"
	r.n.Flags |= isMade
	e.Tool = word(b.name)
	if e.Tool == "" {
		e.Tool = strings.TrimSuffix(kind, "_call")
	}
	if e.Call == "" && kind == "local_shell_call" {
		e.Call = e.ID
	}
	if e.Call != "" {
		r.n.Flags |= opensCall
		r.alias(e.Call)
	}
	e.Title = phrase.OneLine(e.Tool + " " + callSubject(e.Tool, b))
}

// result answers a call. Its title lacks the tool, which the linker knows.
func (r *record) result() {
	b, e := &r.body, r.e
	e.Kind, e.Source = model.KindObservation, "tool"
	r.n.Flags |= isInput | answersCall
	v := outputVerdict(b.output)
	e.Outcome = v.outcome()
	e.Title = v.String()
	if !v.hasExit && strings.HasPrefix(v.text, "{") {
		r.agentResult([]byte(v.text))
	}
}

// agentResult is a result of the tools for sub-agents: one that began, or how
// those are that were waited for.
func (r *record) agentResult(text []byte) {
	start, end, err := jsonscan.Value(text)
	if err != nil {
		return
	}
	text = text[start:end]
	if id := jsonscan.Str(jsonscan.Get(text, "agent_id")); id != "" {
		r.alias(id)
	}
	for _, key := range []string{"nickname", "task_name", "agent_id"} {
		if name := jsonscan.Str(jsonscan.Get(text, key)); name != "" {
			r.e.Title = "ok: " + name + " began"
			break
		}
	}
	jsonscan.Fields(jsonscan.Get(text, "status"), func(_ string, v []byte) bool {
		jsonscan.Fields(v, func(status string, said []byte) bool {
			r.e.Title = phrase.Titled(status, phrase.FirstLine(phrase.Content(said, phrase.LineLimit)))
			return false
		})
		return false
	})
}
