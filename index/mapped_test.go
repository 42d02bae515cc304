package index

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hindcast/index/mapping"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/dialect/mapped"
)

// openMapped opens a fixture of fixtures/mappings by its mapping.
func openMapped(t *testing.T, name string) *Index {
	t.Helper()
	dump := filepath.Join("..", "fixtures", "mappings", name)
	return openAll(t, t.TempDir(), Options{Mappings: []mapped.Mapping{readMapping(t, name)}}, dump+".jsonl")
}

func readMapping(t *testing.T, name string) mapped.Mapping {
	t.Helper()
	m, err := mapping.Read(filepath.Join("..", "fixtures", "mappings", name+".toml"))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// eventAtSeq finds an event by its seq.
func eventAtSeq(t *testing.T, x *Index, session string, seq int64) model.Event {
	t.Helper()
	a, err := model.ParseAddress(fmt.Sprint(seq))
	if err != nil {
		t.Fatal(err)
	}
	e, err := x.Resolve(context.Background(), session, a, AsPoint)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// chain is the way back from an event, as session/seq.
func chain(t *testing.T, x *Index, e model.Event) (all []string) {
	t.Helper()
	why, err := x.Why(context.Background(), e)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range why.Chain {
		all = append(all, fmt.Sprintf("%s %s/%d", step.Via.Reason, step.Event.Session, step.Event.Seq))
	}
	return all
}

func TestMappedOrders(t *testing.T) {
	x := openMapped(t, "orders")
	ctx := context.Background()
	cancelled := eventAtSeq(t, x, "order-7", 4)
	if cancelled.Kind != model.KindError || cancelled.Title != "order cancelled: payment declined" {
		t.Errorf("%s %q", cancelled.Kind, cancelled.Title)
	}
	// Causes lead through the other stream.
	if got, want := chain(t, x, cancelled), []string{"source payments/2", "action payments/1", "source order-7/1"}; !slices.Equal(got, want) {
		t.Errorf("chain %q", got)
	}
	for seq, want := range map[int64]string{1: `"59.90"`, 2: `"64.80"`, 5: `"64.80"`} {
		v, err := x.StateValue(ctx, eventAtSeq(t, x, "order-7", seq), "/vars/total")
		if err != nil || string(v.Value) != want {
			t.Errorf("total after %d: %s, %v", seq, v.Value, err)
		}
	}
	state, err := x.State(ctx, eventAtSeq(t, x, "order-7", 5), false)
	if err != nil || *state.Status.Execution != "cancelled" || state.Errors.Count != 1 {
		t.Errorf("%v: %+v %+v", err, state.Status, state.Errors)
	}
	// The snapshot was taken of an old total.
	d, err := x.DiffRecorded(ctx, eventAtSeq(t, x, "order-7", 3), "")
	if err != nil || len(d.Changes) != 1 || d.Changes[0].Path != "/vars/total" {
		t.Errorf("%v: %+v", err, d.Changes)
	}
}

func TestMappedAgent(t *testing.T) {
	x := openMapped(t, "agent")
	ctx := context.Background()
	if got, want := chain(t, x, eventAtSeq(t, x, "r-9.1", 3)), []string{"action r-9.1/2", "source r-9.1/1", "spawn r-9/6", "source r-9/5"}; !slices.Equal(got[:4], want) {
		t.Errorf("chain %q", got)
	}
	last := eventAtSeq(t, x, "r-9", 13)
	state, err := x.State(ctx, last, false)
	if err != nil {
		t.Fatal(err)
	}
	file := state.Files["limiter.go"]
	if file.Content == nil || *file.Content != "burst := 10\nrefill := burst\n" || file.Certainty != "derived" {
		t.Errorf("the file: %+v", file)
	}
	if got := fmt.Sprint(state.Tasks); got != "[{1 read limiter.go done} {2 mend it todo}]" {
		t.Errorf("tasks %s", got)
	}
	if *state.Usage.InputTokens != 812 || state.Usage.CacheReadTokens != nil {
		t.Errorf("usage %+v", state.Usage)
	}
	got, err := x.Context(ctx, ContextQuery{At: last, Lost: true})
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, m := range got.Messages {
		said = append(said, m.Role+": "+m.Text)
	}
	want := []string{
		"user: The rate limiter lets bursts through. Find out why and mend it.", "tool: TestBurst fails: 100 tokens refilled, want 10",
		"tool: patched limiter.go", "user: limiter.go refilled ten times the burst; the patch is in.",
	}
	if !slices.Equal(said, want) || got.Exact || len(got.Lost) != 2 {
		t.Errorf("exact %v, lost %d: %q", got.Exact, len(got.Lost), said)
	}
	sessions, err := x.Sessions(ctx)
	if err != nil || len(sessions) != 2 || sessions[1].Parent != "r-9" || sessions[0].Outcome != "aborted" {
		t.Errorf("%v: %+v", err, sessions)
	}
}

// An index answers for the mapping only by which it was made; opened by itself
// it knows that one.
func TestAnIndexBelongsToItsMapping(t *testing.T) {
	m, dir := readMapping(t, "agent"), t.TempDir()
	dump := filepath.Join("..", "fixtures", "mappings", "agent.jsonl")
	title := func(o Options, dumps ...string) string {
		x := openAll(t, dir, o, dumps...)
		defer x.Close()
		sessions, err := x.Sessions(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return sessions[0].Dialect + ": " + eventAtSeq(t, x, sessions[0].ID, 1).Title
	}
	first := title(Options{Mappings: []mapped.Mapping{m}}, dump)
	other := m
	other.Event.Title = mapped.Value{At: "/uid"}
	if got := title(Options{Mappings: []mapped.Mapping{other}}, dump); got != "house-agent: u1" {
		t.Errorf("another mapping: %q", got)
	}
	if got := title(Options{Mappings: []mapped.Mapping{m}}, dump); got != first {
		t.Errorf("the first again: %q", got)
	}
	if got := title(Options{}, dump); !strings.HasPrefix(got, "generic: ") {
		t.Errorf("no mapping: %q", got)
	}
	at := filepath.Join(dir, "kept.db")
	for _, mappings := range [][]mapped.Mapping{{m}, {other}, {m}} {
		title(Options{Mappings: mappings, IndexPath: at}, dump)
	}
	x := openAll(t, dir, Options{}, at)
	got, err := x.Context(context.Background(), ContextQuery{At: eventAtSeq(t, x, "r-9", 1)})
	if err != nil || len(got.Messages) != 1 || !strings.HasPrefix(got.Messages[0].Text, "The rate") {
		t.Errorf("the index by itself: %v, %+v", err, got.Messages)
	}
}

func TestTry(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dump := []string{filepath.Join("..", "fixtures", "mappings", "agent.jsonl")}
	got, err := Try(context.Background(), dump, Options{}, readMapping(t, "agent"), 3)
	if err != nil {
		t.Fatal(err)
	}
	if !got.Detected || got.Records != 16 || got.Ruled != 15 || got.Broken != 0 || len(got.Events) != 3 {
		b, _ := json.Marshal(got)
		t.Errorf("%s", b)
	}
	if e := got.Events[1]; fmt.Sprint(e.Effects) != "[message assistant, 28 characters 2 tasks usage 812 in, 24 out]" || len(e.Event.Links) != 1 {
		t.Errorf("%+v", e)
	}
	if len(got.Fields) != 1 || got.Fields[0].Type != "tick" || *got.Fields[0].Field != "/load" || got.Fields[0].Example != "0.7" {
		t.Errorf("%+v", got.Fields)
	}
	if len(got.Types) != 1 || got.Types[0].Type != "lease_lost" || got.Types[0].Count != 1 {
		t.Errorf("%+v", got.Types)
	}
}

// What a mapping misses is told: places where nothing stands, ids of another
// session, and how much is not shown.
func TestTryTellsWhatIsMissed(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	m := readMapping(t, "orders")
	m.GlobalIDs, m.Event.Time = false, mapped.Value{At: "/meta/when"}
	dump := []string{filepath.Join("..", "fixtures", "mappings", "orders.jsonl")}
	got, err := Try(context.Background(), dump, Options{}, m, 3)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Empty) != 1 || got.Empty[0].Key != "event.time" || got.Empty[0].Place != "/meta/when" {
		t.Errorf("empty places: %+v", got.Empty)
	}
	if got.Astray == 0 || got.AstrayIn == nil || *got.AstrayIn+" "+*got.AstrayID != "payments e-05" {
		t.Errorf("links that lead nowhere: %d, %v in %v", got.Astray, got.AstrayID, got.AstrayIn)
	}
	sessions := map[string]int{}
	for _, e := range got.Events {
		sessions[e.Event.Session]++
	}
	if got.More != 4 || sessions["order-7"] != 2 || sessions["payments"] != 1 {
		t.Errorf("%d more than %v", got.More, sessions)
	}
	if all, err := Try(context.Background(), dump, Options{}, m, 0); err != nil || len(all.Events) != 7 || all.More != 0 {
		t.Errorf("all: %v, %d of them, %d more", err, len(all.Events), all.More)
	}
}

// An id of another session is found there.
func TestAnIDOfAnotherSession(t *testing.T) {
	x := openMapped(t, "orders")
	for text, want := range map[string]string{"e-02": "[payments@@e-02]", "e-99": "[e-01 e-03 e-04]"} {
		a, err := model.ParseAddress(text)
		if err != nil {
			t.Fatal(err)
		}
		_, err = x.Resolve(context.Background(), "order-7", a, AsEvent)
		var astray *AddressError
		if !errors.As(err, &astray) || fmt.Sprint(astray.Nearest) != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A finding says both values, and its command asks the session that it is of.
func TestFindingsOfOneSessionOfSeveral(t *testing.T) {
	x := openMapped(t, "orders")
	ctx := context.Background()
	got, err := x.Check(ctx, "")
	if err != nil || got.Sessions != 2 {
		t.Fatalf("%v: %d sessions", err, got.Sessions)
	}
	i := slices.IndexFunc(got.Findings, func(f answer.Finding) bool { return f.Rule == "drift" })
	if i < 0 {
		t.Fatalf("no drift: %+v", got.Findings)
	}
	f := got.Findings[i]
	if !strings.HasPrefix(f.Detail, `/vars/total is "64.80" by the events, "59.90" as recorded`) || !strings.HasPrefix(f.Next, "hindcast diff --recorded 3 ") {
		t.Errorf("%q, next %q", f.Detail, f.Next)
	}
	list := []answer.Finding{{Session: "payments", Next: "hindcast state /pending shows it"}}
	if _, err := x.others(ctx, list); err != nil || list[0].Next != "hindcast state --session payments /pending shows it" {
		t.Errorf("%v: %q", err, list[0].Next)
	}
}

func TestBisectOfWhatNeverStood(t *testing.T) {
	x := openMapped(t, "orders")
	for expr, want := range map[string]string{"vars.nothing > 0": "[/vars/nothing]", "errors.count > 99": "[]", "vars.total == '1'": "[]"} {
		got, err := x.Bisect(context.Background(), "order-7", expr)
		if err != nil || fmt.Sprint(got.Unwritten) != want {
			t.Errorf("%s: %v, %v", expr, err, got.Unwritten)
		}
	}
}
