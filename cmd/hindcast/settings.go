package main

import (
	"path/filepath"
	"strings"

	"hindcast/inspector"
	"hindcast/inspector/config"
	"hindcast/inspector/keep"
)

// folder is hindcast's own folder below what a variable of the XDG base
// directories names, else below the home; empty where neither is known. A
// relative path in the variable counts as none.
func (p *program) folder(variable string, below ...string) string {
	base := p.getenv(variable)
	if home := p.getenv("HOME"); !filepath.IsAbs(base) {
		if base = ""; home != "" {
			base = filepath.Join(append([]string{home}, below...)...)
		}
	}
	if base == "" {
		return ""
	}
	return filepath.Join(base, "hindcast")
}

// config reads the inspector's configuration; flags beside the global ones say
// more where the inspector is opened.
func (p *program) config(noMouse bool) config.Result {
	r := config.Request{Getenv: p.getenv, NoColor: p.noColor, NoMouse: noMouse, Keyboard: inspector.Keyboard}
	if base := p.folder("XDG_CONFIG_HOME", ".config"); base != "" {
		r.Path = filepath.Join(base, "config.toml")
	}
	return config.Load(r)
}

// keeper is where the user's notes, marks and views are kept.
func (p *program) keeper() *keep.Store {
	return &keep.Store{Data: p.folder("XDG_DATA_HOME", ".local", "share"), State: p.folder("XDG_STATE_HOME", ".local", "state")}
}

// keptAs names dumps among those that were left: by their absolute paths. What
// cannot be opened again has no name.
func keptAs(dumps []string) string {
	var names []string
	for _, d := range dumps {
		switch path, err := filepath.Abs(d); {
		case d == pipe || d == demoDump:
			return ""
		case strings.Contains(d, "://"):
			names = append(names, d)
		case err != nil:
			return ""
		default:
			names = append(names, path)
		}
	}
	return strings.Join(names, "\n")
}
