package openhands

import (
	"hindcast/model"
	"hindcast/model/jsonscan"
)

// headLimit is how much of a file detection looks at, in bytes; a first event
// may be a system prompt of 75 KB.
const headLimit = 256 << 10

// deepLimit is how much of it is looked at where that tells nothing.
const deepLimit = 4 << 20

// sampleLimit is how many records of a file detection looks at.
const sampleLimit = 64

// form is what a single file turned out to be.
type form struct {
	framing    model.Framing
	family     family
	order      model.Order
	confidence int
	rank       int // between packagings of one conversation: the richest is lowest
	reason     string
	session    string
	runs       bool // its records are whole sessions
	first      firstEvent
}

// firstEvent tells conversations apart: V0 numbers its events, so that an id
// alone does not.
type firstEvent struct{ id, time string }

// The ranks of packagings: which gives the events where a dump holds several.
const (
	rankFolder = iota
	rankFrames
	rankLines
	rankPages
	rankCloud
	rankStore
	rankWrapper
)

// sniff looks at a file that its name does not place.
func sniff(head []byte) (form, bool) {
	i := spaceEnd(head, 0)
	if i+2 < len(head) && head[i] == 0xef && head[i+1] == 0xbb && head[i+2] == 0xbf {
		i = spaceEnd(head, i+3)
	}
	if i >= len(head) {
		return form{}, false
	}
	switch head[i] {
	case '[':
		return sniffList(head, i)
	case '{':
		if f, ok := sniffWrapper(head, i); ok {
			return f, true
		}
	}
	return sniffLines(head)
}

// traits are what a record shows of its kind.
type traits struct {
	v1, v0, frame, page, run, resolver, entry bool
	weak                                      bool // V1 by its envelope only
	id                                        string
	time                                      model.Time
	historyFirst                              []byte // first item of a run's history
}

// lookAt reads as much of a record as the head holds.
func lookAt(b []byte, i int) traits {
	var r record
	members(b, i, func(key string, p piece) bool {
		if slot := r.slot(key); slot != nil {
			*slot = p.of(b)
		}
		return true
	})
	t := traits{id: jsonscan.Scalar(r.id), time: model.ParseTime(jsonscan.Str(r.timestamp))}
	kind := jsonscan.Str(r.kind)
	_, known := v1Kinds[kind]
	envelope := isText(r.id) && isText(r.timestamp) && v1Sources[jsonscan.Str(r.source)]
	switch {
	case known && (isText(r.source) || isText(r.timestamp)):
		t.v1 = true
	case isText(r.kind) && envelope:
		t.v1, t.weak = true, true
	case isText(r.action) != isText(r.observation) && !present(r.kind) && v0Shape(&r):
		t.v0 = true
	case frameTypes[jsonscan.Str(r.typ)] && isObject(r.event):
		inner := lookAt(r.event, 0)
		t.frame, t.id, t.time = inner.v1 || inner.v0, inner.id, inner.time
	case isList(r.items):
		t.page = true
	case isList(r.history) && (present(r.instanceID) || present(r.issue)):
		t.run, t.resolver = true, !present(r.instanceID)
		t.historyFirst = r.history
	case isText(r.typ) && isText(r.actorType):
		t.entry = true
	}
	return t
}

var v1Sources = map[string]bool{"agent": true, "user": true, "environment": true, "hook": true}

// v0Shape reports whether an action or observation has what V0 writes beside.
func v0Shape(r *record) bool {
	return isObject(r.args) || isObject(r.extras) || isText(r.source) || present(r.content)
}

// sniffList looks at an array: V0 events, V1 events, REST pages, or pairs.
func sniffList(head []byte, i int) (form, bool) {
	f := form{framing: model.Framing{Mode: model.FrameElements}, order: model.OrderArrival}
	f, ok := f.judge(sample(head, i), "an array")
	return f, ok
}

