package claudecode

import (
	"strings"
	"sync"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// effector turns a session's records into effects, in replay order. What it
// keeps between them is bounded whatever the length of the log.
type effector struct {
	state told
	rec   *record // the record at hand
	made  madeCalls
}

// told is what an effector carries from one record to the next.
type told struct {
	// Boundary is the id of the compaction whose summary is still to come, Start
	// the pos of the latest compaction's first record: what stands before it has
	// left the context, or was kept.
	Boundary string
	Start    int64
	// Front is the key behind which records go that stand before the kept ones;
	// empty: they go to the end.
	Front string
	// Last is the pos of the latest record that a prompt can follow.
	Last int64
	// Backups: the client keeps what files were before its edits, so that going
	// back can bring them back.
	Backups bool
	// Spent are the usages of the latest messages, as far as they were told.
	Spent []spentBy
	// Run is what the messages told since the last line that sums a run up.
	Run model.Usage
	// Tasks is the list of the task tools; TodoWrite has none but its own.
	Tasks []model.Task
}

// NewEffector starts a session.
func (dialect) NewEffector(*model.Stream, string) model.Effector { return &effector{} }

// Effects tells what a record does. A record that stands again does nothing,
// and progress shows nothing that its result does not tell.
func (f *effector) Effects(e *model.Event, raw []byte, view model.View) []model.Effect {
	seen := f.Foresee(e, raw)
	if seen == nil {
		return nil
	}
	return f.EffectsOf(seen, e, raw, view)
}

// spare holds records that are not in use: they are large, and no more of them
// are needed than are read ahead.
var spare = sync.Pool{New: func() any { return new(record) }}

// Foresee reads a record that does something.
func (f *effector) Foresee(e *model.Event, raw []byte) any {
	if e.Origin == model.OriginCopied || strings.HasPrefix(e.Type, "progress") {
		return nil
	}
	r := spare.Get().(*record)
	r.read(raw)
	return r
}

// EffectsOf tells what a record does that was read.
func (f *effector) EffectsOf(seen any, e *model.Event, _ []byte, view model.View) []model.Effect {
	f.rec = seen.(*record)
	out := f.kinds(e, f.rec, view)
	if cwd := jsonscan.Str(f.rec.cwd); cwd != "" && cwd != view.Cwd() && !entersItself(out) {
		out = append(out, model.Cwd{Path: cwd})
	}
	blocks := f.rec.blocks
	clear(blocks)
	*f.rec = record{blocks: blocks[:0]} // nothing holds on to the bytes
	spare.Put(f.rec)
	f.rec = nil
	return out
}

// entersItself reports a command that brings its directory along.
func entersItself(effects []model.Effect) bool {
	for _, x := range effects {
		if run, ok := x.(model.Run); ok && run.Cwd != nil {
			return true
		}
	}
	return false
}

func (f *effector) kinds(e *model.Event, r *record, view model.View) []model.Effect {
	switch typeOf(r.typ) {
	case "user":
		return f.user(e, r, view)
	case "assistant":
		return f.assistant(e, r)
	case "system":
		return f.system(e, r, view)
	case "attachment":
		return f.attached(e, r, view)
	case "cost-state":
		return cumulativeCost(r)
	case "result":
		return f.runEnds(r)
	case "file-history-snapshot", "file-history-delta":
		f.state.Backups = true
		return nil
	}
	return named(r)
}

// assistant: a block of a message is said and, where it is a call, opens it.
// What the client writes in the assistant's name takes no tokens.
func (f *effector) assistant(e *model.Event, r *record) []model.Effect {
	m := &r.said
	say := f.say(e, model.RoleAssistant)
	say.Response = jsonscan.Str(m.id)
	out := []model.Effect{nil}
	execution := ""
	for _, b := range r.blocks {
		switch b.typ {
		case blockText:
			execution = afterText(m.stopReason)
			say.Chars = joinedChars(say.Chars, jsonscan.Chars(b.text))
		case blockToolUse:
			execution = statusRunning
			id := jsonscan.Str(b.id)
			f.made.add(e.Pos, id, b)
			out = append(out, model.Call{ID: id, Tool: jsonscan.Str(b.name)})
		}
	}
	out[0] = say
	f.state.Last = e.Pos
	switch {
	case isTrue(r.isAPIError):
		text, _ := textOf(m.content)
		return append(out, model.Fail{Message: text}, model.Status{Execution: statusError, Inferred: true})
	case jsonscan.Str(m.model) == syntheticModel:
		return out
	}
	if execution != "" {
		out = append(out, model.Status{Execution: execution, Inferred: true})
	}
	return append(out, f.spent(say.Response, m.usage)...)
}

// afterText is the state of a run after words of the model: it goes on where
// the message goes on. Older versions mostly do not tell.
func afterText(stopReason []byte) string {
	switch jsonscan.Str(stopReason) {
	case "tool_use", "pause_turn":
		return statusRunning
	}
	return statusFinished
}

// system: the checkpoints, and what the provider refused.
func (f *effector) system(e *model.Event, r *record, view model.View) []model.Effect {
	switch jsonscan.Str(r.subtype) {
	case "compact_boundary":
		return f.compacts(e, r, view)
	case "microcompact_boundary":
		return microcompacts(e, r, view)
	case "api_error":
		return []model.Effect{model.Fail{Code: jsonscan.Scalar(jsonscan.Get(r.errorValue, "status")), Message: errorText(r.errorValue)}}
	}
	return nil
}

// named is what a record sets that names one value of the session.
func named(r *record) []model.Effect {
	typ := typeOf(r.typ)
	var v []byte
	switch typ {
	case "summary":
		v = r.summary
	case "custom-title":
		v = r.customTitle
	case "ai-title":
		v = r.aiTitle
	case "agent-name":
		v = r.agentName
	case "agent-setting":
		v = r.agentSetting
	case "mode":
		v = r.mode
	case "permission-mode":
		v = r.permissionMode
	case "pr-link":
		v = r.prURL
	}
	if !present(v) {
		return nil
	}
	return []model.Effect{model.Set{Path: model.PathVars + "/" + model.EscapePointer(typ), Value: v}}
}
