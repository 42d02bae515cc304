package render

import (
	"strconv"
	"strings"

	"hindcast/model/jsonscan"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// walker turns validated JSON text into items in one pass, without recursion.
type walker struct {
	items    []item
	envelope []Line // short fields of the record itself
	lead     string // "- ", once for each array whose element comes next
	stack    []frame
}

// frame is a container whose members are being read.
type frame struct {
	src    []byte // the JSON text that it stands in
	at     int    // offset in src of what comes next
	array  bool
	inner  bool   // its parent goes on in the same src, where it ends
	indent int    // cells, of its members
	depth  int    // of strings within strings
	path   string // a member that names a file
	bodies []int  // items of this object that may hold that file's text
}

func (w *walker) walk(src []byte) {
	w.value(src, 0, nil, frame{})
	for len(w.stack) > 0 {
		if len(w.items) >= itemLimit {
			w.items = append(w.items, item{line: Line{{"… more is not laid out (limit " + text.Count(itemLimit) +
				" lines, record " + text.Size(int64(len(src))) + "): the raw form shows all of it", theme.Warn}}})
			return
		}
		w.member()
	}
	w.flush(0)
}

// member reads the next member of the innermost container, or its end.
func (w *walker) member() {
	f := &w.stack[len(w.stack)-1]
	at := skip(f.src, f.at)
	if at >= len(f.src) || f.src[at] == ']' || f.src[at] == '}' {
		f.at = at + 1
		w.end()
		return
	}
	if f.array {
		if len(w.lead) >= indentLimit {
			w.flush(f.indent)
		}
		w.lead += "- "
		element := *f
		element.indent += len("- ")
		w.value(f.src, at, nil, element)
		return
	}
	end := stringEnd(f.src, at)
	key := f.src[at:end]
	w.value(f.src, skip(f.src, end), key, *f)
}

// end closes the innermost container; its parent goes on behind it.
func (w *walker) end() {
	n := len(w.stack) - 1
	f := w.stack[n]
	w.stack = w.stack[:n]
	for _, i := range f.bodies {
		if w.items[i].body.name == "" {
			w.items[i].body.name = f.path
		}
	}
	if f.inner && n > 0 {
		w.stack[n-1].at = f.at
	}
}

// value reads the value at at, the member key (nil: none) of a container of
// which f is a copy.
func (w *walker) value(src []byte, at int, key []byte, f frame) {
	if at >= len(src) {
		w.after(len(src))
		return
	}
	label := keyLine(key)
	switch c := src[at]; c {
	case '{', '[':
		w.open(src, at, label, f)
	case '"':
		end := stringEnd(src, at)
		w.after(end)
		w.text(src[at:end], key, label, f)
	default:
		end := at + 1
		for end < len(src) && !strings.ContainsRune(",]} \t\r\n", rune(src[end])) {
			end++
		}
		w.after(end)
		w.scalar(label, literal(src[at:end]), f)
	}
}

// after notes where the innermost container goes on.
func (w *walker) after(end int) {
	if n := len(w.stack); n > 0 {
		w.stack[n-1].at = end
	}
}

// open starts a container, or writes it on its key's line if it is short.
func (w *walker) open(src []byte, at int, label Line, f frame) {
	if line, end := inline(src, at); line != nil {
		w.after(end)
		w.scalar(label, line, f)
		return
	}
	indent := f.indent
	if len(label) > 0 {
		w.emit(indent, label)
		indent += 2
	}
	w.stack = append(w.stack, frame{
		src: src, at: at + 1, array: src[at] == '[', inner: len(w.stack) > 0, indent: indent, depth: f.depth,
	})
}

// scalar writes a short value. Those of the record itself are its envelope.
func (w *walker) scalar(label, value Line, f frame) {
	line := join(" ", label, value)
	if len(w.stack) == 1 && !f.array && len(w.envelope) < 40 {
		w.envelope = append(w.envelope, line)
		return
	}
	w.emit(f.indent, line)
}

// text writes a string: on its key's line, as a blob's size, as the JSON that
// it holds, or as a block.
func (w *walker) text(span, key []byte, label Line, f frame) {
	if len(span) <= blockLimit {
		s := jsonscan.Str(span)
		w.notePath(key, s)
		if !strings.Contains(s, "\n") {
			w.scalar(label, Line{{`"` + text.Clean(s) + `"`, theme.StringLit}}, f)
			return
		}
	}
	if what := blob(span); what != "" {
		w.scalar(label, Line{{what, theme.Literal}}, f)
		return
	}
	if len(span) > shownLimit+tailLimit {
		w.cutBlock(span, label, f)
		return
	}
	s := jsonscan.Str(span)
	if f.depth < nestLimit && len(s) <= shownLimit {
		if inner := holdsJSON(s); inner != nil {
			w.nested(inner, label, f)
			return
		}
	}
	w.emit(f.indent, join("  ", label, blockNote(s)))
	w.block(f.indent, key, s)
}

// nested takes a string's JSON apart as if it stood there itself.
func (w *walker) nested(inner []byte, label Line, f frame) {
	w.emit(f.indent, join("  ", label, Line{{"JSON in a string", theme.Dim}}))
	w.stack = append(w.stack, frame{
		src: inner, at: 1, array: inner[0] == '[', indent: f.indent + 2, depth: f.depth + 1,
	})
}

// cutBlock shows the two ends of a huge string.
func (w *walker) cutBlock(span []byte, label Line, f frame) {
	head := escapeBoundary(span, 1, shownLimit)
	tail := escapeBoundary(span, head, len(span)-tailLimit)
	w.emit(f.indent, join("  ", label, Line{{"text of " + text.Size(int64(len(span))), theme.Dim}}))
	w.block(f.indent, nil, unquote(span[1:head]))
	w.emit(f.indent+2, Line{{"… " + text.Size(int64(tail-head)) + " of it are not laid out here: the raw form shows all of it", theme.Warn}})
	w.block(f.indent, nil, unquote(span[tail:len(span)-1]))
}

func (w *walker) block(indent int, key []byte, s string) {
	if s == "" {
		return
	}
	b := body{text: s, name: codeName(jsonscan.Str(key))}
	w.items = append(w.items, item{indent: min(indent, indentLimit) + 2, body: b})
	if n := len(w.stack); n > 0 {
		w.stack[n-1].bodies = append(w.stack[n-1].bodies, len(w.items)-1)
	}
}

func (w *walker) notePath(key []byte, s string) {
	if n := len(w.stack); n > 0 && key != nil && pathKeys[jsonscan.Str(key)] {
		w.stack[n-1].path = s
	}
}

// emit adds a logical line. Beyond the deepest indentation a line says its
// depth instead of standing further in.
func (w *walker) emit(indent int, line Line) {
	if w.lead != "" {
		indent -= len(w.lead)
		line = append(Line{{w.lead, theme.Punct}}, line...)
		w.lead = ""
	}
	if indent > indentLimit {
		line = append(Line{{"[" + strconv.Itoa(indent/2) + "] ", theme.Dim}}, line...)
		indent = indentLimit
	}
	w.items = append(w.items, item{indent: max(indent, 0), line: line})
}

// flush writes dashes that no value has followed.
func (w *walker) flush(indent int) {
	if w.lead != "" {
		w.emit(indent, nil)
	}
}

// pathKeys are members that name the file whose text stands beside them.
var pathKeys = map[string]bool{
	"path": true, "file_path": true, "filePath": true, "filename": true, "file": true, "notebook_path": true,
}

// codeName is a file name for text whose language its key tells.
func codeName(key string) string {
	switch key {
	case "command", "cmd":
		return "command.sh"
	case "diff", "patch", "unified_diff":
		return "change.diff"
	}
	return ""
}
