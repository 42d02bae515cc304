package eventlog

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"hindcast/fixtures/gen/stream"
	"hindcast/model"
	"hindcast/model/jsonscan"
)

func said(role model.Role, chars int64) model.Say {
	return model.Say{Role: role, Chars: chars, Tokens: model.TokensUnknown}
}

// TestEffects: one record that needs no other.
func TestEffects(t *testing.T) {
	tests := []struct {
		name, typ, payload string
		want               []model.Effect
	}{
		{"a user speaks", typeUser, `{"content":"h\u00e9llo \ud83d\ude00"}`, []model.Effect{said(model.RoleUser, 7)}},
		{"a user speaks in parts", typeUser, `{"content":[{"type":"text","text":"ab"},{"type":"image","data":"xxxx"},"cd"]}`, []model.Effect{said(model.RoleUser, 5)}},
		{"no content", typeUser, `{}`, []model.Effect{said(model.RoleUser, 0)}},
		{"no payload", typeUser, `"text"`, []model.Effect{said(model.RoleUser, 0)}},
		{"the last of duplicate keys", typeUser, `{"content":"abc","content":"d"}`, []model.Effect{said(model.RoleUser, 1)}},
		{"an answer", typeAction, `{"action_type":"respond","params":{"content":"yes"}}`, []model.Effect{said(model.RoleAssistant, 3)}},
		{"an answer beside params", typeAction, `{"action_type":"respond","content":"yes"}`, []model.Effect{said(model.RoleAssistant, 3)}},
		{"a call", typeAction, `{"action_type":"bash","params":{"command":"ls"}}`, []model.Effect{said(model.RoleAssistant, 0), model.Call{ID: "e", Tool: "bash"}}},
		{"a call with a thought", typeAction, `{"action_type":"grep","thought":"hm"}`, []model.Effect{said(model.RoleAssistant, 2), model.Call{ID: "e", Tool: "grep"}}},
		{"a call of nothing", typeAction, `{}`, []model.Effect{said(model.RoleAssistant, 0), model.Call{ID: "e"}}},
		{"usage", typeAction, `{"action_type":"respond","usage":{"input_tokens":7,"output_tokens":2,"cost_usd":0.5}}`, []model.Effect{
			said(model.RoleAssistant, 0), model.Spend{Usage: model.Usage{Input: 7, Output: 2, CostUSD: 0.5, Told: model.ToldInput | model.ToldOutput | model.ToldCost}},
		}},
		{"usage of any type", "Probe", `{"usage":{"cost_usd":1}}`, []model.Effect{model.Spend{Usage: model.Usage{CostUSD: 1, Told: model.ToldCost}}}},
		{"usage that says nothing", typeUser, `{"usage":{"input_tokens":"x"}}`, []model.Effect{said(model.RoleUser, 0)}},
		{"a result without a call", typeResult, `{"status":"ok","output":"abc","cwd":"/srv"}`, []model.Effect{said(model.RoleTool, 3), model.Cwd{Path: "/srv"}}},
		{"an error for output", typeResult, `{"status":"error","output":"","error":"no"}`, []model.Effect{said(model.RoleTool, 2)}},
		{"output before error", typeResult, `{"status":"error","output":"abc","error":"no"}`, []model.Effect{said(model.RoleTool, 3)}},
		{"output that is JSON", typeResult, `{"status":"ok","output":{"a": 1}}`, []model.Effect{said(model.RoleTool, 8)}},
		{"a list that is no parts", typeResult, `{"status":"ok","output":[1,2]}`, []model.Effect{said(model.RoleTool, 5)}},
		{"status", typeSession, `{"state":"paused","reason":"waits"}`, []model.Effect{model.Status{Execution: "paused", Reason: "waits"}}},
		{"status without reason", typeSession, `{"state":"weird","reason":null,"kept_event_ids":null}`, []model.Effect{model.Status{Execution: "weird"}}},
		{"no status", typeSession, `{"reason":"r"}`, nil},
		{"rebuilt of unknown extent", typeSession, `{"state":"context_rebuilt"}`, nil},
		{"an error", typeError, `{"error_code":"E1","message":"m","stack":"s"}`, []model.Effect{model.Fail{Code: "E1", Message: "m", Stack: "s"}}},
		{"an error in odd types", typeError, `{"error_code":12,"message":{},"stack":null}`, []model.Effect{model.Fail{Code: "12"}}},
		{"another type", "Probe", `{"content":"x","state":"y"}`, nil},
		{"a snapshot with its state", typeCheckpoint, `{"snapshot_id":"k","state":{"cwd":"/"}}`, []model.Effect{model.Snapshot{Checkpoint: "k", State: []byte(`{"cwd":"/"}`)}}},
		{"a snapshot in a file", typeCheckpoint, `{"snapshot_id":"k","base_event_seq":5}`, []model.Effect{
			model.Snapshot{Checkpoint: "k", BaseSeq: 5, HasBase: true, File: "checkpoints/run/k.json"},
		}},
		{"a snapshot without id", typeCheckpoint, `{"state":null}`, []model.Effect{model.Snapshot{Checkpoint: "e"}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			expect(t, test.payload, lastEffects(t, nil, line(1, "e", test.typ, "", test.payload)), test.want...)
		})
	}
}

