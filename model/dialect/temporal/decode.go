package temporal

import (
	"cmp"
	"encoding/base64"
	"errors"
	"strings"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

var errNoEvent = errors.New("not an event of a history: an object is expected")

// plain is a type's name in lower case without the prefix, so that
// EVENT_TYPE_TIMER_FIRED and TimerFired are one.
func plain(typ string) string {
	return strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(typ, "EVENT_TYPE_"), "_", ""))
}

// attributes are those of the event's type.
func attributes(raw []byte) (attrs []byte) {
	jsonscan.Fields(raw, func(key string, v []byte) bool {
		if strings.HasSuffix(key, "EventAttributes") && jsonscan.Kind(v) == '{' {
			attrs = v
		}
		return attrs == nil
	})
	return attrs
}

// role is what an event of a type is.
type role struct {
	kind   model.Kind
	failed bool
	// call is the attribute that names the call which this is the result of.
	call string
}

// calls are the types that ask for something, by what they name it with.
var calls = map[string]string{
	"activitytaskscheduled": "activityType", "timerstarted": "timerId", "startchildworkflowexecutioninitiated": "workflowType",
	"signalexternalworkflowexecutioninitiated": "signalName", "requestcancelexternalworkflowexecutioninitiated": "workflowId",
	"nexusoperationscheduled": "operation",
}

// subjects are the beginnings of types that end what was asked for.
var subjects = []struct{ prefix, call string }{
	{"activitytask", "scheduledEventId"}, {"timer", "startedEventId"}, {"childworkflowexecution", "initiatedEventId"},
	{"startchildworkflowexecution", "initiatedEventId"}, {"externalworkflowexecution", "initiatedEventId"},
	{"signalexternalworkflowexecution", "initiatedEventId"}, {"requestcancelexternalworkflowexecution", "initiatedEventId"},
	{"nexusoperation", "scheduledEventId"},
}

func roleOf(typ string) (r role) {
	if _, ok := calls[typ]; ok {
		return role{kind: model.KindAction}
	}
	for _, end := range []string{"failed", "timedout", "canceled", "terminated"} {
		r.failed = r.failed || strings.HasSuffix(typ, end)
	}
	switch {
	case typ == "workflowexecutionsignaled", strings.HasPrefix(typ, "workflowexecutionupdate") && typ != "workflowexecutionupdated":
		r.kind = model.KindMessage
	case typ == "workflowexecutionfailed", typ == "workflowexecutiontimedout":
		r.kind = model.KindError
	case strings.HasPrefix(typ, "workflowexecution"):
		r.kind = model.KindSession
	case strings.HasPrefix(typ, "workflowtask"), strings.HasPrefix(typ, "decisiontask"):
		r.kind = model.KindDelta
		if r.failed {
			r.kind = model.KindError
		}
	case typ == "markerrecorded", strings.HasPrefix(typ, "upsert"), strings.HasPrefix(typ, "workflowpropertiesmodified"):
		r.kind = model.KindState
	default:
		for _, s := range subjects {
			if rest, ok := strings.CutPrefix(typ, s.prefix); ok {
				r.kind, r.call = model.KindObservation, s.call
				if rest == "started" || rest == "cancelrequested" && s.prefix != "externalworkflowexecution" || rest == "cancelrequestcompleted" {
					r = role{kind: model.KindDelta}
				}
				// A timer that is not needed any more is no failure.
				r.failed = r.failed && typ != "timercanceled"
				break
			}
		}
	}
	return r
}

