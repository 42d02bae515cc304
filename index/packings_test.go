package index

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hindcast/model"
)

// packings gives the same bytes in every way in which a dump may come.
func packings(t *testing.T, data []byte) map[string][]byte {
	t.Helper()
	var gz, zipped, tarred bytes.Buffer
	w := gzip.NewWriter(&gz)
	w.Write(data)
	w.Close()
	z := zip.NewWriter(&zipped)
	f, err := z.Create("run.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	f.Write(data)
	z.Close()
	outer := gzip.NewWriter(&tarred)
	tw := tar.NewWriter(outer)
	tw.WriteHeader(&tar.Header{Name: "a/run.jsonl", Mode: 0o600, Size: int64(len(data))})
	tw.Write(data)
	tw.Close()
	outer.Close()
	return map[string][]byte{"run.jsonl": data, "run.jsonl.gz": gz.Bytes(), "run.zip": zipped.Bytes(), "run.tar.gz": tarred.Bytes()}
}

func TestSameContentWhateverThePacking(t *testing.T) {
	data := faulty(t, 21, 800)
	dir := t.TempDir()
	var want string
	for _, name := range []string{"run.jsonl", "run.jsonl.gz", "run.zip", "run.tar.gz"} {
		path := filepath.Join(dir, name)
		writeFile(t, path, packings(t, data)[name])
		cache := t.TempDir()
		x := openAll(t, cache, Options{}, path)
		got := content(t, x, false)
		if want == "" {
			want = got
		}
		sameContent(t, name, want, got)
		checkAccounting(t, x)
		checkRaw(t, x)
		x.Close()
		again := openAll(t, cache, Options{}, path)
		checkRaw(t, again)
		sameContent(t, name+" opened again", want, content(t, again, false))
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	x, err := Open(context.Background(), []string{"-"}, Options{Stdin: bytes.NewReader(data)})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if err := x.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	sameContent(t, "a pipe", want, content(t, x, false))
	checkRaw(t, x)
	if x.Path() != "" {
		t.Error("the index of a pipe has a name, though nobody can find it again")
	}
}

func TestABundleAnswersWithoutItsSource(t *testing.T) {
	data := faulty(t, 22, 300)
	path, out := filepath.Join(t.TempDir(), "run.jsonl"), filepath.Join(t.TempDir(), "run.hindcast")
	writeFile(t, path, data)
	x := openAll(t, t.TempDir(), Options{Bundle: true, IndexPath: out}, path)
	want := content(t, x, true)
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	if beside, _ := filepath.Glob(out + "?*"); len(beside) > 0 {
		t.Errorf("the bundle is not alone: %v", beside)
	}
	writeFile(t, path, []byte("{}"))
	bundle := openAll(t, t.TempDir(), Options{}, out)
	sameContent(t, "the bundle", want, content(t, bundle, true))
	var copied bytes.Buffer
	if err := bundle.CopySource(context.Background(), "", &copied); err != nil || !bytes.Equal(copied.Bytes(), data) {
		t.Errorf("the bundle does not hold the source byte for byte: %v", err)
	}
}

func TestAChangedSourceIsSaidAndTheRestAnswers(t *testing.T) {
	path, out := filepath.Join(t.TempDir(), "run.jsonl"), filepath.Join(t.TempDir(), "run.db")
	data := faulty(t, 23, 100)
	writeFile(t, path, data)
	openAll(t, t.TempDir(), Options{IndexPath: out}, path).Close()
	writeFile(t, path, bytes.ReplaceAll(data, []byte("evt_"), []byte("EVT_")))
	x := openAll(t, t.TempDir(), Options{}, out)
	all := allEvents(t, x)
	if len(all) == 0 {
		t.Fatal("no events")
	}
	_, err := x.Raw(context.Background(), all[0])
	if err == nil || !strings.Contains(err.Error(), "has changed") {
		t.Errorf("raw bytes of a changed source: %v", err)
	}
	if _, err := x.Why(context.Background(), all[50]); err != nil {
		t.Errorf("why of a changed source: %v", err)
	}
}

const parentLog = `{"event_id":"p1","event_type":"UserInput","session_id":"main","sequence":1,"payload":{"content":"go"}}
{"event_id":"p2","event_type":"AgentAction","session_id":"main","sequence":2,"source_event_id":"p1","payload":{"action_type":"delegate","params":{"task":"docs"}}}
`

const childLog = `{"event_id":"c1","event_type":"UserInput","session_id":"child","sequence":1,"source_event_id":"p2","payload":{"content":"docs"}}
{"event_id":"c2","event_type":"AgentAction","session_id":"child","sequence":2,"source_event_id":"c1","payload":{"action_type":"bash","params":{"command":"ls"}}}
`

// A parent may come before or behind its sub-agent, or be imported later.
func TestLinksBetweenSessionsWhateverTheOrder(t *testing.T) {
	for _, order := range [][]string{{"a", parentLog, "b", childLog}, {"a", childLog, "b", parentLog}} {
		dir := t.TempDir()
		cache := t.TempDir()
		writeFile(t, filepath.Join(dir, order[0]+".jsonl"), []byte(order[1]))
		openAll(t, cache, Options{}, dir).Close()
		writeFile(t, filepath.Join(dir, order[2]+".jsonl"), []byte(order[3]))
		x := openAll(t, cache, Options{}, dir)
		s, _, err := x.Session(context.Background(), "child")
		if err != nil {
			t.Fatal(err)
		}
		if s.Parent != "main" {
			t.Errorf("the child's parent is %q", s.Parent)
		}
		a, err := model.ParseAddress("child@@c2")
		if err != nil {
			t.Fatal(err)
		}
		e, err := x.Resolve(context.Background(), "", a, AsEvent)
		if err != nil {
			t.Fatal(err)
		}
		why, err := x.Why(context.Background(), e)
		if err != nil {
			t.Fatal(err)
		}
		var chain []string
		for _, step := range why.Chain {
			chain = append(chain, *step.Event.ID)
		}
		if got := strings.Join(chain, " "); got != "c1 p2 p1" || !why.Complete {
			t.Errorf("chain is %q, complete %v", got, why.Complete)
		}
	}
}

func TestTwoImportsAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	writeFile(t, path, faulty(t, 24, 3000))
	want := content(t, openAll(t, t.TempDir(), Options{}, path), true)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	var open []*Index
	for range 3 {
		x, err := Open(context.Background(), []string{path}, Options{batch: 100})
		if err != nil {
			t.Fatal(err)
		}
		defer x.Close()
		open = append(open, x)
	}
	for _, x := range open {
		if err := x.Wait(context.Background()); err != nil {
			t.Fatal(err)
		}
		sameContent(t, "imported by several", want, content(t, x, true))
	}
}

// A folder that was imported before is shown from its index at once; what has
// changed in it is found and imported behind that.
func TestAKnownFolderIsCheckedBehindTheFirstScreen(t *testing.T) {
	dir, cache := t.TempDir(), t.TempDir()
	path := filepath.Join(dir, "a.jsonl")
	writeFile(t, path, []byte(parentLog))
	openAll(t, cache, Options{}, dir).Close()

	writeFile(t, filepath.Join(dir, "b.jsonl"), []byte(childLog))
	t.Setenv("XDG_CACHE_HOME", cache)
	x, err := Open(context.Background(), []string{dir}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := x.Status().Events; got < 2 {
		t.Errorf("%d events at once, want the 2 that are known", got)
	}
	if err := x.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := len(allEvents(t, x)); got != 4 {
		t.Errorf("%d events after the check, want 4", got)
	}
	x.Close()

	writeFile(t, path, []byte(strings.ReplaceAll(parentLog, "go", "no")))
	if got := openAll(t, cache, Options{}, dir); !strings.Contains(content(t, got, false), "user: no") {
		t.Error("a file that was replaced is not imported anew")
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(context.Background(), []string{dir}, Options{}); ExitCode(err) != 4 {
		t.Errorf("a folder that has gone: %v", err)
	}
}

// Dumps that are opened together are runs of their own, even if they give
// their sessions and events the same ids.
func TestSeveralDumpsStayApart(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.jsonl"), filepath.Join(dir, "b.jsonl")
	writeFile(t, a, []byte(parentLog))
	writeFile(t, b, []byte(strings.ReplaceAll(parentLog, "docs", "code")))
	x := openAll(t, t.TempDir(), Options{}, a, b)
	sessions, err := x.Sessions(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range sessions {
		got = append(got, fmt.Sprint(s.ID, " ", s.Events, " ", s.Copies))
	}
	if want := "main 2 0, b.jsonl/main 2 0"; strings.Join(got, ", ") != want {
		t.Errorf("sessions %q, want %q", got, want)
	}
}

// Conversations whose folders have the same name are not one.
func TestSessionsNamedAfterTheSameFolderStayApart(t *testing.T) {
	dir := t.TempDir()
	src := filepath.Join(unpackFixtures(t), "openhands", "v1-clean")
	for _, run := range []string{"one", "two"} {
		events, err := filepath.Glob(filepath.Join(src, "*", "events", "*.json"))
		if more, _ := filepath.Glob(filepath.Join(src, "events", "*.json")); err != nil || len(events)+len(more) == 0 {
			t.Fatalf("no events in %s", src)
		} else {
			events = append(events, more...)
		}
		to := filepath.Join(dir, run, "conversation", "events")
		if err := os.MkdirAll(to, 0o700); err != nil {
			t.Fatal(err)
		}
		for _, p := range events {
			data, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			writeFile(t, filepath.Join(to, filepath.Base(p)), data)
		}
	}
	x := openAll(t, t.TempDir(), Options{}, dir)
	sessions, err := x.Sessions(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(sessions) != 2 || sessions[0].ID != "conversation" || sessions[1].ID != "two/conversation" || sessions[0].Events != sessions[1].Events {
		t.Errorf("sessions %+v", sessions)
	}
}

// TestPackedDataCutAtItsStart: of a packed file out of which nothing comes it is
// said why, not that it is empty.
func TestPackedDataCutAtItsStart(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	data := faulty(t, 10, 40)
	packed := packings(t, data)["run.jsonl.gz"]
	whole, cut := filepath.Join(dir, "whole.jsonl"), filepath.Join(dir, "cut.jsonl.gz")
	writeFile(t, whole, data)
	writeFile(t, cut, packed[:12])
	const want = "cut.jsonl holds packed data that is cut short"
	ctx := context.Background()
	x, err := Open(ctx, []string{cut}, Options{})
	if err == nil {
		defer x.Close()
		err = x.Wait(ctx)
	}
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("alone: %v, want %s", err, want)
	}
	acc, err := openAll(t, t.TempDir(), Options{}, dir).accounting(ctx)
	if err != nil || len(acc.Skipped) != 1 || !strings.Contains(acc.Skipped[0].Source+" "+acc.Skipped[0].Reason, want) {
		t.Errorf("beside another: %+v, %v", acc.Skipped, err)
	}
}
