package importer

import (
	"context"
	"strings"

	"hindcast/model"
	"hindcast/model/replay"
)

// past answers a fold's questions about earlier values from the index, into
// which all that was folded goes first.
type past struct {
	ctx    context.Context
	m      *Importer
	key    int64
	settle func() error
	err    error // the first fault; the fold's answers are wrong after it
}

// ChangedSince implements replay.Past.
func (p *past) ChangedSince(to int64, prefix string) []replay.PastCell {
	if p.err == nil && p.settle != nil {
		p.err = p.settle()
	}
	if p.err != nil {
		return nil
	}
	r := p.m.st.Reader()
	folded, err := r.Folded(p.ctx, p.key)
	if err != nil {
		p.err = err
		return nil
	}
	seen := make(map[string]bool)
	var out []replay.PastCell
	err = r.Writes(p.ctx, p.key, to, folded, func(w model.Write) bool {
		if !seen[w.Path] && strings.HasPrefix(w.Path, prefix) {
			seen[w.Path] = true
			out = append(out, replay.PastCell{Path: w.Path, Value: w.Old})
		}
		return true
	})
	for i := range out {
		if err == nil && !out[i].Value.Absent() {
			err = p.fill(&out[i], to)
		}
	}
	p.err = err
	return out
}

// fill adds which event made a value, and a file's text.
func (p *past) fill(c *replay.PastCell, to int64) error {
	r := p.m.st.Reader()
	w, ok, err := r.WriteAt(p.ctx, p.key, c.Path, to)
	if err != nil || !ok {
		return err
	}
	c.Pos = w.Pos
	if strings.HasPrefix(c.Path, model.PathFiles+"/") {
		c.Value.Text, _, err = r.FileText(p.ctx, p.key, c.Path, to)
	}
	return err
}
