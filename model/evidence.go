package model

import "strings"

// Clues are what the text of an error names: where to look for its cause.
type Clues struct {
	Places   []NamedPlace // those with a line first, else in the order in which they stand
	Literals []string     // texts that may be searched for: names, addresses, quotations, numbers
	IDs      []string     // words that look like ids of records
	Messages []int64      // numbers of messages in a provider's error (messages[7])
}

// NamedPlace is a file, or a line of one, that a text names.
type NamedPlace struct {
	Path string // as written, without ./ and file://; \ is /
	Line int64  // 1-based; 0: none is named
	Text string // the line of the text that names it, without the space around it
	// Frame: a build tool names the place of the rule that it ran, not of a fault.
	Frame bool
}

// Bounds of what is looked at and found.
const (
	ClueText    = 64 << 10 // bytes at the head of a text and as many at its tail
	maxPlaces   = 64       // with a line, and as many without
	maxLiterals = 8        // of each sort
)

// ReadClues finds files, lines, literals and ids in the text of an error, as
// compilers, interpreters, test runners and providers write them.
func ReadClues(text string) Clues {
	if len(text) > 2*ClueText {
		text = text[:ClueText] + "\n" + text[len(text)-ClueText:]
	}
	r := clueReader{}
	for line := range strings.Lines(text) {
		r.line(withoutEscapes(strings.TrimRight(line, "\r\n")))
	}
	out := Clues{Places: append(r.lined, r.bare...)}
	for _, list := range [][]string{r.names, r.addresses, r.quotes, r.numbers} {
		for _, s := range list {
			out.Literals = appendUnique(out.Literals, s)
		}
	}
	out.IDs, out.Messages = Pasted(text)
	return out
}

// withoutEscapes takes the colours out of a line.
func withoutEscapes(line string) string {
	at := strings.IndexByte(line, 0x1b)
	if at < 0 {
		return line
	}
	var b strings.Builder
	for at >= 0 {
		b.WriteString(line[:at])
		line = strings.TrimPrefix(line[at+1:], "[")
		line = strings.TrimLeft(line, "0123456789;:?")
		if line != "" {
			line = line[1:]
		}
		at = strings.IndexByte(line, 0x1b)
	}
	return b.String() + line
}

// clueReader collects what the lines of a text name.
type clueReader struct {
	lined, bare                       []NamedPlace
	names, addresses, quotes, numbers []string
	heading                           string // a path that stands alone on a line: what follows is about it
	word                              string // the word before the one at hand
}

func (r *clueReader) line(s string) {
	trimmed := strings.TrimSpace(s)
	if trimmed == "" {
		r.heading = ""
		return
	}
	r.names = appendSome(r.names, missingNames(s)...)
	r.quotes = appendSome(r.quotes, quotations(s)...)
	if n, _ := position(":" + trimmed); n > 0 && r.heading != "" && trimmed != s {
		r.add(r.heading, n, trimmed)
	}
	if pathLike(trimmed) && pathEnd(trimmed, 0) == len(trimmed) {
		r.heading = trimmed
	}
	r.word = ""
	for i := 0; i < len(s); {
		if !pathByte(s[i]) {
			i++
			continue
		}
		i = r.token(s, i, trimmed)
	}
}

// token takes the word that begins at i, and gives where to go on.
func (r *clueReader) token(s string, i int, line string) int {
	end := pathEnd(s, i)
	if rest := s[end:]; strings.HasPrefix(rest, "://") {
		if scheme := s[i:end]; scheme != "file" && scheme != "webpack" {
			return r.address(s, i)
		}
		return end + len("://")
	}
	word := strings.TrimRight(s[i:end], ".")
	n, after := position(s[end:])
	switch {
	case n > 0 && pathLike(word):
		r.add(word, n, line)
		end += after
	case n > 0 && hasLetter(word) && s[end] == ':': // Makefile:5, but localhost:8000 as well
		r.add(word, n, line)
	case pathLike(word):
		r.add(word, 0, line)
	case numeric(word) && i > 0 && s[i-1] == ':' && n > 0 && s[end] == ':': // node:async_hooks:206:9
		end += after
	case numeric(word) && !counts(r.word):
		r.numbers = appendSome(r.numbers, strings.TrimLeft(word, "+-"))
	}
	r.word = word
	return end
}

func (r *clueReader) add(path string, line int64, text string) {
	path = strings.ReplaceAll(path, `\`, "/")
	for strings.HasPrefix(path, "./") {
		path = path[2:]
	}
	if path == "" {
		return
	}
	list := &r.bare
	if line > 0 {
		list = &r.lined
	}
	for _, have := range *list {
		if have.Path == path && have.Line == line {
			return
		}
	}
	if len(*list) < maxPlaces {
		frame := strings.Contains(text, "*** [")
		*list = append(*list, NamedPlace{Path: path, Line: line, Text: strings.Clone(text), Frame: frame})
	}
}

// address takes a web address: all of it, its host with the port, the port.
func (r *clueReader) address(s string, i int) int {
	end := i
	for end < len(s) && s[end] > ' ' && strings.IndexByte("\"'<>()[]{}|`\\", s[end]) < 0 {
		end++
	}
	whole := strings.TrimRight(s[i:end], ".,;:!?")
	if whole == "" {
		return max(end, i+1)
	}
	r.addresses = appendSome(r.addresses, whole)
	_, host, _ := strings.Cut(whole, "://")
	host, _, _ = strings.Cut(host, "/")
	if at := strings.LastIndexByte(host, ':'); at > 0 && numeric(host[at+1:]) {
		r.addresses = appendSome(r.addresses, host)
		r.numbers = appendSome(r.numbers, host[at+1:])
	}
	return max(end, i+1)
}

// position reads the line number that stands behind a path, in the shapes in
// which tools write it, and how many bytes that takes.
func position(s string) (line int64, size int) {
	for _, shape := range [...]string{":", "(", `", line `, "', line ", ", line ", ": line ", ":line ", " line ", " on line ", "#L"} {
		if !strings.HasPrefix(s, shape) {
			continue
		}
		n, digits := leadingNumber(s[len(shape):])
		if n == 0 {
			continue
		}
		size = len(shape) + digits
		for size+1 < len(s) && (s[size] == ':' || s[size] == ',') {
			_, more := leadingNumber(s[size+1:])
			if more == 0 {
				break
			}
			size += 1 + more
		}
		if size < len(s) && (wordByte(s[size]) || s[size] == '/') {
			return 0, 0
		}
		return n, size
	}
	return 0, 0
}

func leadingNumber(s string) (n int64, size int) {
	for size < len(s) && size < 9 && s[size] >= '0' && s[size] <= '9' {
		n = n*10 + int64(s[size]-'0')
		size++
	}
	return n, size
}

func appendSome(list []string, more ...string) []string {
	for _, s := range more {
		if len(list) < maxLiterals && len(s) <= maxLiteral {
			list = appendUnique(list, s)
		}
	}
	return list
}

func appendUnique(list []string, s string) []string {
	for _, have := range list {
		if have == s {
			return list
		}
	}
	return append(list, strings.Clone(s))
}
