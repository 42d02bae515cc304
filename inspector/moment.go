package inspector

import (
	"context"
	"errors"
	"slices"
	"strings"

	"hindcast/index"
	"hindcast/inspector/pane"
	"hindcast/inspector/travel"
	"hindcast/model"
	"hindcast/render/theme"
)

// summon brings a pane up; once it is there it gets the keys, and once it has
// them they go back to the timeline.
func (u *ui) summon(p panel) {
	if u.overlay != nil {
		u.closeOverlay()
	}
	s := u.frame.size
	switch f := u.layout(s.x, s.y, s.w, s.h); {
	case u.focus == p:
		u.setFocus(onTimeline)
	case f.single || f.shows(p) || u.focus != onTimeline:
		u.setFocus(p)
	default:
		u.raise(p)
	}
}

func (u *ui) contextKey(travel.Stroke) { u.summon(onContext) }
func (u *ui) diffKey(travel.Stroke)    { u.summon(onDiff) }

// anchorKey sets one end of a range here, or drops it where it stands here.
func (u *ui) anchorKey(travel.Stroke) {
	if u.st.Anchor.Same(u.st.At) && !u.st.Anchor.Nowhere() {
		u.dropAnchor()
		return
	}
	if u.step(travel.SetAnchor{}) {
		u.say("A is #"+itoa(u.st.At.Seq)+": move, and d shows what changed from there; Esc drops it", theme.Dim)
		u.showBeside()
	}
}

func (u *ui) dropAnchor() {
	u.step(travel.DropAnchor{})
	u.say("the range is dropped: d shows the step again", theme.Dim)
	u.showBeside()
}

// inTree reports whether the keys go to the tree of the state.
func (u *ui) inTree() bool { return u.overlay == nil && u.focus == onState }

func (u *ui) foldAll(s travel.Stroke) {
	switch {
	case !u.inTree():
		u.say("H and L fold and unfold the tree of the state: go there first", theme.Dim)
	case s.Seq == "L":
		u.state.Unfold(true)
	default:
		u.state.FoldAll()
	}
}

// blame goes to the event that wrote what the reader looks at: the selected
// value or line, else the file that the selected event is about.
func (u *ui) blame(travel.Stroke) {
	at := u.st.At
	switch {
	case at.Nowhere():
	case u.overlay != nil && u.overlay.file != nil:
		u.blameLine()
	case u.overlay != nil:
		u.say("b asks who wrote a value or a line: select one first", theme.Dim)
	case u.inTree() && u.state.Path() != "":
		u.blamePath(u.state.Path())
	default:
		u.withFile(func(name string) { u.blamePath(model.PathFiles + "/" + model.EscapePointer(name)) })
	}
}

// blamePath goes to the last write of a path; where the selected step is that
// write, to the one before.
func (u *ui) blamePath(path string) {
	at, from := u.st.At, u.stepFrom()
	u.hold("jump", func(ctx context.Context) func() {
		by, err := u.writerBefore(ctx, at, from, path)
		return func() {
			switch {
			case err != nil:
				u.sayError(err)
			case by.Nowhere():
				u.say("no other event wrote "+pathWord(path)+" before", theme.Dim)
			default:
				u.jump(by)
			}
		}
	})
}

// writerBefore is the event that wrote a path last; the step that the reader
// stands on does not count.
func (u *ui) writerBefore(ctx context.Context, at travel.Place, from int64, path string) (travel.Place, error) {
	for _, pos := range []int64{at.Pos, from} {
		e, err := u.point(ctx, at.Session, pos)
		if err != nil || e.Pos == 0 {
			return travel.Place{}, err
		}
		b, err := u.idx.Blame(ctx, e, path)
		var missing *index.PathError
		if errors.As(err, &missing) { // it does not exist there: this step took it away, or brought it
			continue
		}
		if err != nil || b.By == nil {
			return travel.Place{}, err
		}
		if b.By.Pos <= from {
			return travel.Place{Session: b.By.Session, Pos: b.By.Pos, Seq: b.By.Seq}, nil
		}
	}
	return travel.Place{}, nil
}

