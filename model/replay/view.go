package replay

import "hindcast/model"

// Records reads earlier events of the session back.
type Records interface {
	// Record gives an event with its links and its bytes, valid until the next
	// call; false where that cannot be read.
	Record(pos int64) (model.Event, []byte, bool)
	// Find gives the pos of the first event that carries an id or alias; 0: none.
	Find(id string) int64
}

// View shows the state as it stands to an effector. It follows the fold, and
// holds until the next Load.
func (f *Fold) View(source Records) model.View { return view{f, source} }

type view struct {
	fold *Fold
	Records
}

func (v view) File(path string) (text *string, c model.Certainty, ok bool) {
	t, ok := v.fold.files.tracked[path]
	if !ok {
		return nil, model.CertaintyUnknown, false
	}
	return t.text, t.certainty, true
}

func (v view) Cwd() string { return firstKnown(v.fold.shell.cwd) }

func (v view) Context() []model.Entry { return v.fold.context.entries() }

func (v view) Pending(call string) int64 { return v.fold.pending.open[call].pos }
