package query

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"hindcast/model"
)

func text(s string, fold bool) Term {
	return Term{Field: FieldText, Op: OpContains, Text: s, Fold: fold}
}
func is(f Field, s string, fold bool) Term {
	return Term{Field: f, Op: OpIs, Text: s, Fold: fold}
}
func between(f Field, lo, hi int64) Term { return Term{Field: f, Op: OpBetween, Lo: lo, Hi: hi} }

func nanos(t *testing.T, s string) int64 {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		t.Fatal(err)
	}
	return at.UnixNano()
}

func TestParse(t *testing.T) {
	a, b, c := text("a", true), text("b", true), text("c", true)
	day := nanos(t, "2026-03-01T00:00:00Z")
	const maxN, minN = math.MaxInt64, math.MinInt64
	tests := []struct {
		in   string
		want Expr
	}{
		{"", nil},
		{" \t\n", nil},
		{"a", a},
		{"a b", And{[]Expr{a, b}}},
		{"a and b", And{[]Expr{a, b}}},
		{"a or b c", Or{[]Expr{a, And{[]Expr{b, c}}}}},
		{"(a or b) c", And{[]Expr{Or{[]Expr{a, b}}, c}}},
		{"((a))", a},
		{"a (b c)", And{[]Expr{a, b, c}}},
		{"-a", Not{a}},
		{"not a", Not{a}},
		{"NOT a OR b", Or{[]Expr{Not{a}, b}}},
		{"-(a or b)", Not{Or{[]Expr{a, b}}}},
		{"--a", Not{Not{a}}},
		{`"or"`, text("or", true)},
		{`"-rf"`, text("-rf", true)},
		{"Timeout", text("Timeout", false)},
		{"über", text("über", true)},
		{"%_*NEAR(", nil}, // an error, see below
		{`text:"read timeout"`, text("read timeout", true)},
		{`"say \"hi\" \\ \*"`, text(`say "hi" \ *`, true)},
		{`C:\new`, nil}, // an error, see below
		{`\\srv\new`, text(`\\srv\new`, true)},
		{"app.go:12", text("app.go:12", true)},
		{"https://example.org/x", text("https://example.org/x", true)},
		{"a,b", text("a,b", true)},
		{"a*", text("a*", true)},
		{"tool:bash", is(FieldTool, "bash", true)},
		{"type:AgentAction", is(FieldType, "AgentAction", false)},
		{"type:Agent*", Term{Field: FieldType, Op: OpMatch, Text: "Agent*"}},
		{`type:"a b*"`, Term{Field: FieldType, Op: OpMatch, Text: "a b*", Fold: true}},
		{`tool:"\*"`, is(FieldTool, "*", true)},
		{"kind:error,action", Or{[]Expr{is(FieldKind, "error", false), is(FieldKind, "action", false)}}},
		{"title:disk", Term{Field: FieldTitle, Op: OpContains, Text: "disk", Fold: true}},
		{"title:disk*", Term{Field: FieldTitle, Op: OpMatch, Text: "disk*", Fold: true}},
		{"id:evt_1", is(FieldID, "evt_1", false)},
		{`tool:""`, is(FieldTool, "", true)},
		{"failed:true", is(FieldFailed, "true", false)},
		{"seq:80..95", between(FieldSeq, 80, 95)},
		{"seq:80..", between(FieldSeq, 80, maxN)},
		{"seq:..95", between(FieldSeq, minN, 95)},
		{"seq:..", between(FieldSeq, minN, maxN)},
		{"seq:>90", between(FieldSeq, 91, maxN)},
		{"seq:>=90", between(FieldSeq, 90, maxN)},
		{"seq:<90", between(FieldSeq, minN, 89)},
		{"seq:<=90", between(FieldSeq, minN, 90)},
		{"seq:=90", between(FieldSeq, 90, 90)},
		{"seq:-3..-1", between(FieldSeq, -3, -1)},
		{"pos:1,5..7", Or{[]Expr{between(FieldPos, 1, 1), between(FieldPos, 5, 7)}}},
		{"bytes:>10k", between(FieldBytes, 10001, maxN)},
		{"bytes:1.5MB..4ki", between(FieldBytes, 1500000, 4096)},
		{"time:2026-03-01", between(FieldTime, day, day+24*3600e9-1)},
		{"time:>2026-03-01", between(FieldTime, day+1, maxN)},
		{"time:>=2026-03-01T10:00:00Z", between(FieldTime, day+10*3600e9, maxN)},
		{"time:2026-03-01T10:00:00.250+02:00", between(FieldTime, day+8*3600e9+25e7, day+8*3600e9+251e6-1)},
		{"time:2026-03-01T10..2026-03-01T11:30", between(FieldTime, day+10*3600e9, day+11*3600e9+31*60e9-1)},
		{`time:"2026-03-01 10:00:00"`, between(FieldTime, day+10*3600e9, day+10*3600e9+1e9-1)},
		{"since:10m", Term{Field: FieldTime, Op: OpSince, Back: 600e9}},
		{"since:2026-03-01", between(FieldTime, day, maxN)},
		{"until:2026-03-01", between(FieldTime, minN, day+24*3600e9-1)},
		{"until:1h30m", Term{Field: FieldTime, Op: OpUntil, Back: 5400e9}},
	}
	for _, tt := range tests {
		got, err := Parse(tt.in)
		if tt.want == nil && strings.TrimSpace(tt.in) != "" {
			if err == nil {
				t.Errorf("Parse(%q) = %v, want an error", tt.in, got)
			}
			continue
		}
		if err != nil {
			t.Errorf("Parse(%q): %v", tt.in, err)
			continue
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("Parse(%q) = %#v, want %#v", tt.in, got, tt.want)
		}
		checkRoundTrip(t, got)
	}
}

