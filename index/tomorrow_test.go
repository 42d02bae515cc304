package index

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hindcast/fixtures"
	"hindcast/model"
)

// A tomorrow is a dump as a program of tomorrow, or one that was killed, would
// have left it: it opens, and every byte is accounted for.
type tomorrow struct {
	name string
	// change gives a file's other content.
	change func(data []byte, lines bool) []byte
	one    bool // changes the largest file only
	held   bool // leaves as many events as before, by the same titles
}

var tomorrows = []tomorrow{
	{"a new field in each record, written with other blanks", func(data []byte, lines bool) []byte {
		return respaced(newFields(data, lines))
	}, false, true},
	{"a torn tail", func(data []byte, _ bool) []byte { return data[:max(1, len(data)-23)] }, true, false},
	{"types of tomorrow, lost fields, neighbours exchanged", func(data []byte, lines bool) []byte {
		return exchanged(lostFields(newTypes(data, lines), lines), lines)
	}, false, false},
}

var opening = regexp.MustCompile(`^[\s\[]*\{\s*"`)

// newFields puts an unknown member at the head of each line, or of the document.
func newFields(data []byte, lines bool) []byte {
	more := func(b []byte) []byte {
		at := opening.FindIndex(b)
		if at == nil {
			return b
		}
		return slices.Concat(b[:at[1]-1], []byte(`"xNew":{"of":[1,null,"tomorrow"]},`), b[at[1]-1:])
	}
	if !lines {
		return more(data)
	}
	return eachLine(data, func(_ int, line []byte) []byte { return more(line) })
}

// respaced writes JSON with a blank behind each colon and comma, as many
// programs do.
func respaced(data []byte) []byte {
	out := make([]byte, 0, len(data)+len(data)/8)
	inside := false
	for i := 0; i < len(data); i++ {
		c := data[i]
		out = append(out, c)
		switch {
		case inside && c == '\\' && i+1 < len(data):
			i++
			out = append(out, data[i])
		case c == '"':
			inside = !inside
		case c == '\n':
			inside = false
		case !inside && (c == ':' || c == ','):
			out = append(out, ' ')
		}
	}
	return out
}

var typeMember = regexp.MustCompile(`"(type|kind|event_type|role|subtype|say)"(\s*:\s*)"`)

// newTypes gives every fifth record a type that nobody knows.
func newTypes(data []byte, lines bool) []byte {
	rename := func(b []byte) []byte { return typeMember.ReplaceAll(b, []byte(`"$1"$2"tomorrow's `)) }
	if lines {
		return eachLine(data, func(i int, line []byte) []byte {
			if i%5 == 4 {
				return rename(line)
			}
			return line
		})
	}
	n := 0
	return typeMember.ReplaceAllFunc(data, func(b []byte) []byte {
		if n++; n%5 == 0 {
			return rename(b)
		}
		return b
	})
}

var someMember = regexp.MustCompile(`"(id|uuid|timestamp|callID|call_id|tool_use_id|content|message|payload|parentUuid|state|tool)"(\s*):`)

// lostFields takes a member that a decoder builds on from every fourth record.
func lostFields(data []byte, lines bool) []byte {
	lose := func(b []byte) []byte { return someMember.ReplaceAll(b, []byte(`"gone"$2:`)) }
	if lines {
		return eachLine(data, func(i int, line []byte) []byte {
			if i%4 == 3 {
				return lose(line)
			}
			return line
		})
	}
	n := 0
	return someMember.ReplaceAllFunc(data, func(b []byte) []byte {
		if n++; n%4 == 0 {
			return lose(b)
		}
		return b
	})
}

// exchanged lets each pair of lines change places, but for the first.
func exchanged(data []byte, lines bool) []byte {
	if !lines {
		return data
	}
	all := bytes.SplitAfter(data, []byte("\n"))
	for i := 2; i+2 < len(all); i += 2 {
		all[i], all[i+1] = all[i+1], all[i]
	}
	return bytes.Join(all, nil)
}

func eachLine(data []byte, f func(int, []byte) []byte) []byte {
	var out []byte
	for i, line := range bytes.SplitAfter(data, []byte("\n")) {
		out = append(out, f(i, line)...)
	}
	return out
}

// mutable is a dump as files of text by name.
type mutable map[string][]byte

