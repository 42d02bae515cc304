package index

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode"

	"hindcast/model"
	"hindcast/model/answer"
)

// lookedFor follows an edit that did not find its text to where the file was
// last seen or written: what stands there is not what the edit looks for.
func (s *suspector) lookedFor(call model.Event, tracked map[string][]string) error {
	line, ok := unfound(s.text)
	if !ok || len(tracked) == 0 {
		return nil
	}
	raw, err := s.x.Raw(s.ctx, call)
	if err != nil {
		return s.ctx.Err()
	}
	for _, p := range model.ReadClues(DecodedText(raw)).Places {
		cell, ok, err := s.meant(p.Path, tracked)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		w, ok, err := s.x.st.Reader().WriteAt(s.ctx, s.key, cell, s.fault.Pos-1)
		if err != nil {
			return err
		}
		if !ok || w.New.Absent() {
			continue
		}
		at := cmp.Or(writtenPos(w.New), w.Pos)
		file, text := fileName(cell), shortened(line)
		return s.accuseCall(at, lastSeen, "what the edit looks for is not in "+path.Base(file)+" as it was last known, here", answer.Evidence{Path: &file, Text: &text})
	}
	return nil
}

// unfound gives the line in which an error says that a text was not found.
func unfound(text string) (string, bool) {
	for line := range strings.Lines(text) {
		lower := strings.ToLower(line)
		for _, phrase := range [...]string{"string to replace not found", "could not find oldstring", "oldstring not found", "old_string not found", "no match found for", "did not match", "failed to find expected lines", "failed to find context", "did not appear verbatim"} {
			if strings.Contains(lower, phrase) {
				return strings.TrimSpace(line), true
			}
		}
	}
	return "", false
}

// spoken is what remains where nothing more certain leads to the failure of a
// command: who wrote the files that the error speaks of; of those that stood so
// before the run's first look at them.
func (s *suspector) spoken(call model.Event, tracked map[string][]string) error {
	if _, ran, err := s.command(call); err != nil || !ran || s.hasLead() {
		return err
	}
	words := spokenOf(s.text)
	type look struct {
		at         int64
		written    bool
		file, word string
	}
	var looks []look
	for base, cells := range tracked {
		word := subject(base)
		if _, ok := words[word]; !ok || word == "" {
			continue
		}
		for _, cell := range cells {
			at, written, err := s.broughtBy(cell)
			if err != nil {
				return err
			}
			if at > 0 {
				looks = append(looks, look{at, written, fileName(cell), word})
			}
		}
	}
	slices.SortFunc(looks, func(a, b look) int { return cmp.Or(cmp.Compare(b.at, a.at), strings.Compare(a.file, b.file)) })
	for _, l := range looks[:min(len(looks), maxSuspects)] {
		text := shortened(words[l.word])
		g, what := firstSeen, " was first seen here, and no event is known to have written it"
		if l.written {
			g, what = spokenFile, " was last written here"
		}
		because := "error speaks of " + l.word + ": " + path.Base(l.file) + what
		if err := s.accuseCall(l.at, g, because, answer.Evidence{Path: &l.file, Text: &text}); err != nil {
			return err
		}
	}
	return nil
}

// broughtBy is the pos at which a file was last written, else first seen; 0
// where neither is known.
func (s *suspector) broughtBy(cell string) (at int64, written bool, err error) {
	writes, err := s.x.st.Reader().History(s.ctx, s.key, cell, 0, blameVersions)
	if err != nil || len(writes) == blameVersions {
		return 0, false, err
	}
	for _, w := range writes {
		if w.Pos >= s.fault.Pos {
			break
		}
		authored := w.New.Absent()
		if !authored && writtenPos(w.New) == w.Pos {
			if err := s.x.fillTexts(s.ctx, s.key, &w); err != nil {
				return 0, false, err
			}
			if authored, err = s.authored(w); err != nil {
				return 0, false, err
			}
		}
		if authored || at == 0 {
			at, written = w.Pos, authored
		}
	}
	return at, written, nil
}

// spokenOf gives the words of a text, lower case, of paths those of the last
// part, each with the first line that has it.
func spokenOf(text string) map[string]string {
	words := make(map[string]string)
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		for _, token := range strings.FieldsFunc(line, func(r rune) bool { return !pathRune(r) }) {
			if strings.ContainsRune(token, '@') { // a package's name and version
				continue
			}
			token = token[strings.LastIndexAny(token, `/\`)+1:]
			for _, word := range strings.FieldsFunc(strings.ToLower(token), func(r rune) bool { return !unicode.IsLetter(r) }) {
				if _, known := words[word]; !known {
					words[word] = line
				}
			}
		}
	}
	return words
}

func pathRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(`/\._-@`, r)
}

// subject is what a file's name says that it is about; empty where that is
// nothing of its own.
func subject(base string) string {
	name, _, _ := strings.Cut(strings.ToLower(base), ".")
	switch name {
	case "index", "main", "test", "tests", "package", "readme", "config", "error", "errors", "util", "utils", "types", "node", "app":
		return ""
	}
	if len(name) < 3 {
		return ""
	}
	return name
}
