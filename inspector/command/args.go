package command

import (
	"strconv"
	"strings"

	"hindcast/model"
)

// Args are a verb's arguments and the flags that were given.
type Args struct {
	List  []string
	flags map[string]string
}

// NewArgs makes arguments from positionals and the flags that were given, by
// long name; a switch that is on has the value true.
func NewArgs(list []string, flags map[string]string) Args { return Args{List: list, flags: flags} }

// At is the i-th argument, empty if there are fewer.
func (a Args) At(i int) string {
	if i >= len(a.List) {
		return ""
	}
	return a.List[i]
}

// Text is a flag's value, empty where it was not given.
func (a Args) Text(name string) string { return a.flags[name] }

// Has reports whether a flag was given.
func (a Args) Has(name string) bool { _, ok := a.flags[name]; return ok }

// Bool is the value of a switch.
func (a Args) Bool(name string) bool { return a.flags[name] == "true" }

// Int is a number flag's value, or otherwise where it was not given.
func (a Args) Int(name string, otherwise int) int {
	n, err := strconv.Atoi(a.flags[name])
	if err != nil {
		return otherwise
	}
	return n
}

// Check refuses a wrong number of arguments and flag values that are not of
// their kind.
func (c *Command) Check(a Args) error {
	if len(a.List) < c.Min {
		return usage(c.Name+": an argument is missing", "usage: "+c.Usage())
	}
	if c.Max >= 0 && len(a.List) > c.Max {
		return usage(c.Name+": unexpected argument "+strconv.Quote(a.List[c.Max]), "usage: "+c.Usage())
	}
	for _, f := range c.Flags {
		v, given := a.flags[f.Name]
		if !given {
			continue
		}
		switch f.Kind {
		case FlagInt:
			if n, err := strconv.Atoi(v); err != nil || n < 0 {
				return usage("--"+f.Name+": "+strconv.Quote(v)+" is not a number from 0", "write --"+f.Name+" 20")
			}
		case FlagBool:
			if v != "true" && v != "false" {
				return usage("--"+f.Name+": "+strconv.Quote(v)+" is neither true nor false", "a switch needs no value")
			}
		case FlagText:
			if len(f.Words) > 0 && !contains(f.Words, v) {
				return usage("--"+f.Name+": no such value "+strconv.Quote(v), "one of "+strings.Join(f.Words, " "))
			}
		}
	}
	if err := c.checkAddresses(a); err != nil || c.Validate == nil {
		return err
	}
	return c.Validate(a)
}

// checkAddresses refuses texts that are no address in any reading; a place in
// the state may stand among them.
func (c *Command) checkAddresses(a Args) error {
	var list []string
	if c.Complete == CompleteAddress {
		for _, text := range a.List {
			if !isPath(text) {
				list = append(list, text)
			}
		}
	}
	for _, f := range c.Flags {
		if v, ok := a.flags[f.Name]; ok && f.Complete == CompleteAddress {
			list = append(list, v)
		}
	}
	for _, text := range list {
		if _, err := model.ParseAddress(text); err != nil {
			return err
		}
	}
	return nil
}

func contains(list []string, s string) bool {
	for _, have := range list {
		if have == s {
			return true
		}
	}
	return false
}

// ParseArgs sorts words into arguments and flags: --name value, --name=value,
// -n value, switches, and -- before arguments that start with a dash. A
// negative number is an argument.
func (c *Command) ParseArgs(words []string) (Args, error) {
	a := Args{flags: map[string]string{}}
	for i := 0; i < len(words); i++ {
		w := words[i]
		if w == "--" {
			a.List = append(a.List, words[i+1:]...)
			break
		}
		if len(w) < 2 || w[0] != '-' || w[1] >= '0' && w[1] <= '9' {
			a.List = append(a.List, w)
			continue
		}
		name, value, inline := strings.Cut(strings.TrimLeft(w, "-"), "=")
		f, ok := c.flag(name)
		if !ok || len(name) == 1 && strings.HasPrefix(w, "--") || len(name) > 1 && !strings.HasPrefix(w, "--") {
			return a, usage(c.Name+": unknown flag "+w, "see help "+c.Name)
		}
		switch {
		case inline:
		case f.Kind == FlagBool:
			value = "true"
		case i+1 < len(words):
			i++
			value = words[i]
		default:
			return a, usage(c.Name+": --"+f.Name+" needs a value", "write --"+f.Name+" "+f.Value)
		}
		a.flags[f.Name] = value
	}
	return a, c.Check(a)
}

// SplitLine splits a typed line into words: white space separates, single and
// double quotes group, and a backslash takes the next character as it is,
// outside of single quotes. Nothing is expanded.
func SplitLine(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	var quote rune
	open, escaped := false, false
	for _, r := range line {
		switch {
		case escaped:
			if quote == '"' && r != '"' && r != '\\' {
				word.WriteByte('\\')
			}
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			escaped, open = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, open = r, true
		case quote == 0 && (r == ' ' || r == '\t'):
			if open {
				words = append(words, word.String())
				word.Reset()
				open = false
			}
		default:
			word.WriteRune(r)
			open = true
		}
	}
	if quote != 0 || escaped {
		return nil, usage("a quote or backslash at the end of the line that is not finished", "close the quote")
	}
	if open {
		words = append(words, word.String())
	}
	return words, nil
}
