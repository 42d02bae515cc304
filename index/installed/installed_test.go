package installed

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hindcast/fixtures"
	"hindcast/model"
)

// account is a made-up home folder with nothing set around it.
func account(home string, env ...string) model.Account {
	return model.Account{Home: home, Getenv: func(name string) string {
		for i := 0; i < len(env); i += 2 {
			if env[i] == name {
				return env[i+1]
			}
		}
		return ""
	}}
}

// homeOfAll is a home folder in which all four programs left the fixtures.
func homeOfAll(t testing.TB) string {
	t.Helper()
	home := t.TempDir()
	copyTo(t, "claudecode/clean/projects", filepath.Join(home, ".claude/projects"))
	copyTo(t, "codex/home", filepath.Join(home, ".codex"))
	copyTo(t, "openhands/v1-clean", filepath.Join(home, ".openhands/conversations"))
	copyTo(t, "opencode/tree/storage", filepath.Join(home, ".local/share/opencode/storage"))
	copyTo(t, "opencode/late", filepath.Join(home, ".local/share/opencode"))
	return home
}

// copyTo writes a folder of fixtures; each file is a minute older than the one
// before.
func copyTo(t testing.TB, from, to string) {
	t.Helper()
	at := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	err := fs.WalkDir(fixtures.FS, from, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fixtures.FS.ReadFile(name)
		if err != nil {
			return err
		}
		at = at.Add(-time.Minute)
		write(t, filepath.Join(to, strings.TrimPrefix(name, from)), string(data), at)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func write(t testing.TB, name, text string, at time.Time) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(name, at, at); err != nil {
		t.Fatal(err)
	}
}

func find(t testing.TB, a model.Account, folder string) *List {
	t.Helper()
	l, err := Find(context.Background(), Options{Account: a, Folder: folder})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// said is a row as one line: what is known of it after a look.
func said(l *List, i int) string {
	r, told := l.Rows[i], l.Look(context.Background(), i)
	parts := []string{r.Dialect, r.Session[max(len(r.Session)-12, 0):], told.Title, told.Outcome, fmt.Sprint(told.Failed), l.Ran(context.Background(), i)}
	if r.Here {
		parts = append(parts, "here")
	}
	if told.Parent != "" {
		parts = append(parts, "child")
	}
	return strings.Join(parts, "|")
}

func TestAllPrograms(t *testing.T) {
	l := find(t, account(homeOfAll(t)), "/srv/app")
	var got []string
	for i := range l.Rows {
		got = append(got, said(l, i))
	}
	want := []string{
		"opencode|000000000001|Fix the rounding|running|3|/srv/app|here",
		"claudecode|5b7f6e2d1c04|Fix the tax rate|finished|2|/srv/shop",
		"codex|00000000000c|Listen|idle|0|/srv/demo/bell|child",
		"openhands|a5b4c3d2e1f0|The slug function of slug.py keeps double dashes. Fix it and run the tests.|finished|2|/workspace",
	}
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("no row %s", w)
		}
	}
	if len(got) != 8 || got[0] != want[0] {
		t.Errorf("rows:\n%s", strings.Join(got, "\n"))
	}
	for i := 2; i < len(l.Rows); i++ {
		if l.Rows[i-1].Changed < l.Rows[i].Changed {
			t.Errorf("row %d is newer than the one before it", i)
		}
	}
}

// TestChildrenOfTrees: a sub-agent of the tree that its program's database has
// replaced is not listed beside it.
func TestChildrenOfTrees(t *testing.T) {
	home := t.TempDir()
	copyTo(t, "opencode/tree/storage", filepath.Join(home, ".local/share/opencode/storage"))
	l := find(t, account(home), "")
	if len(l.Rows) != 1 || !l.Rows[0].Many || filepath.Base(l.Open(0)[0]) != "storage" {
		t.Fatalf("%+v", l.Rows)
	}
	if told := l.Look(context.Background(), 0); told.Title == "" || told.Outcome != "" || told.Failed != -1 || told.Whole || told.Size != -1 {
		t.Errorf("its own file alone tells %+v", told)
	}
}

