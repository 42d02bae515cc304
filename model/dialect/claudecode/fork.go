package claudecode

import (
	"hindcast/model"
	"hindcast/model/jsonscan"
)

// siblingLimit is how many files of a folder are searched for the origin of one
// that begins with a compaction.
const siblingLimit = 16

// siblings are the session files that may be the origin of one that begins with
// a compaction: those of the sessions that it names, else the first of its
// folder.
func (c *claimer) siblings(s *found) (all []*found) {
	for _, id := range c.story(s).foreign {
		if o := c.mains[id]; o != nil && o != s {
			all = append(all, o)
		}
	}
	if len(all) > 0 {
		return all
	}
	dir := folderOf(c.files[s.file].Name)
	for _, o := range c.streams {
		if o != s && o.chain && !o.meta.Stream && c.names[o.file].role != roleAgent && folderOf(c.files[o.file].Name) == dir && len(all) < siblingLimit {
			all = append(all, o)
		}
	}
	return all
}

// forked finds which session a file repeats, and up to where. A fork begins
// with records of its origin, under their uuids, and no record says so.
func (c *claimer) forked(s *found, origins []*found) {
	own := c.story(s)
	for _, o := range origins {
		if o == s {
			continue
		}
		other := c.story(o)
		if _, ok := other.times[s.first]; !ok || !own.forkOf(other, s.file > o.file) {
			continue
		}
		for _, id := range own.order {
			if _, ok := other.times[id]; ok {
				s.meta.ForkedUpTo = id
			}
		}
		return
	}
}

// story is the tree's records of a session file, as far as it can be had.
type story struct {
	order []string              // uuids as they stand
	times map[string]model.Time // by uuid
	// foreign are the other sessions that its records name.
	foreign []string
}

func (c *claimer) story(s *found) story {
	st := story{times: make(map[string]model.Time)}
	seen := map[string]bool{s.Session: true, "": true}
	eachRecord(c.text(s), func(obj []byte) bool {
		var uuid, at string
		jsonscan.Fields(obj, func(key string, v []byte) bool {
			switch key {
			case "uuid":
				uuid = jsonscan.Str(v)
			case "timestamp":
				at = jsonscan.Str(v)
			case "sessionId", "requestSessionId":
				if id := jsonscan.Str(v); !seen[id] {
					seen[id] = true
					st.foreign = append(st.foreign, id)
				}
			}
			return true
		})
		if uuid != "" {
			st.order = append(st.order, uuid)
			st.times[uuid] = model.ParseTime(at)
		}
		return true
	})
	return st
}

// forkOf tells which of two files that share records is the fork: the one that
// names another session, or that begins within the other, or that went its own
// way later; last is the answer where nothing tells.
func (st *story) forkOf(o story, last bool) bool {
	if (len(st.foreign) > 0) != (len(o.foreign) > 0) {
		return len(st.foreign) > 0
	}
	_, begins := st.times[o.order[0]]
	if !begins {
		return true
	}
	if _, ok := o.times[st.order[0]]; !ok {
		return false
	}
	a, b := st.parted(o), o.parted(*st)
	if a.Known && b.Known && a.Nanos != b.Nanos {
		return a.Nanos > b.Nanos
	}
	return last
}

// parted is the time of the first record that the other does not have.
func (st *story) parted(o story) model.Time {
	for _, id := range st.order {
		if _, ok := o.times[id]; !ok {
			return st.times[id]
		}
	}
	return model.Time{}
}
