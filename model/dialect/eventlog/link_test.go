package eventlog

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"hindcast/model"
)

func line(seq int, id, typ, source, payload string) string {
	src := "null"
	if source != "" {
		src = `"` + source + `"`
	}
	return fmt.Sprintf(`{"event_id":"%s","event_type":"%s","sequence":%d,"source_event_id":%s,"payload":%s}`+"\n", id, typ, seq, src, payload)
}

const (
	bash   = `{"action_type":"bash","params":{"command":"make"}}`
	read   = `{"action_type":"read_file","params":{"path":"a"}}`
	ok     = `{"status":"ok","output":"x"}`
	say    = `{"action_type":"respond","params":{"content":"hi"}}`
	broken = `{"error_code":"e"}`
)

func TestLinks(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string // by pos
	}{
		{
			"recorded",
			line(1, "u", "UserInput", "", `{}`) + line(2, "a", "AgentAction", "u", bash) + line(3, "r", "ToolResult", "a", ok) +
				line(4, "x", "SystemError", "r", broken) + line(5, "b", "AgentAction", "x", say),
			[]string{"", "source>1", "action>2", "source>3", "source>4"},
		},
		{
			"result of a message is no action link",
			line(1, "u", "AgentAction", "", say) + line(2, "r", "ToolResult", "u", ok),
			[]string{"", "source>1"},
		},
		{
			"result to its tool before a nearer call",
			line(1, "a", "AgentAction", "", bash) + line(2, "b", "AgentAction", "", read) +
				line(3, "r", "ToolResult", "", `{"tool_name":"bash","status":"ok"}`) + line(4, "s", "ToolResult", "", `{"tool_name":"other","status":"ok"}`) +
				line(5, "t", "ToolResult", "", ok),
			[]string{"", "", "action>1~", "action>2~", ""},
		},
		{
			"action to the nearest of input, result and error",
			line(1, "u", "UserInput", "", `{}`) + line(2, "s", "SessionEvent", "", `{"state":"running"}`) + line(3, "a", "AgentAction", "", say) +
				line(4, "x", "SystemError", "", broken) + line(5, "b", "AgentAction", "", bash) + line(6, "r", "ToolResult", "", ok) + line(7, "c", "AgentAction", "", say),
			[]string{"", "", "source>1~", "", "source>4~", "action>5~", "source>6~"},
		},
		{
			"error to the nearest open call, and it stays open",
			line(1, "a", "AgentAction", "", bash) + line(2, "b", "AgentAction", "", bash) + line(3, "r", "ToolResult", "b", ok) +
				line(4, "x", "SystemError", "", broken) + line(5, "s", "ToolResult", "", ok),
			[]string{"", "", "action>2", "source>1~", "action>1~"},
		},
		{
			"nothing is invented for a recorded link that fails",
			line(1, "u", "UserInput", "", `{}`) + line(2, "a", "AgentAction", "gone", bash) + line(3, "r", "ToolResult", "later", ok) +
				line(4, "x", "SystemError", "x", broken) + line(5, "later", "UserInput", "", `{}`),
			[]string{"", "source?gone", "source?later", "source!self", ""},
		},
		{
			"base",
			line(3, "u", "UserInput", "", `{}`) + line(5, "v", "UserInput", "", `{}`) +
				line(6, "k", "Checkpoint", "", `{"snapshot_id":"s","base_event_seq":5}`) + line(7, "l", "Checkpoint", "v", `{"base_event_seq":3.0}`) +
				line(8, "m", "Checkpoint", "", `{"base_event_seq":4}`) + line(9, "n", "Checkpoint", "", `{"base_event_seq":9}`) +
				line(10, "o", "Checkpoint", "", `{"base_event_seq":99}`) + line(11, "p", "Checkpoint", "", `{"base_event_seq":"x"}`),
			[]string{"", "", "base>5", "source>5 base>3", "base!missing", "base!self", "base!later", ""},
		},
		{
			"spawn names another session",
			line(1, "c", "SessionEvent", "evt_9", `{"state":"created","parent_session_id":"root"}`) + line(2, "u", "UserInput", "c", `{}`),
			[]string{"spawn?evt_9", "source>1"},
		},
		{
			"an unusable link is a link",
			`{"event_id":"u","event_type":"UserInput","sequence":1}` + `{"event_id":"a","event_type":"AgentAction","sequence":2,"source_event_id":["u"],"payload":{}}`,
			[]string{"", `source?["u"]`},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			events, _ := linkAll(t, c.text)
			for i, e := range events {
				if got := linkText(e); got != c.want[i] {
					t.Errorf("pos %d (%s): links %q, want %q", e.Pos, e.ID, got, c.want[i])
				}
			}
		})
	}
}