func checkRoundTrip(t *testing.T, x Expr) {
	t.Helper()
	printed := Print(x)
	again, err := Parse(printed)
	if err != nil {
		t.Fatalf("Parse(Print) of %#v: %q: %v", x, printed, err)
	}
	if !reflect.DeepEqual(x, again) {
		t.Fatalf("Parse(Print) of %#v: %q gives %#v", x, printed, again)
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct {
		in     string
		column int
		says   string
	}{
		{"tool:", 6, "value is missing"},
		{"kind:error,", 12, "value is missing"},
		{"kind:eror", 6, "error"},
		{"kind:action,eror", 13, "one of"},
		{"Tool:bash", 1, "tool:"},
		{"über Nope:x", 6, "fields:"},
		{`C:\new`, 1, "quotes make it a text"},
		{"a or", 5, "term is missing"},
		{"or a", 1, "term is missing"},
		{"a and or b", 7, "term is missing"},
		{"(a", 1, "not closed"},
		{"a)", 2, "closes nothing"},
		{"()", 2, "term is missing"},
		{"-", 2, "nothing behind -"},
		{"a - b", 4, "nothing behind -"},
		{"not", 4, "term is missing"},
		{`"abc`, 1, "not closed"},
		{`a text:"b`, 8, "not closed"},
		{`"`, 1, "not closed"},
		{`a"b`, 2, "quote inside"},
		{`"a"b`, 4, "closing quote"},
		{"seq:x", 5, "integer"},
		{"seq:1..x", 8, "integer"},
		{"seq:><1", 5, "comparison"},
		{"seq:99999999999999999999", 5, "integer"},
		{"time:yesterday", 6, "2026-03-01"},
		{"time:9999-01-01", 6, "1678"},
		{"bytes:ten", 7, "bytes such as"},
		{"since:soon", 7, "10m"},
		{`tool:"a*\*"`, 6, "wildcard"},
		{"failed:maybe", 8, "true false null"},
		{strings.Repeat("-", 200) + "a", 102, "deep"},
		{strings.Repeat("(", 100000) + "a", 102, "deep"},
		{strings.Repeat("a ", MaxTerms+1), 2*MaxTerms + 1, "too many"},
	}
	for _, tt := range tests {
		_, err := Parse(tt.in)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("Parse(%.40q) = %v, want a SyntaxError", tt.in, err)
			continue
		}
		if syntax.Column != tt.column || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("Parse(%.40q): column %d, %v; want column %d and %q", tt.in, syntax.Column, err, tt.column, tt.says)
		}
	}
}

