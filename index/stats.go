package index

import (
	"cmp"
	"context"
	"slices"

	"hindcast/index/store"
	"hindcast/model"
	"hindcast/model/answer"
)

// Stats counts over one session, or over all where the id is empty.
func (x *Index) Stats(ctx context.Context, session string) (answer.Stats, error) {
	out := answer.Stats{Kinds: []answer.Count{}, Types: []answer.Count{}, Tools: []answer.ToolCount{}, Errors: []answer.ErrorClass{}}
	all, err := x.Sessions(ctx)
	if err != nil {
		return out, err
	}
	var usage model.Usage
	var started, ended model.Time
	for _, s := range all {
		if session != "" && s.ID != session {
			continue
		}
		out.Sessions++
		out.Events += s.Events
		out.Failed += s.Failed
		out.Copies += s.Copies
		usage = usage.Add(s.Usage)
		if s.Started.Known && (!started.Known || s.Started.Nanos < started.Nanos) {
			started = s.Started
		}
		if s.Ended.Known && (!ended.Known || s.Ended.Nanos > ended.Nanos) {
			ended = s.Ended
		}
	}
	out.Usage = answer.NewUsage(usage)
	if started.Known {
		from, to, secs := started.String(), ended.String(), float64(ended.Nanos-started.Nanos)/1e9
		out.Started, out.Ended, out.Seconds = &from, &to, &secs
	}
	key, err := x.key(ctx, session)
	if err != nil {
		return out, err
	}
	return out, x.tally(ctx, key, &out)
}

// tally fills in what only the events tell.
func (x *Index) tally(ctx context.Context, key int64, out *answer.Stats) error {
	r := x.st.Reader()
	counts, err := r.Stats(ctx, key)
	if err != nil {
		return err
	}
	out.Bytes = counts.Bytes
	for _, c := range counts.Kinds {
		out.Kinds = append(out.Kinds, answer.Count(c))
	}
	for _, c := range counts.Types {
		out.Types = append(out.Types, answer.Count(c))
	}
	tools, err := r.Tools(ctx, key)
	if err != nil {
		return err
	}
	for _, t := range tools {
		out.Tools = append(out.Tools, answer.ToolCount{Name: t.Name, Calls: t.Calls, Failed: t.Failed, Open: t.Open, Seconds: float64(t.Nanos) / 1e9})
	}
	out.Errors, err = x.errorClasses(ctx, key)
	return err
}

// classLimit bounds the distinct texts of failures that are told apart; further
// ones count under "(other)".
const classLimit = 10_000

// errorClasses groups failures whose titles are alike.
func (x *Index) errorClasses(ctx context.Context, key int64) ([]answer.ErrorClass, error) {
	classes := make(map[string]*answer.ErrorClass)
	err := x.st.Reader().Failures(ctx, key, func(f store.Failure) bool {
		text, ref := Normalise(f.Title), f.Ref
		c := classes[text]
		if c == nil && len(classes) >= classLimit {
			text = "(other)"
			c = classes[text]
		}
		if c == nil {
			c = &answer.ErrorClass{Text: text, First: answer.NewRef(ref)}
			classes[text] = c
		}
		c.Count++
		c.Last = answer.NewRef(ref)
		return true
	})
	out := make([]answer.ErrorClass, 0, len(classes))
	for _, c := range classes {
		out = append(out, *c)
	}
	slices.SortFunc(out, func(a, b answer.ErrorClass) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Text, b.Text))
	})
	return out, err
}

// Normalise takes out of a failure's text what differs from one occurrence to
// the next: digits become #, hex ids and quoted text …, so that like failures
// have the same text.
func Normalise(title string) string {
	out := make([]byte, 0, len(title))
	for i := 0; i < len(title); {
		c := title[i]
		switch {
		case c == '"' || c == '\'' || c == '`':
			if j := closing(title, i); j > 0 {
				out = append(out, c)
				out = append(out, "…"...)
				out = append(out, c)
				i = j + 1
				continue
			}
		case isWord(c) && (i == 0 || !isWord(title[i-1])):
			j := i
			digits := 0
			for j < len(title) && isWord(title[j]) {
				if title[j] >= '0' && title[j] <= '9' {
					digits++
				}
				j++
			}
			out = appendWord(out, title[i:j], digits)
			i = j
			continue
		}
		out = append(out, c)
		i++
	}
	return string(out)
}

// appendWord writes a word with its digits masked; a long word with digits is
// an id.
func appendWord(out []byte, word string, digits int) []byte {
	switch {
	case digits == 0:
		return append(out, word...)
	case digits == len(word):
		return append(out, '#')
	case len(word) >= 8 && digits >= 2:
		return append(out, "…"...)
	}
	masked := false
	for i := 0; i < len(word); i++ {
		isDigit := word[i] >= '0' && word[i] <= '9'
		if isDigit && !masked {
			out = append(out, '#')
		}
		if !isDigit {
			out = append(out, word[i])
		}
		masked = isDigit
	}
	return out
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// closing finds the quote that ends a quoted text of at least one character; 0
// where there is none near.
func closing(s string, i int) int {
	for j := i + 1; j < len(s) && j < i+120; j++ {
		if s[j] == s[i] {
			if j == i+1 {
				return 0
			}
			return j
		}
	}
	return 0
}
