package openhands

import (
	"strings"

	"hindcast/fixtures/trial"
	"hindcast/model"
)

// folded is a session with all that its records did.
type folded struct{ *trial.Session }

// cold is what a restart after the event at pos would have in view.
func (f *folded) cold(pos int64) []model.Viewed {
	return New().(model.Resumer).Resume(f.Viewed(pos), pos, f.Session)
}

// viewIDs names what is in view; a summary has its condensation's id with an
// ending.
func viewIDs(view []model.Viewed) []string {
	ids := []string{}
	for _, x := range view {
		if x.Summary {
			ids = append(ids, x.Event+"-summary")
		} else {
			ids = append(ids, x.Event)
		}
	}
	return ids
}

// pendingCalls are the calls that are open after the event at
// pos.
func (f *folded) pendingCalls(pos int64) map[string]bool {
	out := map[string]bool{}
	for path := range f.Log.At(pos) {
		if name, ok := strings.CutPrefix(path, model.PathPending+"/"); ok {
			out[model.UnescapePointer(name)] = true
		}
	}
	return out
}