func TestSnapshotBase(t *testing.T) {
	user := line(5, "u", typeUser, "", `{"content":"x"}`)
	got := lastEffects(t, nil, user, line(6, "k", typeCheckpoint, "u", `{"snapshot_id":"k","base_event_seq":5,"state":{}}`))
	expect(t, "a base", got, model.Snapshot{Checkpoint: "k", BasePos: 1, BaseSeq: 5, HasBase: true, State: []byte(`{}`)})
	got = lastEffects(t, nil, user, line(6, "k", typeCheckpoint, "", `{"snapshot_id":"k","base_event_seq":9,"state":{}}`))
	expect(t, "a base that is later", got, model.Snapshot{Checkpoint: "k", BaseSeq: 9, HasBase: true, State: []byte(`{}`)})
}

func TestRebuild(t *testing.T) {
	context := []model.Entry{{Key: "1", Event: "a"}, {Key: "2", Event: "b"}, {Key: "3"}, {Key: "4", Event: "7"}}
	rebuilt := func(payload string) []model.Effect {
		return lastEffects(t, context, line(9, "x", typeSession, "", payload))
	}
	forget := func(keys ...string) model.Effect {
		return model.Forget{Keys: keys, Reason: model.LostRebuild}
	}
	expect(t, "some are kept", rebuilt(`{"state":"context_rebuilt","kept_event_ids":["b","gone",7]}`), forget("1", "3"))
	expect(t, "none is kept", rebuilt(`{"state":"context_rebuilt","kept_event_ids":[]}`), forget("1", "2", "3", "4"))
	expect(t, "null is no id", rebuilt(`{"kept_event_ids":["a","b","7",null]}`), forget("3"))
	context = context[:2]
	expect(t, "all are kept", rebuilt(`{"state":"running","kept_event_ids":["a","b"]}`))
}

func TestCopiesDoNothing(t *testing.T) {
	r := readRun(t, line(1, "e", typeUser, "", `{"content":"x"}`))
	r.events[0].Origin = model.OriginCopied
	expect(t, "a copy", new(effector).Effects(r.events[0], r.raw[0], &glimpse{run: r}))
}

// TestReturn: which call a result closes.
func TestReturn(t *testing.T) {
	call, result := line(1, "c", typeAction, "", bash), `{"tool_name":"bash","output":"x"}`
	nameless := `{"event_type":"AgentAction","sequence":1,"payload":` + bash + `}`
	tests := []struct {
		name, call, result string
		want               []model.Effect
	}{
		{"named", call, line(2, "r", typeResult, "c", result), []model.Effect{model.Return{ID: "c"}}},
		{"failed", call, line(2, "r", typeResult, "c", `{"status":"error","output":"x"}`), []model.Effect{model.Return{ID: "c"}}},
		{"inferred", call, line(2, "r", typeResult, "", result), []model.Effect{model.Return{ID: "c"}}},
		{"a call without an id", nameless, line(2, "r", typeResult, "", result), []model.Effect{model.Return{ID: "#1"}}},
		{"names nothing", call, line(2, "r", typeResult, "gone", result), nil},
		{"names no call", line(1, "c", typeUser, "", `{"content":"x"}`), line(2, "r", typeResult, "c", result), nil},
		{"names an answer", line(1, "c", typeAction, "", say), line(2, "r", typeResult, "c", result), nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := lastEffects(t, nil, test.call, test.result)
			if len(got) > 0 {
				if _, ran := got[len(got)-1].(model.Run); ran {
					got = got[:len(got)-1]
				}
			}
			expect(t, test.result, got, append(test.want, said(model.RoleTool, 1))...)
		})
	}
	got := lastEffects(t, nil, nameless)
	expect(t, "a call without an id", got, said(model.RoleAssistant, 0), model.Call{ID: "#1", Tool: "bash"})
}

