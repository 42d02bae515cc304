package render

import (
	"encoding/json"
	"strings"

	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// CellLine draws the value that stands at a path of the state on one line: a
// member of a collection in words, anything else as JSON, cut where it is long.
func CellLine(path string, raw json.RawMessage) Line { return cellLine(path, raw) }

// Code is a file's lines in the colours of its language, as the name tells it;
// without colours where nothing is known of it. It may take some 50 ms.
func Code(name, content string) []Line {
	lines := codeLines(name, content)
	if lines != nil {
		return lines
	}
	for line := range text.Lines(content) {
		lines = append(lines, Line{{line, theme.Plain}})
	}
	return lines
}

// PathChange is what happened to one place of the state: a leaf, a member that
// came or went, a file as a whole.
type PathChange struct {
	Path string
	Name Line // the sign of what happened, and the place
	Line Line // the values
}

// messageRun is how many messages that came or went are told one by one.
const messageRun = 3

// PathChanges sums changes up, one for each place: of a file one, whichever of
// its members changed, and of many messages that came or went together one.
func PathChanges(changes []answer.Change) []PathChange {
	var out []PathChange
	for len(changes) > 0 {
		c, n := changes[0], 1
		switch {
		case facetOf(c.Path) == "files":
			for n < len(changes) && fileOf(changes[n].Path) == fileOf(c.Path) {
				n++
			}
			out = append(out, filePathChange(changes[:n]))
		case strings.HasPrefix(c.Path, model.PathMessages+"/"):
			for n < len(changes) && strings.HasPrefix(changes[n].Path, model.PathMessages+"/") {
				n++
			}
			out = append(out, messageChanges(changes[:n])...)
		default:
			out = append(out, leafChange(c))
		}
		changes = changes[n:]
	}
	return out
}

func leafChange(c answer.Change) PathChange {
	out := PathChange{Path: c.Path, Name: append(opSpan(c.Op), Span{StateName(c.Path), theme.Key})}
	was, is := cellLine(c.Path, c.Old), cellLine(c.Path, c.New)
	switch {
	case c.Op == model.OpAdd.String():
		out.Line = is
	case c.Op == model.OpRemove.String():
		out.Line = was
	case isNull(c.Old):
		out.Line = is
	default:
		out.Line = fromTo(was, is)
	}
	return out
}

// messageChanges tells changes of messages one by one, or where many came or
// went those in one line.
func messageChanges(own []answer.Change) []PathChange {
	var out []PathChange
	for _, op := range []model.Op{model.OpRemove, model.OpReplace, model.OpAdd} {
		var list []answer.Change
		var refs []answer.Ref
		for _, c := range own {
			if c.Op == op.String() {
				list = append(list, c)
				var m member
				_ = json.Unmarshal(orElse(c.New, c.Old), &m) // one that says no seq is told as 0
				refs = append(refs, answer.Ref{Seq: m.Seq})
			}
		}
		if len(list) > messageRun {
			out = append(out, PathChange{
				Path: model.PathMessages,
				Name: append(opSpan(op.String()), Span{text.Plural(int64(len(list)), "message"), theme.Key}),
				Line: seqsLine(refs, 12),
			})
			continue
		}
		for _, c := range list {
			out = append(out, leafChange(c))
		}
	}
	return out
}

// filePathChange sums up what happened to a file.
func filePathChange(own []answer.Change) PathChange {
	op := model.OpReplace.String()
	var told, now Line
	for _, c := range own {
		_, leaf, deeper := strings.Cut(strings.TrimPrefix(c.Path, model.PathFiles+"/"), "/")
		switch {
		case !deeper:
			op, told = c.Op, cellLine(c.Path, orElse(c.New, c.Old))
		case leaf == "certainty":
			told = fromTo(plainText(c.Old), plainText(c.New))
		case leaf == "lines":
			told = join("  ", append(Line{{"lines ", theme.Dim}}, fromTo(plainText(c.Old), plainText(c.New))...), told)
		case leaf == "content":
			now = Line{{"other text", theme.Changed}}
		}
	}
	if told == nil {
		told = now
	}
	if told == nil {
		told = rewritten(own[0])
	}
	name := fileOf(own[0].Path)
	return PathChange{
		Path: model.PathFiles + "/" + model.EscapePointer(name),
		Name: append(opSpan(op), Span{clip(name), theme.Link}), Line: told,
	}
}

// StateName is a path of the state for people: errors.count, a file by its
// name.
func StateName(path string) string {
	facet, name := facetOf(path), placeName(path)
	switch {
	case name == "":
		return text.Clean(facet)
	case facet == "files" || strings.HasPrefix(path, model.PathMessages+"/"):
		return text.CleanCut(name, 200)
	}
	return text.CleanCut(facet+"."+name, 200)
}
