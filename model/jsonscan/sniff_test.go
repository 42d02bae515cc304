package jsonscan

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"hindcast/model"
)

func TestSniff(t *testing.T) {
	pad := strings.Repeat("x", 500)
	tests := []struct {
		name, in string
		mode     model.FramingMode
		member   string
	}{
		{"one line", `{"a":1}`, model.FrameLines, ""},
		{"lines", "{\"a\":1}\n{\"b\":2}\n", model.FrameLines, ""},
		{"CRLF", "{\"a\":1}\r\n{\"b\":2}\r\n", model.FrameLines, ""},
		{"glued", `{"a":1}{"b":2}`, model.FrameLines, ""},
		{"BOM", "\ufeff{\"a\":1}\n", model.FrameLines, ""},
		{"blank lines first", "\n\n  {\"a\":1}\n{\"b\":2}", model.FrameLines, ""},
		{"RS", "\x1e{\"a\":1}\n\x1e{\"b\":2}\n", model.FrameLines, ""},
		{"lines of wrappers", "{\"events\":[{}]}\n{\"events\":[{}]}\n", model.FrameLines, ""},
		{"lines of arrays", "[1,2]\n[3,4]\n", model.FrameLines, ""},
		{"first line cut at a value", "{\"a\":\n{\"b\":2}\n{\"c\":3}\n", model.FrameLines, ""},
		{"wrapper with a broken object a line", "{\"events\":[\n{\"b\":2},\n{\"c\":NaN},\n{\"d\":3}\n]}", model.FrameMember, "events"},
		{"first line cut short", "{\"a\":1,\"b\n{\"b\":2}\n", model.FrameLines, ""},
		{"first line Python", "{'a': None}\n{\"b\":2}\n", model.FrameLines, ""},
		{"log text first", "INFO starting\n[warn] hm\n{\"b\":2}\n", model.FrameLines, ""},
		{"NULs first", "\x00\x00\x00\x00\x00{\"a\":1}\n{\"b\":2}\n", model.FrameLines, ""},
		{"log text, then a cut object", "starting\n{\"b\":[1,2", model.FrameLines, ""},
		{"server-sent events", "event: x\ndata: {\"a\":1}\n\n", model.FrameLines, ""},
		{"scalars", "null\n42\n\"x\"\n", model.FrameLines, ""},
		{"cut line", `{"a":"` + pad, model.FrameLines, ""},
		{"pretty objects", "{\n  \"a\": 1\n}\n{\n  \"b\": 2\n}\n", model.FrameValues, ""},
		{"pretty object", "{\n  \"a\": 1\n}", model.FrameValues, ""},
		{"pretty object, cut", "{\n  \"a\": {\n    \"b\": \"" + pad, model.FrameValues, ""},
		{"pretty object, trailing comma", "{\n  \"a\": 1,\n}\n", model.FrameValues, ""},
		{"keyed by id", "{\n \"e1\": {\"x\": 1},\n \"e2\": {\"x\": 2}\n}", model.FrameValues, ""},
		{"array", `[{"a":1},{"b":2}]`, model.FrameElements, ""},
		{"array, newline", "[{\"a\":1}]\n", model.FrameElements, ""},
		{"pretty array", "[\n  {\n    \"a\": 1\n  }\n]", model.FrameElements, ""},
		{"array, an object a line", "[\n{\"a\":1},\n{\"b\":2}\n]\n", model.FrameElements, ""},
		{"array cut", `[{"a":1},{"b"`, model.FrameElements, ""},
		{"array with a broken element", `[{"a":1},{"b":NaN}]`, model.FrameElements, ""},
		{"empty array", `[]`, model.FrameElements, ""},
		{"deep", strings.Repeat("[", 100_000), model.FrameElements, ""},
		{"wrapper", `{"v":1,"events":[{"a":1}],"z":2}`, model.FrameMember, "events"},
		{"pretty wrapper", "{\n \"v\": 1,\n \"events\": [\n  {\n   \"a\": 1\n  }\n ]\n}\n", model.FrameMember, "events"},
		{"empty wrapper", `{"events":[]}`, model.FrameMember, "events"},
		{"wrapper far down, cut", `{"v":"` + pad + `","w":{"events":[1]},"events":[{"a":`, model.FrameMember, "events"},
		{"second choice", `{"items":[{"a":1}],"events":{}}`, model.FrameMember, "items"},
		{"preference", `{"items":[{"a":1}],"events":[{"a":1}]}`, model.FrameMember, "events"},
		{"escaped key", `{"\u0065vents":[{"a":1}]}`, model.FrameMember, "events"},
		{"array of strings", `{"events":["a"]}`, model.FrameLines, ""},
		{"array in a string", `{"events":"[{}]"}`, model.FrameLines, ""},
	}
	for _, tt := range tests {
		f, ok, seen := Sniff([]byte(tt.in), true, "events", "items")
		if !ok || f.Mode != tt.mode || f.Member != tt.member {
			t.Errorf("%s: Sniff(%.60q) = %v, %v, %q, want mode %d %q", tt.name, tt.in, f, ok, seen, tt.mode, tt.member)
		}
	}
}

