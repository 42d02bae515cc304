package chat_test

import (
	"reflect"
	"testing"

	"hindcast/model"
	"hindcast/model/chat"
)

func TestNote(t *testing.T) {
	want := chat.Note{Flags: chat.Reply | chat.Total, Calls: []string{"a", ""}, Tools: []string{"bash", "edit"}, Results: []string{"b"}, Title: "t", Outcome: "done"}
	if got := chat.ReadNote(want.String()); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
	for packed := want.String(); packed != ""; packed = packed[1:] {
		chat.ReadNote(packed[1:]) // whatever it holds, it is read to an end
	}
}

func TestKeysStandInOrder(t *testing.T) {
	all := []string{chat.Key(9, 0), chat.Key(9, 1), chat.Key(9, 10), chat.Key(10, 0)}
	for i, key := range all {
		if i > 0 && all[i-1] >= key {
			t.Errorf("%q does not stand before %q", all[i-1], key)
		}
	}
	if got := chat.Part(all[2]); got != 10 || chat.Part(all[0]) != 0 {
		t.Errorf("part %d", got)
	}
}

func TestUsageIsDisjoint(t *testing.T) {
	c := chat.Counts{Prompt: []byte("100"), Completion: []byte("20"), CacheRead: []byte("60"), Reasoning: []byte("5"), CacheInside: true, ReasoningInside: true}
	want := model.Usage{Input: 40, CacheRead: 60, Output: 15, Reasoning: 5, Told: model.ToldInput | model.ToldOutput | model.ToldCacheRead | model.ToldReasoning}
	if got := c.Usage(); got == nil || *got != want {
		t.Errorf("got %+v", got)
	}
	c.CacheRead = []byte("600") // counted apart after all
	if got := c.Usage(); got.Input != 100 {
		t.Errorf("input %d", got.Input)
	}
	if got := new(chat.Counts).Usage(); got != nil {
		t.Errorf("of nothing: %+v", got)
	}
}

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		`"a"`: "a", `[{"type":"text","text":"a"},{"type":"image"},"b"]`: "a\nb", `{"text":"a"}`: "a", `{"result":7}`: `{"result":7}`, `null`: "", `7`: "7",
	} {
		if got := chat.Text([]byte(in)); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

func TestCommand(t *testing.T) {
	if got, ok := chat.Command("bash", []byte(`{"command":"ls"}`)); !ok || got != "ls" {
		t.Errorf("got %q, %v", got, ok)
	}
	if _, ok := chat.Command("write_file", []byte(`{"command":"ls"}`)); ok {
		t.Error("a file tool is no shell")
	}
}
