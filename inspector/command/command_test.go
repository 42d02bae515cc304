package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"hindcast/index"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/query"
	"hindcast/render"
)

func TestRegistryIsSortedAndWhole(t *testing.T) {
	all := All()
	for i, c := range all {
		if i > 0 && all[i-1].Name >= c.Name {
			t.Errorf("%s stands behind %s", c.Name, all[i-1].Name)
		}
		if c.Short == "" || strings.HasSuffix(c.Short, ".") || c.Short[:1] != strings.ToLower(c.Short[:1]) {
			t.Errorf("%s: short help %q", c.Name, c.Short)
		}
		if c.Input != InputNone && len(c.Examples) == 0 {
			t.Errorf("%s has no example", c.Name)
		}
		for _, e := range c.Examples {
			if !strings.Contains(e.Line, "hindcast") || e.Text == "" {
				t.Errorf("%s: example %q", c.Name, e.Line)
			}
		}
		seen := map[string]bool{"json": true, "session": true, "dialect": true, "no-color": true, "dump": true, "d": true, "h": true}
		for _, f := range c.Flags {
			if seen[f.Name] || f.Short != "" && seen[f.Short] || f.Help == "" || (f.Kind == FlagBool) != (f.Value == "") {
				t.Errorf("%s: flag %+v", c.Name, f)
			}
			seen[f.Name] = true
			seen[f.Short] = true
		}
		if got, ok := Find(c.Name); !ok || got.Name != c.Name {
			t.Errorf("%s is not found", c.Name)
		}
	}
	if _, ok := Find("nope"); ok {
		t.Error("a verb that does not exist is found")
	}
}

