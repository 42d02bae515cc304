package claudecode

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"hindcast/fixtures/trial"
	"hindcast/model"
)

// TestStopsChangeNothing folds each sample once in one go, and once with an end
// after every record.
func TestStopsChangeNothing(t *testing.T) {
	data := trial.DataFolder(t, name)
	inputs, err := filepath.Glob(filepath.Join(data, "*", "input"))
	if err != nil || len(inputs) == 0 {
		t.Fatalf("no samples in %s", data)
	}
	for _, input := range inputs {
		dump := filepath.Base(filepath.Dir(input))
		t.Run(dump, func(t *testing.T) {
			for _, r := range trial.Read(t, New(), trial.Data(t, name+"/"+dump+"/input")).Sessions {
				sameWithStops(t, r)
			}
		})
	}
}

func sameWithStops(t *testing.T, r *trial.Session) *folded {
	t.Helper()
	plain, stopped := &folded{r.Fold(t, false)}, &folded{r.Fold(t, true)}
	for pos := int64(1); pos <= plain.end(); pos++ {
		if a, b := plain.Log.Between(pos-1, pos), stopped.Log.Between(pos-1, pos); !reflect.DeepEqual(a, b) {
			t.Fatalf("event %d: a stop changes the writes: %v, %v", pos, a, b)
		}
	}
	return plain
}

// FuzzEffects feeds records of any shape to a session: nothing may break, keys
// stay apart, and a stop changes nothing.
func FuzzEffects(f *testing.F) {
	s := newScript().user("u1", "go").
		calls("a1", "m1", "c1", "Edit", `{"file_path":"a","old_string":"x","new_string":""}`).
		returns("r1", "c1", "ok", `{"filePath":"a","oldString":"x","newString":"","originalFile":"x\n","userModified":true,"structuredPatch":[{"newStart":-1,"lines":["","+"]}]}`).
		calls("a2", "m2", "c2", "Bash", `{"command":"ls"}`).
		returns("r2", "c2", "ok", `{"bashEditDiff":{"files":[{"filePath":"a","hunks":[{"oldStart":-9,"oldLines":-1,"lines":["+",7,"-x"]}]}],"changedFiles":["a",""]}}`).
		under("a1").user("u2", "back").under("").
		add("system", "b", `"subtype":"compact_boundary","compactMetadata":{"preservedMessages":{"uuids":["u2","r2"]}}`).
		add("attachment", "x", `"attachment":{"type":"file","content":{"file":{"filePath":"b","content":"t","numLines":1,"startLine":1,"totalLines":1}}},"rendered":[{"content":"t"},{}],"renderedRole":"user"`).
		add("user", "sum", `"isCompactSummary":true,"message":{"content":[{"type":"text","text":"s"}]}`).
		side(`{"type":"api-request-blob","hash":"h","message":{"role":"user","content":"s"}}`).
		side(`{"type":"api-request","id":"q","base":"q","keep":9,"tail":["h"]}`).
		add("assistant", "a3", `"requestRef":"q","message":{"id":"m3","content":"text"}`).
		add("system", "mc", `"subtype":"microcompact_boundary","microcompactMetadata":{"compactedToolIds":["c1","c2"],"clearedAttachmentUUIDs":["x"]}`).
		side(`{"type":"result","session_id":"s","usage":{"input_tokens":3},"total_cost_usd":1,"is_error":true}`)
	f.Add(strings.Join(s.lines, "\n"))
	f.Fuzz(func(t *testing.T, text string) {
		if strings.HasPrefix(text, "{") {
			text = `{"type":"user","uuid":"0","parentUuid":null,"sessionId":"s","message":{"content":"go"}}` + "\n" + text
		}
		im := trial.Read(t, New(), trial.NewDump(map[string]string{"s.jsonl": text}))
		for _, r := range im.Sessions {
			plain := sameWithStops(t, r)
			for i, e := range r.Events {
				view := plain.Viewed(int64(i))
				for k := range view {
					if k > 0 && view[k-1].Key >= view[k].Key {
						t.Fatalf("event %d: keys %q, %q", e.Pos, view[k-1].Key, view[k].Key)
					}
				}
				New().(model.Teller).Messages(view, true)
				New().(model.Requester).Request(*e, view, r)
			}
		}
	})
}
