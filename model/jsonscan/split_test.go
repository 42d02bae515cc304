package jsonscan

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"hindcast/model"
)

// found is what a splitter gave out: the text of each span, with the reason
// behind "!" where it is broken, and the rest as structure.
type found struct {
	spans     []string
	structure string
	left      string // not given out
}

func (f found) String() string {
	return fmt.Sprintf("spans %q structure %q left %q", f.spans, f.structure, f.left)
}

// portions reads n bytes at a time.
type portions struct {
	r io.Reader
	n int
}

func (p portions) Read(b []byte) (int, error) { return p.r.Read(b[:min(p.n, len(b))]) }

func split(tb testing.TB, in string, r io.Reader, f model.Framing, tail bool) found {
	tb.Helper()
	var got found
	var structure strings.Builder
	s := NewSplitter(r, 0, f, tail)
	at := 0
	for {
		c, err := s.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			tb.Fatalf("Next: %v", err)
		}
		if c.Offset != int64(at) || at+len(c.Data) > len(in) || in[at:at+len(c.Data)] != string(c.Data) {
			tb.Fatalf("chunk of %d bytes at %d does not go on at %d", len(c.Data), c.Offset, at)
		}
		if len(c.Data) == 0 {
			tb.Fatal("empty chunk")
		}
		pos := 0
		for _, sp := range c.Spans {
			if sp.Start < pos || sp.End <= sp.Start || sp.End > len(c.Data) {
				tb.Fatalf("span %d..%d behind %d in a chunk of %d", sp.Start, sp.End, pos, len(c.Data))
			}
			structure.Write(c.Data[pos:sp.Start])
			text := string(c.Data[sp.Start:sp.End])
			if sp.Broken != "" {
				text += "!" + sp.Broken
			}
			got.spans = append(got.spans, text)
			pos = sp.End
		}
		structure.Write(c.Data[pos:])
		at += len(c.Data)
		if s.Offset() != int64(at) {
			tb.Fatalf("Offset = %d, want %d", s.Offset(), at)
		}
		c.Free()
	}
	got.structure, got.left = structure.String(), in[at:]
	if !tail && got.left != "" {
		tb.Fatalf("%d bytes were not given out", len(got.left))
	}
	return got
}

// splitAll splits in portions of many sizes and fails where they differ.
func splitAll(tb testing.TB, in string, f model.Framing, tail bool) found {
	tb.Helper()
	want := split(tb, in, strings.NewReader(in), f, tail)
	readers := map[string]io.Reader{
		"1 byte": iotest.OneByteReader(strings.NewReader(in)),
		"7":      portions{strings.NewReader(in), 7},
		"eof":    iotest.DataErrReader(strings.NewReader(in)),
	}
	if len(in) > 5000 {
		delete(readers, "1 byte")
		delete(readers, "7")
		readers["50000"] = portions{strings.NewReader(in), 50_000}
	}
	for name, r := range readers {
		if got := split(tb, in, r, f, tail); fmt.Sprint(got) != fmt.Sprint(want) {
			tb.Fatalf("reading by %s:\n%.2000v\nwant\n%.2000v\nof %.2000q", name, got, want, in)
		}
	}
	return want
}

var (
	byLine    = model.Framing{Mode: model.FrameLines}
	byValue   = model.Framing{Mode: model.FrameValues}
	byElement = model.Framing{Mode: model.FrameElements}
	byMember  = model.Framing{Mode: model.FrameMember, Member: "events"}
	byFile    = model.Framing{Mode: model.FrameWhole}
)

