package inspector

import (
	"cmp"
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
		u.say("A is "+itoa(u.st.At.Seq)+": move, and d shows what changed from there; Esc drops it", theme.Dim)
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
	case u.effectsPage() != nil:
		u.effectsPage().FoldAll(s.Seq == "H")
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
	case u.pathHere() != "":
		own := []int64{at.Pos}
		if before := u.stepFrom() + 1; before < at.Pos {
			own = []int64{before, at.Pos}
		}
		u.blamePath(u.pathHere(), own)
	default:
		own := u.stood()
		u.withFile(func(name string) { u.blamePath(model.PathFiles+"/"+model.EscapePointer(name), own) })
	}
}

// stood are the positions of the records that the selected row shows: of a call
// and its result both, on whichever of them the reader stands.
func (u *ui) stood() []int64 {
	at := u.st.At.Pos
	row, ok := u.timeline.Row()
	switch {
	case !ok || !pane.Holds(row, at):
		return []int64{at}
	case row.Result != nil:
		return []int64{row.Event.Pos, row.Result.Pos}
	}
	return []int64{row.Event.Pos}
}

// after is the point after the selected row: its last record.
func (u *ui) after() travel.Place {
	if row, ok := u.timeline.Row(); ok && pane.Holds(row, u.st.At.Pos) {
		return rowPlace(row)
	}
	return u.st.At
}

// blamePath goes to the last write of a path by another event than own, the
// records on which the reader stands.
func (u *ui) blamePath(path string, own []int64) {
	session := u.st.At.Session
	u.hold("jump", func(ctx context.Context) func() {
		by, err := u.writerBefore(ctx, session, path, own)
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

// writerBefore is the event that wrote a path last; the records on which the
// reader stands do not count.
func (u *ui) writerBefore(ctx context.Context, session, path string, own []int64) (travel.Place, error) {
	points := []int64{own[len(own)-1]}
	for _, pos := range slices.Backward(own) {
		points = append(points, pos-1)
	}
	for _, pos := range points {
		e, err := u.point(ctx, session, pos)
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
		if !slices.Contains(own, b.By.Pos) {
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
// of the tree, else the one that the selected row is about.
func (u *ui) withFile(then func(name string)) {
	if name := u.state.File(); name != "" && u.inTree() {
		then(name)
		return
	}
	at, own := u.st.At, u.stood()
	var titles []string
	if row, ok := u.timeline.Row(); ok && pane.Holds(row, at.Pos) {
		titles = append(titles, row.Event.Title)
		if row.Result != nil {
			titles = append(titles, row.Result.Title)
		}
	}
	u.hold("file", func(ctx context.Context) func() {
		name, err := u.fileOf(ctx, at.Session, own, titles)
		return func() {
			switch {
			case err != nil:
				u.sayError(err)
			case name == "":
				u.say(itoa(at.Seq)+" is about no file that is known: select one in the state", theme.Dim)
			default:
				then(name)
			}
		}
	})
}

// fileOf finds the file that a row's records are about: the first that the last
// of them changed, else the one before, else the first known one that a title
// names.
func (u *ui) fileOf(ctx context.Context, session string, own []int64, titles []string) (string, error) {
	last := own[len(own)-1]
	if ready, err := u.idx.StateReady(ctx, session); err != nil || ready < last {
		return "", errors.Join(err, errUnfolded)
	}
	for _, pos := range slices.Backward(own) {
		a, b, err := u.points(ctx, session, pos-1, pos)
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
	}
	b, err := u.point(ctx, session, last)
	if err != nil {
		return "", err
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
	path, page := cmp.Or(u.pathHere(), u.state.Path()), u.overlay
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
