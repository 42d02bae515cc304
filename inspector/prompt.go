package inspector

import (
	"context"
	"errors"
	"strings"

	"github.com/gdamore/tcell/v2"

	"hindcast/index"
	"hindcast/inspector/travel"
	"hindcast/inspector/widget"
	"hindcast/model/query"
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
	notePrompt    promptKind = 'M'
)

// historyLimit is how many lines each prompt remembers.
const historyLimit = 100

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
	in.History = u.history[kind]
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
	u.back.cancel("preview")
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
	case originPrompt:
		if u.prompt = nil; line != "" {
			u.origin(p.meant(line))
		}
	}
}

func (u *ui) remember(kind promptKind, line string) {
	old := u.history[kind]
	if line == "" || len(old) > 0 && old[len(old)-1] == line {
		return
	}
	old = append(old, line)
	u.history[kind] = old[max(len(old)-historyLimit, 0):]
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

// parsed reads a filter and binds what is relative to the dump.
func (u *ui) parsed(ctx context.Context, session, line string) (query.Expr, error) {
	x, err := query.Parse(line)
	if err != nil || x == nil {
		return nil, err
	}
	return u.idx.Bind(ctx, session, x)
}

// preview counts what the filter would leave.
func (u *ui) preview() {
	line, q, wanted := u.prompt.input.Text(), u.pageQuery(), u.wantedNow()
	if _, err := query.Parse(line); err != nil {
		u.back.cancel("preview")
		u.hintError(err)
		return
	}
	u.back.submit("preview", func(ctx context.Context) func() {
		x, err := u.parsed(ctx, q.Session, line)
		if err != nil {
			return func() { u.previewed(line, err.Error(), theme.Warn) }
		}
		q.Where = wanted
		all, _, err := u.idx.Count(ctx, q, 0)
		q.Where = both(x, wanted)
		n, _, err2 := u.idx.Count(ctx, q, 0)
		if err = errors.Join(err, err2); err != nil {
			return func() { u.previewed(line, err.Error(), theme.Warn) }
		}
		return func() { u.previewed(line, text.Count(n)+" of "+text.Count(all)+" rows", theme.Dim) }
	})
}

func (u *ui) previewed(line, hint string, role theme.Role) {
	if u.prompt != nil && u.prompt.kind == filterPrompt && u.prompt.input.Text() == line {
		u.prompt.hint(hint, role)
	}
}

// hintError shows what is wrong with a filter, and where.
func (u *ui) hintError(err error) {
	var bad *query.SyntaxError
	if errors.As(err, &bad) {
		u.prompt.hint("column "+itoa(int64(bad.Column))+": "+bad.Message, theme.Warn)
		return
	}
	u.prompt.hint(err.Error(), theme.Warn)
}

// commitFilter applies a filter; one that cannot be read stays to be mended.
func (u *ui) commitFilter(line string) {
	if _, err := query.Parse(line); err != nil {
		u.sayError(err)
		return
	}
	u.prompt = nil
	u.msg = nil
	u.filter(line)
}

// filter shows only what matches.
func (u *ui) filter(line string) {
	session := u.session.ID
	u.hold("filter", func(ctx context.Context) func() {
		x, err := u.parsed(ctx, session, line)
		return func() {
			if err != nil {
				u.sayError(err)
				return
			}
			u.step(travel.SetFilter{Text: line, Where: x})
			u.reload(true)
		}
	})
}

func (u *ui) clearFilter(travel.Stroke) {
	if u.st.Where == nil {
		u.say("no filter is set: f sets one", theme.Dim)
		return
	}
	u.step(travel.SetFilter{})
	u.reload(true)
}

// like is the filter term for the selected row: its tool, else its type.
func (u *ui) like() string {
	row, ok := u.timeline.Row()
	switch {
	case !ok:
		return ""
	case row.Event.Tool != "":
		return "tool:" + quoted(row.Event.Tool)
	}
	return "type:" + quoted(row.Event.Type)
}

// quoted spells a value so that the filter language takes it literally.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		if strings.ContainsRune("\"\\*?", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	b.WriteByte('"')
	return b.String()
}

func (u *ui) keep(travel.Stroke)     { u.narrow("") }
func (u *ui) dropLike(travel.Stroke) { u.narrow("-") }

func (u *ui) narrow(sign string) {
	term := u.like()
	if term == "" {
		return
	}
	line := sign + term
	if old := u.st.Filter; old != "" {
		if strings.Contains(" "+old+" ", " or ") {
			old = "(" + old + ")"
		}
		line = old + " " + line
	}
	u.filter(line)
}

func (u *ui) toggleAll(travel.Stroke) {
	u.step(travel.ToggleAll{})
	u.reload(true)
	if u.st.Visibility == index.All {
		u.say("every record: a folds them again", theme.Dim)
	}
}

// complete finishes the last word where only one way is left, else as far as
// the ways agree; a prompt that offers texts offers the next.
func (u *ui) complete() {
	p := u.prompt
	if n := len(p.ways); n > 0 {
		u.offer((p.way + 1) % n)
		return
	}
	line := p.input.Text()
	at := strings.LastIndexAny(line, " (-") + 1
	word := line[at:]
	var ways []string
	for _, w := range u.completions(p.kind, at) {
		if strings.HasPrefix(w, word) && word != "" {
			ways = append(ways, w)
		}
	}
	if len(ways) == 0 {
		return
	}
	common := ways[0]
	for _, w := range ways[1:] {
		for !strings.HasPrefix(w, common) {
			common = common[:len(common)-1]
		}
	}
	p.input.Set(line[:at] + common)
	u.edited()
	if len(ways) > 1 {
		p.hint(strings.Join(ways, "  "), theme.Dim)
	}
}

func (u *ui) completions(kind promptKind, at int) []string {
	var out []string
	switch {
	case kind == filterPrompt:
		for _, f := range query.FieldNames() {
			out = append(out, f+":")
		}
	case kind == commandPrompt && at == 0:
		out = append(append(out, u.opt.Commands...), "first", "last", "error", "checkpoint:", "turn:")
	}
	return out
}
