// Package syntax colours code behind a budget: whatever a lexer does, the
// answer comes soon, holds exactly the text that was given, or is refused.
package syntax

import (
	"path"
	"strings"
	"time"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// The budget. Lexers take about a second for a megabyte, and some are quadratic
// in the length of a line.
const (
	sizeLimit = 256 << 10 // bytes of the text
	lineLimit = 2 << 10   // bytes of its longest line

	// Budget is the time that a screen can wait for one piece of code. It is
	// checked between tokens.
	Budget = 50 * time.Millisecond
)

// Class says what a piece of code is.
type Class uint8

// The classes.
const (
	Plain   Class = iota
	Keyword       // if, func, class
	Name          // a function, a class, something built in
	Key           // an attribute, a tag, a key of a configuration file
	String
	Number
	Literal // true, false, null
	Comment
	Added   // a line that a patch adds
	Removed // a line that a patch removes
	Heading
)

// Span is a piece of a line of code with its class.
type Span struct {
	Text  string
	Class Class
}

// Highlight classifies code as the file name says, one entry a line. The code
// is already safe to draw: cleaned lines, each ending in a newline. ok is false
// where the language is unknown or a limit was hit: draw the text plain then.
// Results are kept, so asking again is cheap. It is safe for concurrent use;
// the first time it may take as long as budget.
func Highlight(name, code string, budget time.Duration) (lines [][]Span, ok bool) {
	lexer := language(name)
	if lexer == "" || len(code) > sizeLimit || longLine(code) {
		return nil, false
	}
	return kept.get(lexer, code, func() [][]Span {
		return classify(lexer, code, time.Now().Add(budget))
	})
}

// classify runs a lexer until the deadline; nil where it did not come to an end
// or changed the text.
func classify(name, clean string, deadline time.Time) (lines [][]Span) {
	defer func() {
		// A lexer's rules are data, and their mistakes surface as panics.
		if recover() != nil {
			lines = nil
		}
	}()
	lexer := lexers.Get(name)
	if lexer == nil {
		return nil
	}
	next, err := lexer.Tokenise(&chroma.TokeniseOptions{State: "root"}, clean)
	if err != nil {
		return nil
	}
	var l layer
	for t := next(); t != chroma.EOF; t = next() {
		if !l.add(t.Value, class(t.Type), clean) || time.Now().After(deadline) {
			return nil
		}
	}
	if l.at != len(clean) {
		return nil
	}
	return l.lines
}

// layer collects tokens into lines and checks them against the text.
type layer struct {
	lines [][]Span
	line  []Span
	at    int // bytes of the text that the tokens have covered
}

func (l *layer) add(value string, c Class, clean string) bool {
	if !strings.HasPrefix(clean[l.at:], value) {
		return false
	}
	l.at += len(value)
	for value != "" {
		piece, rest, newline := strings.Cut(value, "\n")
		if n := len(l.line); n > 0 && l.line[n-1].Class == c {
			l.line[n-1].Text += piece
		} else if piece != "" {
			l.line = append(l.line, Span{piece, c})
		}
		if newline {
			l.lines = append(l.lines, l.line)
			l.line = nil
		}
		value = rest
	}
	return true
}

func class(t chroma.TokenType) Class {
	switch {
	case t == chroma.KeywordConstant:
		return Literal
	case t.InCategory(chroma.Keyword):
		return Keyword
	case t == chroma.NameFunction, t == chroma.NameClass, t == chroma.NameBuiltin, t == chroma.NameDecorator:
		return Name
	case t == chroma.NameTag, t == chroma.NameAttribute:
		return Key
	case t.InSubCategory(chroma.LiteralString):
		return String
	case t.InSubCategory(chroma.LiteralNumber):
		return Number
	case t.InCategory(chroma.Comment):
		return Comment
	case t == chroma.GenericInserted:
		return Added
	case t == chroma.GenericDeleted:
		return Removed
	case t == chroma.GenericHeading, t == chroma.GenericSubheading, t == chroma.GenericStrong:
		return Heading
	}
	return Plain
}

func longLine(s string) bool {
	for s != "" {
		n := strings.IndexByte(s, '\n')
		if n < 0 {
			n = len(s)
		}
		if n > lineLimit {
			return true
		}
		s = s[min(n+1, len(s)):]
	}
	return false
}

// language is the lexer for a file's name; empty where there is none. The
// library's own matching is slow and often wrong.
func language(name string) string {
	base := path.Base(strings.ReplaceAll(name, `\`, "/"))
	if l, ok := byName[base]; ok {
		return l
	}
	return byExtension[strings.ToLower(path.Ext(base))]
}

var byName = map[string]string{
	"Dockerfile": "docker", "Containerfile": "docker", ".bashrc": "bash", ".profile": "bash", ".gitconfig": "ini",
}

var byExtension = map[string]string{
	".go": "go", ".py": "python", ".pyi": "python", ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript",
	".jsx": "react", ".ts": "typescript", ".tsx": "typescript", ".json": "json", ".yaml": "yaml", ".yml": "yaml",
	".toml": "toml", ".ini": "ini", ".cfg": "ini", ".sh": "bash", ".bash": "bash", ".zsh": "bash", ".rs": "rust",
	".java": "java", ".kt": "kotlin", ".swift": "swift", ".c": "c", ".h": "c", ".cc": "c++", ".cpp": "c++", ".hpp": "c++",
	".cs": "c#", ".rb": "ruby", ".php": "php", ".lua": "lua", ".sql": "sql", ".html": "html", ".htm": "html",
	".xml": "xml", ".svg": "xml", ".css": "css", ".scss": "scss", ".md": "markdown", ".diff": "diff", ".patch": "diff",
	".proto": "protobuf", ".tf": "terraform", ".vue": "vue",
}