func TestResultTakesFromItsCall(t *testing.T) {
	events, l := linkAll(t, line(1, "a", "AgentAction", "", bash)+line(2, "r", "ToolResult", "a", ok)+line(3, "s", "ToolResult", "a", `{"tool_name":"sh","status":"ok"}`))
	if r := events[1]; r.Call != "a" || r.Tool != "bash" || r.Title != "bash ok: x" {
		t.Errorf("first result: call %q tool %q title %q", r.Call, r.Tool, r.Title)
	}
	if s := events[2]; s.Call != "a" || s.Tool != "sh" {
		t.Errorf("second result: call %q tool %q", s.Call, s.Tool)
	}
	if n := l.Summary().OpenCalls; n != 0 {
		t.Errorf("%d calls open, want 0", n)
	}
}

const summaryStream = `{"event_id":"s","event_type":"SessionEvent","sequence":1,"payload":{"state":"created","parent_session_id":"root"}}
{"event_id":"u","event_type":"UserInput","sequence":2,"payload":{"content":"Fix the port.\nNow."}}
{"event_id":"a","event_type":"AgentAction","sequence":3,"schema_version":2,"payload":{"action_type":"bash","usage":{"input_tokens":10,"output_tokens":2,"cost_usd":0.5}}}
{"event_id":"b","event_type":"AgentAction","sequence":4,"payload":{"action_type":"bash","usage":{"input_tokens":5}}}
{"event_id":"t","event_type":"SessionEvent","sequence":5,"payload":{"state":"paused"}}
{"event_id":"w","event_type":"SessionEvent","sequence":6,"payload":{"state":"context_rebuilt","kept_event_ids":[]}}
`

func TestSummary(t *testing.T) {
	_, l := linkAll(t, summaryStream)
	want := model.Summary{
		Title: "Fix the port.…", Version: "schema 2", Parent: "root", Outcome: "paused", OpenCalls: 2,
		Usage: model.Usage{Input: 15, Output: 2, CostUSD: 0.5, Told: model.ToldInput | model.ToldOutput | model.ToldCost},
	}
	if got := l.Summary(); got != want {
		t.Errorf("summary %+v, want %+v", got, want)
	}
}

// A stop at any event changes nothing that comes after it.
func TestSaveLoad(t *testing.T) {
	text := summaryStream + line(7, "r", "ToolResult", "", `{"tool_name":"bash","status":"ok"}`) + line(8, "c", "AgentAction", "", bash) +
		line(9, "x", "SystemError", "", broken) + line(10, "\xff", "AgentAction", "", bash) + line(11, "q", "ToolResult", "", ok)
	want, whole := linkAll(t, text)
	for stop := range want {
		events := decodeAll(t, text)
		look := &fakeLookup{}
		l := New().NewLinker(&model.Stream{}, "run")
		for i, e := range events {
			if i == stop {
				l = reload(t, l)
			}
			l.Link(e, look)
			look.events = append(look.events, e)
		}
		if !reflect.DeepEqual(events, want) {
			t.Errorf("a stop before event %d changed what was linked", stop+1)
		}
		if got := l.Summary(); got != whole.Summary() {
			t.Errorf("a stop before event %d: summary %+v, want %+v", stop+1, got, whole.Summary())
		}
	}
}

func reload(t *testing.T, l model.Linker) model.Linker {
	t.Helper()
	state, err := l.Save()
	if err != nil {
		t.Fatal(err)
	}
	next := New().NewLinker(&model.Stream{}, "run")
	if err := next.Load(state); err != nil {
		t.Fatal(err)
	}
	return next
}

// TestLoadRefusesOtherState: neither what something else wrote, nor a part of a
// state, nor one with something behind it, is taken; and the linker stays as it was.
func TestLoadRefusesOtherState(t *testing.T) {
	state, err := someLinker().Save()
	if err != nil {
		t.Fatal(err)
	}
	others := [][]byte{[]byte("{"), append(slices.Clone(state), 0)}
	for n := range state {
		others = append(others, state[:n])
	}
	for _, other := range others {
		l := someLinker()
		if err := l.Load(other); err == nil || !strings.HasPrefix(err.Error(), "load eventlog session: ") {
			t.Errorf("%q: error %v", other, err)
		}
		if got, err := l.Save(); err != nil || !slices.Equal(got, state) {
			t.Errorf("%q changed the linker", other)
		}
	}
}