// Decode reads an event.
func (dialect) Decode(rec *model.Record, emit func(*model.Event)) error {
	if jsonscan.Kind(rec.Raw) != '{' {
		return errNoEvent
	}
	attrs := attributes(rec.Raw)
	e := &model.Event{
		ID: jsonscan.Scalar(jsonscan.Get(rec.Raw, "eventId")), Type: jsonscan.Scalar(jsonscan.Get(rec.Raw, "eventType")),
		Time: model.ParseTime(jsonscan.Scalar(jsonscan.Get(rec.Raw, "eventTime"))), Source: jsonscan.Scalar(jsonscan.Get(attrs, "identity")),
	}
	e.Seq, e.HasSeq = jsonscan.Int(jsonscan.Get(rec.Raw, "eventId"))
	typ := plain(e.Type)
	r := roleOf(typ)
	e.Kind = r.kind
	var n chat.Note
	switch {
	case r.failed:
		e.Outcome = model.OutcomeFailed
	case r.kind == model.KindObservation, typ == "workflowexecutioncompleted":
		e.Outcome = model.OutcomeOK
	case r.kind == model.KindAction:
		e.Tool, e.Call = cmp.Or(toolOf(typ, attrs), typ), e.ID
		n.Calls = []string{e.ID}
	case r.kind == model.KindDelta:
		e.Noise = true
	}
	if id, ok := target(attrs, r.call); ok {
		e.Call, n.Results = id, []string{id}
	}
	e.Links = links(attrs, r)
	start(e, &n, typ, attrs)
	e.Title = title(e, typ, attrs)
	if typ == "workflowexecutionstarted" {
		n.Title = e.Title
	}
	if r.kind == model.KindSession || r.kind == model.KindError && strings.HasPrefix(typ, "workflowexecution") {
		n.Outcome = outcomes[typ]
	}
	e.Note = n.String()
	emit(e)
	return nil
}

// outcomes are the ends of a run.
var outcomes = map[string]string{
	"workflowexecutioncompleted": "finished", "workflowexecutionfailed": "error", "workflowexecutiontimedout": "error",
	"workflowexecutioncanceled": "stopped", "workflowexecutionterminated": "stopped", "workflowexecutioncontinuedasnew": "finished",
}

// start ties a history to the one that it goes on from or was started by: the
// event there that told the id of this run carries it.
func start(e *model.Event, n *chat.Note, typ string, attrs []byte) {
	own := jsonscan.Scalar(jsonscan.Get(attrs, "originalExecutionRunId"))
	switch typ {
	case "workflowexecutionstarted":
		n.Parent = parentRun(attrs)
		switch {
		case n.Parent == "" || own == "":
		case jsonscan.Scalar(jsonscan.Get(attrs, "continuedExecutionRunId")) != "":
			e.Links = append(e.Links, model.Link{Reason: model.ReasonBase, ToID: own})
		default:
			e.Links = append(e.Links, model.Link{Reason: model.ReasonSpawn, ToID: own})
		}
	case "workflowexecutioncontinuedasnew":
		carry(e, jsonscan.Get(attrs, "newExecutionRunId"))
	case "childworkflowexecutionstarted":
		carry(e, jsonscan.Get(attrs, "workflowExecution", "runId"))
	}
}

// target reads the id of another event; 0 is none.
func target(attrs []byte, key string) (string, bool) {
	if key == "" {
		return "", false
	}
	v := jsonscan.Get(attrs, key)
	n, ok := jsonscan.Int(v)
	return jsonscan.Scalar(v), ok && n > 0
}

// links gives the one cause that the attributes name, and what else they name
// as structure. The link of a result to its call is the linker's.
func links(attrs []byte, r role) (all []model.Link) {
	order := []string{"workflowTaskCompletedEventId", "acceptedEventId", "startedEventId", "initiatedEventId", "scheduledEventId"}
	reason := model.ReasonSource
	if _, ok := target(attrs, r.call); ok {
		reason = model.ReasonParent
	}
	for _, key := range order {
		if id, ok := target(attrs, key); ok && key != r.call {
			all = append(all, model.Link{Reason: reason, ToID: id})
			reason = model.ReasonParent
		}
	}
	return all
}

func toolOf(typ string, attrs []byte) string {
	v := jsonscan.Get(attrs, calls[typ])
	if typ == "timerstarted" {
		return "timer"
	}
	if jsonscan.Kind(v) == '{' {
		v = jsonscan.Get(v, "name")
	}
	return jsonscan.Scalar(v)
}

// payloads gives the values of {"payloads":[…]} that are JSON, or of values
// that an export has decoded.
func payloads(v []byte) (all [][]byte) {
	if list := jsonscan.Get(v, "payloads"); list != nil {
		v = list
	}
	jsonscan.Elements(v, func(p []byte) bool {
		if value := payload(p); value != nil {
			all = append(all, value)
		}
		return true
	})
	return all
}

