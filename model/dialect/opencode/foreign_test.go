package opencode

import (
	"testing"

	"hindcast/fixtures/trial"
)

// TestForeignTables: of the old Go program all tables are known, so that one of
// another program in its database is not called its own.
func TestForeignTables(t *testing.T) {
	d := trial.NewDump(map[string]string{
		"old.db/sessions":              `{"id":"s","parent_session_id":null,"title":"t","message_count":0,"prompt_tokens":0,"completion_tokens":0,"cost":0,"updated_at":1700000000,"created_at":1700000000,"summary_message_id":null}`,
		"old.db/messages":              "",
		"old.db/files":                 "",
		"old.db/goose_db_version":      `{"id":1}`,
		"old.db/events_of_another_app": `{"id":1}`,
		"old.db/notes":                 `{"id":1}`,
	})
	var got []string
	for _, s := range New().Claim(d, false) {
		for _, r := range s.Refused {
			if r.What != "a table that is none of opencode's" {
				t.Errorf("%d: %s", r.File, r.What)
			}
			got = append(got, d.Files()[r.File].Name)
		}
	}
	if len(got) != 2 || got[0] != "old.db/events_of_another_app" || got[1] != "old.db/notes" {
		t.Errorf("none of opencode's: %q", got)
	}
}
