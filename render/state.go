package render

import (
	"bytes"
	"encoding/json"
	"sort"

	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// stateRows is how many members of a collection are shown unless all are, and
// stateText how many rows of a text.
const (
	stateRows = 20
	stateText = 200
)

// State draws a state document: each part under its name, collections with
// their counts.
func State(s answer.State, at answer.Event, restored, all bool, width int) []Line {
	word := "state after "
	if restored {
		word = "a restart rebuilds, after "
	}
	lines := []Line{append(Line{{word, theme.Heading}}, brief(answered(at), room(width, len(word)))...)}
	raw, err := json.Marshal(s)
	if err != nil {
		return append(lines, Of("the state cannot be drawn: "+err.Error(), theme.Fail))
	}
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(raw, &parts); err != nil {
		return append(lines, Of("the state cannot be drawn: "+err.Error(), theme.Fail))
	}
	p := parter{all: all, width: width}
	for _, name := range facets {
		lines = append(lines, p.facet(name, parts[name])...)
	}
	return clamp(lines, width)
}

// StateValue draws one value of a state: who wrote it, then the value as State
// draws it. by is nil where nothing did.
func StateValue(v answer.StateValue, by *answer.Event, all bool, width int) []Line {
	head := Line{{clip(v.Path), theme.Link}}
	if v.Certainty != nil {
		head = append(head, Span{"  " + text.CleanCut(*v.Certainty, 20), certaintyRole(*v.Certainty)})
	}
	switch {
	case by != nil:
		head = append(head, Span{"  by ", theme.Dim})
		head = append(head, brief(answered(*by), room(width, Width(head)))...)
	case v.By != nil:
		head = append(head, Span{"  by ", theme.Dim}, seqSpan(v.By.Seq))
	}
	p := parter{all: all, width: width}
	return clamp(append([]Line{head}, p.part(v.Path, v.Value)...), width)
}

// parter draws parts of a state document from their JSON.
type parter struct {
	all   bool
	width int
}

// facet is a top part of the document: its heading with a summary, and what is
// in it.
func (p parter) facet(name string, raw json.RawMessage) []Line {
	head := Line{{name, theme.Heading}}
	if isNull(raw) || name == "checkpoint" {
		if isNull(raw) {
			return []Line{append(head, Span{"  none", theme.Dim})}
		}
		return []Line{join("  ", head, cellLine("/checkpoint", raw))}
	}
	if n, counted := size(raw); counted && (raw[0] == '[' || name == "files" || name == "vars") {
		if n == 0 {
			return []Line{append(head, Span{"  none", theme.Dim})}
		}
		head = append(head, Span{"  " + text.Count(int64(n)), theme.Dim})
	}
	return append([]Line{head}, p.part("/"+name, raw)...)
}

func isNull(raw json.RawMessage) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) == 0 || string(raw) == "null"
}

// size counts the members of an object or array.
func size(raw json.RawMessage) (n int, ok bool) {
	if raw[0] == '[' {
		var list []json.RawMessage
		ok = json.Unmarshal(raw, &list) == nil
		return len(list), ok
	}
	var members map[string]json.RawMessage
	ok = json.Unmarshal(raw, &members) == nil
	return len(members), ok
}

// part draws the value at a path.
func (p parter) part(path string, raw json.RawMessage) []Line {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return nil
	}
	switch {
	case path == model.PathFiles && raw[0] == '{':
		return p.files(raw)
	case memberDrawing(path) != nil && raw[0] == '{':
		return p.single(path, raw)
	case raw[0] == '[' && facetOf(path) != "vars":
		return p.list(path, raw)
	case raw[0] == '[':
		return p.tree(raw)
	case raw[0] == '{':
		return p.leaves(path, raw)
	case raw[0] == '"' && manyLines(raw):
		return p.text(*textOf(raw), path)
	}
	return []Line{append(Line{{" ", theme.Plain}}, short(raw)...)}
}

// leaves draws an object's members in the order of its JSON: those of one line
// first, then what takes more.
func (p parter) leaves(path string, raw json.RawMessage) []Line {
	var rows []alignedRow
	var below []Line
	for _, m := range members(raw) {
		at := path + "/" + model.EscapePointer(m.name)
		name := Line{{"  " + text.CleanCut(m.name, leftMost), theme.Key}}
		switch {
		case at == model.PathMessages && m.value[0] == '[':
			n, _ := size(m.value)
			below = append(append(below, append(name, Span{"  " + text.Count(int64(n)), theme.Number})), p.list(at, m.value)...)
		case manyLines(m.value) || (m.value[0] == '{' || m.value[0] == '[') && !isShort(m.value):
			below = append(append(below, name), p.tree(m.value)...)
		default:
			rows = append(rows, alignedRow{left: name, mid: short(m.value)})
		}
	}
	return append(align(rows, p.width), below...)
}

