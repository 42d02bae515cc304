package eventlog

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"hindcast/model"
)

func TestMessages(t *testing.T) {
	r := readRun(t,
		line(1, "u", typeUser, "", `{"content":[{"type":"text","text":"a"},{"type":"image"},{"type":"text","text":"b"}]}`),
		line(2, "c", typeAction, "u", `{"action_type":"bash","thought":"let me see","params":{"command":"ls"}}`),
		line(3, "d", typeAction, "u", `{"action_type":"grep","params":null}`),
		line(4, "r", typeResult, "c", `{"status":"ok","output":"x\ny"}`),
		line(5, "f", typeResult, "", `{"status":"error","error":"no"}`),
		line(6, "q", typeResult, "gone", `{"status":"ok"}`),
		line(7, "s", typeAction, "u", say),
	)
	roles := []model.Role{model.RoleUser, model.RoleAssistant, model.RoleAssistant, model.RoleTool, model.RoleTool, model.RoleTool, model.RoleAssistant}
	var view []model.Viewed
	for i, e := range r.events {
		entry := model.Entry{Pos: e.Pos, Role: roles[i], Tokens: model.TokensUnknown}
		view = append(view, model.Viewed{Entry: entry, Record: *e, Raw: r.raw[i]})
	}
	want := []model.Message{
		{Text: "a\nb"},
		{Text: "let me see", Calls: []model.MessageCall{{ID: "c", Tool: "bash", Args: `{"command":"ls"}`}}},
		{Calls: []model.MessageCall{{ID: "d", Tool: "grep"}}},
		{Text: "x\ny", Results: []string{"c"}},
		{Text: "no", Results: []string{"d"}},
		{},
		{Text: "hi"},
	}
	for i := range want {
		want[i].Role, want[i].Records, want[i].Tokens = roles[i], []int{i}, model.TokensUnknown
	}
	for _, live := range []bool{true, false} {
		got := teller().Messages(view, live)
		if !got.Exact || !reflect.DeepEqual(got.Messages, want) {
			t.Errorf("exact %v\n got %+v\nwant %+v", got.Exact, got.Messages, want)
		}
	}
}

func TestMessagesOfUnreadableRecords(t *testing.T) {
	got := teller().Messages([]model.Viewed{{Entry: model.Entry{Role: model.RoleTool, Tokens: 4}}}, true)
	want := []model.Message{{Role: model.RoleTool, Records: []int{0}, Tokens: 4}}
	if got.Exact || !reflect.DeepEqual(got.Messages, want) {
		t.Errorf("got %+v", got)
	}
	if got := teller().Messages(nil, true); !got.Exact || got.Messages == nil || len(got.Messages) > 0 {
		t.Errorf("of nothing: %+v", got)
	}
}

// Characters are counted in the text as written; that is what decoding gives.
func TestCharsWithoutDecoding(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "ü", "本", "😀", `\n`, `\"`, `\\`, `\/`, `\u00e4`, `\u672c`, `\ud83d`, `\ude00`, `\uD83D\uDE00`, `\u0000`, "\xff", "\xe2\x82"}
	for range 5000 {
		var b strings.Builder
		for range r.IntN(8) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		v := []byte(`"` + b.String() + `"`)
		if got, want := chars(v), int64(utf8.RuneCountInString(speech(v))); got != want {
			t.Fatalf("%s has %d characters, want %d", v, got, want)
		}
	}
}
