package openhands

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"hindcast/model"
)

// keysOf reads order keys written as "id@time", with "<parent" and, for a call
// or a result, "+call" or "=call". A time of "-" is unknown.
func keysOf(s string) []model.OrderKey {
	var keys []model.OrderKey
	for _, f := range strings.Fields(s) {
		var k model.OrderKey
		if i := strings.IndexAny(f, "+="); i >= 0 {
			k.Kind = model.KindObservation
			if f[i] == '+' {
				k.Kind = model.KindAction
			}
			k.Call, f = f[i+1:], f[:i]
		}
		f, k.Parent, _ = strings.Cut(f, "<")
		var at string
		k.ID, at, _ = strings.Cut(f, "@")
		if at != "-" {
			k.Time.Known = true
			fmt.Sscan(at, &k.Time.Nanos)
		}
		keys = append(keys, k)
	}
	return keys
}

func TestReorder(t *testing.T) {
	tests := []struct{ name, keys, want string }{
		{"empty", "", ""},
		{"in order already", "a@1 b@2<a c@3<b", "a b c"},
		{"tools side by side: parents tell", "a@1 o3@4<o2 o4@5<o3 o2@9<a s@10<o4", "a o2 o3 o4 s"},
		{"newest first", "c@3 b@2 a@1", "a b c"},
		{"names of random ids", "d@4 a@1 c@3 b@2 f@6 e@5", "a b c d e f"},
		{"a state without parent keeps its place", "a@1 x@2 b@3<a", "a x b"},
		{"ties keep arrival", "b@1 a@1 c@1", "b a c"},
		{"no times at all", "b@- a@-<b", "b a"},
		{"a child before its parent, no times", "a@-<b b@-", "b a"},
		{"result before its call", "u@1 o@2=x a@3+x z@4", "u a o z"},
		{"results of calls with one id", "a@1+x o@2=x p@3=x b@4+x", "a o p b"},
		{"the nearest open call", "a@1+x b@2+x o@3=x p@4=x", "a b o p"},
		{"a ring", "a@1<b b@2<a c@3<a", "a b c"},
		{"its own parent", "a@1<a b@2<a", "a b"},
		{"a parent that is not there", "a@1<gone b@2<a", "a b"},
		{"two records of one id", "a@1 a@2 b@3<a", "a a b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			keys := keysOf(tt.keys)
			var got []string
			for _, i := range New().(model.Reorderer).Reorder(keys) {
				got = append(got, keys[i].ID)
			}
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("got %q, want %q", s, tt.want)
			}
		})
	}
}

// FuzzReorder looks for a permutation in which nothing stands before its
// parent, except in rings.
func FuzzReorder(f *testing.F) {
	f.Add([]byte("abcabcabc"))
	f.Add([]byte{9, 8, 7, 6, 5, 4, 3, 2, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		var keys []model.OrderKey
		for i := 0; i+2 < len(b); i += 3 {
			keys = append(keys, model.OrderKey{
				ID: fmt.Sprint(i / 3), Parent: fmt.Sprint(int(b[i]) - 100), Call: fmt.Sprint(b[i+1] % 4),
				Kind: model.Kind(b[i+1] % 5), Time: model.Time{Known: b[i+2] > 3, Nanos: int64(b[i+2])},
			})
		}
		got := New().(model.Reorderer).Reorder(keys)
		sorted := slices.Clone(got)
		slices.Sort(sorted)
		for i, n := range sorted {
			if i != n || len(sorted) != len(keys) {
				t.Fatalf("no permutation: %v", got)
			}
		}
		if again := New().(model.Reorderer).Reorder(keys); !slices.Equal(got, again) {
			t.Fatal("two answers")
		}
		place := make([]int, len(keys))
		for r, i := range got {
			place[i] = r
		}
		for i := range keys {
			if p := keyParent(keys, i); p >= 0 && !inRing(keys, i) && place[p] > place[i] {
				t.Fatalf("%d stands before its parent %d: %v", i, p, got)
			}
		}
	})
}

func keyParent(keys []model.OrderKey, i int) int {
	return slices.IndexFunc(keys, func(k model.OrderKey) bool { return k.ID == keys[i].Parent && k.ID != keys[i].ID })
}

// inRing reports whether the parents of i end in a ring.
func inRing(keys []model.OrderKey, i int) bool {
	for range keys {
		if i = keyParent(keys, i); i < 0 {
			return false
		}
	}
	return true
}

func BenchmarkReorder(b *testing.B) {
	keys := make([]model.OrderKey, 100_000)
	for i := range keys {
		// Every tenth record was stamped before the one it stands on.
		at := int64(i)
		if i%10 == 9 {
			at -= 5
		}
		keys[i] = model.OrderKey{ID: fmt.Sprint(i), Parent: fmt.Sprint(i - 1), Time: model.Time{Known: true, Nanos: at}}
	}
	b.ReportAllocs()
	for b.Loop() {
		New().(model.Reorderer).Reorder(keys)
	}
}
