package opencode

import (
	"strings"

	"hindcast/model"
)

// trees claims the JSON trees: storage/… and project/<slug>/storage/session/….
func (c *claimer) trees() {
	trees := map[string]*unit{}
	known := map[string]bool{}
	type placed struct {
		file int
		kind treeKind
	}
	beside := map[string][]placed{} // of trees that are known by their objects alone
	var order []string
	for i, f := range c.files {
		root, kind, id := treePlace(f.Name)
		if f.Database != "" || c.taken[i] {
			continue
		}
		if kind == treeNone {
			root, kind := besideBareTree(f.Name)
			beside[root] = append(beside[root], placed{i, kind})
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
		case treeSecret, treeBeside:
			u.beside(i, kind)
		default:
			u.stream.Files = append(u.stream.Files, i)
			if !known[root+"/"+id] && id != "" {
				known[root+"/"+id] = true
				u.sessions = append(u.sessions, id)
			}
		}
	}
	for _, root := range order {
		for _, p := range beside[root] {
			trees[root].beside(p.file, p.kind)
		}
		c.tree(trees[root])
	}
}

// beside takes in a file that holds no events.
func (u *unit) beside(file int, kind treeKind) {
	if kind == treeSecret {
		u.stream.Refused = append(u.stream.Refused, model.Evidence{File: file, What: "holds the secret of a shared session"})
		return
	}
	u.stream.Evidence = append(u.stream.Evidence, model.Evidence{File: file, What: "metadata"})
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
	if len(in) > 2 && in[0] == "session" && (in[1] == "info" || in[1] == "message" || in[1] == "part") { // project/<slug>/storage
		root = strings.Join(parts[:max(0, at-2)], "/")
		in = in[1:]
		if in[0] == "info" {
			in[0] = "session"
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
				return bareRoot(parts[:i]), kind, session
			}
		}
	}
	return "", treeNone, ""
}

// besideBareTree tells of a name which tree's it would be, if one stands there
// whose own folder, or that of its projects, was opened, and what it would be
// there.
func besideBareTree(path string) (root string, kind treeKind) {
	parts := strings.Split(path, "/")
	if len(parts) == 2 && parts[1] == "app.json" { // beside a project's tree, in the folder of all
		return "", treeBeside
	}
	for i, p := range parts {
		if i+1 == len(parts) && p != "migration" {
			break
		}
		if kind, _ := inTree(parts[i:]); kind == treeBeside || kind == treeSecret {
			return bareRoot(parts[:i]), kind
		}
	}
	return "", treeNone
}

// bareRoot names a tree by its own folder, which no other tree's name is.
func bareRoot(folder []string) string { return strings.Join(folder, "/") + "/" }

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
