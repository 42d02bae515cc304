package jsonscan

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	tests := []struct{ in, want string }{
		{`"plain"`, "plain"},
		{` "spaced" `, "spaced"},
		{`""`, ""},
		{`"a\"b\\c\/d\b\f\n\r\t"`, "a\"b\\c/d\b\f\n\r\t"},
		{`"\u0041\u00e9\u20ac\u0000"`, "Aé€\x00"},
		{`"\ud83d\ude00"`, "😀"},
		{`"\ud800"`, `\ud800`},
		{`"\uD801x"`, `\uD801x`},
		{`"\udc00\ud800"`, `\udc00\ud800`},
		{`"\ud800\u0041"`, `\ud800A`},
		{`"\ud800\ud83d\ude00"`, `\ud800😀`},
		{"\"\xff\xc0\xaf\xed\xa0\x80\"", "\xff\xc0\xaf\xed\xa0\x80"},
	}
	for _, tt := range tests {
		if got, ok := Text([]byte(tt.in)); !ok || got != tt.want {
			t.Errorf("Text(%s) = %q, %v, want %q", tt.in, got, ok, tt.want)
		}
	}
	for _, in := range []string{"", `"`, "1", "null", "{}", `["a"]`} {
		if got, ok := Text([]byte(in)); ok {
			t.Errorf("Text(%s) = %q, want none", in, got)
		}
	}
}

func TestScalar(t *testing.T) {
	for in, want := range map[string]string{
		`"x\n"`: "x\n", " 1.50 ": "1.50", "1e400": "1e400", "9007199254740993": "9007199254740993",
		"true": "true", "false": "false", "null": "", "{}": "", "[1]": "", "": "",
	} {
		if got := Scalar([]byte(in)); got != want {
			t.Errorf("Scalar(%s) = %q, want %q", in, got, want)
		}
	}
}

func TestInt(t *testing.T) {
	for in, want := range map[string]int64{
		"7": 7, "-7": -7, "7.0": 7, "7.000": 7, "1e3": 1000, "1E+3": 1000, "1200e-2": 12, "0.5e1": 5, "0.0010e4": 10,
		"-0": 0, "0e999999999999": 0, "-1.5e1": -15, `"7"`: 7, `"-12"`: -12, `"007"`: 7, "1000000000000": 1e12,
		"9223372036854775807": math.MaxInt64, "-9223372036854775808": math.MinInt64, "9.223372036854775807e18": math.MaxInt64,
	} {
		if got, ok := Int([]byte(in)); !ok || got != want {
			t.Errorf("Int(%s) = %d, %v, want %d", in, got, ok, want)
		}
	}
	for _, in := range []string{
		"7.5", "1e-1", "9223372036854775808", "1e19", "1e400", "1e99999999999999999999", "1e-99999999999999999999",
		"0.1", "null", "true", "[]", "{}", `""`, `"+1"`, `"1.0"`, `"1_000"`, `"x"`, `"-"`, `" 1"`, "",
	} {
		if got, ok := Int([]byte(in)); ok {
			t.Errorf("Int(%s) = %d, want none", in, got)
		}
	}
}

func TestFloatAndBool(t *testing.T) {
	for in, want := range map[string]float64{"1.5": 1.5, "-2": -2, "1e-400": 0, "1E+2": 100} {
		if got, ok := Float([]byte(in)); !ok || got != want {
			t.Errorf("Float(%s) = %v, %v, want %v", in, got, ok, want)
		}
	}
	for _, in := range []string{"1e400", "-1e400", `"1"`, "null", ""} {
		if got, ok := Float([]byte(in)); ok {
			t.Errorf("Float(%s) = %v, want none", in, got)
		}
	}
	for in, want := range map[string][2]bool{"true": {true, true}, " false ": {false, true}, "null": {}, `"true"`: {}, "1": {}} {
		if got, ok := Bool([]byte(in)); got != want[0] || ok != want[1] {
			t.Errorf("Bool(%s) = %v, %v, want %v", in, got, ok, want)
		}
	}
}

func TestStrings(t *testing.T) {
	in := []byte(`{"a":"x\"y","b":[1,"z",{"c" : "w","d\n":null}],"e":""}`)
	tests := []struct {
		keys bool
		want []string
	}{
		{false, []string{`x"y`, "z", "w", ""}},
		{true, []string{"a", `x"y`, "b", "z", "c", "w", "d\n", "e", ""}},
	}
	for _, tt := range tests {
		var got []string
		Strings(in, tt.keys, func(s string) bool { got = append(got, s); return true })
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("Strings(keys %v) = %q, want %q", tt.keys, got, tt.want)
		}
	}
	n := 0
	Strings(in, true, func(string) bool { n++; return n < 3 })
	if n != 3 {
		t.Errorf("Strings went on after false: %d calls", n)
	}
}

func TestFields(t *testing.T) {
	in := []byte(` { "id" : "a" , "ID":"b","\u0069d":[1, {"x":"}"}],"":{} ,"a.b":-1.5,"z":null}`)
	want := []string{"id", `"a"`, "ID", `"b"`, "id", `[1, {"x":"}"}]`, "", "{}", "a.b", "-1.5", "z", "null"}
	var got []string
	Fields(in, func(key string, value []byte) bool {
		got = append(got, key, string(value))
		return true
	})
	if !reflect.DeepEqual(got, want) {
		t.Errorf("Fields = %q, want %q", got, want)
	}
	for _, in := range []string{"", "[]", `"x"`, "null", "7", "{}"} {
		Fields([]byte(in), func(key string, _ []byte) bool {
			t.Errorf("Fields(%s) gave %q", in, key)
			return true
		})
	}
}

