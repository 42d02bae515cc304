package eventstore_test

import (
	"fmt"
	"strings"
	"testing"

	"hindcast/fixtures/trial"
	"hindcast/model"
	"hindcast/model/dialect/eventstore"
)

// told is what a session came to: kind, failed, seq, title, causes.
func told(s *trial.Session) string {
	var b strings.Builder
	for _, e := range s.Events {
		fmt.Fprintf(&b, "%d %s %v %s", e.Seq, e.Kind, e.Outcome.Failed(), e.Title)
		for _, l := range e.Links {
			fmt.Fprintf(&b, " ← %s %s", l.Reason, l.ToID)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func want(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestCloudEvents(t *testing.T) {
	im := trial.Import(t, eventstore.CloudEvents(), trial.Only(trial.Fixture(t, "eventstore"), "orders.cloudevents.jsonl"))
	orders := im.Session(t, "/orders")
	want(t, told(orders), "1 state false order.placed order=7 total=12.5\n2 state false order.cancelled order=7 total=0 ← source p-2\n")
	want(t, told(im.Session(t, "/payments")), "1 state false payment.requested order=7 amount=12.5 ← source o-1\n2 error true payment.failed order=7 reason=card expired ← source p-1\n")
	if got := orders.Cell(t, 2, "/vars/total"); fmt.Sprint(got) != "0" {
		t.Errorf("total after the second event: %v", got)
	}
}

func TestKurrentDB(t *testing.T) {
	im := trial.Import(t, eventstore.KurrentDB(), trial.Only(trial.Fixture(t, "eventstore"), "run.kurrentdb.json"))
	run := im.Session(t, "run-3")
	want(t, told(run), `0 state false RunStarted goal=mend the rate
1 state false ToolCalled tool=bash cmd=make test ← source 0b7f2a10-0000-4000-8000-000000000001
2 error true ToolFailed exit=1 ← source 0b7f2a10-0000-4000-8000-000000000002
`)
	if got := run.Cell(t, 3, "/vars/cmd"); got != "make test" {
		t.Errorf("cmd: %v", got)
	}
	if e := im.Session(t, "$et-ToolCalled").Events[0]; e.Kind != model.KindOther || !e.Noise {
		t.Errorf("the store's own link: %v, noise %v", e.Kind, e.Noise)
	}
}

func TestMarten(t *testing.T) {
	fixture := trial.Fixture(t, "eventstore")
	im := trial.Import(t, eventstore.Marten(), trial.Only(fixture, "trips.marten.json"))
	want(t, told(im.Session(t, "trip-1")), "1 state false trip_started Day=1\n2 state false travel Day=1 Miles=40 ← source 5c4c1f2e-9e7d-4c52-8d0c-000000000001\n")
	want(t, told(im.Session(t, "trip-2")), "1 checkpoint false trip_snapshot Day=2\n")
	im = trial.Import(t, eventstore.Marten(), trial.Only(fixture, "bare.marten.json"))
	want(t, told(im.Session(t, "bare.marten/1")), "1 state false TripStarted Day=1\n2 state false Travel Day=1 Miles=40\n")
	want(t, told(im.Session(t, "bare.marten/2")), "1 error true TripRejected Day=2\n")
}

func TestKurrentSample(t *testing.T) {
	im := trial.Import(t, eventstore.KurrentDB(), trial.Data(t, "eventstore/kurrentdb-read-all/input"))
	if len(im.Sessions) != 2 || len(im.Session(t, "run-7").Events) != 4 || len(im.Session(t, "file-calc.py").Events) != 2 {
		t.Errorf("%d sessions", len(im.Sessions))
	}
	if failed := im.Session(t, "run-7").Failed(); len(failed) != 1 {
		t.Errorf("failed: %v", failed)
	}
}

func TestMartenSample(t *testing.T) {
	im := trial.Import(t, eventstore.Marten(), trial.Data(t, "eventstore/marten-perf-trips/input"))
	types := map[string]int{}
	n := 0
	for _, s := range im.Sessions {
		for _, e := range s.Events {
			types[e.Type]++
			n++
		}
	}
	if len(im.Sessions) != 60 || n != 1472 || types["DaemonTests.TestingSupport.Travel, DaemonTests"] != 575 {
		t.Errorf("%d sessions, %d events, %v", len(im.Sessions), n, types)
	}
}

func TestCloudEventsSample(t *testing.T) {
	im := trial.Import(t, eventstore.CloudEvents(), trial.Data(t, "cloudevents/spec-correlation-examples/input"))
	links, failed := 0, []string{}
	for _, s := range im.Sessions {
		for _, e := range s.Events {
			links += len(e.Links)
			if e.Outcome.Failed() {
				failed = append(failed, e.ID)
			}
		}
	}
	if links != 7 || len(failed) != 1 || failed[0] != "error-345" {
		t.Errorf("%d links, failed %v", links, failed)
	}
}

func FuzzCloudEvents(f *testing.F) {
	trial.Fuzz(f, eventstore.CloudEvents(), "run.jsonl", `{"specversion":"1.0","type":"a.failed","source":"/s","id":"1","data":{"a/b":1}}`)
}

func FuzzKurrentDB(f *testing.F) {
	trial.Fuzz(f, eventstore.KurrentDB(), "run.jsonl", `{"eventId":"1","eventType":"A","streamId":"s","eventNumber":0,"data":"{\"a\":1}","metaData":"{\"$causationId\":\"0\"}"}`)
}

func FuzzMarten(f *testing.F) {
	trial.Fuzz(f, eventstore.Marten(), "run.json", `[[{"$type":"A, B","x":1}]]`, `{"seq_id":1,"id":"a","stream_id":"s","version":1,"type":"t","data":{}}`)
}
