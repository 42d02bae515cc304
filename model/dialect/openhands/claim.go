package openhands

import (
	"cmp"
	"hindcast/model"
	"hindcast/model/jsonscan"
	"slices"
)

// stateLimit is how much of a state file is read, in bytes.
const stateLimit = 1 << 20

// claimer looks for conversations in a dump.
type claimer struct {
	dump  model.Dump
	files []model.File // in path order
	// groups are the conversations that file names tell, by packaging and
	// folder.
	groups map[groupKey]*group
	order  []groupKey
	taken  []bool
	claims []claim
}

type groupKey struct {
	pack pack
	root string
}

// group is the files of one conversation.
type group struct {
	key     groupKey
	members []member
	ids     map[string]bool // made when first asked for
}

// has reports whether a file name of the group holds the id of an event.
func (g *group) has(id string) bool {
	if g.ids == nil {
		g.ids = make(map[string]bool, len(g.members))
		for _, m := range g.members {
			g.ids[m.id] = true
		}
	}
	return g.ids[id]
}

type member struct {
	file int
	key  int64
	id   string
}

// claim is a stream with what is needed to tell it from other packagings of
// the same conversation.
type claim struct {
	stream model.Stream
	rank   int
	first  firstEvent
	group  *group // where file names tell its events; else nil
}

// Claim looks at a dump's names, and at the heads of what they do not explain.
func (dialect) Claim(d model.Dump, force bool) []model.Stream {
	c := &claimer{dump: d, files: d.Files(), groups: map[groupKey]*group{}}
	c.taken = make([]bool, len(c.files))
	c.collect()
	for _, k := range c.order {
		c.claimGroup(c.groups[k])
	}
	c.claimStates()
	var runs []claim
	for i := range c.files {
		if !c.taken[i] {
			runs = append(runs, c.claimFile(i, force)...)
		}
	}
	if len(runs) > 1 {
		for _, cl := range runs {
			cl.stream.Meta.(*meta).RunPrefix = cl.stream.Session + "#"
		}
	}
	return c.streams()
}

// collect sorts the files into groups by their names.
func (c *claimer) collect() {
	for i, f := range c.files {
		p := placeOf(f.Name)
		if p.pack == packNone {
			continue
		}
		k := groupKey{p.pack, p.root}
		g := c.groups[k]
		if g == nil {
			g = &group{key: k}
			c.groups[k] = g
			c.order = append(c.order, k)
		}
		g.members = append(g.members, member{file: i, key: p.key, id: p.id})
	}
}

// claimGroup makes a stream of a conversation's files, if the content of one
// bears the names out.
func (c *claimer) claimGroup(g *group) {
	if g.key.pack == packV0Cache && c.groups[groupKey{packV0, g.key.root}] != nil {
		return // copies of what events/ holds; they become its evidence
	}
	slices.SortStableFunc(g.members, func(a, b member) int {
		if a.key != b.key {
			return cmp.Compare(a.key, b.key)
		}
		return cmp.Compare(c.files[a.file].Name, c.files[b.file].Name)
	})
	first, ok := c.proved(g)
	if !ok && !c.provedByState(g) {
		return
	}
	cl := claim{stream: model.Stream{Dialect: name}, first: first}
	s := &cl.stream
	m := &meta{}
	s.Meta = m
	for _, f := range g.members {
		s.Files = append(s.Files, f.file)
		c.taken[f.file] = true
	}
	c.layout(g, &cl, m)
	c.stateOf(g.key.root, s, m)
	s.Version = m.Family.String()
	if s.Session == "" {
		s.Session = c.folderName(g.key.root)
	}
	c.claims = append(c.claims, cl)
}

// layout fills in what the packaging decides.
func (c *claimer) layout(g *group, cl *claim, m *meta) {
	s := &cl.stream
	s.Framing, s.Confidence = model.Framing{Mode: model.FrameWhole}, 95
	switch g.key.pack {
	case packFolder:
		cl.rank, s.Confidence, s.Order = rankFolder, 98, model.OrderSeq
		s.Reason = "a folder of event-NNNNN-<id>.json, a V1 persisted conversation"
		s.Keys = g.keys()
	case packCloud:
		cl.rank, s.Order, m.HasStatus = rankCloud, model.OrderRepair, true
		s.Reason = "flat files event_NNNNNN_<id>.json, a V1 Cloud export"
	case packStore, packOldStore:
		cl.rank, s.Confidence, s.Order, m.HasStatus = rankStore, 88, model.OrderRepair, true
		s.Reason = "one event a file without index, a V1 app-server store"
	case packV0:
		cl.rank, s.Order, m.Family = rankFolder, model.OrderSeq, familyV0
		s.Reason = "events/<N>.json, a V0 file store"
		s.Keys = g.keys()
		if cache := c.groups[groupKey{packV0Cache, g.key.root}]; cache != nil {
			for _, f := range cache.members {
				c.evidence(s, f.file, "packaging")
			}
		}
	case packV0Cache:
		cl.rank, s.Order, m.Family = rankStore, model.OrderSeq, familyV0
		s.Framing.Mode = model.FrameElements
		s.Reason = "pages of a V0 file store, its events are missing"
	}
	if m.Family == familyV1 {
		cl.group = g
	}
}

