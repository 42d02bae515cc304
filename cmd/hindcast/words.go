package main

import (
	"os"
	"regexp"
	"slices"
	"strings"

	"hindcast/inspector/command"
)

var negative = regexp.MustCompile(`^-[0-9]+$`)

// protect rewrites arguments that a flag parser would take for flags though no
// flag looks like them: a negative seq, and a filter that begins with a
// negation.
func protect(words []string) []string {
	verb := verbOf(words)
	if verb == nil {
		return words
	}
	out := make([]string, len(words))
	for i, w := range words {
		switch {
		case w == "--":
			copy(out[i:], words[i:])
			return out
		case verb.Complete == command.CompleteAddress && negative.MatchString(w) && (i == 0 || !counts(verb, words[i-1])):
			w = "seq:" + w
		case verb.Complete == command.CompleteFilter && negation(w):
			w = " " + w // which the filter skips
		}
		out[i] = w
	}
	return out
}

// counts tells whether a word is a flag of the verb that takes a number.
func counts(verb *command.Command, word string) bool {
	for _, f := range verb.Flags {
		if f.Kind == command.FlagInt && (word == "--"+f.Name || f.Short != "" && word == "-"+f.Short) {
			return true
		}
	}
	return false
}

// negation tells a filter such as -kind:error from a flag: no short flag with
// its value holds a colon, a parenthesis, a quote or a space, but for -d's.
func negation(w string) bool {
	return len(w) > 2 && w[0] == '-' && w[1] != '-' && w[1] != 'd' && strings.ContainsAny(w, ":(\" ")
}

func verbOf(words []string) *command.Command {
	for _, w := range words {
		if c, ok := command.Find(w); ok {
			return c
		}
	}
	return nil
}

// wantsJSON looks for --json among words that may not even parse.
func wantsJSON(words []string) bool {
	for _, w := range words {
		switch w {
		case "--json", "--json=true":
			return true
		case "--":
			return false
		}
	}
	return false
}

// split tells a verb's arguments from the dump behind them.
func (p *program) split(c *command.Command, reads command.Input, list []string) (args, dumps []string, err error) {
	switch {
	case reads == command.InputNone && len(list) == 2 && list[0] == command.Try:
		dumps = p.dumps
		if env := p.getenv("HINDCAST_DUMP"); len(dumps) == 0 && env != "" {
			dumps = []string{env}
		}
		return append(slices.Clip(list), dumps...), nil, nil
	case reads == command.InputNone:
		return list, nil, nil
	case reads == command.InputDumps:
		return p.allDumps(c, list)
	case len(p.dumps) > 0:
		return list, p.dumps, nil
	}
	if n := len(list); n > 0 && isDump(list[n-1]) {
		return list[:n-1], list[n-1:], nil
	}
	if n := len(list); n > 0 && (n > c.Max || p.getenv("HINDCAST_DUMP") == "" && looksLikePath(list[n-1])) {
		return nil, nil, &missingDump{list[n-1]}
	}
	if env := p.getenv("HINDCAST_DUMP"); env != "" {
		return list, []string{env}, nil
	}
	return nil, nil, &command.UsageError{
		Message: c.Name + ": no dump named",
		Hint:    "put it last (hindcast " + c.Usage() + "), or use -d DUMP or $HINDCAST_DUMP; - is standard input, demo: the embedded demo",
	}
}

// allDumps: the positionals are dumps, behind those of -d; without any, the
// environment's.
func (p *program) allDumps(c *command.Command, list []string) (args, dumps []string, err error) {
	dumps = append(append([]string{}, p.dumps...), list...)
	if env := p.getenv("HINDCAST_DUMP"); len(dumps) == 0 && env != "" {
		dumps = []string{env}
	}
	if len(dumps) == 0 && c.Name == "open" && p.session == "" && p.dialect == "" {
		return nil, nil, nil // one is to be chosen
	}
	if len(dumps) == 0 {
		return nil, nil, &command.UsageError{
			Message: "no dump named",
			Hint:    "hindcast " + c.Usage() + "; - is standard input, hindcast demo opens the embedded demo, hindcast help lists the verbs",
		}
	}
	for _, d := range dumps {
		if isDump(d) {
			continue
		}
		if c.Name == "open" && !looksLikePath(d) {
			return nil, nil, &command.UsageError{Message: "no verb and no dump " + d, Hint: suggestion(d)}
		}
		return nil, nil, &missingDump{d}
	}
	return dumps, dumps, nil
}

// suggestion names the verb that a mistyped one may have meant.
func suggestion(word string) string {
	best, cost := "", 2+len(word)/5
	for _, c := range command.All() {
		if d := distance(word, c.Name); d < cost {
			best, cost = c.Name, d
		}
	}
	if best == "" {
		return "hindcast help lists the verbs"
	}
	return "did you mean " + best + "?"
}

// distance counts the letters to change, add or drop between two short words.
func distance(a, b string) int {
	if len(a) > 20 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0]++
		for j := range len(b) {
			change := before
			if a[i] != b[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = min(change, before+1, row[j]+1)
		}
	}
	return row[len(b)]
}

// isDump is the rule for the last positional.
func isDump(word string) bool {
	if word == "-" || word == demoDump || strings.Contains(word, "://") {
		return true
	}
	_, err := os.Lstat(word)
	return err == nil
}

// demoDump is how the embedded demo is named on the command line.
const demoDump = "demo:"

func looksLikePath(word string) bool {
	return strings.ContainsAny(word, `/\`) || regexp.MustCompile(`^[^\s:()"]+\.[A-Za-z][A-Za-z0-9]{0,9}$`).MatchString(word)
}

// missingDump is a dump that does not exist.
type missingDump struct{ path string }

// Error names it.
func (e *missingDump) Error() string { return "no dump " + e.path + ": it does not exist" }
