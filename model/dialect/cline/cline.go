// Package cline reads what Cline and Roo leave of a task: the folders of their
// extensions, with the messages to the model and those of the screen in files of
// their own, and the one file of the Cline SDK.
package cline

import (
	"path"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
)

const name = "cline"

type dialect struct{}

var _ model.Teller = dialect{}

// New returns the dialect. It also implements model.Teller.
func New() model.Dialect { return dialect{} }

// Info describes the format.
func (dialect) Info() model.DialectInfo {
	return model.DialectInfo{
		Name:     name,
		Title:    "Cline and Roo tasks, Cline SDK sessions",
		Versions: "Cline 2 to 3 and Roo 3 (task folders), Cline SDK of 2026",
		Packs:    []string{"tasks/<ms>/ folder", "api_conversation_history.json or ui_messages.json alone", "<session>.messages.json"},
		Detects:  "the names of a task folder's files, or sessionId beside messages with ids",
		Context:  "partial", Files: "known", Cost: "recorded", Status: "none",
	}
}

// The confidences of a claim.
const (
	confidenceNamed  = 95
	confidenceSDK    = 94
	confidenceForced = 1
)

// The files of a task folder.
const (
	apiFile = "api_conversation_history.json"
	uiFile  = "ui_messages.json"
)

var otherFiles = map[string]bool{"task_metadata.json": true, "context_history.json": true, "history_item.json": true}

// Claim finds task folders and session files.
func (dialect) Claim(d model.Dump, force bool) (streams []model.Stream) {
	folders := map[string]int{} // index into streams, by folder
	for i, f := range d.Files() {
		dir, base := path.Split(f.Name)
		if base == apiFile {
			if look, ok := chat.LookAt(d, i); ok && look.Framing.Mode == model.FrameElements && isMessage(&look) {
				folders[dir] = len(streams)
				streams = append(streams, task(dir, i, "a task folder's "+apiFile))
			}
		}
	}
	for i, f := range d.Files() {
		dir, base := path.Split(f.Name)
		at, known := folders[dir]
		switch {
		case base == apiFile && known:
		case otherFiles[base] && known:
			streams[at].Evidence = append(streams[at].Evidence, model.Evidence{File: i, What: "metadata"})
		default:
			look, ok := chat.LookAt(d, i, "messages")
			switch {
			case !ok:
			case look.Framing.Mode == model.FrameElements && isScreen(&look) && known:
				streams[at].Files = append(streams[at].Files, i)
			case look.Framing.Mode == model.FrameElements && isScreen(&look):
				streams = append(streams, task(dir, i, "entries of a task's screen (ts, ask or say)"))
			case isSession(&look):
				streams = append(streams, session(&look, i))
			case force:
				s := task("", i, "forced: no task was seen")
				s.Session, s.Framing, s.Confidence = chat.Stem(f.Name), look.Framing, confidenceForced
				streams = append(streams, s)
			}
		}
	}
	return distinct(streams, d)
}

// task is the stream of a task folder. Entries of the screen share the number
// of the message that they stand behind.
func task(dir string, file int, reason string) model.Stream {
	id := path.Base(path.Clean("/" + dir))
	if id == "/" {
		id = "task"
	}
	return model.Stream{
		Dialect: name, Confidence: confidenceNamed, Reason: reason, Files: []int{file},
		Framing: model.Framing{Mode: model.FrameElements}, Order: model.OrderSeq, Session: id,
	}
}

func session(look *chat.Look, file int) model.Stream {
	return model.Stream{
		Dialect: name, Version: "SDK " + jsonscan.Scalar(look.Top("version")), Confidence: confidenceSDK, Reason: "sessionId and agent beside messages with role and content",
		Files: []int{file}, Framing: look.Framing, Order: model.OrderArrival, Session: jsonscan.Str(look.Top("sessionId")),
	}
}

// distinct gives sessions of one id in several files names of their own: a
// session before and after a compaction, say.
func distinct(streams []model.Stream, d model.Dump) []model.Stream {
	used := map[string]bool{}
	for i := range streams {
		s := &streams[i]
		if used[s.Session] {
			s.Session += "/" + chat.Stem(d.Files()[s.Files[0]].Name)
		}
		used[s.Session] = true
	}
	return streams
}

func isMessage(look *chat.Look) bool {
	for _, v := range look.Records(1) {
		return jsonscan.Get(v, "role") != nil && jsonscan.Get(v, "content") != nil
	}
	return len(look.Head) < 16 // an empty list
}

func isScreen(look *chat.Look) bool {
	for _, v := range look.Records(1) {
		return jsonscan.Get(v, "ts") != nil && (jsonscan.Get(v, "say") != nil || jsonscan.Get(v, "ask") != nil)
	}
	return false
}

func isSession(look *chat.Look) bool {
	return look.Framing.Mode == model.FrameMember && jsonscan.Str(look.Top("sessionId")) != "" && look.Top("projectHash") == nil &&
		(look.Top("agent") != nil || look.Top("version") != nil) && isMessage(look)
}

// NewLinker starts the links of one session.
func (dialect) NewLinker(s *model.Stream, _ string) model.Linker {
	var from model.Summary
	if s != nil {
		from.Version = s.Version
	}
	return chat.NewLinker(from)
}
