package command

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"hindcast/fixtures"
	"hindcast/model/answer"
)

// hereWith is an environment in which Claude Code has left a session.
func hereWith(t *testing.T) *Env {
	t.Helper()
	home := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	data, err := fixtures.FS.ReadFile("claudecode/clean/projects/-srv-shop/3f1c0a52-8d1e-4c61-9a37-5b7f6e2d1c04.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	project := filepath.Join(home, ".claude/projects/-srv-shop")
	if err := os.MkdirAll(project, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"3f1c0a52-8d1e-4c61-9a37-5b7f6e2d1c04", "3f1c0a52-8d1e-4c61-9a37-5b7f6e2d1c05", "3f1c0a52-8d1e-4c61-9a37-5b7f6e2d1c06"} {
		if err := os.WriteFile(filepath.Join(project, id+".jsonl"), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	env := map[string]string{"HOME": home}
	return &Env{Here: HereOf(func(name string) string { return env[name] })}
}

func TestInstalled(t *testing.T) {
	all := readSchemas(t)
	for args, want := range map[string]int{"": 3, "0": 3, "2": 2, "9": 3} {
		flags := map[string]string{"installed": "true"}
		if args != "" {
			flags["limit"] = args
		}
		got, err := runSessions(context.Background(), hereWith(t), NewArgs(nil, flags))
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := got.Write(context.Background(), &Output{W: &b, Format: JSON}); err != nil {
			t.Fatal(err)
		}
		all.holds(t, "installed", b.String())
		var list answer.Installed
		if err := json.Unmarshal(b.Bytes(), &list); err != nil {
			t.Fatal(err)
		}
		if len(list.Sessions) != want || list.More != 3-want {
			t.Errorf("--limit %s: %d sessions and %d more", args, len(list.Sessions), list.More)
		}
	}
}

func TestNothingInstalled(t *testing.T) {
	env := &Env{Here: HereOf(func(string) string { return "" })}
	env.Here.Account.Home = t.TempDir()
	got, err := runSessions(context.Background(), env, NewArgs(nil, map[string]string{"installed": "true"}))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := got.Write(context.Background(), &Output{W: &b, Format: JSON}); err != nil {
		t.Fatal(err)
	}
	readSchemas(t).holds(t, "installed", b.String())
}

func TestDumpWords(t *testing.T) {
	for want, dumps := range map[string][]string{
		"a.jsonl": {"a.jsonl"}, "'a b'": {"a b"}, "-": {"-"}, "./-d": {"-d"}, "-d a -d 'it'\\''s'": {"a", "it's"},
	} {
		if got := DumpWords(dumps); got != want {
			t.Errorf("%q: %s, want %s", dumps, got, want)
		}
	}
}