func (g *group) keys() []int64 {
	keys := make([]int64, len(g.members))
	for i, f := range g.members {
		keys[i] = f.key
	}
	return keys
}

// proofLimit is how many files of a group may be broken before its names are
// not believed.
const proofLimit = 8

// proved looks into files of a group until one holds what its name says, and
// returns the event that it found.
func (c *claimer) proved(g *group) (firstEvent, bool) {
	for _, f := range g.members[:min(len(g.members), proofLimit)] {
		head := c.dump.Head(f.file, headLimit)
		i := spaceEnd(head, 0)
		if i >= len(head) {
			continue
		}
		var t traits
		if head[i] == '[' {
			if all := sample(head, i); len(all) > 0 {
				t = all[0]
			}
		} else {
			t = lookAt(head, i)
		}
		isV0 := g.key.pack == packV0 || g.key.pack == packV0Cache
		if isV0 && t.v0 || !isV0 && t.v1 {
			return firstEvent{t.id, t.time.String()}, true
		}
	}
	return firstEvent{}, false
}

// provedByState reports whether a persisted conversation whose first events
// are all cut shows by its state what it is.
func (c *claimer) provedByState(g *group) bool {
	i, ok := c.find(joinPath(g.key.root, "base_state.json"))
	return ok && g.key.pack == packFolder && readState(c.dump.Head(i, stateLimit)).isState
}

// claimFile looks at a file that no name places. It returns the claim if the
// file's records are runs, whose sessions may be told by line number only.
func (c *claimer) claimFile(i int, force bool) (runs []claim) {
	head := c.dump.Head(i, headLimit)
	f, ok := sniff(head)
	if !ok && len(head) == headLimit && (head[0] == '{' || head[0] == '[') {
		// What tells the format may stand behind a large member.
		head = c.dump.Head(i, deepLimit)
		f, ok = sniff(head)
	}
	if !ok && force {
		f, ok = forced(head, c.files[i].Size)
	}
	if !ok {
		return nil
	}
	m := &meta{Family: f.family, HasStatus: f.rank == rankPages || f.rank == rankFrames}
	base := baseName(c.files[i].Name)
	s := model.Stream{
		Dialect: name, Version: f.family.String(), Confidence: f.confidence, Reason: f.reason,
		Files: []int{i}, Framing: f.framing, Order: f.order, Session: firstNonEmpty(sessionName(f.session), base), Meta: m,
	}
	c.taken[i] = true
	if f.family == familyV1 && !f.runs {
		c.portState(c.files[i].Name, &s)
	}
	cl := claim{stream: s, rank: f.rank, first: f.first}
	c.claims = append(c.claims, cl)
	if f.runs {
		return []claim{cl}
	}
	return nil
}

// forced frames any JSON, for a dump that is said to be of this dialect.
func forced(head []byte, size int64) (form, bool) {
	framing, ok, _ := jsonscan.Sniff(head, size >= 0 && size <= int64(len(head)), wrappers...)
	if !ok {
		return form{}, false
	}
	return form{framing: framing, order: model.OrderArrival, confidence: 1, rank: rankLines, reason: "the dialect was named"}, true
}

// streams joins the packagings of one conversation: the richest gives the
// events, the others are evidence. Two of one packaging are two conversations
// (a fork copies its base's ids).
func (c *claimer) streams() []model.Stream {
	slices.SortStableFunc(c.claims, func(a, b claim) int { return cmp.Compare(a.rank, b.rank) })
	var kept []claim
	for _, cl := range c.claims {
		if k := richer(kept, cl); k >= 0 {
			into := &kept[k].stream
			for _, f := range cl.stream.Files {
				into.Evidence = append(into.Evidence, model.Evidence{File: f, What: "packaging"})
			}
			into.Evidence = append(into.Evidence, cl.stream.Evidence...)
			if into.Title == "" {
				into.Title = cl.stream.Title
			}
			continue
		}
		kept = append(kept, cl)
	}
	out := make([]model.Stream, len(kept))
	for i := range kept {
		out[i] = kept[i].stream
	}
	slices.SortStableFunc(out, func(a, b model.Stream) int { return cmp.Compare(firstFile(a), firstFile(b)) })
	return out
}

func firstFile(s model.Stream) int {
	if len(s.Files) > 0 {
		return s.Files[0]
	}
	if len(s.Evidence) > 0 {
		return s.Evidence[0].File
	}
	return 0
}

// richer finds the claim that holds the same conversation in a packaging that
// tells more.
func richer(kept []claim, cl claim) int {
	for i, k := range kept {
		if k.rank != cl.rank && k.same(cl) {
			return i
		}
	}
	return -1
}

// same reports whether two packagings hold the same conversation: the first
// event of one is in the other.
func (k claim) same(cl claim) bool {
	switch {
	case k.first.id == "" && cl.first.id == "":
		return false
	case k.group != nil:
		return k.group.has(cl.first.id)
	case cl.group != nil:
		return cl.group.has(k.first.id)
	}
	return k.first == cl.first
}
