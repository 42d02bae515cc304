package openhands

import (
	"strconv"

	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// v0Class says how an action or observation of the older family is placed.
type v0Class struct {
	kind  model.Kind
	flags flags
	noise bool
}

// The classes of V0 (section 8 of the format). What is not listed is an action
// or an observation like any other.
var (
	v0Actions = map[string]v0Class{
		"system":               {model.KindMessage, inView, false},
		"message":              {model.KindMessage, inView, false},
		"finish":               {model.KindAction, inView | turnEnds, false},
		"reject":               {model.KindAction, inView | turnEnds, false},
		"think":                {model.KindAction, inView, false},
		"delegate":             {model.KindAction, inView | opensCall | delegates, false},
		"recall":               {model.KindAction, inView | recalls, false},
		"change_agent_state":   {model.KindSession, 0, false},
		"condensation":         {model.KindCheckpoint, forgetsPast, false},
		"condensation_request": {model.KindState, asksToForget, false},
		"loop_recovery":        {model.KindState, 0, false},
		"null":                 {model.KindOther, 0, true},
	}
	v0AnyAction    = v0Class{model.KindAction, inView | opensCall, false}
	v0Observations = map[string]v0Class{
		"error":               {model.KindError, inView, false},
		"agent_state_changed": {model.KindSession, 0, false},
		"condense":            {model.KindMessage, inView, false},
		"delegate":            {model.KindObservation, inView | delegates, false},
		"loop_detection":      {model.KindState, 0, false},
		"null":                {model.KindOther, 0, true},
	}
	v0AnyObservation = v0Class{model.KindObservation, inView, false}
)

// v0 reads an event of the older family. Its id is its seq. The flat records
// of the resolver have no args and extras: their members stand in the record.
func (d *decoder) v0(r *record, sc scope) {
	isAction := isText(r.action)
	typ := jsonscan.Str(r.action)
	if !isAction {
		typ = jsonscan.Str(r.observation)
	}
	e := d.start(r, sc, typ)
	if id, ok := jsonscan.Int(r.id); ok && id >= 0 {
		e.Seq, e.HasSeq = id, true
	} else if jsonscan.Kind(r.id) == '0' {
		e.ID = "" // the program's mark for an event that was never numbered
	}
	n := note{Flags: isV0 | noParentLink}
	if u := metricsUsage(r.llmMetrics); u != nil {
		e.Usage = u
	} else if u := ownUsage(r.callMeta); u != nil && isAction && e.Usage == nil {
		e.Usage = u
		n.Flags |= ofResponse
	}
	det := r.detailsOf(firstObject(r.args, r.extras, r.raw))
	if isAction {
		v0Action(e, r, &n, det, sc)
	} else {
		v0Observation(e, r, &n, det, sc)
	}
	if isTrue(det.hidden) {
		e.Kind, e.Noise = model.KindOther, true
		n.Flags &^= inView | sourced | opensCall
	}
	d.finish(e, &n)
}

func firstObject(all ...[]byte) []byte {
	for _, v := range all {
		if isObject(v) {
			return v
		}
	}
	return nil
}

// callMeta is what V0 repeats on a call and on its result.
func callMeta(e *model.Event, r *record, n *note) {
	jsonscan.Fields(r.callMeta, func(key string, v []byte) bool {
		switch key {
		case "function_name":
			e.Tool = jsonscan.Str(v)
		case "tool_call_id":
			e.Call = jsonscan.Scalar(v)
		case "model_response":
			n.Response = jsonscan.Str(jsonscan.Get(v, "id"))
		}
		return true
	})
	alias(e, e.Call)
}

func v0Action(e *model.Event, r *record, n *note, d *details, sc scope) {
	class, listed := v0Actions[e.Type]
	if !listed {
		class = v0AnyAction
	}
	e.Kind, e.Noise = class.kind, class.noise
	n.Flags |= class.flags
	callMeta(e, r, n)
	alias(e, n.Response)
	byAgent := e.Source == "agent" || e.Source == "" && !(e.Type == "message" && sc.first)
	if byAgent && e.Type != "system" && e.Type != "null" && e.Type != "change_agent_state" && e.Type != "recall" {
		n.Flags |= sourced
	}
	if e.Tool == "" && (!listed || class.flags.has(opensCall)) {
		e.Tool = e.Type
	}
	v0ActionTitle(e, r, n, d, byAgent)
}

func v0ActionTitle(e *model.Event, r *record, n *note, d *details, byAgent bool) {
	switch e.Type {
	case "system":
		e.Title = "system prompt, " + phrase.Plural(count(d.tools), "tool")
		n.Version = jsonscan.Str(d.version)
	case "message":
		text := firstNonEmpty(phrase.Content(d.content, phrase.LineLimit), phrase.Content(r.message, phrase.LineLimit))
		line := phrase.FirstLine(text)
		who := "agent"
		if !byAgent {
			who = firstNonEmpty(e.Source, "user")
			n.Flags |= userTurn
			n.Line = phrase.Asked(text)
		} else {
			n.Flags |= turnEnds
		}
		e.Title = phrase.Titled(who, line)
	case "change_agent_state":
		n.Status = jsonscan.Scalar(d.agentState)
		e.Title = phrase.Titled("status", n.Status)
	case "condensation":
		v0Condensation(e, n, d)
	case "condensation_request":
		e.Title = "condensation requested"
	case "null":
		e.Title = "null"
	case "recall":
		e.Title = callTitle("recall "+jsonscan.Str(d.recallType), d, nil)
	case "finish", "reject":
		e.Title = phrase.Titled(e.Type, phrase.FirstLine(firstNonEmpty(phrase.Head(d.finalThought, phrase.TextLimit), phrase.Head(d.thought, phrase.TextLimit), phrase.Head(r.message, phrase.TextLimit))))
	default:
		e.Title = callTitle(v0Name(e, d), d, r.message)
	}
}

// v0Condensation reads both forms: a list of ids, or the first and last of a
// range, which the linker fills in from the log.
func v0Condensation(e *model.Event, n *note, d *details) {
	total := count(d.forgotten)
	if isList(d.forgotten) {
		forgets(e, d.forgotten)
	} else {
		n.From, n.To = jsonscan.Scalar(d.forgetFrom), jsonscan.Scalar(d.forgetTo)
		from, ok := jsonscan.Int(d.forgetFrom)
		to, ok2 := jsonscan.Int(d.forgetTo)
		if ok && ok2 && to >= from && from >= 0 {
			total = int(min(to-from, 1<<31-2)) + 1
		}
	}
	if e.ID != "" {
		alias(e, "summary:"+e.ID)
	}
	e.Title = condensationTitle(total, present(d.summary))
}

func v0Observation(e *model.Event, r *record, n *note, d *details, sc scope) {
	class, listed := v0Observations[e.Type]
	if !listed {
		class = v0AnyObservation
	}
	e.Kind, e.Noise = class.kind, class.noise
	n.Flags |= class.flags
	callMeta(e, r, n)
	n.Response = ""
	if class.kind != model.KindSession && e.Type != "loop_detection" {
		n.Flags |= answersCall
		if cause := jsonscan.Scalar(r.cause); cause != "" {
			recorded(e, model.ReasonAction, cause)
		} else if e.Call == "" && (sc.bare || !present(r.id)) {
			n.Flags |= byNeighbour
		} else if e.Call == "" && e.Type == "error" {
			n.Flags |= sourced // the program's own failure, no call's
		}
	}
	text := firstNonEmpty(phrase.Content(r.content, phrase.TextLimit), phrase.Content(d.content, phrase.TextLimit))
	v := d.v0Verdict(e.Type, r, text)
	if class.kind == model.KindObservation || class.kind == model.KindError {
		e.Outcome = failed(v)
	}
	switch e.Type {
	case "agent_state_changed":
		n.Status = jsonscan.Scalar(d.agentState)
		e.Title = phrase.Titled(phrase.Titled("status", n.Status), phrase.FirstLine(phrase.Head(d.reason, phrase.TextLimit)))
	case "null":
		e.Title = "null"
	case "user_rejected":
		e.Title = phrase.Titled("rejected by user", phrase.FirstLine(text))
	case "error":
		e.Title = phrase.Titled(e.Type, tellingLine(text))
	default:
		if text == "" && !v.hasExit {
			text = phrase.Head(r.message, phrase.TextLimit)
		}
		e.Title = resultTitle(firstNonEmpty(e.Tool, e.Type), d, e.Outcome, text)
	}
}

// v0Name is what a call is named by: its tool, and of the editor what it does,
// where no command says so.
func v0Name(e *model.Event, d *details) string {
	switch e.Type {
	case "read", "edit", "write":
		if e.Tool != "" && e.Tool != e.Type && !isText(d.command) {
			return e.Tool + " " + e.Type
		}
	}
	return firstNonEmpty(e.Tool, e.Type)
}

// v0Verdict judges an observation. Edits, and the cells of early versions,
// tell their errors only in words.
func (d *details) v0Verdict(typ string, r *record, text string) verdict {
	v := verdict{errored: typ == "error", refused: typ == "user_rejected", flagged: flagOf(r.success, false)}
	v.exit, v.hasExit = d.exitOf()
	if n, ok := jsonscan.Int(r.exitCode); ok && !v.hasExit {
		v.exit, v.hasExit = n, true
	}
	// The success flag of a command only says that its code is 0.
	if v.hasExit {
		v.flagged = nil
	}
	if typ == "edit" || typ == "run_ipython" {
		v.text = text
	}
	if b, ok := jsonscan.Bool(d.err); ok && b {
		v.flagged = &b
	}
	return v
}

// seqOf reads a V0 id; ok is false where it is no number.
func seqOf(id string) (int64, bool) {
	n, err := strconv.ParseInt(id, 10, 64)
	return n, err == nil
}
