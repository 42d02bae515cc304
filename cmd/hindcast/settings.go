package main

import (
	"path/filepath"

	"hindcast/inspector"
	"hindcast/inspector/config"
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
