package eventlog

import (
	"reflect"
	"testing"

	"hindcast/fixtures"
	"hindcast/model"
)

func TestRecorded(t *testing.T) {
	tests := []struct {
		name, raw string
		want      model.RecordedState
	}{
		{"nothing", `{}`, model.RecordedState{}},
		{
			"all parts", ` {"context":["a",7],"files":{"x/y":"t\n"},"cwd":"/w","status":"running","tasks":[{"id":"1","title":"T","status":"completed"}],"vars":{"v":{"a":1.0}}}`,
			model.RecordedState{
				Context: []string{"a", "7"}, Files: map[string]string{"x/y": "t\n"}, Cwd: point("/w"), Execution: point("running"),
				Tasks: []model.Task{{ID: "1", Title: "T", Status: "done"}}, Vars: map[string][]byte{"v": []byte(`{"a":1.0}`)},
			},
		},
		{"empty parts", `{"context":[],"files":{},"cwd":null,"status":null,"tasks":[],"vars":{}}`, model.RecordedState{
			Context: []string{}, Files: map[string]string{}, Cwd: point(""), Execution: point(""), Tasks: []model.Task{}, Vars: map[string][]byte{},
		}},
		{"a file", `{"snapshot_id":"k","session_id":"s","base_event_seq":6,"state":{"cwd":"/"}}`, model.RecordedState{
			Checkpoint: "k", Session: "s", BaseSeq: 6, HasBase: true, Cwd: point("/"),
		}},
		{"odd shapes", `{"context":{},"files":{"a/b":null,"c":"d"},"cwd":7,"status":[],"tasks":"x","vars":null,"usage":{}}`, model.RecordedState{
			Files:  map[string]string{"c": "d"},
			Unread: []string{"/context", "/files/a~1b", "/cwd", "/status", "/tasks", "/vars", "/usage"},
		}},
	}
	for _, test := range tests {
		got, err := New().(model.Recorder).Recorded([]byte(test.raw))
		if err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %v\n got %+v\nwant %+v", test.name, err, got, test.want)
		}
	}
	for _, raw := range []string{``, `[]`, `null`, `{"snapshot_id":"k"}`, `{"snapshot_id":"k","state":null}`, `{"cwd":`} {
		if got, err := New().(model.Recorder).Recorded([]byte(raw)); err == nil {
			t.Errorf("%s was read as %+v", raw, got)
		}
	}
}

func TestRecordedFixture(t *testing.T) {
	raw, err := fixtures.FS.ReadFile("eventlog/folder/checkpoints/s1/snap_1.json")
	if err != nil {
		t.Fatal(err)
	}
	got, err := New().(model.Recorder).Recorded(raw)
	want := model.RecordedState{
		Checkpoint: "snap_1", Session: "s1", BaseSeq: 6, HasBase: true, Files: map[string]string{"a.txt": "5\n"}, Tasks: []model.Task{},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v: %+v", err, got)
	}
}
