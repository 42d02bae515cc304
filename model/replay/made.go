package replay

import (
	"path"
	"slices"
	"strings"

	"hindcast/model"
)

// A command that ended well has written the files that its output was sent to,
// and those that it was told to edit in place. Where one is not tracked, it is
// from here on: as a file of which nothing is known but that this command may
// have written it. A command that may not have been reached tells nothing.

// editors give the files among the words of a program that rewrites them.
var editors = map[string]func(args []string) []string{
	"perl": func(args []string) []string { return scripted(args, "eE") },
	"sed":  func(args []string) []string { return scripted(args, "ef") },
	"tee":  operands,
}

// branching are the words with which not all of a line need be reached.
var branching = []string{
	"break", "case", "continue", "do", "elif", "else", "exec", "exit", "for", "function", "if", "return", "select", "then", "trap", "until", "while", "xargs", "{",
}

// made takes in the files that a line which ended well has written; false where
// not all of it need have been reached.
func (r *reach) made(line, dir string, depth int) bool {
	if mayBranch(line) {
		return false
	}
	for _, c := range split(line) {
		if slices.ContainsFunc(c.words, func(w string) bool { return slices.Contains(branching, w) }) {
			return false
		}
		name, args := c.program()
		written := c.targets
		if files := editors[name]; files != nil && writes(name, args) {
			written = slices.Concat(written, files(args))
		}
		for _, word := range written {
			if isPlain(word) {
				r.written = append(r.written, wrote{join(dir, word), spellings(word, r.cwd, dir)})
			}
		}
		switch {
		case name == "cd" && (len(args) != 1 || !isPlain(args[0]) || args[0] == "-"), name == "pushd", name == "popd":
			return true // where the rest runs is not known
		case name == "cd":
			dir = join(dir, args[0])
		case depth > 0 && slices.Contains(shells, name):
			if i := slices.IndexFunc(args, isScriptOption); i >= 0 && i+1 < len(args) && !r.made(args[i+1], dir, depth-1) {
				return false
			}
		}
	}
	return true
}

// mayBranch reports an operator of the shell that may pass over commands, or
// run some in a shell of their own.
func mayBranch(line string) bool {
	return strings.Contains(line, "||") || strings.ContainsAny(line, "()`")
}

// isPlain reports a word that is the name of a file as it stands: nothing in it
// is expanded, and it is no device.
func isPlain(word string) bool {
	return word != "" && !strings.ContainsAny(word, "$*?[{") && strings.IndexByte("~-", word[0]) < 0 && !strings.HasPrefix(word, "/dev/")
}

// operands are the words that are no options.
func operands(args []string) []string {
	return slices.DeleteFunc(slices.Clone(args), func(a string) bool { return strings.HasPrefix(a, "-") })
}

// scripted are the operands behind the script, which is the first of them where
// no option (a cluster that ends in one of letters) brings it.
func scripted(args []string, letters string) (files []string) {
	brought := false
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case strings.HasPrefix(a, "--expression=") || strings.HasPrefix(a, "--file="):
			brought = true
		case a == "--expression" || a == "--file" || len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.IndexByte(letters, a[len(a)-1]) >= 0:
			brought = true
			i++
		case strings.HasPrefix(a, "-e"):
			brought = true
		case a != "" && !strings.HasPrefix(a, "-"): // BSD's sed takes an empty suffix as a word
			files = append(files, a)
		}
	}
	if !brought && len(files) > 0 {
		files = files[1:]
	}
	return files
}

// wrote is a file that a command has written: its path from the directory that
// the command ran in, and how a dialect may track it.
type wrote struct {
	path      string
	spellings []string
}

// found tracks the files that a command has written and nobody tracked.
func (f *files) found(s *step, made []wrote) {
	for _, w := range made {
		if path.Clean(w.path) == "." || slices.ContainsFunc(w.spellings, func(name string) bool { return f.tracked[name] != nil }) {
			continue
		}
		f.put(s, w.path, newFile(nil, model.CertaintyUnknown, nil))
	}
}