func TestSplit(t *testing.T) {
	tests := []struct {
		name      string
		framing   model.Framing
		in        string
		spans     []string
		structure string
	}{
		{"lines", byLine, "{\"a\":1}\n{\"b\":2}\n", []string{`{"a":1}`, `{"b":2}`}, "\n\n"},
		{"lines without last newline", byLine, "{\"a\":1}\n{\"b\":2}", []string{`{"a":1}`, `{"b":2}`}, "\n"},
		{"lines CRLF", byLine, "{\"a\":1}\r\n\r\n  \t\r\n{\"b\":2}\r", []string{`{"a":1}`, `{"b":2}`}, "\r\n\r\n  \t\r\n\r"},
		{"lines CR", byLine, "{\"a\":1}\r{\"b\":2}\r", []string{`{"a":1}`, `{"b":2}`}, "\r\r"},
		{"lines BOM", byLine, "\ufeff{\"a\":1}\n\ufeff{\"b\":2}\n", []string{`{"a":1}`, `{"b":2}`}, "\ufeff\n\ufeff\n"},
		{"lines RS", byLine, "\x1e{\"a\":1}\n\x1e{\"b\":2}\x1e{\"c\":3}", []string{`{"a":1}`, `{"b":2}`, `{"c":3}`}, "\x1e\n\x1e\x1e"},
		{"lines glued", byLine, "{\"a\":1}{\"b\":2}\nlog text\n", []string{`{"a":1}{"b":2}`, "log text"}, "\n\n"},
		{"lines of server-sent events", byLine, "data: {\"a\":1}\n\ndata:[2]\ndata: x\n", []string{`{"a":1}`, "[2]", "data: x"}, "data: \n\ndata:\n\n"},
		{"lines empty", byLine, "", nil, ""},
		{"lines blank", byLine, "\n \n", nil, "\n \n"},
		{"values", byValue, "{\n  \"a\": 1\n}\n{\n  \"b\": 2\n}\n[3] 4 \"x\"", []string{"{\n  \"a\": 1\n}", "{\n  \"b\": 2\n}", "[3]", "4", `"x"`}, "\n\n  "},
		{"values glued", byValue, `{"a":1}{"b":2}null`, []string{`{"a":1}`, `{"b":2}`, "null"}, ""},
		{"values BOM RS", byValue, "\ufeff\x1e{}\n\x1e{}\n", []string{"{}", "{}"}, "\ufeff\x1e\n\x1e\n"},
		{"values cut", byValue, `{"a":1} {"b":`, []string{`{"a":1}`, `{"b":!` + cutReason}, " "},
		{"values broken", byValue, "{\n \"a\": NaN\n}\n{\n \"b\": 2\n}\n", []string{"{\n \"a\": NaN\n}!unexpected 'N' where a value should be", "{\n \"b\": 2\n}"}, "\n\n"},
		{"values garbage", byValue, "hello\n{\"a\":1}\n", []string{"hello!unexpected 'h' where a value should be", `{"a":1}`}, "\n\n"},
		{"values unclosed", byValue, "{\n \"a\": 1,\n\n{\n \"b\": 2\n}\n", []string{"{\n \"a\": 1!unexpected '{' where a key should be", "{\n \"b\": 2\n}"}, ",\n\n\n"},
		{"elements", byElement, "[{\"a\":1}, {\"b\":2},\n3]\n", []string{`{"a":1}`, `{"b":2}`, "3"}, "[, ,\n]\n"},
		{"elements none", byElement, " [ ] ", nil, " [ ] "},
		{"elements cut", byElement, `[{"a":1},{"b":`, []string{`{"a":1}`, `{"b":!` + cutReason}, "[,"},
		{"elements cut between", byElement, `[{"a":1},`, []string{`{"a":1}`}, "[,"},
		{"elements trailing comma", byElement, `[{"a":1},]`, []string{`{"a":1}`, "]!unexpected ']' where a value should be"}, "[,"},
		{"elements double comma", byElement, `[{"a":1},,{"b":2}]`, []string{`{"a":1}`, ",!unexpected ',' where a value should be", `{"b":2}`}, "[,]"},
		{"elements one broken", byElement, `[{"a":1},{"a":NaN,"c":[{"a":2},{"a":3}]},{"b":2}]`, []string{`{"a":1}`, `{"a":NaN,"c":[{"a":2},{"a":3}]}!unexpected 'N' where a value should be`, `{"b":2}`}, "[,,]"},
		{"elements Python", byElement, `[{'a': None}, {"b": 2}]`, []string{`{'a': None}!unexpected ''' where a key or } should be`, `{"b": 2}`}, "[, ]"},
		{"elements undefined", byElement, `[undefined, {"b": 2}, nul]`, []string{"undefined!unexpected 'u' where a value should be", `{"b": 2}`, "nul!unexpected ']' where a value should be"}, "[, , ]"},
		{"elements lost quote", byElement, `[{"id":"a},{"id":"b"},{"id":"c"}]`, []string{`{"id":"a}!unexpected 'i' where a comma or } should be`, `{"id":"b"}`, `{"id":"c"}`}, "[,,]"},
		{"elements lost quote, lines", byElement, "[\n  {\n    \"x\": \"a\n  },\n  {\n    \"y\": 1\n  }\n]", []string{"{\n    \"x\": \"a\n  }!unexpected end of line in a string", "{\n    \"y\": 1\n  }"}, "[\n  ,\n  \n]"},
		{"elements last broken, lines", byElement, "[\n  {\n    \"x\": {\"a,\n]\n", []string{"{\n    \"x\": {\"a!unexpected end of line in a string"}, "[\n  ,\n]\n"},
		{"elements two arrays", byElement, "[1]\n[2]", []string{"1", "2"}, "[]\n[]"},
		{"elements then object", byElement, "[1]\n{\"a\":2}", []string{"1", `{"a":2}`}, "[]\n"},
		{"member", byMember, `{"x":[1,{"events":[7]}],"events":[{"a":1},{"b":2}],"y":null}`, []string{`{"a":1}`, `{"b":2}`}, `{"x":[1,{"events":[7]}],"events":[,],"y":null}`},
		{"member escaped", byMember, `{"\u0065vents":[1]}`, []string{"1"}, `{"\u0065vents":[]}`},
		{"member no array", byMember, `{"events":{"a":[1]}}`, nil, `{"events":{"a":[1]}}`},
		{"member several", byMember, "{\"events\":[1]}\n{\"z\":\"\\\"\",\"events\":[2,3]}{\"events\":[]}", []string{"1", "2", "3"}, "{\"events\":[]}\n{\"z\":\"\\\"\",\"events\":[,]}{\"events\":[]}"},
		{"member cut", byMember, `{"a":1,"events":[{"a":1},{"b"`, []string{`{"a":1}`, `{"b"!` + cutReason}, `{"a":1,"events":[,`},
		{"member broken wrapper", byMember, `{"a":NaN, "events":[{"a":1}],"c":1}`, []string{"NaN!unexpected 'N' where a value should be", `{"a":1}`}, `{"a":, "events":[],"c":1}`},
		{"member broken end", byMember, "{\"events\":[{\"a\":1}] \"c\":1}\n{\"events\":[2]}", []string{`{"a":1}`, "\"c\":1}!unexpected '\"' where a comma or } should be", "2"}, "{\"events\":[] \n{\"events\":[]}"},
		{"member broken element", byMember, `{"events":[{"a":},{"b":2}]}`, []string{`{"a":}!unexpected '}' where a value should be`, `{"b":2}`}, `{"events":[,]}`},
		{"whole", byFile, "\n{\n}\n\n{} ", []string{"{\n}\n\n{}"}, "\n "},
	}
	for _, tt := range tests {
		got := splitAll(t, tt.in, tt.framing, false)
		want := found{spans: tt.spans, structure: tt.structure}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %q\n got %v\nwant %v", tt.name, tt.in, got, want)
		}
	}
}

