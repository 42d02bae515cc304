package inspector

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"hindcast/inspector/pane"
	"hindcast/inspector/travel"
	"hindcast/render/theme"
)

// editorKey opens the file at the cursor's point in the reader's editor.
func (u *ui) editorKey(travel.Stroke) {
	switch o := u.overlay; {
	case strings.TrimSpace(u.set.Editor) == "":
		u.say("no $EDITOR is set: gf shows the file here", theme.Warn)
	case o != nil && o.file != nil:
		u.editFile(o.file.name)
	case o == nil:
		u.withFile(u.editFile)
	}
}

// editFile reads a file as it was after the selected row, and lends the terminal
// to an editor of a copy of it.
func (u *ui) editFile(name string) {
	at := u.after()
	u.hold("file", func(ctx context.Context) func() {
		d, err := u.askFile(ctx, at, name, false)
		return func() {
			switch {
			case err != nil:
				u.sayError(err)
			case d.Text == nil:
				u.say(name+": "+d.Why, theme.Warn)
			default:
				u.edit(name, d)
			}
		}
	})
}

// edit shows a copy in an editor. Nobody can write it, and it is gone afterwards:
// what was is only looked at.
func (u *ui) edit(name string, d pane.FileData) {
	dir, err := os.MkdirTemp("", "hindcast-"+itoa(d.At.Seq)+"-") // of mode 0700
	if err != nil {
		u.sayError(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, copyName(name))
	if err := os.WriteFile(path, []byte(*d.Text), 0o400); err != nil {
		u.sayError(err)
		return
	}
	cmd, release := editor(u.set.Editor, path)
	defer release()
	u.lend(func() { err = u.runEditor(cmd) })
	if err != nil {
		u.say("editor "+u.set.Editor+": "+err.Error(), theme.Warn)
		return
	}
	u.say("that was "+name+" after "+itoa(d.At.Seq)+" ("+d.Certainty+"): a copy, gone again", theme.Dim)
}

// copyName is a name for a copy that the file system and an editor take as it
// stands: the last part of a file's, of plain characters. Its ending tells the
// editor the language.
func copyName(name string) string {
	name = name[strings.LastIndexAny(name, "/\\")+1:]
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._+-", r) {
			return r
		}
		return '_'
	}, name)
	const longest = 100
	if len(name) > longest {
		name = name[len(name)-longest:]
	}
	if strings.Trim(name, ".") == "" {
		return "file"
	}
	return name
}
