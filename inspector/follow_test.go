package inspector

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hindcast/index"
)

// written opens a file of n events with the real index.
func written(t *testing.T, n int) (idx *index.Index, path string) {
	t.Helper()
	dir := t.TempDir()
	path = filepath.Join(dir, "run.jsonl")
	if err := os.WriteFile(path, []byte(said("s1", 1, n)), 0o644); err != nil {
		t.Fatal(err)
	}
	idx, err := index.Open(context.Background(), []string{path}, index.Options{IndexPath: filepath.Join(dir, "run.hcx")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { idx.Close() })
	nudge(t, path)
	return idx, path
}

// nudge touches a file now and then: what is appended before the watch has begun
// is told by the next change only.
func nudge(t *testing.T, path string) {
	end := make(chan struct{})
	go func() {
		for {
			select {
			case <-end:
				return
			case <-time.After(200 * time.Millisecond):
				os.Chtimes(path, time.Time{}, time.Now())
			}
		}
	}()
	t.Cleanup(func() { close(end) })
}

// said is a log of messages by seq, both ends included.
func said(session string, from, to int) string {
	var b strings.Builder
	for seq := from; seq <= to; seq++ {
		fmt.Fprintf(&b, `{"event_id":"%s-%d","event_type":"UserInput","session_id":"%s","sequence":%d,"payload":{"content":"line %d"}}`+"\n", session, seq, session, seq, seq)
	}
	return b.String()
}

func appended(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestDumpGrowsUnderTheReader(t *testing.T) {
	idx, path := written(t, 5)
	d := drive(t, idx, 80, 24, Options{Source: "run.jsonl"}).see("row 1/5", "5 events").press("jj").at("3")
	appended(t, path, said("s1", 6, 9))
	d.see("row 3/9", "9 events", "line 9").at("3")
	d.press("F").at("9")
	for seq := 10; seq <= 14; seq++ {
		appended(t, path, said("s1", seq, seq))
	}
	d.at("14").see("line 14", "row 14/14").press("k").at("13")
	appended(t, path, said("s2", 1, 3))
	d.see("17 ").press("q")
	if err := d.ends(); err != nil {
		t.Errorf("q: %v", err)
	}
}

func TestDumpIsCutUnderTheReader(t *testing.T) {
	idx, path := written(t, 30)
	d := drive(t, idx, 80, 24, Options{}).see("row 1/30").press("G").at("30")
	if err := os.WriteFile(path, []byte(said("s2", 1, 4)), 0o644); err != nil {
		t.Fatal(err)
	}
	d.see("cut or replaced", "s2", "row 1/4").press("G").at("4").press("k").see("line 3")
}

// still is an index that must not be followed.
type still struct {
	*fake
	follow func(context.Context) error
}

func (s still) Follow(ctx context.Context) error { return s.follow(ctx) }

func TestFollowIsToldWhereItFails(t *testing.T) {
	broken := still{story(), func(context.Context) error { return errors.New("no watches left") }}
	drive(t, broken, 80, 24, Options{}).see("follow the dump: no watches left", "row 1/23")
	for _, o := range []Options{{Fixed: true}, {Demo: true}} {
		forbidden := still{story(), func(context.Context) error { t.Error("a dump that cannot grow is followed"); return nil }}
		d := drive(t, forbidden, 80, 24, o).see("row 1/23").press("q")
		if err := d.ends(); err != nil {
			t.Error(err)
		}
	}
}

// TestNothingImportsAfterTheEnd: the index is closed when Run has returned.
func TestNothingImportsAfterTheEnd(t *testing.T) {
	followed := make(chan struct{})
	slow := still{story(), func(ctx context.Context) error {
		<-ctx.Done()
		close(followed)
		return nil
	}}
	d := drive(t, slow, 80, 24, Options{}).see("row 1/23").press("q")
	if err := d.ends(); err != nil {
		t.Error(err)
	}
	select {
	case <-followed:
	default:
		t.Error("Run returned before Follow had")
	}
}

// A database that is written to is read anew from its start, and a session may
// be put in order: the reader stays where they are, and is told nothing.
func TestTheReaderStaysWhereADumpIsReadAnew(t *testing.T) {
	for _, provisional := range []bool{false, true} {
		f := story()
		f.status.Provisional, f.status.Done = provisional, !provisional
		all := f.status.Events
		d := drive(t, f, 120, 40, Options{}).see("row 1/23").press("6j").see("row 7/23", ">12+14")
		set := func(events int64, done bool) {
			f.mu.Lock()
			f.status.Events, f.status.Provisional, f.status.Done = events, provisional && !done, done
			f.mu.Unlock()
			f.grow()
		}
		set(2, false)
		d.rest(200 * time.Millisecond)
		if got := d.text(); !strings.Contains(got, ">12+14") || strings.Contains(got, "reading") {
			t.Errorf("while the dump is read anew:\n%s", got)
		}
		set(all, true)
		d.see("row 7/23", ">12+14", "400 lines")
		d.rest(200 * time.Millisecond)
		if got := d.text(); strings.Contains(got, "replaced") || !strings.Contains(got, ">12+14") {
			t.Errorf("when it was read:\n%s", got)
		}
	}
}

// TestNewRowsAreCounted: what comes below the screen is counted in the header
// and moves nobody; at the end it is seen.
func TestNewRowsAreCounted(t *testing.T) {
	idx, path := written(t, 60)
	d := drive(t, idx, 80, 24, Options{}).see("row 1/60", "no failures")
	appended(t, path, said("s1", 61, 65))
	d.see("+5 new", "row 1/65").press(":65", "Enter").see("row 65/65", "line 65").gone("+5 new").press("g", "g").see("row 1/65")
	appended(t, path, said("s1", 66, 66))
	d.see("+1 new", "row 1/66")
}
