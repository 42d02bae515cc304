package render

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/render/theme"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares lines, with their roles marked where styled is set, with
// testdata/name.
func golden(t *testing.T, name string, lines []Line) {
	t.Helper()
	var b bytes.Buffer
	if err := WriteLines(&b, lines, nil); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (run with -update)", err)
	}
	if got := b.String(); got != string(want) {
		t.Errorf("%s differs:\n%s\nwant:\n%s", name, got, want)
	}
}

// begin is the clock of the story: a run that tests a tax rate.
var begin = time.Date(2026, 3, 1, 9, 5, 2, 100_000_000, time.UTC)

func at(ms int64) model.Time {
	return model.Time{Nanos: begin.UnixNano() + ms*1e6, Known: true, Digits: 3}
}

// moment is an event of the story.
func moment(seq, ms int64, kind model.Kind, source, tool, title string, o model.Outcome) model.Event {
	e := model.Event{
		Session: "b58db045-shop", Pos: seq - 2, Seq: seq, HasSeq: true, ID: fmt.Sprintf("evt_%04d", seq), Type: typeOf(kind),
		Kind: kind, Time: at(ms), Source: source, Tool: tool, Title: title, Outcome: o,
		Span: model.Span{Source: 1, Offset: seq * 700, Length: 412},
	}
	if tool != "" {
		e.Call = fmt.Sprintf("call_%d", seq)
	}
	return e
}

func typeOf(k model.Kind) string {
	switch k {
	case model.KindMessage:
		return "UserInput"
	case model.KindAction:
		return "AgentAction"
	case model.KindObservation:
		return "ToolResult"
	}
	return "SystemEvent"
}

// row is a row of the story, with the result that is folded into it.
type row struct {
	event  model.Event
	result *model.Event
}

func story() []row {
	call := func(seq, ms int64, tool, title string, o model.Outcome, took int64, said string) row {
		e := moment(seq, ms, model.KindAction, "agent", tool, title, model.OutcomeUnknown)
		r := moment(seq+3, ms+took, model.KindObservation, "environment", tool, said, o)
		e.Mate, r.Mate = r.Pos, e.Pos
		r.Links = []model.Link{{Reason: model.ReasonAction, ToID: e.ID, To: model.Ref{Session: e.Session, Seq: e.Seq, Pos: e.Pos, ID: e.ID}}}
		return row{e, &r}
	}
	open := moment(91, 2600, model.KindAction, "agent", "Bash", "sleep 600", model.OutcomeUnknown)
	noise := moment(92, 2610, model.KindOther, "", "", "api request took 612 ms", model.OutcomeUnknown)
	noise.Type, noise.Noise = "api_request", true
	return []row{
		{moment(3, 0, model.KindMessage, "user", "", "Add a VAT rate for books. Follow docs/rules.md, test it, and tell me which rate you used.", model.OutcomeUnknown), nil},
		{moment(20, 110, model.KindMessage, "assistant", "", "assistant: Reading the rules first.", model.OutcomeUnknown), nil},
		call(21, 112, "Read", "Read docs/rules.md", model.OutcomeOK, 61, "9 lines"),
		call(34, 510, "Edit", "src/tax.js +1", model.OutcomeOK, 143, "edited"),
		{moment(49, 1730, model.KindCheckpoint, "", "", "compact auto  95.0k>4.5k  -11 msgs  +2 files restored", model.OutcomeUnknown), nil},
		{moment(72, 1780, model.KindMessage, "assistant", "", "価格のテストを書きます。Writing the test for the book rate now, 書籍の税率。", model.OutcomeUnknown), nil},
		call(80, 1870, "Bash", "Bash: node --test test/book.test.js", model.OutcomeFailed, 285, "Exit code 1: 0.09 !== 0.07 at test/book.test.js:4:34"),
		{moment(85, 2280, model.KindError, "environment", "", "disk_warning: read timeout\n\tretry in 5s", model.OutcomeFailed), nil},
		{moment(86, 62_280, model.KindSession, "", "", "paused: waiting for a person", model.OutcomeUnknown), nil},
		{moment(87, 3_723_000, model.KindState, "", "", "status running", model.OutcomeUnknown), nil},
		{moment(88, 3_723_100, model.KindHook, "hook", "", "PreToolUse lint", model.OutcomeOK), nil},
		{open, nil},
		{noise, nil},
	}
}

