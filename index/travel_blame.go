package index

import (
	"context"
	"fmt"
	"strings"

	"hindcast/index/store"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/textdiff"
)

// Blame finds the event that wrote a value.
func (x *Index) Blame(ctx context.Context, at model.Event, path string) (answer.Blame, error) {
	key, err := x.folded(ctx, at.Session, at.Pos)
	if err != nil {
		return answer.Blame{}, err
	}
	p, err := x.lookup(ctx, key, at, path)
	if err != nil {
		return answer.Blame{}, err
	}
	out := answer.Blame{Path: p.Pointer, Value: p.value, Certainty: p.certainty}
	w, err := x.writerOf(ctx, key, at.Pos, p)
	if err != nil || w.Pos == 0 {
		return out, err
	}
	e, err := x.ownEvent(ctx, key, w.Pos)
	if err != nil {
		return out, err
	}
	by := answer.NewEvent(e)
	out.By = &by
	if w.Restores > 0 {
		out.Restores, err = x.refAt(ctx, key, w.Restores)
	}
	return out, err
}

// fileVersion tags a version of a file's text: the event that wrote or saw it.
type fileVersion struct{ pos int64 }

// BlameFile finds the events that wrote the lines of a file.
func (x *Index) BlameFile(ctx context.Context, at model.Event, file string, line int64) (answer.BlameFile, error) {
	out := answer.BlameFile{Path: file, Lines: []answer.BlameLine{}, Events: make(map[int64]answer.Event)}
	key, err := x.folded(ctx, at.Session, at.Pos)
	if err != nil {
		return out, err
	}
	p, err := x.lookup(ctx, key, at, "file:"+file)
	if err != nil {
		return out, err
	}
	out.Certainty = *p.certainty
	if p.cells[p.Pointer].Text == nil {
		if line > 0 {
			return out, &PathError{Path: fmt.Sprintf("file:%s:%d", file, line), Reason: fmt.Sprintf("nothing of its text is known after %d", at.Seq)}
		}
		return out, nil
	}
	blame, doubts, err := x.blameVersions(ctx, key, p.Pointer, at.Pos)
	if err != nil {
		return out, err
	}
	b := fileBlamer{x: x, ctx: ctx, key: key, out: &out, doubts: doubts}
	n := int64(0)
	for text, origin := range blame.Lines() {
		if n++; line > 0 && n != line {
			continue
		}
		l, err := b.line(n, strings.TrimRight(text, "\r\n"), origin)
		if err != nil {
			return out, err
		}
		out.Lines = append(out.Lines, l)
	}
	if line > n {
		return out, &PathError{Path: fmt.Sprintf("file:%s:%d", file, line), Reason: fmt.Sprintf("the file has %d lines after %d", n, at.Seq)}
	}
	return out, nil
}

// blameVersions aligns the versions of a file up to pos, since it last came into
// being. doubts are the events that may have changed it without saying how.
func (x *Index) blameVersions(ctx context.Context, key int64, cell string, pos int64) (*textdiff.Blame[fileVersion], []int64, error) {
	outside, err := x.outside(ctx, key)
	if err != nil {
		return nil, nil, err
	}
	v := versionBlamer{outside: outside, versions: x.st.Reader().TextVersions(key, cell, pos)}
	// What a write is takes knowing the one behind it.
	err = x.eachWrite(ctx, key, cell, pos, func(w model.Write) error {
		before := v.write
		v.write = w
		if before.Path == "" {
			return nil
		}
		return v.add(ctx, before, w.Pos)
	})
	if err == nil && v.write.Path != "" {
		err = v.add(ctx, v.write, 0)
	}
	return &v.blame, v.doubts, err
}

// versionBlamer takes the writes of a file and the versions of its text.
type versionBlamer struct {
	outside  map[int64]string
	versions *store.TextVersions
	blame    textdiff.Blame[fileVersion]
	doubts   []int64
	write    model.Write // the last
	pos      int64       // of the write that was added last
	known    bool        // there is a text
}

// add takes a write; next is the pos of the one behind it.
func (v *versionBlamer) add(ctx context.Context, w model.Write, next int64) error {
	second := v.pos == w.Pos
	v.pos = w.Pos
	version, changed, err := v.versions.Next(ctx, w.Pos, second)
	if err != nil {
		return err
	}
	if changed {
		v.known = version.Known
	}
	switch {
	case w.New.Absent():
		v.blame.Restart()
		v.doubts = nil
		return nil
	case !v.known || !changed && !w.Old.Absent():
		if certaintyOf(w.New) == model.CertaintyUnknown {
			v.doubts = append(v.doubts, w.Pos)
		}
		return nil
	}
	change := textdiff.Change{Prefix: version.Prefix, Suffix: version.Suffix, Middle: version.Middle}
	if !changed { // the file came back with the text that it had
		change = v.blame.Same()
	}
	// Of two writes by one event the first is what it found there.
	sighting := next == w.Pos || v.outside[w.Pos] == w.Path && !second
	return v.blame.Add(ctx, change, fileVersion{w.Pos}, !sighting)
}

// outside lists the events that showed a file's text to be another than the
// recorded writes left it, with its path.
func (x *Index) outside(ctx context.Context, key int64) (map[int64]string, error) {
	notes, err := x.st.Reader().FoldNotes(ctx, key)
	if err != nil {
		return nil, err
	}
	out := make(map[int64]string)
	for _, n := range notes {
		if n.Kind == model.NoteOutside || n.Kind == model.NoteSeen {
			out[n.Pos] = n.Path
		}
	}
	return out, nil
}

// fileBlamer turns the origins of lines into an answer.
type fileBlamer struct {
	x      *Index
	ctx    context.Context
	key    int64
	out    *answer.BlameFile
	doubts []int64
}

func (b *fileBlamer) ref(pos int64) (answer.Ref, error) {
	e, ok := b.out.Events[pos]
	if !ok {
		ev, err := b.x.ownEvent(b.ctx, b.key, pos)
		if err != nil {
			return answer.Ref{}, err
		}
		if e, err = b.x.named(b.ctx, b.key, ev); err != nil {
			return answer.Ref{}, err
		}
		b.out.Events[pos] = e
	}
	return refOfAnswer(e), nil
}

// named is an event for people: a result goes by what was called, since that is
// what it did.
func (x *Index) named(ctx context.Context, key int64, e model.Event) (answer.Event, error) {
	out := answer.NewEvent(e)
	if e.Mate == 0 || e.Mate >= e.Pos {
		return out, nil
	}
	call, err := x.eventAt(ctx, key, e.Mate)
	if err != nil {
		return out, err
	}
	out.Title = call.Title
	return out, nil
}

func (b *fileBlamer) line(n int64, text string, o textdiff.Origin[fileVersion]) (answer.BlameLine, error) {
	l := answer.BlameLine{N: n, Text: text, Suspects: []answer.Ref{}}
	at, err := b.ref(o.Tag.pos)
	if err != nil {
		return l, err
	}
	if o.Written || !o.HasAfter {
		l.By = &at
		return l, nil
	}
	before, err := b.ref(o.After.pos)
	if err != nil {
		return l, err
	}
	l.Between = &[2]answer.Ref{before, at}
	for _, pos := range b.doubts {
		if pos > o.After.pos && pos <= o.Tag.pos {
			r, err := b.ref(pos)
			if err != nil {
				return l, err
			}
			l.Suspects = append(l.Suspects, r)
		}
	}
	return l, nil
}
