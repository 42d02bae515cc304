package atif

import (
	"path"
	"slices"
	"strings"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
)

// The confidences of a claim: the format's own name, its shape alone, a forced
// reading of anything that is JSON.
const (
	confidenceNamed  = 98
	confidenceShape  = 80
	confidenceForced = 1
)

// document is a file that holds a trajectory.
type document struct {
	file    int
	id      string // as written
	stream  model.Stream
	next    string   // name of the file that goes on from it
	refs    []string // what its steps name other trajectories by: ids and file names
	spawned bool     // it has a parent
}

// Claim finds trajectories, and puts those together that go on from each other.
func (dialect) Claim(d model.Dump, force bool) []model.Stream {
	var docs []*document
	var streams []model.Stream
	for i := range d.Files() {
		look, ok := chat.LookAt(d, i, "steps")
		if !ok {
			continue
		}
		switch doc := trajectory(&look, i); {
		case doc != nil:
			docs = append(docs, doc)
		case isATOF(&look):
			streams = append(streams, events(&look, i))
		case force:
			streams = append(streams, model.Stream{
				Dialect: name, Confidence: confidenceForced, Reason: "forced: no trajectory was seen",
				Files: []int{i}, Framing: look.Framing, Order: model.OrderArrival, Session: chat.Stem(look.Name),
			})
		}
	}
	heads := chain(docs, d)
	tellApart(heads, d)
	adopt(heads, d)
	return merge(heads, streams)
}

// trajectory recognises a document; nil where the file is none.
func trajectory(look *chat.Look, file int) *document {
	schema := jsonscan.Str(look.Top("schema_version"))
	s := model.Stream{Dialect: name, Version: schema, Confidence: confidenceNamed, Reason: "schema_version " + schema, Files: []int{file}, Framing: look.Framing, Order: model.OrderSeq}
	if !strings.HasPrefix(schema, "ATIF") {
		first := look.Records(1)
		if len(first) == 0 || !isStep(first[0]) || look.Framing.Member != "steps" {
			return nil
		}
		s.Confidence, s.Reason = confidenceShape, "an object with steps that have a step_id and a source"
	}
	if look.Framing.Mode == model.FrameLines {
		s.Reason += ", a document each line"
	} else {
		s.Framing = model.Framing{Mode: model.FrameMember, Member: "steps"}
		if jsonscan.Kind(look.Top("subagent_trajectories")) == '[' {
			s.Framing = model.Framing{Mode: model.FrameWhole}
		}
	}
	s.Session = identity(look.Head, chat.Stem(look.Name))
	s.Meta = meta{Program: program(look.Top("agent"))}
	doc := &document{file: file, id: s.Session, stream: s, refs: references(look)}
	if ref := jsonscan.Str(look.Top("continued_trajectory_ref")); ref != "" {
		doc.next = path.Join(path.Dir(look.Name), ref)
	}
	return doc
}

func isStep(v []byte) bool {
	return jsonscan.Get(v, "step_id") != nil && jsonscan.Kind(jsonscan.Get(v, "source")) == '"'
}

// identity names a trajectory's session.
func identity(doc []byte, otherwise string) string {
	for _, key := range []string{"trajectory_id", "session_id"} {
		if id := jsonscan.Scalar(jsonscan.Get(doc, key)); id != "" {
			return id
		}
	}
	return otherwise
}

// program is the agent's name and version.
func program(agent []byte) string {
	return strings.TrimSpace(jsonscan.Str(jsonscan.Get(agent, "name")) + " " + jsonscan.Str(jsonscan.Get(agent, "version")))
}

// references lists what the steps in a file's head name other trajectories by.
func references(look *chat.Look) (refs []string) {
	jsonscan.Elements(look.Top("steps"), func(step []byte) bool {
		subagents(step, func(ref []byte) {
			refs = append(refs, refNames(ref)...)
		})
		return true
	})
	return refs
}

// subagents gives the references to sub-agents in a step's results.
func subagents(step []byte, f func(ref []byte)) {
	jsonscan.Elements(jsonscan.Get(step, "observation", "results"), func(result []byte) bool {
		jsonscan.Elements(jsonscan.Get(result, "subagent_trajectory_ref"), func(ref []byte) bool {
			f(ref)
			return true
		})
		return true
	})
}

// refNames are what a reference names its trajectory by. Of version 1.7 on its
// session_id is that of the whole run.
func refNames(ref []byte) (names []string) {
	for _, key := range []string{"trajectory_id", "trajectory_path", "session_id"} {
		if s := jsonscan.Scalar(jsonscan.Get(ref, key)); s != "" {
			names = append(names, s)
		}
	}
	return names
}

// adopt finds the parents of documents that steps of others name.
func adopt(docs []*document, d model.Dump) {
	files := d.Files()
	for _, parent := range docs {
		for _, ref := range parent.refs {
			at := path.Join(path.Dir(files[parent.file].Name), ref)
			for _, child := range docs {
				if child == parent || child.spawned || files[child.file].Name != at && child.id != ref || parent.id == ref {
					continue
				}
				child.spawned = true
				m := metaOf(&child.stream)
				m.Parent, m.Spawn = parent.stream.Session, ref
				child.stream.Parent, child.stream.Meta = m.Parent, m
			}
		}
	}
}

// chain makes one stream of a document and those that go on from it.
func chain(docs []*document, d model.Dump) (heads []*document) {
	byName := map[string]*document{}
	for _, doc := range docs {
		byName[d.Files()[doc.file].Name] = doc
	}
	follows := map[*document]bool{}
	for _, doc := range docs {
		if next := byName[doc.next]; next != nil && next != doc {
			follows[next] = true
		}
	}
	seen := map[*document]bool{}
	take := func(head *document) {
		for doc := head; doc != nil && !seen[doc]; doc = byName[doc.next] {
			seen[doc] = true
			if doc != head {
				head.stream.Files = append(head.stream.Files, doc.file)
				head.refs = append(head.refs, doc.refs...)
			}
		}
		if len(head.stream.Files) > 1 {
			m := metaOf(&head.stream)
			m.Continued = true
			head.stream.Meta, head.stream.Order = m, model.OrderArrival
			head.stream.Reason += ", continued in further files"
			for _, f := range head.stream.Files[1:] {
				if whole := byName[d.Files()[f].Name].stream.Framing; whole.Mode == model.FrameWhole {
					head.stream.Framing = whole
				}
			}
		}
		heads = append(heads, head)
	}
	for _, doc := range docs {
		if !follows[doc] {
			take(doc)
		}
	}
	for _, doc := range docs {
		if !seen[doc] {
			take(doc) // documents that name each other in a ring
		}
	}
	return heads
}

// tellApart gives trajectories of one id that do not go on from each other
// sessions of their own, by the names of their files.
func tellApart(docs []*document, d model.Dump) {
	used := map[string]bool{}
	for _, doc := range docs {
		if s := &doc.stream; used[s.Session] {
			s.Session += "/" + chat.Stem(d.Files()[doc.file].Name)
		}
		used[doc.stream.Session] = true
	}
}

// merge gives the streams. A document beside the event lines of the same run
// says less than they do.
func merge(docs []*document, streams []model.Stream) []model.Stream {
	lines := len(streams)
	for _, doc := range docs {
		at := slices.IndexFunc(streams[:lines], func(o model.Stream) bool { return o.Session == doc.stream.Session })
		if at < 0 {
			streams = append(streams, doc.stream)
			continue
		}
		for _, f := range doc.stream.Files {
			streams[at].Evidence = append(streams[at].Evidence, model.Evidence{File: f, What: "packaging"})
		}
	}
	return streams
}
