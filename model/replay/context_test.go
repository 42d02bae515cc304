package replay_test

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"hindcast/model"
	"hindcast/model/replay"
)

func message(pos int, tokens string, chars int) string {
	key := model.MessageKey(int64(pos))
	return fmt.Sprintf(`{"key":"%s","seq":%d,"pos":%d,"event":"e%d","role":"user","tokens":%s,"chars":%d,"summary":false}`, key, 10*pos, pos, pos, tokens, chars)
}

func TestContext(t *testing.T) {
	r := begin(t)
	want(t, r.do(model.Say{Tokens: 7, Chars: 3}),
		"/context/messages/0000000001 - -> "+message(1, "7", 3),
		"/context/tokens null -> 7")
	want(t, r.do(model.Say{Tokens: 5, Chars: 4}),
		"/context/messages/0000000002 - -> "+message(2, "5", 4),
		"/context/tokens 7 -> 12")
	want(t, r.do(model.Say{Tokens: model.TokensUnknown}),
		"/context/messages/0000000003 - -> "+message(3, "null", 0),
		"/context/tokens 12 -> null")
	// A summary takes the place of what leaves; its key puts it first.
	want(t, r.do(model.Forget{
		Keys: []string{model.MessageKey(3), model.MessageKey(1), model.MessageKey(3)}, Checkpoint: "cp",
		Summary: &model.Say{Key: "0", Role: model.RoleAssistant, Tokens: 2},
	}),
		`/checkpoint null -> {"id":"cp","seq":40,"pos":4,"base_seq":null}`,
		"/context/forgotten 0 -> 2",
		`/context/messages/0 - -> {"key":"0","seq":40,"pos":4,"event":"e4","role":"assistant","tokens":2,"chars":0,"summary":true}`,
		"/context/messages/0000000001 "+message(1, "7", 3)+" -> -",
		"/context/messages/0000000003 "+message(3, "null", 0)+" -> -",
		"/context/tokens null -> 7")
	r.wantNotes()
	if got := r.fold.View(nil).Context(); len(got) != 2 || got[0].Key != "0" || got[1].Pos != 2 {
		t.Errorf("in view: %+v", got)
	}
}

func TestForgottenIsWhatLeft(t *testing.T) {
	r := begin(t)
	r.do(model.Say{Tokens: 7})
	// A text that is pruned stays in view, shorter by nobody knows how many tokens.
	want(t, r.do(model.Forget{Keys: []string{model.MessageKey(1)}, Replace: true, ReplaceChars: 2, Reason: model.LostPrune}),
		"/context/messages/0000000001 "+message(1, "7", 0)+" -> "+
			`{"key":"0000000001","seq":10,"pos":1,"event":"e1","role":"user","tokens":null,"chars":2,"summary":false,"replaced":true}`,
		"/context/tokens 7 -> null")
	// What comes and goes within one event was never in view.
	want(t, r.do(model.Say{}, model.Forget{Keys: []string{model.MessageKey(3)}}))
	r.wantNotes()
	want(t, r.do(model.Forget{Keys: []string{"gone", model.MessageKey(3)}}))
	r.wantNotes(model.NoteForgetsUnknown)
	writes := r.fold.Apply(event(5), []model.Effect{model.Forget{Keys: []string{model.MessageKey(1)}, Reason: model.LostBranch}})
	if len(writes) != 2 || string(writes[0].New.JSON) != "1" || writes[1].Lost != model.LostBranch {
		t.Errorf("writes: %+v", writes)
	}
}

func TestMessageReadsACellBack(t *testing.T) {
	f := replay.New(replay.Options{})
	writes := f.Apply(event(4), []model.Effect{model.Say{Key: "a/b", Response: "r", Role: model.RoleTool, Chars: 9, Tokens: model.TokensUnknown, Summary: true}})
	got, ok := replay.Message(writes[0].Path, writes[0].New)
	if want := f.View(nil).Context()[0]; !ok || got != want || got.Response != "r" {
		t.Errorf("%+v, want %+v", got, want)
	}
	if shown := string(replay.Shown(writes[0].Path, writes[0].New)); shown != `{"key":"a/b","seq":40,"pos":4,"event":"e4","role":"tool","tokens":null,"chars":9,"summary":true}` {
		t.Errorf("shown: %s", shown)
	}
}

func TestViewOutlivesWhatComesAfter(t *testing.T) {
	r := begin(t)
	view := r.fold.View(nil)
	var seen [][]model.Entry
	for range 5 {
		r.do(model.Say{})
		seen = append(seen, view.Context())
	}
	r.do(model.Say{Key: "0"}, model.Forget{Keys: []string{model.MessageKey(2)}})
	for i, entries := range seen {
		if len(entries) != i+1 || entries[i].Pos != int64(i+1) {
			t.Errorf("after event %d in view: %+v", i+1, entries)
		}
	}
	if got := view.Context(); len(got) != 5 || got[0].Key != "0" || got[1].Pos != 1 || got[2].Pos != 3 {
		t.Errorf("in view: %+v", got)
	}
}

// TestContextStaysSmall bounds the memory of a message in view.
func TestContextStaysSmall(t *testing.T) {
	const messages = 50_000
	f := replay.New(replay.Options{})
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	keys := make([]string, 0, messages/2)
	for pos := int64(1); pos <= messages; pos++ {
		e := &model.Event{Pos: pos, Seq: pos, ID: fmt.Sprintf("evt_%07d", pos)}
		f.Apply(e, []model.Effect{model.Say{Chars: 400, Tokens: 100}})
		if pos%2 == 0 {
			keys = append(keys, model.MessageKey(pos))
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if each := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) / messages; each > 120 {
		t.Errorf("%d bytes a message", each)
	}
	slices.Reverse(keys)
	f.Apply(&model.Event{Pos: messages + 1, Seq: messages + 1}, []model.Effect{model.Forget{Keys: keys}})
	if got := len(f.View(nil).Context()); got != messages/2 {
		t.Errorf("%d messages in view", got)
	}
}
