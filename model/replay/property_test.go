package replay_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/replay"
)

const sessions = 40 // streams that the property tests try

func TestStateByWritesIsThatOfANaiveFold(t *testing.T) {
	for seed := range uint64(sessions) {
		if err := checkStates(stream(randomBytes(seed))); err != nil {
			t.Fatalf("stream %d: %v", seed, err)
		}
	}
}

func TestDiffLeadsFromAToB(t *testing.T) {
	for seed := range uint64(sessions) {
		if err := checkDiffs(stream(randomBytes(seed)), seed); err != nil {
			t.Fatalf("stream %d: %v", seed, err)
		}
	}
}

func TestSaveAndLoadChangeNothing(t *testing.T) {
	for seed := range uint64(sessions) {
		if err := checkSaves(stream(randomBytes(seed))); err != nil {
			t.Fatalf("stream %d: %v", seed, err)
		}
	}
}

// FuzzEffects tries streams made of any bytes.
func FuzzEffects(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(randomBytes(seed)[:200])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		session := stream(b[:min(len(b), 300)])
		if err := checkStates(session); err != nil {
			t.Error(err)
		}
		if err := checkDiffs(session, uint64(len(b))); err != nil {
			t.Error(err)
		}
		if err := checkSaves(session); err != nil {
			t.Error(err)
		}
	})
}

// FuzzLoad: damaged states are refused or read, never worse.
func FuzzLoad(f *testing.F) {
	for seed := range uint64(8) {
		fold, log := replay.New(replay.Options{}), &replay.Log{}
		for _, m := range stream(randomBytes(seed)[:200]) {
			log.Add(fold.Apply(m.event, m.effects))
		}
		saved, _ := fold.Save()
		f.Add(saved)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		fold := replay.New(replay.Options{})
		if fold.Load(b) != nil {
			return
		}
		fold.View(nil).Context()
		saved, err := fold.Save()
		if err != nil || fold.Load(saved) != nil {
			t.Errorf("a state that loads does not load again")
		}
	})
}

func checkStates(session []moment) error {
	log := &replay.Log{}
	fold := replay.New(replay.Options{Past: log})
	view := fold.View(nil)
	cells := replay.Cells{}
	states := foldNaively(session)
	for i, m := range session {
		writes := fold.Apply(m.event, m.effects)
		if err := checkWrites(writes, m.event.Pos, cells, log); err != nil {
			return fmt.Errorf("event %d, %#v: %w", m.event.Pos, m.effects, err)
		}
		log.Add(writes)
		for _, w := range writes {
			cells.Write(w)
		}
		want := states[i+1]
		got, err := replay.Assemble(replay.Heading{Ref: model.Ref{Seq: m.event.Seq, Pos: m.event.Pos, ID: m.event.ID}}, cells)
		if err != nil {
			return err
		}
		if a, b := text(got), text(want.document(m.event)); a != b {
			return fmt.Errorf("event %d, %#v:\n got %s\nwant %s", m.event.Pos, m.effects, a, b)
		}
		if got, want := view.Context(), want.entries(); !slices.Equal(got, want) {
			return fmt.Errorf("event %d: in view\n%+v\nwant\n%+v", m.event.Pos, got, want)
		}
	}
	if got := log.At(int64(len(session))); !reflect.DeepEqual(got, cells) {
		return fmt.Errorf("the log ends in %v, want %v", got, cells)
	}
	return nil
}

// checkWrites holds the writes of an event against the rules for them.
func checkWrites(writes []model.Write, pos int64, before replay.Cells, log *replay.Log) error {
	at := map[string]model.Value{}
	for i, w := range writes {
		old, ok := at[w.Path]
		if !ok {
			old = before[w.Path]
			if initial, fixed := replay.Initial(w.Path); fixed && old.Absent() {
				old = initial
			}
		}
		at[w.Path] = w.New
		_, fixed := replay.Initial(w.Path)
		switch {
		case w.Pos != pos:
			return fmt.Errorf("%s: pos %d", w.Path, w.Pos)
		case i > 0 && cmp.Compare(writes[i-1].Path, w.Path) > 0:
			return fmt.Errorf("%s stands behind %s", w.Path, writes[i-1].Path)
		case !reflect.DeepEqual(w.Old, old):
			return fmt.Errorf("%s: old is %s, not %s", w.Path, w.Old.JSON, old.JSON)
		case reflect.DeepEqual(w.Old, w.New):
			return fmt.Errorf("%s: no change", w.Path)
		case fixed && w.New.Absent():
			return fmt.Errorf("%s: a fixed leaf is gone", w.Path)
		case !w.New.Absent() && !json.Valid(w.New.JSON):
			return fmt.Errorf("%s: no JSON: %s", w.Path, w.New.JSON)
		case w.Restores != 0 && !reflect.DeepEqual(log.At(w.Restores)[w.Path], w.New):
			return fmt.Errorf("%s: restores %d, which wrote something else", w.Path, w.Restores)
		}
	}
	return nil
}

