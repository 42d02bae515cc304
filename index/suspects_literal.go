package index

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"hindcast/index/store"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/query"
)

const (
	scannedEvents = 6_000    // records of the agent that are searched, back from the error
	scannedPage   = 1_500    // of them, looked up at once
	scannedBytes  = 16 << 20 // that are searched
	usedLiterals  = 3
	keptMentions  = 4  // of a literal, the earliest
	commonest     = 20 // a literal in more records than this tells nothing
)

// works are the records in which an agent says what it does, and those of which
// a dialect does not know better.
var works = query.Or{List: []query.Expr{
	query.Term{Field: query.FieldKind, Op: query.OpIs, Text: "action"},
	query.And{List: []query.Expr{
		query.Term{Field: query.FieldKind, Op: query.OpIs, Text: "other"},
		query.Not{X: query.Term{Field: query.FieldFailed, Op: query.OpIs, Text: "true"}}}},
}}

// mention is where a literal occurs in the agent's own records.
type mention struct {
	text    string
	written []byte  // as JSON writes it
	first   []int64 // pos of the earliest, latest first
	records int
}

// literals follows what the error quotes to where the agent first wrote it:
// rare ones first, and none that stands within a longer one.
func (s *suspector) literals(clues model.Clues) error {
	mentions := searched(clues)
	if len(mentions) == 0 {
		return nil
	}
	scanned, whole, err := s.scan(mentions)
	if err != nil {
		return err
	}
	mentions = slices.DeleteFunc(mentions, func(m mention) bool { return m.records == 0 || m.records > min(2+scanned/10, commonest) })
	slices.SortStableFunc(mentions, func(a, b mention) int {
		return cmp.Or(cmp.Compare(a.records, b.records), cmp.Compare(len(b.text), len(a.text)))
	})
	var used []string
	for _, m := range mentions {
		if len(used) == usedLiterals {
			break
		}
		if slices.ContainsFunc(used, func(longer string) bool { return strings.Contains(longer, m.text) }) {
			continue
		}
		found, err := s.mentioned(m, whole)
		if err != nil {
			return err
		}
		if found {
			used = append(used, m.text)
		}
	}
	return nil
}

// searched lists the literals that are not the names of places.
func searched(clues model.Clues) []mention {
	var out []mention
	for _, text := range clues.Literals {
		if slices.ContainsFunc(clues.Places, func(p model.NamedPlace) bool { return text == p.Path || strings.HasSuffix(text, "/"+p.Path) }) {
			continue
		}
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if e.Encode(text) != nil {
			continue
		}
		written := bytes.TrimSpace(b.Bytes())
		out = append(out, mention{text: text, written: written[1 : len(written)-1]})
	}
	return out
}

// scan walks back over the agent's records before the error, until all of the
// literals are too common. whole is false where there are more records than are
// searched.
func (s *suspector) scan(mentions []mention) (scanned int, whole bool, err error) {
	spec := store.PageSpec{Session: s.key, From: s.fault.Pos - 1, Desc: true, Limit: scannedPage, Where: works}
	var size int64
	for spec.From > 0 {
		places, err := s.x.st.Reader().Spans(s.ctx, spec)
		if err != nil {
			return scanned, false, err
		}
		for _, p := range places {
			if size += p.Span.Length; size > scannedBytes {
				return scanned, false, nil
			}
			raw, err := s.x.span(s.ctx, p.Span)
			if err != nil { // the source has gone: what was read so far counts
				return scanned, false, s.ctx.Err()
			}
			scanned++
			rare := false
			for i := range mentions {
				if mentions[i].records <= commonest {
					mentions[i].look(raw, p.Pos)
					rare = true
				}
			}
			if !rare {
				return scanned, false, nil
			}
		}
		if len(places) < scannedPage {
			return scanned, true, nil
		}
		if scanned >= scannedEvents {
			return scanned, false, nil
		}
		spec.From = places[len(places)-1].Pos - 1
	}
	return scanned, true, nil
}

