package claudecode

import (
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// usualEffects is how many effects a record mostly has at most.
const usualEffects = 4

// user: results, prompts, summaries, and what the client says in the user's
// name.
func (f *effector) user(e *model.Event, r *record, view model.View) []model.Effect {
	if isTrue(r.isCompactSummary) || f.state.Boundary != "" && isTrue(jsonscan.Get(r.raw, "isSynthetic")) {
		return f.summary(e, r, view)
	}
	if isTrue(r.isTranscriptOnly) {
		return nil
	}
	if f.state.Boundary != "" {
		f.state.Boundary, f.state.Front = "", "" // its summary is missing
	}
	m := &r.said
	size := int64(0)
	var results []block
	out := make([]model.Effect, 0, usualEffects)
	for _, b := range r.blocks {
		switch b.typ {
		case blockText:
			size = joinedChars(size, jsonscan.Chars(b.text))
		case blockToolResult:
			results = append(results, b)
			size = joinedChars(size, phrase.ContentChars(b.content))
			out = append(out, model.Return{ID: jsonscan.Str(b.toolUseID)})
		}
	}
	role := model.RoleUser
	if len(results) > 0 {
		role = model.RoleTool
	} else {
		out = append(out, f.rewinds(e, r, view)...)
	}
	say := f.say(e, role)
	say.Chars = size
	out = append(out, say)
	f.state.Last = e.Pos
	if len(results) == 0 {
		return append(out, f.prompted(e, r, m.content, view)...)
	}
	beside := r.toolUseResult
	if len(results) > 1 {
		beside = nil // it tells of one of them, and not of which
	}
	for i := range results {
		out = append(out, f.result(e, &results[i], beside, view)...)
	}
	return out
}

// prompted is what words in the user's name do: they set the run going, stop
// it, or tell of the end of what ran in the background.
func (f *effector) prompted(e *model.Event, r *record, content []byte, view model.View) []model.Effect {
	text := headOf(content)
	switch {
	case strings.HasPrefix(text, notificationTag):
		full, _ := textOf(content)
		return append(f.notified(e, full, view), model.Status{Execution: statusRunning, Inferred: true})
	case strings.HasPrefix(text, interruptedText):
		return []model.Effect{model.Status{Execution: statusInterrupted}}
	case isTrue(r.isMeta) || isClientText(text):
		return nil
	}
	return []model.Effect{model.Status{Execution: statusRunning, Inferred: true}}
}

// notified is the end of a command that ran in the background. Which of its
// lines tells the exit code differs by version; where none does it is unknown.
func (f *effector) notified(e *model.Event, text string, view model.View) []model.Effect {
	c, ok := f.made.find(tagged(text, "tool-use-id"), e.Pos, view)
	if !ok || c.tool != "Bash" {
		return nil
	}
	run := model.Run{Command: jsonscan.Str(jsonscan.Get(c.input, "command")), Quiet: true}
	if _, code, ok := strings.Cut(tagged(text, "summary"), "exit code "); ok {
		code, _, _ = strings.Cut(code, ")")
		if n, err := strconv.ParseInt(strings.TrimSpace(code), 10, 64); err == nil {
			run.Exit = &n
		}
	}
	if run.Command == "" {
		return nil
	}
	return []model.Effect{run}
}
