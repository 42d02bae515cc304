package codex

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"hindcast/model"
)

// How much of a dump Claim looks at: of a file its first bytes, which hold its
// first line or the beginning of that, and of files that their names explain
// only the first ones.
const (
	headBytes  = 32 << 10
	looksLimit = 16
)

// The confidences of a claim.
const (
	confidenceNamed  = 98 // a rollout by its name, and one of them by its first line
	confidenceHead   = 96 // a first line session_meta
	confidenceStdout = 95 // thread.started with a thread
	confidenceFlat   = 90 // the oldest first line, and items behind it
	confidenceLine   = 70 // lines of a rollout without its first
	confidenceForced = 1
)

// claimer looks for threads in a dump.
type claimer struct {
	dump   model.Dump
	files  []model.File
	found  []find
	tables []model.Evidence
	homes  map[string]bool // folders that hold sessions/ or archived_sessions/
	looked int
	proved bool
}

// find is a file that holds a thread.
type find struct {
	file       int
	name       fileName
	look       look
	confidence int
	reason     string
}

// Claim finds rollouts by name and by their first line, and what stands beside
// them.
func (dialect) Claim(d model.Dump, force bool) []model.Stream {
	c := &claimer{dump: d, files: d.Files(), homes: map[string]bool{}}
	var unnamed []int
	for i, f := range c.files {
		name, ok := parseName(f.Name)
		switch {
		case f.Database != "" && !force:
			c.table(i, f)
		case ok:
			c.named(i, name)
		default:
			unnamed = append(unnamed, i)
		}
	}
	if !c.proved && !force {
		c.found = nil
	}
	for _, i := range unnamed {
		c.unnamed(i, force)
	}
	return c.streams(unnamed)
}

// named takes a file by its name; the first ones are looked into, and show
// whether such names mean anything here.
func (c *claimer) named(i int, name fileName) {
	f := find{file: i, name: name, confidence: confidenceNamed, reason: "a rollout by its name"}
	if c.looked < looksLimit {
		c.looked++
		f.look = lookAt(c.dump.Head(i, headBytes))
		c.proved = c.proved || f.look.kind.isRollout()
	}
	if f.look.kind == lookRollout {
		f.reason += ", and its first line session_meta"
	}
	if dir, _ := splitPath(c.files[i].Name); !c.homes[dir] {
		if home, ok := homeOf(dir); ok {
			c.homes[home] = true
		}
	}
	c.found = append(c.found, f)
}

func (c *claimer) unnamed(i int, force bool) {
	if c.files[i].Database != "" && !force {
		return
	}
	f := find{file: i, look: lookAt(c.dump.Head(i, headBytes))}
	switch f.look.kind {
	case lookRollout:
		f.confidence, f.reason = confidenceHead, "a first line session_meta with a thread's id"
	case lookStdout:
		f.confidence, f.reason = confidenceStdout, "thread.started, as codex exec --json begins"
	case lookFlat:
		f.confidence, f.reason = confidenceFlat, "the first line of the oldest rollouts, and record_type behind it"
		if f.look.thread == "" {
			f.reason = "messages and lines of record_type state, as in the oldest rollouts"
		}
	case lookLines:
		f.confidence, f.reason = confidenceLine, "lines of type response_item and event_msg"
	default:
		if !force || f.look.kind == lookNothing {
			return
		}
		f.confidence, f.reason = confidenceForced, "forced: nothing of a rollout was seen"
	}
	f.name = fileName{thread: f.look.thread}
	if f.name.thread == "" {
		f.name.thread = baseName(c.files[i].Name)
	} else if f.look.base == f.look.thread {
		// A revert whose name does not tell its segment.
		f.name.segment = baseName(c.files[i].Name)
	}
	c.found = append(c.found, f)
}