// someLinker has something in each part of its state.
func someLinker() *linker {
	l := newLinker("run")
	l.sum = model.Summary{
		Title: "t\xff", Version: "v", Parent: "p", Outcome: "o",
		Usage: model.Usage{Input: 1, Output: -2, CacheRead: 3, CacheWrite: 1 << 40, Reasoning: 5, CostUSD: 0.25, Told: model.ToldInput | model.ToldReasoning | model.ToldCost},
	}
	l.trigger = &ref{Pos: 9, Seq: -4, ID: "u"}
	l.calls.add(openCall{ref: ref{Pos: 3, Seq: 300, ID: "a"}, Tool: "x"})
	l.calls.add(openCall{ref: ref{Pos: 5, Seq: math.MinInt64}})
	l.calls.add(openCall{ref: ref{Pos: 7, Seq: 7, ID: "c"}, Tool: "x"})
	l.calls.forgotten = 2
	return l
}

func TestSavedState(t *testing.T) {
	want := someLinker()
	state, err := want.Save()
	if err != nil {
		t.Fatal(err)
	}
	got := newLinker("run")
	if err := got.Load(state); err != nil {
		t.Fatal(err)
	}
	if got.sum != want.sum || *got.trigger != *want.trigger || !slices.Equal(got.calls.list(), want.calls.list()) || got.calls.forgotten != want.calls.forgotten {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// Calls that never return are forgotten beyond the limit but stay counted, and
// what is remembered stays within a constant of it.
func TestOpenCallLimit(t *testing.T) {
	o := newOpenCalls()
	for i := range int64(3 * openCallLimit) {
		o.add(openCall{ref: ref{Pos: i + 1}, Tool: "t"})
		if i%3 == 0 {
			o.remove(i + 1)
		}
	}
	if got, want := o.count(), int64(2*openCallLimit); got != want {
		t.Errorf("%d open, want %d", got, want)
	}
	if len(o.byPos) != openCallLimit {
		t.Errorf("%d remembered, want %d", len(o.byPos), openCallLimit)
	}
	if n := len(o.stack) + len(o.tools["t"]); n > 6*openCallLimit+200 {
		t.Errorf("%d entries kept for %d calls", n, openCallLimit)
	}
	if got := o.nearest("t"); got == nil || got.Pos != 3*openCallLimit {
		t.Errorf("nearest is %+v", got)
	}
	for _, c := range o.list() {
		o.remove(c.Pos)
	}
	if o.nearest("t") != nil || o.nearest("") != nil {
		t.Error("a call was found although all have returned")
	}
}

func TestCopiesHaveNoEffect(t *testing.T) {
	events := decodeAll(t, line(1, "a", "AgentAction", "", bash)+line(2, "a", "AgentAction", "", bash))
	events[1].Origin = model.OriginCopied
	l, look := New().NewLinker(&model.Stream{}, "run"), &fakeLookup{}
	for _, e := range events {
		l.Link(e, look)
		look.events = append(look.events, e)
	}
	if n := l.Summary().OpenCalls; n != 1 {
		t.Errorf("%d calls open, want 1", n)
	}
}

// FuzzLoad: what an index file holds as working state may be anything.
func FuzzLoad(f *testing.F) {
	state, err := someLinker().Save()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(state)
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, state []byte) {
		l := New().NewLinker(&model.Stream{}, "run")
		if l.Load(state) != nil {
			return
		}
		l.Link(&model.Event{Type: typeResult, Pos: 9, Kind: model.KindObservation}, &fakeLookup{})
		l.Summary()
		if _, err := l.Save(); err != nil {
			t.Error(err)
		}
	})
}

// TestStandsAgain: a record that was written again under its number is a copy,
// whatever else it says; an id that another record took is not.
func TestStandsAgain(t *testing.T) {
	events, l := linkAll(t, line(1, "a", typeUser, "", `{"content":"x"}`)+line(2, "b", typeAction, "a", `{"action_type":"bash"}`)+
		line(2, "c", typeError, "a", `{}`)+line(2, "b", typeAction, "c", `{"action_type":"bash"}`)+line(3, "a", typeUser, "", `{"content":"y"}`))
	for i, want := range []model.Origin{model.OriginRecorded, model.OriginRecorded, model.OriginRecorded, model.OriginCopied, model.OriginRecorded} {
		if got := events[i].Origin; got != want {
			t.Errorf("#%d is %v, want %v", i+1, got, want)
		}
	}
	if n := l.Summary().OpenCalls; n != 1 {
		t.Errorf("%d open calls", n)
	}
}
