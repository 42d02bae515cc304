package replay

import (
	"encoding/json"

	"hindcast/model"
)

const (
	pathExecution = "/status/execution"
	pathReason    = "/status/reason"
)

// status is the state of the run, in the dialect's words.
type status struct{ execution, reason *string }

func (f *status) reach(s *step, x model.Status) {
	changeText(s, pathExecution, &f.execution, orNil(x.Execution))
	changeText(s, pathReason, &f.reason, orNil(x.Reason))
}

// putText writes a leaf that is a text or null.
func putText(s *step, path string, at **string, now *string) *touched {
	old := s.mem.text(*at)
	*at = now
	return s.put(path, old, s.mem.text(now))
}

// changeText is putText for what has no more to say of the write.
func changeText(s *step, path string, at **string, now *string) {
	if !s.stays(path, sameValue(*at, now)) {
		putText(s, path, at, now)
	}
}

func orNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func (f *status) restore(s *step, cells []PastCell, _ model.LostReason) {
	for _, c := range cells {
		switch c.Path {
		case pathExecution:
			putText(s, c.Path, &f.execution, read[*string](c.Value)).restores = c.Pos
		case pathReason:
			putText(s, c.Path, &f.reason, read[*string](c.Value)).restores = c.Pos
		}
	}
}

// read gives a cell's value as T, its zero value where it is null or absent.
func read[T any](v model.Value) T {
	var out T
	if v.Absent() || json.Unmarshal(v.JSON, &out) != nil {
		var none T
		return none
	}
	return out
}

func (f *status) save(w *encoder) {
	w.textOrNil(f.execution)
	w.textOrNil(f.reason)
}

func (f *status) load(r *decoder) { *f = status{execution: r.textOrNil(), reason: r.textOrNil()} }
