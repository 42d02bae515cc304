package replay

import "hindcast/model"

// View shows the state as it stands to an effector; source reads earlier events
// of the session back. It follows the fold, and holds until the next Load.
func (f *Fold) View(source model.Records) model.View { return view{f, source} }

type view struct {
	fold *Fold
	model.Records
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