// payload is the JSON of a payload; nil where it holds something else.
func payload(p []byte) []byte {
	encoding := jsonscan.Str(jsonscan.Get(p, "metadata", "encoding"))
	if b, err := base64.StdEncoding.DecodeString(encoding); err == nil && encoding != "" {
		encoding = string(b)
	}
	switch {
	case jsonscan.Kind(jsonscan.Get(p, "metadata")) != '{':
		return p
	case encoding == "binary/null":
		return []byte("null")
	case !strings.HasPrefix(encoding, "json/"):
		return nil
	}
	data, err := base64.StdEncoding.DecodeString(jsonscan.Str(jsonscan.Get(p, "data")))
	if err != nil {
		return nil
	}
	from, to, err := jsonscan.Value(data)
	if err != nil {
		return nil
	}
	return data[from:to]
}

// said is a value's text for a title.
func said(values [][]byte) string {
	var parts []string
	for _, v := range values {
		if s := phrase.Head(v, phrase.LineLimit); s != "" {
			parts = append(parts, s)
		} else if s := modelSaid(v); s != "" {
			parts = append(parts, s)
		} else if len(v) > 0 {
			parts = append(parts, string(v[:min(len(v), phrase.LineLimit)]))
		}
	}
	return strings.Join(parts, ", ")
}

// depth bounds how far the causes of a failure are followed.
const depth = 8

// failure is the message of a failure with those of its causes.
func failure(attrs []byte) string {
	var parts []string
	for f, i := jsonscan.Get(attrs, "failure"), 0; f != nil && i < depth; f, i = jsonscan.Get(f, "cause"), i+1 {
		if s := jsonscan.Str(jsonscan.Get(f, "message")); s != "" {
			parts = append(parts, s)
		}
	}
	if cause := jsonscan.Str(jsonscan.Get(attrs, "cause")); cause != "" {
		parts = append([]string{cause}, parts...)
	}
	return strings.Join(parts, ": ")
}

func title(e *model.Event, typ string, attrs []byte) string {
	what := strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(e.Type, "EVENT_TYPE_")), "_", " ")
	if !strings.HasPrefix(e.Type, "EVENT_TYPE_") {
		what = words(e.Type)
	}
	rest := said(payloads(jsonscan.Get(attrs, "input")))
	switch {
	case e.Kind == model.KindObservation:
		what, rest = ended(typ, what), said(payloads(jsonscan.Get(attrs, "result")))
		if e.Outcome.Failed() {
			rest = failure(attrs)
		}
		return phrase.Titled(what, rest)
	case e.Kind == model.KindAction:
		what = e.Tool
		if typ == "timerstarted" {
			rest = jsonscan.Scalar(jsonscan.Get(attrs, "startToFireTimeout"))
		}
	case typ == "workflowexecutionstarted":
		what = cmp.Or(jsonscan.Scalar(jsonscan.Get(attrs, "workflowType", "name")), what)
	case typ == "workflowexecutionsignaled":
		what = cmp.Or(jsonscan.Scalar(jsonscan.Get(attrs, "signalName")), what)
	case typ == "markerrecorded":
		rest = jsonscan.Scalar(jsonscan.Get(attrs, "markerName"))
	case e.Outcome.Failed():
		rest = failure(attrs)
	case rest == "":
		rest = said(payloads(jsonscan.Get(attrs, "result")))
	}
	return phrase.OneLine(strings.TrimSpace(what + " " + rest))
}

// ended is the last of the words of a type that ends what was asked for: the
// row names what that was.
func ended(typ, what string) string {
	for _, s := range subjects {
		if rest, ok := strings.CutPrefix(typ, s.prefix); ok && rest != "" {
			for strings.Contains(what, " ") && len(strings.ReplaceAll(what, " ", "")) > len(rest) {
				_, what, _ = strings.Cut(what, " ")
			}
			break
		}
	}
	return what
}

// words parts a name in PascalCase.
func words(s string) string {
	var b strings.Builder
	for i, r := range s {
		if r >= 'A' && r <= 'Z' {
			if i > 0 {
				b.WriteByte(' ')
			}
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// carry makes an event known by the id of a run.
func carry(e *model.Event, id []byte) {
	if s := jsonscan.Scalar(id); s != "" {
		e.Aliases = append(e.Aliases, s)
	}
}
