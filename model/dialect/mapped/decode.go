package mapped

import (
	"errors"
	"strconv"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

var errNoObject = errors.New("not an object")

// reading is a record with the rules that fit it.
type reading struct {
	m     *mapping
	scope scope
	typ   string
	rules []*rule
}

func (m *mapping) read(raw []byte) *reading {
	r := &reading{m: m, scope: scope{record: raw, members: m.members(raw)}}
	r.typ, _ = m.typ.text(r.scope)
	for i := range m.rules {
		x := &m.rules[i]
		if (len(x.types) == 0 || globs(x.types, r.typ)) && fits(r.scope, x.has, x.values) {
			r.rules = append(r.rules, x)
		}
	}
	return r
}

// say gives what the first rule says that says it, else what all records have.
func (r *reading) say(of func(*common) *value) *value {
	for _, x := range r.rules {
		if v := of(&x.common); v.given() {
			return v
		}
	}
	return of(&r.m.event)
}

func (r *reading) text(of func(*common) *value) string {
	said, _ := r.say(of).text(r.scope)
	return said
}

func (r *reading) outcome() model.Outcome {
	for _, x := range r.rules {
		if x.failed != nil {
			return x.failed.outcome(r.scope)
		}
	}
	if r.m.event.failed != nil {
		return r.m.event.failed.outcome(r.scope)
	}
	return model.OutcomeUnknown
}

// effects walks the effects of all rules, each element of a list for itself. n
// counts them within the record.
func (r *reading) effects(yield func(n int, x *effect, s scope)) {
	n := 0
	for _, rule := range r.rules {
		for i := range rule.effects {
			x := &rule.effects[i]
			r.elements(x, func(s scope) {
				yield(n, x, s)
				n++
			})
		}
	}
}

// elements walks what an effect is for: the record, or each element of a list.
// The list of tasks is one thing.
func (r *reading) elements(x *effect, yield func(scope)) {
	if x.each == nil || x.do == doTasks {
		yield(r.scope)
		return
	}
	x.over(r.scope, yield)
}

// over walks the elements of an effect's list, or the members of its object.
func (x *effect) over(s scope, yield func(scope)) {
	list := jsonscan.Unpacked(x.each.find(s))
	n := 0
	jsonscan.Elements(list, func(e []byte) bool {
		yield(scope{record: s.record, members: s.members, element: e, key: strconv.Itoa(n)})
		n++
		return true
	})
	jsonscan.Fields(list, func(key string, v []byte) bool {
		yield(scope{record: s.record, members: s.members, element: v, key: key})
		return true
	})
}

// arg is an argument as text.
func (x *effect) arg(name string, s scope) string {
	said, _ := x.args[name].text(s)
	return said
}

// callID is the id of a call or a result: the effect's own, else the record's.
func (r *reading) callID(x *effect, s scope) string {
	if id := x.arg("id", s); id != "" {
		return id
	}
	return r.text(func(c *common) *value { return c.call })
}

// Decode makes an event of a record.
func (d Dialect) Decode(rec *model.Record, emit func(*model.Event)) error {
	if jsonscan.Kind(rec.Raw) != '{' {
		return errNoObject
	}
	r := d.m.read(rec.Raw)
	e := rec.Scratch
	if e == nil {
		e = new(model.Event)
	}
	*e = model.Event{Type: r.typ, Time: jsonscan.Time(d.m.time.raw(r.scope)), Outcome: r.outcome()}
	e.ID, _ = d.m.id.text(r.scope)
	e.Session, _ = d.m.session.text(r.scope)
	e.Seq, e.HasSeq = d.m.seq.number(r.scope)
	e.Call = r.text(func(c *common) *value { return c.call })
	e.Tool = r.text(func(c *common) *value { return c.tool })
	e.Source = r.text(func(c *common) *value { return c.source })
	for _, a := range d.m.aliases {
		if id, _ := a.text(r.scope); id != "" {
			e.Aliases = append(e.Aliases, id)
		}
	}
	var n chat.Note
	n.Title, _ = d.m.title.text(r.scope)
	n.Parent, _ = d.m.parent.text(r.scope)
	r.links(e)
	r.deeds(e, &n)
	r.place(e)
	e.Note = n.String()
	if e.Title = phrase.OneLine(r.text(func(c *common) *value { return c.title })); e.Title == "" {
		e.Title = r.title(e)
	}
	emit(e)
	return nil
}

// telling are the effects of which an event and its linker need to know more
// than that they are there.
var telling = map[string]bool{doCall: true, doReturn: true, doRun: true, doFail: true, doStatus: true, doUsage: true, doCheckpoint: true}

// deeds takes from the effects what an event and its linker need to know, and
// the kind that they suggest.
func (r *reading) deeds(e *model.Event, n *chat.Note) {
	best := len(suggested)
	for _, rule := range r.rules {
		for i := range rule.effects {
			x := &rule.effects[i]
			if x.each == nil || jsonscan.Truthy(jsonscan.Unpacked(x.each.find(r.scope))) {
				best = min(best, x.rank)
			}
			if telling[x.do] {
				r.elements(x, func(s scope) { r.deed(e, n, x, s) })
			}
		}
	}
	if best < len(suggested) {
		e.Kind = suggested[best].kind
	}
}

func (r *reading) deed(e *model.Event, n *chat.Note, x *effect, s scope) {
	switch x.do {
	case doCall:
		id := r.callID(x, s)
		n.Calls = append(n.Calls, id)
		if id != "" && id != e.ID {
			e.Aliases = append(e.Aliases, id)
		}
		r.about(e, id, x.arg("tool", s))
	case doReturn:
		id := r.callID(x, s)
		if id == "" {
			n.Flags |= chat.Nearest
		} else {
			n.Results = append(n.Results, id)
		}
		r.about(e, id, "")
	case doRun:
		if exit, ok := x.args["exit"].number(s); ok && exit != 0 {
			e.Outcome = model.OutcomeFailed
		} else if ok && e.Outcome == model.OutcomeUnknown {
			e.Outcome = model.OutcomeOK
		}
	case doFail:
		e.Outcome = model.OutcomeFailed
	case doStatus:
		n.Outcome = x.arg("execution", s)
	case doUsage:
		if u := x.usage(s); u != nil {
			e.Usage = u
			if x.args["cumulative"].truth(s) {
				n.Flags |= chat.Total
			}
		}
	case doCheckpoint:
		addLinks(e, model.ReasonBase, x.args["base"].list(s))
	}
}

// about notes the call that an event is about: the first of several.
func (r *reading) about(e *model.Event, call, tool string) {
	if e.Call == "" {
		e.Call = call
	}
	if e.Tool == "" {
		e.Tool = tool
	}
}

// suggested is the kind of an event by its effects, those that tell more first.
var suggested = []struct {
	do   string
	kind model.Kind
}{
	{doFail, model.KindError}, {doCheckpoint, model.KindCheckpoint}, {doReturn, model.KindObservation}, {doCall, model.KindAction},
	{doMessage, model.KindMessage}, {doRun, model.KindObservation}, {doRead, model.KindObservation},
	{doWrite, model.KindAction}, {doEdit, model.KindAction}, {doDelete, model.KindAction}, {doMove, model.KindAction},
	{doStatus, model.KindState}, {doTasks, model.KindState}, {doTask, model.KindState}, {doSet, model.KindState}, {doUnset, model.KindState},
}

// rankOf is the place of an effect in suggested; behind its end for one that
// suggests nothing.
func rankOf(do string) int {
	for i, s := range suggested {
		if s.do == do {
			return i
		}
	}
	return len(suggested)
}

// place takes the kind that a rule says, in place of what the effects suggest.
func (r *reading) place(e *model.Event) {
	kinded := false
	for _, x := range r.rules {
		e.Noise = e.Noise || x.hidden
		if x.kinded && !kinded {
			e.Kind, kinded = x.kind, true
		}
	}
	if e.Kind == model.KindError {
		e.Outcome = model.OutcomeFailed
	}
}

// links are the causes that a record names. The record above it in a tree is
// taken for its cause where it names no other.
func (r *reading) links(e *model.Event) {
	causes := r.say(func(c *common) *value { return c.cause }).list(r.scope)
	addLinks(e, model.ReasonSource, causes)
	reason := model.ReasonSource
	if len(causes) > 0 {
		reason = model.ReasonParent
	}
	addLinks(e, reason, r.say(func(c *common) *value { return c.parent }).list(r.scope))
	addLinks(e, model.ReasonSpawn, r.m.spawned.list(r.scope))
}

func addLinks(e *model.Event, reason model.Reason, ids []string) {
	for _, id := range ids {
		if id != e.ID {
			e.Links = append(e.Links, model.Link{Reason: reason, ToID: id})
		}
	}
}
