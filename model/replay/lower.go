package replay

import (
	"path"
	"slices"
	"strings"
)

// A command may have changed a file if the command is one that writes, and the
// file or a folder above it is a word of it; or if it is one that rewrites a
// work tree without naming what. A redirection changes its target and no other
// word.

// rule says when a program writes the files that it names.
type rule struct {
	short string   // letters of which one must stand in a cluster of short options: "i" of -i, -Ei
	with  []string // words of which one must be there, alone or with =
	subs  []string // subcommands that write; the first word that is no option must be one
	not   []string // options with which it only looks
	// tree reports whether it may rewrite files that it does not name, all of
	// those below its directory. Where a word of it is tracked, it names what it
	// writes.
	tree func(args []string) bool
}

// writers are the programs that write the files that they name, formatters
// among them.
var writers = map[string]rule{
	"autopep8":     {short: "i", with: []string{"--in-place"}},
	"black":        {not: []string{"--check", "--diff"}},
	"cargo":        {subs: []string{"fix", "fmt"}, not: []string{"--check"}, tree: always},
	"clang-format": {short: "i"},
	"cp":           {},
	"dart":         {subs: []string{"format"}},
	"deno":         {subs: []string{"fmt"}, not: []string{"--check"}, tree: namesNothing},
	"eslint":       {with: []string{"--fix"}},
	"git": {subs: []string{
		"am", "apply", "checkout", "cherry-pick", "clean", "merge", "mv", "pull", "rebase", "reset", "restore", "revert", "rm", "stash", "switch",
	}, tree: gitRewrites},
	"go":          {subs: []string{"fmt", "fix"}, tree: namesNothing},
	"gofmt":       {short: "w"},
	"gofumpt":     {short: "w"},
	"goimports":   {short: "w"},
	"install":     {},
	"isort":       {not: []string{"--check", "--check-only", "-c", "--diff"}},
	"ln":          {},
	"mv":          {},
	"patch":       {not: []string{"--dry-run"}, tree: always},
	"perl":        {short: "i"},
	"prettier":    {short: "w", with: []string{"--write"}},
	"rm":          {},
	"rsync":       {},
	"ruff":        {with: []string{"format", "--fix"}, not: []string{"--check", "--diff"}, tree: namesNothing},
	"rustfmt":     {not: []string{"--check"}},
	"sed":         {short: "i", with: []string{"--in-place"}},
	"shfmt":       {short: "w", with: []string{"--write"}},
	"shred":       {},
	"swiftformat": {},
	"tee":         {},
	"terraform":   {subs: []string{"fmt"}, tree: namesNothing},
	"truncate":    {},
	"unlink":      {},
	"yapf":        {short: "i", with: []string{"--in-place"}},
}

// wrappers run the command that their other words make.
var wrappers = []string{
	"!", "{", "builtin", "command", "do", "doas", "elif", "else", "env", "exec", "if", "nice", "nohup", "npx", "sudo", "then", "time", "timeout", "until", "while", "xargs",
}

// shells take a command line behind -c.
var shells = []string{"ash", "bash", "dash", "ksh", "sh", "zsh"}

// nested is how many shells within shells are looked into.
const nested = 3

// changedBy tells what a command line run in directory cwd (empty: not known)
// may have changed.
func changedBy(line, cwd string) reach {
	r := reach{cwd: cwd}
	r.line(line, cwd, nested)
	return r
}

func (r *reach) line(line, dir string, depth int) {
	for _, c := range split(line) {
		for _, target := range c.targets {
			r.names = append(r.names, spellings(target, r.cwd, dir)...)
		}
		name, args := c.program()
		switch {
		case name == "cd" && len(args) > 0:
			dir = join(dir, args[0])
		case depth > 0 && slices.Contains(shells, name):
			if i := slices.IndexFunc(args, isScriptOption); i >= 0 && i+1 < len(args) {
				r.line(args[i+1], dir, depth-1)
			}
		case writes(name, args):
			r.command(name, args, dir)
		}
	}
}

func isScriptOption(word string) bool {
	return strings.HasPrefix(word, "-") && !strings.HasPrefix(word, "--") && strings.HasSuffix(word, "c")
}

// program is the name of what runs, and its other words: behind assignments,
// wrappers and their options.
func (c simple) program() (string, []string) {
	wrapped := false
	for i, word := range c.words {
		switch {
		case word == "":
			return "", nil
		case slices.Contains(wrappers, word):
			wrapped = true
		case wrapped && strings.IndexByte("-0123456789", word[0]) >= 0: // its options, and how long or how nice
		case isAssignment(word):
		default:
			return path.Base(word), c.words[i+1:]
		}
	}
	return "", nil
}

func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

func writes(name string, args []string) bool {
	r, ok := writers[name]
	if !ok || slices.ContainsFunc(args, func(a string) bool { return slices.Contains(r.not, a) }) {
		return false
	}
	switch {
	case r.subs != nil:
		return slices.Contains(r.subs, subcommand(args))
	case r.short != "" || r.with != nil:
		return slices.ContainsFunc(args, r.switchesOn)
	}
	return true
}

// subcommand is the first word that is no option nor the value of one of git's.
func subcommand(args []string) string {
	if i := subcommandAt(args); i < len(args) {
		return args[i]
	}
	return ""
}

func subcommandAt(args []string) int {
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "-C" || a == "-c":
			i++
		case !strings.HasPrefix(a, "-"):
			return i
		}
	}
	return len(args)
}

func (r rule) switchesOn(arg string) bool {
	if strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "--") {
		cluster, _, _ := strings.Cut(arg[1:], "e") // -e takes the rest as its script
		return r.short != "" && strings.Contains(cluster, r.short)
	}
	name, _, _ := strings.Cut(arg, "=")
	return slices.Contains(r.with, name)
}

// spellings are the paths by which a dialect may track a word of a command run
// in dir: as written, cleaned, below the directory, and relative to cwd.
func spellings(word, cwd, dir string) []string {
	if word == "" {
		return nil
	}
	full := join(dir, word)
	out := []string{word, path.Clean(word), full}
	if rest, ok := strings.CutPrefix(full, strings.TrimSuffix(cwd, "/")+"/"); ok && cwd != "" {
		out = append(out, rest)
	}
	return out
}

func join(dir, word string) string {
	if path.IsAbs(word) {
		return path.Clean(word)
	}
	return path.Join(dir, word)
}
