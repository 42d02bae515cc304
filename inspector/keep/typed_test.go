package keep_test

import (
	"fmt"
	"reflect"
	"testing"

	"hindcast/inspector/keep"
)

func TestTyped(t *testing.T) {
	s := store(t)
	for i := range keep.TypedLimit + 5 {
		if err := s.AddTyped("search", fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.AddTyped("search", "7"); err != nil {
		t.Fatal(err)
	}
	got, err := s.Typed("search")
	if err != nil || len(got) != keep.TypedLimit || got[0] != "5" || got[len(got)-1] != "7" || got[2] != "8" {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := s.Typed("filter"); got != nil || err != nil {
		t.Errorf("%q, %v of a prompt that was not used", got, err)
	}
	var none *keep.Store
	if got, err := none.Typed("x"); got != nil || err != nil || none.AddTyped("x", "y") != nil {
		t.Error("no store keeps something")
	}
}

func TestFilters(t *testing.T) {
	s := store(t)
	for name, filter := range map[string]string{"slow": "bytes:>10k", "bad": "failed:true", "../x": "kind:error"} {
		if err := s.SetFilter(name, filter); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.SetFilter("bad", ""); err != nil {
		t.Fatal(err)
	}
	if err := s.SetFilter("never", ""); err != nil {
		t.Fatal(err)
	}
	got, problems := s.Filters()
	want := []keep.Filter{{Version: 1, Name: "../x", Filter: "kind:error"}, {Version: 1, Name: "slow", Filter: "bytes:>10k"}}
	if !reflect.DeepEqual(got, want) || problems != nil {
		t.Errorf("%v, %v", got, problems)
	}
}