func TestSplitTail(t *testing.T) {
	tests := []struct {
		framing model.Framing
		in      string
		spans   int
		left    string
	}{
		{byLine, "{\"a\":1}\n{\"b\":2}", 2, ""},
		{byLine, "{\"a\":1}\n{\"b\":", 1, `{"b":`},
		{byLine, "{\"a\":1}\nlog te", 1, "log te"},
		{byLine, "1\n2", 1, "2"},
		{byLine, "{\"a\":1}\n  ", 1, ""},
		{byValue, "{} {\"b\":", 1, `{"b":`},
		{byValue, "{} 12", 2, ""},
		{byElement, `[{"a":1},{"b":2`, 1, `{"b":2`},
		{byElement, `[{"a":1},`, 1, ""},
		{byMember, `{"k":1,"events":[{"a":1},{"b":2`, 1, `{"b":2`},
		{byMember, `{"k":1,"eve`, 0, `"eve`},
		{byFile, `{"a":`, 0, `{"a":`},
		{byFile, `{"a":1}`, 1, ""},
	}
	for _, tt := range tests {
		got := splitAll(t, tt.in, tt.framing, true)
		if len(got.spans) != tt.spans || got.left != tt.left {
			t.Errorf("%q: %v, want %d spans and %q left", tt.in, got, tt.spans, tt.left)
		}
	}
}

