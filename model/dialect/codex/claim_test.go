package codex

import (
	"slices"
	"strings"
	"testing"

	"hindcast/fixtures/trial"
	"hindcast/model"
)

// claims writes what is claimed: session, files, and evidence behind a plus,
// refused files behind a minus.
func claims(d *trial.Dump, force bool) []string {
	var out []string
	for _, s := range New().Claim(d, force) {
		line := s.Session + ":"
		for _, f := range s.Files {
			line += " " + d.Files()[f].Name
		}
		for _, e := range s.Evidence {
			line += " +" + d.Files()[e.File].Name
		}
		for _, e := range s.Refused {
			line += " -" + d.Files()[e.File].Name
		}
		out = append(out, line)
	}
	return out
}

const (
	metaRow   = `{"timestamp":"2026-03-01T10:00:00Z","type":"session_meta","payload":{"id":"T","cli_version":"0.98.0"}}` + "\n"
	itemRow   = `{"timestamp":"2026-03-01T10:00:00Z","type":"response_item","payload":{"type":"message","role":"user","content":[]}}` + "\n"
	flatRows  = `{"id":"T","timestamp":"2026-03-01T10:00:00Z","instructions":null}` + "\n" + `{"record_type":"state"}` + "\n"
	printRows = `{"type":"thread.started","thread_id":"T"}` + "\n" + `{"type":"turn.started"}` + "\n"
	otherRow  = `{"time":"2026-03-01T00:00:00Z","level":"info","msg":"started"}` + "\n"
	name      = "rollout-2026-03-01T10-00-00-T.jsonl"
)

func TestClaim(t *testing.T) {
	for what, c := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"by its name":               {map[string]string{name: metaRow}, []string{"T: " + name}},
		"by its first line":         {map[string]string{"x.log": metaRow}, []string{"T: x.log"}},
		"without a first line":      {map[string]string{"x.log": itemRow}, []string{"x: x.log"}},
		"the oldest without a head": {map[string]string{"x.log": `{"record_type":"state"}` + "\n" + `{"type":"message","id":null,"role":"user","content":[]}` + "\n"}, []string{"x: x.log"}},
		"the oldest":                {map[string]string{"x.log": flatRows}, []string{"T: x.log"}},
		"printed":                   {map[string]string{"x.log": printRows}, []string{"T: x.log"}},
		"printed beside a rollout":  {map[string]string{"a.log": printRows, name: metaRow}, []string{"T: " + name + " +a.log"}},
		"a packed copy":             {map[string]string{"a/" + name + ".zst": metaRow, "b/" + name: metaRow}, []string{"T: b/" + name + " +a/" + name + ".zst"}},
		"packed":                    {map[string]string{name + ".zst": metaRow}, []string{"T: " + name + ".zst"}},
		"a name of something else":  {map[string]string{name: otherRow}, nil},
		"something else":            {map[string]string{"x.log": otherRow, "y.log": "words\n", "z": ""}, nil},
		"a revert":                  {map[string]string{"rollout-2026-03-01T10-00-00-T_S.jsonl": metaRow, name: metaRow}, []string{"T: " + name, "T_S: rollout-2026-03-01T10-00-00-T_S.jsonl"}},
		"a revert by another name":  {map[string]string{"x.jsonl": strings.Replace(metaRow, `"id":"T"`, `"id":"T","history_base":{"thread_id":"T","end_ordinal_exclusive":4}`, 1), name: metaRow}, []string{"T: " + name, "T_x: x.jsonl"}},
		"a first line that is cut":  {map[string]string{name: metaRow[:80]}, []string{"T: " + name}},
		"an empty file beside":      {map[string]string{name: metaRow, "rollout-2026-03-01T10-00-00-U.jsonl": ""}, []string{"T: " + name, "U: rollout-2026-03-01T10-00-00-U.jsonl"}},
		"the program's folder":      {map[string]string{"sessions/2026/03/01/" + name: metaRow, "auth.json": `{"k":1}`, "history.jsonl": otherRow, "config.toml": "x"}, []string{"T: sessions/2026/03/01/" + name + " +history.jsonl -auth.json"}},
		"the same deeper":           {map[string]string{"h/archived_sessions/" + name: metaRow, "h/auth.json": `{"k":1}`, "auth.json": `{}`}, []string{"T: h/archived_sessions/" + name + " -h/auth.json"}},
		"tables of the program":     {map[string]string{name: metaRow, "state_5.sqlite/threads": "{}", "state_5.sqlite/other": "{}", "x.sqlite/threads": "{}", "thread_history_1.sqlite/thread_items": "{}"}, []string{"T: " + name + " +state_5.sqlite/threads +thread_history_1.sqlite/thread_items"}},
		"tables without a thread":   {map[string]string{"state_5.sqlite/threads": "{}"}, nil},
		"two threads of two rounds": {map[string]string{"a.log": metaRow, "b.log": printRows, "c.log": flatRows}, []string{"T: a.log +c.log +b.log"}},
	} {
		if got := claims(trial.NewDump(c.files), false); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
	if got := claims(trial.NewDump(map[string]string{"x.log": otherRow}), true); !slices.Equal(got, []string{"x: x.log"}) {
		t.Errorf("forced: %q", got)
	}
}

// Of thousands of files that their names explain only some are looked into.
func TestClaimLooksIntoFew(t *testing.T) {
	files := map[string]string{}
	for i := range 1000 {
		files["sessions/2026/03/01/rollout-2026-03-01T10-00-00-T"+itoa(int64(i))+".jsonl"] = metaRow
	}
	d := &counting{Dump: trial.NewDump(files)}
	if got := New().Claim(d, false); len(got) != 1000 || d.looks > 2*looksLimit {
		t.Errorf("%d threads, %d looks", len(got), d.looks)
	}
}

type counting struct {
	*trial.Dump
	looks int
}

func (c *counting) Head(file, n int) []byte {
	c.looks++
	return c.Dump.Head(file, n)
}

var _ model.Dump = (*counting)(nil)

func TestClaimSaysWhatItSaw(t *testing.T) {
	s := New().Claim(trial.NewDump(map[string]string{name: metaRow}), false)[0]
	if s.Version != "0.98.0" || s.Confidence < 95 || !strings.Contains(s.Reason, "session_meta") || s.Order != model.OrderSeq {
		t.Errorf("%+v", s)
	}
}
