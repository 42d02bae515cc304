// Package mapping reads mapping files: TOML, in which a user says how the
// records of a format of their own are to be read (see model/dialect/mapped).
// It tells in which line of which file something is wrong.
package mapping

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"hindcast/index/source"
	"hindcast/index/tomlfile"
	"hindcast/model/dialect"
	"hindcast/model/dialect/mapped"
)

// Error is a mapping file that cannot be read or meant.
type Error struct {
	File    string
	Line    int    // from 1; 0 where it is the file as a whole
	Key     string // empty where the file is no TOML
	Message string
	Hint    string // what to write instead
}

// Error says where it is and what is wrong.
func (e *Error) Error() string {
	at := "mapping " + e.File
	if e.Line > 0 {
		at += fmt.Sprintf(", line %d", e.Line)
	}
	if e.Key != "" {
		at += ": " + e.Key
	}
	return at + ": " + e.Message
}

// sizeLimit bounds a mapping file.
const sizeLimit = 4 << 20

// Read reads a mapping file. An error is an *Error.
func Read(file string) (mapped.Mapping, error) {
	text, err := Text(file)
	if err != nil {
		return mapped.Mapping{}, err
	}
	m, err := Parse(text)
	var wrong *Error
	if errors.As(err, &wrong) {
		wrong.File = file
	}
	return m, err
}

// Text is the text of a mapping file, as it stands there. An error is an *Error.
func Text(file string) ([]byte, error) {
	text, err := source.ReadSmall(file, sizeLimit)
	if err == nil {
		return text, nil
	}
	reason := err.Error()
	if bad := new(source.Error); errors.As(err, &bad) {
		reason = bad.Reason
	}
	return nil, &Error{File: file, Message: reason, Hint: "docs/mapping.md says what a mapping file holds"}
}

// Parse reads the text of a mapping file. An error is an *Error without File.
func Parse(text []byte) (m mapped.Mapping, err error) {
	doc, err := tomlfile.Parse(text)
	if bad := new(tomlfile.Error); errors.As(err, &bad) {
		return m, &Error{Line: bad.Line, Message: bad.Message, Hint: bad.Hint}
	}
	err = fill(&m, doc.Tree)
	if err == nil {
		_, err = dialect.With([]mapped.Mapping{m})
	}
	var wrong *mapped.Error
	if errors.As(err, &wrong) {
		return m, &Error{Line: doc.Line(wrong.Key), Key: wrong.Key, Message: wrong.Message, Hint: wrong.Hint}
	}
	return m, err
}

// Load reads the files that are named, and those of a folder, which need not be
// there. Of the folder those are left out whose name one that was named has, and
// those that are wrong, which left tells: they must not keep other dumps from
// being opened.
func Load(files []string, folder string) (all []mapped.Mapping, left []error, err error) {
	from := map[string]string{}
	add := func(file string) error {
		m, err := Read(file)
		if err != nil {
			return err
		}
		if other, twice := from[m.Name]; twice {
			return &Error{File: file, Key: "name", Message: fmt.Sprintf("%q is the name in %s as well", m.Name, other), Hint: "choose another"}
		}
		from[m.Name] = file
		all = append(all, m)
		return nil
	}
	for i, file := range files {
		if slices.Contains(files[:i], file) {
			continue
		}
		if err := add(file); err != nil {
			return nil, nil, err
		}
	}
	named := maps.Clone(from)
	list, err := readFolder(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		left = append(left, fmt.Errorf("read the mappings: %w", err))
	}
	for _, entry := range list { // by name
		if filepath.Ext(entry.Name()) != ".toml" {
			continue
		}
		file := filepath.Join(folder, entry.Name())
		if m, err := Read(file); err == nil && named[m.Name] != "" {
			continue
		}
		if err := add(file); err != nil {
			left = append(left, err)
		}
	}
	return all, left, nil
}

// readFolder lists a folder by name, and waits for nothing else that stands
// there.
func readFolder(folder string) ([]os.DirEntry, error) {
	if info, err := os.Stat(folder); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("%s is no folder", folder)
	}
	return os.ReadDir(folder)
}