// TestSplitResume reads a stream that grows byte by byte, each time with a new
// splitter that goes on where the last one stopped.
func TestSplitResume(t *testing.T) {
	tests := []struct {
		framing model.Framing
		in      string
		want    []string
	}{
		{byLine, "{\"a\":1}\n{\"b\":2}\r\n\n{\"c\":3}\n", []string{`{"a":1}`, `{"b":2}`, `{"c":3}`}},
		{byValue, "{\n\"a\":1}\n{\"b\":2} {}", []string{"{\n\"a\":1}", `{"b":2}`, "{}"}},
		{byElement, `[{"a":1} , {"b":2},{"c":[3]}]`, []string{`{"a":1}`, `{"b":2}`, `{"c":[3]}`}},
		{byMember, `{"events":[{"a":1} , {"b":2}]}`, []string{`{"a":1}`, `{"b":2}`}},
	}
	for _, tt := range tests {
		var got []string
		offset := int64(strings.IndexAny(tt.in, "[") + 1)
		if tt.framing == byLine || tt.framing == byValue {
			offset = 0
		}
		for n := int(offset); n <= len(tt.in); n++ {
			s := NewSplitter(strings.NewReader(tt.in[offset:n]), offset, tt.framing, n < len(tt.in))
			for {
				c, err := s.Next()
				if err != nil {
					break
				}
				for _, sp := range c.Spans {
					got = append(got, string(c.Data[sp.Start:sp.End])+sp.Broken)
				}
			}
			offset = s.Offset()
		}
		if fmt.Sprint(got) != fmt.Sprint(tt.want) {
			t.Errorf("%q: got %q, want %q", tt.in, got, tt.want)
		}
	}
}

// TestSplitLarge has records and junk that are longer than a block.
func TestSplitLarge(t *testing.T) {
	long := `{"text":"` + strings.Repeat("x", 5<<18) + `"}`
	nul := strings.Repeat("\x00", 2<<20+5)
	for _, f := range []model.Framing{byLine, byValue} {
		got := splitAll(t, "{}\n"+long+"\n{}\n", f, false)
		if len(got.spans) != 3 || got.spans[1] != long {
			t.Errorf("%v: %d spans, want the long record whole", f, len(got.spans))
		}
	}
	for _, f := range []model.Framing{byLine, byValue} {
		got := splitAll(t, "{\"a\":1}\n"+long+nul+"\n{\"b\":2}\n", f, false)
		sizes := 0
		for _, s := range got.spans[2 : len(got.spans)-1] {
			if len(s) > maxPiece+100 || !strings.Contains(s, "!unexpected byte 0x00") {
				t.Errorf("%v: piece of %d bytes", f, len(s))
			}
			text, _, _ := strings.Cut(s, "!")
			sizes += len(text)
		}
		if got.spans[1] != long || sizes != len(nul) || got.spans[len(got.spans)-1] != `{"b":2}` {
			t.Errorf("%v: %d spans, %d bytes of junk, want %d", f, len(got.spans), sizes, len(nul))
		}
	}
	glued := strings.Repeat(`{"a":1}`, 160_000)
	if got := splitAll(t, glued, byLine, false); len(got.spans) != 160_000 {
		t.Errorf("a long line of values: %d spans", len(got.spans))
	}
	array := "[" + strings.Repeat(`{"id":1,"x":[{"id":2},{"id":3}]},`, 36_000) + "{}]"
	if got := splitAll(t, array, byElement, false); len(got.spans) != 36_001 {
		t.Errorf("a long array: %d spans", len(got.spans))
	}
}

