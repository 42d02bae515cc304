package inspector

import (
	"context"
	"slices"
	"strings"

	"hindcast/inspector/command"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// complete finishes the last word where only one way is left, else as far as
// the ways agree, and lists them; a prompt that offers texts offers the next.
func (u *ui) complete() {
	p := u.prompt
	if n := len(p.ways); n > 0 {
		u.offer((p.way + 1) % n)
		return
	}
	line, session := p.input.Text(), u.session.ID
	if p.kind != filterPrompt && p.kind != commandPrompt {
		return
	}
	u.hold("complete", func(ctx context.Context) func() {
		from, list := u.candidates(ctx, p.kind, session, line)
		return func() {
			if u.prompt == p && p.input.Text() == line {
				u.completed(line[:from], list)
			}
		}
	})
}

// candidates are what the word that begins at a byte of a prompt's line may grow
// into.
func (u *ui) candidates(ctx context.Context, kind promptKind, session, line string) (from int, list []string) {
	var found []command.Candidate
	switch verb, rest, further := strings.Cut(line, " "); {
	case kind == filterPrompt:
		found = command.Candidates(ctx, u.idx, session, command.CompleteFilter, nil, line)
	case !further:
		verbs := slices.Concat(u.opt.Commands, ownVerbs, []string{"first", "last", "error", "checkpoint:", "turn:"})
		slices.Sort(verbs)
		found = command.Candidates(ctx, u.idx, session, command.CompleteWords, slices.Compact(verbs), line)
	case verb == "filter":
		from = len(line) - len(rest)
		saved, _ := u.opt.Keep.Filters()
		for _, f := range saved {
			found = append(found, command.Candidate{Word: f.Name})
		}
		found = slices.DeleteFunc(found, func(c command.Candidate) bool { return !strings.HasPrefix(c.Word, rest) })
		found = append(found, command.Candidates(ctx, u.idx, session, command.CompleteFilter, nil, rest)...)
	default:
		from, found = command.CompleteLine(ctx, u.idx, session, line)
	}
	for _, c := range found {
		list = append(list, c.Word)
	}
	return from, list
}

// completed puts what was found behind the part of the line that stays.
func (u *ui) completed(lead string, list []string) {
	p := u.prompt
	if len(list) == 0 {
		p.hint("nothing completes this", theme.Dim)
		return
	}
	common := list[0]
	for _, w := range list[1:] {
		for !strings.HasPrefix(w, common) {
			common = common[:len(common)-1]
		}
	}
	if len(lead)+len(common) > len(p.input.Text()) {
		p.input.Set(lead + strings.ToValidUTF8(common, ""))
	}
	u.edited()
	if len(list) > 1 {
		p.choices(list)
	}
}

// choiceCells is the room for the ways in which a word can go on.
const choiceCells = 50

// choices lists ways in which the last word can go on, without what they share.
func (p *prompt) choices(list []string) {
	var shown []string
	cells := 0
	for i, w := range list {
		w = w[strings.LastIndexAny(strings.TrimRight(w, ":"), " (:,")+1:]
		w = text.CleanCut(w, 24)
		if cells += text.Width(w) + 2; cells > choiceCells && i > 0 {
			shown = append(shown, "+"+itoa(int64(len(list)-i)))
			break
		}
		shown = append(shown, w)
	}
	p.hint(strings.Join(shown, "  "), theme.Dim)
}
