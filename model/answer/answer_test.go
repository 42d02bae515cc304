package answer

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"hindcast/model"
)

func TestEncodeIsSafeOnATerminal(t *testing.T) {
	hostile := "a\x1b[2Jb\u009bc\u202ed\U000e0041e\u2028f\x7fg\xffh<&>"
	var b bytes.Buffer
	if err := Encode(&b, map[string]any{"text": hostile, "raw": json.RawMessage("{\"k\":\"\u202e\u200b\"}")}); err != nil {
		t.Fatal(err)
	}
	for _, r := range strings.ReplaceAll(b.String(), "\n", "") {
		if model.Deceptive(r) {
			t.Errorf("%U got out: %q", r, b.String())
		}
	}
	var back struct {
		Text string
		Raw  map[string]string
	}
	if err := json.Unmarshal(b.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if want := strings.ToValidUTF8(hostile, "\ufffd"); back.Text != want {
		t.Errorf("text came back as %q, want %q", back.Text, want)
	}
	if back.Raw["k"] != "\u202e\u200b" {
		t.Errorf("payload came back as %q", back.Raw["k"])
	}
}

func TestEventShape(t *testing.T) {
	e := model.Event{
		Session: "s", Seq: 7, Pos: 3, Type: "ToolResult", Kind: model.KindObservation, Outcome: model.OutcomeFailed,
		Time: model.Time{Nanos: 1e9, Known: true, Digits: 3}, Span: model.Span{Length: 12},
		Links: []model.Link{
			{Reason: model.ReasonAction, To: model.Ref{Session: "s", Seq: 6, Pos: 2, ID: "a"}},
			{Reason: model.ReasonSource, ToID: "gone", Broken: model.LinkMissing},
		},
	}
	var b bytes.Buffer
	if err := EncodeLine(&b, NewEvent(e)); err != nil {
		t.Fatal(err)
	}
	const want = `{"session":"s","seq":7,"pos":3,"id":null,"type":"ToolResult","kind":"observation","origin":"recorded",` +
		`"time":"1970-01-01T00:00:01.000Z","source":null,"tool":null,"call":null,"title":"","failed":true,` +
		`"links":[{"reason":"action","to":{"session":"s","seq":6,"pos":2,"id":"a"},"inferred":false}],"bytes":12}` + "\n"
	if b.String() != want {
		t.Errorf("got  %swant %s", b.String(), want)
	}
}

func TestUsageIsNullWhereNothingTold(t *testing.T) {
	var b bytes.Buffer
	if err := EncodeLine(&b, []Usage{NewUsage(model.Usage{}), NewUsage(model.Usage{Input: 1, CostUSD: 0.1 + 0.2, Told: model.ToldInput | model.ToldReasoning | model.ToldCost})}); err != nil {
		t.Fatal(err)
	}
	const want = `[{"input_tokens":null,"output_tokens":null,"cache_read_tokens":null,"cache_write_tokens":null,"reasoning_tokens":null,"cost_usd":null},` +
		`{"input_tokens":1,"output_tokens":null,"cache_read_tokens":null,"cache_write_tokens":null,"reasoning_tokens":0,"cost_usd":0.3}]` + "\n"
	if b.String() != want {
		t.Errorf("got %s", b.String())
	}
}
