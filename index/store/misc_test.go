package store

import (
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"hindcast/model"
	"hindcast/model/query"
)

// TestRowsRoundTrip: what the importer stores beside events comes back whole,
// and again after it was stored a second time.
func TestRowsRoundTrip(t *testing.T) {
	s, w := open(t)
	ctx, r := context.Background(), s.Reader()
	source := Source{ID: 1, Name: "a\x00b", Path: "/p q#?", Role: "log", Dialect: "eventlog", Stream: 1, Spooled: true, Size: -1, Indexed: 50, Records: 3,
		EventBytes: 30, StructureBytes: 5, EvidenceBytes: 7, QuarantinedBytes: 8, Head: 1<<63 + 1, Tail: 9, ModTime: 4, ChangeTime: 5, Inode: 1<<64 - 1, Done: true}
	stream := Stream{ID: 1, Dialect: "eventlog", Version: "1", Reason: "has event_id", Confidence: 90, Order: model.OrderRepair, Session: "s", Parent: "p", Title: "\xff", Spec: []byte{0, 1}}
	row := sessionRow(1, "s\x00'")
	row.Session = model.Session{Key: 1, ID: "s\x00'", Dialect: "eventlog", Version: "2", Parent: "p", Title: "t", Events: 1, Copies: 2, Inherited: 3, First: -4, Last: 5, LastPos: 6,
		Started: model.Time{Nanos: -1, Known: true, Naive: true}, Ended: model.Time{Nanos: 7, Known: true, Digits: 9}, Failed: 8, OpenCalls: 9, Outcome: "done",
		Usage: model.Usage{Input: 1, Output: 2, CacheRead: 3, CacheWrite: 4, Reasoning: 5, CostUSD: 0.5, Told: model.ToldInput | model.ToldOutput | model.ToldCost}, Provisional: true}
	row.Stream, row.Order, row.SeqSorted, row.Rank = 1, model.OrderArrival, true, 4
	row.State = []byte("state")
	batch := &Batch{Sources: []Source{source}, Streams: []Stream{stream}, Sessions: []SessionRow{row},
		Quarantined: []Quarantine{{1, 10, 5, "bad"}}, Evidence: []Evidence{{1, 20, 6, "metadata"}}, Skipped: []Skipped{{"x", "binary"}, {"", "no name"}},
		Meta: map[string]string{"k": "v\x00", "gone": "1"}}
	for range 2 {
		appendBatch(t, w, batch)
		batch.Sessions[0].State = nil // keeps the one that is there
	}
	appendBatch(t, w, &Batch{Meta: map[string]string{"gone": ""}})

	check := func(what string, got, want any, err error) {
		t.Helper()
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v; want %+v", what, got, err, want)
		}
	}
	sources, err := r.Sources(ctx)
	check("sources", sources, []Source{source}, err)
	streams, err := r.Streams(ctx)
	check("streams", streams, []Stream{stream}, err)
	rows, err := r.SessionRows(ctx)
	row.State = nil
	check("sessions", rows, []SessionRow{row}, err)
	states, err := r.States(ctx)
	check("states", states, map[int64][]byte{1: []byte("state")}, err)
	state, err := r.State(ctx, 1)
	check("state", state, []byte("state"), err)
	quarantined, err := r.Quarantined(ctx, 10)
	check("quarantine", quarantined, []Quarantine{{1, 10, 5, "bad"}}, err)
	evidence, err := r.Evidence(ctx)
	check("evidence", evidence, []Evidence{{1, 20, 6, "metadata"}}, err)
	skipped, err := r.Skipped(ctx)
	check("skipped", skipped, []Skipped{{"", "no name"}, {"x", "binary"}}, err)
	meta, err := r.Meta(ctx)
	check("meta", meta, map[string]string{"k": "v\x00"}, err)
	sums, err := r.Accounting(ctx)
	check("accounting", sums, Accounting{50, 30, 5, 7, 8, 1}, err)
	key, ok, err := r.SessionKey(ctx, "s\x00'")
	check("session key", []any{key, ok}, []any{int64(1), true}, err)
	usage, err := r.Usage(ctx, 0)
	check("usage", usage, row.Usage, err)
	progress, err := r.Progress(ctx)
	check("progress", progress, Progress{Bytes: 50, Events: 6, Quarantined: 1, Provisional: true}, err)
}