// isShort tells an object or array that is read at a glance on one line.
func isShort(raw json.RawMessage) bool {
	return len(raw) <= inlineLimit && !bytes.Contains(raw, []byte(`\n`))
}

type namedValue struct {
	name  string
	value json.RawMessage
}

// members lists an object's members in their order.
func members(raw json.RawMessage) []namedValue {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	var out []namedValue
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return out
		}
		var v json.RawMessage
		if d.Decode(&v) != nil {
			return out
		}
		key, _ := name.(string)
		out = append(out, namedValue{key, v})
	}
	return out
}

// list draws the members of a collection, at most a page of them.
func (p parter) list(path string, raw json.RawMessage) []Line {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return p.tree(raw)
	}
	var rows []alignedRow
	for i, v := range list {
		if i == stateRows && !p.all {
			break
		}
		var m member
		name := ""
		if json.Unmarshal(v, &m) == nil {
			name = m.ID + m.Call
		}
		row := alignedRow{left: Line{{" ", theme.Plain}}, mid: cellLine(path+"/x", v)}
		if name != "" {
			row.left = Line{{"  " + text.CleanCut(name, leftMost), theme.Key}}
		}
		rows = append(rows, row)
	}
	return append(align(rows, p.width), p.left(len(list), path)...)
}

// left says how much of a collection is not shown.
func (p parter) left(n int, path string) []Line {
	if n <= stateRows || p.all {
		return nil
	}
	return []Line{{{"  … " + text.Count(int64(n-stateRows)) + " more (--all, or state " + path + " --all)", theme.Dim}}}
}

// files draws a row for each file, with the first line of its text.
func (p parter) files(raw json.RawMessage) []Line {
	files := members(raw)
	sort.SliceStable(files, func(i, j int) bool { return files[i].name < files[j].name })
	var rows []alignedRow
	for i, f := range files {
		if i == stateRows && !p.all {
			break
		}
		row := alignedRow{left: Line{{"  " + text.CleanCut(f.name, 2*leftMost), theme.Link}}, mid: cellLine(model.PathFiles+"/x", f.value)}
		if s := contentOf(f.value); s != nil {
			row.right = func(room int) Line {
				return Cut(Line{{text.CleanCut(firstLine(*s), midMost), theme.Dim}}, room)
			}
		}
		rows = append(rows, row)
	}
	return append(align(rows, p.width), p.left(len(files), model.PathFiles)...)
}

func firstLine(s string) string {
	for line := range text.Lines(s) {
		return line
	}
	return ""
}

// single draws one member of a collection; of a file, its text as well.
func (p parter) single(path string, raw json.RawMessage) []Line {
	lines := []Line{append(Line{{" ", theme.Plain}}, cellLine(path, raw)...)}
	s := contentOf(raw)
	if s == nil {
		if facetOf(path) == "files" {
			lines = append(lines, Line{{" its text is not known", theme.Warn}})
		}
		return lines
	}
	return append(lines, p.text(*s, fileOf(path))...)
}

// text draws a text of many lines, coloured by the name of its file.
func (p parter) text(s, name string) []Line {
	return p.page((&Doc{items: []item{{body: body{text: s, name: name}}}}).Colour())
}

// tree draws any JSON in its readable form, four cells in.
func (p parter) tree(raw json.RawMessage) []Line {
	const edge = 4
	inner := parter{all: p.all, width: room(p.width, edge)}
	return shift(inner.page(Payload(raw).Colour()), edge)
}

// shift moves lines to the right.
func shift(lines []Line, cells int) []Line {
	for i, l := range lines {
		lines[i] = append(Line{{text.Spaces(cells), theme.Plain}}, l...)
	}
	return lines
}

// page draws a document, or its beginning.
func (p parter) page(d *Doc) []Line {
	n := stateText
	if p.all {
		n = d.Len(p.width)
	}
	lines := d.Lines(0, n, p.width)
	if known, whole := d.Rows(p.width, n+1); !p.all && (!whole || known > n) {
		lines = append(lines, Line{{"  … there is more (--all)", theme.Dim}})
	}
	return lines
}
