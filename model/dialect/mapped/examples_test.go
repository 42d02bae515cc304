package mapped_test

import (
	"testing"

	"hindcast/fixtures"
	"hindcast/fixtures/trial"
	"hindcast/index/mapping"
	"hindcast/model/dialect/mapped"
)

// example makes the dialect of a mapping of fixtures/mappings.
func example(t testing.TB, name string) mapped.Dialect {
	t.Helper()
	text, err := fixtures.FS.ReadFile("mappings/" + name + ".toml")
	if err != nil {
		t.Fatal(err)
	}
	m, err := mapping.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	d, err := mapped.New(m)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// The examples are read as they should be, also where a stop lies between any
// two events.
func TestExamples(t *testing.T) {
	dump := trial.Fixture(t, "mappings")
	im := trial.Import(t, example(t, "orders"), trial.Only(dump, "orders.jsonl"))
	if got, want := im.Session(t, "order-7").Titles(), `state order 7 of c-114: 59.90 EUR
state AddressChanged street=Hafenweg 4 city=Münster total=64.80
checkpoint snapshot e-04
error order cancelled: payment declined
other MailSent to=c-114 subject=Your order 7 was cancelled
`; got != want {
		t.Errorf("orders:\n%s", got)
	}
	im = trial.Import(t, example(t, "agent"), trial.Only(dump, "agent.jsonl"))
	run := im.Session(t, "r-9")
	if got, want := run.Titles(), `message The rate limiter lets bursts through. Find out why and mend it.
message I look at the limiter first.
action open: limiter.go
observation open burst := 10 refill := burst * 10
state task 1 done
action delegate: run the tests of limiter
observation delegate TestBurst fails: 100 tokens refilled, want 10
action patch: limiter.go
observation patch patched limiter.go
checkpoint limiter.go refilled ten times the burst; the patch is in.
other tick load=0.7
other lease_lost holder=worker-4
session aborted: the lease was lost
`; got != want {
		t.Errorf("agent:\n%s", got)
	}
	if got := run.Cell(t, 13, "/tasks/1"); got.(map[string]any)["title"] != "read limiter.go" {
		t.Errorf("the task that was changed by its id: %v", got)
	}
	if sum := im.Session(t, "r-9.1").Linker.Summary(); sum.Parent != "r-9" {
		t.Errorf("parent %q", sum.Parent)
	}
	if len(im.Broken) > 0 {
		t.Errorf("broken: %q", im.Broken)
	}
}
