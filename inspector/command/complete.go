package command

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"hindcast/index"
	"hindcast/model"
	"hindcast/model/query"
)

// completionLimit bounds how many of the things that addresses count are offered.
const completionLimit = 40

// Candidate is a word that may stand in a place, and what it means where that is
// not plain. Both may come from a dump.
type Candidate struct{ Word, About string }

// Candidates lists what a word of a command line may grow into, in a place of
// that sort. words are those of a closed list. Where there is no index (nil), it
// offers what needs none.
func Candidates(ctx context.Context, idx index.API, session string, what Completion, words []string, word string) []Candidate {
	var list []Candidate
	switch what {
	case CompleteWords:
		list = plainWords(words)
	case CompleteType:
		list = plainWords(names(ctx, idx, query.FieldType))
	case CompleteTool:
		list = plainWords(names(ctx, idx, query.FieldTool))
	case CompleteSource:
		list = plainWords(names(ctx, idx, query.FieldSource))
	case CompleteSession:
		list = sessionIDs(ctx, idx)
	case CompleteAddress:
		list = addresses(ctx, idx, session)
	case CompletePath:
		if idx != nil {
			list = plainWords(PlacesIn(ctx, idx, session, word))
		}
	case CompleteFilter:
		list = filterWords(ctx, idx, word)
	}
	return slices.DeleteFunc(list, func(c Candidate) bool { return !strings.HasPrefix(c.Word, word) })
}

func plainWords(words []string) []Candidate {
	list := make([]Candidate, len(words))
	for i, w := range words {
		list[i].Word = w
	}
	return list
}

func names(ctx context.Context, idx index.API, f query.Field) []string {
	if idx == nil {
		return nil
	}
	list, err := idx.Names(ctx, f)
	if err != nil {
		return nil
	}
	return list
}

func sessionIDs(ctx context.Context, idx index.API) []Candidate {
	if idx == nil {
		return nil
	}
	list, err := idx.Sessions(ctx)
	if err != nil {
		return nil
	}
	var ids []Candidate
	for _, s := range list {
		ids = append(ids, Candidate{s.ID, s.Title})
	}
	return ids
}

// addresses offers the keywords, and the session's errors, checkpoints and
// turns by number.
func addresses(ctx context.Context, idx index.API, prefix string) []Candidate {
	list := []Candidate{{"first", ""}, {"last", ""}, {"error", "the last error"}}
	if idx == nil {
		return list
	}
	s, _, err := idx.Session(ctx, prefix)
	if err != nil {
		return list
	}
	user := query.All(
		query.Term{Field: query.FieldKind, Op: query.OpIs, Text: model.KindMessage.String()},
		query.Term{Field: query.FieldSource, Op: query.OpIs, Text: "user"})
	for _, part := range []struct {
		name  string
		where query.Expr
	}{
		{"error", query.Term{Field: query.FieldFailed, Op: query.OpIs, Text: "true"}},
		{"turn", user},
	} {
		n := 0
		err := idx.Query(ctx, s.ID, part.where, func(e model.Event) bool {
			n++
			list = append(list, Candidate{part.name + ":" + strconv.Itoa(n), e.Title})
			return n < completionLimit
		})
		if err != nil {
			return list
		}
	}
	checkpoints, err := idx.Checkpoints(ctx, s.ID)
	if err != nil {
		return list
	}
	for n, c := range checkpoints[:min(len(checkpoints), completionLimit)] {
		e, err := idx.Event(ctx, s.ID, c.Last)
		if err != nil {
			return list
		}
		list = append(list, Candidate{"checkpoint:" + strconv.Itoa(n+1), e.Title})
	}
	return list
}

// filterWords completes the last term of a filter: fields, then their values,
// of which a comma separates several.
func filterWords(ctx context.Context, idx index.API, word string) []Candidate {
	at := strings.LastIndexAny(word, " (") + 1
	at += len(word[at:]) - len(strings.TrimLeft(word[at:], "-"))
	field, values, ok := strings.Cut(word[at:], ":")
	var out []Candidate
	if !ok {
		for _, n := range query.FieldNames() {
			out = append(out, Candidate{Word: word[:at] + n + ":"})
		}
		return out
	}
	lead := word[:len(word)-len(values)+strings.LastIndexByte(values, ',')+1]
	for _, v := range fieldValues(ctx, idx, field) {
		out = append(out, Candidate{lead + spelt(v.Word), v.About})
	}
	return out
}

// spelt writes a value as a filter takes it.
func spelt(v string) string {
	if strings.ContainsAny(v, " \t(),\"*?") {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `*`, `\*`, `?`, `\?`).Replace(v) + `"`
	}
	return v
}

func fieldValues(ctx context.Context, idx index.API, field string) []Candidate {
	switch field {
	case "type", "tool", "source":
		return plainWords(names(ctx, idx, query.Fields[field]))
	case "session":
		return sessionIDs(ctx, idx)
	case "kind":
		var list []Candidate
		for _, k := range model.Kinds() {
			list = append(list, Candidate{Word: k.String()})
		}
		return list
	case "origin":
		return plainWords([]string{"recorded", "derived", "inherited", "copied"})
	case "failed":
		return plainWords([]string{"true", "false", "null"})
	}
	return nil
}

// CompleteLine completes the last word of a line of a prompt, which stands from
// a byte on: a verb's flags, their values, its arguments. The verb itself is the
// prompt's affair.
func CompleteLine(ctx context.Context, idx index.API, session, line string) (from int, list []Candidate) {
	from = strings.LastIndexByte(line, ' ') + 1
	word := line[from:]
	before := strings.Fields(line[:from])
	if len(before) == 0 {
		return from, nil
	}
	c, ok := Find(before[0])
	if !ok {
		return from, nil
	}
	if f, ok := c.flag(strings.TrimLeft(before[len(before)-1], "-")); ok && len(before) > 1 && f.Kind != FlagBool && strings.HasPrefix(before[len(before)-1], "-") {
		return from, Candidates(ctx, idx, session, valueOf(f), f.Words, word)
	}
	if strings.HasPrefix(word, "-") {
		for _, f := range c.Flags {
			if w := "--" + f.Name; strings.HasPrefix(w, word) {
				list = append(list, Candidate{w, f.Help})
			}
		}
		return from, list
	}
	if c.Complete == CompleteAddress {
		list = append(list, Candidates(ctx, idx, session, CompletePath, nil, word)...)
		if !isPath(word) || word == "" {
			list = append(Candidates(ctx, idx, session, CompleteAddress, nil, word), list...)
		}
		return from, list
	}
	return from, Candidates(ctx, idx, session, c.Complete, nil, word)
}

// valueOf is what completes a flag's value.
func valueOf(f Flag) Completion {
	if len(f.Words) > 0 {
		return CompleteWords
	}
	return f.Complete
}
