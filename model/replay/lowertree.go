package replay

import (
	"path"
	"slices"
	"strings"
)

// reach is what a command line may have changed.
type reach struct {
	cwd   string   // that relative paths of the dialect start from; empty: not known
	names []string // files, in every spelling that a dialect may track
	words []string // files, folders and patterns, cleaned and from the root where that is known
	trees []tree
	// written are the files that it has written if it ended well.
	written []wrote
}

// tree is a folder of which a command may have changed all, unless a word of it
// names a file that is tracked or a folder of such.
type tree struct {
	folder string // empty: not known which
	words  []string
}

// placers are the programs whose last word is where the others go: into a
// folder, nothing but these comes.
var placers = []string{"cp", "install", "ln", "mv"}

// command takes in what a program that writes was given.
func (r *reach) command(name string, args []string, dir string) {
	t := tree{folder: dir}
	if name == "git" {
		if i := slices.Index(args, "-C"); i >= 0 && i+1 < subcommandAt(args) {
			t.folder = join(dir, args[i+1])
		}
		args = args[subcommandAt(args):]
	}
	for i, word := range args {
		r.names = append(r.names, spellings(word, r.cwd, t.folder)...)
		if word == "" || strings.HasPrefix(word, "-") {
			continue
		}
		if last := i == len(args)-1; last && slices.Contains(placers, name) {
			for _, from := range args[:i] {
				t.words = append(t.words, join(t.folder, word+"/"+path.Base(from)))
			}
			continue
		}
		// Go's packages below a folder are written folder/...
		t.words = append(t.words, join(t.folder, strings.TrimSuffix(word, "/...")))
	}
	r.words = append(r.words, t.words...)
	if rewrites := writers[name].tree; rewrites != nil && rewrites(args) {
		r.trees = append(r.trees, t)
	}
}

// of lists the tracked files that are in reach.
func (r *reach) of(tracked map[string]*file) (hit []string) {
	for _, name := range r.names {
		if tracked[name] != nil {
			hit = append(hit, name)
		}
	}
	if len(r.words)+len(r.trees) == 0 {
		return hit
	}
	within := func(name string, words []string) bool {
		full := join(r.cwd, name)
		return slices.ContainsFunc(words, func(word string) bool { return covers(word, full) })
	}
	for name := range tracked {
		if within(name, r.words) {
			hit = append(hit, name)
		}
	}
	for _, t := range r.trees {
		var all []string
		named := false
		for name := range tracked {
			named = named || within(name, t.words)
			if t.folder == "" || covers(path.Clean(t.folder), join(r.cwd, name)) {
				all = append(all, name)
			}
		}
		if !named {
			hit = append(hit, all...)
		}
	}
	return hit
}

// covers reports whether a word of a command names a file or a folder above it.
// Both are cleaned; a word may be a pattern of the shell's.
func covers(word, name string) bool {
	switch {
	case word == name || word == "/" && path.IsAbs(name):
		return true
	case word == ".":
		return !path.IsAbs(name) && name != ".." && !strings.HasPrefix(name, "../")
	case !strings.ContainsAny(word, "*?["):
		return strings.HasPrefix(name, word+"/")
	}
	if above, _, ok := strings.Cut(word, "**"); ok {
		return strings.HasPrefix(name, above[:strings.LastIndexByte(above, '/')+1])
	}
	parts, of := strings.Split(name, "/"), strings.Count(word, "/")+1
	if len(parts) < of {
		return false
	}
	ok, err := path.Match(word, strings.Join(parts[:of], "/"))
	return ok && err == nil
}

func always([]string) bool { return true }

// namesNothing: behind the subcommand come options only, so that the program
// takes the folder that it runs in.
func namesNothing(args []string) bool {
	rest := args[min(subcommandAt(args)+1, len(args)):]
	return !slices.ContainsFunc(rest, func(a string) bool { return !strings.HasPrefix(a, "-") })
}

// gitRewrites reports whether a git command may rewrite the work tree, or
// clean it, beyond what it names.
func gitRewrites(args []string) bool {
	at := subcommandAt(args)
	rest := args[min(at+1, len(args)):]
	has := func(options ...string) bool {
		return slices.ContainsFunc(rest, func(a string) bool { return slices.Contains(options, a) })
	}
	named := slices.Contains(rest, "--") && rest[len(rest)-1] != "--"
	switch subcommand(args) {
	case "am", "cherry-pick", "merge", "pull", "rebase", "revert":
		return !has("--dry-run")
	case "apply":
		return !has("--check", "--stat", "--numstat", "--summary", "--cached")
	case "checkout", "switch":
		fresh := has("-b", "-B", "-c", "-C", "--create", "--orphan") && len(rest) == 2
		return !named && !fresh && len(rest) > 0
	case "clean":
		return !named && !has("-n", "--dry-run") && slices.ContainsFunc(rest, func(a string) bool {
			return a == "--force" || strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--") && strings.Contains(a, "f") && !strings.Contains(a, "n")
		})
	case "reset":
		return has("--hard", "--merge", "--keep")
	case "stash":
		return !named && !has("list", "show", "drop", "clear", "create", "store")
	}
	return false
}