// readMutable reads a file or folder of text, at most 1 MB of it; nil where
// there is more, or none.
func readMutable(t *testing.T, fsys fs.FS, root string) mutable {
	t.Helper()
	files, size := mutable{}, 0
	err := fs.WalkDir(fsys, root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		switch base := filepath.Base(name); {
		case base == "truth.json", base == "expected.json", base == "llm-requests.jsonl", strings.HasSuffix(base, ".md"):
			return nil
		}
		data, err := fs.ReadFile(fsys, name)
		rel := strings.TrimPrefix(strings.TrimPrefix(name, root), "/")
		if rel == "" {
			rel = filepath.Base(name)
		}
		files[rel], size = data, size+len(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if size > 1<<20 {
		return nil
	}
	return files
}

// put writes a dump, changed by a mutation, into a folder.
func (m mutable) put(t *testing.T, dir string, one bool, change func([]byte, bool) []byte) {
	t.Helper()
	largest := ""
	for name, data := range m {
		if n := len(m[largest]); len(data) > n || len(data) == n && name < largest {
			largest = name
		}
	}
	for name, data := range m {
		ext := filepath.Ext(name)
		if lines := ext != ".json"; (!one || name == largest) && (!lines || ext == ".jsonl" || ext == ".ndjson") {
			data = change(data, lines)
		}
		to := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			t.Fatal(err)
		}
		writeFile(t, to, data)
	}
}

// imported opens what was put, and holds its accounting.
func (m mutable) imported(t *testing.T, one bool, change func([]byte, bool) []byte) []model.Event {
	t.Helper()
	dir := t.TempDir()
	m.put(t, filepath.Join(dir, "dump"), one, change)
	x := openAll(t, "", Options{IndexPath: filepath.Join(dir, "index.db")}, filepath.Join(dir, "dump"))
	defer x.Close()
	checkAccounting(t, x)
	events := allEvents(t, x)
	for _, e := range events {
		if _, err := x.Raw(context.Background(), e); err != nil {
			t.Fatalf("the record of %s %d: %v", e.Session, e.Pos, err)
		}
	}
	return events
}

func TestDumpsOfTomorrowOpen(t *testing.T) {
	cases, err := fixtures.Cases()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if c.Refused || strings.HasPrefix(c.Path, "cases/") || strings.HasPrefix(c.Path, "hostile/") || c.Quarantined > 0 {
			continue
		}
		t.Run(c.Path, func(t *testing.T) {
			t.Parallel()
			mutate(t, readMutable(t, fixtures.FS, c.Path))
		})
	}
}

func TestRealDumpsOfTomorrowOpen(t *testing.T) {
	if testing.Short() {
		t.Skip("many imports")
	}
	data := sharedData(t)
	truths, err := filepath.Glob(filepath.Join(data, "*", "*", "truth.json"))
	if err != nil || len(truths) < 30 {
		t.Fatalf("%d dumps found: %v", len(truths), err)
	}
	tried := 0
	for _, truth := range truths {
		dir := filepath.Dir(truth)
		if _, err := os.Stat(filepath.Join(dir, "input")); err == nil {
			dir = filepath.Join(dir, "input")
		}
		files := readMutable(t, os.DirFS(dir), ".")
		if files == nil {
			continue
		}
		tried++
		name, _ := filepath.Rel(data, dir)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mutate(t, files)
		})
	}
	if tried < 20 {
		t.Errorf("only %d dumps tried", tried)
	}
}

func mutate(t *testing.T, files mutable) {
	said := func(events []model.Event) []string {
		var all []string
		for _, e := range events {
			all = append(all, fmt.Sprint(e.Session, " ", e.Kind, " ", e.Type, " ", e.Title))
		}
		return all
	}
	plain := files.imported(t, false, func(b []byte, _ bool) []byte { return b })
	want, records := said(plain), map[model.Span]bool{}
	for _, e := range plain {
		records[e.Span] = true
	}
	for _, m := range tomorrows {
		t.Run(m.name, func(t *testing.T) {
			got := said(files.imported(t, m.one, m.change))
			if m.one && len(records) == 1 && len(got) == 0 {
				t.Skip("of the one record nothing is left that would not mislead")
			}
			if len(want) > 0 && len(got) == 0 {
				t.Error("no events")
			}
			if !m.held {
				return
			}
			for i := range max(len(got), len(want)) {
				// A title that shows the record itself shows its blanks, for which it is cut earlier, and the new member.
				g, w := strings.ReplaceAll(at(got, i), " ", ""), strings.ReplaceAll(at(want, i), " ", "")
				cut := strings.TrimSuffix(g, "…")
				if g != w && !strings.Contains(g, "xNew") && (cut == g || !strings.HasPrefix(w, cut)) {
					t.Fatalf("event %d of %d (were %d) is another:\n%q\nwas\n%q", i+1, len(got), len(want), g, w)
				}
			}
		})
	}
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return ""
}