// TestLateLink: a link that was resolved without the linker is a source still.
func TestLateLink(t *testing.T) {
	r := readRun(t, called("delete", `{"path":"a"}`, `{"status":"ok","output":"x"}`)...)
	r.events[1].Links[0].Reason = model.ReasonSource
	got := new(effector).Effects(r.events[1], r.raw[1], &glimpse{run: r})
	expect(t, "a late link", got, model.Return{ID: "c"}, said(model.RoleTool, 1), model.DeleteFile{Path: "a"})
}

// TestUnreadableCall: the call's bytes are gone, its id is not.
func TestUnreadableCall(t *testing.T) {
	r := readRun(t, called("delete", `{"path":"a"}`, `{"status":"ok","output":"x"}`)...)
	got := new(effector).Effects(r.events[1], r.raw[1], &glimpse{})
	expect(t, "an unreadable call", got, model.Return{ID: "c"}, said(model.RoleTool, 1))
}

// TestCallsAtHand: what an effector kept of calls tells the same as their
// records do.
func TestCallsAtHand(t *testing.T) {
	var dump bytes.Buffer
	if _, err := stream.Write(&dump, stream.Options{Events: 1000, Seed: 5}); err != nil {
		t.Fatal(err)
	}
	r := readRun(t, strings.Split(strings.TrimSpace(dump.String()), "\n")...)
	view := &glimpse{run: r}
	keeps := new(effector)
	for i, e := range r.events {
		got, want := keeps.Effects(e, r.raw[i], view), new(effector).Effects(e, r.raw[i], view)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("event %d:\n got %s\nwant %s", e.Pos, effectText(got), effectText(want))
		}
	}
}

// FuzzEffects: whatever a payload holds, nobody panics, and what comes out
// keeps to the contract.
func FuzzEffects(f *testing.F) {
	for _, payload := range []string{
		`{"content":[{"text":1},[]]}`, `{"action_type":[],"params":[1]}`, `{"action_type":"edit","params":{"path":{},"old":[],"new":1}}`,
		`{"status":{},"output":[[]],"error":1,"exit_code":"x","cwd":[],"truncated":{}}`, `{"state":[],"kept_event_ids":[{},[],null]}`,
		`{"snapshot_id":{},"base_event_seq":"1","state":{"context":{},"files":[],"tasks":[[]],"vars":1,"cwd":2,"status":[]}}`,
		`{"action_type":"update_tasks","params":{"tasks":[1,"a",{"id":[],"title":{},"status":1}]}}`, `null`, `{"status":"ok","output":"x"}`,
		`{"action_type":"insert","params":{"path":"a","insert_line":-1,"new_str":"x"}}`, `{"usage":{"input_tokens":-1,"cost_usd":"1"}}`,
	} {
		f.Add([]byte(payload), []byte(`{"status":"ok","output":"x","cwd":"/"}`))
	}
	f.Fuzz(func(t *testing.T, call, result []byte) {
		if !isValue(call) || !isValue(result) {
			return
		}
		for _, typ := range []string{typeUser, typeAction, typeResult, typeSession, typeCheckpoint, typeError, "X"} {
			r := run{
				events: []*model.Event{{ID: "c", Pos: 1, Type: typ}, {ID: "r", Pos: 2, Type: typeResult, Links: []model.Link{{To: model.Ref{Pos: 1, ID: "c"}}}}},
				raw:    [][]byte{[]byte(`{"payload":` + string(call) + `}`), []byte(`{"payload":` + string(result) + `}`)},
			}
			g := &glimpse{run: r, context: []model.Entry{{Key: "k", Event: "c"}}}
			view := []model.Viewed{{Record: *r.events[0], Raw: r.raw[0]}, {Record: *r.events[1], Raw: r.raw[1]}}
			messages := teller().Messages(view, true).Messages
			for i, e := range r.events {
				checkEffects(t, new(effector).Effects(e, r.raw[i], g), messages[i])
			}
		}
		_, _ = New().(model.Recorder).Recorded(call)
	})
}

func isValue(v []byte) bool {
	start, end, err := jsonscan.Value(v)
	return err == nil && start == 0 && end == len(v)
}

func checkEffects(t *testing.T, effects []model.Effect, message model.Message) {
	t.Helper()
	for _, effect := range effects {
		switch x := effect.(type) {
		case model.Say:
			if n := int64(len([]rune(message.Text))); x.Chars != n {
				t.Errorf("%d characters are said, the message has %d: %q", x.Chars, n, message.Text)
			}
		case model.Tasks:
			ids := make(map[string]bool)
			for _, task := range x.List {
				if task.ID == "" || ids[task.ID] {
					t.Errorf("task id %q stands twice or is empty", task.ID)
				}
				ids[task.ID] = true
			}
		case model.WriteFile:
			if x.Path == "" {
				t.Error("a file without a path")
			}
		}
	}
}