func TestGet(t *testing.T) {
	in := []byte(`{"a":{"b":1},"a":{"c":[2]},"Id":3,"x\ty":4,"\ud800":5}`)
	tests := []struct {
		keys []string
		want string
	}{
		{[]string{"a"}, `{"c":[2]}`},
		{[]string{"a", "c"}, "[2]"},
		{[]string{"a", "b"}, ""},
		{[]string{"id"}, ""},
		{[]string{"Id"}, "3"},
		{[]string{"Id", "x"}, ""},
		{[]string{"x\ty"}, "4"},
		{[]string{`\ud800`}, "5"},
	}
	for _, tt := range tests {
		got := Get(in, tt.keys...)
		if string(got) != tt.want || (tt.want == "") != (got == nil) {
			t.Errorf("Get(%q) = %q, want %q", tt.keys, got, tt.want)
		}
	}
}

func TestElements(t *testing.T) {
	var got []string
	Elements([]byte(` [ 1 ,"a,]" , {"b":[2]},[ ], null ] `), func(v []byte) bool {
		got = append(got, string(v))
		return true
	})
	if want := []string{"1", `"a,]"`, `{"b":[2]}`, "[ ]", "null"}; !reflect.DeepEqual(got, want) {
		t.Errorf("Elements = %q, want %q", got, want)
	}
}

// TestUnvalidated feeds the functions for valid text with cut and spoilt text:
// they may answer anything, but have to return.
func TestUnvalidated(t *testing.T) {
	whole := `{"a":[1,{"b":"c\\\"\u00e9\ud800"}],"d":-1.5e3,"e":null}`
	for n := range len(whole) + 1 {
		for _, c := range []string{"", "}", "]", `"`, `\`, ",", ":", "\x00", `\u`} {
			useAll([]byte(whole[:n] + c))
			useAll([]byte(whole[:n] + c + whole[n:]))
		}
	}
}

func useAll(b []byte) {
	Fields(b, func(_ string, v []byte) bool { Scalar(v); Int(v); Float(v); return true })
	Elements(b, func(v []byte) bool { Str(v); return true })
	Strings(b, true, func(string) bool { return true })
	Get(b, "a", "b")
	Kind(b)
	Scalar(b)
	Int(b)
	Float(b)
	Bool(b)
}

func FuzzGet(f *testing.F) {
	for _, s := range validSeeds {
		f.Add([]byte(s))
	}
	f.Add([]byte(`{"a":{"b":"c"},"a\/":[1,{"d":"\ud83d\ude00"}], "":7.0}`))
	f.Add([]byte(`1e-700`)) // a float calls it zero
	f.Fuzz(func(t *testing.T, b []byte) {
		useAll(b)
		d := json.NewDecoder(strings.NewReader(string(b)))
		d.UseNumber()
		var v any
		// encoding/json changes what is no UTF-8 and lone surrogates.
		if !json.Valid(b) || !utf8.Valid(b) || d.Decode(&v) != nil || strings.Contains(string(b), `\u`) && strings.ContainsAny(string(b), "dD") {
			return
		}
		same(t, b, v, 0)
	})
}

// same compares a value with what encoding/json made of it.
func same(t *testing.T, b []byte, want any, depth int) {
	if depth > 100 {
		return
	}
	switch want := want.(type) {
	case map[string]any:
		seen := map[string]bool{}
		Fields(b, func(key string, _ []byte) bool { seen[key] = true; return true })
		if len(seen) != len(want) {
			t.Fatalf("Fields(%q): %d keys, want %d", b, len(seen), len(want))
		}
		for key, v := range want {
			got := Get(b, key)
			if got == nil {
				t.Fatalf("Get(%q, %q) = nil", b, key)
			}
			same(t, got, v, depth+1)
		}
	case []any:
		n := 0
		Elements(b, func(v []byte) bool {
			if n < len(want) {
				same(t, v, want[n], depth+1)
			}
			n++
			return true
		})
		if n != len(want) {
			t.Fatalf("Elements(%q): %d, want %d", b, n, len(want))
		}
	case string:
		if got, ok := Text(b); !ok || got != want {
			t.Fatalf("Text(%q) = %q, %v, want %q", b, got, ok, want)
		}
	case json.Number:
		if got := Scalar(b); got != string(want) {
			t.Fatalf("Scalar(%q) = %q, want %q", b, got, want)
		}
		checkInt(t, b, want)
	case bool:
		if got, ok := Bool(b); !ok || got != want {
			t.Fatalf("Bool(%q) = %v, %v", b, got, ok)
		}
	case nil:
		if Kind(b) != 'n' {
			t.Fatalf("Kind(%q) = %q, want n", b, Kind(b))
		}
	}
}

// checkInt compares Int with the float where that is exact.
func checkInt(t *testing.T, b []byte, want json.Number) {
	x, err := want.Float64()
	n, ok := Int(b)
	if err == nil && math.Abs(x) < 1<<53 && len(want) < 16 {
		mantissa, _, _ := strings.Cut(strings.ToLower(string(want)), "e")
		underflow := x == 0 && strings.ContainsAny(mantissa, "123456789")
		if whole := x == math.Trunc(x) && !underflow; ok != whole || whole && float64(n) != x {
			t.Fatalf("Int(%s) = %d, %v, want %v", want, n, ok, x)
		}
	}
}
