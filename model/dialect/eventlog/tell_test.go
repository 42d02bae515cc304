package eventlog

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"hindcast/model"
)

// run is a session's events in replay order with their bytes.
type run struct {
	events []*model.Event
	raw    [][]byte
}

// readRuns reads a dump in memory as importAll does, and keeps the bytes.
func readRuns(t *testing.T, d *fakeDump) map[string]run {
	t.Helper()
	in := imported{sessions: make(map[string][]*model.Event)}
	raws := make(map[*model.Event][]byte)
	seen := make(map[string]bool)
	for _, s := range New().Claim(d, false) {
		for _, file := range s.Files {
			split(t, d.bytes[file], s.Framing, func(raw []byte, bad bool) {
				rec := &model.Record{Stream: &s, File: file, Name: d.files[file].Name, Raw: raw}
				if bad {
					return
				}
				_ = New().Decode(rec, func(e *model.Event) {
					raws[e] = raw
					in.add(&s, e, raw, seen)
				})
			})
		}
	}
	runs := make(map[string]run)
	for id, events := range in.sessions {
		linkSession(id, events)
		r := run{events: events}
		for _, e := range events {
			r.raw = append(r.raw, raws[e])
		}
		runs[id] = r
	}
	return runs
}

// readRun reads JSON lines of one session.
func readRun(t *testing.T, lines ...string) run {
	t.Helper()
	for _, r := range readRuns(t, newDump(map[string]string{"run.jsonl": strings.Join(lines, "\n")})) {
		return r
	}
	t.Fatal("no event was read")
	return run{}
}

// Record and Find read the run back.
func (r run) Record(pos int64) (model.Event, []byte, bool) {
	if pos < 1 || pos > int64(len(r.events)) {
		return model.Event{}, nil, false
	}
	return *r.events[pos-1], r.raw[pos-1], true
}

// Find gives the first event of an id.
func (r run) Find(id string) int64 {
	for _, e := range r.events {
		if e.ID == id {
			return e.Pos
		}
	}
	return 0
}

// glimpse is a view without a fold: earlier records, and what a test puts into
// the context.
type glimpse struct {
	run
	context []model.Entry
}

func (*glimpse) File(string) (*string, model.Certainty, bool) { return nil, 0, false }
func (*glimpse) Cwd() string                                  { return "" }
func (g *glimpse) Context() []model.Entry                     { return g.context }
func (*glimpse) Pending(string) int64                         { return 0 }

func teller() model.Teller { return New().(model.Teller) }

// lastEffects are the effects of a run's last event.
func lastEffects(t *testing.T, context []model.Entry, lines ...string) []model.Effect {
	t.Helper()
	r := readRun(t, lines...)
	n := len(r.events) - 1
	e := teller().NewEffector(&model.Stream{}, r.events[n].Session)
	return e.Effects(r.events[n], r.raw[n], &glimpse{run: r, context: context})
}

func expect(t *testing.T, what string, got []model.Effect, want ...model.Effect) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d effects, want %d:\n%s", what, len(got), len(want), effectText(got))
	}
	for i := range want {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("%s: effect %d is\n%s\nwant\n%s", what, i, effectText(got[i:i+1]), effectText(want[i:i+1]))
		}
	}
}

func effectText(effects []model.Effect) string {
	var out []string
	for _, e := range effects {
		out = append(out, fmt.Sprintf("%T%+v", e, e))
	}
	return strings.Join(out, "\n")
}

// called is a run of one call and its result.
func called(action, params, result string) []string {
	return []string{
		line(1, "c", typeAction, "", `{"action_type":"`+action+`","params":`+params+`}`),
		line(2, "r", typeResult, "c", result),
	}
}

func point[T any](v T) *T { return &v }