func storyEvents() []model.Event {
	var out []model.Event
	for _, r := range story() {
		out = append(out, r.event)
		if r.result != nil {
			out = append(out, *r.result)
		}
	}
	return out
}

var widths = []int{80, 120, 0}

// within checks that no line is wider than it may be.
func within(t *testing.T, lines []Line, width int) {
	t.Helper()
	for i, l := range lines {
		if w := Width(l); width > 0 && w > width {
			t.Errorf("line %d is %d wide, not %d: %q", i, w, width, Plain(l))
		}
	}
}

// drawings is every answer, drawn at a width.
func drawings(width int) map[string][]Line {
	s := storyEvents()
	failed := s[9]
	noticed := []model.Note{{Kind: model.NoteAmbiguous, Path: "/files/a\x1b.go", Text: "the old text stands 3 times; the first was changed"}}
	return map[string][]Line{
		"timeline": timeline(width), "events": Events(s, width), "show": Show(failed, []byte(record), s[:1], noticed, width),
		"why": Why(whyAnswer(s), width), "effects": Effects(effectsAnswer(s), width), "effectstree": EffectsTree(effectsAnswer(s), width), "sessions": Sessions(sessionsAnswer(), width),
		"installed": Installed(installedAnswer(), installedOpens(installedAnswer()), listed, width), "installed-none": Installed(installedNowhere(), nil, listed, width),
		"installed-rows": installedRows(installedAnswer(), max(width, 1)),
		"stats":          Stats(statsAnswer(), width), "import": Import(importAnswer(), width), "dialects": Dialects(dialectList(), width),
	}
}

func timeline(width int) []Line {
	var lines []Line
	for i, r := range story() {
		o := RowOptions{Width: width, SeqWidth: SeqWidth(141), Start: at(0)}
		if i == 6 {
			o.Mark = theme.Unicode.Cursor
		}
		lines = append(lines, EventRow(r.event, r.result, o))
	}
	return lines
}

func TestGolden(t *testing.T) {
	for _, width := range widths {
		for name, lines := range drawings(width) {
			t.Run(fmt.Sprintf("%s-%d", name, width), func(t *testing.T) {
				within(t, lines, width)
				golden(t, fmt.Sprintf("%s-%d.txt", name, width), lines)
			})
		}
	}
}

func TestNarrowIsStillWithin(t *testing.T) {
	for _, width := range []int{1, 2, 5, 12, 20, 33, 40, 59} {
		for name, lines := range drawings(width) {
			t.Run(fmt.Sprintf("%s-%d", name, width), func(t *testing.T) { within(t, lines, width) })
		}
	}
}

const record = `{"event_id":"evt_0083","event_type":"ToolResult","session_id":"b58db045-shop","sequence":83,"timestamp":1772355904155,
"source_event_id":"evt_0080","schema_version":1,"payload":{"tool_name":"Bash","status":"error","exit_code":1,"truncated":false,
"output":"# Subtest: book rate\nnot ok 1 - book rate\r\n\u001b[31mExpected values to be strictly equal:\u001b[0m  0.09 !== 0.07\n\texpected: 0.07\n","error":null,
"usage":{"input_tokens":38100,"cost_usd":0.21},"tags":["a","b",7,null],"empty":{},"none":[],
"args":"{\"command\":\"node --test\",\"nested\":[{\"deep\":true}]}",
"image":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggiVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggiVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYA",
"edits":[{"path":"src/tax.js","old":"const RATE = 7;\nexport default RATE;\n","new":"const RATE = 9; // books\nexport default RATE;\n"},[[1],[[]]],"x"]}}`

