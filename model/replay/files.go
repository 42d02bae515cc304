package replay

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strconv"
	"strings"

	"hindcast/model"
)

// files are the files that the session wrote, changed or looked at, by path as
// the dialect gives it.
type files struct{ tracked map[string]*file }

// file is one version; it never changes.
type file struct {
	text      *string // nil: nothing of it is known
	certainty model.Certainty
	writer    *writer // nil: no event that we saw wrote the content
	facts     string  // of the text, as members of the cell
	cell      model.Value
}

// writer is the event that wrote a content.
type writer struct{ seq, pos int64 }

func newFile(text *string, c model.Certainty, w *writer) *file {
	return fileWith(text, c, w, factsOf(text))
}

func fileWith(text *string, c model.Certainty, w *writer, facts string) *file {
	f := &file{text: text, certainty: c, writer: w, facts: facts}
	f.cell = f.value()
	return f
}

const noFacts = `,"lines":0,"sha256":null`

// factsOf counts and sums a text, which takes longer than all else here.
func factsOf(text *string) string {
	if text == nil {
		return noFacts
	}
	sum := sha256.Sum256([]byte(*text))
	b := strconv.AppendInt(append(make([]byte, 0, 104), `,"lines":`...), countLines(*text), 10)
	b = hex.AppendEncode(append(b, `,"sha256":"`...), sum[:])
	return string(append(b, '"'))
}

func (f *file) value() model.Value {
	o := object{b: make([]byte, 0, 192)}
	o.text("certainty", f.certainty.String())
	o.b = append(o.b, f.facts...)
	if f.writer == nil {
		o.raw("written_by", "null")
		o.raw("written_pos", "null")
	} else {
		o.int("written_by", f.writer.seq)
		o.int("written_pos", f.writer.pos)
	}
	v := o.value()
	v.Text = f.text
	return v
}

// countLines counts a last line without newline too.
func countLines(text string) int64 {
	n := int64(strings.Count(text, "\n"))
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}

// as is the same content, known better or worse.
func (f *file) as(c model.Certainty) *file {
	if f.certainty == c {
		return f
	}
	return fileWith(f.text, c, f.writer, f.facts)
}

// sure: the recorded writes claim to explain the text.
func (f *file) sure() bool { return f != nil && f.text != nil && f.certainty >= model.CertaintyDerived }

func cellOf(f *file) model.Value {
	if f == nil {
		return model.Value{}
	}
	return f.cell
}

// put makes now the version of a path; nil: the path is not tracked any more.
func (f *files) put(s *step, path string, now *file) *touched {
	old := cellOf(f.tracked[path])
	if now == nil {
		delete(f.tracked, path)
	} else {
		f.tracked[path] = now
	}
	return s.put(FilePath(path), old, cellOf(now))
}

func by(e *model.Event) *writer { return &writer{seq: e.Seq, pos: e.Pos} }

func (f *files) write(s *step, x model.WriteFile) {
	f.before(s, x.Path, x.Before)
	f.put(s, x.Path, newFile(&x.Content, x.Certainty, by(s.event)))
}

// before takes the text that a record claims stood in a file before its own
// change. One that we do not have is an outside change: it comes first, and is
// worth a note where the recorded writes claimed to know better. Of a path that
// nobody tracks it is a first sight, so that what stood there is not taken for
// the work of this event; there an empty text says as much as none.
func (f *files) before(s *step, path string, claim *string) {
	t := f.tracked[path]
	switch {
	case claim == nil, t == nil && *claim == "":
	case t != nil && sameText(t.text, claim):
		if t.certainty != model.CertaintyKnown {
			f.put(s, path, t.as(model.CertaintyKnown))
		}
	default:
		seen := newFile(claim, model.CertaintyKnown, by(s.event))
		f.tracked[path] = seen
		s.putOutside(FilePath(path), cellOf(t), seen.cell)
		if t.sure() {
			s.note(model.NoteOutside, FilePath(path), "the text before this change is not the last recorded one")
		}
	}
}

// edit: a text that we know gives a derived one, a text that something may have
// changed since gives one just as doubtful. Where there is no text to edit (a
// path that nobody tracks, a range seen) the result is unknown: an edit does
// not show what stands around it.
func (f *files) edit(s *step, x model.EditFile) {
	f.before(s, x.Path, x.Before)
	t := f.tracked[x.Path]
	if t == nil || t.text == nil {
		f.put(s, x.Path, newFile(nil, model.CertaintyUnknown, by(s.event)))
		return
	}
	text, ok := edited(*t.text, x)
	switch {
	case ok && t.sure():
		if n := places(*t.text, x); n > 1 {
			s.note(model.NoteAmbiguous, FilePath(x.Path), "the old text stands "+strconv.Itoa(n)+" times; the first was changed")
		}
		f.put(s, x.Path, newFile(&text, model.CertaintyDerived, by(s.event)))
	case ok:
		f.put(s, x.Path, newFile(&text, model.CertaintyUnknown, by(s.event)))
	default:
		if t.sure() {
			s.note(model.NoteNoMatch, FilePath(x.Path), "the edit does not fit the last recorded text")
		}
		f.put(s, x.Path, newFile(nil, model.CertaintyUnknown, by(s.event)))
	}
}