func TestParseField(t *testing.T) {
	tests := []struct {
		field, in string
		want      Expr
	}{
		{"type", "Agent Action (x)", is(FieldType, "Agent Action (x)", false)},
		{"type", "Agent*", Term{Field: FieldType, Op: OpMatch, Text: "Agent*"}},
		{"tool", `bash,"a,b"`, Or{[]Expr{is(FieldTool, "bash", true), is(FieldTool, "a,b", true)}}},
		{"since", "10m", Term{Field: FieldTime, Op: OpSince, Back: 600e9}},
		{"time", "2026-03-01 10:00..", between(FieldTime, nanos(t, "2026-03-01T10:00:00Z"), math.MaxInt64)},
		{"failed", "true", is(FieldFailed, "true", false)},
	}
	for _, tt := range tests {
		got, err := ParseField(tt.field, tt.in)
		if err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("ParseField(%q, %q) = %#v, %v; want %#v", tt.field, tt.in, got, err, tt.want)
		}
		checkRoundTrip(t, got)
	}
	for _, bad := range [][2]string{{"type", ""}, {"nope", "x"}, {"tool", `"a" b`}, {"kind", "x"}} {
		if x, err := ParseField(bad[0], bad[1]); err == nil {
			t.Errorf("ParseField(%q, %q) = %#v, want an error", bad[0], bad[1], x)
		}
	}
}

func TestEval(t *testing.T) {
	at := known("2026-03-01T10:00:00Z")
	e := &model.Event{
		Session: "s1", Pos: 5, Seq: 91, ID: "evt_0091", Aliases: []string{"msg_7"}, Type: "AgentAction",
		Kind: model.KindAction, Time: at, Source: "agent", Tool: "Bash", Call: "call_1", Title: "bash go test",
		Outcome: model.OutcomeFailed, Span: model.Span{Length: 900},
	}
	s := Subject{Event: e, Text: func() string { return "Read timeout\nÜber" }}
	tests := []struct {
		in   string
		want bool
	}{
		{"", true},
		{"timeout", true},
		{"read", true},
		{"Read", true},
		{"READ", false},
		{"über", true},
		{"Uber", false},
		{`"timeout über"`, false},
		{"tool:bash", true},
		{"tool:BASH", false},
		{"tool:b?sh", true},
		{"tool:b?", false},
		{"type:Agent*", true},
		{"type:agent*", true},
		{"type:*action", true},
		{"type:agent", false},
		{"kind:error,action", true},
		{"kind:error", false},
		{"-kind:error", true},
		{"failed:true", true},
		{"failed:false,null", false},
		{"id:evt_0091", true},
		{"id:EVT_0091", false},
		{"id:msg_7", true},
		{"id:evt_*", true},
		{"call:call_1 session:s1 source:agent", true},
		{"origin:recorded", true},
		{"title:test", true},
		{"title:test*", false},
		{"title:bash*", true},
		{"seq:91 pos:5", true},
		{"seq:80..90 or pos:<5", false},
		{"bytes:<1k", true},
		{"time:2026-03-01", true},
		{"time:>2026-03-01T10:00", false},
		{"since:10m", true},
		{"since:1m", false},
		{"until:5m", true},
		{"until:6m", false},
	}
	last := known("2026-03-01T10:05:00Z")
	for _, tt := range tests {
		x, err := Parse(tt.in)
		if err != nil {
			t.Fatalf("Parse(%q): %v", tt.in, err)
		}
		bound := Bind(x, last)
		if Relative(bound) {
			t.Errorf("%q is still relative after Bind", tt.in)
		}
		if got := Eval(bound, s); got != tt.want {
			t.Errorf("Eval(%q) = %v", tt.in, got)
		}
		checkRoundTrip(t, bound)
	}
	unknown := Subject{Event: &model.Event{}}
	for _, in := range []string{"time:..", "since:10m", "until:10m", "x"} {
		x, err := Parse(in)
		if err != nil {
			t.Fatal(err)
		}
		if Eval(Bind(x, model.Time{}), unknown) {
			t.Errorf("%q matches an event without time and text", in)
		}
	}
}

