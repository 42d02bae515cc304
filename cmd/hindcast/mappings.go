package main

import (
	"path/filepath"

	"hindcast/index/mapping"
	"hindcast/model/dialect/mapped"
)

// mappingFolder is where mappings lie that are always known: below
// $XDG_CONFIG_HOME, else below ~/.config. Empty where there is no home.
func (p *program) mappingFolder() string {
	base := p.getenv("XDG_CONFIG_HOME")
	if home := p.getenv("HOME"); base == "" && home != "" {
		base = filepath.Join(home, ".config")
	}
	if base == "" {
		return ""
	}
	return filepath.Join(base, "hindcast", "dialects")
}

// loadMappings reads the formats of the user's own: those of --mapping, which
// must be right, and those of the folder, of which what is wrong is told.
func (p *program) loadMappings() ([]mapped.Mapping, error) {
	all, left, err := mapping.Load(p.mappings, p.mappingFolder())
	for _, wrong := range left {
		p.note(wrong.Error() + "; it is left out")
	}
	return all, err
}
