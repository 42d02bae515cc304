package index

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"hindcast/fixtures"
	"hindcast/model/jsonscan"
)

// unpackFixtures writes the embedded fixtures to a folder, as a user has them.
func unpackFixtures(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, fixtures.FS); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestFixturesHoldWhatTheyShould(t *testing.T) {
	dir := unpackFixtures(t)
	cases, err := fixtures.Cases()
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) < 20 {
		t.Fatalf("only %d fixtures", len(cases))
	}
	for _, c := range cases {
		t.Run(c.Path, func(t *testing.T) {
			path := filepath.Join(dir, filepath.FromSlash(c.Path))
			t.Setenv("XDG_CACHE_HOME", t.TempDir())
			if c.Refused {
				x, err := Open(context.Background(), []string{path}, Options{})
				if err == nil {
					err = x.Wait(context.Background())
					x.Close()
				}
				if ExitCode(err) != 4 {
					t.Fatalf("opened, or refused with %v", err)
				}
				return
			}
			x := openAll(t, t.TempDir(), Options{}, path)
			got := tallyOf(t, x)
			want := tally{c.Dialect, c.Sessions, c.Events, c.Copies, c.Failed, c.Quarantined}
			if got != want {
				t.Errorf("holds %+v, want %+v", got, want)
			}
			checkAccounting(t, x)
			checkRaw(t, x)
		})
	}
}

type tally struct {
	dialect                                       string
	sessions, events, copies, failed, quarantined int64
}

func tallyOf(t *testing.T, x *Index) tally {
	t.Helper()
	sessions, err := x.Sessions(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	im, err := x.Import(context.Background(), "")
	if err != nil {
		t.Fatal(err)
	}
	out := tally{sessions: int64(len(sessions)), quarantined: int64(len(im.Accounting.Quarantined))}
	for _, d := range im.Dialects {
		out.dialect = d.Name
	}
	for _, s := range sessions {
		out.events += s.Events
		out.copies += s.Copies
		out.failed += s.Failed
	}
	return out
}

// checkAccounting holds the sums against the sources and against the spans:
// what lies outside events and quarantine must be separators and wrappers.
func checkAccounting(t *testing.T, x *Index) {
	t.Helper()
	acc, err := x.accounting(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if sum := acc.EventBytes + acc.StructureBytes + acc.EvidenceBytes + acc.QuarantinedBytes; sum != acc.Bytes || acc.StructureBytes < 0 {
		t.Errorf("the sums do not add up: %+v", acc)
	}
	rows, err := x.st.Reader().Sources(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var total int64
	for _, s := range rows {
		total += s.Size
	}
	if total != acc.Bytes {
		t.Errorf("accounts for %d of %d bytes", acc.Bytes, total)
	}
	var quarantined int64
	for _, q := range acc.Quarantined {
		quarantined += q.Length
	}
	if quarantined != acc.QuarantinedBytes {
		t.Errorf("quarantined spans hold %d bytes, not %d", quarantined, acc.QuarantinedBytes)
	}
}

// checkRaw reads each event's bytes and holds them against the source's.
func checkRaw(t *testing.T, x *Index) {
	t.Helper()
	ctx := context.Background()
	rows, err := x.st.Reader().Sources(ctx)
	if err != nil {
		t.Fatal(err)
	}
	whole := make(map[int64][]byte)
	for _, s := range rows {
		var b bytes.Buffer
		if err := x.CopySource(ctx, s.Name, &b); err != nil {
			t.Fatal(err)
		}
		counted := !s.Spooled && s.Path == "" // what its values hold; the rows are these with their keys
		if n := int64(b.Len()); n < s.Size || n > s.Size && !counted {
			t.Errorf("%s: copied %d of %d bytes", s.Name, b.Len(), s.Size)
		}
		if !s.Spooled && !counted {
			onDisk, err := os.ReadFile(s.Path)
			if err != nil {
				t.Fatal(err)
			}
			if sha256.Sum256(onDisk) != sha256.Sum256(b.Bytes()) {
				t.Errorf("%s: not copied byte for byte", s.Name)
			}
		}
		whole[s.ID] = b.Bytes()
	}
	for _, e := range allEvents(t, x) {
		raw, err := x.Raw(ctx, e)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(raw, whole[e.Span.Source][e.Span.Offset:e.Span.End()]) {
			t.Fatalf("event %d: other bytes than the source's", e.Pos)
		}
		if start, end, err := jsonscan.Value(raw); err != nil || start != 0 || end != len(raw) {
			t.Fatalf("event %d: its bytes are not one JSON value: %.80q", e.Pos, raw)
		}
	}
}

// truthInputs lists the packagings of a dump that its truth file names.
func truthInputs(t *testing.T, dir string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "truth.json"))
	if err != nil {
		files, _ := filepath.Glob(filepath.Join(dir, "*.json"))
		return files
	}
	var truth struct {
		Inputs []struct{ File string }
	}
	if err := json.Unmarshal(data, &truth); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, in := range truth.Inputs {
		if in.File == "state.json" {
			continue // the program's state, which holds no events
		}
		out = append(out, filepath.Join(dir, filepath.FromSlash(in.File)))
	}
	return out
}

// Sessions of two programs may have one id: each can be named, and answers.
func TestTwoDialectsHaveSessionsOfOneID(t *testing.T) {
	const id = "01a22bae-d620-7170-b636-44d9827b72d0"
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "a.jsonl"), []byte(`{"timestamp":"2026-03-01T10:00:00Z","type":"session_meta","payload":{"id":"`+id+`","cwd":"/srv","cli_version":"0.60.0"}}`+"\n"))
	writeFile(t, filepath.Join(dir, id+".jsonl"), []byte(`{"a":1}`+"\n"+`{"b":2}`+"\n"))
	x := openAll(t, t.TempDir(), Options{}, dir)
	sessions, err := x.Sessions(context.Background())
	if err != nil || len(sessions) != 2 {
		t.Fatalf("%d sessions: %v", len(sessions), err)
	}
	for _, s := range sessions {
		found, _, err := x.Session(context.Background(), s.ID)
		if err != nil || found.Key != s.Key {
			t.Errorf("%s (%s) is found as %d, want %d: %v", s.ID, s.Dialect, found.Key, s.Key, err)
		}
		last, err := x.Event(context.Background(), s.ID, s.LastPos)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := x.State(context.Background(), last, false); err != nil {
			t.Errorf("the state of %s (%s): %v", s.ID, s.Dialect, err)
		}
	}
}