// streams makes a stream of each thread. Where one stands there more than once,
// one gives the events: a rollout before what was printed, a plain file before
// a packed one.
func (c *claimer) streams(unnamed []int) []model.Stream {
	slices.SortStableFunc(c.found, func(a, b find) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(c.files[a.file].Name, c.files[b.file].Name))
	})
	m := meta{Segments: map[string]string{}, Sizes: map[string]int64{}}
	for _, f := range c.found {
		id := f.name.thread
		if f.name.segment != "" {
			id = f.name.segment
			m.Segments[id] = f.name.session()
		}
		if _, seen := m.Sizes[id]; !seen {
			m.Sizes[id] = c.files[f.file].Size
		}
	}
	var out []model.Stream
	at := map[string]int{}
	for _, f := range c.found {
		session := f.name.session()
		if i, seen := at[session]; seen {
			out[i].Evidence = append(out[i].Evidence, model.Evidence{File: f.file, What: "packaging"})
			continue
		}
		at[session] = len(out)
		s := model.Stream{
			Dialect: Name, Version: f.look.version, Confidence: f.confidence, Reason: f.reason,
			Files: []int{f.file}, Framing: model.Framing{Mode: model.FrameLines}, Order: model.OrderSeq, Session: session,
		}
		if len(c.found) > 1 {
			s.Meta = &m
		}
		out = append(out, s)
	}
	if len(out) > 0 {
		out[0].Evidence = append(out[0].Evidence, c.tables...)
		c.beside(&out[0], unnamed)
	}
	return out
}

// rank orders the packagings of a thread, the best first.
func (f *find) rank() int {
	switch {
	case f.look.kind == lookStdout:
		return 2
	case f.name.packed:
		return 1
	}
	return 0
}

// beside are the files of the program's folder that are no threads.
func (c *claimer) beside(s *model.Stream, unnamed []int) {
	for _, i := range unnamed {
		dir, base := splitPath(c.files[i].Name)
		if !c.homes[dir] || slices.ContainsFunc(c.found, func(f find) bool { return f.file == i }) {
			continue
		}
		switch base {
		case "auth.json", ".credentials.json":
			s.Refused = append(s.Refused, model.Evidence{File: i, What: "holds the keys of an account"})
		case "history.jsonl", "session_index.jsonl":
			s.Evidence = append(s.Evidence, model.Evidence{File: i, What: "metadata"})
		}
	}
}

// The tables that the program keeps of its threads.
var projections = []struct{ database, table string }{
	{"thread_history_", "thread_turns"},
	{"thread_history_", "thread_items"},
	{"state_", "threads"},
	{"state_", "thread_spawn_edges"},
}

func (c *claimer) table(i int, f model.File) {
	_, database := splitPath(f.Database)
	for _, p := range projections {
		number, ok := strings.CutPrefix(database, p.database)
		number, isLite := strings.CutSuffix(number, ".sqlite")
		if _, err := strconv.Atoi(number); ok && isLite && err == nil && f.Name == f.Database+"/"+p.table {
			c.tables = append(c.tables, model.Evidence{File: i, What: "projection"})
		}
	}
}

// fileName is what a rollout's name tells.
type fileName struct {
	thread, segment string
	packed          bool
}

// session is the id of the session in the file.
func (n fileName) session() string {
	if n.segment != "" {
		return n.thread + "_" + n.segment
	}
	return n.thread
}

// parseName takes rollout-<time>-<thread>[_<segment>].jsonl[.zst] apart.
func parseName(path string) (n fileName, ok bool) {
	const stamp = len("2006-01-02T15-04-05")
	_, base := splitPath(path)
	base, n.packed = strings.CutSuffix(base, ".zst")
	base, isLines := strings.CutSuffix(base, ".jsonl")
	rest, isRollout := strings.CutPrefix(base, "rollout-")
	if !isLines || !isRollout || len(rest) <= stamp+1 || rest[stamp] != '-' || rest[10] != 'T' {
		return n, false
	}
	n.thread, n.segment, _ = strings.Cut(rest[stamp+1:], "_")
	return n, n.thread != ""
}

// homeOf is the folder above sessions/YYYY/MM/DD or archived_sessions.
func homeOf(dir string) (home string, ok bool) {
	for _, folder := range []string{"/sessions/", "/archived_sessions/"} {
		if at := strings.LastIndex("/"+dir+"/", folder); at >= 0 {
			return dir[:max(at-1, 0)], true
		}
	}
	return "", false
}

func splitPath(path string) (dir, base string) {
	if at := strings.LastIndexByte(path, '/'); at >= 0 {
		return path[:at], path[at+1:]
	}
	return "", path
}

// baseName is a file's name without folders and endings.
func baseName(path string) string {
	_, base := splitPath(path)
	base = strings.TrimSuffix(base, ".zst")
	if at := strings.LastIndexByte(base, '.'); at > 0 {
		base = base[:at]
	}
	return base
}
