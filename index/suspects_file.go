package index

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/textdiff"
)

const (
	trackedPages  = 20  // pages of tracked paths that names are compared with
	alikePaths    = 8   // tracked paths that one name may mean
	namedFiles    = 16  // files whose lines are looked up
	bareFiles     = 8   // an error that names more files without a line means none of them
	blameVersions = 256 // versions of a file that are aligned
)

// files follows the places that the error names to the last writers of the
// lines, or of the files.
func (s *suspector) files(places []model.NamedPlace, tracked map[string][]string) error {
	if len(places) == 0 || len(tracked) == 0 {
		return nil
	}
	lines, bare := make(map[string][]model.NamedPlace), make(map[string]model.NamedPlace)
	for _, p := range places {
		cell, ok, err := s.meant(p.Path, tracked)
		if err != nil {
			return err
		}
		switch {
		case !ok:
		case p.Line > 0:
			lines[cell] = append(lines[cell], p)
		default:
			if _, known := bare[cell]; !known {
				bare[cell] = p
			}
		}
	}
	for _, cell := range firstKeys(lines, namedFiles) {
		if err := s.lines(cell, lines[cell]); err != nil {
			return err
		}
	}
	if len(bare) > bareFiles {
		return nil
	}
	for _, cell := range firstKeys(bare, bareFiles) {
		if err := s.file(cell, bare[cell]); err != nil {
			return err
		}
	}
	return nil
}

func firstKeys[V any](m map[string]V, n int) []string {
	keys := slices.Sorted(maps.Keys(m))
	return keys[:min(len(keys), n)]
}