// pathWord is a path for a message.
func pathWord(path string) string {
	if p, ok := model.ParseStatePath(path); ok && p.File != "" {
		return p.File
	}
	return path
}

// withFile runs then with the file that the reader looks at: the selected one
// of the tree, else the one that the selected step is about.
func (u *ui) withFile(then func(name string)) {
	if name := u.state.File(); name != "" && u.inTree() {
		then(name)
		return
	}
	at, from := u.st.At, u.stepFrom()
	var titles []string
	if row, ok := u.timeline.Row(); ok && pane.Holds(row, at.Pos) {
		titles = append(titles, row.Event.Title)
		if row.Result != nil {
			titles = append(titles, row.Result.Title)
		}
	}
	u.hold("file", func(ctx context.Context) func() {
		name, err := u.fileOf(ctx, at, from, titles)
		return func() {
			switch {
			case err != nil:
				u.sayError(err)
			case name == "":
				u.say("#"+itoa(at.Seq)+" is about no file that is known: select one in the state", theme.Dim)
			default:
				then(name)
			}
		}
	})
}

// fileOf finds the file that a step is about: the first that it changed, else
// the first known one that a title names.
func (u *ui) fileOf(ctx context.Context, at travel.Place, from int64, titles []string) (string, error) {
	if ready, err := u.idx.StateReady(ctx, at.Session); err != nil || ready < at.Pos {
		return "", errors.Join(err, errUnfolded)
	}
	a, b, err := u.points(ctx, at.Session, from, at.Pos)
	if err != nil {
		return "", err
	}
	d, err := u.idx.Diff(ctx, a, b, model.PathFiles)
	if err != nil {
		return "", err
	}
	if len(d.Changes) > 0 {
		p, _ := model.ParseStatePath(d.Changes[0].Path)
		return p.File, nil
	}
	files, err := u.idx.Children(ctx, b, model.PathFiles, "", fileLimit)
	if err != nil {
		return "", err
	}
	var names []string
	for _, c := range files.Items {
		p, _ := model.ParseStatePath(c.Path)
		names = append(names, p.File)
	}
	return named(names, titles), nil
}

// fileLimit bounds the files among which one that a title names is looked for.
const fileLimit = 10_000

var errUnfolded = errors.New("the states are not folded this far yet")

// named is the first file that a title names: whole, or by the end of its path.
func named(files, titles []string) string {
	for _, t := range titles {
		words := strings.FieldsFunc(t, func(r rune) bool { return strings.ContainsRune(" \t\n\"'`(),;:", r) })
		for _, w := range words {
			i := slices.IndexFunc(files, func(f string) bool { return f == w || strings.HasSuffix(f, "/"+strings.TrimPrefix(w, "./")) })
			if i >= 0 {
				return files[i]
			}
		}
	}
	return ""
}

// toWrite goes to the next or previous event that wrote the selected path.
func (u *ui) toWrite(s travel.Stroke) {
	path := u.state.Path()
	page := u.overlay
	if page != nil && page.file != nil {
		path = model.PathFiles + "/" + model.EscapePointer(page.file.name)
	}
	switch {
	case path == "":
		u.say("no path is selected: select one in the state", theme.Dim)
		return
	case !u.status.Folded:
		u.say("writes are known once all states are folded", theme.Dim)
		return
	}
	at, back := u.st.At, s.Seq[0] == '['
	times := min(s.Times(), walkLimit)
	u.hold("jump", func(ctx context.Context) func() {
		to, err := u.writeNear(ctx, at, path, back, times)
		return func() {
			switch {
			case err != nil:
				u.sayError(err)
			case to.Same(at):
				u.say("no further write of "+pathWord(path), theme.Dim)
			default:
				u.jump(to)
				if page != nil && page.file != nil {
					u.open_(page)
					u.showFile(page.file)
				}
			}
		}
	})
}

func (u *ui) writeNear(ctx context.Context, at travel.Place, path string, back bool, times int64) (travel.Place, error) {
	for ; times > 0; times-- {
		e, ok, err := u.idx.WriteNear(ctx, at.Session, path, at.Pos, back)
		if err != nil || !ok {
			return at, err
		}
		at = eventPlace(e)
	}
	return at, nil
}
