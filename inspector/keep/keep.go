// Package keep keeps what is the user's own, apart from any index: marks and
// notes on events, by session and event id, so that they survive every rebuild;
// how a dump was left; how the screen was arranged. Each note, mark and view is
// a small file of its own, written whole and then put in its place: two
// programs that write at once lose nothing of each other's.
package keep

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Store is where things are kept. A folder that is empty keeps nothing, and a
// nil Store neither.
type Store struct {
	Data  string // marks and notes
	State string // views and the layout
}

// version is that of the files; those of a newer one are left alone.
const version = 1

// Remark is a note or a mark on an event.
type Remark struct {
	Version int       `json:"version"`
	Session string    `json:"session"`
	Event   string    `json:"event"`          // its id; empty where its record has none
	Pos     int64     `json:"pos"`            // where it stood, for events without an id
	Seq     int64     `json:"seq"`            // what people knew it by
	Mark    string    `json:"mark,omitempty"` // a letter; empty: it is a note
	Text    string    `json:"text,omitempty"` // of a note
	Changed time.Time `json:"changed"`
}

// Set keeps a remark; a note without a text is forgotten. A mark is on one event
// of a session only.
func (s *Store) Set(r Remark) error {
	if s == nil || s.Data == "" {
		return nil
	}
	file := filepath.Join(s.folder(r.Session), r.name())
	if r.Mark == "" && r.Text == "" {
		if err := os.Remove(file); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	r.Version = version
	return write(file, r)
}

// Forget drops a mark of a session.
func (s *Store) Forget(session, mark string) error {
	if s == nil || s.Data == "" {
		return nil
	}
	err := os.Remove(filepath.Join(s.folder(session), Remark{Mark: mark}.name()))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// folder is that of a session: its id may be any text.
func (s *Store) folder(session string) string { return filepath.Join(s.Data, "notes", hashed(session)) }

// name is a remark's file.
func (r Remark) name() string {
	switch {
	case r.Mark != "":
		return "mark-" + hashed(r.Mark)[:8] + ".json"
	case r.Event == "":
		return fmt.Sprintf("note-%d.json", r.Pos)
	}
	return "note-" + hashed(r.Event) + ".json"
}

// meant tells a remark that hindcast may have written.
func (r Remark) meant() bool {
	if r.Mark == "" {
		return r.Text != ""
	}
	return len(r.Mark) == 1 && r.Mark[0] >= 'a' && r.Mark[0] <= 'z'
}

func hashed(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:16])
}

// Remarks lists what is kept of sessions, in no order of meaning but always the
// same. What cannot be read is told in problems, and a broken file is set aside.
func (s *Store) Remarks(sessions []string) (all []Remark, problems []error) {
	if s == nil || s.Data == "" {
		return nil, nil
	}
	have, err := os.ReadDir(filepath.Join(s.Data, "notes"))
	if err != nil { // none were ever kept
		return nil, told(err)
	}
	for _, session := range sessions {
		_, found := slices.BinarySearchFunc(have, hashed(session), func(e fs.DirEntry, name string) int { return strings.Compare(e.Name(), name) })
		if !found {
			continue
		}
		files, err := filepath.Glob(filepath.Join(s.folder(session), "*.json"))
		if err != nil {
			return all, append(problems, err)
		}
		for _, file := range files {
			var r Remark
			switch err := read(file, &r); {
			case err != nil:
				problems = append(problems, told(err)...)
			case r.Session == session && r.Version <= version && r.meant():
				all = append(all, r)
			}
		}
	}
	return all, problems
}

// told is an error as a list, without those that say that nothing is there.
func told(err error) []error {
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return []error{err}
}

// sizeLimit bounds what is read of a file that is to hold a few lines.
const sizeLimit = 1 << 20

// read reads a file; one that is broken is set aside.
func read(file string, to any) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	var data []byte
	if !info.Mode().IsRegular() || info.Size() > sizeLimit {
		err = errors.New("it is none of hindcast's")
	} else if data, err = os.ReadFile(file); err != nil {
		return err
	} else {
		err = json.Unmarshal(data, to)
	}
	if err == nil {
		return nil
	}
	aside := file + ".broken"
	if moved := os.Rename(file, aside); moved != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	return fmt.Errorf("%s is broken (%w): it is set aside as %s", filepath.Base(file), err, aside)
}

// write puts a file in its place whole; nobody but its owner may read it.
func write(file string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(file), ".new-*") // 0600
	if err != nil {
		return err
	}
	_, err = f.Write(append(data, '\n'))
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
