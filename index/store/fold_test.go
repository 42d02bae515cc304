package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"hindcast/model"
)

// oneWrite makes an event that writes one cell.
func oneWrite(pos int64, path, old, value string) EventWrites {
	wr := model.Write{Path: path, Pos: pos}
	if old != "" {
		wr.Old.JSON = []byte(old)
	}
	if value != "" {
		wr.New.JSON = []byte(value)
	}
	return EventWrites{Pos: pos, Seq: pos, Writes: []model.Write{wr}}
}

func worldOf(seed uint64, steps int) *world {
	w := newWorld(seed)
	for range steps {
		w.step()
	}
	return w
}

// TestFoldRows: marks, states and notes come back, the last states are kept,
// and a drop takes what stands behind it.
func TestFoldRows(t *testing.T) {
	s, w := open(t)
	ctx, r := context.Background(), s.Reader()
	note := func(pos int64) model.Note {
		return model.Note{Kind: model.NoteNoMatch, Pos: pos, Path: "/files/\xff", Text: fmt.Sprint("note ", pos)}
	}
	for pos := int64(10); pos <= 50; pos += 10 {
		appendWrites(t, w, FoldBatch{Session: 1, Notes: []model.Note{note(pos), note(pos)}, Folded: pos, State: fmt.Appendf(nil, "at %d", pos)})
	}
	check := func(folded, max, statePos int64, state string, notes int) {
		t.Helper()
		if got, err := r.Folded(ctx, 1); got != folded || err != nil {
			t.Errorf("Folded = %d, %v; want %d", got, err, folded)
		}
		if pos, got, err := r.FoldState(ctx, 1, max); pos != statePos || string(got) != state || err != nil {
			t.Errorf("FoldState(%d) = %d %q, %v; want %d %q", max, pos, got, err, statePos, state)
		}
		got, err := r.FoldNotes(ctx, 1)
		if len(got) != notes || err != nil || notes > 0 && !reflect.DeepEqual(got[0], note(10)) {
			t.Errorf("FoldNotes = %v, %v; want %d", got, err, notes)
		}
	}
	check(50, 50, 50, "at 50", 10)
	check(50, 49, 40, "at 40", 10)
	check(50, 29, 0, "", 10)
	appendWrites(t, w, FoldBatch{Session: 1, Drop: 40, Folded: 41})
	check(41, 99, 30, "at 30", 6)
	appendWrites(t, w, FoldBatch{Session: 1, Drop: 1})
	check(0, 99, 0, "", 0)
}

