package opencode

import (
	"testing"

	"hindcast/fixtures/trial"
)

// A tree whose own folder is opened is the whole of the dump: what stands beside
// the objects is the program's, and no session of its own.
func TestATreeThatIsOpenedByItsOwnFolder(t *testing.T) {
	objects := map[string]string{
		"session/p1/ses_1.json":      `{"id":"ses_1","version":"1.1.65","title":"one","time":{"created":1,"updated":2}}`,
		"message/ses_1/msg_1.json":   `{"id":"msg_1","sessionID":"ses_1","role":"user","time":{"created":1}}`,
		"part/msg_1/prt_1.json":      `{"id":"prt_1","messageID":"msg_1","sessionID":"ses_1","type":"text","text":"hi"}`,
		"session_diff/ses_1.json":    `[{"file":"a.txt"}]`,
		"session_share/ses_1.json":   `{"secret":"s"}`,
		"project/p1.json":            `{"id":"p1"}`,
		"migration":                  "2",
		"elsewhere/project/p2.json":  `{"id":"p2"}`,
		"elsewhere/notes/ses_1.json": `{"id":"n"}`,
	}
	streams := New().Claim(trial.NewDump(objects), false)
	if len(streams) != 1 {
		t.Fatalf("%d streams", len(streams))
	}
	if s := streams[0]; len(s.Files) != 3 || len(s.Evidence) != 3 || len(s.Refused) != 1 {
		t.Errorf("reads %d files, %d and %d beside", len(s.Files), len(s.Evidence), len(s.Refused))
	}
}

// The folder of projects, of the oldest trees, may be opened as well.
func TestATreeThatIsOpenedByItsFolderOfProjects(t *testing.T) {
	streams := New().Claim(trial.NewDump(map[string]string{
		"srv-shop/app.json":                                    `{}`,
		"srv-shop/storage/session/info/ses_1.json":             `{"id":"ses_1","version":"0.5.29","title":"one","time":{"created":1,"updated":2}}`,
		"srv-shop/storage/session/message/ses_1/msg_1.json":    `{"id":"msg_1","sessionID":"ses_1","role":"user","time":{"created":1}}`,
		"srv-shop/storage/session/part/ses_1/msg_1/prt_1.json": `{"id":"prt_1","messageID":"msg_1","sessionID":"ses_1","type":"text","text":"hi"}`,
	}), false)
	if len(streams) != 1 || len(streams[0].Files) != 3 || len(streams[0].Evidence) != 1 {
		t.Errorf("%+v", streams)
	}
}
