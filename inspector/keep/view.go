package keep

import (
	"os"
	"path/filepath"
	"slices"
)

// View is how a dump was left.
type View struct {
	Version int      `json:"version"`
	Dump    string   `json:"dump"`
	Session string   `json:"session"`
	Event   string   `json:"event"` // the selected event's id; empty where it has none
	Pos     int64    `json:"pos"`
	Filter  string   `json:"filter"`
	Records string   `json:"records"` // as in the configuration, like the clock
	Clock   string   `json:"clock"`
	Pins    []string `json:"pins"`
	Focus   string   `json:"focus"` // panes by their names
	Tab     string   `json:"tab"`
	Low     string   `json:"low"`
}

// Layout is how the screen was arranged by hand: by how many cells its parts are
// larger than by themselves.
type Layout struct {
	Version int  `json:"version"`
	Small   Hand `json:"small"` // where panes share a place
	Wide    Hand `json:"wide"`
}

// Hand is what a reader has set by hand, in cells.
type Hand struct {
	Rows    int `json:"rows"`    // of the upper part
	Columns int `json:"columns"` // of the timeline
	Third   int `json:"third"`   // of the column at the right edge
}

// viewLimit is how many views are kept; the oldest go.
const viewLimit = 500

// View is how a dump was left; false where that is not known. A broken file is
// an error, once.
func (s *Store) View(dump string) (v View, ok bool, err error) {
	if s == nil || s.State == "" || dump == "" {
		return v, false, nil
	}
	if problems := told(read(s.viewFile(dump), &v)); len(problems) > 0 {
		return View{}, false, problems[0]
	}
	return v, v.Dump == dump && v.Version == version, nil
}

// SetView keeps how a dump is left.
func (s *Store) SetView(v View) error {
	if s == nil || s.State == "" || v.Dump == "" {
		return nil
	}
	v.Version = version
	if v.Pins == nil {
		v.Pins = []string{}
	}
	if err := write(s.viewFile(v.Dump), v); err != nil {
		return err
	}
	return s.prune()
}

func (s *Store) viewFile(dump string) string {
	return filepath.Join(s.State, "views", hashed(dump)+".json")
}

// prune drops the oldest views beyond the limit.
func (s *Store) prune() error {
	folder := filepath.Join(s.State, "views")
	list, err := os.ReadDir(folder)
	if err != nil || len(list) <= viewLimit {
		return err
	}
	type aged struct {
		name string
		at   int64
	}
	var files []aged
	for _, e := range list {
		if info, err := e.Info(); err == nil {
			files = append(files, aged{e.Name(), info.ModTime().UnixNano()})
		}
	}
	slices.SortFunc(files, func(a, b aged) int { return int(min(max(a.at-b.at, -1), 1)) })
	for _, f := range files[:max(len(files)-viewLimit, 0)] {
		os.Remove(filepath.Join(folder, f.name)) // another hindcast may have done so
	}
	return nil
}

// Layout is how the screen was arranged last.
func (s *Store) Layout() (l Layout, err error) {
	if s == nil || s.State == "" {
		return l, nil
	}
	if problems := told(read(s.layoutFile(), &l)); len(problems) > 0 {
		return Layout{}, problems[0]
	}
	if l.Version > version {
		return Layout{}, nil
	}
	return l, nil
}

// SetLayout keeps how the screen is arranged.
func (s *Store) SetLayout(l Layout) error {
	if s == nil || s.State == "" {
		return nil
	}
	l.Version = version
	return write(s.layoutFile(), l)
}

func (s *Store) layoutFile() string { return filepath.Join(s.State, "layout.json") }
