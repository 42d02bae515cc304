package model

import "strings"

// maxLiteral bounds a literal, in bytes; minQuotation is the least that is worth
// a search.
const (
	maxLiteral   = 120
	minQuotation = 3
)

// What stands around a name that was looked for and not found.
var (
	beforeNames = [...]string{
		"undefined: ", "undefined reference to ", "undeclared name: ", "unknown field ", "undefined method ", "undefined variable ",
		"Undefined variable ", "unresolved reference: ", "no such table: ", "no such column: ", "command not found: ", "No module named ",
		"Cannot find name ", "Cannot find module ", "cannot find module ", "has no field or method ", "unexpected keyword argument ",
	}
	behindNames = [...]string{
		" is not defined", " is undefined", " is not a function", " is not declared", ": command not found", ": not found",
		" undefined (type ", " redeclared in this block", " was not declared in this scope",
	}
)

// missingNames lists the names that a line calls missing.
func missingNames(s string) []string {
	var out []string
	for _, phrase := range beforeNames {
		if _, rest, ok := strings.Cut(s, phrase); ok {
			rest = strings.TrimLeft(rest, "'\"`‘")
			out = appendName(out, rest[:nameEnd(rest)])
		}
	}
	for _, phrase := range behindNames {
		if before, _, ok := strings.Cut(s, phrase); ok {
			before = strings.TrimRight(before, "'\"`’")
			out = appendName(out, before[nameStart(before):])
		}
	}
	return out
}

func appendName(list []string, name string) []string {
	if name = strings.Trim(name, ".:-"); len(name) < 2 || !hasLetter(name) {
		return list
	}
	return append(list, name)
}

func nameByte(c byte) bool { return wordByte(c) || c == '.' || c == '-' || c == '$' }

func nameEnd(s string) int {
	i := 0
	for i < len(s) && nameByte(s[i]) {
		i++
	}
	return i
}

func nameStart(s string) int {
	i := len(s)
	for i > 0 && nameByte(s[i-1]) {
		i--
	}
	return i
}

// quotations lists what a line quotes. An apostrophe within a word quotes
// nothing.
func quotations(s string) []string {
	var out []string
	for i := 0; i < len(s) && len(out) < maxLiterals; i++ {
		c := s[i]
		if c != '"' && c != '\'' && c != '`' || i > 0 && wordByte(s[i-1]) {
			continue
		}
		end := strings.IndexByte(s[i+1:min(len(s), i+2+maxLiteral)], c)
		if end < 0 {
			continue
		}
		quoted, after := s[i+1:i+1+end], i+end+2
		if after < len(s) && wordByte(s[after]) {
			continue
		}
		if len(quoted) >= minQuotation && hasLetterOrDigit(quoted) && strings.TrimSpace(quoted) == quoted {
			out = append(out, quoted)
		}
		i += end + 1
	}
	return out
}

// numeric: a number that may be told from others, with a dot or of three digits
// and more.
func numeric(word string) bool {
	word = strings.TrimLeft(word, "+-")
	if len(word) < 3 || len(word) > 20 || strings.Trim(word, "0123456789.") != "" {
		return false
	}
	return word[0] != '.' && word[len(word)-1] != '.'
}

// counts: the number behind this word is of the report, not of the matter.
func counts(word string) bool {
	switch strings.ToLower(word) {
	case "line", "column", "col", "code", "status", "exit", "signal", "pid", "ms", "duration", "duration_ms":
		return true
	}
	return false
}

func wordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
}

func pathByte(c byte) bool { return wordByte(c) || strings.IndexByte(`.-/\~+@`, c) >= 0 }

// pathEnd is the end of the word of path characters at i; a drive letter with
// its colon is part of it.
func pathEnd(s string, i int) int {
	end := i
	for end < len(s) && pathByte(s[end]) {
		end++
	}
	if end == i+1 && hasLetter(s[i:end]) && end+1 < len(s) && s[end] == ':' && (s[end+1] == '\\' || s[end+1] == '/') && !strings.HasPrefix(s[end:], "://") {
		return pathEnd(s, end+1)
	}
	return end
}

// pathLike: a word with a folder or an extension in it.
func pathLike(word string) bool {
	if !hasLetter(word) {
		return false
	}
	if at := strings.LastIndexAny(word, `/\`); at >= 0 {
		return len(word) > 1
	}
	at := strings.LastIndexByte(word, '.')
	return at >= 0 && at+1 < len(word) && hasLetter(word[at+1:at+2]) && len(word)-at <= 12
}

func hasLetter(s string) bool {
	for i := range len(s) {
		if wordByte(s[i]) && (s[i] < '0' || s[i] > '9') && s[i] != '_' {
			return true
		}
	}
	return false
}

func hasLetterOrDigit(s string) bool { return hasLetter(s) || strings.ContainsAny(s, digits) }