// zeros is an endless run of NUL bytes, as a sparse file is.
type zeros struct{ left int64 }

func (z *zeros) Read(b []byte) (int, error) {
	if z.left == 0 {
		return 0, io.EOF
	}
	n := int(min(int64(len(b)), z.left))
	clear(b[:n])
	z.left -= int64(n)
	return n, nil
}

func TestSplitSparse(t *testing.T) {
	const size = 12 << 20
	for _, f := range []model.Framing{byLine, byValue, byElement, byMember, byFile} {
		s := NewSplitter(&zeros{left: size}, 0, f, false)
		total := 0
		for {
			c, err := s.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if cap(c.Data) > 8<<20 {
				t.Fatalf("%v: a chunk of %d bytes", f, cap(c.Data))
			}
			for _, sp := range c.Spans {
				total += sp.End - sp.Start
				if sp.Broken == "" {
					t.Fatalf("%v: NUL bytes taken for a record", f)
				}
			}
			c.Free()
		}
		if total != size {
			t.Errorf("%v: %d bytes broken, want %d", f, total, size)
		}
	}
}

// TestSplitReadError keeps what was read before the reader failed.
func TestSplitReadError(t *testing.T) {
	r := io.MultiReader(strings.NewReader("{\"a\":1}\n{\"b\":"), iotest.ErrReader(io.ErrClosedPipe))
	s := NewSplitter(r, 0, byLine, false)
	c, err := s.Next()
	if err != nil || len(c.Spans) != 1 || s.Offset() != 8 {
		t.Fatalf("Next = %v, %v at %d, want one span", c, err, s.Offset())
	}
	if _, err := s.Next(); err != io.ErrClosedPipe {
		t.Errorf("Next: %v, want the reader's error", err)
	}
	if _, err := NewSplitter(iotest.TimeoutReader(bytes.NewReader(nil)), 0, byLine, false).Next(); err != io.EOF {
		t.Errorf("Next of nothing: %v, want io.EOF", err)
	}
}

func FuzzSplitter(f *testing.F) {
	for i, s := range []string{
		"{\"a\":1}\r\n\x1e{\"b\":2}\r{}", "[{\"a\":1},{\"b\":NaN},\n{\"a\":2}]", `{"x":1,"events":[{"a":1},{"b":2}],"y":[]}`,
		"{\n \"a\": \"x\n}\n{\n}\n", "\ufeff[1,2,]]", `[{"id":"a},{"id":"b"}]`, "hello\n{\"a\":1}", `{"events":[1] "x"` + "\n{\"events\":[2]}",
	} {
		f.Add([]byte(s), uint8(i), uint8(i))
	}
	f.Fuzz(func(t *testing.T, b []byte, mode, size uint8) {
		framing := []model.Framing{byLine, byValue, byElement, byMember, byFile}[mode%5]
		in, tail := string(b), mode >= 128
		want := split(t, in, strings.NewReader(in), framing, tail)
		got := split(t, in, portions{strings.NewReader(in), int(size%16) + 1}, framing, tail)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("portions of %d: %v\nwhole: %v", size%16+1, got, want)
		}
		for _, s := range want.spans {
			if framing.Mode == model.FrameLines || framing.Mode == model.FrameWhole || strings.Contains(s, "!") {
				continue
			}
			if _, end, err := Value([]byte(s)); err != nil || end != len(s) {
				t.Fatalf("span %q is not one value: %d, %v", s, end, err)
			}
		}
	})
}
