package model

import (
	"strconv"
	"strings"
)

// StatePath is a place in the state document as a person writes it.
type StatePath struct {
	Pointer string // JSON Pointer (RFC 6901)
	File    string // the file, where the place is a file or in one
	Line    int64  // 1-based; 0: none
}

// stateRoots are the members of the state document.
var stateRoots = []string{"status", "context", "files", "shell", "tasks", "pending", "usage", "errors", "checkpoint", "vars"}

// ParseStatePath reads a place in the state document: a JSON Pointer,
// `file:PATH`, `file:PATH:LINE`, or the short form `errors.count`. ok is false
// where the text is none of these; the empty text is the whole document.
func ParseStatePath(s string) (StatePath, bool) {
	switch {
	case s == "" || s == "/":
		return StatePath{}, true
	case strings.HasPrefix(s, "file:"):
		return filePath(s[len("file:"):])
	case s[0] == '/':
		p := StatePath{Pointer: strings.TrimSuffix(s, "/")}
		if rest, ok := strings.CutPrefix(p.Pointer, PathFiles+"/"); ok {
			name, _, _ := strings.Cut(rest, "/")
			p.File = UnescapePointer(name)
		}
		return p, knownRoot(p.Pointer[1:])
	}
	if !knownRoot(s) {
		return StatePath{}, false
	}
	return StatePath{Pointer: "/" + strings.ReplaceAll(s, ".", "/")}, true
}

func filePath(s string) (StatePath, bool) {
	p := StatePath{File: s}
	if at := strings.LastIndexByte(s, ':'); at > 0 {
		if n, err := strconv.ParseInt(s[at+1:], 10, 64); err == nil && n > 0 {
			p.File, p.Line = s[:at], n
		}
	}
	p.Pointer = PathFiles + "/" + EscapePointer(p.File)
	return p, p.File != ""
}

func knownRoot(s string) bool {
	if at := strings.IndexAny(s, "/."); at >= 0 {
		s = s[:at]
	}
	for _, r := range stateRoots {
		if s == r {
			return true
		}
	}
	return false
}

// EscapePointer writes a key as a JSON Pointer token (RFC 6901).
func EscapePointer(key string) string {
	return strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
}

// UnescapePointer is the inverse of EscapePointer.
func UnescapePointer(token string) string {
	return strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
}
