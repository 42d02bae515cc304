package command

import (
	"context"
	"errors"
	"strings"

	"hindcast/index"
	"hindcast/model"
	"hindcast/model/answer"
)

// doubtLimit bounds how many events are looked at for what is doubtful of them,
// and so how much is told beside an answer.
const doubtLimit = 100

// doubt tells beside an answer which of the events that it names edited a text
// that stands several times: the change may have been meant for another place.
func (e *Env) doubt(ctx context.Context, by []*answer.Ref) error {
	seen := make(map[model.Ref]bool)
	for _, ref := range by {
		if ref == nil {
			continue
		}
		at := model.Ref{Session: ref.Session, Pos: ref.Pos}
		if seen[at] || len(seen) == doubtLimit {
			continue
		}
		seen[at] = true
		notes, err := e.Index.Notes(ctx, model.Event{Session: ref.Session, Pos: ref.Pos})
		if errors.Is(err, index.ErrStatesBehind) {
			return nil
		}
		if err != nil {
			return err
		}
		for _, n := range notes {
			if n.Kind == model.NoteAmbiguous {
				e.note("the edit at %d may have changed another place than was meant: %s", ref.Seq, n.Text)
			}
		}
	}
	return nil
}

// writers are those of a file's lines.
func writers(lines []answer.BlameLine) (by []*answer.Ref) {
	for _, l := range lines {
		by = append(by, l.By)
	}
	return by
}

// changers are those who changed files.
func changers(changes []answer.Change) (by []*answer.Ref) {
	for _, c := range changes {
		if strings.HasPrefix(c.Path, model.PathFiles+"/") {
			by = append(by, c.By)
		}
	}
	return by
}

// suspected are the event at which why starts, and those that it suspects.
func suspected(why answer.Why) []*answer.Ref {
	by := []*answer.Ref{refTo(why.From)}
	for _, s := range why.Suspects {
		by = append(by, refTo(s.Event))
	}
	return by
}

func refTo(e answer.Event) *answer.Ref {
	return &answer.Ref{Session: e.Session, Seq: e.Seq, Pos: e.Pos, ID: e.ID}
}