// judge decides what a sample of records makes a file.
func (f form) judge(all []traits, what string) (form, bool) {
	var v1, v0, weak, frames, pages, entries int
	for i := range all {
		t := &all[i]
		switch {
		case t.frame:
			frames++
		case t.v1 && t.weak:
			weak++
		case t.v1:
			v1++
		case t.v0:
			v0++
		case t.entry:
			entries++
		}
		if t.page {
			pages++
		}
		if f.first.id == "" && t.id != "" {
			f.first = firstEvent{t.id, t.time.String()}
		}
	}
	switch {
	case frames > 0:
		f.family, f.confidence, f.rank = familyV1, 92, rankFrames
		f.order = model.OrderSeq
		f.reason = what + " of websocket frames around events"
	case v1 > 0 && v1 >= v0:
		f.family, f.confidence, f.rank = familyV1, 90, rankLines
		f.reason = what + " of events with kind and source"
	case v0 > 0:
		f.family, f.confidence, f.rank = familyV0, 88, rankWrapper
		f.order = model.OrderSeq
		f.reason = what + " of records with action or observation"
	case weak > 1 || weak == 1 && len(all) == 1:
		f.family, f.confidence, f.rank = familyV1, 60, rankLines
		f.reason = what + " of records with an OpenHands envelope, none of a known kind"
	case entries > 0:
		f.family, f.confidence, f.rank = familyV0, 70, rankWrapper
		f.reason = what + " of trajectory viewer entries"
	default:
		return form{}, false
	}
	if pages > 0 && f.family == familyV1 {
		f.rank, f.reason = rankPages, what+" of REST pages"
		if descends(all) {
			f.order = model.OrderRepair
			f.reason += ", newest first"
		}
	}
	return f, true
}

// wrappers are the members under which a file's object may hold its events.
var wrappers = []string{"items", "trajectory", "events", "history", "entries"}

// sniffWrapper looks at an object: a page or another wrapper around events, or
// a conversation's state alone.
func sniffWrapper(head []byte, i int) (form, bool) {
	var f form
	found, isRun := false, false
	members(head, i, func(key string, p piece) bool {
		switch key {
		case "instance_id", "issue":
			isRun = true
		case "conversation":
			f.session = conversationID(head, p)
		}
		for _, w := range wrappers {
			if key == w && head[p.start] == '[' && !found {
				f.framing = model.Framing{Mode: model.FrameMember, Member: w}
				all := sample(head, p.start)
				session := f.session
				if f, found = f.judge(all, "an object with "+w); found {
					f.session = session
					f.wrap(w, all)
				}
			}
		}
		return true
	})
	return f, found && !isRun
}

// wrap finishes what is known of a wrapper's form.
func (f *form) wrap(member string, all []traits) {
	if member == "items" {
		f.rank, f.reason = rankPages, "a REST page of events"
		if descends(all) {
			f.order = model.OrderRepair
			f.reason += ", newest first"
		}
		return
	}
	f.rank = rankWrapper
	if f.family == familyV1 {
		f.order = model.OrderArrival
	}
}

// conversationID reads the id of a wrapper's conversation object.
func conversationID(head []byte, p piece) (id string) {
	members(head[:p.end], p.start, func(key string, p piece) bool {
		if key == "id" || key == "conversation_id" {
			id = jsonscan.Str(p.of(head))
		}
		return true
	})
	return id
}

// sample looks at the first records of the array at head[i], those in its
// pages and pairs among them.
func sample(head []byte, i int) (all []traits) {
	look := func(at int, in *[]traits) {
		elements(head, at, func(q piece) bool {
			*in = append(*in, lookAt(head, q.start))
			return len(*in) < sampleLimit
		})
	}
	elements(head, i, func(p piece) bool {
		if head[p.start] == '[' {
			look(p.start, &all)
			return len(all) < sampleLimit
		}
		t := lookAt(head, p.start)
		if !t.page {
			all = append(all, t)
			return len(all) < sampleLimit
		}
		var page []traits
		members(head, p.start, func(key string, q piece) bool {
			if key == "items" {
				look(q.start, &page)
			}
			return true
		})
		for j := range page {
			page[j].page = true
		}
		all = append(all, page...)
		return len(all) < sampleLimit
	})
	return all
}

// descends reports whether a page starts with the newest event. Where it shows
// only one, the order has to be looked at when all is read.
func descends(all []traits) bool {
	rise, fall := 0, 0
	for i := 1; i < len(all); i++ {
		a, b := all[i-1].time, all[i].time
		switch {
		case !a.Known || !b.Known:
		case b.Nanos > a.Nanos:
			rise++
		case b.Nanos < a.Nanos:
			fall++
		}
	}
	return fall >= rise
}
