package sweagent

import (
	"errors"
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

var errNoTrajectory = errors.New("not a trajectory: an object with trajectory or history is expected")

type decoder struct {
	raw  []byte
	emit func(*model.Event)
}

// Decode reads a whole trajectory: the prompt, each step as what the model did
// and what it observed, and how it ended.
func (dialect) Decode(rec *model.Record, emit func(*model.Event)) error {
	var steps, history, info []byte
	jsonscan.Fields(rec.Raw, func(key string, v []byte) bool {
		switch key {
		case "trajectory":
			steps = v
		case "history":
			history = v
		case "info":
			info = v
		}
		return true
	})
	if jsonscan.Kind(steps) != '[' && jsonscan.Kind(history) != '[' {
		return errNoTrajectory
	}
	d := decoder{rec.Raw, emit}
	opening := first(steps)
	if jsonscan.Kind(history) != '[' {
		history = jsonscan.Get(opening, "query")
	}
	rec.Evidence = d.history(history, opening != nil)
	i := 0
	jsonscan.Elements(steps, func(v []byte) bool {
		if jsonscan.Kind(v) == '{' {
			d.step(i, v)
		}
		i++
		return true
	})
	if jsonscan.Kind(info) == '{' && len(info) > len("{}") {
		d.info(info)
	}
	return nil
}

func (d *decoder) send(e *model.Event, n *chat.Note, part []byte) {
	e.Span = chat.SpanOf(d.raw, part)
	e.Origin = model.OriginDerived
	e.Note = n.String()
	if e.Title == "" {
		e.Title = phrase.OneLine(e.Type)
	}
	d.emit(e)
}

// stepID is the id of a step's half: the format has none.
func stepID(i int, half string) string { return "step/" + strconv.Itoa(i) + "/" + half }

// step reads the two halves of a step: between them people stop, and time
// passes.
func (d *decoder) step(i int, raw []byte) {
	var action, thought, response, observation []byte
	jsonscan.Fields(raw, func(key string, v []byte) bool {
		switch key {
		case "action":
			action = v
		case "thought":
			thought = v
		case "response":
			response = v
		case "observation":
			observation = v
		}
		return true
	})
	e := &model.Event{ID: stepID(i, "action"), Type: "action", Source: "agent", Kind: model.KindMessage}
	n := chat.Note{Flags: chat.Reply}
	if line := phrase.FirstLine(phrase.Head(action, phrase.LineLimit)); line != "" {
		e.Kind, e.Tool, e.Call, e.Title = model.KindAction, program(line), e.ID, line
		n.Calls = []string{e.ID}
	} else {
		e.Title = phrase.Titled("agent", phrase.FirstLine(phrase.Head(thought, phrase.LineLimit)+"\n"+phrase.Head(response, phrase.LineLimit)))
	}
	d.send(e, &n, raw)
	if observation == nil {
		return
	}
	o := &model.Event{ID: stepID(i, "observation"), Type: "observation", Source: "environment", Kind: model.KindObservation}
	m := chat.Note{Results: n.Calls}
	if len(m.Results) == 0 {
		m.Flags = chat.Prompt
	} else {
		o.Call = e.ID
	}
	o.Title = phrase.OneLine(chat.Line(chat.Text(head(observation))))
	if o.Title == "" {
		o.Title = "(no output)"
	}
	d.send(o, &m, observation)
}

// head bounds what a title is made of.
func head(v []byte) []byte {
	if len(v) > phrase.TextLimit && jsonscan.Kind(v) == '"' {
		return []byte(strconv.Quote(phrase.Head(v, phrase.LineLimit)))
	}
	return v
}

// program is the first word of a command line.
func program(line string) string {
	word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
	return phrase.OneLine(word)
}

// history reads messages: before a trajectory those of its prompt only, else
// all of them. Demonstrations within are no part of the run: they are evidence,
// as are the messages that the steps tell again.
func (d *decoder) history(list []byte, onlyPrompt bool) (evidence int64) {
	i := -1
	inSteps := false
	acted := false // the message before made a call without an id
	jsonscan.Elements(list, func(v []byte) bool {
		i++
		if demo, _ := jsonscan.Bool(jsonscan.Get(v, "is_demo")); demo || jsonscan.Kind(v) != '{' {
			evidence += int64(len(v))
			return true
		}
		role := jsonscan.Str(jsonscan.Get(v, "role"))
		if inSteps = inSteps || onlyPrompt && role != "system" && role != "user"; inSteps {
			evidence += int64(len(v))
			return true
		}
		acted = d.message(i, role, v, acted)
		return true
	})
	return evidence
}

func (d *decoder) message(i int, role string, v []byte, follows bool) (acted bool) {
	text := phrase.Content(jsonscan.Get(v, "content"), phrase.LineLimit)
	line := phrase.FirstLine(text)
	e := &model.Event{ID: "history/" + strconv.Itoa(i), Type: role, Source: role, Kind: model.KindMessage, Title: phrase.Titled(role, line)}
	var n chat.Note
	switch role {
	case "assistant":
		n.Flags = chat.Reply
		calls := chat.Calls(jsonscan.Get(v, "tool_calls"))
		for _, c := range calls {
			n.Calls, n.Tools = append(n.Calls, c.ID), append(n.Tools, c.Tool)
			if c.ID != "" {
				e.Aliases = append(e.Aliases, c.ID)
			}
		}
		action := phrase.FirstLine(phrase.Head(jsonscan.Get(v, "action"), phrase.LineLimit))
		switch {
		case len(calls) > 0:
			e.Kind, e.Tool, e.Call = model.KindAction, calls[0].Tool, calls[0].ID
			e.Title = phrase.OneLine(calls[0].Tool + " " + chat.About([]byte(calls[0].Args)))
			if action != "" {
				e.Title = action
			}
		case action != "":
			e.Kind, e.Tool, e.Title = model.KindAction, program(action), action
			n.Calls = []string{""}
			acted = true
		}
	case "tool":
		e.Kind, e.Title = model.KindObservation, line
		jsonscan.Elements(jsonscan.Get(v, "tool_call_ids"), func(id []byte) bool {
			n.Results = append(n.Results, jsonscan.Scalar(id))
			return true
		})
		if len(n.Results) > 0 {
			e.Call = n.Results[0]
		}
	case "user":
		n.Flags = chat.Prompt
		if follows {
			e.Kind, e.Title, n.Flags = model.KindObservation, line, chat.Nearest
		} else {
			n.Title = phrase.Asked(text)
		}
	case "system":
	default:
		e.Kind = model.KindOther
	}
	d.send(e, &n, v)
	return acted
}

// info reads how the run ended, and what it took.
func (d *decoder) info(v []byte) {
	status := jsonscan.Str(jsonscan.Get(v, "exit_status"))
	e := &model.Event{ID: "info", Type: "info", Source: "environment", Kind: model.KindSession, Outcome: exitOutcome(status), Usage: totals(v)}
	e.Title = phrase.Titled("exit", status)
	if status == "" {
		e.Title = "exit: no status is recorded"
	}
	n := chat.Note{Flags: chat.Total | chat.Late | chat.Reply, Outcome: status, Version: jsonscan.Str(jsonscan.Get(v, "swe_agent_version"))}
	d.send(e, &n, v)
}

// exitOutcome: a run that handed something in did not fail, whatever stopped
// it.
func exitOutcome(status string) model.Outcome {
	switch {
	case strings.HasPrefix(status, "submitted"):
		return model.OutcomeOK
	case strings.HasPrefix(status, "exit_"), strings.Contains(status, "error"):
		return model.OutcomeFailed
	}
	return model.OutcomeUnknown
}

func totals(info []byte) *model.Usage {
	v := jsonscan.Get(info, "model_stats")
	c := chat.Counts{Prompt: jsonscan.Get(v, "tokens_sent"), Completion: jsonscan.Get(v, "tokens_received"), Cost: jsonscan.Get(v, "instance_cost")}
	return c.Usage()
}
