package keep

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// TypedLimit is how many lines are kept of what was typed into a prompt.
const TypedLimit = 100

// typed is the file of what was typed into a prompt.
type typed struct {
	Version int      `json:"version"`
	Lines   []string `json:"lines"` // oldest first, none twice
}

// Typed lists what was typed into a prompt of that name, oldest first.
func (s *Store) Typed(prompt string) ([]string, error) {
	if s == nil || s.State == "" {
		return nil, nil
	}
	var t typed
	if problems := told(read(s.typedFile(prompt), &t)); len(problems) > 0 {
		return nil, problems[0]
	}
	return t.Lines, nil
}

// AddTyped keeps a line that was typed into a prompt, behind those that are kept
// by then.
func (s *Store) AddTyped(prompt, line string) error {
	if s == nil || s.State == "" {
		return nil
	}
	lines, err := s.Typed(prompt)
	if err != nil {
		return err
	}
	return write(s.typedFile(prompt), typed{version, Appended(lines, line)})
}

// Appended puts a line at the end of those that were typed, once, and drops the
// oldest beyond TypedLimit.
func Appended(lines []string, line string) []string {
	lines = append(slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return l == line }), line)
	return lines[max(len(lines)-TypedLimit, 0):]
}

func (s *Store) typedFile(prompt string) string {
	return filepath.Join(s.State, "typed", hashed(prompt)[:8]+".json")
}

// Filter is a filter that was saved by name.
type Filter struct {
	Version int    `json:"version"`
	Name    string `json:"name"`
	Filter  string `json:"filter"`
}

// Filters lists the saved filters by name. What cannot be read is told in
// problems, and a broken file is set aside.
func (s *Store) Filters() (list []Filter, problems []error) {
	if s == nil || s.Data == "" {
		return nil, nil
	}
	files, err := filepath.Glob(filepath.Join(s.Data, "filters", "*.json"))
	problems = told(err)
	for _, file := range files {
		var f Filter
		switch err := read(file, &f); {
		case err != nil:
			problems = append(problems, told(err)...)
		case f.Version <= version && f.Name != "":
			list = append(list, f)
		}
	}
	slices.SortFunc(list, func(a, b Filter) int { return cmp.Compare(a.Name, b.Name) })
	return list, problems
}

// SetFilter saves a filter by name; an empty one is forgotten.
func (s *Store) SetFilter(name, filter string) error {
	if s == nil || s.Data == "" {
		return errors.New("no folder to save it in")
	}
	file := filepath.Join(s.Data, "filters", hashed(name)+".json")
	if filter != "" {
		return write(file, Filter{version, name, filter})
	}
	if err := os.Remove(file); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
