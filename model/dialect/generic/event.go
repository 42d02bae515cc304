package generic

import (
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// causeLimit bounds the causes that are taken from one record.
const causeLimit = 64

// event makes an event of an object.
func event(raw []byte, c choice) *model.Event {
	f := look(raw, c)
	e := &model.Event{
		Session: f.text(roleSession),
		ID:      f.text(roleID),
		Type:    f.text(roleType),
		Time:    jsonscan.Time(f.field[roleTime].value),
		Source:  f.text(roleSource),
		Tool:    f.tool(),
		Call:    f.text(roleCall),
		Outcome: f.outcome(),
	}
	e.Seq, e.HasSeq = jsonscan.Int(f.field[roleSeq].value)
	if e.Source == "" {
		e.Source = f.text(roleSpeaker)
	}
	for _, a := range f.aliases {
		e.Aliases = append(e.Aliases, jsonscan.Scalar(a.value))
	}
	e.Kind = f.kind(e)
	if e.Kind == model.KindError {
		e.Outcome = model.OutcomeFailed
	}
	e.Title = f.title(raw, e)
	e.Links = f.links()
	return e
}

// tool is the name of the tool that a record is about: a string, or the name
// of an object that describes it.
func (f *found) tool() string {
	v := f.field[roleTool].value
	if jsonscan.Kind(v) == '{' {
		v = jsonscan.Get(v, "name")
	}
	return jsonscan.Str(v)
}

// kind places a record: what belongs to a tool call, who speaks, what failed.
// What none of these says is other.
func (f *found) kind(e *model.Event) model.Kind {
	kind := strings.ToLower(e.Type)
	call := e.Call != "" || e.Tool != ""
	tool := call || strings.Contains(kind, "tool") || strings.Contains(kind, "function_call")
	result := contains(kind, "result", "output", "response", "observation", "_end", "complete")
	speaker := f.word(roleSpeaker)
	switch {
	case speaker == "tool", speaker == "function", tool && result, call && f.has(roleOutput):
		return model.KindObservation
	case tool && contains(kind, "call", "use", "invoke", "invocation", "action", "start", "request"), call && f.has(roleInput):
		return model.KindAction
	case speakers[speaker]:
		return model.KindMessage
	case errorLevels[f.word(roleLevel)], e.Outcome.Failed(), contains(kind, "error", "exception", "failed"):
		return model.KindError
	case kind == "message", kind == "user", kind == "assistant":
		return model.KindMessage
	}
	return model.KindOther
}

func contains(s string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// outcome tells whether a record says that it failed, or that it did not.
func (f *found) outcome() model.Outcome {
	failed, _ := jsonscan.Bool(f.field[roleFailed].value)
	good, hasOK := jsonscan.Bool(f.field[roleOK].value)
	exit, hasExit := jsonscan.Int(f.field[roleExit].value)
	status := f.status()
	switch {
	case failed, hasOK && !good, hasExit && exit != 0, failedWords[status], jsonscan.Truthy(f.field[roleError].value), errorLevels[f.word(roleLevel)]:
		return model.OutcomeFailed
	case hasOK, hasExit, f.has(roleFailed), okWords[status]:
		return model.OutcomeOK
	}
	return model.OutcomeUnknown
}

// status is the outcome's word; of an object its code.
func (f *found) status() string {
	v := f.field[roleStatus].value
	if jsonscan.Kind(v) == '{' {
		v = jsonscan.Get(v, "code")
	}
	return strings.ToLower(jsonscan.Str(v))
}

// links are the causes that a record names. The record above it in a tree is
// taken for its cause where it names no other.
func (f *found) links() []model.Link {
	links := addLinks(nil, f.field[roleCause].value, model.ReasonSource)
	reason := model.ReasonSource
	if len(links) > 0 {
		reason = model.ReasonParent
	}
	return addLinks(links, f.field[roleParent].value, reason)
}

func addLinks(links []model.Link, v []byte, reason model.Reason) []model.Link {
	if jsonscan.Kind(v) != '[' {
		if isText(v) {
			links = append(links, model.Link{Reason: reason, ToID: jsonscan.Scalar(v)})
		}
		return links
	}
	jsonscan.Elements(v, func(id []byte) bool {
		if isText(id) {
			links = append(links, model.Link{Reason: reason, ToID: jsonscan.Scalar(id)})
		}
		return len(links) < causeLimit
	})
	return links
}