func TestEnvironment(t *testing.T) {
	home := homeOfAll(t)
	moved := account("/nowhere",
		"CLAUDE_CONFIG_DIR", home+"/.claude", "CODEX_HOME", home+"/.codex", "XDG_DATA_HOME", home+"/.local/share", "OPENHANDS_PERSISTENCE_DIR", home+"/.openhands")
	if l := find(t, moved, ""); len(l.Rows) != 8 {
		t.Errorf("%d sessions, want 8", len(l.Rows))
	}
	copyTo(t, "opencode/late", filepath.Join(home, "elsewhere"))
	named := account("/nowhere", "OPENCODE_DB", home+"/elsewhere/opencode.db", "OPENHANDS_CONVERSATIONS_DIR", home+"/.openhands/conversations")
	if l := find(t, named, ""); len(l.Rows) != 2 {
		t.Errorf("%d sessions, want 2", len(l.Rows))
	}
	if l := find(t, account("/nowhere", "OPENCODE_DB", ":memory:"), ""); len(l.Rows) != 0 {
		t.Errorf("%d sessions in memory", len(l.Rows))
	}
	if l := find(t, account(""), ""); len(l.Rows) != 0 || len(l.Places) != 0 {
		t.Errorf("without a home there are %d sessions in %d places", len(l.Rows), len(l.Places))
	}
}

