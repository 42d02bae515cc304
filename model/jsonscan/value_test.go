package jsonscan

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestValue(t *testing.T) {
	tests := []struct {
		in         string
		start, end int
		reason     string // of a SyntaxError
		offset     int64
	}{
		{in: `{"a":1}`, end: 7},
		{in: " \t\r\n[1, 2 ,3]x", start: 4, end: 13},
		{in: `{"a":{"b":[{}, [], "x\"y", -1.5e+7, true, false, null]}} {"b":2}`, end: 56},
		{in: `"a\\"`, end: 5},
		{in: `"\ud800 \uDC00\ud800"`, end: 21},
		{in: "\"\xff\xc0\xaf\"", end: 5},
		{in: `0`, end: 1},
		{in: `-0.0e-0`, end: 7},
		{in: `1e400`, end: 5},
		{in: `12{"a":1}`, end: 2},
		{in: `true{"a":1}`, end: 4},
		{in: `{"a":1}{"b":2}`, end: 7},
		{in: `01`, end: 1, reason: "unexpected '1' after a value", offset: 1},
		{in: `truefalse`, end: 4, reason: "unexpected 'f' after a value", offset: 4},
		{in: `{"a":1,}`, end: 7, reason: "unexpected '}' where a key should be", offset: 7},
		{in: `[1,]`, end: 3, reason: "unexpected ']' where a value should be", offset: 3},
		{in: `[,1]`, end: 1, reason: "unexpected ',' where a value or ] should be", offset: 1},
		{in: `{,}`, end: 1, reason: "unexpected ',' where a key or } should be", offset: 1},
		{in: `{"a" 1}`, end: 5, reason: "unexpected '1' where a colon should be", offset: 5},
		{in: `{"a":1 "b"}`, end: 7, reason: `unexpected '"' where a comma or } should be`, offset: 7},
		{in: `[1}`, end: 2, reason: "unexpected '}' where a comma or ] should be", offset: 2},
		{in: `{'a':1}`, end: 1, reason: `unexpected ''' where a key or } should be`, offset: 1},
		{in: `NaN`, end: 0, reason: "unexpected 'N' where a value should be"},
		{in: `nul!`, end: 3, reason: "unexpected '!' where a value should be", offset: 3},
		{in: `-x`, end: 1, reason: "unexpected 'x' in a number", offset: 1},
		{in: `1.x`, end: 2, reason: "unexpected 'x' in a number", offset: 2},
		{in: `1e+x`, end: 3, reason: "unexpected 'x' in a number", offset: 3},
		{in: "\"a\nb\"", end: 2, reason: "unexpected end of line in a string", offset: 2},
		{in: "\"a\x00b\"", end: 2, reason: "unexpected byte 0x00 in a string", offset: 2},
		{in: `"\x"`, end: 2, reason: "unexpected 'x' in an escape sequence", offset: 2},
		{in: `"\u12G4"`, end: 5, reason: "unexpected 'G' in an escape sequence", offset: 5},
		{in: "\xef\xbb\xbf{}", reason: "unexpected byte 0xef where a value should be"},
		{in: "\x00\x00", reason: "unexpected byte 0x00 where a value should be"},
	}
	for _, tt := range tests {
		start, end, err := Value([]byte(tt.in))
		if start != tt.start || end != tt.end {
			t.Errorf("Value(%q) = %d, %d, want %d, %d", tt.in, start, end, tt.start, tt.end)
		}
		var syntax *SyntaxError
		switch {
		case tt.reason == "" && err != nil:
			t.Errorf("Value(%q): %v", tt.in, err)
		case tt.reason != "" && !errors.As(err, &syntax):
			t.Errorf("Value(%q): error %v, want a SyntaxError", tt.in, err)
		case tt.reason != "" && (syntax.Reason != tt.reason || syntax.Offset != tt.offset):
			t.Errorf("Value(%q): %q at %d, want %q at %d", tt.in, syntax.Reason, syntax.Offset, tt.reason, tt.offset)
		}
	}
}

