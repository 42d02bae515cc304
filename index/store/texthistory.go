package store

import (
	"context"

	"hindcast/model"
)

// heldTexts is how many bytes of texts a FileTexts holds, those of the file at
// hand beside them.
const heldTexts = 16 << 20

// FileTexts adds the texts to the writes of files that come in order, as a
// history or a range of a session gives them from its start on: each text is
// made from the one before.
type FileTexts struct {
	r       *Reader
	session int64
	upTo    int64
	files   map[string]*followedText
	size    int // bytes of the texts held
	most    int // of those beside the one at hand
}

// followedText is a file's text as its writes so far left it.
type followedText struct {
	versions *TextVersions
	known    bool
	away     bool // text is to be read again
	text     string
	pos      int64 // of the last write
}

// FileTexts begins before a session's first write; the events up to upTo must
// be folded.
func (r *Reader) FileTexts(session, upTo int64) *FileTexts {
	return &FileTexts{r: r, session: session, upTo: upTo, files: make(map[string]*followedText), most: heldTexts}
}

// Fill adds the texts before and after a write; it leaves alone what is no file.
func (t *FileTexts) Fill(ctx context.Context, w *model.Write) error {
	if class, _, _ := classOf(w.Path); class != classFile {
		return nil
	}
	f, err := t.at(ctx, w.Path)
	if err != nil {
		return err
	}
	if !w.Old.Absent() {
		w.Old.Text = f.now()
	}
	second := f.pos == w.Pos
	f.pos = w.Pos
	before := len(f.text)
	for {
		v, ok, err := f.versions.Next(ctx, w.Pos, second)
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if f.text, err = v.apply(f.text); err != nil {
			return wrap("file", err)
		}
		f.known = v.Known
	}
	t.size += len(f.text) - before
	if !w.New.Absent() {
		w.New.Text = f.now()
	}
	return nil
}

// at finds a file with its text.
func (t *FileTexts) at(ctx context.Context, path string) (*followedText, error) {
	f := t.files[path]
	if f == nil {
		f = &followedText{versions: t.r.TextVersions(t.session, path, t.upTo)}
		t.files[path] = f
	}
	if t.size-len(f.text) > t.most {
		t.letGo(f)
	}
	if !f.away {
		return f, nil
	}
	err := t.r.snapshot(ctx, "file", func(ctx context.Context, q *snapshot) error {
		text, err := readText(ctx, q, f.versions.cell, f.versions.last)
		f.text = string(text)
		return err
	})
	f.away = false
	t.size += len(f.text)
	return f, err
}

// letGo holds the text of one file only.
func (t *FileTexts) letGo(of *followedText) {
	for _, f := range t.files {
		if f != of {
			f.away, f.text = f.away || f.known, ""
			f.versions.ahead, f.versions.end = nil, false
		}
	}
	t.size = len(of.text)
}

// now is the text; nil where nothing is known.
func (f *followedText) now() *string {
	if !f.known {
		return nil
	}
	text := f.text
	return &text
}
