package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"hindcast/index/source"
	"hindcast/index/tomlfile"
)

// Keyboard knows the commands that keys can stand for.
type Keyboard interface {
	// Commands lists them with the keys that a preset gives them.
	Commands(preset string) []Command
	// Check says what is wrong with keys given to commands, over a preset; nil:
	// nothing.
	Check(preset string, keys map[string][]string) []KeyFault
}

// Command is something that a key does.
type Command struct {
	Name, About string
	Keys        []string
}

// KeyFault is keys that cannot be.
type KeyFault struct {
	Name    string // of the command
	Message string // with what is allowed
}

// Request says where to look for a configuration.
type Request struct {
	Path     string // of the file; empty: there is none
	Getenv   func(string) string
	NoColor  bool // --no-color
	NoMouse  bool // --no-mouse
	Keyboard Keyboard
}

// Result is a configuration with where it came from.
type Result struct {
	Config
	Path     string
	Exists   bool
	Values   []Value
	Problems []Problem
}

// Value is a setting as it holds.
type Value struct {
	Key, About string
	Allowed    []string // the words that it takes; nil: any
	Value      any      // string, bool or []string
	Default    any
	Source     string // default, file, environment, flag
	By         string // the variable or flag
	Line       int    // of the file, from 1
}

// Problem is something in the file (or a variable) that cannot be meant. The
// default holds in its place.
type Problem struct {
	File    string // or the name of a variable
	Line    int    // from 1; 0: the file as a whole
	Key     string
	Message string // with what is allowed
}

// Error says where it is and what is wrong.
func (p Problem) Error() string {
	at := p.File
	if p.Line > 0 {
		at += fmt.Sprintf(":%d", p.Line)
	}
	if p.Key != "" {
		at += ": " + p.Key
	}
	return at + ": " + p.Message
}

// sizeLimit bounds a configuration file.
const sizeLimit = 1 << 20

// loader puts a configuration together.
type loader struct {
	Request
	out   Result
	table []setting
	doc   tomlfile.Document
	from  map[string]Value // source, by and line, by key
}

// Load reads the configuration. It never fails: what is wrong stands in
// Problems, and holds nothing.
func Load(r Request) Result {
	l := loader{Request: r, table: settings(), from: map[string]Value{}}
	l.out = Result{Config: Default(), Path: r.Path}
	l.readFile()
	l.readEnv()
	l.readFlags()
	l.list()
	return l.out
}

func (l *loader) problem(key, message string) {
	line := 0
	if key != "" {
		line = l.doc.Line(key)
	}
	l.out.Problems = append(l.out.Problems, Problem{File: l.Path, Line: line, Key: key, Message: message})
}

func (l *loader) readFile() {
	if l.Path == "" {
		return
	}
	if _, err := os.Lstat(l.Path); errors.Is(err, fs.ErrNotExist) {
		return
	}
	l.out.Exists = true
	text, err := source.ReadSmall(l.Path, sizeLimit)
	if err != nil {
		reason := err.Error()
		if bad := new(source.Error); errors.As(err, &bad) {
			reason = bad.Reason
		}
		l.problem("", reason)
		return
	}
	if l.doc, err = tomlfile.Parse(text); err != nil {
		bad := new(tomlfile.Error)
		errors.As(err, &bad)
		l.out.Problems = append(l.out.Problems, Problem{File: l.Path, Line: bad.Line, Message: bad.Message + "; " + bad.Hint})
		return
	}
	l.fill("", l.doc.Tree)
	l.checkKeys()
	slices.SortStableFunc(l.out.Problems, func(a, b Problem) int { return a.Line - b.Line })
}

// fill takes the tables of the file over.
func (l *loader) fill(table string, tree map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		key, v := under(table, name), tree[name]
		if inner, ok := v.(map[string]any); ok && l.isTable(key) {
			l.fill(key, inner)
			continue
		}
		i := slices.IndexFunc(l.table, func(s setting) bool { return s.key == key })
		switch {
		case i >= 0:
			if err := l.table[i].set(&l.out.Config, v); err != nil {
				l.problem(key, err.Error())
				continue
			}
			l.from[key] = Value{Source: "file", Line: l.doc.Line(key)}
		case table == "keys":
			l.fillKeys(key, name, v)
		case l.isTable(key):
			l.problem(key, show(v)+" cannot be: it is a table, written ["+key+"]")
		default:
			l.problem(key, "there is no such key; the keys here are "+strings.Join(l.known(table), ", "))
		}
	}
}

func under(table, name string) string {
	if table == "" {
		return name
	}
	return table + "." + name
}

// known are the names that a table has.
func (l *loader) known(table string) []string {
	var out []string
	for _, s := range l.table {
		rest, ok := s.key, true
		if table != "" {
			rest, ok = strings.CutPrefix(s.key, table+".")
		}
		if name, _, _ := strings.Cut(rest, "."); ok && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

func (l *loader) isTable(key string) bool { return len(l.known(key)) > 0 }

func (l *loader) fillKeys(key, name string, v any) {
	if !slices.ContainsFunc(l.Keyboard.Commands(l.out.Preset), func(c Command) bool { return c.Name == name }) {
		l.problem(key, "no command has that name; hindcast config lists them")
		return
	}
	list, err := texts(v)
	if err != nil {
		l.problem(key, err.Error())
		return
	}
	l.out.Keys[name] = list
	l.from[key] = Value{Source: "file", Line: l.doc.Line(key)}
}

// checkKeys has the keyboard look at the keys; where some cannot be, those of the
// preset hold.
func (l *loader) checkKeys() {
	faults := l.Keyboard.Check(l.out.Preset, l.out.Keys)
	for _, f := range faults {
		l.problem("keys."+f.Name, f.Message)
	}
	if len(faults) > 0 {
		for name := range l.out.Keys {
			delete(l.from, "keys."+name)
		}
		clear(l.out.Keys)
	}
}

func (l *loader) readEnv() {
	for _, s := range l.table {
		if s.env == nil {
			continue
		}
		name, v := s.env(l.Getenv)
		if name == "" {
			continue
		}
		if err := s.set(&l.out.Config, v); err != nil {
			l.out.Problems = append(l.out.Problems, Problem{File: name, Message: err.Error()})
			continue
		}
		l.from[s.key] = Value{Source: "environment", By: name}
	}
}

func (l *loader) readFlags() {
	if l.NoColor {
		l.out.Theme = "none"
		l.from["theme"] = Value{Source: "flag", By: "--no-color"}
	}
	if l.NoMouse {
		l.out.Mouse = false
		l.from["mouse"] = Value{Source: "flag", By: "--no-mouse"}
	}
}

// list tells of each setting what holds and why.
func (l *loader) list() {
	def := Default()
	add := func(v Value) {
		if from, ok := l.from[v.Key]; ok {
			v.Source, v.By, v.Line = from.Source, from.By, from.Line
		} else {
			v.Source = "default"
		}
		l.out.Values = append(l.out.Values, v)
	}
	for _, s := range l.table {
		add(Value{Key: s.key, About: s.about, Allowed: s.allowed, Value: deref(s.at(&l.out.Config)), Default: deref(s.at(&def))})
	}
	for _, c := range l.Keyboard.Commands(l.out.Preset) {
		v := Value{Key: "keys." + c.Name, About: c.About, Value: c.Keys, Default: c.Keys}
		if own, ok := l.out.Keys[c.Name]; ok {
			v.Value = own
		}
		add(v)
	}
}

func deref(v any) any {
	switch v := v.(type) {
	case *bool:
		return *v
	case *string:
		return *v
	case *[]string:
		return *v
	}
	return nil
}
