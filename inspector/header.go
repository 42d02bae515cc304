package inspector

import (
	"strconv"
	"strings"

	"github.com/gdamore/tcell/v2"

	"hindcast/inspector/widget"
	"hindcast/model"
	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// drawHeader tells where the reader stands, in one row: session, event, row,
// time, errors, checkpoints, and how far the index has come.
func (u *ui) drawHeader(s tcell.Screen, r rect) {
	right := u.progress(r.w >= 100)
	room := r.w - render.Width(right) - 2
	left := render.Line{{Text: " "}}
	for _, part := range u.headerParts(r.w >= 100) {
		if render.Width(left)+render.Width(part)+2 > room {
			break
		}
		if len(left) > 1 {
			left = append(left, render.Span{Text: "  "})
		}
		left = append(left, part...)
	}
	widget.Bar(s, r.x, r.y, r.w, left, append(right, render.Span{Text: " "}), u.look)
}

// headerParts are the header's pieces by weight: the last go first where room
// is short.
func (u *ui) headerParts(wide bool) []render.Line {
	if !u.ready && u.was == nil {
		return []render.Line{{{Text: "hindcast", Role: theme.Header}}}
	}
	parts := []render.Line{u.where(wide)}
	parts = append(parts, u.place_())
	if k, n := u.timeline.Number(); k > 0 && n > 0 {
		parts = append(parts, render.Line{{Text: "row " + text.Count(k) + "/" + text.Count(n), Role: theme.Dim}})
	}
	if fresh := u.newRows(); fresh != nil {
		parts = append(parts, fresh)
	}
	parts = append(parts, u.trouble())
	if e, ok := u.event(); ok && e.Time.Known {
		clock := render.Line{{Text: e.Time.Std().Format("15:04:05.000"), Role: theme.Time}}
		if from := u.session.Started; from.Known && from.Naive == e.Time.Naive {
			clock = append(clock, render.Span{Text: "  " + text.Elapsed(e.Time.Std().Sub(from.Std())), Role: theme.Time})
		}
		parts = append(parts, clock)
	}
	name := u.session.Dialect
	if u.session.Version != "" && wide {
		name += " " + u.session.Version
	}
	parts = append(parts, render.Line{{Text: text.Clean(name), Role: theme.Dim}})
	if wide && u.session.Title != "" {
		parts = append(parts, render.Line{{Text: text.Cut(text.Clean(u.session.Title), 48), Role: theme.Dim}})
	}
	return parts
}

// where is the session's id, behind those of the sessions that made it.
func (u *ui) where(wide bool) render.Line {
	var line render.Line
	if u.family.session == u.session.ID {
		for _, id := range u.family.up {
			line = append(line, render.Span{Text: shortID(id, false), Role: theme.Dim}, render.Span{Text: " > ", Role: theme.Dim})
		}
	}
	return append(line, render.Span{Text: shortID(u.session.ID, wide && len(line) == 0), Role: theme.Header})
}

// shortID is a session's id, or its beginning where it is long.
func shortID(id string, wide bool) string {
	id = text.Clean(id)
	room := 12
	if wide {
		room = 36
	}
	if len(id) == 36 && id[8] == '-' {
		return id[:8] // a UUID is known by its first part
	}
	if text.Width(id) <= room {
		return id
	}
	return text.Cut(id, room)
}

func (u *ui) place_() render.Line {
	if u.st.At.Nowhere() {
		return render.Line{{Text: "no events", Role: theme.Dim}}
	}
	name, of := u.seq(), itoa(u.session.Last)
	if strings.HasPrefix(name, "#") {
		of = "#" + itoa(u.session.LastPos)
	}
	return render.Line{{Text: name, Role: theme.Strong}, {Text: " of " + of, Role: theme.Dim}}
}

// trouble counts failures and checkpoints; the letters say what the colours do.
func (u *ui) trouble() render.Line {
	g := u.look.Glyphs
	role := theme.Dim
	if u.session.Failed > 0 {
		role = theme.Fail
	}
	line := render.Line{{Text: g.Fail + " " + strconv.FormatInt(u.session.Failed, 10), Role: role}}
	if u.checkpoints >= 0 {
		role = theme.Dim
		if u.checkpoints > 0 {
			role = theme.Checkpoint
		}
		line = append(line, render.Span{Text: "  " + g.Checkpoint + " " + itoa(u.checkpoints), Role: role})
	}
	return append(line, u.findingCount()...)
}

// event is the selected event, where a row at hand shows it.
func (u *ui) event() (model.Event, bool) {
	row, ok := u.timeline.Row()
	switch {
	case !ok:
		return model.Event{}, false
	case row.Result != nil && row.Result.Pos == u.st.At.Pos:
		return *row.Result, true
	case row.Event.Pos == u.st.At.Pos:
		return row.Event, true
	}
	return model.Event{}, false
}

// progress tells how far the index has come.
func (u *ui) progress(wide bool) render.Line {
	s := u.status
	events := text.Count(s.Events) + " events"
	switch { // of the dump, where this session is not all of it
	case u.others > 0 && wide:
		events = text.Count(s.Events) + " in " + text.Plural(int64(u.others)+1, "session")
	case u.others > 0:
		events = text.Count(s.Events) + " in all"
	}
	switch {
	case s.Err != nil:
		return render.Line{{Text: "stopped at " + events, Role: theme.Fail}}
	case s.Done && s.Quarantined > 0:
		return render.Line{{Text: text.Plural(s.Quarantined, "broken span") + "  ", Role: theme.Warn}, {Text: events, Role: theme.Dim}}
	case s.Done:
		return render.Line{{Text: events, Role: theme.Dim}}
	case s.TotalBytes > 0:
		percent := min(s.Bytes*100/s.TotalBytes, 99)
		return render.Line{{Text: "indexing " + itoa(percent) + "%  ", Role: theme.Warn}, {Text: events, Role: theme.Dim}}
	}
	return render.Line{{Text: "indexing " + text.Size(s.Bytes) + "  ", Role: theme.Warn}, {Text: events, Role: theme.Dim}}
}
