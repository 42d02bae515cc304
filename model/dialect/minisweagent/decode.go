package minisweagent

import (
	"errors"
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

var errNoObject = errors.New("not a message: a JSON object is expected")

// message holds the spans of a message's members, and of its extra's.
type message struct {
	role, content, callID, tools                       []byte
	actions, cost, time, returncode, exception, status []byte
	submission                                         []byte
}

func readMessage(raw []byte) (m message) {
	var extra []byte
	jsonscan.Fields(raw, func(key string, v []byte) bool {
		switch key {
		case "role":
			m.role = v
		case "content":
			m.content = v
		case "tool_call_id":
			m.callID = v
		case "tool_calls":
			m.tools = v
		case "extra":
			extra = v
		}
		return true
	})
	jsonscan.Fields(extra, func(key string, v []byte) bool {
		switch key {
		case "actions":
			m.actions = v
		case "cost":
			m.cost = v
		case "timestamp":
			m.time = v
		case "returncode":
			m.returncode = v
		case "exception_info":
			m.exception = v
		case "exit_status":
			m.status = v
		case "submission":
			m.submission = v
		}
		return true
	})
	return m
}

// action is one command of a message.
type action struct{ id, command string }

// commands lists what a message asks to run: as its extra notes it, else in its
// tool calls, else the one block of its text.
func (m *message) commands() (all []action) {
	jsonscan.Elements(m.actions, func(v []byte) bool {
		all = append(all, action{jsonscan.Scalar(jsonscan.Get(v, "tool_call_id")), jsonscan.Str(jsonscan.Get(v, "command"))})
		return true
	})
	if len(all) > 0 {
		return all
	}
	for _, c := range chat.Calls(m.tools) {
		command, _ := chat.Command("bash", []byte(c.Args))
		all = append(all, action{c.ID, command})
	}
	if len(all) > 0 {
		return all
	}
	text := chat.Text(m.content)
	for _, fence := range []string{"```mswea_bash_command\n", "```bash\n"} {
		if _, rest, ok := strings.Cut(text, fence); ok {
			if command, _, ok := strings.Cut(rest, "\n```"); ok {
				return []action{{command: command}}
			}
		}
	}
	return nil
}

// exit is a result's exit code: noted beside it, else in its text.
func (m *message) exit() *int64 {
	if n, ok := jsonscan.Int(m.returncode); ok {
		return &n
	}
	text := phrase.Head(m.content, phrase.LineLimit)
	if rest, ok := strings.CutPrefix(text, "<returncode>"); ok {
		digits, _, _ := strings.Cut(rest, "</returncode>")
		if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
			return &n
		}
	}
	return nil
}

func (m *message) outcome() model.Outcome {
	exit := m.exit()
	switch {
	case exit != nil && *exit != 0, jsonscan.Str(m.exception) != "":
		return model.OutcomeFailed
	case exit != nil:
		return model.OutcomeOK
	}
	return model.OutcomeUnknown
}

// isResult reports a message that tells what a command did; of the one that
// hands in, older versions say nothing.
func (m *message) isResult() bool {
	return jsonscan.Str(m.role) == "tool" || m.returncode != nil || m.exit() != nil || string(m.content) == `""`
}

// output is a result's text without the frame around it, for its title.
func output(text string) string {
	if _, rest, ok := strings.Cut(text, "<output>"); ok {
		text, _, _ = strings.Cut(rest, "</output>")
	}
	return text
}

// Decode reads a message.
func (dialect) Decode(rec *model.Record, emit func(*model.Event)) error {
	if jsonscan.Kind(rec.Raw) != '{' {
		return errNoObject
	}
	m := readMessage(rec.Raw)
	role := jsonscan.Str(m.role)
	line := phrase.FirstLine(phrase.Content(m.content, phrase.LineLimit))
	e := &model.Event{Type: role, Source: role, Kind: model.KindMessage, Title: phrase.Titled(role, line), Time: model.ParseTimeNumber(jsonscan.Scalar(m.time))}
	var n chat.Note
	switch {
	case role == "assistant":
		n.Flags = chat.Reply
		m.acts(e, &n)
	case role != "exit" && m.isResult():
		e.Kind, e.Outcome = model.KindObservation, m.outcome()
		if e.Title = chat.ResultTitle("", output(phrase.Content(m.content, phrase.TextLimit)), m.exit(), e.Outcome); e.Title == "" {
			e.Title = "(no output)"
		}
		e.Call = jsonscan.Scalar(m.callID)
		if n.Results = []string{e.Call}; e.Call == "" {
			n = chat.Note{Flags: chat.Nearest}
		}
	case role == "user":
		n.Flags, n.Title = chat.Prompt, line
	case role == "exit":
		status := jsonscan.Str(m.status)
		e.Kind, e.Title = model.KindSession, phrase.Titled("exit", status)
		n.Outcome, n.Flags = status, chat.Nearest // the command that hands in has no other result
	case role != "system":
		e.Kind = model.KindOther
	}
	if e.Title == "" {
		e.Title = "message"
	}
	e.Note = n.String()
	emit(e)
	return nil
}

// acts reads what the model asks to run, and what the answer cost.
func (m *message) acts(e *model.Event, n *chat.Note) {
	var titles []string
	for _, a := range m.commands() {
		n.Calls = append(n.Calls, a.id)
		if a.id != "" {
			e.Aliases = append(e.Aliases, a.id)
		}
		titles = append(titles, phrase.FirstLine(a.command))
	}
	if len(titles) > 0 {
		e.Kind, e.Tool, e.Call = model.KindAction, "bash", n.Calls[0]
		e.Title = phrase.OneLine("bash " + strings.Join(titles, "; "))
	}
	c := chat.Counts{Cost: m.cost}
	e.Usage = c.Usage()
}
