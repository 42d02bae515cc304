package inspector

import (
	"context"
	"strings"

	"hindcast/inspector/widget"
	"hindcast/render/theme"
)

// command runs a line of the `:` prompt: a number or an address jumps, anything
// else is a command.
func (u *ui) command(line string) {
	if verb, shown := strings.CutPrefix(line, "hindcast "); shown { // as the screen prints it
		line = strings.TrimSpace(strings.TrimSuffix(verb, " "+u.opt.Source))
	}
	word, _, several := strings.Cut(line, " ")
	switch {
	case line == "":
	case line == "q" || line == "quit":
		u.pump.stop(nil)
	case u.ownVerb(line):
	case u.isCommand(word) || several && u.opt.RunCommand != nil && len(u.opt.Commands) == 0:
		u.run(line)
	default:
		u.goAddress(line)
	}
}

func (u *ui) isCommand(word string) bool {
	for _, c := range u.opt.Commands {
		if c == word {
			return u.opt.RunCommand != nil
		}
	}
	return false
}

// run runs a command and shows what it prints.
func (u *ui) run(line string) {
	u.say("running "+line+" …", theme.Dim)
	session, width := u.session.ID, u.frame.body.w // of the page on which it will stand
	u.back.submit("command", func(ctx context.Context) func() {
		lines, err := u.opt.RunCommand(ctx, session, line, width)
		return func() {
			u.msg = nil
			if err != nil {
				u.sayError(err)
			}
			if len(lines) > 0 {
				u.showDoc(line, widget.NewFixed(lines), u.typed(line))
			}
		}
	})
}

// showDoc opens a page of text over the panes; shows is the command that prints
// the same.
func (u *ui) showDoc(name string, doc widget.Doc, shows []string) {
	page := widget.NewText(u.look)
	page.Show(doc)
	u.open_(&overlay{name: name, view: page, shows: shows})
}