func whyAnswer(s []model.Event) answer.Why {
	ev := func(i int) answer.Event { return answer.NewEvent(s[i]) }
	path, line, said := "test/book.test.js", int64(4), "0.09 !== 0.07"
	return answer.Why{
		From: ev(9),
		Suspects: []answer.Suspect{
			{Event: ev(4), Because: "the error names a line that it wrote", Evidence: answer.Evidence{Path: &path, Line: &line}, Rank: 1},
			{Event: ev(5), Because: "this text stood first here", Evidence: answer.Evidence{Text: &said}, Rank: 2},
		},
		Roots: []answer.Event{ev(4), ev(5)},
		Chain: []answer.Step{
			{Event: ev(8), Via: answer.Via{Reason: "action"}, Also: []answer.Ref{answer.NewRef(model.Ref{Seq: 75}), answer.NewRef(model.Ref{Seq: 52})}},
			{Event: ev(7), Via: answer.Via{Reason: "source"}},
			{Event: ev(6), Via: answer.Via{Reason: "data", Inferred: true}},
			{Event: ev(0), Via: answer.Via{Reason: "source", Inferred: true}},
		},
	}
}

func effectsAnswer(s []model.Event) answer.Effects {
	sum := func(events, failed int64, seconds float64, tokens int64, cost float64) answer.Sum {
		return answer.Sum{Events: events, Failed: failed, Seconds: &seconds, Tokens: &tokens, CostUSD: &cost}
	}
	effect := func(e, up model.Event, depth int64, via answer.Via, sum answer.Sum) answer.Effect {
		return answer.Effect{Event: answer.NewEvent(e), Parent: answer.NewRef(model.Ref{Session: up.Session, Seq: up.Seq, Pos: up.Pos}), Depth: depth, Via: via, Sum: sum}
	}
	return answer.Effects{From: answer.NewEvent(s[0]), Total: sum(1234, 1, 192, 38_100, 0.2134), Effects: []answer.Effect{
		effect(s[1], s[0], 1, answer.Via{Reason: "source"}, sum(1233, 1, 191.5, 38_100, 0.2134)),
		effect(s[2], s[1], 2, answer.Via{Reason: "source"}, sum(2, 1, 2.15, 900, 0.01)),
		effect(s[4], s[1], 2, answer.Via{Reason: "source"}, sum(1, 0, 0, 0, 0)),
		effect(s[9], s[2], 3, answer.Via{Reason: "data", Inferred: true}, sum(1, 1, 0, 0, 0)),
	}}
}

func sessionsAnswer() answer.Sessions {
	var u model.Usage
	u.Input, u.Output, u.CacheRead, u.CostUSD = 38_100, 2_400, 1_200_000, 0.2134
	u.Told = model.ToldInput | model.ToldOutput | model.ToldCacheRead | model.ToldCost
	root := model.Session{
		ID: "b58db045-9a7e-4f11-8a01-5c1d2e3f4a5b", Dialect: "claudecode", Version: "2.1.332", Title: "Add a VAT rate for books", Events: 141,
		Copies: 3, First: 3, Last: 141, Started: at(0), Ended: at(192_000), Failed: 12, OpenCalls: 1, Outcome: "finished", Usage: u,
	}
	child := model.Session{ID: "agent-7", Dialect: "claudecode", Parent: root.ID, Title: "Look for other rates", Events: 23, First: 1, Last: 23, Started: at(5000), Ended: at(9000), Outcome: "stopped"}
	bare := model.Session{ID: "notes", Dialect: "generic", Events: 1_234_567, Title: "notes.jsonl"}
	var out answer.Sessions
	for _, s := range []model.Session{root, child, bare} {
		out.Sessions = append(out.Sessions, answer.NewSession(s, s.Usage))
	}
	return out
}