func TestSplitLine(t *testing.T) {
	tests := []struct {
		in   string
		want []string
	}{
		{"", nil},
		{"  \t", nil},
		{"why 83 --effects", []string{"why", "83", "--effects"}},
		{`query 'kind:error "x y"'`, []string{"query", `kind:error "x y"`}},
		{`query "a \"b\" \n"`, []string{"query", `a "b" \n`}},
		{`a\ b ''`, []string{"a b", ""}},
		{`'a'"b"c`, []string{"abc"}},
		{`'\'`, []string{`\`}},
		{"$HOME `x` ; rm", []string{"$HOME", "`x`", ";", "rm"}},
	}
	for _, tt := range tests {
		got, err := SplitLine(tt.in)
		if err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("SplitLine(%q) = %q, %v; want %q", tt.in, got, err, tt.want)
		}
	}
	for _, in := range []string{"'a", `"a`, `a\`} {
		if got, err := SplitLine(in); err == nil {
			t.Errorf("SplitLine(%q) = %q, want an error", in, got)
		}
	}
}

func TestParseArgs(t *testing.T) {
	tests := []struct {
		verb, line string
		list       []string
		flags      map[string]string
		fails      string
	}{
		{"why", "83 --effects --limit 5", []string{"83"}, map[string]string{"effects": "true", "limit": "5"}, ""},
		{"why", "--limit=5 error", []string{"error"}, map[string]string{"limit": "5"}, ""},
		{"why", "-1", []string{"-1"}, map[string]string{}, ""},
		{"tail", "-n 3 -f", nil, map[string]string{"lines": "3", "follow": "true"}, ""},
		{"query", "-- -kind:error", []string{"-kind:error"}, map[string]string{}, ""},
		{"why", "", nil, nil, "no event named"},
		{"why", "a b", nil, nil, "unexpected"},
		{"why", "a --nope", nil, nil, "unknown flag"},
		{"why", "a --limit", nil, nil, "needs a value"},
		{"why", "a --limit x", nil, nil, "not a number"},
		{"why", "a --effects=maybe", nil, nil, "neither"},
		{"why", "a -effects", nil, nil, "unknown flag"},
		{"show", "a --at b", nil, nil, "--at"},
		{"show", "''", nil, nil, "empty"},
		{"query", "kind:eror", nil, nil, "column 6"},
		{"query", "--since soon", nil, nil, "--since"},
		{"dump", "--format xml", nil, nil, "json jsonl"},
		{"dump", "--file x", nil, nil, "--raw"},
	}
	for _, tt := range tests {
		c, _ := Find(tt.verb)
		words, err := SplitLine(tt.line)
		if err != nil {
			t.Fatal(err)
		}
		a, err := c.ParseArgs(words)
		if tt.fails != "" {
			var u *UsageError
			hint := ""
			if errors.As(err, &u) {
				hint = u.Hint
			}
			if err == nil || !strings.Contains(err.Error()+hint, tt.fails) {
				t.Errorf("%s %s: %v, want %q", tt.verb, tt.line, err, tt.fails)
			}
			continue
		}
		if err != nil || !reflect.DeepEqual(a.List, tt.list) || !reflect.DeepEqual(a.flags, tt.flags) {
			t.Errorf("%s %s: %q %v, %v", tt.verb, tt.line, a.List, a.flags, err)
		}
	}
}

// run executes a verb on a fake index and returns what it writes.
func run(t *testing.T, f index.API, o Output, line string) (string, string) {
	t.Helper()
	words, err := SplitLine(line)
	if err != nil {
		t.Fatal(err)
	}
	c, ok := Find(words[0])
	if !ok {
		t.Fatalf("no verb %s", words[0])
	}
	a, err := c.ParseArgs(words[1:])
	if err != nil {
		t.Fatal(err)
	}
	var out, notes bytes.Buffer
	env := &Env{Index: f, Note: func(s string) { notes.WriteString(s + "\n") }}
	got, err := c.Run(context.Background(), env, a)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	o.W = &out
	if err := got.Write(context.Background(), &o); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return out.String(), notes.String()
}

// TestStreamedJSON: the document that query streams is the one that an encoder
// would write at once.
func TestStreamedJSON(t *testing.T) {
	for _, n := range []int{0, 1, 3} {
		f := newFake(n)
		want := answer.Events{Events: []answer.Event{}}
		for _, e := range f.events {
			want.Events = append(want.Events, answer.NewEvent(e))
		}
		var buf bytes.Buffer
		if err := answer.Encode(&buf, want); err != nil {
			t.Fatal(err)
		}
		if got, _ := run(t, f, Output{Format: JSON}, "query"); got != buf.String() {
			t.Errorf("%d events: %s\nwant %s", n, got, buf.String())
		}
	}
}

// TestTableOfManyBatches: rows keep their order and number over the batches,
// and the column of the seq is as wide as the last needs.
func TestTableOfManyBatches(t *testing.T) {
	f := newFake(2*batchRows + 7)
	got, _ := run(t, f, Output{}, "query")
	lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
	if len(lines) != len(f.events) {
		t.Fatalf("%d lines, want %d", len(lines), len(f.events))
	}
	at := strings.Index(lines[0], "title 1")
	for i, l := range lines {
		if !strings.HasSuffix(l, f.events[i].Title) || strings.Index(l, "title") != at {
			t.Fatalf("line %d: %q", i, l)
		}
	}
	if got, _ := run(t, f, Output{}, "query --limit 3"); strings.Count(got, "\n") != 3 {
		t.Errorf("--limit 3 gives %q", got)
	}
	if got, _ := run(t, f, Output{Format: JSONLines}, "query --from 5 --to 7"); strings.Count(got, "\n") != 3 {
		t.Errorf("--from 5 --to 7 gives %q", got)
	}
}

func TestDumpWritesARecordOnce(t *testing.T) {
	f := newFake(3)
	moment := f.events[1] // a part of the second record, as a derived event
	moment.Pos, moment.Origin = 4, model.OriginDerived
	moment.Span.Offset += 2
	moment.Span.Length = 3
	f.events = append(f.events[:2], append([]model.Event{moment}, f.events[2:]...)...)
	got, _ := run(t, f, Output{}, "dump")
	want := "{\"n\":   1 \n{\"n\":   2 \n{\"n\":   3 \n"
	if got != want {
		t.Errorf("dump gives %q, want %q", got, want)
	}
	array, _ := run(t, f, Output{}, "dump --format json")
	if array != "[\n{\"n\":   1 ,\n{\"n\":   2 ,\n{\"n\":   3 \n]\n" {
		t.Errorf("dump --format json gives %q", array)
	}
	empty, _ := run(t, newFake(0), Output{Format: JSON}, "dump")
	if empty != "[]\n" {
		t.Errorf("an empty array is %q", empty)
	}
}

func TestOnLine(t *testing.T) {
	tests := []struct{ in, want string }{
		{`{"a": 1}`, `{"a": 1}`},
		{"{\n  \"a\": \"x y\\n\\\" {\",\r\n  \"b\": [1, 2]\n}", `{"a":"x y\n\" {","b":[1,2]}`},
		{strings.Repeat("[\n", 100_000), strings.Repeat("[", 100_000)},
	}
	for _, tt := range tests {
		if got := string(onLine([]byte(tt.in))); got != tt.want {
			t.Errorf("onLine(%.40q) = %.40q", tt.in, got)
		}
	}
}

func TestEscape(t *testing.T) {
	in := "{\"a\":\"\x7f\u009b\u202e\U000e0041 é \xff\"}\n"
	want := `{"a":"\u007f\u009b\u202e\udb40\udc41 é \ufffd"}` + "\n"
	if got := string(escape([]byte(in))); got != want {
		t.Errorf("escape = %q, want %q", got, want)
	}
}

func TestDumpSteersNothing(t *testing.T) {
	const record = "{\"a\":\"\u009b\u202e\u200b\u2028\ufeff\"}"
	const safe = `{"a":"\u009b\u202e\u200b\u2028\ufeff"}`
	for _, tt := range []struct {
		d    dumper
		want string
	}{
		{dumper{}, safe + "\n"},
		{dumper{array: true}, "\n" + safe},
		{dumper{raw: true}, record + "\n"},
	} {
		var out strings.Builder
		tt.d.w = &out
		if err := tt.d.add([]byte(record)); err != nil || out.String() != tt.want {
			t.Errorf("%q, %v; want %q", out.String(), err, tt.want)
		}
	}
}

func FuzzEscape(f *testing.F) {
	f.Add([]byte(`{"a":"x"}`))
	f.Add([]byte("\"\x7f\u202e\xff\""))
	f.Fuzz(func(t *testing.T, raw []byte) {
		got := escape(raw)
		for _, r := range string(got) {
			if r != '\n' && r != '\t' && r != '\r' && model.Deceptive(r) {
				t.Fatalf("escape(%q) leaves %q", raw, r)
			}
		}
		var before, after any
		if json.Unmarshal(raw, &before) == nil {
			if err := json.Unmarshal(got, &after); err != nil || !reflect.DeepEqual(before, after) {
				t.Fatalf("escape(%q) = %q changes the value", raw, got)
			}
		}
		onLine(raw)
		payload(raw)
	})
}

func TestPayload(t *testing.T) {
	deep := strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000)
	for _, raw := range []string{`{"a":1e400}`, ` 7 `, deep, "not JSON", "\xff"} {
		p := payload([]byte(raw))
		if !json.Valid(p) {
			t.Errorf("payload(%.20q) = %.20q is no JSON", raw, p)
		}
	}
}

func TestBetween(t *testing.T) {
	f := newFake(9)
	f.sessions = append(f.sessions, model.Session{ID: "t1"})
	f.events = append(f.events, model.Event{Session: "t1", Pos: 1, Seq: 1})
	env := &Env{Index: f}
	for _, tt := range []struct{ from, to, fails string }{
		{"7", "3", "exchange"},
		{"s1@@3", "t1@@1", "one session"},
		{"99", "3", "no event"},
		{"x", "3", "no event"},
	} {
		a := NewArgs(nil, map[string]string{"from": tt.from, "to": tt.to})
		_, _, err := env.between(context.Background(), a, "")
		var u *UsageError
		text := ""
		if err != nil {
			text = err.Error()
		}
		if errors.As(err, &u) {
			text += u.Hint
		}
		if !strings.Contains(text, tt.fails) {
			t.Errorf("--from %s --to %s: %v", tt.from, tt.to, err)
		}
	}
	session, span, err := env.between(context.Background(), NewArgs(nil, map[string]string{"to": "3"}), "")
	if err != nil || session != "s1" || query.Print(span) != "pos:..3" {
		t.Errorf("--to 3: %q %v %v", session, span, err)
	}
}

func TestUsageWithChildren(t *testing.T) {
	use := func(n int64) model.Usage { return model.Usage{Input: n, Told: model.ToldInput} }
	list := []model.Session{
		{ID: "root", Usage: use(1)}, {ID: "a", Parent: "root", Usage: use(10)}, {ID: "b", Parent: "a", Usage: use(100)},
		{ID: "x", Parent: "y", Usage: use(1000)}, {ID: "y", Parent: "x", Usage: use(2000)}, {ID: "lost", Parent: "gone", Usage: use(5)},
	}
	var got []int64
	for _, u := range usageWithChildren(list) {
		got = append(got, u.Input)
	}
	if want := []int64{111, 110, 100, 3000, 3000, 5}; !reflect.DeepEqual(got, want) {
		t.Errorf("usage with children %v, want %v", got, want)
	}
}

func TestExecute(t *testing.T) {
	f := newFake(20)
	env := &Env{Index: f}
	ctx := context.Background()
	lines, err := Execute(ctx, env, "query 'seq:3..5'", 80)
	if err != nil || len(lines) != 3 || !strings.Contains(render.Plain(lines[0]), "title 3") {
		t.Errorf("query: %v %v", lines, err)
	}
	lines, err = Execute(ctx, env, "query --jsonl seq:3", 80)
	if err != nil || len(lines) != 1 || !strings.HasPrefix(render.Plain(lines[0]), `{"session"`) {
		t.Errorf("query --jsonl: %v %v", lines, err)
	}
	if lines, err = Execute(ctx, env, "   ", 80); lines != nil || err != nil {
		t.Errorf("an empty line: %v %v", lines, err)
	}
	for line, says := range map[string]string{
		"nope": "no verb", "open": "command line only", "import x": "command line only", "tail -f": "command line only",
		"show 1 --raw": "command line only", "query 'a": "not finished", "query kind:x": "column", "show 99": "no event",
	} {
		if _, err := Execute(ctx, env, line, 80); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", line, err, says)
		}
	}
	big := newFake(MaxPromptLines + 500)
	lines, err = Execute(ctx, &Env{Index: big}, "query", 80)
	if err != nil || len(lines) != MaxPromptLines+1 {
		t.Errorf("%d lines of a big answer, %v", len(lines), err)
	}
}

