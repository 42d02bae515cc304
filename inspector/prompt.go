package inspector

import (
	"context"
	"strings"

	"github.com/gdamore/tcell/v2"

	"hindcast/inspector/keep"
	"hindcast/inspector/travel"
	"hindcast/inspector/widget"
	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// promptKind is the sign before a prompt.
type promptKind byte

const (
	searchPrompt  promptKind = '/'
	backPrompt    promptKind = '?' // a search backwards
	filterPrompt  promptKind = 'f'
	commandPrompt promptKind = ':'
	knewPrompt    promptKind = '*'
	originPrompt  promptKind = 'o'
	pipePrompt    promptKind = '|'
	notePrompt    promptKind = 'M'
)

// prompt is the line that is being typed at the bottom of the screen.
type prompt struct {
	kind  promptKind
	input *widget.Input
	from  travel.Place // where the reader stood
	ways  []string     // texts that it offers, as they are in the dump
	way   int          // of ways, the one that was offered last
	shown string       // that text as it stands in the prompt
	seek  seeking      // how a search looks
}

func (u *ui) ask(kind promptKind, label, value string) {
	in := widget.NewInput(u.look)
	in.Label = label
	in.History = u.recallTyped(kind)
	in.Set(value)
	if kind == searchPrompt || kind == backPrompt {
		in.Keys = searchKeys()
	}
	u.prompt = &prompt{kind: kind, input: in, from: u.st.At, seek: seeking{back: kind == backPrompt}}
	u.edited()
}

// askText asks for a text and offers those at the cursor.
func (u *ui) askText(kind promptKind, label string, ways []string) {
	u.ask(kind, label, "")
	if u.prompt.ways = ways; len(ways) > 0 {
		u.offer(0)
	}
}

// searches reports whether a search is typed.
func (p *prompt) searches() bool { return p.kind == searchPrompt || p.kind == backPrompt }

// offer puts one of the prompt's texts forward.
func (u *ui) offer(way int) {
	p := u.prompt
	p.way = way
	p.input.Offer(p.ways[way])
	p.shown = p.input.Text()
	if n := len(p.ways); n > 1 {
		p.hint("Tab: "+itoa(int64(way+1))+" of "+itoa(int64(n)), theme.Dim)
	}
}

// meant is the text of a prompt: what was offered counts as it is in the dump,
// line breaks and all, unless the reader changed it.
func (p *prompt) meant(line string) string {
	if len(p.ways) > 0 && p.input.Text() == p.shown {
		return p.ways[p.way]
	}
	return line
}

func (u *ui) openSearch(travel.Stroke) {
	if u.overlay == nil && u.ready {
		u.endSearch()
		u.ask(searchPrompt, seeking{}.label(), "")
	}
}

func (u *ui) openSearchBack(travel.Stroke) {
	if u.overlay == nil && u.ready {
		u.endSearch()
		u.ask(backPrompt, seeking{back: true}.label(), "")
	}
}

func (u *ui) openFilter(travel.Stroke) {
	if u.overlay == nil && u.ready {
		u.ask(filterPrompt, "filter ", u.st.Filter)
	}
}

func (u *ui) openCommand(travel.Stroke) {
	if u.ready {
		u.ask(commandPrompt, ":", "")
	}
}

func (u *ui) promptKey(ev *tcell.EventKey) {
	p := u.prompt
	if p.searches() && u.searchSwitch(keyName(ev)) {
		return
	}
	switch p.input.Key(ev) {
	case widget.Edited:
		u.edited()
	case widget.Done:
		u.commit()
	case widget.Dropped:
		u.drop()
	case widget.Asked:
		u.complete()
	}
}

// edited shows what the prompt would do.
func (u *ui) edited() {
	p := u.prompt
	p.input.Hint = nil
	if p.input.Cut {
		p.hint("cut at "+itoa(widget.InputLimit)+" bytes", theme.Warn)
	}
	switch p.kind {
	case searchPrompt, backPrompt:
		u.searchTyped(p)
	case filterPrompt:
		u.preview()
	}
}

func (p *prompt) hint(s string, role theme.Role) {
	p.input.Hint = render.Line{{Text: text.Clean(s), Role: role}}
}

// drop closes a prompt without doing what it says.
func (u *ui) drop() {
	p := u.prompt
	u.prompt, u.msg = nil, nil
	u.endPreview()
	if p.searches() {
		u.front.cancel("peek")
		u.endSearch()
		if !u.st.At.Same(p.from) && !p.from.Nowhere() {
			u.step(travel.Move{To: p.from})
			u.arrive()
		}
	}
}

// commit does what the prompt says.
func (u *ui) commit() {
	p := u.prompt
	line := strings.TrimSpace(p.input.Text())
	u.remember(p.kind, line)
	switch p.kind {
	case searchPrompt, backPrompt:
		u.commitSearch(p, line)
	case filterPrompt:
		u.commitFilter(line)
	case commandPrompt:
		u.prompt = nil
		u.command(line)
	case knewPrompt:
		u.prompt = nil
		u.track(p.meant(line))
	case notePrompt:
		u.prompt = nil
		u.commitNote(line)
	case pipePrompt:
		if u.prompt = nil; line != "" {
			u.pipe(line)
		}
	case originPrompt:
		if u.prompt = nil; line != "" {
			u.origin(p.meant(line))
		}
	}
}

// remember keeps a line for the next time that the prompt is open, in this run
// or another.
func (u *ui) remember(kind promptKind, line string) {
	if line == "" || kind == notePrompt {
		return
	}
	u.history[kind] = keep.Appended(u.history[kind], line)
	if u.set.Remember {
		u.sayKept(u.opt.Keep.AddTyped(string(kind), line))
	}
}

// recallTyped takes up what was typed into a prompt before.
func (u *ui) recallTyped(kind promptKind) []string {
	if _, known := u.history[kind]; !known && u.set.Remember {
		lines, err := u.opt.Keep.Typed(string(kind))
		u.sayKept(err)
		u.history[kind] = lines
	}
	return u.history[kind]
}

// commitSearch makes the hit that is shown a jump from where the search began.
func (u *ui) commitSearch(p *prompt, line string) {
	if line == "" {
		u.drop()
		return
	}
	_, where, err := searchFor(p.input.Text(), p.seek.pattern)
	if err != nil {
		return // what is wrong with it stands beside it
	}
	u.front.cancel("peek")
	u.prompt = nil
	if p.seek.all {
		s := p.input.Text()
		u.endSearch()
		if !p.from.Same(u.st.At) {
			u.step(travel.Move{To: p.from}) // looking at hits was no step
			u.arrive()
		}
		t, where, _ := searchFor(s, p.seek.pattern)
		u.searchAll(s, t, where)
		return
	}
	names := p.seek.names(p.input.Text()) != ""
	if names && p.seek.pasted {
		p.seek.pasted = false
		u.goPasted(p.input.Text(), p.from, func(error) { u.commitSearch(p, line) })
		u.endSearch()
		return
	}
	u.hold("jump", func(ctx context.Context) func() {
		to, found, err := nearest(ctx, u.idx, p.from, p.seek.back, where)
		return func() {
			if err != nil {
				u.sayError(err)
				return
			}
			u.step(travel.Move{To: p.from})
			if !found {
				u.say("no hit for “"+line+"”", theme.Warn)
				u.endSearch()
				u.arrive()
				if names {
					u.goPasted(line, p.from, u.sayError)
				}
				return
			}
			u.jump(to)
			u.showPresence()
		}
	})
}
