package render

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hindcast/render/theme"
)

func drawn(d *Doc, width int) string { return plain(d.Lines(0, d.Len(width), width)) }

func TestPayload(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("word ", 30))
	tests := []struct{ what, raw, want string }{
		{"scalars", `{"a":1,"b":"x","c":null,"d":true}`, "a 1  b \"x\"  c null  d true\n"},
		{"number as written", `{"n":1e400,"m":9007199254740993}`, "n 1e400  m 9007199254740993\n"},
		{"nested", `{"a":{"b":{"c":7}},"z":1}`, "a\n  b\n    c 7\nz 1\n"},
		{"array of objects", `[{"a":1,"b":2},{"a":3}]`, "- a 1\n  b 2\n- a 3\n"},
		{"array in array", `[[1,{"a":2}],[]]`, "- - 1\n  - a 2\n- []\n"},
		{"long string", `{"t":"` + long + `"}`, "t\n  │ " + strings.TrimSpace(strings.Repeat("word ", 15)) + "\n  │ " + strings.TrimSpace(strings.Repeat("word ", 15)) + "\n"},
		{"lines", `{"t":"a\nb\r\n\tc\u001b[31m"}`, "t  3 lines, 12 B\n  │ a\n  │ b\n  │     c␛[31m\n"},
		{"odd keys", `{"":1,"a b":2,"\u001b":3}`, "\"\" 1  \"a b\" 2  ␛ 3\n"},
		{"duplicate keys", `{"a":1,"a":2}`, "a 1  a 2\n"},
		{"lone surrogate", `{"a":"\ud800"}`, "a \"\\ud800\"\n"},
		{"scalar", `"x"`, "\"x\"\n"},
		{"number", ` 42 `, "42\n"},
		{"not json", "oops {", "oops {\n"},
		{"two values", `{"a":1} {"b":2}`, "{\"a\":1} {\"b\":2}\n"},
		{"empty", "", ""},
		{"empty containers", `{"a":[],"b":{}}`, "a []  b {}\n"},
		{"space everywhere", " { \"a\" : [ 1 , { \"b\" : \"c\" } ] } ", "a\n  - 1\n  - b \"c\"\n"},
		{"quotes in strings", `{"a":"say \"hi\" \\"}`, "a \"say \"hi\" \\\"\n"},
	}
	for _, tt := range tests {
		if got := drawn(Payload([]byte(tt.raw)), 80); got != tt.want {
			t.Errorf("%s:\n%s\nwant:\n%s", tt.what, got, tt.want)
		}
	}
}

func TestPayloadTakesStringsApart(t *testing.T) {
	inner := `{"cmd":"` + strings.Repeat("x", 100) + `","n":[{"k":1}]}`
	quoted, _ := json.Marshal(inner)
	got := drawn(Payload([]byte(`{"args":`+string(quoted)+`}`)), 0)
	want := "args  JSON in a string\n  cmd\n    │ " + strings.Repeat("x", 100) + "\n  n\n    - k 1\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestPayloadStopsTakingStringsApart(t *testing.T) {
	s := `{"end":"` + strings.Repeat("x", 100) + `"}`
	for range nestLimit + 2 {
		q, _ := json.Marshal(s)
		s = `{"in":` + string(q) + `}`
	}
	if n := strings.Count(drawn(Payload([]byte(s)), 0), "JSON in a string"); n != nestLimit {
		t.Errorf("%d strings taken apart, want %d", n, nestLimit)
	}
}

// TestDeepJSON draws values nested so deep that indenting them would need
// hundreds of megabytes, and recursion the whole stack.
func TestDeepJSON(t *testing.T) {
	const depth = 9_999
	for what, raw := range map[string]string{
		"arrays":  strings.Repeat("[", depth) + "1" + strings.Repeat("]", depth),
		"objects": strings.Repeat(`{"a":`, depth) + "1" + strings.Repeat("}", depth),
		"mixed":   strings.Repeat(`[{"a":`, depth) + "1" + strings.Repeat("}]", depth),
	} {
		start := time.Now()
		d := Payload([]byte(raw))
		size := 0
		for _, l := range d.Lines(0, d.Len(80), 80) {
			size += len(Plain(l))
		}
		if size == 0 || size > 4<<20 {
			t.Errorf("%s: %d bytes drawn", what, size)
		}
		if d := time.Since(start); d > 10*time.Second {
			t.Errorf("%s: took %v", what, d)
		}
	}
}

