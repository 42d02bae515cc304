package inspector

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"

	"github.com/atotto/clipboard"

	"hindcast/index"
	"hindcast/inspector/travel"
	"hindcast/render"
	"hindcast/render/theme"
)

// clip hands text to the clipboard program of the platform, where there is one.
// The terminal has it already (OSC 52), so nobody waits for it, and that it fails
// is no news.
func (u *ui) clip(b []byte) {
	if clipboard.Unsupported || !u.opt.Clipboard {
		return
	}
	u.pump.safe("clipboard", func() { _ = clipboard.WriteAll(string(b)) })
}

// copyPath copies the place of the state or the file under the cursor, as
// commands take it.
func (u *ui) copyPath(travel.Stroke) {
	path := cmp.Or(u.pathHere(), u.listedPath())
	if path == "" && u.overlay == nil {
		u.withFile(func(name string) { u.copyPlace("file:" + name) })
		return
	}
	if path == "" {
		u.say("no path under the cursor", theme.Dim)
		return
	}
	if name := pathWord(path); name != path {
		path = "file:" + name
	}
	u.copyPlace(path)
}

func (u *ui) copyPlace(path string) { u.copy("path "+path, []byte(path)) }

// listedPath is the selected path of the list of pins.
func (u *ui) listedPath() string {
	if o := u.overlay; o != nil && o.pins != nil {
		if l, ok := o.view.(interface{ Cursor() int }); ok && l.Cursor() >= 0 && l.Cursor() < len(o.pins) {
			return o.pins[l.Cursor()]
		}
	}
	return ""
}

// copyValue copies the value under the cursor: of a place in the state all of it,
// else the text of the selected line or row.
func (u *ui) copyValue(travel.Stroke) {
	if u.inTree() && u.state.Path() != "" {
		path := u.state.Path()
		u.withValue(path, func(b []byte) { u.copy("value of "+pathWord(path), b) })
		return
	}
	if ways := u.texts(); len(ways) > 0 {
		s := ways[0]
		if n := len(s); n > 1 && s[0] == '"' && s[n-1] == '"' { // as values are drawn
			s = s[1 : n-1]
		}
		u.copy("value", []byte(s))
		return
	}
	u.say("no value under the cursor", theme.Dim)
}

// withValue runs then with a value of the state at the cursor: a text as it is,
// anything else as JSON.
func (u *ui) withValue(path string, then func([]byte)) {
	at := u.after()
	u.hold("file", func(ctx context.Context) func() {
		b, err := valueAt(ctx, u.idx, at, path)
		return func() {
			if err != nil {
				u.sayError(err)
				return
			}
			then(b)
		}
	})
}

func valueAt(ctx context.Context, idx index.API, at travel.Place, path string) ([]byte, error) {
	ready, err := idx.StateReady(ctx, at.Session)
	if err == nil && ready < at.Pos {
		err = errUnfolded
	}
	if err != nil {
		return nil, err
	}
	e, err := idx.Event(ctx, at.Session, at.Pos)
	if err != nil {
		return nil, err
	}
	v, err := idx.StateValue(ctx, e, path)
	if err != nil {
		return nil, err
	}
	var s *string
	var file struct{ Content *string }
	switch {
	case json.Unmarshal(v.Value, &s) == nil && s != nil:
		return []byte(*s), nil
	case pathWord(path) != path && json.Unmarshal(v.Value, &file) == nil && file.Content != nil:
		return []byte(*file.Content), nil
	}
	return v.Value, nil
}

// pipeKey asks for a shell command, to which what is under the cursor goes: the
// file that is open, the selected value, else the record.
func (u *ui) pipeKey(travel.Stroke) {
	if !u.opt.Shell {
		u.say("no commands can be run here", theme.Warn)
		return
	}
	if !u.st.At.Nowhere() && (u.overlay == nil || u.overlay.file != nil) {
		u.ask(pipePrompt, "| ", "")
		u.prompt.hint("gets "+u.piped(), theme.Dim)
	}
}

// piped names what a shell command would get.
func (u *ui) piped() string {
	switch {
	case u.overlay != nil && u.overlay.file != nil:
		return u.overlay.file.name
	case u.inTree() && u.state.Path() != "":
		return "the value of " + pathWord(u.state.Path())
	case u.st.Raw:
		return "the bytes of record " + itoa(u.st.At.Seq)
	}
	return "the text of record " + itoa(u.st.At.Seq)
}

// pipe runs a shell command on what is under the cursor, which it gets as its
// input: nothing of the dump ever stands in the command.
func (u *ui) pipe(line string) {
	run := func(b []byte) {
		var err error
		u.lend(func() { err = u.runShell(line, b) })
		if err != nil {
			u.say(line+": "+err.Error(), theme.Warn)
		}
	}
	switch {
	case u.overlay != nil && u.overlay.file != nil, u.inTree() && u.state.Path() != "":
		u.withValue(u.pathHere(), run)
		return
	}
	at, raw := u.st.At, u.st.Raw
	u.hold("file", func(ctx context.Context) func() {
		e, err := u.idx.Event(ctx, at.Session, at.Pos)
		var b []byte
		if err == nil {
			b, err = u.idx.Raw(ctx, e)
		}
		if err == nil && !raw {
			b = readable(render.Payload(b))
		}
		return func() {
			if err != nil {
				u.sayError(err)
				return
			}
			run(b)
		}
	})
}

// pipedWidth is the width, in cells, at which a record's lines are laid out for a
// command: so that they are not.
const pipedWidth = 1 << 16

// readable is a record's text as the detail shows it, without colours.
func readable(d *render.Doc) []byte {
	n, _ := d.Rows(pipedWidth, 1<<30)
	var b strings.Builder
	for _, l := range d.Lines(0, n, pipedWidth) {
		b.WriteString(strings.TrimRight(render.Plain(l), " "))
		b.WriteByte('\n')
	}
	return []byte(b.String())
}
