package replay

import (
	"sort"
	"strings"

	"hindcast/model"
)

// Cells is a state: what each cell holds, by path. A cell that does not exist
// has no entry; a fixed leaf without one holds its initial value.
type Cells map[string]model.Value

const (
	pathCheckpoint = "/checkpoint"
	pathForgotten  = "/context/forgotten"
	pathTokens     = "/context/tokens"
	pathErrors     = "/errors/count"
	pathLastError  = "/errors/last_seq"
)

// fixed are the cells that always exist, sorted, with their initial values.
// /tasks is the order of the task list, an array of ids; it is a cell of ours,
// never shown.
var fixed = []struct{ path, initial string }{
	{pathCheckpoint, "null"},
	{pathForgotten, "0"},
	{pathTokens, "null"},
	{pathErrors, "0"},
	{pathLastError, "null"},
	{pathCommand, "null"},
	{pathCwd, "null"},
	{pathExit, "null"},
	{pathRunning, "null"},
	{pathExecution, "null"},
	{pathReason, "null"},
	{model.PathTasks, "[]"},
	{pathCacheRead, "null"},
	{pathCacheWrite, "null"},
	{pathCost, "null"},
	{pathInput, "null"},
	{pathOutput, "null"},
	{pathReasoning, "null"},
}

// Initial is the value of a fixed leaf before any event; false for a path that
// is none.
func Initial(path string) (model.Value, bool) {
	i := sort.Search(len(fixed), func(i int) bool { return fixed[i].path >= path })
	if i == len(fixed) || fixed[i].path != path {
		return model.Value{}, false
	}
	return model.Value{JSON: []byte(fixed[i].initial)}, true
}

// Fixed lists the paths of the cells that always exist, bytewise.
func Fixed() []string {
	all := make([]string, len(fixed))
	for i, leaf := range fixed {
		all[i] = leaf.path
	}
	return all
}

// at is what a cell holds.
func (c Cells) at(path string) (model.Value, bool) {
	if v, ok := c[path]; ok && !v.Absent() {
		return v, true
	}
	return Initial(path)
}

// Write brings a cell to its value after a write.
func (c Cells) Write(w model.Write) {
	if w.New.Absent() {
		delete(c, w.Path)
		return
	}
	c[w.Path] = w.New
}

// collections hold members that come and go; each member is a cell.
var collections = [...]string{model.PathMessages, model.PathFiles, model.PathPending, model.PathTasks, model.PathVars}

// groups are the pointers that name several cells.
var groups = [...]string{
	"", "/context", model.PathMessages, "/errors", model.PathFiles, model.PathPending,
	"/shell", "/status", model.PathTasks, "/usage", model.PathVars,
}

// Place is where a pointer into the state document leads.
type Place struct {
	// Cell is the cell that the pointer names or stands in; empty where it names
	// a group of them.
	Cell string
	// Below are the unescaped tokens that lead on inside the cell's value.
	Below []string
	// Prefix begins the path of every cell of a group, and of no other.
	Prefix string
}

// Locate finds the place of a JSON Pointer (RFC 6901); false where the state
// document has no such place.
func Locate(pointer string) (Place, bool) {
	for _, g := range groups {
		if pointer == g {
			return Place{Prefix: g}, true
		}
	}
	for _, c := range collections {
		if rest, ok := strings.CutPrefix(pointer, c+"/"); ok {
			key, below, deeper := strings.Cut(rest, "/")
			return Place{Cell: c + "/" + key, Below: tokens(below, deeper)}, true
		}
	}
	for _, l := range fixed {
		if rest, ok := strings.CutPrefix(pointer, l.path); ok && (rest == "" || rest[0] == '/') {
			_, below, deeper := strings.Cut(rest, "/")
			return Place{Cell: l.path, Below: tokens(below, deeper)}, true
		}
	}
	return Place{}, false
}

// HasMembers reports that collections stand at or below a group's pointer.
func HasMembers(pointer string) bool {
	for _, c := range collections {
		if c == pointer || within(c, pointer) {
			return true
		}
	}
	return false
}

func tokens(rest string, any bool) []string {
	if !any {
		return nil
	}
	list := strings.Split(rest, "/")
	for i := range list {
		list[i] = model.UnescapePointer(list[i])
	}
	return list
}

// Escape makes a token of a JSON Pointer out of a name.
func Escape(name string) string { return model.EscapePointer(name) }

// FilePath is the path of a file's cell.
func FilePath(name string) string { return model.PathFiles + "/" + Escape(name) }

// member is the name of a collection's member by its cell's path.
func member(path, collection string) string {
	return model.UnescapePointer(strings.TrimPrefix(path, collection+"/"))
}
