package pane

import (
	"encoding/json"
	"strconv"

	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/jsonscan"
	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

var none = render.Line{{Text: "none", Role: theme.Dim}}

// Group makes a node of a part of the state with its members, summed up beside
// its name.
func Group(path string, kids []Node, total int64) Node {
	n := Node{Path: path, Name: path[1:], Kids: kids, Count: total}
	switch path {
	case "/status":
		n.Value = told(kids, "execution", "reason")
	case "/shell":
		n.Value = shellNote(kids)
	case "/usage":
		n.Value = usageNote(kids)
	case "/errors":
		n.Value = errorsNote(kids)
	default:
		n.Value = countNote(total)
	}
	return n
}

// countNote tells how many members there are.
func countNote(n int64) render.Line {
	if n == 0 {
		return none
	}
	return render.Line{{Text: text.Count(n), Role: theme.Number}}
}

// told are the texts of members that say something.
func told(kids []Node, names ...string) render.Line {
	var out render.Line
	for _, name := range names {
		if s := member(kids, name); s != "" {
			if out != nil {
				out = append(out, render.Span{Text: "  "})
			}
			out = append(out, render.Span{Text: text.CleanCut(s, 120)})
		}
	}
	if out == nil {
		return render.Line{{Text: "not told", Role: theme.Dim}}
	}
	return out
}

// member is the text of a member, empty where it is null.
func member(kids []Node, name string) string {
	for _, k := range kids {
		if k.Name == name && k.Text != "null" {
			return k.Text
		}
	}
	return ""
}

func shellNote(kids []Node) render.Line {
	var l render.Line
	switch code := member(kids, "exit_code"); {
	case member(kids, "running") == "true":
		l = render.Line{{Text: "running  ", Role: theme.Warn}}
	case code == "0":
		l = render.Line{{Text: "exit 0  ", Role: theme.Ok}}
	case code != "":
		l = render.Line{{Text: "exit " + text.CleanCut(code, 10) + "  ", Role: theme.Fail}}
	}
	return append(l, told(kids, "command")...)
}

func usageNote(kids []Node) render.Line {
	var l render.Line
	for _, m := range []struct{ name, word string }{{"input_tokens", " in  "}, {"output_tokens", " out  "}} {
		if n, err := strconv.ParseInt(member(kids, m.name), 10, 64); err == nil {
			l = append(l, render.Span{Text: text.Short(n), Role: theme.Number}, render.Span{Text: m.word, Role: theme.Dim})
		}
	}
	if cost := member(kids, "cost_usd"); cost != "" {
		l = append(l, render.Span{Text: "cost ", Role: theme.Dim}, render.Span{Text: text.CleanCut(cost, 12), Role: theme.Number})
	}
	if l == nil {
		return render.Line{{Text: "not told", Role: theme.Dim}}
	}
	return l
}

func errorsNote(kids []Node) render.Line {
	n := member(kids, "count")
	if n == "0" {
		return none
	}
	l := render.Line{{Text: text.CleanCut(n, 12), Role: theme.Fail}}
	if last := member(kids, "last_seq"); last != "" {
		l = append(l, render.Span{Text: "  last ", Role: theme.Dim}, render.Span{Text: text.CleanCut(last, 12), Role: theme.Seq})
	}
	return l
}

// ContextGroup makes the node of the context: how much is in view, how much is
// gone, and the messages below.
func ContextGroup(session string, messages answer.Children, forgotten, tokens answer.StateValue) Node {
	n := Node{Path: "/context", Name: "context"}
	n.Value = render.Line{{Text: text.Plural(messages.Total, "message")}}
	if gone := Number(forgotten.Value); gone > 0 {
		n.Value = append(n.Value, render.Span{Text: "  " + text.Count(gone) + " gone", Role: theme.Warn})
	}
	if sum := Number(tokens.Value); sum > 0 {
		n.Value = append(n.Value, render.Span{Text: "  " + text.Short(sum) + " tokens", Role: theme.Dim})
	}
	list := Node{Path: model.PathMessages, Name: "messages", Value: countNote(messages.Total), Kids: Collection(session, messages), Count: messages.Total}
	n.Kids = []Node{list, scalar(forgotten), scalar(tokens)}
	return n
}

func scalar(v answer.StateValue) Node {
	n := valueNode(v.Path, v.Value)
	n.By = v.By
	return n
}

// Number reads a JSON integer; 0 where it is none.
func Number(raw json.RawMessage) int64 {
	n, _ := strconv.ParseInt(string(raw), 10, 64)
	return n
}

// TaskGroup makes the node of the task list: how much of it is done.
func TaskGroup(value json.RawMessage) Node {
	n := Node{Path: model.PathTasks, Name: "tasks", Value: none, Kids: Tasks(value)}
	n.Count = int64(len(n.Kids))
	if n.Count == 0 {
		return n
	}
	var list []struct{ Status string }
	_ = json.Unmarshal(value, &list) // Tasks has read it
	done := 0
	for _, t := range list {
		if t.Status == "done" {
			done++
		}
	}
	n.Value = render.Line{{Text: strconv.Itoa(done) + " of " + strconv.Itoa(len(list)) + " done"}}
	return n
}

// TextOf is a JSON string's text; any other value as it is written.
func TextOf(raw json.RawMessage) string {
	if len(raw) > 0 && raw[0] == '"' {
		return jsonscan.Str(raw)
	}
	return string(raw)
}