// tracked lists the cells of the session's files by the last part of their
// names.
func (s *suspector) tracked() (map[string][]string, error) {
	out := make(map[string][]string)
	after := ""
	for range trackedPages {
		cells, err := s.x.st.Reader().Cells(s.ctx, s.key, model.PathFiles, after, pageOf)
		if err != nil {
			return nil, err
		}
		for _, c := range cells {
			base := path.Base(strings.ReplaceAll(fileName(c), `\`, "/"))
			out[base], after = append(out[base], c), c
		}
		if len(cells) < pageOf {
			break
		}
	}
	return out, nil
}

// meant finds the tracked file that a name in an error means: itself, one below
// a folder that the error leaves out, or one below a folder that the dialect
// does; of several the one that was written last.
func (s *suspector) meant(name string, tracked map[string][]string) (cell string, ok bool, err error) {
	var alike []string
	below := "/" + name
	for strings.HasPrefix(below, "/../") {
		below = below[len("/.."):]
	}
	for _, c := range tracked[path.Base(name)] {
		file := strings.TrimPrefix(strings.ReplaceAll(fileName(c), `\`, "/"), "./")
		if file == name {
			return c, true, nil
		}
		if strings.HasSuffix(file, below) || strings.HasSuffix(name, "/"+strings.TrimPrefix(file, "/")) {
			alike = append(alike, c)
		}
	}
	if len(alike) <= 1 || len(alike) > alikePaths {
		return strings.Join(alike, ""), len(alike) == 1, nil
	}
	last := int64(-1)
	for _, c := range alike {
		w, written, err := s.x.st.Reader().WriteAt(s.ctx, s.key, c, s.fault.Pos)
		if err != nil {
			return "", false, err
		}
		if written && w.Pos > last {
			cell, last = c, w.Pos
		}
	}
	return cell, last >= 0, nil
}

// lines accuses the last writers of lines of a file, or the commands that may
// have changed them. A line that the file does not have leads to the file.
func (s *suspector) lines(cell string, places []model.NamedPlace) error {
	writes, err := s.x.st.Reader().History(s.ctx, s.key, cell, 0, blameVersions+1)
	if err != nil {
		return err
	}
	if len(writes) > blameVersions {
		return s.file(cell, places[0])
	}
	for len(writes) > 0 && writes[len(writes)-1].Pos > s.fault.Pos {
		writes = writes[:len(writes)-1]
	}
	blame, doubts, err := s.x.blameVersions(s.ctx, s.key, cell, s.fault.Pos)
	if err != nil {
		return err
	}
	left := slices.Clone(places)
	n := int64(0)
	for _, o := range blame.Lines() {
		n++
		for i := range left {
			if left[i].Line != n {
				continue
			}
			if err := s.line(left[i], cell, writes, doubts, o); err != nil {
				return err
			}
			left[i].Line = 0
		}
	}
	for _, p := range left {
		if p.Line > 0 {
			return s.file(cell, p)
		}
	}
	return nil
}

// line accuses the writer of one line; where it was only seen, the events that
// may have changed it since the file was seen or written before.
func (s *suspector) line(p model.NamedPlace, cell string, writes []model.Write, doubts []int64, o textdiff.Origin[fileVersion]) error {
	last, before := -1, int64(0)
	for i, w := range writes {
		switch {
		case w.Pos == o.Tag.pos:
			last = i
		case w.Pos < o.Tag.pos && !w.New.Absent() && writtenPos(w.New) == w.Pos:
			before = w.Pos
		}
	}
	if last < 0 {
		return nil
	}
	written := o.Written || !o.HasAfter
	if written {
		w := writes[last]
		if err := s.x.fillTexts(s.ctx, s.key, &w); err != nil {
			return err
		}
		if last > 0 && writes[last-1].Pos == w.Pos && !w.Old.Absent() {
			var err error
			if w.Old.Text, _, err = s.x.st.Reader().OutsideText(s.ctx, s.key, cell, w.Pos); err != nil {
				return err
			}
		}
		var err error
		if written, err = s.authored(w); err != nil {
			return err
		}
	}
	name := p.Path + ":" + strconv.FormatInt(p.Line, 10)
	if written {
		g := namedLine
		if p.Frame {
			g = namedFrame
		}
		return s.accuseCall(o.Tag.pos, g, "error names "+name, named(cell, p))
	}
	for _, pos := range doubts {
		if pos <= before || pos > o.Tag.pos {
			continue
		}
		if err := s.accuseCall(pos, namedLine, "error names "+name+", which this may have changed", named(cell, p)); err != nil {
			return err
		}
	}
	return nil
}

// file accuses the last writer of a whole file, or who deleted it.
func (s *suspector) file(cell string, p model.NamedPlace) error {
	w, ok, err := s.x.st.Reader().WriteAt(s.ctx, s.key, cell, s.fault.Pos)
	if err != nil || !ok {
		return err
	}
	if w.New.Absent() {
		return s.accuseCall(w.Pos, namedFile, "error names "+p.Path+", which is gone since", named(cell, p))
	}
	pos := writtenPos(w.New)
	if pos == 0 {
		return nil
	}
	if w, ok, err = s.x.st.Reader().WriteAt(s.ctx, s.key, cell, pos); err != nil || !ok {
		return err
	}
	if err := s.x.fillTexts(s.ctx, s.key, &w); err != nil {
		return err
	}
	written, err := s.authored(w)
	if err != nil || !written {
		return err
	}
	g := namedFile
	if p.Frame {
		g = namedFrame
	}
	return s.accuseCall(pos, g, "error names "+p.Path, named(cell, p))
}

func named(cell string, p model.NamedPlace) answer.Evidence {
	file, text := fileName(cell), shortened(p.Text)
	out := answer.Evidence{Path: &file, Text: &text}
	if p.Line > 0 {
		out.Line = &p.Line
	}
	return out
}

// shortened cuts a line of an error at a rune boundary.
func shortened(text string) string {
	const most = 200
	if len(text) <= most {
		return text
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}

// authored tells a write from a look at what somebody else wrote: the state
// takes in both. Who writes a text has it in the call. A derived text was
// derived from an edit, and what only doubts a text does not know better.
func (s *suspector) authored(w model.Write) (bool, error) {
	if w.New.Text == nil || w.Restores > 0 || certaintyOf(w.New) != model.CertaintyKnown {
		return true, nil
	}
	e, err := s.x.eventAt(s.ctx, s.key, w.Pos)
	if err != nil {
		return false, err
	}
	if onlyReads(e.Tool) {
		return false, nil
	}
	call, err := s.callOf(e)
	if err != nil || call.Pos == e.Pos {
		return err == nil, err
	}
	raw, err := s.x.Raw(s.ctx, call)
	if err != nil {
		return true, s.ctx.Err()
	}
	old := ""
	if w.Old.Text != nil {
		old = *w.Old.Text
	}
	return strings.Contains(loose(DecodedText(raw)), loose(changedText(old, *w.New.Text))), nil
}

// onlyReads: tools that take in a file and change none.
func onlyReads(tool string) bool {
	switch strings.ToLower(tool) {
	case "read", "read_file", "readfile", "read_many_files", "view", "view_file", "cat", "open", "open_file", "grep", "glob", "ls", "list",
		"list_dir", "list_files", "search", "find", "fetch", "webfetch", "web_fetch", "update_tasks", "todowrite":
		return true
	}
	return false
}

// changedText is the first line of what is new in a text, to whole words; of
// what is gone where nothing is.
func changedText(old, now string) string {
	start := 0
	for start < len(old) && start < len(now) && old[start] == now[start] {
		start++
	}
	end := 0
	for end < len(old)-start && end < len(now)-start && old[len(old)-1-end] == now[len(now)-1-end] {
		end++
	}
	text, from, to := now, start, len(now)-end
	if from == to {
		text, to = old, len(old)-end
	}
	for from > 0 && letter(text[from-1]) {
		from--
	}
	for to < len(text) && letter(text[to]) {
		to++
	}
	line, _, _ := strings.Cut(strings.TrimSpace(text[from:to]), "\n")
	return strings.TrimSpace(line)
}

func letter(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
}

// loose takes out what texts within texts escape.
func loose(text string) string {
	return strings.NewReplacer(`\`, "", `"`, "", `'`, "").Replace(text)
}
