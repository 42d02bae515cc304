package openhands

import (
	"strings"
)

// pack is a packaging that file names tell.
type pack uint8

const (
	packNone     pack = iota
	packFolder        // event-NNNNN-<id>.json, V1 persisted
	packCloud         // event_NNNNNN_<id>.json, V1 Cloud export
	packStore         // <32hex>.json, V1 app-server store
	packOldStore      // YYYYMMDDHHMMSS_<Kind>_<32hex>, the same of 2025-11
	packV0            // events/<N>.json, V0 file store
	packV0Cache       // event_cache/<a>-<b>.json, copies in pages
)

// place is what a file's name tells: which packaging, which conversation's
// folder, and its number there.
type place struct {
	pack pack
	root string // folder of the conversation; "" for the dump's own
	key  int64
	id   string // of the event, where the name holds it
}

// placeOf reads a file's name.
func placeOf(path string) place {
	dir, base := splitPath(path)
	switch {
	case strings.HasPrefix(base, "event-"):
		if key, id, ok := numbered(base[len("event-"):], '-', 5); ok {
			return place{packFolder, withoutLast(dir, "events"), key, id}
		}
	case strings.HasPrefix(base, "event_"):
		if key, id, ok := numbered(base[len("event_"):], '_', 6); ok {
			return place{packCloud, dir, key, id}
		}
	}
	stem, isJSON := strings.CutSuffix(base, ".json")
	switch {
	case isJSON && isHex32(stem):
		return place{packStore, dir, 0, stem}
	case !isJSON && isStamped(base):
		return place{packOldStore, dir, 0, base[len(base)-32:]}
	case isJSON && lastOf(dir) == "events" && isDigits(stem) && len(stem) <= 18:
		return place{packV0, withoutLast(dir, "events"), atoi(stem), ""}
	case isJSON && lastOf(dir) == "event_cache":
		if from, _, ok := strings.Cut(stem, "-"); ok && isDigits(from) && len(from) <= 18 {
			return place{packV0Cache, withoutLast(dir, "event_cache"), atoi(from), ""}
		}
	}
	return place{}
}

// numbered reads "<digits><sep><id>.json". At least min digits: writers pad to
// that many and go on with more.
func numbered(s string, sep byte, min int) (key int64, id string, ok bool) {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	id, isJSON := strings.CutSuffix(s[n:], ".json")
	if n < min || n > 18 || !isJSON || len(id) < 9 || id[0] != sep {
		return 0, "", false
	}
	id = id[1:]
	for i := range len(id) {
		if !isHexByte(id[i]) && id[i] != '-' {
			return 0, "", false
		}
	}
	return atoi(s[:n]), id, true
}

// isStamped reports whether a name is YYYYMMDDHHMMSS_<Kind>_<32hex>.
func isStamped(name string) bool {
	stamp, rest, ok := strings.Cut(name, "_")
	if !ok || len(stamp) != 14 || !isDigits(stamp) {
		return false
	}
	kind, id, ok := strings.Cut(rest, "_")
	return ok && kind != "" && isHex32(id)
}

func isHex32(s string) bool {
	for i := range len(s) {
		if !isHexByte(s[i]) {
			return false
		}
	}
	return len(s) == 32
}

func isHexByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// atoi reads at most 18 digits.
func atoi(digits string) (n int64) {
	for i := range len(digits) {
		n = n*10 + int64(digits[i]-'0')
	}
	return n
}

func splitPath(path string) (dir, base string) {
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		return path[:i], path[i+1:]
	}
	return "", path
}

// lastOf is the last folder of a path.
func lastOf(dir string) string {
	_, last := splitPath(dir)
	return last
}

// withoutLast takes a trailing folder off a path, if it is there.
func withoutLast(dir, last string) string {
	if lastOf(dir) != last {
		return dir
	}
	up, _ := splitPath(dir)
	return up
}

// joinPath is the inverse of splitPath.
func joinPath(dir, base string) string {
	if dir == "" {
		return base
	}
	return dir + "/" + base
}

// parentRoot is the folder of the conversation that a sub-agent's folder
// stands in: <root>/subagents/<hex>.
func parentRoot(root string) (string, bool) {
	up, _ := splitPath(root)
	if lastOf(up) != "subagents" {
		return "", false
	}
	parent, _ := splitPath(up)
	return parent, true
}

// baseName is a file's name without folders and without the endings of its
// format.
func baseName(path string) string {
	_, base := splitPath(path)
	for _, ext := range []string{".gz", ".zst", ".jsonl", ".ndjson", ".json", ".log", ".txt"} {
		if stem, ok := strings.CutSuffix(base, ext); ok && stem != "" {
			base = stem
		}
	}
	return base
}

// sessionName writes a conversation's id as its folder does: hexadecimal
// without dashes. Other names stay as they are.
func sessionName(id string) string {
	if bare := strings.ReplaceAll(id, "-", ""); isHex32(bare) {
		return strings.ToLower(bare)
	}
	return id
}
