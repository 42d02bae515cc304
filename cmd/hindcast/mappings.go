package main

import (
	"path/filepath"

	"hindcast/index/mapping"
	"hindcast/model/dialect/mapped"
)

// mappingFolder is where mappings lie that are always known; empty where there
// is no home.
func (p *program) mappingFolder() string {
	base := p.folder("XDG_CONFIG_HOME", ".config")
	if base == "" {
		return ""
	}
	return filepath.Join(base, "dialects")
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
