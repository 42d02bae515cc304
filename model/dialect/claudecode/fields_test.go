package claudecode

import (
	"reflect"
	"testing"

	"hindcast/model/jsonscan"
)

// One walk over a record finds of its message what reading that alone does.
func TestRecordHoldsItsMessage(t *testing.T) {
	var r record // used again, as in a run
	for _, text := range []string{
		`{"type":"user","message":{"role":"user","content":"words"},"uuid":"u"}`,
		`{"message":{"id":"m","model":"x","usage":{"a":[1]},"content":[{"type":"text","text":"a \"b\""},"plain",7,[{"text":"no"}],null,{"type":"tool_result","content":[{"type":"text","text":"deep"}],"is_error":true},{"type":"tool_use","id":"c","name":"Bash","input":{"text":"not this"}}],"stop_reason":"end_turn"}}`,
		`{"message":{"id":"m","content":[{"text":"old"}]},"message":{"content":"new"}}`,
		`{"message":{"id":"m","content":[{"text":"old"}]},"message":"none"}`,
		`{"message":{"content":"old","content":[{"text":"one"}],"content":[{"text":"two"},{}]}}`,
		`{"message":{"content":[{"text":"old"}],"content":null}}`,
		`{"message":[{"content":[{"text":"x"}]}]}`, `{"content":[{"text":"x"}]}`, `{}`,
	} {
		r.read([]byte(text))
		var m message
		m.read(jsonscan.Get([]byte(text), "message"))
		var blocks []block
		eachBlock(m.content, func(b block) bool {
			blocks = append(blocks, b)
			return true
		})
		if !reflect.DeepEqual(r.said, m) {
			t.Errorf("%s: message %q, want %q", text, r.said, m)
		}
		if len(r.blocks) != len(blocks) || len(blocks) > 0 && !reflect.DeepEqual(r.blocks, blocks) {
			t.Errorf("%s: blocks %q, want %q", text, r.blocks, blocks)
		}
	}
}
