package inspector

import (
	"context"
	"errors"

	"hindcast/index"
	"hindcast/inspector/pane"
	"hindcast/inspector/travel"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// filePage is a file as it was after the selected row; it follows the cursor.
type filePage struct {
	name  string
	blame bool // with the column of who wrote each line
	view  *pane.File
}

func (u *ui) fileKey(travel.Stroke) {
	if u.overlay == nil {
		u.withFile(func(name string) { u.openFile(name, false) })
	}
}

// blameColumn shows who wrote each line, and hides it again.
func (u *ui) blameColumn(travel.Stroke) {
	if o := u.overlay; o != nil && o.file != nil {
		o.file.blame = !o.file.blame
		u.showFile(o.file)
		return
	}
	if u.overlay == nil {
		u.withFile(func(name string) { u.openFile(name, true) })
	}
}

func (u *ui) openFile(name string, blame bool) {
	f := &filePage{name: name, blame: blame, view: pane.NewFile(u.look)}
	u.open_(&overlay{name: name, view: f.view, file: f})
	u.showFile(f)
}

// showFile asks for the file as it is after the selected row.
func (u *ui) showFile(f *filePage) {
	at, blame := u.after(), f.blame
	point := u.seq()
	if row, ok := u.timeline.Row(); ok && row.Result != nil && row.Result.Pos == at.Pos {
		point = nameOf(*row.Result)
	}
	verb := "state"
	if blame {
		verb = "blame"
	}
	u.overlay.shows = u.here(verb, "file:"+f.name, "--at", point)
	u.side.submit("file", func(ctx context.Context) func() {
		d, err := u.askFile(ctx, at, f.name, blame)
		return func() {
			if err != nil {
				u.sayError(err)
			} else if u.after().Same(at) && f.blame == blame {
				f.view.Set(d)
			}
		}
	})
}

// askFile reads a file's text after an event; one that does not exist there is
// no error.
func (u *ui) askFile(ctx context.Context, at travel.Place, name string, blame bool) (d pane.FileData, err error) {
	d.At = at
	ready, err := u.idx.StateReady(ctx, at.Session)
	if err != nil || ready < at.Pos {
		return d, errors.Join(err, errUnfolded)
	}
	e, err := u.idx.Event(ctx, at.Session, at.Pos)
	if err != nil {
		return d, err
	}
	path := model.PathFiles + "/" + model.EscapePointer(name)
	v, err := u.idx.StateValue(ctx, e, path)
	var missing *index.PathError
	if errors.As(err, &missing) {
		d.Why = "it does not exist after " + itoa(at.Seq)
		return d, nil
	}
	if err != nil {
		return d, err
	}
	d.Certainty, d.Text, err = pane.FileValue(v.Value)
	if err != nil || d.Text == nil {
		d.Why = "its text is not known after " + itoa(at.Seq) + ": no record holds it whole"
		if v.By != nil {
			d.Why += "; show " + itoa(v.By.Seq) + " has what is recorded of it last"
		}
		return d, err
	}
	d.Lines = render.Code(name, *d.Text)
	if blame {
		b, err := u.idx.BlameFile(ctx, e, name, 0)
		if err != nil {
			return d, err
		}
		d.Blame = b.Lines
		d.Events = b.Events
	}
	return d, nil
}

// fileNote says of what the page speaks.
func (f *filePage) note() render.Line {
	d := f.view.Data()
	if d.At.Nowhere() {
		return nil
	}
	l := render.Line{{Text: "after ", Role: theme.Dim}, {Text: itoa(d.At.Seq), Role: theme.Seq}}
	if d.Why != "" {
		return l
	}
	return append(l, render.Span{Text: "  " + text.Plural(int64(len(d.Lines)), "line") + "  ", Role: theme.Dim}, pane.CertaintySpan(d.Certainty))
}

// blameLine goes to the event that wrote the selected line.
func (u *ui) blameLine() {
	f, at := u.overlay.file, u.after()
	n := f.view.Number()
	if n == 0 {
		return
	}
	u.hold("jump", func(ctx context.Context) func() {
		e, err := u.idx.Event(ctx, at.Session, at.Pos)
		var b answer.BlameFile
		if err == nil {
			b, err = u.idx.BlameFile(ctx, e, f.name, n)
		}
		return func() {
			if err != nil {
				u.sayError(err)
			} else if len(b.Lines) == 1 {
				u.toWriter(b.Lines[0])
			}
		}
	})
}

// toWriter goes to who wrote a line; where no record tells, to the first
// suspect between the sightings.
func (u *ui) toWriter(l answer.BlameLine) {
	to := l.By
	said := ""
	if to == nil && l.Between != nil {
		said = "no record tells: it came in between " + itoa(l.Between[0].Seq) + " and " + itoa(l.Between[1].Seq)
		if len(l.Suspects) > 0 {
			to = &l.Suspects[0]
			said += "; suspect " + itoa(to.Seq)
		}
	}
	if to == nil {
		if said == "" {
			said = "no record tells who wrote this line"
		}
		u.say(said, theme.Warn)
		return
	}
	p := travel.Place{Session: to.Session, Pos: to.Pos, Seq: to.Seq}
	if p.Same(u.st.At) {
		said = itoa(p.Seq) + " wrote it itself"
	}
	u.jump(p)
	if said != "" {
		u.say(said, theme.Inferred)
	}
}
