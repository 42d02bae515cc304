package opencode

import (
	"strings"

	"hindcast/model"
)

// trees claims the JSON trees: storage/… and project/<slug>/storage/session/….
func (c *claimer) trees() {
	trees := map[string]*unit{}
	known := map[string]bool{}
	var order []string
	for i, f := range c.files {
		root, kind, id := treePlace(f.Name)
		if kind == treeNone || f.Database != "" || c.taken[i] {
			continue
		}
		u := trees[root]
		if u == nil {
			u = &unit{rank: rankTree, meta: &meta{}}
			u.stream = model.Stream{Confidence: 96, Framing: model.Framing{Mode: model.FrameWhole}, Order: model.OrderRepair, Reason: "a tree of session, message and part files"}
			trees[root] = u
			order = append(order, root)
		}
		switch kind {
		case treeSecret:
			u.stream.Refused = append(u.stream.Refused, model.Evidence{File: i, What: "holds the secret of a shared session"})
		case treeBeside:
			u.stream.Evidence = append(u.stream.Evidence, model.Evidence{File: i, What: "metadata"})
		default:
			u.stream.Files = append(u.stream.Files, i)
			if !known[root+"/"+id] && id != "" {
				known[root+"/"+id] = true
				u.sessions = append(u.sessions, id)
			}
		}
	}
	for _, root := range order {
		c.tree(trees[root])
	}
}

// tree takes a tree whose files are what their names say. One that holds no
// more than what a database left belongs to that.
func (c *claimer) tree(u *unit) {
	if len(u.stream.Files) == 0 {
		if len(c.units) > 0 {
			c.loose = append(c.loose, u.stream.Evidence...)
			c.units[0].stream.Refused = append(c.units[0].stream.Refused, u.stream.Refused...)
			for _, e := range append(u.stream.Evidence, u.stream.Refused...) {
				c.taken[e.File] = true
			}
		}
		return
	}
	for _, f := range u.stream.Files {
		r := readRow(c.dump.Head(f, glanceBytes))
		if r.op == opSession && u.meta.Version == "" {
			u.meta.Version = readSession(r.object).version
			u.meta.Near = r.at.Nanos / 1e6
		}
		if r.op != opOther && u.meta.Version != "" {
			break
		}
	}
	c.add(u)
}

// The kinds of files in a tree.
type treeKind uint8

const (
	treeNone treeKind = iota
	treeObject
	treeBeside
	treeSecret
)

// treePlace tells of a name which tree it belongs to, what it is there, and
// which session it is about, where the name says so.
func treePlace(path string) (root string, kind treeKind, session string) {
	if !strings.HasSuffix(path, ".json") && !strings.HasSuffix(path, "storage/migration") {
		return "", treeNone, ""
	}
	parts := strings.Split(path, "/")
	at := -1
	for i, p := range parts[:len(parts)-1] {
		if p == "storage" {
			at = i
			break
		}
	}
	if at < 0 {
		if n := len(parts); n >= 3 && parts[n-1] == "app.json" && parts[n-3] == "project" {
			return strings.Join(parts[:n-3], "/"), treeBeside, ""
		}
		return bareTree(parts)
	}
	root = strings.Join(parts[:at], "/")
	in := parts[at+1:]
	if at >= 2 && parts[at-2] == "project" {
		root = strings.Join(parts[:at-2], "/")
		if len(in) > 1 && in[0] == "session" {
			in = in[1:]
			if in[0] == "info" {
				in[0] = "session"
			}
		}
	}
	kind, session = inTree(in)
	return root, kind, session
}

// bareTree is a tree whose own folder was opened.
func bareTree(parts []string) (root string, kind treeKind, session string) {
	for i, p := range parts[:len(parts)-1] {
		if p == "session" || p == "message" || p == "part" {
			kind, session = inTree(parts[i:])
			if kind == treeObject {
				return strings.Join(parts[:i], "/"), kind, session
			}
		}
	}
	return "", treeNone, ""
}

// inTree tells of a place within a tree.
func inTree(in []string) (kind treeKind, session string) {
	base := strings.TrimSuffix(in[len(in)-1], ".json")
	switch {
	case in[0] == "session_share" || in[0] == "share":
		return treeSecret, ""
	case in[0] == "session" && strings.HasPrefix(base, "ses_"):
		return treeObject, base
	case in[0] == "message" && strings.HasPrefix(base, "msg_") && len(in) == 3:
		return treeObject, in[1]
	case in[0] == "part" && strings.HasPrefix(base, "prt_"):
		if len(in) == 4 {
			session = in[1]
		}
		return treeObject, session
	case in[0] == "project" || in[0] == "session_diff" || in[0] == "todo" || in[0] == "permission" || in[0] == "migration":
		return treeBeside, ""
	}
	return treeNone, ""
}