// edited applies an edit to a text; false where it does not fit. An empty old
// text fits an empty file only.
func edited(text string, x model.EditFile) (string, bool) {
	switch {
	case x.Insert:
		return insertLines(text, x.InsertLine, x.New)
	case x.Old == "":
		return x.New, text == ""
	case !strings.Contains(text, x.Old):
		return "", false
	case x.All:
		return strings.ReplaceAll(text, x.Old, x.New), true
	}
	return strings.Replace(text, x.Old, x.New, 1), true
}

// places counts where an edit that takes the first place could have gone.
func places(text string, x model.EditFile) int {
	if x.Insert || x.All || x.Old == "" {
		return 1
	}
	return strings.Count(text, x.Old)
}

// insertLines puts whole lines behind line n: a newline is added where the
// inserted text would run into its neighbour.
func insertLines(text string, n int64, lines string) (string, bool) {
	if n < 0 || n > countLines(text) {
		return "", false
	}
	at := 0
	for range n {
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			return text + "\n" + lines, true // behind a last line without newline
		}
		at += end + 1
	}
	if lines != "" && !strings.HasSuffix(lines, "\n") {
		lines += "\n"
	}
	return text[:at] + lines + text[at:], true
}

// delete: of a path that nobody tracks it shows only if the record tells what
// stood there.
func (f *files) delete(s *step, x model.DeleteFile) {
	f.before(s, x.Path, x.Before)
	if f.tracked[x.Path] != nil {
		f.put(s, x.Path, nil)
	}
}

func (f *files) move(s *step, x model.MoveFile) {
	t := f.tracked[x.From]
	if t == nil || x.From == x.To {
		return
	}
	f.put(s, x.From, nil)
	f.put(s, x.To, t)
}

// see: a whole text is the truth from here on; a part of one tells nothing of a
// file whose text we have.
func (f *files) see(s *step, x model.SeeFile) {
	t := f.tracked[x.Path]
	switch {
	case !x.Whole && t == nil:
		f.put(s, x.Path, newFile(nil, model.CertaintyPartial, nil))
	case !x.Whole && t.text == nil:
		f.put(s, x.Path, t.as(model.CertaintyPartial))
	case !x.Whole:
	case t != nil && sameText(t.text, &x.Content):
		f.put(s, x.Path, t.as(model.CertaintyKnown))
	default:
		switch {
		case t.sure():
			s.note(model.NoteOutside, FilePath(x.Path), "the text seen is not the last recorded one")
		case t != nil && t.text != nil:
			s.note(model.NoteSeen, FilePath(x.Path), "the file has changed since its last recorded text")
		}
		f.put(s, x.Path, newFile(&x.Content, model.CertaintyKnown, by(s.event)))
	}
}

// doubt keeps the texts of files that something may have changed, as unknown.
func (f *files) doubt(s *step, paths []string) {
	for _, path := range paths {
		if t := f.tracked[path]; t != nil && t.certainty != model.CertaintyUnknown {
			f.put(s, path, t.as(model.CertaintyUnknown))
		}
	}
}

func (f *files) restore(s *step, cells []PastCell, _ model.LostReason) {
	for _, c := range cells {
		f.put(s, member(c.Path, model.PathFiles), fileOf(c.Value)).restores = c.Pos
	}
}

// fileOf reads a file's cell back; nil where it is absent.
func fileOf(v model.Value) *file {
	if v.Absent() {
		return nil
	}
	m := read[struct {
		Certainty  string
		WrittenBy  *int64 `json:"written_by"`
		WrittenPos *int64 `json:"written_pos"`
	}](v)
	certainty, _ := model.ParseCertainty(m.Certainty)
	var w *writer
	if m.WrittenBy != nil && m.WrittenPos != nil {
		w = &writer{seq: *m.WrittenBy, pos: *m.WrittenPos}
	}
	return newFile(v.Text, certainty, w)
}

func (f *files) save(w *encoder) {
	w.int(int64(len(f.tracked)))
	for _, path := range slices.Sorted(maps.Keys(f.tracked)) {
		t := f.tracked[path]
		w.text(path)
		w.textOrNil(t.text)
		w.int(int64(t.certainty))
		w.bool(t.writer != nil)
		if t.writer != nil {
			w.int(t.writer.seq)
			w.int(t.writer.pos)
		}
	}
}

func (f *files) load(r *decoder) {
	f.tracked = map[string]*file{}
	for range r.count() {
		path, text, c := r.text(), r.textOrNil(), model.Certainty(r.Int())
		var w *writer
		if r.bool() {
			w = &writer{seq: r.Int(), pos: r.Int()}
		}
		f.tracked[path] = newFile(text, c, w)
	}
}