func TestManyItemsAreCutAloud(t *testing.T) {
	d := Payload([]byte("[" + strings.Repeat(`{"a":1},`, 2*itemLimit) + `{"a":2}]`))
	n := d.Len(80)
	if n > itemLimit+2 {
		t.Errorf("%d rows, limit %d", n, itemLimit)
	}
	if last := plain(d.Lines(n-2, 2, 80)); !strings.Contains(last, "20,000") || !strings.Contains(last, "raw form") {
		t.Errorf("the cut is not said: %q", last)
	}
}

func TestHugeStringShowsBothEnds(t *testing.T) {
	raw := `{"out":"BEGIN` + strings.Repeat(`\ud83d\ude00\n`, 1_000_000) + `END"}`
	start := time.Now()
	d := Payload([]byte(raw))
	if got := plain(d.Lines(0, 3, 80)); !strings.Contains(got, "BEGIN😀") {
		t.Errorf("the start is %q", got)
	}
	first := time.Since(start)
	n := d.Len(80)
	tail := plain(d.Lines(n-2, 2, 80))
	if !strings.Contains(tail, "END") {
		t.Errorf("the end is %q", tail)
	}
	all := drawn(d, 80)
	if strings.Contains(all, "\ufffd") || strings.Contains(all, `\u`) {
		t.Error("an escape was cut in two")
	}
	if !strings.Contains(all, "not laid out") {
		t.Error("the gap is not said")
	}
	t.Logf("first screen of %d MB after %v", len(raw)>>20, first)
}

// TestLinesInPieces checks that a viewport sees the same rows from anywhere.
func TestLinesInPieces(t *testing.T) {
	for _, d := range []func() *Doc{
		func() *Doc { return Payload([]byte(record)) },
		func() *Doc { return Payload([]byte(record)).Colour() },
		func() *Doc { return Raw([]byte(record)) },
	} {
		for _, width := range []int{0, 3, 17, 80} {
			whole := d()
			all := whole.Lines(0, whole.Len(width), width)
			for from := range all {
				fresh := d()
				got := fresh.Lines(from, 3, width)
				if plain(got) != plain(all[from:min(from+3, len(all))]) {
					t.Fatalf("width %d from %d: %q, want %q", width, from, plain(got), plain(all[from:min(from+3, len(all))]))
				}
			}
			if got := whole.Lines(len(all), 5, width); len(got) != 0 {
				t.Errorf("%d rows past the end", len(got))
			}
		}
	}
	d := Payload([]byte(record))
	d.Len(80)
	if d.Len(20) <= d.Len(120) {
		t.Error("a new width changes nothing")
	}
}

func TestDocIsLazy(t *testing.T) {
	d := Raw([]byte(strings.Repeat("0123456789", 1<<20)))
	d.Lines(0, 40, 80)
	if n, all := d.Rows(80, 40); all || n > 200 {
		t.Errorf("%d rows known after the first screen, all %v", n, all)
	}
	if got := drawn(Raw([]byte("a\x00b\r\nc")), 80); got != "a␀b\nc\n" {
		t.Errorf("raw draws %q", got)
	}
}

