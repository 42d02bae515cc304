package command_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hindcast/inspector/command"
)

// pipe hands what is written to the test, piece by piece.
type pipe chan string

func (p pipe) Write(b []byte) (int, error) {
	p <- string(b)
	return len(b), nil
}

// following is a try that follows a mapping in a folder of its own.
type following struct {
	t          *testing.T
	file, dump string
	out        pipe
	ended      chan error
	stop       func()
}

func newFollowing(t *testing.T, mapping, dump string) *following {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := t.TempDir()
	f := &following{t: t, file: filepath.Join(dir, "mine.toml"), dump: filepath.Join(dir, "run.jsonl"), out: make(pipe), ended: make(chan error, 1)}
	f.save(f.dump, dump)
	f.save(f.file, mapping)
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(stop)
	f.stop = stop
	dialects, _ := command.Find("dialects")
	args := command.NewArgs([]string{command.Try, f.file, f.dump}, map[string]string{"follow": "true"})
	if err := dialects.Check(args); err != nil {
		t.Fatal(err)
	}
	got, err := dialects.Run(ctx, &command.Env{}, args)
	if err != nil {
		t.Fatal(err)
	}
	go func() { f.ended <- got.Write(ctx, &command.Output{W: f.out, Format: command.JSONLines}) }()
	return f
}

// save writes a file as editors do.
func (f *following) save(name, text string) {
	f.t.Helper()
	if err := os.WriteFile(name+".new", []byte(text), 0o600); err != nil {
		f.t.Fatal(err)
	}
	if err := os.Rename(name+".new", name); err != nil {
		f.t.Fatal(err)
	}
}

// next is the answer that comes next.
func (f *following) next() string {
	f.t.Helper()
	select {
	case seen := <-f.out:
		return seen
	case err := <-f.ended:
		f.t.Fatalf("ended: %v", err)
		return ""
	}
}

// until waits for an answer.
func (f *following) until(want string) {
	f.t.Helper()
	for !strings.Contains(f.next(), want) {
	}
}

const (
	followed = "name = \"mine\"\n[event]\ntype = \"/what\"\n"
	hello    = `{"what":"a","word":"hello"}` + "\n"
)

// TestTryFollows: each save of the mapping is answered, also one that is wrong,
// until the program is stopped.
func TestTryFollows(t *testing.T) {
	f := newFollowing(t, followed, hello)
	for _, step := range []struct{ then, want string }{
		{followed + "title = \"/word\"\n", `"title":"a word=hello"`},
		{followed + "titel = \"/word\"\n", `"title":"hello"`},
		{followed + "[[rule]]\ntitle = \"a rule\"\n", `event.titel: there is no such key`},
		{"", `"title":"a rule"`},
	} {
		f.until(step.want)
		if step.then != "" {
			f.save(f.file, step.then)
		}
	}
	f.stop()
	for {
		select {
		case <-f.out:
			continue
		case err := <-f.ended:
			if !errors.Is(err, context.Canceled) {
				t.Errorf("ended with %v", err)
			}
		}
		return
	}
}

// TestTrySaysThingsOnce: what neither changes the mapping nor the answer is not
// answered again; either is.
func TestTrySaysThingsOnce(t *testing.T) {
	f := newFollowing(t, followed, hello)
	f.until(`"title":"a word=hello"`)
	for _, text := range []string{followed + "titel = 1\n", followed + "title = \"/word\"\n"} {
		f.save(f.file, text)
		first := f.next()
		f.save(f.file, text)
		time.Sleep(300 * time.Millisecond) // for the save to be noticed alone
		f.save(f.file, text+"# a word\n")
		if again := f.next(); again != first {
			t.Errorf("a comment changes the answer:\n%s%s", first, again)
		}
		select {
		case more := <-f.out:
			t.Errorf("said again: %s", more)
		case <-time.After(300 * time.Millisecond):
		}
	}
}
