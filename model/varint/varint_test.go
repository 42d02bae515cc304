package varint_test

import (
	"encoding/binary"
	"math"
	"testing"

	"hindcast/model/varint"
)

func TestReadsWhatWasWritten(t *testing.T) {
	numbers := []int64{0, 1, -1, 63, 64, -65, 127, 128, 300, -300, 1 << 20, math.MaxInt64, math.MinInt64}
	var b []byte
	for _, n := range numbers {
		b = binary.AppendVarint(b, n)
		b = binary.AppendUvarint(b, uint64(n))
		b = varint.AppendText(append(b, 7), "text")
	}
	r, s := varint.Of(b), varint.Of(string(b))
	for _, n := range numbers {
		if got, too := r.Int(), s.Int(); got != n || too != n {
			t.Errorf("%d: read %d and %d", n, got, too)
		}
		if got, too := r.Uint(), s.Uint(); got != uint64(n) || too != uint64(n) {
			t.Errorf("%d: read %d and %d", uint64(n), got, too)
		}
		if r.Byte() != 7 || s.Byte() != 7 || string(r.Text()) != "text" || s.Text() != "text" {
			t.Errorf("behind %d: not what was written", n)
		}
	}
	if r.Bad || s.Bad || r.More() || s.More() {
		t.Error("there is something left, or missing")
	}
}

func TestWhatIsNotThere(t *testing.T) {
	long := []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02}
	for name, read := range map[string]func(r *varint.Reader[[]byte]){
		"a byte behind the end":   func(r *varint.Reader[[]byte]) { r.Rest = nil; r.Byte() },
		"a number behind the end": func(r *varint.Reader[[]byte]) { r.Rest = nil; r.Int() },
		"a number that is cut":    func(r *varint.Reader[[]byte]) { r.Rest = r.Rest[:3]; r.Uint() },
		"a number of 65 bits":     func(r *varint.Reader[[]byte]) { r.Uint() },
		"a count of 64 bits":      func(r *varint.Reader[[]byte]) { r.Rest[9] = 1; r.Count() },
		"more than is left":       func(r *varint.Reader[[]byte]) { r.Take(11) },
		"less than nothing":       func(r *varint.Reader[[]byte]) { r.Take(-1) },
		"a text that is cut":      func(r *varint.Reader[[]byte]) { r.Rest = []byte{3, 'a', 'b'}; r.Text() },
	} {
		r := varint.Of(append([]byte(nil), long...))
		read(&r)
		if !r.Bad || r.More() || r.Uint() != 0 || len(r.Text()) != 0 || r.Byte() != 0 {
			t.Errorf("%s: not found bad", name)
		}
	}
}