func checkDiffs(session []moment, seed uint64) error {
	log := &replay.Log{}
	fold := replay.New(replay.Options{Past: log})
	for _, m := range session {
		log.Add(fold.Apply(m.event, m.effects))
	}
	last := len(session)
	d := &dice{randomBytes(seed)[:40]}
	for range 8 {
		a := int64(d.n(256) * (last + 1) / 256)
		b := int64(d.n(256) * (last + 1) / 256)
		if err := checkDiff(log, min(a, b), max(a, b)); err != nil {
			return fmt.Errorf("diff %d %d: %w", a, b, err)
		}
	}
	return nil
}

func checkDiff(log *replay.Log, a, b int64) error {
	from, to := log.At(a), log.At(b)
	changes := replay.Changes(log.Between(a, b))
	if a == b && len(changes) > 0 {
		return fmt.Errorf("%d changes", len(changes))
	}
	for i, c := range changes {
		old, _ := replay.Lookup(from, c.Path)
		now, _ := replay.Lookup(to, c.Path)
		switch {
		case i > 0 && changes[i-1].Path >= c.Path:
			return fmt.Errorf("%s stands behind %s", c.Path, changes[i-1].Path)
		case bytes.Equal(c.Old, c.New):
			return fmt.Errorf("%s: no change", c.Path)
		case !bytes.Equal(c.Old, old), !bytes.Equal(c.New, now):
			return fmt.Errorf("%s: %s -> %s, but %s -> %s", c.Path, c.Old, c.New, old, now)
		case c.Pos <= a || c.Pos > b:
			return fmt.Errorf("%s: by %d", c.Path, c.Pos)
		}
	}
	if got, want := shown(replay.Apply(from, changes)), shown(to); got != want {
		return fmt.Errorf("applied:\n got %s\nwant %s\nfrom %s", got, want, shown(from))
	}
	if got, want := shown(replay.Apply(to, replay.Inverse(changes))), shown(from); got != want {
		return fmt.Errorf("applied backwards:\n got %s\nwant %s", got, want)
	}
	return nil
}

// shown is a state as text, tasks by id.
func shown(cells replay.Cells) string {
	doc, err := replay.Assemble(replay.Heading{}, cells)
	if err != nil {
		return err.Error()
	}
	slices.SortFunc(doc.Tasks, func(a, b answer.StateTask) int { return cmp.Compare(a.ID, b.ID) })
	return text(doc)
}

func text(doc answer.State) string {
	b, err := json.Marshal(doc)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

func checkSaves(session []moment) error {
	log := &replay.Log{}
	plain, saved := replay.New(replay.Options{Past: log}), replay.New(replay.Options{Past: log})
	for _, m := range session {
		state, err := saved.Save()
		if err != nil {
			return err
		}
		saved = replay.New(replay.Options{Past: log})
		if err := saved.Load(state); err != nil {
			return err
		}
		want := plain.Apply(m.event, m.effects)
		if got := saved.Apply(m.event, m.effects); !reflect.DeepEqual(got, want) {
			return fmt.Errorf("event %d writes %v, want %v", m.event.Pos, got, want)
		}
		log.Add(want)
	}
	a, _ := plain.Save()
	b, _ := saved.Save()
	if !bytes.Equal(a, b) {
		return fmt.Errorf("saved states differ")
	}
	if got, want := saved.Notes(), plain.Notes(); !slices.Equal(got, want) {
		return fmt.Errorf("notes %v, want %v", got, want)
	}
	return nil
}
