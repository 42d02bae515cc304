package render

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/jsonscan"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// valueLimit bounds what is looked at of a value that is drawn on one line, in
// bytes.
const valueLimit = 4096

// short draws a JSON value on one line: of a text its first line and its size,
// of a large object or array how much it holds.
func short(raw json.RawMessage) Line {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return Line{{"absent", theme.Dim}}
	}
	switch raw[0] {
	case '"':
		return shortText(raw)
	case '{', '[':
		return shortContainer(raw)
	}
	return literal(raw)
}

func shortText(raw []byte) Line {
	s := jsonscan.Str(raw)
	first, rest, more := strings.Cut(s, "\n")
	if len(s) <= valueLimit && !more {
		return Line{{`"` + text.Clean(s) + `"`, theme.StringLit}}
	}
	l := Line{{`"` + text.CleanCut(first, 200) + `"`, theme.StringLit}}
	size := text.Size(int64(len(s)))
	if rest != "" {
		size = text.Plural(countLines(s), "line") + ", " + size
	}
	return append(l, Span{"  " + size, theme.Dim})
}

// countLines is how many lines a text has; a trailing newline makes no more.
func countLines(s string) int64 {
	n := int64(strings.Count(s, "\n"))
	if s != "" && !strings.HasSuffix(s, "\n") {
		n++
	}
	return n
}

func shortContainer(raw []byte) Line {
	if len(raw) <= 120 {
		return Line{{text.Clean(string(raw)), theme.Plain}}
	}
	if raw[0] == '[' {
		var items []json.RawMessage
		if json.Unmarshal(raw, &items) == nil {
			return Line{{"[…]", theme.Punct}, {"  " + text.Plural(int64(len(items)), "item"), theme.Dim}}
		}
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) == nil {
		return Line{{"{…}", theme.Punct}, {"  " + text.Plural(int64(len(members)), "member"), theme.Dim}}
	}
	return Line{{text.CleanCut(string(raw), 120), theme.Plain}}
}

// member is what the members of the state's collections, and its checkpoint,
// hold between them.
type member struct {
	Key, ID, Call, Tool, Title, Status, Role, Certainty string
	Seq, Lines                                          int64
	Chars, Tokens                                       *int64
	Summary                                             bool
	Content                                             *string
	WrittenBy                                           *int64 `json:"written_by"`
	BaseSeq                                             *int64 `json:"base_seq"`
}

// cellLine draws the value that stands at a path on one line: a member of a
// collection in words, anything else as short does.
func cellLine(path string, raw json.RawMessage) Line {
	draw := memberDrawing(path)
	var m member
	if draw == nil || len(raw) == 0 || raw[0] != '{' || json.Unmarshal(raw, &m) != nil {
		return short(raw)
	}
	return draw(m)
}

func memberDrawing(path string) func(member) Line {
	for _, c := range []struct {
		parent string
		draw   func(member) Line
	}{
		{model.PathMessages, messageLine}, {model.PathFiles, fileLine}, {model.PathTasks, taskLine}, {model.PathPending, pendingLine},
	} {
		if rest, ok := strings.CutPrefix(path, c.parent+"/"); ok && !strings.Contains(rest, "/") {
			return c.draw
		}
	}
	if path == "/checkpoint" {
		return checkpointLine
	}
	return nil
}

func messageLine(m member) Line {
	l := Line{{text.Pad(text.CleanCut(m.Role, 9), 9), roleOf(m.Role)}, {" ", theme.Plain}, seqSpan(m.Seq)}
	if m.Chars != nil {
		l = append(l, Span{"  " + text.Count(*m.Chars) + " ch", theme.Dim})
	}
	if m.Tokens != nil {
		l = append(l, Span{"  " + text.Count(*m.Tokens) + " tok", theme.Dim})
	}
	if m.Summary {
		l = append(l, Span{"  summary", theme.Checkpoint})
	}
	return l
}

// roleOf is the look of who speaks in the context.
func roleOf(name string) theme.Role {
	switch name {
	case "user":
		return theme.User
	case "tool":
		return theme.Tool
	case "system":
		return theme.SessionMark
	}
	return theme.Agent
}