func TestColour(t *testing.T) {
	raw := `{"content":"package main\n\nfunc f() {}\n","path":"a/b.go","command":"echo 'a long enough command to be a block' && echo 'another one of them' # done with all of it, at last"}`
	d := Payload([]byte(raw))
	c := d.colour(time.Minute)
	if drawn(d, 60) != drawn(c, 60) {
		t.Errorf("colours change the text:\n%s\n%s", drawn(d, 60), drawn(c, 60))
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		d.Colour()
	}()
	for width := 20; width < 100; width += 10 {
		drawn(d, width)
	}
	<-done
	var roles []theme.Role
	for _, l := range c.Lines(0, c.Len(60), 60) {
		for _, s := range l {
			roles = append(roles, s.Role)
		}
	}
	for _, want := range []theme.Role{theme.CodeKeyword, theme.CodeComment} {
		if !slices.Contains(roles, want) {
			t.Errorf("nothing is drawn as role %d", want)
		}
	}
}

// TestRealRecords draws every record of the sample dumps.
func TestRealRecords(t *testing.T) {
	root := sharedData(t)
	n := 0
	err := filepath.WalkDir(filepath.Join(root, "openhands"), func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(path) != ".json" && filepath.Ext(path) != ".jsonl" {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		raws := [][]byte{b}
		if filepath.Ext(path) == ".jsonl" {
			raws = nil
			for line := range strings.Lines(string(b)) {
				raws = append(raws, []byte(line))
			}
		}
		for _, raw := range raws {
			d := Payload(raw)
			checkLines(t, path, d.Lines(0, min(d.Len(80), 2000), 80), 80)
			n++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d records", n)
}

// sharedData finds the sample dumps beside the project, or skips.
func sharedData(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for dir != filepath.Dir(dir) {
		dir = filepath.Dir(dir)
		if p := filepath.Join(dir, "shared", "data"); exists(p) {
			return p
		}
	}
	t.Skip("no shared/data folder stands beside the project")
	return ""
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func TestWrapAndCut(t *testing.T) {
	l := Line{{"one two ", theme.Plain}, {"three four", theme.Fail}, {" five", theme.Dim}}
	var got []string
	for _, row := range Wrap(l, 9, 2) {
		got = append(got, Plain(row))
	}
	if want := []string{"one two", "  three", "  four", "  five"}; !slices.Equal(got, want) {
		t.Errorf("Wrap gives %q, want %q", got, want)
	}
	if row := Wrap(l, 9, 2)[1]; row[len(row)-1].Role != theme.Fail {
		t.Error("Wrap loses the role")
	}
	for cells, want := range map[int]string{0: "one two three four five", 23: "one two three four five", 22: "one two three four fi…", 9: "one two …", 8: "one two…", 1: "…"} {
		if got := Plain(Cut(l, cells)); got != want {
			t.Errorf("Cut(%d) = %q, want %q", cells, got, want)
		}
	}
	if got := Plain(Pad(Line{{"漢", theme.Plain}}, 4)); got != "漢  " {
		t.Errorf("Pad gives %q", got)
	}
}

func TestWriteLines(t *testing.T) {
	var b strings.Builder
	lines := []Line{{{"a", theme.Plain}, {"b", theme.Fail}, {"c", theme.Fail}, {"   ", theme.Plain}}, nil}
	if err := WriteLines(&b, lines, nil); err != nil || b.String() != "abc\n\n" {
		t.Errorf("plain: %q, %v", b.String(), err)
	}
	b.Reset()
	on, off := theme.Basic.SGR(theme.Fail)
	if err := WriteLines(&b, lines, theme.Basic); err != nil || b.String() != "a"+on+"bc"+off+"\n\n" {
		t.Errorf("styled: %q, %v", b.String(), err)
	}
	if err := WriteLines(failing{}, lines, nil); err == nil {
		t.Error("a failed write is not told")
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, fmt.Errorf("disk full") }

func BenchmarkEventRow(b *testing.B) {
	rows := story()
	o := RowOptions{Width: 120, SeqWidth: 7, Start: at(0)}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		r := rows[i%len(rows)]
		EventRow(r.event, r.result, o)
	}
}

func BenchmarkPayload(b *testing.B) {
	raw := []byte(`{"items":[` + strings.TrimSuffix(strings.Repeat(record+",", 100), ",") + `]}`)
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		Payload(raw).Lines(0, 40, 80)
	}
}