func TestGlobAgainstNaive(t *testing.T) {
	var naive func(p, s []rune) bool
	naive = func(p, s []rune) bool {
		switch {
		case len(p) == 0:
			return len(s) == 0
		case p[0] == '*':
			return naive(p[1:], s) || len(s) > 0 && naive(p, s[1:])
		case len(s) == 0:
			return false
		}
		return (p[0] == '?' || p[0] == s[0]) && naive(p[1:], s[1:])
	}
	alphabet := []string{"a", "b", "é", "*", "?"}
	pick := func(n, size, of int) string {
		var s string
		for range size {
			s += alphabet[n%of]
			n /= of
		}
		return s
	}
	for pn := range 625 {
		for sn := range 81 {
			p, s := pick(pn, 4, 5), pick(sn, 4, 3)
			if got, want := Glob(p, s), naive([]rune(p), []rune(s)); got != want {
				t.Fatalf("Glob(%q, %q) = %v", p, s, got)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`type:AgentAction tool:bash failed:true since:10m kind:error text:"read timeout"`,
		`(a or -b) seq:80..95,>7 time:>2026-03-01 until:3d bytes:<4ki title:"x \* \" \\"`, `"\`, `-`, `tool:"a`, "\xff:\x00",
		`'; DROP TABLE events;--`, `%s%n ${HOME} {{7*7}} $(id) -rf @file`, `NEAR(a b)`, `re:"a \"b\" \\d (c|d)" -re:x\S+`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		x, err := Parse(s)
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || syntax.Column < 1 || syntax.Column > len([]rune(s))+1 {
				t.Fatalf("Parse(%q): %v", s, err)
			}
			return
		}
		checkRoundTrip(t, x)
		e := &model.Event{ID: s, Title: s, Tool: s}
		Eval(Bind(x, model.Time{Known: true}), Subject{Event: e, Text: func() string { return s }})
	})
}

func FuzzContains(f *testing.F) {
	f.Add("Read TIMEOUT", "timeout")
	f.Add("aAbB", "ab")
	f.Fuzz(func(t *testing.T, s, sub string) {
		sub = lower(sub)
		if !ascii(s) || !ascii(sub) {
			return
		}
		if got, want := contains(s, sub, true), strings.Contains(strings.ToLower(s), sub); got != want {
			t.Fatalf("contains(%q, %q) = %v", s, sub, got)
		}
	})
}

func BenchmarkEvalText(b *testing.B) {
	x, err := Parse(`kind:observation "read timeout"`)
	if err != nil {
		b.Fatal(err)
	}
	body := strings.Repeat("the quick brown fox reads Real data ", 500)
	s := Subject{Event: &model.Event{Kind: model.KindObservation}, Text: func() string { return body }}
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if Eval(x, s) {
			b.Fatal("it does not hold that text")
		}
	}
}

func BenchmarkParse(b *testing.B) {
	const in = `type:AgentAction tool:bash failed:true since:10m kind:error text:"read timeout"`
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(in); err != nil {
			b.Fatal(err)
		}
	}
}

func known(s string) model.Time {
	at, err := time.Parse(time.RFC3339, s)
	return model.Time{Nanos: at.UnixNano(), Known: err == nil}
}

func TestPatterns(t *testing.T) {
	event := model.Event{Title: "Bash exit 2"}
	subject := Subject{Event: &event, Text: func() string { return "first line\nnot ok 1 - \"book\" rate\n" }}
	for in, want := range map[string]bool{
		`re:exit\s[1-9]`: true, `re:exit\s[3-9]`: false, `re:"not ok \d+ - \"book\""`: true, `re:^not`: true, `re:line$`: true,
		`re:BOOK`: false, `re:"Bash exit"`: true, `re:first.*ok`: false, `re:\Sirst`: true, `re:FIRST\S`: false, `-re:nope`: true, `re:"(book|rate)\b"`: true,
		`re:x*`: true,
	} {
		x, err := Parse(in)
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		if got := Eval(x, subject); got != want {
			t.Errorf("%s: %v, want %v", in, got, want)
		}
		checkRoundTrip(t, x)
	}
	for in, column := range map[string]int{`re:"(a"`: 4, `re:a**`: 4, `re:` + strings.Repeat("a", MaxPattern+1): 4, `re:"a`: 4, `re:(a)`: 4, `re:a{2000}`: 4} {
		var bad *SyntaxError
		if _, err := Parse(in); !errors.As(err, &bad) || bad.Column != column {
			t.Errorf("%.20s: %v, want an error in column %d", in, err, column)
		}
	}
}

func TestFind(t *testing.T) {
	pattern := func(s string) Term {
		p, err := Pattern(s)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	for _, tt := range []struct {
		term     Term
		in       string
		from, to int
	}{
		{text("rate", true), "Book RATE", 5, 9}, {text("Rate", false), "rate", -1, -1}, {text("", true), "x", -1, -1},
		{pattern(`r.t`), "Book RATE", 5, 8}, {pattern(`x*`), "rate", -1, -1}, {is(FieldTool, "rate", false), "rate", -1, -1},
	} {
		if from, to := tt.term.Find(tt.in); from != tt.from || to != tt.to {
			t.Errorf("%v in %q: %d..%d, want %d..%d", tt.term, tt.in, from, to, tt.from, tt.to)
		}
	}
}
