package index

import (
	"context"
	"testing"

	"hindcast/fixtures"
)

// TestAgents: the demo's second session is a sub-agent of the first.
func TestAgents(t *testing.T) {
	dir := t.TempDir()
	x := openAll(t, dir, Options{Embedded: fixtures.Demo()}, "demo:")
	ctx := context.Background()
	list, err := x.Agents(ctx, "greeter")
	if err != nil || len(list) != 1 {
		t.Fatalf("agents %+v, %v", list, err)
	}
	a := list[0]
	if a.Session.Parent != "greeter" || a.Call.Session != "greeter" || a.Call.Seq == 0 || a.Answer.Title == "" {
		t.Errorf("agent %+v", a)
	}
	up, err := x.Caller(ctx, a.Session.ID)
	if err != nil || up != a.Call {
		t.Errorf("caller %+v, %v; want %+v", up, err, a.Call)
	}
	if up, err = x.Caller(ctx, "greeter"); err != nil || up.Pos != 0 {
		t.Errorf("a root has no caller: %+v, %v", up, err)
	}
}
