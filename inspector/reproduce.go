package inspector

import (
	"slices"
	"strings"

	"hindcast/inspector/command"
	"hindcast/inspector/travel"
	"hindcast/model"
	"hindcast/render/theme"
)

func (u *ui) copyCommand(travel.Stroke) {
	line, why := u.reproduce()
	if line == "" {
		u.say(why, theme.Dim)
		return
	}
	u.copy("command", []byte(line))
}

// address names the selected event for any place that takes an address: with
// its session where there are several.
func (u *ui) address() string {
	if u.others > 0 {
		return u.session.ID + "@@" + u.seq()
	}
	return u.seq()
}

// seq names the selected event within its session: by seq, which people know,
// unless a row beside the source's own log only shares its neighbour's.
func (u *ui) seq() string {
	if e, ok := u.event(); ok {
		return nameOf(e)
	}
	return itoa(u.st.At.Seq)
}

// nameOf names an event as seq does: what is shown is what can be typed.
func nameOf(e model.Event) string {
	if !e.HasSeq && e.Seq != e.Pos {
		return "#" + itoa(e.Pos)
	}
	return itoa(e.Seq)
}

// reproduce is the command line that shows what the focused pane shows; where
// there is none, why says so.
func (u *ui) reproduce() (line, why string) {
	switch {
	case u.overlay != nil && len(u.overlay.shows) == 0:
		return "", "no command shows this page"
	case u.opt.Unrepeatable != "":
		return "", u.opt.Unrepeatable
	case u.overlay != nil:
		return u.shell(u.overlay.shows), ""
	case u.st.At.Nowhere():
		return "", "no event selected yet"
	}
	p := u.focus
	if p == onTimeline && u.st.Tracked == "" && u.frame.shared && u.tab != onDetail {
		p = u.tab
	}
	return u.shell(u.commandOf(p)), ""
}

// commandOf are the words of the command that shows what a pane shows.
func (u *ui) commandOf(p panel) []string {
	switch p {
	case onWhy:
		return u.here("why", u.seq())
	case onState:
		if path := u.state.Path(); path != "" && u.focus == onState {
			return u.here("state", path, "--at", u.seq())
		}
		return u.here("state", "--at", u.seq())
	case onContext:
		if e, made := u.given(); made {
			return u.here("context", "--for", nameOf(e))
		}
		return u.here("context", "--at", u.seq())
	case onDiff:
		if k := u.diff.Key; !k.A.Nowhere() {
			return u.here("diff", k.From, k.To)
		}
		return u.here("state", "--at", u.seq())
	case onTimeline:
		switch {
		case u.st.Tracked != "":
			return u.here("knew", u.st.Tracked)
		case u.st.Filter != "":
			return u.within("query", u.st.Filter)
		}
	}
	if u.st.Raw {
		return u.here("show", u.seq(), "--raw")
	}
	return u.here("show", u.seq())
}

// within adds the session to a verb that looks at all of them by default.
func (u *ui) within(words ...string) []string {
	if u.others > 0 {
		return append(words, "--session", u.session.ID)
	}
	return words
}

// here adds the session to a verb of one session, unless it is the one that the
// verb takes by itself.
func (u *ui) here(words ...string) []string {
	if u.session.ID == u.home {
		return words
	}
	return u.within(words...)
}

// typed are the words of a line of the `:` prompt, with what it was run with.
func (u *ui) typed(line string) []string {
	words, err := command.SplitLine(line)
	if err != nil || len(words) == 0 {
		return nil
	}
	named := func(w string) bool { return w == "--session" || strings.HasPrefix(w, "--session=") }
	if u.others == 0 || slices.ContainsFunc(words, named) {
		return words
	}
	// Right behind the verb: further on there may be a "--".
	return append([]string{words[0], "--session", u.session.ID}, words[1:]...)
}

// shell spells a command line on the dump.
func (u *ui) shell(words []string) string {
	var b strings.Builder
	b.WriteString("hindcast")
	for _, w := range words {
		b.WriteString(" " + shell(w))
	}
	return strings.TrimRight(b.String()+" "+u.opt.Source, " ")
}

// shell quotes a word for a POSIX shell where it needs that.
func shell(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-/:@+,=%", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
