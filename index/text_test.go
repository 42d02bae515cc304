package index

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"hindcast/model"
	"hindcast/model/query"
)

// Text terms answer what a search of every record's decoded text answers,
// whichever way they are asked.
func TestTextTermsAgreeWithANaiveSearch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	writeFile(t, path, faulty(t, 31, 1200))
	x := openAll(t, t.TempDir(), Options{}, path)
	ctx := context.Background()
	all := allEvents(t, x)
	for _, filter := range []string{
		`offset`, `text:"数据"`, `error -text:state`, `(kind:error or text:größe) failed:true`, `text:"src/part"`,
		`-text:offset`, `"go test"`, `text:GRÖSSE`, `text:Error`, `kind:error text:"/"`,
	} {
		where, err := query.Parse(filter)
		if err != nil {
			t.Fatal(err)
		}
		want := make(map[string][]int64)
		hits := 0
		for _, e := range all {
			if query.Eval(where, query.Subject{Event: &e, Text: func() string {
				raw, err := x.Raw(ctx, e)
				if err != nil {
					t.Fatal(err)
				}
				return DecodedText(raw)
			}}) {
				want[e.Session] = append(want[e.Session], e.Pos)
				hits++
			}
		}
		for session, list := range want {
			checkWalks(t, x, filter, session, where, list)
		}
		if hits == 0 && !strings.Contains(filter, "GR") {
			t.Errorf("%s matches nothing: the test does not test", filter)
		}
	}
}

func checkWalks(t *testing.T, x *Index, filter, session string, where query.Expr, want []int64) {
	t.Helper()
	ctx := context.Background()
	var got []int64
	if err := x.Query(ctx, session, where, func(e model.Event) bool {
		got = append(got, e.Pos)
		return true
	}); err != nil {
		t.Fatal(err)
	}
	if !equal(got, want) {
		t.Errorf("query %s of %s: %v, want %v", filter, session, got, want)
	}
	total, before, err := x.Count(ctx, PageQuery{Session: session, Where: where}, want[len(want)/2])
	if err != nil || int(total) != len(want) || int(before) != len(want)/2 {
		t.Errorf("count %s of %s: %d and %d before, %v; want %d", filter, session, total, before, err, len(want))
	}
	for _, back := range []bool{false, true} {
		got = got[:0]
		pos := int64(0)
		if back {
			pos = 1 << 30
		}
		for {
			e, ok, err := x.Next(ctx, session, pos, back, where)
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				break
			}
			pos = e.Pos
			if back {
				got = append([]int64{pos}, got...)
			} else {
				got = append(got, pos)
			}
		}
		if !equal(got, want) {
			t.Errorf("stepping through %s of %s (back %v): %v, want %v", filter, session, back, got, want)
		}
	}
}

func equal(a, b []int64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
