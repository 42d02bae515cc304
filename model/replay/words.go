package replay

import (
	"slices"
	"strings"
)

// simple is a simple command of a shell line: its words without quotes, and
// the files that its output goes to.
type simple struct {
	words   []string
	targets []string
}

// split cuts a command line into simple commands, as a POSIX shell reads it:
// quotes, redirections, here documents, comments. What is substituted or
// expanded is not followed.
func split(line string) []simple {
	l := lexer{rest: line}
	for l.rest != "" {
		l.next()
	}
	l.endCommand()
	return l.done
}

// lexer reads a line from the left.
type lexer struct {
	rest    string
	done    []simple
	now     simple
	word    strings.Builder
	inWord  bool
	target  bool     // the next word is where output goes
	skip    bool     // the next word is where input comes from
	heredoc bool     // the next word ends a here document
	ends    []string // of the here documents that begin on the next line
}

func (l *lexer) next() {
	c := l.rest[0]
	switch {
	case c == '\\':
		l.escaped()
	case c == '\'':
		l.quoted()
	case c == '"':
		l.doubleQuoted()
	case c == ' ' || c == '\t' || c == '\r':
		l.endWord()
		l.rest = l.rest[1:]
	case c == '\n':
		l.endCommand()
		l.rest = l.rest[1:]
		l.skipHereDocuments()
	case c == '#' && !l.inWord:
		end := strings.IndexByte(l.rest, '\n')
		if end < 0 {
			end = len(l.rest)
		}
		l.rest = l.rest[end:]
	case c == '>' || c == '<' || strings.HasPrefix(l.rest, "&>"):
		l.redirect()
	case strings.IndexByte(";&|()`", c) >= 0:
		l.endCommand()
		l.rest = l.rest[1:]
	default:
		l.take(c)
		l.rest = l.rest[1:]
	}
}

func (l *lexer) take(c byte) {
	l.word.WriteByte(c)
	l.inWord = true
}

func (l *lexer) escaped() {
	if len(l.rest) > 1 && l.rest[1] != '\n' {
		l.take(l.rest[1])
	}
	l.rest = l.rest[min(2, len(l.rest)):]
}

func (l *lexer) quoted() {
	text, rest, _ := strings.Cut(l.rest[1:], "'")
	l.word.WriteString(text)
	l.inWord, l.rest = true, rest
}

func (l *lexer) doubleQuoted() {
	l.inWord = true
	for l.rest = l.rest[1:]; l.rest != ""; l.rest = l.rest[1:] {
		switch c := l.rest[0]; {
		case c == '"':
			l.rest = l.rest[1:]
			return
		case c == '\\' && len(l.rest) > 1 && strings.IndexByte("\"\\$`\n", l.rest[1]) >= 0:
			l.rest = l.rest[1:]
			if l.rest[0] != '\n' {
				l.word.WriteByte(l.rest[0])
			}
		default:
			l.word.WriteByte(c)
		}
	}
}

// redirect reads an operator. Digits right before it name a descriptor, and a
// descriptor behind >& is no file.
func (l *lexer) redirect() {
	if strings.Trim(l.word.String(), "0123456789") == "" {
		l.word.Reset()
		l.inWord = false
	}
	l.endWord()
	l.rest = strings.TrimPrefix(l.rest, "&")
	op := l.rest[:len(l.rest)-len(strings.TrimLeft(l.rest, "<>"))]
	l.rest = l.rest[len(op):]
	switch {
	case op == "<<":
		l.rest = strings.TrimPrefix(l.rest, "-")
		l.heredoc = true
	case op[0] == '<' && op != "<>":
		l.skip = true
	case strings.HasPrefix(l.rest, "&"):
		l.rest = l.rest[1:]
		l.skip = l.rest != "" && strings.IndexByte("0123456789-", l.rest[0]) >= 0
		l.target = !l.skip
	default:
		l.rest = strings.TrimPrefix(l.rest, "|")
		l.target = true
	}
}

func (l *lexer) endWord() {
	if !l.inWord {
		return
	}
	word := l.word.String()
	switch {
	case l.target:
		l.now.targets = append(l.now.targets, word)
	case l.heredoc:
		l.ends = append(l.ends, word)
	case !l.skip:
		l.now.words = append(l.now.words, word)
	}
	l.word.Reset()
	l.inWord, l.target, l.skip, l.heredoc = false, false, false, false
}

func (l *lexer) endCommand() {
	l.endWord()
	l.target, l.skip, l.heredoc = false, false, false
	if len(l.now.words)+len(l.now.targets) > 0 {
		l.done = append(l.done, l.now)
	}
	l.now = simple{}
}

// skipHereDocuments passes over the lines up to each end in turn.
func (l *lexer) skipHereDocuments() {
	for _, end := range l.ends {
		for l.rest != "" {
			line, rest, _ := strings.Cut(l.rest, "\n")
			l.rest = rest
			if strings.TrimLeft(line, "\t") == end {
				break
			}
		}
	}
	l.ends = slices.Delete(l.ends, 0, len(l.ends))
}
