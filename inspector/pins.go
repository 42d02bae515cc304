package inspector

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"hindcast/index"
	"hindcast/inspector/pane"
	"hindcast/inspector/travel"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/render"
	"hindcast/render/theme"
)

// pulse is the history of a pinned path, drawn.
type pulse struct {
	session string
	last    int64 // the session's last pos when it was asked for
	line    string
}

// pulseCells is how wide a pulse is drawn, pulseReach the length of a session
// up to which one is: every write is read for it.
const (
	pulseCells = 12
	pulseReach = goneReach
)

// pinKey pins the path at the cursor, or unpins it.
func (u *ui) pinKey(travel.Stroke) {
	path := u.pathHere()
	switch {
	case u.overlay != nil && u.overlay.pins != nil:
		u.unpinKey(travel.Stroke{})
	case path != "":
		u.pin(path)
	case u.overlay != nil:
		u.say("w pins a path of the state: select one first", theme.Dim)
	default:
		u.withFile(func(name string) { u.pin(model.PathFiles + "/" + model.EscapePointer(name)) })
	}
}

func (u *ui) pin(path string) {
	u.step(travel.TogglePin{Path: path})
	if slices.Contains(u.st.Pins, path) {
		u.say("pinned "+pathWord(path)+" to the top of the state; W lists the pins", theme.Dim)
	} else {
		u.say("unpinned "+pathWord(path), theme.Dim)
	}
	u.showBeside()
}

// pins reads the pinned paths at a point; what does not stand there says so.
func (q stateQuery) pins(paths []string) ([]pane.Pin, error) {
	var out []pane.Pin
	for _, path := range paths {
		p := pane.Pin{Path: path, Value: render.Line{{Text: "not there", Role: theme.Dim}}}
		v, err := q.idx.StateValue(q.ctx, q.at, path)
		var missing *index.PathError
		switch {
		case errors.As(err, &missing):
		case err != nil:
			return nil, err
		default:
			p.Value, p.By = render.CellLine(path, v.Value), v.By
		}
		out = append(out, p)
	}
	return out, nil
}

// pinList opens the list of pins with their values after the selected event.
func (u *ui) pinList(travel.Stroke) {
	at, paths := u.st.At, u.st.Pins
	switch {
	case at.Nowhere() || u.overlay != nil:
		return
	case len(paths) == 0:
		u.say("no pins: w pins the selected path", theme.Dim)
		return
	}
	u.hold("jump", func(ctx context.Context) func() {
		pins, err := u.askPins(ctx, at, paths)
		return func() {
			if err != nil {
				u.sayError(err)
				return
			}
			links := pane.NewLinks(u.look)
			links.Set(at, pane.PinEntries(pins, u.pulseOf))
			u.openLinks("pins after "+itoa(at.Seq), links, nil)
			u.overlay.pins = paths
			u.showPulses()
		}
	})
}

func (u *ui) askPins(ctx context.Context, at travel.Place, paths []string) ([]pane.Pin, error) {
	if ready, err := u.idx.StateReady(ctx, at.Session); err != nil || ready < at.Pos {
		return nil, errors.Join(err, errUnfolded)
	}
	e, err := u.idx.Event(ctx, at.Session, at.Pos)
	if err != nil {
		return nil, err
	}
	return stateQuery{u.idx, ctx, e}.pins(paths)
}

// unpinKey unpins the selected path of the list of pins.
func (u *ui) unpinKey(travel.Stroke) {
	o := u.overlay
	if o == nil || o.pins == nil {
		u.say("Delete unpins in the list of pins: W opens it", theme.Dim)
		return
	}
	links := o.view.(*pane.Links)
	at := links.Cursor()
	if at < 0 || at >= len(o.pins) {
		return
	}
	u.closeOverlay()
	u.pin(o.pins[at])
	if len(u.st.Pins) > 0 {
		u.pinList(travel.Stroke{})
	}
}

// What a pulse draws is numbers; of anything else it counts the writes.
const longestNumber = 32

var noNumber = json.RawMessage(`""`)

// showPulses asks for the histories of the pinned paths that are not known, once
// all states are folded.
func (u *ui) showPulses() {
	id, last := u.session.ID, u.session.LastPos
	var paths []string
	for _, path := range u.st.Pins {
		if p, ok := u.pulses[path]; !ok || p.session != id || p.last != last {
			paths = append(paths, path)
		}
	}
	if len(paths) == 0 || !u.status.Folded || last > pulseReach {
		return
	}
	u.deep.submit("pulses", func(ctx context.Context) func() {
		found := map[string]pulse{}
		for _, path := range paths {
			var writes []answer.HistoryWrite
			err := u.idx.History(ctx, id, path, func(w answer.HistoryWrite) error {
				if w.Old = nil; len(w.New) > longestNumber {
					w.New = noNumber // a history of texts is not held
				}
				writes = append(writes, w)
				return nil
			})
			if ctx.Err() != nil {
				return nil
			}
			p := pulse{session: id, last: last}
			if err == nil { // a path without a history has no pulse
				p.line = render.Pulse(writes, last, pulseCells, u.look.Glyphs)
			}
			found[path] = p
		}
		return func() {
			for path, p := range found {
				u.pulses[path] = p
			}
		}
	})
}

// pulseOf is a pinned path's history as it is drawn, with the selected event's
// place in it; empty where it is not known.
func (u *ui) pulseOf(path string) render.Line {
	p, ok := u.pulses[path]
	if !ok || p.session != u.session.ID || p.line == "" {
		return nil
	}
	cells := []rune(p.line)
	at := between(int((u.st.At.Pos-1)*pulseCells/max(p.last, 1)), 0, len(cells)-1)
	return render.Line{
		{Text: string(cells[:at]), Role: theme.Number}, {Text: string(cells[at]), Role: theme.Match},
		{Text: string(cells[at+1:]), Role: theme.Number}}
}