func statsAnswer() answer.Stats {
	started, ended, seconds, cost, in, outT := at(0).String(), at(192_000).String(), 192.0, 0.2134, int64(38_100), int64(2_400)
	usage := answer.Usage{InputTokens: &in, OutputTokens: &outT, CostUSD: &cost}
	ref := func(seq int64) answer.Ref { return answer.Ref{Session: "b58db045-shop", Seq: seq, Pos: seq} }
	to := func(seq int64) *answer.Ref { r := ref(seq); return &r }
	p95, outcome, tool, id := 9.5, "finished", "Bash", "3f50fa64-8378-4b58-9d3d-800e3e2e5e1a"
	three, two, one, none, before := int64(3), int64(2), int64(1), int64(0), int64(95_000)
	claim := answer.Claim{Event: ref(137), Text: "Book rate done (7%)."}
	return answer.Stats{
		Sessions: 2, Events: 164, Failed: 12, Copies: 3, Bytes: 1_048_576, Started: &started, Ended: &ended, Seconds: &seconds,
		Kinds: []answer.Count{{Name: "observation", Events: 60, Failed: 11, Bytes: 812_000}, {Name: "action", Events: 60, Bytes: 99_000}, {Name: "error", Events: 1, Failed: 1, Bytes: 412}},
		Types: []answer.Count{{Name: "ToolResult", Events: 60, Failed: 11, Bytes: 812_000}},
		Tools: []answer.ToolCount{{Name: "Bash", Calls: 41, Failed: 10, Open: 1, Seconds: 82.5, P95Seconds: &p95, Slowest: to(39)}, {Name: "Read", Calls: 19}},
		Errors: []answer.ErrorClass{
			{Text: "exit code #: # !== # at …", Count: 10, First: ref(83), Last: ref(131), Recovered: 8, RecoveredBy: nil},
			{Text: "disk_warning: read timeout after # s", Example: "disk_warning: read timeout after 30 s", Count: 1, First: ref(85), Last: ref(85)},
			{Text: "no such file: …", Example: "no such file: docs/rule.md", Count: 1, First: ref(20), Last: ref(20), Recovered: 1, RecoveredBy: to(22)},
		},
		Usage: usage,
		Verdict: answer.Verdict{Outcomes: []answer.Outcome{{Outcome: &outcome, Sessions: 1}, {Sessions: 1}}, Claim: &claim, FailedCalls: 11, OtherErrors: 1,
			Unrecovered: &three, First: to(83), OpenCalls: 1, Checkpoints: &two, Findings: &none},
		Unrecovered: &answer.Unrecovered{First: ref(83), Title: "Bash: exit 1: 0.09 !== 0.07", UsageAfter: answer.Usage{InputTokens: &in}, Claims: []answer.Claim{claim}, ClaimCount: 3},
		Agents: []answer.AgentCount{
			{Session: "b58db045-shop", Outcome: &outcome, Title: "Add a VAT rate for books", Calls: 58, Failed: 12, Unrecovered: 3, Seconds: &seconds, Usage: usage, First: ref(1), FirstFailed: to(83)},
			{Session: "sub", Title: "Look for the rules", Calls: 2, OpenCalls: 1, First: answer.Ref{Session: "sub", Seq: 1, Pos: 1}},
		},
		Slowest:     []answer.Slow{{Event: ref(39), Tool: &tool, Title: "Bash sleep 10", Failed: true, Seconds: 10.2}, {Event: ref(44), Title: "More.", Seconds: 4}},
		Costliest:   []answer.Cost{{Event: ref(44), Title: "More.", Usage: usage}, {Event: answer.Ref{Session: "sub", Seq: 3, Pos: 3}, Title: "Looking.", Usage: answer.Usage{InputTokens: &in}}},
		Open:        []answer.OpenCall{{Event: answer.Ref{Session: "sub", Seq: 4, Pos: 4}, Tool: "Read", Title: "docs/rules.md"}},
		Checkpoints: []answer.Drop{{ID: &id, First: ref(49), Last: ref(52), Before: &before, After: &in}, {First: ref(97), Last: ref(98), Before: &one}},
		Curves: &answer.Curves{Session: "b58db045-shop", Last: 141, Buckets: 141, Drops: []int64{52, 98},
			Context: &answer.Curve{Count: 4, Min: 12_000, Max: 95_000, Sum: 160_000, MaxAt: ref(44), Points: []answer.Point{
				{Bucket: 20, Count: 1, Min: 12_000, Max: 12_000, Last: 12_000}, {Bucket: 43, Count: 2, Min: 60_000, Max: 95_000, Last: 95_000}, {Bucket: 70, Count: 1, Min: 20_000, Max: 20_000, Last: 20_000}}},
			Latency: &answer.Curve{Count: 2, Min: 0.25, Max: 4, Sum: 4.25, MaxAt: ref(44), Points: []answer.Point{
				{Bucket: 20, Count: 1, Min: 0.25, Max: 0.25, Last: 0.25}, {Bucket: 43, Count: 1, Min: 4, Max: 4, Last: 4}}},
		},
	}
}

