package openhands

import (
	"cmp"
	"slices"

	"hindcast/model"
)

// stateFiles are what stands beside a conversation's events.
var stateFiles = []struct{ name, what string }{
	{"base_state.json", "state"},
	{"meta.json", "metadata"},
	{"metadata.json", "metadata"},
	{"TASKS.json", "projection"},
	{"owner_lease.json", "metadata"},
}

// stateOf reads the files beside a conversation's events, and finds its name
// and its parent.
func (c *claimer) stateOf(root string, s *model.Stream, m *meta) {
	var base, about convState
	for _, sf := range stateFiles {
		i, ok := c.find(joinPath(root, sf.name))
		if !ok || c.taken[i] {
			continue
		}
		switch sf.name {
		case "base_state.json":
			base = readState(c.dump.Head(i, stateLimit))
		case "meta.json", "metadata.json":
			about = readState(c.dump.Head(i, stateLimit))
			m.HasStatus = true // a server's conversation
		}
		c.evidence(s, i, sf.what)
	}
	c.observations(root, s)
	m.Status, m.Leaf, m.Usage = base.status, base.leaf, base.usage
	m.Responses, m.Workspace = base.responses, base.folder
	s.Title, s.Parent = about.title, sessionName(about.parent)
	if up, ok := parentRoot(root); ok && s.Parent == "" {
		s.Parent = c.folderName(up)
		if i, found := c.find(joinPath(up, "base_state.json")); found && !isHex32(lastOf(up)) {
			if id := readState(c.dump.Head(i, stateLimit)).id; id != "" {
				s.Parent = sessionName(id)
			}
		}
	}
	switch folder := lastOf(root); {
	case isHex32(folder):
		s.Session = sessionName(folder)
	case base.id != "":
		s.Session = sessionName(base.id)
	case about.id != "":
		s.Session = sessionName(about.id)
	}
}

// folderName names a conversation by its folder, where nothing else does.
func (c *claimer) folderName(root string) string {
	if last := lastOf(root); last != "" {
		return sessionName(last)
	}
	return "conversation"
}

// find looks for a file by name. Where there is none, i is its place between
// the others.
func (c *claimer) find(path string) (i int, ok bool) {
	return slices.BinarySearchFunc(c.files, path, func(f model.File, p string) int { return cmp.Compare(f.Name, p) })
}

// observations takes the full texts of clipped outputs as evidence.
func (c *claimer) observations(root string, s *model.Stream) {
	prefix := joinPath(root, "observations/")
	i, _ := c.find(prefix)
	for ; i < len(c.files) && len(c.files[i].Name) > len(prefix) && c.files[i].Name[:len(prefix)] == prefix; i++ {
		if !c.taken[i] {
			c.evidence(s, i, "observation")
		}
	}
}

func (c *claimer) evidence(s *model.Stream, file int, what string) {
	s.Evidence = append(s.Evidence, model.Evidence{File: file, What: what})
	c.taken[file] = true
}

// claimStates opens conversations of which only the state is left.
func (c *claimer) claimStates() {
	for i, f := range c.files {
		dir, base := splitPath(f.Name)
		const suffix = "base_state.json"
		if c.taken[i] || len(base) < len(suffix) || base[len(base)-len(suffix):] != suffix {
			continue
		}
		st := readState(c.dump.Head(i, stateLimit))
		if !st.isState {
			continue
		}
		s := model.Stream{
			Dialect: name, Version: familyV1.String(), Confidence: 90, Order: model.OrderSeq,
			Reason: "a conversation's base_state.json without events",
		}
		m := &meta{}
		s.Meta = m
		if base == suffix {
			c.stateOf(dir, &s, m)
		} else {
			c.evidence(&s, i, "state")
			m.Status, m.Leaf, m.Usage = st.status, st.leaf, st.usage
		}
		if s.Session == "" {
			s.Session = sessionName(st.id)
		}
		c.claims = append(c.claims, claim{stream: s, rank: rankFolder})
	}
}

// portState takes the state file that a third-party port keeps beside its log.
func (c *claimer) portState(log string, s *model.Stream) {
	dir, _ := splitPath(log)
	i, ok := c.find(joinPath(dir, "state.json"))
	if !ok || c.taken[i] {
		return
	}
	head, seen := c.dump.Head(i, stateLimit), 0
	members(head, 0, func(key string, _ piece) bool {
		if key == "status" || key == "iteration" || key == "values" {
			seen++
		}
		return true
	})
	if seen == 3 {
		c.evidence(s, i, "state")
	}
}
