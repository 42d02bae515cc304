package eventlog

import (
	"bytes"
	"slices"
	"strconv"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// effector tells what the records of a session do. It needs nothing of what it
// keeps between them: a result finds its call through its link, and the calls
// at hand only save reading them again.
type effector struct{ made [callsAtHand]madeCall }

// callsAtHand is how many positions back a call is found without reading it,
// where its record has at most callBytes.
const (
	callsAtHand = 16
	callBytes   = 64 << 10
)

// madeCall is what a call's record says of what it does.
type madeCall struct {
	pos            int64
	action, params []byte
}

// NewEffector starts the half that turns records into effects.
func (dialect) NewEffector(*model.Stream, string) model.Effector { return &effector{} }

// Save has nothing to carry.
func (f *effector) Save() ([]byte, error) { return nil, nil }

// Load takes up what Save wrote.
func (f *effector) Load([]byte) error {
	*f = effector{}
	return nil
}

// usualEffects is how many effects a record mostly has at most.
const usualEffects = 4

// Effects tells what one record does. A record that stands again does nothing.
func (f *effector) Effects(e *model.Event, raw []byte, view model.View) []model.Effect {
	if e.Origin == model.OriginCopied {
		return nil
	}
	b := readBody(raw)
	effects := make([]model.Effect, 0, usualEffects)
	switch e.Type {
	case typeUser:
		effects = append(effects, speaks(model.RoleUser, b.content))
	case typeAction:
		effects = actionEffects(effects, e, &b)
		if len(raw) <= callBytes {
			f.made[e.Pos&(callsAtHand-1)] = madeCall{e.Pos, b.action, b.params}
		}
	case typeResult:
		effects = f.resultEffects(effects, e, &b, view)
	case typeSession:
		effects = append(effects, sessionEffects(&b, view)...)
	case typeCheckpoint:
		effects = append(effects, snapshot(e, &b))
	case typeError:
		effects = append(effects, model.Fail{
			Code: jsonscan.Scalar(b.code), Message: jsonscan.Scalar(b.message), Stack: jsonscan.Scalar(b.stack),
		})
	}
	var spent model.Usage
	if usageOf(b.usage, &spent) {
		effects = append(effects, model.Spend{Usage: spent})
	}
	return effects
}

// body holds the spans of the payload fields that effects and messages need,
// of whatever type.
type body struct {
	content, action, params, thought     []byte
	status, output, fault, exit, cwd     []byte
	truncated, state, reason, kept       []byte
	snapshot, base, code, message, stack []byte
	usage                                []byte
}

// readBody takes a record's payload apart. Of duplicate keys the last wins.
func readBody(raw []byte) (b body) {
	w := walker{b: raw}
	if !w.enter() {
		return b
	}
	for key := w.key(); key != nil; key = w.key() {
		if string(key) != "payload" {
			w.value()
			continue
		}
		b = body{}
		if !w.enter() {
			w.value()
			continue
		}
		for inner := w.key(); inner != nil; inner = w.key() {
			value := w.value()
			if field := b.field(string(inner)); field != nil {
				*field = value
			}
		}
	}
	return b
}

func (b *body) field(key string) *[]byte {
	switch key {
	case "content":
		return &b.content
	case "action_type":
		return &b.action
	case "params":
		return &b.params
	case "thought":
		return &b.thought
	case "status":
		return &b.status
	case "output":
		return &b.output
	case "error":
		return &b.fault
	case "exit_code":
		return &b.exit
	case "cwd":
		return &b.cwd
	case "truncated":
		return &b.truncated
	case "state":
		return &b.state
	case "reason":
		return &b.reason
	case "kept_event_ids":
		return &b.kept
	case "snapshot_id":
		return &b.snapshot
	case "base_event_seq":
		return &b.base
	case "error_code":
		return &b.code
	case "message":
		return &b.message
	case "stack":
		return &b.stack
	case "usage":
		return &b.usage
	}
	return nil
}

func speaks(role model.Role, text []byte) model.Say {
	return model.Say{Role: role, Chars: chars(text), Tokens: model.TokensUnknown}
}

// actionEffects: an answer is said; any other action is said and called.
func actionEffects(effects []model.Effect, e *model.Event, b *body) []model.Effect {
	effects = append(effects, speaks(model.RoleAssistant, b.said()))
	if !isRespond(b.action) {
		effects = append(effects, model.Call{ID: callID(e), Tool: toolName(b.action)})
	}
	return effects
}

// callID is the id of the call that an action makes: the event's. A record
// without an id takes the address of its pos.
func callID(e *model.Event) string {
	if e.ID != "" {
		return e.ID
	}
	return posID(e.Pos)
}

func posID(pos int64) string { return "#" + strconv.FormatInt(pos, 10) }

// resultEffects: a result closes its call whatever its status, and is said;
// what the call did follows the status.
func (f *effector) resultEffects(effects []model.Effect, e *model.Event, b *body, view model.View) []model.Effect {
	link := callLink(e, view)
	if link != nil {
		effects = append(effects, model.Return{ID: linkedCall(link)})
	}
	effects = append(effects, speaks(model.RoleTool, b.told()))
	if link != nil {
		if effect := f.outcome(link, b, view); effect != nil {
			effects = append(effects, effect)
		}
	}
	if _, ran := effects[len(effects)-1].(model.Run); ran {
		return effects // which brings its directory along
	}
	if cwd := jsonscan.Str(b.cwd); cwd != "" {
		effects = append(effects, model.Cwd{Path: cwd})
	}
	return effects
}

// outcome is what the call behind a link did, nil where that cannot be told.
func (f *effector) outcome(link *model.Link, result *body, view model.View) model.Effect {
	pos := link.To.Pos
	if made := &f.made[pos&(callsAtHand-1)]; made.pos == pos && pos > 0 {
		return done(made.action, made.params, result)
	}
	call, raw, ok := view.Record(pos)
	if !ok || call.Type != typeAction {
		return nil
	}
	made := readBody(raw)
	return done(made.action, made.params, result)
}

// callLink finds a result's link to its call: the one of reason action, or one
// that was resolved too late to be given that reason and leads to a call.
func callLink(e *model.Event, view model.View) *model.Link {
	for i := range e.Links {
		if l := &e.Links[i]; l.Reason == model.ReasonAction && leadsBack(e, l) {
			return l
		}
	}
	for i := range e.Links {
		l := &e.Links[i]
		if l.Reason != model.ReasonSource || !leadsBack(e, l) {
			continue
		}
		if target, _, ok := view.Record(l.To.Pos); ok && target.Kind == model.KindAction {
			return l
		}
	}
	return nil
}

// leadsBack reports a link to an earlier event of the same session.
func leadsBack(e *model.Event, l *model.Link) bool {
	return l.Resolved() && l.To.Pos < e.Pos && (l.To.Session == "" || l.To.Session == e.Session)
}

// linkedCall is the id of the call that a link leads to, as callID gave it.
func linkedCall(l *model.Link) string {
	if l.To.ID != "" {
		return l.To.ID
	}
	return posID(l.To.Pos)
}

// sessionEffects: a rebuilt context forgets what is not kept and leaves the
// status alone; any other record of the session's state is the status.
func sessionEffects(b *body, view model.View) []model.Effect {
	if jsonscan.Kind(b.kept) == '[' {
		if keys := lost(b.kept, view.Context()); len(keys) > 0 {
			return []model.Effect{model.Forget{Keys: keys, Reason: model.LostRebuild}}
		}
		return nil
	}
	state := identity(b.state)
	if state == "" || state == stateRebuilt {
		return nil
	}
	return []model.Effect{model.Status{Execution: state, Reason: jsonscan.Scalar(b.reason)}}
}

// lost lists the keys of the entries whose events are not kept.
func lost(kept []byte, context []model.Entry) []string {
	ids := make(map[string]bool)
	jsonscan.Elements(kept, func(v []byte) bool {
		ids[identity(v)] = true
		return true
	})
	delete(ids, "") // null names no event
	var keys []string
	for _, entry := range context {
		if !ids[entry.Event] {
			keys = append(keys, entry.Key)
		}
	}
	return keys
}

// snapshot: the state stands in the record, or in the file that the layout has
// for it. A checkpoint without an id of its own is known by its event.
func snapshot(e *model.Event, b *body) model.Snapshot {
	s := model.Snapshot{Checkpoint: identity(b.snapshot)}
	if jsonscan.Kind(b.state) == '{' {
		s.State = bytes.Clone(b.state)
	} else if s.Checkpoint != "" {
		s.File = "checkpoints/" + e.Session + "/" + s.Checkpoint + ".json"
	}
	if s.Checkpoint == "" {
		s.Checkpoint = callID(e)
	}
	s.BaseSeq, s.HasBase = jsonscan.Int(b.base)
	i := slices.IndexFunc(e.Links, func(l model.Link) bool { return l.Reason == model.ReasonBase && leadsBack(e, &l) })
	if i >= 0 {
		s.BasePos = e.Links[i].To.Pos
	}
	return s
}
