package model_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"hindcast/model"
)

// describe writes readings in a short form for tables: one word a reading.
func describe(list []model.Reading) string {
	var out []string
	for _, r := range list {
		var s string
		switch r.Form {
		case model.FormFirst:
			s = "first"
		case model.FormLast:
			s = "last"
		case model.FormSeq:
			s = fmt.Sprintf("seq=%d", r.N)
		case model.FormPos:
			s = fmt.Sprintf("pos=%d", r.N)
		case model.FormID:
			s = "id=" + r.Text
		case model.FormPrefix:
			s = "prefix"
		case model.FormOffset:
			s = fmt.Sprintf("(%s)%+d", describe(r.Base.Readings), r.Step)
		case model.FormError:
			s = fmt.Sprintf("error=%d", r.N)
		case model.FormCheckpoint:
			s = fmt.Sprintf("cp=%d%+d", r.N, r.Step)
		case model.FormTurn:
			s = fmt.Sprintf("turn=%d", r.N)
		case model.FormContext:
			s = fmt.Sprintf("ctx=%d", r.N)
		case model.FormMark:
			s = "mark=" + r.Text
		case model.FormTime:
			s = "time=" + r.Time.Std().Format("2006-01-02T15:04:05")
		case model.FormElapsed:
			s = fmt.Sprintf("elapsed=%d", r.Nano)
		case model.FormPasted:
			s = "pasted"
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func TestParseAddress(t *testing.T) {
	tests := []struct{ in, session, want string }{
		{"first", "", "first id=first"},
		{"last", "", "last id=last"},
		{"Last", "", "id=Last prefix"},
		{"error", "", "error=-1 id=error"},
		{"error:first", "", "error=1 id=error:first"},
		{"error:last", "", "error=-1 id=error:last"},
		{"error:2", "", "error=2 id=error:2"},
		{"error:-2", "", "error=-2 id=error:-2"},
		{"error:0", "", "id=error:0 prefix"},
		{"error:x", "", "id=error:x prefix"},
		{"error:", "", "id=error: prefix"},
		{"checkpoint:1", "", "cp=1+0 id=checkpoint:1"},
		{"cp:1", "", "cp=1+0 id=cp:1"},
		{"cp", "", "cp=-1+0 id=cp"},
		{"cp:-1", "", "cp=-1+0 id=cp:-1"},
		{"cp:2-3", "", "cp=2-3 id=cp:2-3"},
		{"cp:2+1", "", "cp=2+1 id=cp:2+1"},
		{"cp:-1-2", "", "cp=-1-2 id=cp:-1-2"},
		{"cp:last+4", "", "cp=-1+4 id=cp:last+4"},
		{"cp:0", "", "id=cp:0 prefix"},
		{"turn:3", "", "turn=3 id=turn:3"},
		{"ctx:7", "", "ctx=7 id=ctx:7"},
		{"ctx:0", "", "ctx=0 id=ctx:0"},
		{"ctx:-1", "", "id=ctx:-1 (id=ctx: prefix)-1 prefix"},
		{"mark:a", "", "mark=a id=mark:a"},
		{"mark:", "", "id=mark: prefix"},
		{"91", "", "seq=91 id=91"},
		{"0", "", "seq=0 id=0"},
		{"007", "", "seq=7 id=007"},
		{"-1", "", "seq=-1 id=-1"},
		{"seq:-1", "", "seq=-1 id=seq:-1"},
		{"seq:91", "", "seq=91 id=seq:91"},
		{"12345", "", "seq=12345 id=12345 prefix"},
		{"+5", "", "id=+5"},
		{"99999999999999999999", "", "seq=9223372036854775807 id=99999999999999999999 prefix"},
		{"-99999999999999999999", "", "seq=-9223372036854775808 id=-99999999999999999999 prefix"},
		{"#12", "", "pos=12 id=#12"},
		{"#", "", "id=#"},
		{"#1a", "", "id=#1a"},
		{"evt_0091", "", "id=evt_0091 prefix"},
		{"evt", "", "id=evt"},
		{"übe", "", "id=übe"},
		{"über", "", "id=über prefix"},
		{"id:91", "", "id=91"},
		{"id:s1@@91", "", "id=s1@@91"},
		{"id:a+2", "", "id=a+2"},
		{"91+2", "", "id=91+2 (seq=91 id=91)+2 prefix"},
		{"#12-3", "", "id=#12-3 (pos=12 id=#12)-3 prefix"},
		{"error-1", "", "id=error-1 (error=-1 id=error)-1 prefix"},
		{"a+1+2", "", "id=a+1+2 (id=a+1 (id=a)+1)+2 prefix"},
		{"a+", "", "id=a+"},
		{"a+x1", "", "id=a+x1 prefix"},
		{"@2026-03-01T10:00:00Z", "", "time=2026-03-01T10:00:00 id=@2026-03-01T10:00:00Z"},
		{"@2026-03-01T12:00:00+02:00", "", "time=2026-03-01T10:00:00 id=@2026-03-01T12:00:00+02:00"},
		{"@2026-03-01", "", "time=2026-03-01T00:00:00 id=@2026-03-01"},
		{"@+90s", "", "elapsed=90000000000 id=@+90s"},
		{"@+1h30m", "", "elapsed=5400000000000 id=@+1h30m"},
		{"@+90", "", "id=@+90 (id=@)+90 prefix"},
		{"s1@@91", "s1", "seq=91 id=91"},
		{"s1@@error:2", "s1", "error=2 id=error:2"},
		{"s1@@@+90s", "s1", "elapsed=90000000000 id=@+90s"},
		{"s1@@id:x@@y", "s1", "id=x@@y"},
		{"@@91", "", "id=@@91 prefix"},
		{" 91 ", "", "seq=91 id=91"},
		{"toolu_01AbC", "", "id=toolu_01AbC prefix"},
		{`messages.19: tool_use without result: toolu_01AbC`, "", "id=messages.19: tool_use without result: toolu_01AbC prefix pasted"},
		{"messages[7]", "", "id=messages[7] prefix pasted"},
	}
	for _, tt := range tests {
		a, err := model.ParseAddress(tt.in)
		if err != nil {
			t.Errorf("ParseAddress(%q): %v", tt.in, err)
			continue
		}
		if got := describe(a.Readings); got != tt.want || a.Session != tt.session || a.Text != tt.in {
			t.Errorf("ParseAddress(%q) = %q in %q, want %q in %q", tt.in, got, a.Session, tt.want, tt.session)
		}
	}
	for _, in := range []string{"", "  ", "id:", "s1@@", "s1@@id:", strings.Repeat("x", model.MaxAddressText+1)} {
		_, err := model.ParseAddress(in)
		var syntax *model.AddressSyntaxError
		if !errors.As(err, &syntax) || syntax.Hint == "" {
			t.Errorf("ParseAddress(%.20q) = %v, want an AddressSyntaxError", in, err)
		}
	}
}

func TestParseAddressBoundsOffsets(t *testing.T) {
	a, err := model.ParseAddress("a" + strings.Repeat("+1", 10000))
	if err != nil {
		t.Fatal(err)
	}
	depth := 0
	for next := &a; next != nil; depth++ {
		var base *model.Address
		for _, r := range next.Readings {
			if r.Base != nil {
				base = r.Base
			}
		}
		next = base
	}
	if depth != model.MaxOffsets+1 {
		t.Errorf("%d addresses deep, want %d", depth, model.MaxOffsets+1)
	}
}

func TestParseRange(t *testing.T) {
	tests := []struct{ in, a, b, sessions string }{
		{"80..95", "seq=80 id=80", "seq=95 id=95", "/"},
		{"first..error", "first id=first", "error=-1 id=error", "/"},
		{"s1@@5..9", "seq=5 id=5", "seq=9 id=9", "s1/s1"},
		{"s1@@5..s2@@9", "seq=5 id=5", "seq=9 id=9", "s1/s2"},
		{"-3..-1", "seq=-3 id=-3", "seq=-1 id=-1", "/"},
	}
	for _, tt := range tests {
		r, err := model.ParseRange(tt.in)
		if err != nil {
			t.Errorf("ParseRange(%q): %v", tt.in, err)
			continue
		}
		if a, b := describe(r.A.Readings), describe(r.B.Readings); a != tt.a || b != tt.b || r.A.Session+"/"+r.B.Session != tt.sessions {
			t.Errorf("ParseRange(%q) = %q %q in %s/%s", tt.in, a, b, r.A.Session, r.B.Session)
		}
	}
	for _, in := range []string{"", "80", "80..", "..95", "..", "id:..5", "5..id:"} {
		if r, err := model.ParseRange(in); err == nil {
			t.Errorf("ParseRange(%q) = %v, want an error", in, r)
		}
	}
}

func TestPasted(t *testing.T) {
	tests := []struct {
		in, ids  string
		messages string
	}{
		{"messages.19: `tool_use` ids were found without `tool_result`: toolu_01AbC. Each", "toolu_01AbC", "[19]"},
		{`{"error":{"message":"messages[7].content: bad","request":"req_011Csx"}}`, "req_011Csx", "[7]"},
		{"Invalid parameter: call_9f call_9f call_8e", "call_9f call_8e", "[]"},
		{"3e1f6c1a-6c1a-4d0e-9f6e-1a2b3c4d5e6f", "3e1f6c1a-6c1a-4d0e-9f6e-1a2b3c4d5e6f", "[]"},
		{"on 2026-03-01 at 10 nothing", "", "[]"},
		{"messages[99999999999999999999] messages[x] messages.", "", "[]"},
	}
	for _, tt := range tests {
		ids, messages := model.Pasted(tt.in)
		if strings.Join(ids, " ") != tt.ids || fmt.Sprint(messages) != tt.messages {
			t.Errorf("Pasted(%q) = %q %v", tt.in, ids, messages)
		}
	}
}

func TestElapsed(t *testing.T) {
	for in, want := range map[string]int64{
		"90s": 90e9, "1h30m": 5400e9, "2d": 172800e9, "1.5s": 1500e6, "10ms": 10e6, "1w": 604800e9, "0s": 0, "5us3ns": 5003, "1m1ms": 60001e6,
	} {
		got, ok := model.ParseElapsed(in)
		if !ok || got != want {
			t.Errorf("ParseElapsed(%q) = %d, %v; want %d", in, got, ok, want)
		}
		if again, ok := model.ParseElapsed(model.FormatElapsed(got)); !ok || again != got {
			t.Errorf("FormatElapsed(%d) = %q, which reads as %d", got, model.FormatElapsed(got), again)
		}
	}
	for _, in := range []string{"", "90", "s", "-1s", "1 s", "1x", "1..2s", "99999999999999w", "1h30", "9e9s"} {
		if got, ok := model.ParseElapsed(in); ok {
			t.Errorf("ParseElapsed(%q) = %d, want none", in, got)
		}
	}
}

func FuzzParseAddress(f *testing.F) {
	for _, s := range []string{"s1@@error:2", "cp:-1-2", "@+90s", "@2026-03-01T10:00:00Z", "91+2-3", "messages[7] toolu_01AbC", "id:\xff", "#-9"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := model.ParseAddress(s)
		if (err == nil) != (len(a.Readings) > 0) {
			t.Fatalf("ParseAddress(%q): %d readings, %v", s, len(a.Readings), err)
		}
		if _, err := model.ParseRange(s); err != nil && err.Error() == "" {
			t.Fatal("an error without text")
		}
	})
}

func BenchmarkParseAddress(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := model.ParseAddress("s1@@evt_0091-3"); err != nil {
			b.Fatal(err)
		}
	}
}

func TestMisread(t *testing.T) {
	for in, want := range map[string]string{
		"error:0": "counted", "cp:x": "counted", "turn:": "counted", "s1@@error:0": "counted", "@soon": "time", "@-1s": "time", "seq:x": "number", "80..95": "range", "first..error": "range",
		"evt_0001": "", "id:error:0": "", "12": "", "tool_use ids were found.. call_12": "",
	} {
		a, err := model.ParseAddress(in)
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Misread(); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("Misread of %q: %q, want %q", in, got, want)
		}
	}
}
