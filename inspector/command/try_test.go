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

// TestTryFollows: each save of the mapping is answered, also one that is wrong,
// until the program is stopped.
func TestTryFollows(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := t.TempDir()
	file, dump := filepath.Join(dir, "mine.toml"), filepath.Join(dir, "run.jsonl")
	save := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name+".new", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(name+".new", name); err != nil { // as editors save
			t.Fatal(err)
		}
	}
	const begin = "name = \"mine\"\n[event]\ntype = \"/what\"\n"
	save(dump, `{"what":"a","word":"hello"}`+"\n")
	save(file, begin)
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	dialects, _ := command.Find("dialects")
	args := command.NewArgs([]string{command.Try, file, dump}, map[string]string{"follow": "true"})
	if err := dialects.Check(args); err != nil {
		t.Fatal(err)
	}
	got, err := dialects.Run(ctx, &command.Env{}, args)
	if err != nil {
		t.Fatal(err)
	}
	out, ended := make(pipe), make(chan error, 1)
	go func() { ended <- got.Write(ctx, &command.Output{W: out, Format: command.JSONLines}) }()
	for _, step := range []struct{ then, want string }{
		{begin + "title = \"/word\"\n", `"title":"a word=hello"`},
		{begin + "titel = \"/word\"\n", `"title":"hello"`},
		{begin + "[[rule]]\ntitle = \"a rule\"\n", `event.titel: there is no such key`},
		{"", `"title":"a rule"`},
	} {
		for seen := ""; !strings.Contains(seen, step.want); {
			select {
			case seen = <-out:
			case err := <-ended:
				t.Fatalf("ended before %s: %v", step.want, err)
			}
		}
		if step.then != "" {
			save(file, step.then)
		}
	}
	stop()
	for {
		select {
		case <-out:
			continue
		case err := <-ended:
			if !errors.Is(err, context.Canceled) {
				t.Errorf("ended with %v", err)
			}
		}
		return
	}
}