// TestWritesRefused: what cannot be right is an error, and leaves nothing.
func TestWritesRefused(t *testing.T) {
	s, w := open(t)
	ctx := context.Background()
	appendWrites(t, w, FoldBatch{Session: 1, Events: []EventWrites{oneWrite(5, "/vars/a", "", "1")}, Folded: 7})
	for name, batch := range map[string]FoldBatch{
		"session 0":     {Session: 0},
		"before":        {Session: 1, Events: []EventWrites{oneWrite(5, "/vars/a", "1", "2")}},
		"folded":        {Session: 1, Events: []EventWrites{oneWrite(7, "/vars/a", "1", "2")}},
		"out of order":  {Session: 1, Events: []EventWrites{oneWrite(9, "/vars/a", "1", "2"), oneWrite(8, "/vars/a", "2", "3")}},
		"out of range":  {Session: 1, Events: []EventWrites{oneWrite(1<<32, "/vars/a", "1", "2")}},
		"without value": {Session: 1, Events: []EventWrites{oneWrite(9, "/vars/b", "", "3"), oneWrite(10, "/vars/a", "", "")}},
	} {
		if err := w.AppendWrites(ctx, []FoldBatch{{Session: 2, Events: []EventWrites{oneWrite(1, "/vars/x", "", "1")}, Folded: 1}, batch}); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	if n, err := s.Reader().WriteCount(ctx, 0); n != 1 || err != nil {
		t.Errorf("WriteCount = %d, %v; want 1", n, err)
	}
	appendWrites(t, w, FoldBatch{Session: 1, Events: []EventWrites{oneWrite(8, "/vars/a", "1", "2")}, Folded: 8})
	got, err := s.Reader().History(ctx, 1, "/vars/a", 0, 0)
	if err != nil || len(got) != 2 || string(got[1].Old.JSON) != "1" || string(got[1].New.JSON) != "2" {
		t.Errorf("History = %s, %v", show(got), err)
	}
}

// TestKillWrites copies the index while writes are being appended: what is
// left is the last commit, and can be gone on from.
func TestKillWrites(t *testing.T) {
	s, w := open(t)
	ctx := context.Background()
	world := worldOf(8, 40)
	half := world.events[20].Pos
	first := FoldBatch{Session: 1, Events: world.events[:21], Folded: half}
	rest := FoldBatch{Session: 1, Events: world.events[21:], Folded: world.last()}
	appendWrites(t, w, first)
	if _, err := w.conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.fold.apply(ctx, &rest), w.fold.flush(ctx)); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, suffix := range []string{"", "-wal"} {
		write(t, filepath.Join(dir, "index.db"+suffix), read(t, s.Path()+suffix))
	}
	if _, err := w.conn.ExecContext(ctx, "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	copied, err := Open(filepath.Join(dir, "index.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer copied.Close()
	if n, err := copied.Reader().Folded(ctx, 1); n != half || err != nil {
		t.Fatalf("Folded = %d, %v; want %d", n, err, half)
	}
	cw, err := copied.Writer()
	if err != nil {
		t.Fatal(err)
	}
	appendWrites(t, cw, rest)
	compareWorld(t, copied.Reader(), 1, world)
}

// TestCancelledWrites: a transaction that failed is forgotten.
func TestCancelledWrites(t *testing.T) {
	s, w := open(t)
	world := worldOf(9, 30)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	batch := FoldBatch{Session: 1, Events: world.events, Folded: world.last()}
	if err := w.AppendWrites(ctx, []FoldBatch{batch}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
	bad := batch
	bad.Events = append(bad.Events[:len(bad.Events):len(bad.Events)], oneWrite(1, "/vars/a", "", "1"))
	if err := w.AppendWrites(context.Background(), []FoldBatch{bad}); err == nil {
		t.Error("a batch out of order was taken")
	}
	appendWrites(t, w, batch)
	compareWorld(t, s.Reader(), 1, world)
}

// TestWritesGoWithEvents: when events are cut, sessions dropped or the index is
// emptied, their writes go, and those of other sessions stay.
func TestWritesGoWithEvents(t *testing.T) {
	s, w := open(t)
	worlds := map[int64]*world{1: worldOf(1, 25), 2: worldOf(2, 25), 3: worldOf(1, 25)}
	for key, world := range worlds {
		feed(t, w, key, world, 0, 5)
	}
	cut := worlds[1].last() / 2
	worlds[1].back(cut)
	appendBatch(t, w, &Batch{Cuts: []Cut{{1, cut}}, Drop: []int64{2}})
	worlds[2] = newWorld(2)
	for key, world := range worlds {
		compareWorld(t, s.Reader(), key, world)
	}
	if n, err := s.Reader().Folded(context.Background(), 1); n != cut-1 || err != nil {
		t.Errorf("Folded = %d, %v; want %d", n, err, cut-1)
	}
	if err := w.Clear(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, table := range writeTables {
		var n int
		if _, err := s.Reader().one(context.Background(), "rows", "SELECT count(*) FROM "+table, nil, &n); err != nil || n != 0 {
			t.Errorf("%d rows left in %s, %v", n, table, err)
		}
	}
	fresh := worldOf(5, 20)
	feed(t, w, 1, fresh, 0, 5)
	compareWorld(t, s.Reader(), 1, fresh)
}

// TestFileTexts: texts of all sizes come back at every version, large equal
// ones are stored once, and the text between the two writes of an event is
// kept.
func TestFileTexts(t *testing.T) {
	s, w := open(t)
	ctx, r := context.Background(), s.Reader()
	rng := rand.New(rand.NewPCG(1, 1))
	noise := make([]byte, 200_000)
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	const path = "/files/a"
	text := string(noise)
	var versions []string
	var old model.Value
	for pos := int64(1); pos <= 80; pos++ {
		at := rng.IntN(len(text))
		text = text[:at] + strings.Repeat("x", rng.IntN(3000)) + string(noise[:rng.IntN(300)]) + text[min(len(text), at+rng.IntN(100)):]
		versions = append(versions, text)
		v := model.Value{JSON: []byte(`{}`), Text: &versions[pos-1]}
		if pos%3 == 0 {
			old.Text = nil // the fold need not have it
		}
		e := EventWrites{Pos: pos, Writes: []model.Write{{Path: path, Pos: pos, Old: old, New: v}}}
		if pos == 50 {
			outside := "outside"
			mid := model.Value{JSON: []byte(`{}`), Text: &outside}
			e.Writes = []model.Write{{Path: path, Pos: pos, Old: old, New: mid}, {Path: path, Pos: pos, Old: mid, New: v}}
		}
		if pos == 60 {
			e.Writes = append(e.Writes, model.Write{Path: "/files/b", Pos: pos, New: model.Value{JSON: []byte(`{}`), Text: &versions[9]}})
		}
		appendWrites(t, w, FoldBatch{Session: 1, Events: []EventWrites{e}, Folded: pos})
		w.fold.forget()
		old = v
	}
	same := func(path string, pos int64, want string) {
		t.Helper()
		if got, ok, err := r.FileText(ctx, 1, path, pos); err != nil || !ok || got == nil || *got != want {
			t.Fatalf("FileText(%s, %d): ok %v, %v", path, pos, ok, err)
		}
	}
	for i, want := range versions {
		same(path, int64(i+1), want)
	}
	same("/files/b", 70, versions[9])
	if got, ok, err := r.OutsideText(ctx, 1, path, 50); err != nil || !ok || got == nil || *got != "outside" {
		t.Errorf("OutsideText: ok %v, %v", ok, err)
	}
	texts, versionsOf := r.FileTexts(1, 80), r.TextVersions(1, path, 79)
	history, err := r.History(ctx, 1, path, 0, 0)
	if err != nil || len(history) != 81 {
		t.Fatalf("%d writes, %v", len(history), err)
	}
	now := ""
	for i, wr := range history {
		if err := texts.Fill(ctx, &wr); err != nil {
			t.Fatal(err)
		}
		want, second := versions[wr.Pos-1], i == 50
		if i == 49 {
			want = "outside"
		}
		if wr.New.Text == nil || *wr.New.Text != want || !wr.Old.Absent() && *wr.Old.Text != now {
			t.Fatalf("texts of write %d by %d are wrong", i, wr.Pos)
		}
		v, ok, err := versionsOf.Next(ctx, wr.Pos, second)
		if err != nil || ok != (wr.Pos < 80) || ok && (v.Pos != wr.Pos || !v.Known || now[:v.Prefix]+v.Middle+now[len(now)-v.Suffix:] != want) {
			t.Fatalf("version by %d: %v, %v", wr.Pos, ok, err)
		}
		if _, ok, _ := versionsOf.Next(ctx, wr.Pos, second); ok {
			t.Fatalf("two versions by %d", wr.Pos)
		}
		now = want
	}
	var size, depth int
	if _, err := r.one(ctx, "texts", "SELECT sum(length(data)), max(unicode(substr(hex(data),3,1))*100+unicode(substr(hex(data),4,1))) FROM texts", nil, &size, &depth); err != nil || size > 1_400_000 || depth > '1'*100+'F' {
		t.Errorf("texts take %d bytes, depth %d, %v", size, depth, err)
	}
}

// TestEmptyText: a text of which nothing is left is known to be empty.
func TestEmptyText(t *testing.T) {
	s, w := open(t)
	full, empty := model.Value{JSON: []byte(`{}`), Text: new(string)}, model.Value{JSON: []byte(`{}`), Text: new(string)}
	*full.Text = "a line\n"
	appendWrites(t, w, FoldBatch{Session: 1, Folded: 2, Events: []EventWrites{
		{Pos: 1, Writes: []model.Write{{Path: "/files/a", Pos: 1, New: full}}},
		{Pos: 2, Writes: []model.Write{{Path: "/files/a", Pos: 2, Old: full, New: empty}}},
	}})
	if got, ok, err := s.Reader().FileText(context.Background(), 1, "/files/a", 2); err != nil || !ok || got == nil || *got != "" {
		t.Errorf("FileText = %v, %v, %v", got, ok, err)
	}
}

// TestMigrateWrites: an index of the first version gets the tables of writes.
func TestMigrateWrites(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(fmt.Sprintf("%s; PRAGMA application_id=%d; PRAGMA user_version=1", schemaSQL, applicationID)); err != nil {
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
	appendWrites(t, w, FoldBatch{Session: 1, Events: []EventWrites{oneWrite(1, "/vars/a", "", "1")}, Folded: 1})
}

// TestManyPosts: cells with more posts than a chunk, lives over many blocks.
func TestManyPosts(t *testing.T) {
	s, w := open(t)
	ctx, r := context.Background(), s.Reader()
	const n = 3000
	batch := FoldBatch{Session: 1, Folded: n}
	old := "null"
	for pos := int64(1); pos <= n; pos++ {
		e := oneWrite(pos, "/context/tokens", old, fmt.Sprint(pos))
		old = fmt.Sprint(pos)
		message := oneWrite(pos, underMessages+model.MessageKey(pos), "", fmt.Sprint(pos))
		e.Writes = append(e.Writes, message.Writes...)
		if pos > 100 {
			e.Writes = append(e.Writes, oneWrite(pos, underMessages+model.MessageKey(pos-100), fmt.Sprint(pos-100), "").Writes...)
		}
		batch.Events = append(batch.Events, e)
	}
	appendWrites(t, w, batch)
	for pos := int64(1); pos <= n; pos += 37 {
		wr, _, err := r.WriteAt(ctx, 1, "/context/tokens", pos)
		if err != nil || wr.Pos != pos || string(wr.New.JSON) != fmt.Sprint(pos) {
			t.Fatalf("WriteAt(%d) = %s, %v", pos, show(wr), err)
		}
		count, err := r.MemberCount(ctx, 1, model.PathMessages, pos)
		if err != nil || count != min(pos, 100) {
			t.Fatalf("MemberCount(%d) = %d, %v", pos, count, err)
		}
		page, err := r.Members(ctx, 1, model.PathMessages, pos, "", 3)
		if err != nil || page[0].Pos != max(1, pos-99) {
			t.Fatalf("Members(%d) = %s, %v", pos, show(page), err)
		}
	}
	history, err := r.History(ctx, 1, "/context/tokens", 0, 0)
	if err != nil || len(history) != n {
		t.Errorf("%d writes, %v; want %d", len(history), err, n)
	}
}

// FuzzPackedWrites: packed bytes that nobody wrote are an error, never a panic.
func FuzzPackedWrites(f *testing.F) {
	s, w := open(f)
	world := worldOf(3, 30)
	appendWrites(f, w, FoldBatch{Session: 1, Events: world.events, Folded: world.last()})
	for _, text := range []string{"SELECT data FROM writes", "SELECT data FROM lives", "SELECT data FROM posts", "SELECT data FROM texts"} {
		s.Reader().each(context.Background(), "rows", text, nil, func(rows *sql.Rows) error {
			var data []byte
			err := rows.Scan(&data)
			f.Add(data)
			return err
		})
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		e := eventWalk{first: 16, rest: unpack(data)}
		var walk recordWalk
		var rec record
		for e.next(&walk) {
			for walk.next(&rec) {
				rec.newValue(walk.pos, rec.segment)
			}
		}
		for class := classPosMessage; class <= classPending; class++ {
			for l := walkLives(class, 1, data); l.next(); {
				l.life.at(20)
			}
		}
		unpackPosts(nil, 1, data)
		applySplices(data, [][]byte{data})
	})
}
