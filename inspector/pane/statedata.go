package pane

import (
	"bytes"
	"encoding/json"
	"sort"
	"strings"

	"hindcast/inspector/travel"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/jsonscan"
	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// TextLimit bounds what is kept of a value's text to search for, in bytes.
const TextLimit = 4096

// StateData is the state after an event as the pane shows it: what the step
// changed, and the tree.
type StateData struct {
	At      travel.Place
	From    int64 // the pos after which the step begins
	Pins    []Pin
	Changes []render.PathChange
	Roots   []Node
}

// Node is a place in the state. A place with members has Kids, or at least a
// Count of them.
type Node struct {
	Path    string
	Name    string
	Value   render.Line
	Text    string      // of a leaf: its text, to search for
	By      *answer.Ref // the event that wrote it last; nil: not told
	Changed bool        // by the event that the state stands after
	Kids    []Node
	Count   int64        // of the members, where not all are at hand
	Event   travel.Place // that it speaks of; nowhere: none
	File    string       // its name, where it is one
}

// Members makes nodes of the members of an object whose members are values.
func Members(c answer.Children) []Node {
	out := make([]Node, 0, len(c.Items))
	for _, i := range c.Items {
		n := valueNode(i.Path, i.Value)
		n.By, n.Changed = i.By, i.Changed
		out = append(out, n)
	}
	return out
}

// Collection makes nodes of a page of a collection's members: messages, calls.
func Collection(session string, c answer.Children) []Node {
	out := make([]Node, 0, len(c.Items))
	for _, i := range c.Items {
		var m struct{ Seq, Pos int64 }
		_ = json.Unmarshal(i.Value, &m) // what does not say so speaks of no event
		out = append(out, Node{
			Path: i.Path, Value: render.CellLine(i.Path, i.Value), By: i.By, Changed: i.Changed,
			Event: travel.Place{Session: session, Pos: m.Pos, Seq: m.Seq},
		})
	}
	return out
}

// Tasks makes nodes of the task list.
func Tasks(value json.RawMessage) []Node {
	var list []json.RawMessage
	if json.Unmarshal(value, &list) != nil {
		return nil
	}
	out := make([]Node, 0, len(list))
	for _, v := range list {
		var t struct{ ID, Title string }
		if json.Unmarshal(v, &t) != nil {
			continue
		}
		path := model.PathTasks + "/" + model.EscapePointer(t.ID)
		out = append(out, Node{Path: path, Name: text.CleanCut(t.ID, 20), Value: render.CellLine(path, v), Text: bounded(t.Title)})
	}
	return out
}

// Files makes nodes of the files, bytewise by name.
func Files(session string, value json.RawMessage) []Node {
	var files map[string]json.RawMessage
	if json.Unmarshal(value, &files) != nil {
		return nil
	}
	out := make([]Node, 0, len(files))
	for name, v := range files {
		var f answer.StateFile
		if json.Unmarshal(v, &f) != nil {
			continue
		}
		count := text.Count(f.Lines)
		if f.Content == nil && f.Lines == 0 {
			count = "?" // nothing of its text is known
		}
		n := Node{
			Path: model.PathFiles + "/" + model.EscapePointer(name), Name: text.CleanCut(name, 200), File: name, Text: bounded(name),
			Value: render.Line{
				{Text: text.PadLeft(count, 5) + text.Pad(lineWord(f.Lines), 8)},
				{Text: text.CleanCut(f.Certainty, 20), Role: certainty(f.Certainty)},
			},
		}
		if f.WrittenBy != nil && f.WrittenPos != nil {
			n.By = &answer.Ref{Session: session, Seq: *f.WrittenBy, Pos: *f.WrittenPos}
		}
		out = append(out, n)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].File < out[j].File })
	return out
}

func lineWord(n int64) string {
	if n == 1 {
		return " line"
	}
	return " lines"
}

func certainty(c string) theme.Role {
	switch c {
	case model.CertaintyKnown.String():
		return theme.Ok
	case model.CertaintyDerived.String():
		return theme.Inferred
	}
	return theme.Warn
}

// valueNode makes a node of any JSON value, with the members of objects and
// arrays below it.
func valueNode(path string, value json.RawMessage) Node {
	token := path[strings.LastIndexByte(path, '/')+1:]
	n := Node{Path: path, Name: text.CleanCut(model.UnescapePointer(token), 200), Value: render.CellLine(path, value)}
	value = bytes.TrimSpace(value)
	if len(value) == 0 {
		n.Value = nil
		return n
	}
	switch value[0] {
	case '{', '[':
		n.Kids = deeper(path, value)
	case '"':
		n.Text = bounded(jsonscan.Str(value))
	default:
		n.Text = bounded(string(value))
	}
	return n
}

// Leaf makes a node of a value that is shown on one line.
func Leaf(path string, value json.RawMessage) Node {
	n := Node{Path: path, Name: path[1:], Value: render.CellLine(path, value)}
	if string(value) == "null" {
		n.Value = none
	}
	return n
}

// kidLimit bounds the members of one object or array of a named value that the
// tree shows; `hindcast state PATH` prints all.
const kidLimit = 200

func deeper(path string, value json.RawMessage) []Node {
	var kids []Node
	add := func(token string, v json.RawMessage) {
		if len(kids) < kidLimit {
			kids = append(kids, valueNode(path+"/"+token, v))
		}
	}
	d := json.NewDecoder(bytes.NewReader(value))
	if _, err := d.Token(); err != nil {
		return nil
	}
	for i := int64(0); d.More(); i++ {
		token := text.Count(i)
		if value[0] == '{' {
			name, err := d.Token()
			if err != nil {
				return kids
			}
			token = model.EscapePointer(name.(string))
		}
		var v json.RawMessage
		if d.Decode(&v) != nil {
			return kids
		}
		add(token, v)
	}
	return kids
}

func bounded(s string) string {
	if len(s) <= TextLimit {
		return s
	}
	return strings.ToValidUTF8(s[:TextLimit], "")
}
