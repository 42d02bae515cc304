package replay_test

import (
	"reflect"
	"testing"

	"hindcast/model"
	"hindcast/model/replay"
)

// lookup reads the state after the last event.
func lookup(t *testing.T, r *run, pointer string) string {
	t.Helper()
	got, ok := replay.Lookup(r.log.At(r.pos), pointer)
	if !ok {
		return "nothing"
	}
	return string(got)
}

func TestLookup(t *testing.T) {
	r := begin(t)
	r.do(write("a/b.go", "x\n"), model.Say{Key: "k", Response: "r", Tokens: 1}, model.Call{ID: "c"},
		model.TaskItem{Task: model.Task{ID: "2", Title: "do", Status: "todo"}}, model.Set{Path: "/vars/v", Value: []byte(`{"l":[1,{"~":2}]}`)})
	message := `{"key":"k","seq":10,"pos":1,"event":"e1","role":"user","tokens":1,"chars":0,"summary":false}`
	for pointer, want := range map[string]string{
		"/files/a~1b.go/lines":     "1",
		"/files/a~1b.go/content":   `"x\n"`,
		"/files/a~1b.go":           `{"content":"x\n","certainty":"known","lines":1,"sha256":"73cb3858a687a8494ca3323053016282f3dad39d42cf62ca4e79dda2aac7d9ac","written_by":10,"written_pos":1}`,
		"/files/none":              "nothing",
		"/files/a":                 "nothing",
		"/context/messages/k":      message,
		"/context/messages/k/role": `"user"`,
		"/context/messages/k/no":   "nothing",
		"/context/messages":        "[" + message + "]",
		"/context/tokens":          "1",
		"/context":                 `{"messages":[` + message + `],"forgotten":0,"tokens":1}`,
		"/tasks/2/title":           `"do"`,
		"/tasks":                   `[{"id":"2","title":"do","status":"todo"}]`,
		"/pending":                 `[{"call":"c","seq":10,"pos":1,"tool":null}]`,
		"/pending/c/seq":           "10",
		"/vars/v/l/1/~0":           "2",
		"/vars/v/l/2":              "nothing",
		"/vars/v/l/1/~0/x":         "nothing",
		"/vars":                    `{"v":{"l":[1,{"~":2}]}}`,
		"/usage":                   `{"input_tokens":null,"output_tokens":null,"cache_read_tokens":null,"cache_write_tokens":null,"reasoning_tokens":null,"cost_usd":null}`,
		"/usage/cost_usd":          "null",
		"/checkpoint":              "null",
		"/checkpoint/id":           "nothing",
		"/shell":                   `{"cwd":null,"command":null,"exit_code":null,"running":null}`,
		"/status":                  `{"execution":null,"reason":null}`,
		"/errors":                  `{"count":0,"last_seq":null}`,
		"/errors/count":            "0",
		"/nowhere":                 "nothing",
		"/usage/none":              "nothing",
		"usage":                    "nothing",
	} {
		if got := lookup(t, r, pointer); got != want {
			t.Errorf("%s is %s, want %s", pointer, got, want)
		}
	}
}

func TestAnEmptyDocument(t *testing.T) {
	got, ok := replay.Lookup(nil, "")
	const want = `{"status":{"execution":null,"reason":null},"context":{"messages":[],"forgotten":0,"tokens":null},"files":{},` +
		`"shell":{"cwd":null,"command":null,"exit_code":null,"running":null},"tasks":[],"pending":[],` +
		`"usage":{"input_tokens":null,"output_tokens":null,"cache_read_tokens":null,"cache_write_tokens":null,"reasoning_tokens":null,"cost_usd":null},` +
		`"errors":{"count":0,"last_seq":null},"checkpoint":null,"vars":{}}`
	if !ok || string(got) != want {
		t.Errorf("got %s", got)
	}
}

func TestLocate(t *testing.T) {
	for pointer, want := range map[string]replay.Place{
		"":                  {},
		"/files":            {Prefix: "/files"},
		"/files/a~1b":       {Cell: "/files/a~1b"},
		"/files/a/b":        {Cell: "/files/a", Below: []string{"b"}},
		"/vars/x/a~1/~01":   {Cell: "/vars/x", Below: []string{"a/", "~1"}},
		"/checkpoint/id":    {Cell: "/checkpoint", Below: []string{"id"}},
		"/context/tokens":   {Cell: "/context/tokens"},
		"/context/messages": {Prefix: "/context/messages"},
	} {
		if got, ok := replay.Locate(pointer); !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("%q is at %+v, want %+v", pointer, got, want)
		}
	}
}

func TestAssembleRefusesDamage(t *testing.T) {
	if _, err := replay.Assemble(replay.Heading{}, replay.Cells{"/tasks/1": {JSON: []byte("7")}}); err == nil {
		t.Error("a task that is a number was taken")
	}
}