// TestRepository: a session that ran anywhere in the repository of the folder
// is the folder's; one of a folder whose name begins like it is not.
func TestRepository(t *testing.T) {
	home, repo := t.TempDir(), t.TempDir()
	for _, dir := range []string{".git", "sub/deep"} {
		if err := os.MkdirAll(filepath.Join(repo, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	at := time.Now()
	for n, cwd := range []string{repo, repo + "/sub", repo + "-2", filepath.Dir(repo)} {
		id := fmt.Sprintf("00000000-0000-4000-8000-%012d", n)
		name := strings.Map(func(r rune) rune {
			if r == '/' || r == '_' || r == '.' {
				return '-'
			}
			return r
		}, cwd)
		write(t, filepath.Join(home, ".claude/projects", name, id+".jsonl"), claudeLine(id, cwd, 0), at)
	}
	l := find(t, account(home), filepath.Join(repo, "sub/deep"))
	var here []string
	for _, r := range l.Rows {
		if r.Here {
			here = append(here, r.Ran)
		}
	}
	slices.Sort(here)
	if want := []string{repo, repo + "/sub"}; !slices.Equal(here, want) || len(l.Rows) != 4 || !l.Rows[1].Here {
		t.Errorf("here are %q of %d, want %q", here, len(l.Rows), want)
	}
}

// TestPlaceElsewhere: a place may be a link to another disk; what it holds is
// bounded, and the bound is told.
func TestPlaceElsewhere(t *testing.T) {
	home, disk := homeOfAll(t), t.TempDir()
	for link, to := range map[string]string{".claude/projects": "claude", ".codex/sessions": "codex"} {
		if err := os.Rename(filepath.Join(home, link), filepath.Join(disk, to)); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(disk, to), filepath.Join(home, link)); err != nil {
			t.Fatal(err)
		}
	}
	for n := range 40 { // no year: not even looked into
		write(t, filepath.Join(disk, fmt.Sprintf("codex/lib/d%d/e/rollout-x", n)), "", time.Now())
		write(t, filepath.Join(disk, fmt.Sprintf("claude/-srv-%d/notes", n)), "", time.Now())
	}
	if l := find(t, account(home), ""); len(l.Rows) != 8 {
		t.Errorf("%d sessions, want 8", len(l.Rows))
	}
	l, err := Find(context.Background(), Options{Account: account(home), Names: 50})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range l.Places {
		want := ""
		if strings.HasSuffix(p.Folder, "projects") {
			want = "it holds more names than are read (limit names = 50)"
		}
		if p.Problem != want {
			t.Errorf("%s: %q, want %q", p.Folder, p.Problem, want)
		}
	}
}

func claudeLine(id, cwd string, n int) string {
	return fmt.Sprintf(`{"parentUuid":null,"isSidechain":false,"cwd":%q,"sessionId":%q,"version":"2.1.0","type":"user","message":{"role":"user","content":"Say %d"},"uuid":"u%s-%d","timestamp":"2026-03-01T10:00:00.000Z"}`+"\n", cwd, id, n, id, n)
}

// TestLargeSession: of a session that is larger than what is read, the title
// comes from its beginning and the outcome from its end.
func TestLargeSession(t *testing.T) {
	home := t.TempDir()
	id := "3f1c0a52-8d1e-4c61-9a37-5b7f6e2d1c04"
	file := "claudecode/clean/projects/-srv-shop/" + id + ".jsonl"
	data, err := fixtures.FS.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	filler := strings.Repeat(`{"type":"queue-operation","operation":"enqueue","sessionId":"`+id+`","content":"`+strings.Repeat("x", 900)+`"}`+"\n", 1000)
	name := filepath.Join(home, ".claude/projects/-srv-shop", id+".jsonl")
	write(t, name, string(data)+filler+claudeLine(id, "/srv/shop", 1), time.Now())
	before := readSoFar(t)
	l := find(t, account(home), "/srv/shop")
	told := l.Look(context.Background(), 0)
	if told.Title != "Fix the tax rate" || told.Outcome != "running" || told.Failed != 2 || told.Whole || told.Size < 900_000 {
		t.Errorf("%+v", told)
	}
	if n := readSoFar(t) - before; n > 800<<10 {
		t.Errorf("%d bytes were read of one session", n)
	}
}

// TestThousands: what is read of thousands of sessions does not grow with them.
func TestThousands(t *testing.T) {
	home := t.TempDir()
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	line := strings.Repeat(" ", 4<<10) + "\n"
	for n := range 1500 {
		id := fmt.Sprintf("00000000-0000-4000-8000-%012d", n)
		at = at.Add(time.Second)
		write(t, filepath.Join(home, fmt.Sprintf(".claude/projects/-srv-p%d/%s.jsonl", n%50, id)), claudeLine(id, fmt.Sprintf("/srv/p%d", n%50), n)+line, at)
		day := fmt.Sprintf(".codex/sessions/2026/03/%02d/rollout-2026-03-01T10-00-00-%s.jsonl", n%28+1, id)
		write(t, filepath.Join(home, day), `{"timestamp":"2026-03-01T10:00:00Z","type":"session_meta","payload":{"id":"`+id+`","cwd":"/srv/p1"}}`+"\n"+line, at)
	}
	before := readSoFar(t)
	l := find(t, account(home), "/srv/p1")
	read := readSoFar(t) - before
	if len(l.Rows) != 3000 || !l.Rows[0].Here || l.Rows[2999].Here {
		t.Fatalf("%d rows", len(l.Rows))
	}
	here := 0
	for _, r := range l.Rows {
		if r.Here {
			here++
		}
	}
	if want := 1500/50 + traceLimit; here != want {
		t.Errorf("%d sessions are this folder's, want %d", here, want)
	}
	// Each that is asked where it ran is read twice: to tell what it is, and its
	// beginning.
	if most := int64(here * 3 * (8 << 10)); read > most {
		t.Errorf("%d bytes were read, want at most %d", read, most)
	}
}

// readSoFar is how many bytes this process has read.
func readSoFar(t *testing.T) (n int64) {
	t.Helper()
	text, err := os.ReadFile("/proc/self/io")
	if err != nil {
		t.Skip("the system does not count what is read")
	}
	_, err = fmt.Sscanf(string(text), "rchar: %d", &n)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestDamage: what cannot be read costs its own row at most.
func TestDamage(t *testing.T) {
	home := homeOfAll(t)
	at := time.Now()
	id := func(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }
	project := filepath.Join(home, ".claude/projects/-srv-shop")
	for n, text := range []string{"", "\x00\x00\x00", "{", `{"type":"user"`, "\xff\xfe\x00", strings.Repeat("[", 100_000), "SQLite format 3\x00", "PK\x03\x04"} {
		write(t, filepath.Join(project, id(n)+".jsonl"), text, at)
		write(t, filepath.Join(home, ".codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-"+id(n)+".jsonl.zst"), text, at)
		write(t, filepath.Join(home, ".openhands/conversations", id(n), "base_state.json"), text, at)
	}
	write(t, filepath.Join(home, ".local/share/opencode/opencode-cut.db"), "SQLite format 3\x00 and no more", at)
	write(t, filepath.Join(home, ".local/share/opencode/opencode-none.db"), "", at)
	if err := os.MkdirAll(filepath.Join(project, id(99)+".jsonl"), 0o755); err != nil {
		t.Fatal(err)
	}
	l := find(t, account(home), "/srv/shop")
	if len(l.Rows) != 8+3*8 {
		t.Errorf("%d rows", len(l.Rows))
	}
	whole := 0
	for i := range l.Rows {
		if told := l.Look(context.Background(), i); told.Title != "" {
			whole++
		}
	}
	if whole != 7 { // the eighth is a fork that its base would name
		t.Errorf("%d sessions have a title", whole)
	}
	problems := 0
	for _, p := range l.Places {
		if p.Problem != "" {
			problems++
		}
	}
	if problems != 1 {
		t.Errorf("%+v", l.Places)
	}
}

// TestLinks: no link below a place is followed, and none out of it; a place
// itself may be one.
func TestLinks(t *testing.T) {
	home, outside := t.TempDir(), homeOfAll(t)
	real := filepath.Join(home, "dotfiles/projects")
	link := func(to, at string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, at); err != nil {
			t.Skip(err)
		}
	}
	copyTo(t, "claudecode/clean/projects", real)
	link(real, filepath.Join(home, ".claude/projects"))
	link(real, filepath.Join(real, "-loop"))
	link(filepath.Join(real, "-in-circles"), filepath.Join(real, "-in-circles"))
	link(filepath.Join(outside, ".claude/projects/-srv-shop"), filepath.Join(real, "-out"))
	link(filepath.Join(outside, ".claude/projects/-srv-shop/3f1c0a52-8d1e-4c61-9a37-5b7f6e2d1c04.jsonl"), filepath.Join(real, "-srv-shop/3f1c0a52-8d1e-4c61-9a37-5b7f6e2d1c05.jsonl"))
	link(filepath.Join(outside, ".codex/sessions/2026"), filepath.Join(home, ".codex/sessions/2026"))
	link(filepath.Join(outside, ".openhands/conversations/0f1e2d3c4b5a69788796a5b4c3d2e1f0"), filepath.Join(home, ".openhands/conversations/0f1e2d3c4b5a69788796a5b4c3d2e1f0"))
	link(filepath.Join(outside, ".local/share/opencode/opencode.db"), filepath.Join(home, ".local/share/opencode/opencode.db"))
	l := find(t, account(home), "/srv/shop")
	if len(l.Rows) != 1 || !l.Rows[0].Here {
		t.Errorf("%+v", l.Rows)
	}
}

// TestFoldersThatCannotBeRead are told, and cost nothing else.
func TestFoldersThatCannotBeRead(t *testing.T) {
	home := homeOfAll(t)
	write(t, filepath.Join(home, ".openhands/cloud/conversations"), "a file in its place", time.Now())
	closed := filepath.Join(home, ".claude/projects/-closed")
	if err := os.Mkdir(closed, 0o000); err != nil {
		t.Fatal(err)
	}
	l := find(t, account(home), "")
	if len(l.Rows) != 8 {
		t.Errorf("%d rows", len(l.Rows))
	}
	_, err := os.ReadDir(closed)
	for _, p := range l.Places {
		name := path.Base(path.Dir(filepath.ToSlash(p.Folder))) + "/" + filepath.Base(p.Folder)
		want := map[string]string{"cloud/conversations": "it is no folder"}[name]
		if name == ".claude/projects" && err != nil { // root may read it
			want = "-closed: permission denied"
		}
		if p.Problem != want {
			t.Errorf("%s: %q, want %q", name, p.Problem, want)
		}
	}
}

// TestKin: a fork is opened with what it goes on from, and a session with what
// it made, where these are files of their own.
func TestKin(t *testing.T) {
	home := t.TempDir()
	copyTo(t, "codex/home", filepath.Join(home, ".codex"))
	l := find(t, account(home), "")
	for i, r := range l.Rows {
		var names []string
		for _, p := range l.Open(i) {
			id := strings.TrimSuffix(filepath.Base(p), ".jsonl")
			names = append(names, id[len(id)-2:])
		}
		want := map[string]string{"0d": "0d 0a 0c 5e", "0f": "0f 0a 0c", "5e": "5e 0a 0c", "0a": "0a 0c", "0c": "0c"}[r.Session[len(r.Session)-2:]]
		own, _, _ := strings.Cut(want, " ")
		if got := names[0]; got != own {
			t.Errorf("%s is opened with %s first", r.Session, got)
		}
		slices.Sort(names)
		sorted := strings.Fields(want)
		slices.Sort(sorted)
		if !slices.Equal(names, sorted) {
			t.Errorf("%s is opened with %q, want %q", r.Session, names, sorted)
		}
	}
}