// look counts a record that holds the literal as a word of its own.
func (m *mention) look(raw []byte, pos int64) {
	for rest, from := raw, 0; ; {
		i := bytes.Index(rest, m.written)
		if i < 0 {
			return
		}
		from += i
		if standsAlone(raw, from, from+len(m.written)) {
			break
		}
		from++
		rest = raw[from:]
	}
	m.records++
	m.first = append(m.first, pos)
	if len(m.first) > keptMentions {
		m.first = m.first[1:]
	}
}

// standsAlone: what is around a word in a record's bytes is not part of it. An
// n, r or t may be the end of an escape.
func standsAlone(raw []byte, start, end int) bool {
	first, last := raw[start], raw[end-1]
	if start > 0 && letter(first) {
		c := raw[start-1]
		escape := start > 1 && raw[start-2] == '\\' && strings.IndexByte("nrtbf", c) >= 0
		if letter(c) && !escape || c == '.' && first <= '9' {
			return false
		}
	}
	if end < len(raw) && letter(last) {
		c := raw[end]
		if letter(c) || c == '.' && last <= '9' && end+1 < len(raw) && raw[end+1] >= '0' && raw[end+1] <= '9' {
			return false
		}
	}
	return true
}

// mentioned accuses the first event that brought a literal in.
func (s *suspector) mentioned(m mention, whole bool) (bool, error) {
	first := " first "
	if !whole {
		first = " "
	}
	for _, pos := range slices.Backward(m.first) {
		e, err := s.x.eventAt(s.ctx, s.key, pos)
		if err != nil {
			return false, err
		}
		if s.own[pos] || e.Noise || onlyReads(e.Tool) || e.Outcome.Failed() {
			continue
		}
		w, wrote, failed, err := s.brought(e, m.text)
		if err != nil {
			return false, err
		}
		quoted := `"` + m.text + `"`
		switch {
		case w.Path != "":
			file := fileName(w.Path)
			line := lineOf(*w.New.Text, m.text)
			s.accuse(e, firstWrite, quoted+first+"written here", answer.Evidence{Path: &file, Line: &line, Text: &m.text})
		case wrote || failed:
			continue
		default:
			s.accuse(e, firstUse, quoted+first+"used here", answer.Evidence{Text: &m.text})
		}
		return true, nil
	}
	return false, nil
}

// brought finds the write by which a call, or its result, brought a text into a
// file. wrote: it wrote files, whose text is known; failed: its result did.
func (s *suspector) brought(e model.Event, text string) (found model.Write, wrote, failed bool, err error) {
	at := []int64{e.Pos}
	if e.Mate > e.Pos {
		at = append(at, e.Mate)
		result, err := s.x.eventAt(s.ctx, s.key, e.Mate)
		if err != nil {
			return found, false, false, err
		}
		failed = result.Outcome.Failed()
	}
	for _, pos := range at {
		var files []model.Write
		err := s.x.st.Reader().Writes(s.ctx, s.key, pos-1, pos, func(w model.Write) bool {
			if isFile(w.Path) && !w.New.Absent() && writtenPos(w.New) == pos {
				files = append(files, w)
			}
			return true
		})
		if err != nil {
			return found, wrote, failed, err
		}
		for _, w := range files {
			if err := s.x.fillTexts(s.ctx, s.key, &w); err != nil {
				return found, wrote, failed, err
			}
			if w.New.Text == nil {
				continue
			}
			wrote = true
			if strings.Contains(*w.New.Text, text) && (w.Old.Text == nil || !strings.Contains(*w.Old.Text, text)) {
				return w, true, failed, nil
			}
		}
	}
	return found, wrote, failed, nil
}

// lineOf is the 1-based line in which a text first occurs.
func lineOf(content, text string) int64 {
	return int64(strings.Count(content[:strings.Index(content, text)], "\n")) + 1
}
