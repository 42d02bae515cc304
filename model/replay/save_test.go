package replay_test

import (
	"bytes"
	"testing"

	"hindcast/model"
	"hindcast/model/replay"
)

func TestLoadRefusesDamage(t *testing.T) {
	log := &replay.Log{}
	fold := replay.New(replay.Options{Past: log})
	for _, m := range stream(randomBytes(3))[:30] {
		log.Add(fold.Apply(m.event, m.effects))
	}
	state, err := fold.Save()
	if err != nil {
		t.Fatal(err)
	}
	empty, _ := replay.New(replay.Options{}).Save()
	damaged := [][]byte{append(bytes.Clone(state), 0), append([]byte{state[0] + 1}, state[1:]...)}
	for n := range state {
		damaged = append(damaged, state[:n])
	}
	for _, b := range damaged {
		if fold.Load(state) != nil {
			t.Fatal("a saved state does not load")
		}
		if fold.Load(b) == nil {
			t.Errorf("%d of %d bytes load", len(b), len(state))
		}
		if after, _ := fold.Save(); !bytes.Equal(after, empty) {
			t.Errorf("%d of %d bytes leave something behind", len(b), len(state))
		}
	}
}

func TestSavedTextsStandOnce(t *testing.T) {
	fold := replay.New(replay.Options{})
	text := bytes.Repeat([]byte("a long text\n"), 100)
	fold.Apply(event(1), []model.Effect{write("a", string(text))})
	if state, _ := fold.Save(); len(state) > len(text)+100 {
		t.Errorf("%d bytes for a text of %d", len(state), len(text))
	}
}
