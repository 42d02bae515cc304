package replay_test

import (
	"bytes"
	"fmt"
	"testing"

	"hindcast/model"
	"hindcast/model/replay"
)

// A fold that is put into a state stands where the one stands that came there
// by events, and goes on like it.
func TestASeededFoldGoesOnLikeTheOneThatItStandsFor(t *testing.T) {
	for seed := range uint64(sessions) {
		events := stream(randomBytes(seed))
		log := &replay.Log{}
		fold, seeded := replay.New(replay.Options{Past: log}), replay.New(replay.Options{Past: log})
		for i, m := range events {
			if i == len(events)/2 {
				seeded.Apply(m.event, []model.Effect{model.Status{Execution: "it goes"}, model.Say{Key: "too"}})
				seeded.Seed(log.At(m.event.Pos - 1))
			}
			want := fold.Apply(m.event, m.effects)
			if i >= len(events)/2 {
				if got := seeded.Apply(m.event, m.effects); fmt.Sprint(lines(got)) != fmt.Sprint(lines(want)) {
					t.Fatalf("stream %d, event %d:\n got %v\nwant %v", seed, m.event.Pos, lines(got), lines(want))
				}
			}
			log.Add(want)
		}
		fold.Notes()
		seeded.Notes()
		a, _ := fold.Save()
		if b, _ := seeded.Save(); !bytes.Equal(a, b) {
			t.Fatalf("stream %d: the working states differ", seed)
		}
	}
}

func lines(writes []model.Write) []string {
	var out []string
	for _, w := range writes {
		out = append(out, fmt.Sprintf("%s %d %s -> %s", w.Path, w.Pos, replay.Shown(w.Path, w.Old), replay.Shown(w.Path, w.New)))
	}
	return out
}

// recorded folds a small session, and gives its state and the cells that a
// record claims beside it.
func recorded(t *testing.T, r model.RecordedState) (fold, claimed replay.Cells) {
	t.Helper()
	run := begin(t)
	run.do(
		model.Say{Role: model.RoleUser, Tokens: 3}, model.Cwd{Path: "/w"}, model.Status{Execution: "running"},
		write("a", "one\n"), write("b", "two\n"), model.SeeFile{Path: "c"},
		model.Tasks{List: []model.Task{{ID: "1", Title: "x", Status: "todo"}, {ID: "2", Title: "y", Status: "todo"}}},
		model.Set{Path: "/vars/v", Value: []byte(`{"n":1.0}`)},
	)
	run.do(model.Say{Role: model.RoleAssistant, Tokens: 4})
	run.do(model.Run{Command: "rm b"})
	fold = run.log.At(3)
	return fold, replay.Recorded(fold, r, func(id string) (model.Entry, bool) {
		return model.Entry{Key: model.MessageKey(9), Pos: 9, Seq: 90, Event: id, Tokens: 5}, id == "e9"
	})
}

func TestWhatARecordContradicts(t *testing.T) {
	yes, elsewhere, none := "running", "/x", ""
	tests := []struct {
		name string
		r    model.RecordedState
		want string
	}{
		{"nothing", model.RecordedState{}, ""},
		{
			"what agrees", model.RecordedState{
				Context: []string{"e1", "e2"}, Files: map[string]string{"a": "one\n", "b": "two\n"}, Execution: &yes,
				Tasks: []model.Task{{ID: "1", Title: "x", Status: "todo"}, {ID: "2", Title: "y", Status: "todo"}},
				Vars:  map[string][]byte{"v": []byte(`{ "n" : 1.0 }`)},
			}, "",
		},
		{"a directory", model.RecordedState{Cwd: &elsewhere}, `/shell/cwd "/w" -> "/x"`},
		{"null", model.RecordedState{Execution: &none}, `/status/execution "running" -> null`},
		{
			"context", model.RecordedState{Context: []string{"e1", "e9", "e8"}},
			`/context/messages/0000000002 ` + entry(2, 20, 4, "assistant") + ` -> ` + "\n" +
				`/context/messages/0000000009  -> ` + entry(9, 90, 5, "user") + "\n" + `/context/tokens 7 -> 8`,
		},
		{
			"files", model.RecordedState{Files: map[string]string{"a": "one\ntwo\n", "b": "2\n", "c": "seen in part"}},
			`/files/a/content "one\n" -> "one\ntwo\n"` + "\n" + `/files/b/content "two\n" -> "2\n"`,
		},
		{
			"a file that is not there", model.RecordedState{Files: map[string]string{"a": "one\n"}},
			`/files/b {"content":"two\n","certainty":"unknown","lines":1,"sha256":"27dd8ed44a83ff94d557f9fd0412ed5a8cbca69ea04922d88c01184a07300a5a","written_by":10,"written_pos":1} -> `,
		},
		{
			"tasks", model.RecordedState{Tasks: []model.Task{{ID: "1", Title: "x", Status: "done"}, {ID: "3", Title: "z", Status: "todo"}}},
			`/tasks/1/status "todo" -> "done"` + "\n" + `/tasks/2 {"id":"2","title":"y","status":"todo"} -> ` + "\n" + `/tasks/3  -> {"id":"3","title":"z","status":"todo"}`,
		},
		{
			"their order", model.RecordedState{Tasks: []model.Task{{ID: "2", Title: "y", Status: "todo"}, {ID: "1", Title: "x", Status: "todo"}}},
			`/tasks ["1","2"] -> ["2","1"]`,
		},
		{"values", model.RecordedState{Vars: map[string][]byte{"v": []byte(`{"n":1}`), "w": []byte("2")}}, `/vars/v/n 1.0 -> 1` + "\n" + `/vars/w  -> 2`},
	}
	for _, test := range tests {
		fold, claimed := recorded(t, test.r)
		got := ""
		for i, c := range replay.Contradictions(fold, claimed) {
			if i > 0 {
				got += "\n"
			}
			got += fmt.Sprintf("%s %s -> %s", c.Path, c.Old, c.New)
		}
		if got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

func entry(pos, seq, tokens int64, role string) string {
	return fmt.Sprintf(`{"key":"%s","seq":%d,"pos":%d,"event":"e%d","role":"%s","tokens":%d,"chars":0,"summary":false}`, model.MessageKey(pos), seq, pos, pos, role, tokens)
}
