package command

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"hindcast/index"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/render"
)

// This file holds what the verbs of time travel share: points of time, places
// in the state document, and how the index's refusals are told.

// point is the point of state that an address names; empty: the last event.
// An address that names no session means one in the session given.
func (e *Env) point(ctx context.Context, session, text string) (model.Event, error) {
	if text == "" {
		text = "last"
	}
	return e.eventIn(ctx, session, text, index.AsPoint)
}

// isPath tells a place in the state from an address, where either may stand.
func isPath(text string) bool {
	return strings.HasPrefix(text, "/") || strings.HasPrefix(text, "file:")
}

// statePath reads a place in the state document.
func statePath(text string) (model.StatePath, error) {
	p, ok := model.ParseStatePath(text)
	if ok {
		return p, nil
	}
	if strings.HasPrefix(text, "file:") {
		return p, badPath(text, "column 6: a file's name is missing", "write file:config/app.yaml, or file:config/app.yaml:12 for a line")
	}
	column := 1
	name := text
	if strings.HasPrefix(name, "/") {
		column, name = 2, name[1:]
	}
	if at := strings.IndexAny(name, "/."); at >= 0 {
		name = name[:at]
	}
	hint := "the state holds " + strings.Join(stateRoots(), " ")
	if near := nearRoot(name); near != "" {
		hint = "did you mean /" + near + "? " + hint
	} else if strings.ContainsAny(text[1:], "/.") {
		hint = "a file is written file:" + text + "; " + hint
	}
	return p, badPath(text, "column "+strconv.Itoa(column)+": the state has no "+strconv.Quote(name), hint)
}

// named completes the name of a file by those that the session has.
func (e *Env) named(ctx context.Context, at model.Event, p model.StatePath) (model.StatePath, error) {
	if p.File == "" {
		return p, nil
	}
	file, err := e.Index.FileNamed(ctx, at, p.File)
	if err != nil || file == p.File {
		return p, err
	}
	p.Pointer = strings.Replace(p.Pointer, model.EscapePointer(p.File), model.EscapePointer(file), 1)
	p.File = file
	return p, nil
}

// badPath refuses a text that is no place in the state.
func badPath(text, reason, hint string) error {
	return &UsageError{Message: "no path " + strconv.Quote(text) + ": " + reason, Hint: hint, cause: &index.PathError{Path: text, Reason: reason}}
}

// wholePath reads a place that cannot be a line of a file.
func wholePath(verb, text string) (model.StatePath, error) {
	p, err := statePath(text)
	if err == nil && p.Line > 0 {
		return p, usage(verb+": a line of a file has no value of its own", "hindcast blame "+text+" says who wrote it")
	}
	return p, err
}

// partPath reads a place that is not the whole document.
func partPath(verb, text string) (model.StatePath, error) {
	p, err := statePath(text)
	if err == nil && p.Pointer == "" {
		return p, usage(verb+": the whole state is too much", "name a part of it, such as /errors, usage.cost_usd or file:main.go")
	}
	return p, err
}

// stateRoots are the members of the state document, in its order.
func stateRoots() []string {
	return []string{"status", "context", "files", "shell", "tasks", "pending", "usage", "errors", "checkpoint", "vars"}
}

// nearRoot is the member that a mistyped one may have meant, if any: one that
// it begins, or that differs in one letter.
func nearRoot(name string) string {
	for _, r := range stateRoots() {
		if name != "" && (strings.HasPrefix(r, name) || strings.HasPrefix(name, r) || near(name, r)) {
			return r
		}
	}
	return ""
}

// near tells whether two words differ in one letter: one changed, left out or
// added, or two neighbours exchanged.
func near(a, b string) bool {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	a, b = a[i:], b[i:]
	switch {
	case a == "" || b == "":
		return len(a)+len(b) <= 1
	case a[1:] == b[1:] || a[1:] == b || a == b[1:]:
		return true
	}
	return len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] && a[2:] == b[2:]
}

// refusal tells what the index says of a bad path or expression as a command
// line that cannot be meant.
func refusal(err error) error {
	var path *index.PathError
	var expr *index.ExprError
	switch {
	case errors.As(err, &path):
		hint := "hindcast state lists what there is"
		if len(path.Nearest) > 0 {
			hint = "nearest: " + strings.Join(path.Nearest, ", ")
		}
		return &UsageError{Message: "no " + path.Path + " in the state: " + path.Reason, Hint: hint, cause: err}
	case errors.As(err, &expr):
		message := expr.Error()
		if expr.Column > 0 {
			message = "expression: column " + strconv.Itoa(expr.Column) + ": " + expr.Reason
		}
		return &UsageError{Message: message, Hint: "write it over " + strings.Join(stateRoots(), " ") + ", such as errors.count > 1", cause: err}
	}
	return err
}

// found is the answer that the index gave, or its refusal.
func found[T any](got T, err error, draw func(T, int) []render.Line) (Answer, error) {
	if err != nil {
		return nil, refusal(err)
	}
	return document{value: got, lines: func(width int) []render.Line { return draw(got, width) }}, nil
}

// titled gives the event of a reference with its title; nil where there is
// none or it cannot be read.
func (e *Env) titled(ctx context.Context, r *answer.Ref) *answer.Event {
	if r == nil {
		return nil
	}
	got, err := e.Index.Event(ctx, r.Session, r.Pos)
	if err != nil {
		return nil
	}
	a := answer.NewEvent(got)
	return &a
}

// pathLimit bounds how many places completion offers.
const pathLimit = 40

// PlacesIn lists the places in the state at the session's end that a word
// may grow into, and which of them hold members: the roots, the files, and the
// members of what the word names already.
func PlacesIn(ctx context.Context, api index.API, session, word string) []string {
	var list []string
	for _, r := range stateRoots() {
		list = append(list, "/"+r)
	}
	list = append(list, "file:")
	at, err := (&Env{Index: api, Session: session}).point(ctx, "", "")
	if err != nil {
		return list
	}
	parent, file := "", strings.HasPrefix(word, "file:")
	switch last := strings.LastIndexByte(word, '/'); {
	case file:
		parent = model.PathFiles
	case last > 0:
		parent = word[:last]
	default:
		return list
	}
	children, err := api.Children(ctx, at, parent, "", pathLimit)
	if err != nil {
		return list
	}
	for _, c := range children.Items {
		p := c.Path
		if name, ok := strings.CutPrefix(p, model.PathFiles+"/"); ok && file {
			p = "file:" + model.UnescapePointer(name)
		}
		list = append(list, p)
	}
	return list
}
