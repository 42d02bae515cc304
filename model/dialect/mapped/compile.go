package mapped

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// mapping is a Mapping that was read.
type mapping struct {
	Mapping
	event   common
	aliases []*value
	id      *value
	typ     *value
	session *value
	seq     *value
	time    *value
	title   *value // of the session
	parent  *value // session
	spawned *value
	present []pointer
	values  []condition
	rules   []rule
	can     map[string]bool // verbs that some rule has
	slots   map[string]int  // from 1, by the first token of a pointer
	named   [][]string      // the places that every record is asked for
	shared  [][]string      // of them, those that are the same thing in every record
	places  []Place
}

// common is Fields, read.
type common struct {
	parent, cause, call, tool, source, title *value
	failed                                   *failed
}

type failed struct {
	at      pointer
	is, not []string
	always  bool
}

// condition is a pointer with globs of what must stand there.
type condition struct {
	at pointer
	is []string
}

type rule struct {
	types   []string
	has     []pointer
	values  []condition
	kind    model.Kind
	kinded  bool
	hidden  bool
	effects []effect
	named   [][]string // the places that it asks for
	common
}

type effect struct {
	do   string
	rank int // in suggested
	each *pointer
	args map[string]*value
}

// compiler reads a mapping and keeps the first thing that is wrong with it.
type compiler struct {
	err   *Error
	slots map[string]int
}

func (c *compiler) fail(key, message, hint string) {
	if c.err == nil {
		c.err = &Error{key, message, hint}
	}
}