func TestValueEnds(t *testing.T) {
	for _, in := range []string{"", " ", "\n\t\r "} {
		if _, _, err := Value([]byte(in)); err != io.EOF {
			t.Errorf("Value(%q): %v, want io.EOF", in, err)
		}
	}
	whole := `{"a":[1.5e-3,"x\u00e9\n",true,false,null,{"b":{}}],"c":"d"}`
	for n := 1; n < len(whole); n++ {
		if _, _, err := Value([]byte(whole[:n])); err != io.ErrUnexpectedEOF {
			t.Errorf("Value(%q): %v, want io.ErrUnexpectedEOF", whole[:n], err)
		}
	}
	for _, in := range []string{"-", "1.", "1e", "1e+", "t", "nul", `"`, `"\`, `"\u00`} {
		if _, _, err := Value([]byte(in)); err != io.ErrUnexpectedEOF {
			t.Errorf("Value(%q): %v, want io.ErrUnexpectedEOF", in, err)
		}
	}
}

// TestValueDepth nests far deeper than any recursion could go.
func TestValueDepth(t *testing.T) {
	const depth = 2_000_000
	deep := strings.Repeat(`[{"a":`, depth/2) + "1" + strings.Repeat("}]", depth/2)
	if _, end, err := Value([]byte(deep)); err != nil || end != len(deep) {
		t.Fatalf("Value of depth %d = %d, %v, want %d", depth, end, err, len(deep))
	}
	wrong := []byte(deep)
	wrong[len(wrong)-1] = '}'
	if _, _, err := Value(wrong); err == nil {
		t.Error("a wrong bracket at depth 1 was accepted")
	}
	if v := Get([]byte(deep), "a"); v != nil {
		t.Errorf("an array has a field: %.20q", v)
	}
	Elements([]byte(deep), func(v []byte) bool {
		if len(v) != len(deep)-2 {
			t.Errorf("element has %d bytes, want %d", len(v), len(deep)-2)
		}
		return true
	})
}

func TestKind(t *testing.T) {
	for in, want := range map[string]byte{
		"{}": '{', " [1]": '[', `"x"`: '"', "-1": '0', "7": '0', "true": 't', "false": 'f', "null": 'n', "": 0, "  ": 0, "?": 0,
	} {
		if got := Kind([]byte(in)); got != want {
			t.Errorf("Kind(%q) = %q, want %q", in, got, want)
		}
	}
}

// validSeeds are texts at the borders of the grammar.
var validSeeds = []string{
	`{"id":"a","id":"b"}`, `{"\u0069d":1}`, `[1,2,3]`, `"\\\\\""`, `1e400`, `-0`, `01`, `[1,]`, `{"a":1,}`, `nul`,
	"\"a\x1fb\"", "\"\x7f\xff\"", `"\ud800"`, `{"a":{"b":{"c":[[[]]]}}}`, ` `, "\xef\xbb\xbf{}", `"abcdefgh\tijklmnop"`,
	`123456789012345678901234567890.5e-7`, `[{"a":1} {"b":2}]`, `{"a":"b"`, `truex`, `1 2`,
}

func FuzzValue(f *testing.F) {
	for _, s := range validSeeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		start, end, err := Value(b)
		if start < 0 || start > end || end > len(b) {
			t.Fatalf("Value = %d, %d of %d bytes", start, end, len(b))
		}
		whole := err == nil && spaceEnd(b, end) == len(b)
		if want := json.Valid(b); whole != want {
			// encoding/json refuses what is nested deeper than 10,000.
			if whole && strings.Count(string(b), "[")+strings.Count(string(b), "{") > 10_000 {
				return
			}
			t.Fatalf("Value says %v (%v), encoding/json %v: %q", whole, err, want, b)
		}
	})
}
