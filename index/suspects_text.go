package index

import (
	"bytes"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

const (
	reportSteps = 3 // how far behind a report of a failure that failure is looked for
	bareSteps   = 8 // likewise behind an error whose text names nothing
	textDepth   = 16
)

// clues reads the text of the failure. An error that reports the failure of an
// earlier event, or says nothing itself, speaks with that event's words too; the
// search is then about that event.
func (s *suspector) clues(chain []model.Event) (model.Clues, error) {
	said, err := s.said(s.fault)
	if err != nil {
		return model.Clues{}, err
	}
	s.text = said
	clues := model.ReadClues(said)
	steps := 0
	switch {
	case isResult(s.fault): // it speaks for itself
	case s.fault.Kind == model.KindError:
		steps = reportSteps
	case len(clues.Places)+len(clues.Literals)+len(clues.IDs)+len(clues.Messages) == 0:
		steps = bareSteps
	}
	for _, e := range chain[:min(steps, len(chain))] {
		if !e.Outcome.Failed() || e.Session != s.fault.Session {
			continue
		}
		reported, err := s.said(e)
		if err != nil {
			return clues, err
		}
		s.fault, s.text = e, said+"\n"+reported
		s.own[e.Pos] = true
		return model.ReadClues(s.text), nil
	}
	return clues, nil
}

// isResult reports that an error is what a call came to: it speaks of that call,
// not of a failure before.
func isResult(e model.Event) bool {
	for _, l := range e.Links {
		if l.Reason == model.ReasonAction {
			return true
		}
	}
	return e.Call != ""
}

// said is what a failed event tells of its failure, head and tail of a long
// text; its title where its bytes cannot be read.
func (s *suspector) said(e model.Event) (string, error) {
	raw, err := s.x.Raw(s.ctx, e)
	if err != nil {
		return e.Title, s.ctx.Err()
	}
	w := telling{}
	w.value("", raw, 0)
	text := strings.Join(w.texts, "\n")
	switch {
	case text != "":
	case e.Origin == model.OriginDerived: // its bytes are those of other moments as well
		text = e.Title
	default:
		text = DecodedText(raw)
	}
	if len(text) > 2*model.ClueText {
		text = text[:model.ClueText] + "\n" + text[len(text)-model.ClueText:]
	}
	return text, nil
}

// telling collects the texts of a record that are about its outcome: by the
// names that programs give them, and not what the call was given.
type telling struct{ texts []string }

func (t *telling) value(key string, v []byte, depth int) {
	if depth > textDepth {
		return
	}
	switch jsonscan.Kind(v) {
	case '{':
		jsonscan.Fields(v, func(name string, value []byte) bool {
			if !given(name) {
				t.value(name, value, depth+1)
			}
			return true
		})
	case '[':
		jsonscan.Elements(v, func(value []byte) bool {
			t.value(key, value, depth+1)
			return true
		})
	case '"':
		if tells(key) && !t.within(v, depth) {
			t.add(jsonscan.Str(v))
		}
	}
}

// within reads a text that is an object itself, as a column of a database or a
// wrapped output holds it; false where that tells nothing.
func (t *telling) within(v []byte, depth int) bool {
	if len(v) < 3 || v[1] != '{' {
		return false
	}
	text := []byte(jsonscan.Str(v))
	if _, end, err := jsonscan.Value(text); err != nil || len(bytes.TrimSpace(text[end:])) > 0 {
		return false
	}
	before := len(t.texts)
	t.value("", text, depth+1)
	return len(t.texts) > before
}

// add takes a text that is not there already: records tell the same in several
// ways.
func (t *telling) add(text string) {
	for i, have := range t.texts {
		if strings.Contains(have, text) {
			return
		}
		if strings.Contains(text, have) {
			t.texts[i] = text
			return
		}
	}
	t.texts = append(t.texts, text)
}

func given(key string) bool {
	switch key {
	case "input", "params", "arguments", "args", "parameters", "tool_input", "request", "usage", "metadata":
		return true
	}
	return false
}

func tells(key string) bool {
	switch key {
	case "output", "error", "message", "content", "stack", "stderr", "stdout", "text", "aggregated_output", "formatted_output",
		"reason", "detail", "details", "title", "description", "traceback", "exception", "result", "observation", "err", "body", "response",
		"toolUseResult", "tool_use_result", "data", "msg", "summary", "error_message", "errorMessage", "cause":
		return true
	}
	return false
}