// compile reads a mapping; the error names its key.
func compile(m Mapping) (*mapping, error) {
	c := compiler{slots: map[string]int{}}
	out := &mapping{Mapping: m, can: map[string]bool{}, slots: c.slots}
	if strings.Trim(m.Name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || m.Name == "" {
		c.fail("name", fmt.Sprintf("%q names no dialect", m.Name), "letters a to z, digits and dashes: my-agent")
	}
	e := &m.Event
	out.id = c.place("event.id", e.ID)
	out.typ = c.place("event.type", e.Type)
	out.session = c.place("event.session", e.Session)
	out.seq = c.place("event.sequence", e.Sequence)
	out.time = c.place("event.time", e.Time)
	out.title = c.value("event.session_title", e.SessionTitle)
	out.parent = c.place("event.session_parent", e.SessionParent)
	out.spawned = c.place("event.spawned_by", e.SpawnedBy)
	for i, a := range e.Aliases {
		out.aliases = append(out.aliases, c.place(fmt.Sprintf("event.aliases[%d]", i), a))
	}
	out.event = c.common("event", e.Fields)
	if !e.Type.Given() {
		c.fail("event.type", "is missing", `the place of a record's type: type = "/type"`)
	}
	out.present = c.pointers("detect.present", m.Detect.Present)
	out.values = c.conditions("detect.values", m.Detect.Values)
	for i := range m.Rules {
		out.rules = append(out.rules, c.rule(fmt.Sprintf("rule[%d]", i), &m.Rules[i], out.can))
	}
	if c.err != nil {
		return nil, c.err
	}
	out.shared = out.names(nil)
	out.named = out.title.names(out.shared[:len(out.shared):len(out.shared)], nil)
	out.places = out.eventPlaces()
	for i := range out.rules {
		out.rules[i].named = out.rules[i].names(nil)
	}
	return out, nil
}

func (c *compiler) rule(key string, r *Rule, can map[string]bool) rule {
	out := rule{
		types: r.Type, hidden: r.Hidden, has: c.pointers(key+".has", r.Has), values: c.conditions(key+".values", r.Values), common: c.common(key, r.Fields),
	}
	if r.Kind != "" {
		if out.kind, out.kinded = model.ParseKind(r.Kind); !out.kinded {
			var names []string
			for _, k := range model.Kinds() {
				names = append(names, k.String())
			}
			c.fail(key+".kind", fmt.Sprintf("there is no kind %q", r.Kind), "one of "+strings.Join(names, " "))
		}
	}
	for i := range r.Effects {
		fx := c.effect(fmt.Sprintf("%s.effects[%d]", key, i), &r.Effects[i])
		out.effects = append(out.effects, fx)
		can[fx.do] = true
	}
	return out
}

func (c *compiler) effect(key string, e *Effect) effect {
	out := effect{do: e.Do, rank: rankOf(e.Do), args: map[string]*value{}}
	var verbs []string
	var verb *Verb
	for _, v := range Verbs() {
		verbs = append(verbs, v.Do)
		if v.Do == e.Do {
			verb = &v
		}
	}
	if verb == nil {
		what := fmt.Sprintf("there is no effect %q", e.Do)
		if e.Do == "" {
			c.fail(key, "does not say what it does", `do = "message", or another of `+strings.Join(verbs, " "))
		}
		c.fail(key+".do", what, "one of "+strings.Join(verbs, " "))
		return out
	}
	if e.Each != "" {
		p := c.pointer(key+".each", e.Each)
		out.each = &p
	} else if e.Do == doTasks {
		c.fail(key, "tasks needs a list", `each = "/todos", and @/title for a place in a task`)
	}
	var names []string
	for _, a := range verb.Args {
		names = append(names, a.Name)
		if a.Needed && !e.Args[a.Name].Given() {
			c.fail(key, e.Do+" needs "+a.Name, a.Name+": "+strings.ReplaceAll(a.About, "`", ""))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(e.Args)) {
		if !slices.Contains(names, name) {
			c.fail(key+"."+name, e.Do+" takes no "+name, "it takes each, "+strings.Join(names, ", "))
		}
		v := e.Args[name]
		if name == "path" && (e.Do == doSet || e.Do == doUnset) {
			v = c.under(key+".path", v)
		}
		if words := wordsOf(e.Do, name); words != nil {
			c.oneOf(key+"."+name, v, words)
		}
		out.args[name] = c.value(key+"."+name, v)
	}
	return out
}

// wordsOf are the only words that an effect takes for what it is given; nil
// where it takes any.
func wordsOf(do, arg string) []string {
	switch {
	case do == doMessage && arg == "role":
		return []string{"user", "assistant", "tool", "system"}
	case (do == doTasks || do == doTask) && arg == "status":
		return []string{"todo", "in_progress", "done", "cancelled"}
	}
	return nil
}

// oneOf refuses a word of the mapping's own that means nothing there. What
// records say is not known yet.
func (c *compiler) oneOf(key string, v Value, words []string) {
	said := slices.Sorted(maps.Values(v.Map))
	if v.Otherwise != "" {
		said = append(said, v.Otherwise)
	}
	if parts, problem := parseText(v.Text); v.Text != "" && problem == "" && (&value{parts: parts}).fixed() {
		said = append(said, v.Text)
	}
	if v.Const != "" {
		said = append(said, v.Const)
	}
	for _, word := range said {
		if !slices.Contains(words, word) {
			c.fail(key, fmt.Sprintf("%q is none of the words that stand here", word), "one of "+strings.Join(words, ", "))
		}
	}
}

// under is a path in the state, which is a text although it begins as a pointer
// into the record does.
func (c *compiler) under(key string, path Value) Value {
	text := path.At + path.Text
	if !strings.HasPrefix(text, model.PathVars+"/") || len(text) == len(model.PathVars)+1 || path.Map != nil {
		c.fail(key, fmt.Sprintf("%q does not begin with /vars/", text), `the place in the state, pointers into the record in braces: "/vars/orders/{/data/id}/total"`)
	}
	return Value{Text: text}
}

func (c *compiler) common(key string, f Fields) (out common) {
	out.parent = c.place(key+".parent", f.Parent)
	out.cause = c.place(key+".cause", f.Cause)
	out.call = c.place(key+".call", f.Call)
	out.tool = c.value(key+".tool", f.Tool)
	out.source = c.value(key+".source", f.Source)
	out.title = c.value(key+".title", f.Title)
	if f.Failed == nil {
		return out
	}
	out.failed = &failed{is: f.Failed.Is, not: f.Failed.Not, always: f.Failed.Always}
	if f.Failed.At != "" || !f.Failed.Always {
		out.failed.at = c.pointer(key+".failed", f.Failed.At)
	}
	return out
}

// place is a value that no two records share: one without a pointer is a
// pointer that was written wrong.
func (c *compiler) place(key string, v Value) *value {
	out := c.value(key, v)
	if out.given() && (out.constant != nil || out.fixed()) {
		c.fail(key, fmt.Sprintf("%q is the same for every record", v.Text+v.Const), "a JSON Pointer begins with a slash: /"+strings.ReplaceAll(strings.Trim(v.Text, "$./"), ".", "/"))
	}
	return out
}

func (c *compiler) value(key string, v Value) *value {
	out := &value{words: v.Map, otherwise: v.Otherwise}
	switch {
	case v.At != "":
		p := c.pointer(key, v.At)
		out.parts, out.pure = []part{{ptr: &p}}, true
	case v.Const != "":
		out.constant = []byte(v.Const)
	case v.Text != "":
		var problem string
		if out.parts, problem = parseText(v.Text); problem != "" {
			c.fail(key, fmt.Sprintf("%q %s", v.Text, problem), "pointers stand in braces: {/data/id}; {{ and }} stand for a brace")
		}
		for _, p := range out.parts {
			if p.ptr != nil {
				c.seat(p.ptr)
			}
		}
	default:
		return nil
	}
	return out
}

func (c *compiler) pointer(key, text string) pointer {
	p, problem := parsePointer(text)
	if problem != "" {
		c.fail(key, fmt.Sprintf("%q %s", text, problem), "the way to a value, each step behind a slash: /data/items/0/id")
	}
	c.seat(&p)
	return p
}

// seat gives a pointer into the record the slot of its first token.
func (c *compiler) seat(p *pointer) {
	if p.from != fromRecord || len(p.tokens) == 0 {
		return
	}
	first := p.tokens[0]
	if c.slots[first] == 0 {
		c.slots[first] = len(c.slots) + 1
	}
	p.slot = c.slots[first]
}

func (c *compiler) pointers(key string, list []string) (all []pointer) {
	for i, text := range list {
		all = append(all, c.pointer(fmt.Sprintf("%s[%d]", key, i), text))
	}
	return all
}

func (c *compiler) conditions(key string, values map[string][]string) (all []condition) {
	for _, at := range slices.Sorted(maps.Keys(values)) {
		all = append(all, condition{c.pointer(key+"."+at, at), values[at]})
	}
	return all
}

// fits reports a record that has what conditions ask for.
func fits(s scope, has []pointer, values []condition) bool {
	for i := range has {
		if !there(has[i].find(s)) {
			return false
		}
	}
	for i := range values {
		if said, ok := text(values[i].at.find(s)); !ok || !globs(values[i].is, said) {
			return false
		}
	}
	return true
}

// fails tells the outcome; unknown where the record does not say.
func (f *failed) outcome(s scope) model.Outcome {
	if f.always {
		return model.OutcomeFailed
	}
	v := f.at.find(s)
	said, ok := text(v)
	bad := len(f.is) > 0 && globs(f.is, said) || len(f.not) > 0 && !globs(f.not, said)
	if len(f.is) == 0 && len(f.not) == 0 {
		bad = jsonscan.Truthy(v)
	}
	switch {
	case ok && bad:
		return model.OutcomeFailed
	case v != nil:
		return model.OutcomeOK
	}
	return model.OutcomeUnknown
}