// wide writes text in UTF-16.
func wide(order binary.AppendByteOrder, text string) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, u)
	}
	return string(b)
}

func TestSniffNoJSON(t *testing.T) {
	tests := []struct{ in, seen string }{
		{"", "an empty file"},
		{" \n\t", "only white space"},
		{"\ufeff", "only white space"},
		{wide(binary.LittleEndian, "\ufeff{\"a\":1}\n"), "UTF-16 text"},
		{wide(binary.BigEndian, "\ufeff{\"a\":1}\n"), "UTF-16 text"},
		{wide(binary.LittleEndian, "{\"a\":1}\n"), "UTF-16 text"},
		{wide(binary.BigEndian, "{\"a\":1}\n"), "UTF-16 text"},
		{"\xff\xfe\x00\x00{\x00\x00\x00", "UTF-32 text"},
		{"{\x00\x00\x00}\x00\x00\x00", "UTF-32 text"},
		{"\x00\x00\x00{\x00\x00\x00}", "UTF-32 text"},
		{"\x1f\x8b\x08", "gzip data"},
		{"\x28\xb5\x2f\xfd", "zstd data"},
		{"PK\x03\x04{}", "a zip archive"},
		{"SQLite format 3\x00\n{\"a\":1}\n", "a SQLite database"},
		{"\x89PNG\r\n\x1a\n", "a PNG image"},
		{strings.Repeat("\x00", 100), "nothing but NUL bytes"},
		{"\x01\x02\x03\x04\x05", "binary data"},
		{"\xc0\xc1\xf5\xf6\xf7", "binary data"},
		{"hello\nworld\n", "plain text"},
		{"2026-03-01 started\n", "plain text"},
		{"héllo wörld", "plain text"},
		{"42 is the answer", "plain text"},
		{"[info] started\n[info] done\n", "text that begins like JSON but is not"},
		{"{'a': None}\n", "text that begins like JSON but is not"},
		{"<html></html>", "HTML or XML text"},
		{"key: value\n", "plain text"},
	}
	for _, tt := range tests {
		f, ok, seen := Sniff([]byte(tt.in), true, "events")
		if ok || seen != tt.seen {
			t.Errorf("Sniff(%.60q) = %v, %v, %q, want %q", tt.in, f, ok, seen, tt.seen)
		}
	}
}

// TestSniffCut cuts heads anywhere: a wrapper, an array and lines have to be
// told from their beginning.
func TestSniffCut(t *testing.T) {
	tests := []struct {
		in   string
		from int // bytes from which on the framing is certain
		mode model.FramingMode
	}{
		{"{\n  \"about\": {\"x\": [1, 2]},\n  \"events\": [\n    {\"a\": \"\\u00e9\"}\n  ]\n}\n", 50, model.FrameMember},
		{"[\n  {\"a\": \"\\u00e9\"},\n  {\"b\": 1e5}\n]\n", 1, model.FrameElements},
		{"{\"a\": \"\\u00e9\"}\n{\"b\": [1e5, true]}\n", 1, model.FrameLines},
	}
	for _, tt := range tests {
		for n := tt.from; n <= len(tt.in); n++ {
			if f, ok, seen := Sniff([]byte(tt.in[:n]), n == len(tt.in), "events"); !ok || f.Mode != tt.mode {
				t.Errorf("Sniff(%q) = %v, %v, %q, want mode %d", tt.in[:n], f, ok, seen, tt.mode)
			}
		}
	}
}

func FuzzSniff(f *testing.F) {
	for _, s := range []string{"{\"a\":1}\n{", "[{}", "{\"events\":[{", "\x00{", "x\n{\"a\":1}", "\ufeff\x1e"} {
		f.Add([]byte(s), true)
	}
	f.Fuzz(func(t *testing.T, b []byte, whole bool) {
		framing, ok, seen := Sniff(b, whole, "events", "data")
		if ok == (seen != "") {
			t.Fatalf("Sniff = %v, %q", ok, seen)
		}
		if framing.Mode == model.FrameMember != (framing.Member != "") {
			t.Fatalf("framing %v", framing)
		}
	})
}