func importAnswer() answer.Import {
	version := "2.1.332"
	return answer.Import{
		Index: "/home/me/.cache/hindcast/1f/1f0c.db", Sessions: 2, Events: 164, Links: 301, Findings: 2,
		Dialects: []answer.ImportedFormat{
			{Name: "claudecode", Version: &version, Reason: "lines hold sessionId, uuid and parentUuid, and the folder is named after a project", Sessions: 2},
			{Name: "generic", Reason: "JSON lines of no known shape", Sessions: 1},
		},
		Accounting: answer.Accounting{
			Bytes: 1_048_576, EventBytes: 1_040_000, StructureBytes: 164, EvidenceBytes: 8_400, QuarantinedBytes: 12,
			Quarantined: []answer.Quarantined{{Source: "b58db045.jsonl", Offset: 70_123, Length: 12, Reason: "column 5: a string is not closed"}},
			Skipped:     []answer.Skipped{{Source: "screens/shot.png", Reason: "holds no JSON: an image"}},
		},
	}
}

func dialectList() []model.DialectInfo {
	return []model.DialectInfo{
		{Name: "eventlog", Title: "event-sourced agent runtimes", Versions: "1", Packs: []string{"JSON lines, a JSON array, {\"events\": […]}", "folder events/<session>/*.jsonl with checkpoints/, also zipped or tarred"}, Detects: "records have event_type, and session_id or sequence beside a payload", Context: "exact", Files: "known", Cost: "recorded", Status: "recorded"},
		{Name: "generic", Title: "any stream of JSON values", Versions: "any", Packs: []string{"JSON lines"}, Detects: "nothing else fits", Context: "none", Files: "none", Cost: "none", Status: "none"},
	}
}

func TestIncompleteIsSaid(t *testing.T) {
	w := whyAnswer(storyEvents())
	said := func() bool { return strings.Contains(plain(Why(w, 80)), "incomplete") }
	if !said() {
		t.Error("an incomplete chain is not called so")
	}
	if w.Complete = true; said() {
		t.Error("a complete chain is called incomplete")
	}
}

func TestAccountingThatDoesNotAddUpIsSaid(t *testing.T) {
	a := importAnswer().Accounting
	if strings.Contains(plain(Accounting(a, 80)), "not accounted") {
		t.Fatal("the sum is right but refused")
	}
	a.EventBytes -= 100
	if !strings.Contains(plain(Accounting(a, 80)), "100 bytes are not accounted for") {
		t.Error("a hundred bytes are missing in silence")
	}
}

func plain(lines []Line) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(Plain(l) + "\n")
	}
	return b.String()
}