// TestStats counts against a plain loop.
func TestStats(t *testing.T) {
	s, w := open(t)
	ctx, r := context.Background(), s.Reader()
	call, result, copied, message := event(1), event(2), event(3), event(4)
	call.Mate, call.Time = 2, model.Time{Nanos: 1e9, Known: true}
	result.Kind, result.Type, result.Mate, result.Outcome, result.Title = model.KindObservation, "ToolResult", 1, model.OutcomeFailed, "no such file"
	result.Time = model.Time{Nanos: 3e9, Known: true}
	copied.Origin, copied.Outcome = model.OriginCopied, model.OutcomeFailed
	message.Kind, message.Type, message.Tool = model.KindMessage, "UserInput", ""
	open := event(5)
	appendBatch(t, w, &Batch{Sessions: []SessionRow{sessionRow(1, "s1")}, Events: rowsOf(1, call, result, copied, message, open)})
	got, err := r.Stats(ctx, 1)
	want := Stats{Events: 4, Failed: 1, Copies: 1, Bytes: 5 * 99,
		Kinds: []Count{{"action", 2, 0, 198}, {"message", 1, 0, 99}, {"observation", 1, 1, 99}},
		Types: []Count{{"AgentAction", 2, 0, 198}, {"ToolResult", 1, 1, 99}, {"UserInput", 1, 0, 99}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Stats = %+v, %v; want %+v", got, err, want)
	}
	var calls []Call
	if err := r.EachCall(ctx, 0, func(c *Call) error { calls = append(calls, *c); return nil }); err != nil || !reflect.DeepEqual(calls, []Call{
		{Session: 1, Pos: 1, Tool: "bash", Title: call.Title, Failed: true, Returned: true, Result: 2, Says: "no such file", Nanos: 2e9},
		{Session: 1, Pos: 5, Tool: "bash", Title: open.Title, Nanos: -1},
	}) {
		t.Errorf("EachCall = %+v, %v", calls, err)
	}
	var beats []Beat
	if err := r.Beats(ctx, 1, func(b Beat) error { beats = append(beats, b); return nil }); err != nil || len(beats) < 2 ||
		beats[1] != (Beat{Pos: 2, Kind: model.KindObservation, Model: true, Nanos: 3e9}) {
		t.Errorf("Beats = %+v, %v", beats, err)
	}
	var failures []Failure
	err = r.Failures(ctx, 0, func(f *Failure) error { failures = append(failures, *f); return nil })
	if err != nil || !slices.Equal(failures, []Failure{{Session: 1, Pos: 2, Title: "no such file", OfCall: true, Counts: true}}) {
		t.Errorf("Failures = %+v, %v", failures, err)
	}
	for field, want := range map[query.Field][]string{query.FieldType: {"AgentAction", "ToolResult", "UserInput"}, query.FieldTool: {"bash"},
		query.FieldSource: {"agent"}, query.FieldSession: {"s1"}, query.FieldTitle: nil} {
		if names, err := r.Names(ctx, field); err != nil || !slices.Equal(names, want) {
			t.Errorf("Names(%d) = %q, %v; want %q", field, names, err, want)
		}
	}
}

// TestSpool reads every span of bytes that were kept in blocks.
func TestSpool(t *testing.T) {
	s, w := open(t)
	ctx, r := context.Background(), s.Reader()
	rng := rand.New(rand.NewPCG(3, 4))
	data := make([]byte, 2*BlockSize+1234)
	for i := range data {
		data[i] = byte(rng.IntN(4)) * byte(i>>8)
	}
	b := &Batch{}
	for at := 0; at < len(data); at += BlockSize {
		part := data[at:min(at+BlockSize, len(data))]
		b.Spool = append(b.Spool, SpoolBlock{Source: 3, Offset: int64(at), Raw: int64(len(part)), Data: EncodeBlock(part)})
	}
	appendBatch(t, w, b)
	appendBatch(t, w, b) // the same again
	for range 200 {
		off := rng.IntN(len(data))
		n := rng.IntN(len(data) - off + 1)
		got, err := r.Spool(ctx, 3, int64(off), int64(n))
		if err != nil || !bytes.Equal(got, data[off:off+n]) {
			t.Fatalf("Spool(%d, %d): %d bytes, %v", off, n, len(got), err)
		}
	}
	for _, c := range [][2]int64{{int64(len(data)) - 1, 2}, {1 << 40, 1}, {-1, 2}, {0, -1}, {0, 1 << 50}} {
		if _, err := r.Spool(ctx, 3, c[0], c[1]); !errors.Is(err, errGap) {
			t.Errorf("Spool(%d, %d): error %v, want %v", c[0], c[1], err, errGap)
		}
	}
	if _, err := r.Spool(ctx, 4, 0, 1); !errors.Is(err, errGap) {
		t.Errorf("no such source: error %v, want %v", err, errGap)
	}
	damaged := bytes.Clone(b.Spool[0].Data)
	damaged[len(damaged)/2] ^= 0xff
	appendBatch(t, w, &Batch{Spool: []SpoolBlock{{3, 0, BlockSize, damaged[:len(damaged)-3]}}})
	if _, err := r.Spool(ctx, 3, 0, 10); err == nil {
		t.Error("a damaged block was read")
	}
}

// TestMigrate runs the machinery from a made-up older schema, and breaks it in
// the middle of every step.
func TestMigrate(t *testing.T) {
	ctx := context.Background()
	const target = 4
	old := "CREATE TABLE t(x); INSERT INTO t VALUES(1);"
	steps := func(fail int) []migration {
		var list []migration
		for from := 1; from < target; from++ {
			list = append(list, migration{from, func(ctx context.Context, tx *sql.Tx) error {
				if _, err := tx.ExecContext(ctx, fmt.Sprintf("INSERT INTO t VALUES(%d)", from+1)); err != nil {
					return err
				}
				if from == fail {
					return errors.New("interrupted")
				}
				return nil
			}})
		}
		return list
	}
	state := func(db *sql.DB) string {
		var version int
		var list string
		if err := db.QueryRow("SELECT (SELECT user_version FROM pragma_user_version), (SELECT group_concat(x) FROM t)").Scan(&version, &list); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(version, ":", list)
	}
	for fail := 0; fail < target; fail++ {
		path := filepath.Join(t.TempDir(), "old.db")
		db, err := openDB(dsn(path, "rwc", false)+"&_txlock=immediate", 1)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if err := migrate(ctx, db, path, 1, old, nil); err != nil {
			t.Fatal(err)
		}
		err = migrate(ctx, db, path, target, "no SQL", steps(fail))
		want := "4:1,2,3,4"
		if fail > 0 {
			want = []string{1: "1:1", 2: "2:1,2", 3: "3:1,2,3"}[fail]
			if err == nil {
				t.Error("an interrupted step was no error")
			}
		} else if err != nil {
			t.Error(err)
		}
		if got := state(db); got != want {
			t.Errorf("fail at %d: %s, want %s", fail, got, want)
		}
		if err := migrate(ctx, db, path, target, "no SQL", steps(0)); err != nil || state(db) != "4:1,2,3,4" {
			t.Errorf("the next start: %v, %s", err, state(db))
		}
		if err := migrate(ctx, db, path, 2, "", nil); !errors.As(err, new(*VersionError)) {
			t.Errorf("to an older version: %v", err)
		}
		if err := migrate(ctx, db, path, 9, "", nil); !errors.Is(err, errNoPath) {
			t.Errorf("without a path: %v", err)
		}
	}
}

// TestViews reads the documented views with nothing but SQLite's functions.
func TestViews(t *testing.T) {
	s, w := open(t)
	ctx := context.Background()
	e := linked(2, link(model.ReasonSource, 1), model.Link{Reason: model.ReasonBase, ToID: uuidB, Broken: model.LinkMissing})
	e.ID, e.Call, e.Mate, e.Outcome, e.Depth, e.Root = uuidA, "a\x00b", 1, model.OutcomeFailed, 1, 1
	e.Time = model.Time{Nanos: 1719253000123 * 1e6, Known: true, Digits: 3}
	appendBatch(t, w, &Batch{Sessions: []SessionRow{sessionRow(7, "s1")}, Sources: []Source{{ID: 1, Name: "run.jsonl"}},
		Events: rowsOf(7, event(1), e), Quarantined: []Quarantine{{1, 5, 6, "cut"}}})
	db, err := sql.Open("sqlite", s.Path()) // as another program does
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for view, want := range map[string]string{
		"v_events WHERE pos=2": "s1|12|2|" + uuidA + "|AgentAction|action|recorded|2024-06-24T18:16:40.123|1719253000123000000|agent|bash|a\x00b|step 2|1|0|1|1|1|1|run.jsonl|200|99",
		"v_links":              "s1|2|source|0|s1|1|||1 s1|2|base|0|||" + uuidB + "|missing|0",
		"v_sessions":           "s1|eventlog|||||0|0|0|0|0|0|0||||||||",
		"v_quarantine":         "run.jsonl|5|6|cut",
	} {
		t.Run(view, func(t *testing.T) {
			rows, err := db.QueryContext(ctx, "SELECT * FROM "+view)
			if err != nil {
				t.Fatal(err)
			}
			defer rows.Close()
			columns, _ := rows.Columns()
			var lines []string
			for rows.Next() {
				cells := make([]any, len(columns))
				for i := range cells {
					cells[i] = new(any)
				}
				if err := rows.Scan(cells...); err != nil {
					t.Fatal(err)
				}
				var line []string
				for _, c := range cells {
					switch v := (*c.(*any)).(type) {
					case nil:
						line = append(line, "")
					case []byte:
						line = append(line, string(v))
					default:
						line = append(line, fmt.Sprint(v))
					}
				}
				lines = append(lines, strings.Join(line, "|"))
			}
			got := strings.Join(lines, " ")
			if got != want {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		})
	}
	if !strings.Contains(schemaSQL, spellExpr("e.id")) {
		t.Error("the views spell identifiers in another way than the program does")
	}
	if shell, err := exec.LookPath("sqlite3"); err == nil {
		out, err := exec.Command(shell, "-readonly", s.Path(), "SELECT count(*) FROM v_events").CombinedOutput()
		if err != nil || strings.TrimSpace(string(out)) != "2" {
			t.Errorf("sqlite3 says %q, %v", out, err)
		}
	}
}

func FuzzID(f *testing.F) {
	for _, id := range hostileIDs() {
		f.Add(id[:min(len(id), 100)])
	}
	f.Fuzz(func(t *testing.T, id string) {
		if got := unpackID(packID(id)); got != id {
			t.Errorf("%q comes back as %q", id, got)
		}
		if got := unpackText(packText(id)); got != id {
			t.Errorf("text %q comes back as %q", id, got)
		}
		if lo, hi := textRange(id); lo != id || hi != nil && hi.(string) <= id {
			t.Errorf("range of %q: %q, %q", id, lo, hi)
		}
	})
}

func FuzzDecodeBlock(f *testing.F) {
	f.Add(EncodeBlock([]byte("hello")), 5)
	f.Add(EncodeBlock(make([]byte, BlockSize)), BlockSize)
	f.Add([]byte{}, 0)
	f.Fuzz(func(t *testing.T, data []byte, raw int) {
		out, err := DecodeBlock(nil, data, raw)
		if err == nil && len(out) != raw {
			t.Errorf("%d bytes, want %d", len(out), raw)
		}
		if again, err := DecodeBlock(nil, EncodeBlock(data), len(data)); len(data) <= BlockSize && (err != nil || !bytes.Equal(again, data)) {
			t.Errorf("round trip: %v", err)
		}
	})
}

// TestStartOver: an index of an older layout is empty afterwards, and as good as
// a fresh one.
func TestStartOver(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "old.db")
	db, err := openDB(dsn(path, "rwc", false)+"&_txlock=immediate", 1)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	old := "CREATE TABLE events(key INTEGER PRIMARY KEY, via); CREATE INDEX old ON events(via); CREATE VIEW v_old AS SELECT via FROM events; INSERT INTO events VALUES(1,2);" +
		"CREATE TABLE meta(name); INSERT INTO meta VALUES('complete')"
	if err := migrate(ctx, db, path, 1, old, nil); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	w, err := s.Writer()
	if err != nil {
		t.Fatal(err)
	}
	if meta, err := s.Reader().Meta(ctx); err != nil || len(meta) != 0 {
		t.Errorf("meta %v, %v", meta, err)
	}
	appendBatch(t, w, batchOf(1, 20))
	if n := whole(t, s); n != 20 {
		t.Errorf("%d events, want 20", n)
	}
}

// FuzzMatch holds the function that SQL calls to its one promise.
func FuzzMatch(f *testing.F) {
	f.Add("0fab", "ABC")
	f.Add("", "x")
	f.Add("\xff\x00", "\xff")
	f.Fuzz(func(t *testing.T, pattern, value string) {
		v, err := matchSQL(nil, []driver.Value{value, []byte(pattern)})
		if err != nil || v != int64(0) && v != int64(1) {
			t.Errorf("%q, %q: %v, %v", pattern, value, v, err)
		}
	})
}