func fileLine(m member) Line {
	l := fileSize(m)
	if m.WrittenBy != nil {
		l = append(l, Span{"  by ", theme.Dim}, seqSpan(*m.WrittenBy))
	}
	return l
}

// fileSize is fileLine without the writer.
func fileSize(m member) Line {
	size := text.Plural(m.Lines, "line")
	if m.Content == nil && m.Lines == 0 {
		size = "text not known"
	}
	return Line{{text.CleanCut(m.Certainty, 20), certaintyRole(m.Certainty)}, {"  " + size, theme.Plain}}
}

func certaintyRole(c string) theme.Role {
	switch c {
	case model.CertaintyKnown.String():
		return theme.Ok
	case model.CertaintyDerived.String():
		return theme.Inferred
	}
	return theme.Warn
}

func taskLine(m member) Line {
	sign, role := "[ ]", theme.Plain
	switch m.Status {
	case "done":
		sign, role = "[x]", theme.Ok
	case "in_progress":
		sign, role = "[~]", theme.Changed
	case "cancelled":
		sign, role = "[-]", theme.Dim
	}
	return Line{{sign + " ", role}, {clip(m.Title), theme.Plain}, {"  " + text.CleanCut(m.Status, 20), theme.Dim}}
}

func pendingLine(m member) Line {
	return Line{{text.CleanCut(m.Tool, 60), theme.Tool}, {"  since ", theme.Dim}, seqSpan(m.Seq)}
}

func checkpointLine(m member) Line {
	l := Line{{text.CleanCut(m.ID, 60), theme.Checkpoint}, {" ", theme.Plain}, seqSpan(m.Seq)}
	if m.BaseSeq == nil {
		return append(l, Span{"  its base is not known", theme.Dim})
	}
	return append(l, Span{"  stands on ", theme.Dim}, seqSpan(*m.BaseSeq))
}

// placeName is a path for people, within its part of the state: a file by its
// name, a message by its key.
func placeName(path string) string {
	if name, ok := strings.CutPrefix(path, model.PathFiles+"/"); ok {
		name, leaf, deeper := strings.Cut(name, "/")
		name = model.UnescapePointer(name)
		if deeper {
			name += " " + model.UnescapePointer(leaf)
		}
		return name
	}
	if key, ok := strings.CutPrefix(path, model.PathMessages+"/"); ok {
		key, leaf, deeper := strings.Cut(key, "/")
		if !deeper {
			return "message" // its value says which
		}
		return "message " + model.UnescapePointer(key) + " " + model.UnescapePointer(leaf)
	}
	_, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	tokens := strings.Split(rest, "/")
	for i, t := range tokens {
		tokens[i] = model.UnescapePointer(t)
	}
	return strings.Join(tokens, ".")
}

// facets are the parts of the state document, in its order.
var facets = []string{"status", "context", "files", "shell", "tasks", "pending", "usage", "errors", "checkpoint", "vars"}

// facetOf is the part that a path stands in.
func facetOf(path string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return name
}

// named is the event of a reference in one line of at most width cells, with
// its title where that is at hand.
func named(r answer.Ref, events map[int64]answer.Event, width int) Line {
	if e, ok := events[r.Pos]; ok && e.Session == r.Session {
		return brief(answered(e), width)
	}
	return Line{seqSpan(r.Seq)}
}

// Watched draws the value of a place in the state under the row of the event
// after which it stands.
func Watched(path string, value json.RawMessage, by *answer.Ref, indent, width int) Line {
	l := Line{{text.Spaces(indent+2) + "= ", theme.Punct}, {text.CleanCut(path, 120), theme.Key}, {"  ", theme.Plain}}
	l = append(l, cellLine(path, value)...)
	if by != nil {
		l = append(l, Span{"  by ", theme.Dim}, seqSpan(by.Seq))
	}
	return Cut(l, width)
}

// seqsLine lists events by their seqs, at most limit.
func seqsLine(refs []answer.Ref, limit int) Line {
	var l Line
	for i, r := range refs {
		if i == limit {
			return append(l, Span{" +" + strconv.Itoa(len(refs)-i), theme.Dim})
		}
		if i > 0 {
			l = append(l, Span{" ", theme.Plain})
		}
		l = append(l, seqSpan(r.Seq))
	}
	return l
}