// TestTailerReadsOn: what is added is printed once; a dump that was cut, or
// replaced by another of the same length, is read from its start.
func TestTailerReadsOn(t *testing.T) {
	f := newFake(5)
	f.sessions[0].LastPos = 5
	var out, notes bytes.Buffer
	tail := &tailer{api: f, session: "s1", w: &eventWriter{o: &Output{W: &out, Format: JSONLines}}, note: func(s string, _ ...any) { notes.WriteString(s) }}
	printed := func(want ...string) {
		t.Helper()
		var got []string
		for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
			var e answer.Event
			if line != "" && json.Unmarshal([]byte(line), &e) == nil {
				got = append(got, *e.ID)
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("printed %v, want %v", got, want)
		}
		out.Reset()
	}
	ctx := context.Background()
	step := func(events []model.Event) {
		t.Helper()
		f.events = events
		f.sessions = nil
		if n := len(events); n > 0 {
			f.sessions = []model.Session{{ID: "s1", LastPos: events[n-1].Pos}}
		}
		if err := tail.more(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if err := tail.last(ctx, 2); err != nil {
		t.Fatal(err)
	}
	printed("e4", "e5")
	step(newFake(5).events)
	printed()
	step(newFake(7).events)
	printed("e6", "e7")
	if notes.Len() > 0 {
		t.Errorf("noted %q", notes.String())
	}
	step(newFake(2).events)
	printed("e1", "e2")
	other := newFake(2).events
	other[1].ID = "other"
	step(other)
	printed("e1", "other")
	if n := strings.Count(notes.String(), "cut or replaced"); n != 2 {
		t.Errorf("noted %d times", n)
	}
	step(nil)
	printed()
	step(newFake(1).events)
	printed("e1")
}

func TestEffectsSayThatTheyAreCut(t *testing.T) {
	out, notes := run(t, newFake(3), Output{Format: JSON}, "why 2 --effects --limit 4")
	if !strings.Contains(out, `"effects"`) || !strings.Contains(notes, "first 4 effects") {
		t.Errorf("%s %s", out, notes)
	}
}

func TestExactBytesAreRefusedOnATerminal(t *testing.T) {
	env := &Env{Terminal: true}
	if env.exact(NewArgs(nil, nil)) == nil {
		t.Error("exact bytes go to a terminal")
	}
	if err := env.exact(NewArgs(nil, map[string]string{"force": "true"})); err != nil {
		t.Errorf("with --force: %v", err)
	}
}

func BenchmarkQueryJSON(b *testing.B) {
	f := newFake(1000)
	c, _ := Find("query")
	b.ReportAllocs()
	for b.Loop() {
		got, err := c.Run(context.Background(), &Env{Index: f}, Args{})
		if err != nil {
			b.Fatal(err)
		}
		var n counter
		if err := got.Write(context.Background(), &Output{W: &n, Format: JSONLines}); err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(n))
	}
}

type counter int

func (c *counter) Write(p []byte) (int, error) { *c += counter(len(p)); return len(p), nil }
