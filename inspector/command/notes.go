package command

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"hindcast/index"
	"hindcast/inspector/keep"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/render"
	"hindcast/render/theme"
)

func notesCommand() *Command {
	return &Command{
		Name: "notes", Short: "print the notes and marks on a dump's events, as Markdown",
		Long: "Notes (M in the inspector) and marks (m and a letter) are yours: they are kept in the folder hindcast of $XDG_DATA_HOME, else of ~/.local/share, by session and event id, whatever becomes of the index. " +
			"Each is printed with the event's address, time and title, in the order of the events; those on events that the dump has no more come last.",
		Examples: []Example{
			{"hindcast notes run.jsonl > review.md", "what I noted, to send"},
			{"hindcast notes --json run.jsonl", "the same for a script"},
		},
		Run: runNotes,
	}
}

// Remarked is a note or mark with the event that it is on.
type Remarked struct {
	keep.Remark
	On    model.Event
	Found bool // the dump has the event
}

// Remarks reads what was kept of the events of a session (empty: of all), in the
// order of the events. Problems tells what could not be read.
func Remarks(ctx context.Context, idx index.API, store *keep.Store, session string) (list []Remarked, problems []error, err error) {
	sessions, err := idx.Sessions(ctx)
	if err != nil {
		return nil, nil, err
	}
	order := map[string]int{}
	var ids []string
	for i, s := range sessions {
		if session == "" || s.ID == session {
			order[s.ID] = i
			ids = append(ids, s.ID)
		}
	}
	all, problems := store.Remarks(ids)
	for _, r := range all {
		one := Remarked{Remark: r}
		if one.On, one.Found, err = remarkedEvent(ctx, idx, r); err != nil {
			return nil, problems, err
		}
		list = append(list, one)
	}
	slices.SortStableFunc(list, func(a, b Remarked) int {
		return cmp.Or(order[a.Session]-order[b.Session], boolRank(a.Found)-boolRank(b.Found), cmp.Compare(a.place(), b.place()), cmp.Compare(a.Mark, b.Mark))
	})
	return list, problems, nil
}

func (r Remarked) place() int64 {
	if r.Found {
		return r.On.Pos
	}
	return r.Pos
}

func boolRank(first bool) int {
	if first {
		return 0
	}
	return 1
}

// remarkedEvent finds the event of a remark; false where the dump has it no
// more, or not yet.
func remarkedEvent(ctx context.Context, idx index.API, r keep.Remark) (model.Event, bool, error) {
	reading := model.Reading{Form: model.FormPos, N: r.Pos}
	if r.Event != "" {
		reading = model.Reading{Form: model.FormID, Text: r.Event}
	}
	e, err := idx.Resolve(ctx, r.Session, model.Address{Text: r.Event, Readings: []model.Reading{reading}}, index.AsEvent)
	var missing *index.AddressError
	if errors.As(err, &missing) {
		return e, false, nil
	}
	return e, err == nil, err
}

// remarks are the machine form: each with its event, null where the dump has it
// no more.
type remarks struct {
	Notes []remark `json:"notes"`
}

type remark struct {
	At      answer.Ref    `json:"at"`
	Event   *answer.Event `json:"event"`
	Mark    *string       `json:"mark"`
	Text    *string       `json:"text"`
	Changed string        `json:"changed"`
}

func runNotes(ctx context.Context, env *Env, _ Args) (Answer, error) {
	only, err := env.scope(ctx)
	if err != nil {
		return nil, err
	}
	list, problems, err := Remarks(ctx, env.Index, env.Keep, only)
	if err != nil {
		return nil, err
	}
	for _, p := range problems {
		env.note("%s", p.Error())
	}
	sessions, err := env.Index.Sessions(ctx)
	if err != nil {
		return nil, err
	}
	got := remarks{Notes: []remark{}}
	for _, r := range list {
		one := remark{At: answer.Ref{Session: r.Session, Seq: r.Seq, Pos: r.Pos, ID: orNil(r.Event)}, Mark: orNil(r.Mark), Text: orNil(r.Text), Changed: r.Changed.UTC().Format(time.RFC3339)}
		if r.Found {
			e := answer.NewEvent(r.On)
			on := r.On
			one.At, one.Event = answer.NewRef(model.Ref{Session: on.Session, Seq: on.Seq, Pos: on.Pos, ID: on.ID}), &e
		}
		got.Notes = append(got.Notes, one)
	}
	return document{value: got, lines: func(int) []render.Line { return notesPage(list, sessions) }}, nil
}

// notesPage is the list as Markdown: a heading for each session, and an item for
// each event.
func notesPage(list []Remarked, sessions []model.Session) []render.Line {
	var out []render.Line
	say := func(s string) { out = append(out, render.Of(s, theme.Plain)) }
	if len(list) == 0 {
		say("No notes and no marks.")
	}
	for i, r := range list {
		if i == 0 || list[i-1].Session != r.Session {
			if i > 0 {
				say("")
			}
			say("# Notes on " + markdown.Replace(sessionTitle(r.Session, sessions)))
			say("")
			say("Session `" + r.Session + "`.")
		}
		if i == 0 || !sameEvent(list[i-1], r) {
			say("")
			say("- " + eventItem(r))
		}
		switch {
		case r.Mark != "":
			say("  - mark `" + r.Mark + "`")
		default:
			say("  - " + strings.ReplaceAll(r.Text, "\n", " ")) // their own words: Markdown, if they like
		}
	}
	return out
}

func sameEvent(a, b Remarked) bool {
	return a.Session == b.Session && a.Found == b.Found && a.place() == b.place()
}

// markdown keeps a text what it is in Markdown.
var markdown = strings.NewReplacer("\\", "\\\\", "`", "\\`", "*", "\\*", "_", "\\_", "<", "&lt;", "[", "\\[", "\n", " ")

func sessionTitle(id string, sessions []model.Session) string {
	for _, s := range sessions {
		if s.ID == id && s.Title != "" {
			return s.Title
		}
	}
	return id
}

// eventItem names an event: address, time, who and what.
func eventItem(r Remarked) string {
	if !r.Found {
		name := "`#" + strconv.FormatInt(r.Pos, 10) + "`"
		if r.Event != "" {
			name = "`id:" + r.Event + "`"
		}
		return name + " (was " + strconv.FormatInt(r.Seq, 10) + "): not in the dump"
	}
	e := r.On
	name := strconv.FormatInt(e.Seq, 10)
	if !e.HasSeq && e.Seq != e.Pos {
		name = "#" + strconv.FormatInt(e.Pos, 10)
	}
	item := "**`" + name + "`**"
	if e.Time.Known {
		item += " " + e.Time.Std().Format("2006-01-02 15:04:05")
	}
	who, _ := render.Who(e, &theme.Unicode)
	item += " " + markdown.Replace(who) + ": " + markdown.Replace(render.Plain(render.Title(e, false)))
	if e.Outcome.Failed() {
		item += " (failed)"
	}
	return item
}
