package check

import (
	"fmt"
	"strconv"
	"strings"

	"hindcast/model"
)

// listed is how many things a sentence lists before it counts the rest.
const listed = 4

// placeOf names a place of the state for people.
func placeOf(path string) string {
	for _, c := range [...]struct{ prefix, word string }{
		{model.PathFiles + "/", "file "}, {model.PathMessages + "/", "message "}, {model.PathTasks + "/", "task "}, {model.PathVars + "/", ""},
	} {
		if rest, ok := strings.CutPrefix(path, c.prefix); ok {
			name, _, _ := strings.Cut(rest, "/")
			return c.word + model.UnescapePointer(name)
		}
	}
	switch path {
	case model.PathTasks:
		return "the order of the tasks"
	case model.PathMessages:
		return "the order of the context"
	case "/shell/cwd":
		return "the directory"
	case "/status/execution":
		return "the status"
	}
	return path
}

// placesOf names places, one cell once, messages counted.
func placesOf(list []Difference) string {
	var names []string
	seen := map[string]bool{}
	messages := 0
	for _, d := range list {
		if seen[d.Cell] {
			continue
		}
		seen[d.Cell] = true
		if strings.HasPrefix(d.Cell, model.PathMessages+"/") {
			messages++
			continue
		}
		names = append(names, placeOf(d.Path))
	}
	if messages > 0 {
		names = append(names, plural(messages, "message")+" of the context")
	}
	return enumerate(names)
}

func enumerate(names []string) string {
	rest := 0
	if len(names) > listed {
		names, rest = names[:listed-1], len(names)-listed+1
	}
	text := strings.Join(names, ", ")
	if rest > 0 {
		text += fmt.Sprintf(" and %d more", rest)
	}
	return text
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return strconv.Itoa(n) + " " + word + "s"
}

// differs is the verb for a list of places.
func differs(list []Difference) string {
	cells := map[string]bool{}
	for _, d := range list {
		cells[d.Cell] = true
	}
	if len(cells) == 1 {
		return "differs"
	}
	return "differ"
}

func gapsText(gaps []Gap) string {
	var parts []string
	for _, g := range gaps {
		if g.From == g.To {
			parts = append(parts, strconv.FormatInt(g.From, 10))
		} else {
			parts = append(parts, fmt.Sprintf("%d to %d", g.From, g.To))
		}
	}
	return enumerate(parts)
}

func text(n int64) string { return strconv.FormatInt(n, 10) }

// shorten keeps the first of many things and counts the others.
func shorten(list []string) []string {
	if len(list) <= listed {
		return list
	}
	return append(list[:listed:listed], fmt.Sprintf("%d more", len(list)-listed))
}

// titleOf is what an event says in a line, or at least what it is.
func titleOf(e model.Event) string {
	if e.Title != "" {
		return e.Title
	}
	return e.Kind.String() + " " + e.Type
}
