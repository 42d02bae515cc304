package keep_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"hindcast/inspector/keep"
)

func store(t *testing.T) *keep.Store {
	dir := t.TempDir()
	return &keep.Store{Data: filepath.Join(dir, "data"), State: filepath.Join(dir, "state")}
}

var when = time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)

func note(event, text string) keep.Remark {
	return keep.Remark{Session: "s/1", Event: event, Pos: 3, Seq: 2, Text: text, Changed: when}
}

func texts(t *testing.T, s *keep.Store, sessions ...string) []string {
	t.Helper()
	list, problems := s.Remarks(sessions)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var out []string
	for _, r := range list {
		out = append(out, r.Mark+r.Text)
	}
	return out
}

func TestRemarks(t *testing.T) {
	s := store(t)
	if got := texts(t, s, "s/1"); got != nil {
		t.Errorf("%q from nothing", got)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(s.Set(note("e1", "one")))
	must(s.Set(note("e1", "two")))
	must(s.Set(note("", "by place")))
	other := note("e1", "elsewhere")
	other.Session = "../s"
	must(s.Set(other))
	mark := note("e9", "")
	mark.Mark = "a"
	must(s.Set(mark))
	if got := fmt.Sprint(texts(t, s, "s/1")); got != "[a by place two]" && got != "[a two by place]" {
		t.Errorf("kept %s", got)
	}
	if got := texts(t, s, "none", "../s"); !reflect.DeepEqual(got, []string{"elsewhere"}) {
		t.Errorf("kept %q of the other session", got)
	}
	must(s.Set(note("e1", "")))
	must(s.Set(note("e2", "")))
	must(s.Forget("s/1", "a"))
	must(s.Forget("s/1", "b"))
	if got := texts(t, s, "s/1"); !reflect.DeepEqual(got, []string{"by place"}) {
		t.Errorf("%q is left", got)
	}
	filepath.WalkDir(filepath.Dir(s.Data), func(path string, d os.DirEntry, err error) error {
		info, _ := d.Info()
		if want := map[bool]os.FileMode{true: 0o700, false: 0o600}[d.IsDir()]; path != filepath.Dir(s.Data) && info.Mode().Perm() != want {
			t.Errorf("%s has mode %o, want %o", path, info.Mode().Perm(), want)
		}
		return nil
	})
}

// TestTwoAtOnce: programs that write at the same time lose nothing of each
// other's.
func TestTwoAtOnce(t *testing.T) {
	s := store(t)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			one := &keep.Store{Data: s.Data}
			for j := range 20 {
				if err := one.Set(note(fmt.Sprintf("e%d.%d", i, j), "x")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if got := texts(t, s, "s/1"); len(got) != 160 {
		t.Errorf("%d notes of 160", len(got))
	}
}

func TestBrokenFilesAreSetAside(t *testing.T) {
	s := store(t)
	if err := s.Set(note("e1", "good")); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(s.Data, "notes", "*"))
	bad := filepath.Join(files[0], "note-0.json")
	os.WriteFile(bad, []byte("{"), 0o600)
	list, problems := s.Remarks([]string{"s/1"})
	if len(list) != 1 || len(problems) != 1 || !strings.Contains(problems[0].Error(), "set aside as "+bad+".broken") {
		t.Errorf("%v, %v", list, problems)
	}
	if list, problems = s.Remarks([]string{"s/1"}); len(list) != 1 || len(problems) != 0 {
		t.Errorf("told again: %v", problems)
	}
	os.MkdirAll(s.State, 0o700)
	os.WriteFile(filepath.Join(s.State, "layout.json"), []byte("[]"), 0o600)
	if _, err := s.Layout(); err == nil {
		t.Error("a broken layout is not told")
	}
	if l, err := s.Layout(); err != nil || l != (keep.Layout{}) {
		t.Errorf("%v, %v", l, err)
	}
}

func TestViews(t *testing.T) {
	s := store(t)
	v := keep.View{Dump: "/a\n/b", Session: "s", Event: "e", Pos: 4, Filter: "failed:true", Pins: []string{"/errors/count"}, Records: "all", Clock: "wall", Focus: "why"}
	if err := s.SetView(v); err != nil {
		t.Fatal(err)
	}
	got, ok, err := s.View(v.Dump)
	if v.Version = 1; !ok || err != nil || !reflect.DeepEqual(got, v) {
		t.Errorf("%+v, %v, %v", got, ok, err)
	}
	if _, ok, err := s.View("/a"); ok || err != nil {
		t.Errorf("a view of another dump: %v", err)
	}
	l := keep.Layout{Version: 1, Wide: keep.Hand{Rows: -3, Columns: 9}}
	if err := s.SetLayout(l); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Layout(); got != l || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestOldViewsGo(t *testing.T) {
	s := store(t)
	for i := range 510 {
		if err := s.SetView(keep.View{Dump: fmt.Sprintf("/d%d", i)}); err != nil {
			t.Fatal(err)
		}
	}
	if files, _ := os.ReadDir(filepath.Join(s.State, "views")); len(files) != 500 {
		t.Errorf("%d views", len(files))
	}
	if _, ok, _ := s.View("/d509"); !ok {
		t.Error("the newest view is gone")
	}
}

// TestNothingIsKept: without a place nothing fails; with one that cannot be
// written to, that is an error.
func TestNothingIsKept(t *testing.T) {
	for _, s := range []*keep.Store{nil, {}} {
		_, ok, verr := s.View("/a")
		_, lerr := s.Layout()
		list, problems := s.Remarks([]string{"s"})
		for _, err := range []error{verr, lerr, s.Set(note("e", "x")), s.Forget("s", "a"), s.SetView(keep.View{Dump: "/a"}), s.SetLayout(keep.Layout{})} {
			if err != nil {
				t.Error(err)
			}
		}
		if ok || len(list)+len(problems) > 0 {
			t.Error("something comes of nothing")
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	os.WriteFile(file, nil, 0o600)
	s := &keep.Store{Data: file, State: file}
	if s.Set(note("e", "x")) == nil || s.SetView(keep.View{Dump: "/a"}) == nil || s.SetLayout(keep.Layout{}) == nil {
		t.Error("a place that is none takes everything")
	}
}
