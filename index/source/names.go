package source

import (
	"path"
	"strings"
)

// packedSuffixes are the endings that make a file of a folder worth probing
// when it is listed. Files without one are probed when they are first read.
var packedSuffixes = append([]string{
	".gz", ".gzip", ".tgz", ".zst", ".zstd", ".tzst", ".bz2", ".tbz2", ".tbz", ".tar", ".zip", ".eval",
	".xz", ".txz", ".lz4", ".7z", ".rar",
}, databaseSuffixes...)

// databaseSuffixes are the endings that promise a database.
var databaseSuffixes = []string{".db", ".db3", ".sqlite", ".sqlite3", ".s3db", ".vscdb"}

// layerSuffixes are the endings that go from a name when its layer is undone.
var layerSuffixes = map[form][]string{
	formGzip:  {".gz", ".gzip"},
	formZstd:  {".zst", ".zstd"},
	formBzip2: {".bz2"},
}

func looksPacked(name string) bool { return hasSuffix(name, packedSuffixes) }

func looksLikeDatabase(name string) bool { return hasSuffix(name, databaseSuffixes) }

func hasSuffix(name string, suffixes []string) bool {
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 {
		return false
	}
	ext := strings.ToLower(name[dot:])
	for _, s := range suffixes {
		if ext == s {
			return true
		}
	}
	return false
}

// bareName takes the endings of the given layers, outermost first, off a name.
func bareName(name string, layers []form) string {
	for _, l := range layers {
		for _, s := range layerSuffixes[l] {
			cut := len(name) - len(s)
			if cut > 0 && strings.EqualFold(name[cut:], s) && name[cut-1] != '/' {
				name = name[:cut]
				break
			}
		}
	}
	return name
}

// junkReason says why a file that lies among others is not worth opening;
// empty where it may be. Only the last element of its path is looked at.
func junkReason(base string) string {
	switch base {
	case ".DS_Store", "Thumbs.db", "desktop.ini", "Icon\r":
		return "a file of the file manager"
	}
	lower := strings.ToLower(base)
	switch {
	case strings.HasPrefix(base, "._"):
		return "attributes that macOS keeps beside a file"
	case strings.HasSuffix(lower, ".lock"), strings.HasPrefix(base, ".~lock."), strings.HasPrefix(base, ".#"):
		return "a lock file"
	case strings.HasSuffix(lower, ".tmp"), strings.HasSuffix(lower, ".temp"), strings.HasSuffix(lower, ".part"),
		strings.HasSuffix(lower, ".partial"), strings.HasSuffix(lower, ".crdownload"),
		strings.HasSuffix(lower, ".swp"), strings.HasSuffix(lower, ".swo"), strings.HasSuffix(base, "~"):
		return "a temporary file"
	}
	return ""
}

// junkFolder says why a whole folder is left out; empty where it is not.
func junkFolder(base string) string {
	switch base {
	case ".git", ".hg", ".svn":
		return "a folder of version control"
	case "__MACOSX":
		return "attributes that macOS keeps beside files"
	}
	return ""
}

// memberName makes the name of an archive's member one that is relative and
// slash-separated. The reason is not empty where the member must be skipped:
// its name cannot be meant for a reader.
func memberName(raw string) (name, reason string) {
	if strings.IndexByte(raw, 0) >= 0 {
		return "", "its name holds a NUL byte"
	}
	name = raw
	if !strings.Contains(name, "/") {
		name = strings.ReplaceAll(name, `\`, "/") // written on Windows
	}
	if len(name) >= 2 && name[1] == ':' && (name[0]|0x20) >= 'a' && (name[0]|0x20) <= 'z' {
		return "", "its name is a path with a drive letter"
	}
	for _, part := range strings.Split(name, "/") {
		if part == ".." {
			return "", "its name leads out of the archive"
		}
	}
	name = strings.TrimPrefix(path.Clean("/"+name), "/")
	if name == "" {
		return "", "it has no name"
	}
	return name, ""
}

// memberJunk is junkReason for a path inside an archive.
func memberJunk(name string) string {
	dir, base := path.Split(name)
	for _, part := range strings.Split(dir, "/") {
		if why := junkFolder(part); why != "" {
			return why
		}
	}
	return junkReason(base)
}
