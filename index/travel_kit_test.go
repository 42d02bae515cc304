package index

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hindcast/fixtures"
	"hindcast/fixtures/gen/stream"
	"hindcast/index/store"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/replay"
)

// naive is a session folded in memory from its first event to its last, with
// nothing saved and nothing asked of an index: what time travel is held to.
type naive struct {
	x        *Index
	key      int64
	id       string
	parent   string
	events   []model.Event
	raws     [][]byte
	base     string // that it goes on from, and the last pos that it has from there
	basePos  int64
	children []*naive
	lent     []*naive // that a base made
	log      *replay.Log
	states   []replay.Cells // after each pos; states[0] is the start
	now      int64          // pos of the event at hand, while it is folded
}

// naiveFolds folds all sessions of an index in memory, children first. The
// index must have been built by x, so that the streams of its dump are known.
func naiveFolds(t testing.TB, x *Index) []*naive {
	t.Helper()
	ctx := context.Background()
	rows, err := x.st.Reader().SessionRows(ctx)
	if err != nil {
		t.Fatal(err)
	}
	plan := x.known.MakePlan(x.dump, x.opt.Dialect)
	var all []*naive
	byID := make(map[string]*naive)
	effectors := make(map[*naive]model.Effector)
	for _, row := range rows {
		n := &naive{x: x, key: row.Key, id: row.ID, parent: row.Parent, base: row.Base, basePos: row.BasePos}
		if err := x.Query(ctx, row.ID, nil, func(e model.Event) bool {
			n.events = append(n.events, e)
			return true
		}); err != nil {
			t.Fatal(err)
		}
		for _, e := range n.events {
			raw, err := x.Raw(ctx, e)
			if err != nil {
				t.Fatal(err)
			}
			n.raws = append(n.raws, raw)
		}
		if teller, ok := x.known.ByName(row.Dialect).(model.Teller); ok {
			s := &plan.Streams[row.Stream-1]
			if s.Dialect != row.Dialect {
				t.Fatalf("session %s: stream %d is of %s", row.ID, row.Stream, s.Dialect)
			}
			effectors[n] = teller.NewEffector(s, row.ID)
		}
		all = append(all, n)
		byID[n.id] = n
	}
	done := make(map[*naive]bool)
	var fold func(n *naive)
	fold = func(n *naive) {
		if done[n] {
			return
		}
		done[n] = true
		for _, c := range all {
			if c.parent == n.id && c != n {
				fold(c)
				n.children = append(n.children, c)
			}
		}
		for base, upTo := byID[n.base], n.basePos; base != nil; base, upTo = byID[base.base], min(upTo, base.basePos) {
			for _, c := range all {
				if c.parent == base.id && c != n && c.spawned() > 0 && c.spawned() <= upTo {
					fold(c)
					n.lent = append(n.lent, c)
				}
			}
		}
		n.fold(effectors[n])
	}
	for _, n := range all {
		fold(n)
	}
	return all
}

func (n *naive) fold(effector model.Effector) {
	n.log = &replay.Log{}
	n.states = []replay.Cells{{}}
	f := replay.New(replay.Options{Past: n.log})
	cells := replay.Cells{}
	for i := range n.events {
		e := &n.events[i]
		n.now = e.Pos
		var effects []model.Effect
		if effector != nil {
			effects = effector.Effects(e, n.raws[i], f.View(n))
		}
		if e.Pos == 1 && e.Kind == model.KindCheckpoint {
			row, _, _ := n.x.st.Reader().Session(context.Background(), n.key)
			if c, err := n.x.claimOf(context.Background(), row, *e); err == nil && c != nil && c.state != nil && c.snap.HasBase && c.snap.BasePos == 0 && c.snap.BaseSeq < e.Seq {
				effects = append(effects, replay.Adopt(*c.state)...)
			}
		}
		for _, c := range append(slices.Clone(n.children), n.lent...) {
			effects = append(effects, c.seenBy(n, e, f.View(n))...)
		}
		writes := f.Apply(e, effects)
		n.log.Add(writes)
		for _, w := range writes {
			cells.Write(w)
		}
		after := make(replay.Cells, len(cells))
		for path, v := range cells {
			after[path] = v
		}
		n.states = append(n.states, after)
	}
}

// spawned is the event of the parent that made a sub-agent; 0: none is known.
func (n *naive) spawned() int64 {
	if int64(len(n.events)) > n.basePos {
		for _, l := range n.events[n.basePos].Links {
			if l.Reason == model.ReasonSpawn && l.To.Session == n.parent {
				return l.To.Pos
			}
		}
	}
	return 0
}

// seenBy is what a sub-agent does to an event of its parent: at the call that
// made it the files that it and its own sub-agents wrote become doubtful, at
// that call's result its last texts are there. Where it never had another text
// of a file than the parent has, it only looked at it.
func (n *naive) seenBy(parent *naive, e *model.Event, view model.View) (out []model.Effect) {
	if len(n.events) == 0 || e.Origin == model.OriginCopied {
		return nil
	}
	call := n.spawned()
	if call == 0 || e.Pos != call && e.Pos != parent.events[call-1].Mate {
		return nil
	}
	for _, path := range slices.Sorted(maps.Keys(n.writes())) {
		writes := n.writes()[path]
		name := model.UnescapePointer(strings.TrimPrefix(path, model.PathFiles+"/"))
		own, certainty, tracked := view.File(name)
		has := func(text *string) bool {
			return tracked && own != nil && text != nil && *own == *text && certainty >= model.CertaintyDerived
		}
		last := n.last()[path].Text
		switch {
		case e.Pos == call && (writes > 1 || !has(last)):
			out = append(out, model.DoubtFiles{Paths: []string{name}})
		case e.Pos != call && last != nil && !has(last):
			out = append(out, model.WriteFile{Path: name, Content: *last, Certainty: model.CertaintyDerived})
		}
	}
	return out
}

// writes counts those of every file that the session or one of its sub-agents
// wrote; parts of a file that it saw are none.
func (n *naive) writes() map[string]int {
	count := make(map[string]int)
	for _, c := range n.children {
		maps.Copy(count, c.writes())
	}
	own := make(map[string]int)
	for _, w := range n.log.Between(n.basePos, int64(len(n.events))) {
		if isFile(w.Path) {
			own[w.Path]++
		}
	}
	for path, many := range own {
		if many > 1 || !strings.Contains(string(n.last()[path].JSON), `"written_pos":null`) {
			count[path] = many
		}
	}
	return count
}

func keysOf(cells replay.Cells) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for path := range cells {
			if !yield(path) {
				return
			}
		}
	}
}

func (n *naive) last() replay.Cells { return n.states[len(n.states)-1] }

// point is the event after which the state is n.states[pos]; 0 is the start.
func (n *naive) point(pos int64) model.Event {
	if pos == 0 {
		return model.Event{Session: n.id}
	}
	return n.events[pos-1]
}

// Record implements model.Records.
func (n *naive) Record(pos int64) (model.Event, []byte, bool) {
	if pos < 1 || pos > n.now {
		return model.Event{}, nil, false
	}
	return n.events[pos-1], n.raws[pos-1], true
}

// Find implements model.Records.
func (n *naive) Find(id string) int64 {
	for _, e := range n.events[:n.now] {
		if id != "" && e.ID == id {
			return e.Pos
		}
	}
	// Which ids a record carries beside its own only the index keeps.
	if at, ok, err := n.x.st.Reader().Find(context.Background(), n.key, id); err == nil && ok && at.Pos <= n.now {
		return at.Pos
	}
	return 0
}

// show writes cells down, so that two states can be compared.
func show(cells replay.Cells) string {
	var b strings.Builder
	for _, path := range slices.Sorted(keysOf(cells)) {
		v := cells[path]
		if initial, fixed := replay.Initial(path); fixed && string(initial.JSON) == string(v.JSON) {
			continue
		}
		fmt.Fprintf(&b, "%s %s %s\n", path, v.JSON, quoted(v.Text))
	}
	return b.String()
}

func quoted(text *string) string {
	if text == nil {
		return "-"
	}
	return fmt.Sprintf("%.200q %d", *text, len(*text))
}

func asJSON(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// written writes down all that the fold left in an index: every write of every
// session, with the texts of files, and what was noticed.
func written(t testing.TB, x *Index) string {
	t.Helper()
	ctx := context.Background()
	r := x.st.Reader()
	rows, err := r.SessionRows(ctx)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(rows, func(a, b store.SessionRow) int { return strings.Compare(a.ID, b.ID) })
	var b strings.Builder
	for _, row := range rows {
		folded, err := r.Folded(ctx, row.Key)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s %d of %d\n", row.ID, folded, row.LastPos)
		var writes []model.Write
		if err := r.Writes(ctx, row.Key, 0, row.LastPos, func(w model.Write) bool {
			writes = append(writes, w)
			return true
		}); err != nil {
			t.Fatal(err)
		}
		for _, w := range writes {
			fmt.Fprintf(&b, "#%d %s %s -> %s restores %d lost %v", w.Pos, w.Path, w.Old.JSON, w.New.JSON, w.Restores, w.Lost)
			if isFile(w.Path) {
				for _, read := range []func(context.Context, int64, string, int64) (*string, bool, error){r.OutsideText, r.FileText} {
					text, _, err := read(ctx, row.Key, w.Path, w.Pos)
					if err != nil {
						t.Fatal(err)
					}
					fmt.Fprintf(&b, " %s", quoted(text))
				}
			}
			b.WriteByte('\n')
		}
		notes, err := r.FoldNotes(ctx, row.Key)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range notes {
			fmt.Fprintf(&b, "note %+v\n", n)
		}
	}
	return b.String()
}

// historyOf is the whole history of a path.
func historyOf(t testing.TB, x *Index, session, path string) answer.History {
	t.Helper()
	h := answer.History{Path: path}
	if err := x.History(context.Background(), session, path, func(w answer.HistoryWrite) error {
		h.Writes = append(h.Writes, w)
		return nil
	}); err != nil {
		t.Fatalf("history of %s: %v", path, err)
	}
	return h
}

// aDump is a dump to travel in.
type aDump struct {
	name string
	path string
}

// smallDumps are the fixtures that can be read, the real dumps where they are
// there, and generated streams.
func smallDumps(t *testing.T) []aDump {
	t.Helper()
	dir := unpackFixtures(t)
	cases, err := fixtures.Cases()
	if err != nil {
		t.Fatal(err)
	}
	all := []aDump{{"demo", filepath.Join(dir, "demo")}}
	for _, c := range cases {
		if !c.Refused {
			all = append(all, aDump{c.Path, filepath.Join(dir, filepath.FromSlash(c.Path))})
		}
	}
	for i, o := range []stream.Options{
		{Format: stream.Eventlog, Events: 160, Size: 400},
		{Format: stream.Eventlog, Events: 200, Sessions: 3, Size: 300, Faults: stream.Faults{
			Disorder: 0.05, Dangling: 0.02, Forward: 0.02, Self: 0.01, NoSource: 0.05, NoSeq: 0.02, Copy: 0.03, Broken: 0.01}},
		{Format: stream.OpenHands, Events: 110, Size: 400},
		{Format: stream.OpenHandsV0, Events: 110, Size: 400},
		{Format: stream.Plain, Events: 50},
	} {
		o.Seed = uint64(100 + i)
		name := fmt.Sprintf("generated-%s-%d", o.Format, i)
		path := filepath.Join(dir, name)
		writeFile(t, path, generated(t, o))
		all = append(all, aDump{name, path})
	}
	all = append(all, randomDumps(t, dir)...)
	return append(all, realDumps(t)...)
}

// travelled are packagings of real dumps of every dialect that keeps a state,
// those whose sessions fork, compact, spawn or run on.
var travelled = []string{
	"claudecode/03-parallel/input", "claudecode/05-compaction/input", "claudecode/fixture-rewind-compact-preserved/input", "claudecode/version-2.1.61/input",
	"codex/05-compaction/input", "codex/08-wrong-dir/input/exec.jsonl", "codex/version-0.125.0-subagent/input", "codex/version-0.171.0-paginated/input",
	"opencode/05-compaction/opencode.db", "opencode/08-wrong-dir/global-event.jsonl", "opencode/go-opencode/opencode.db", "opencode/old-0.5.29-05-compaction/project",
	"cline/basic-compaction/input", "gemini-cli/version-0.61.0/input", "langgraph/checkpoint-tuples/input", "mini-swe-agent/mini-1.1-toolcall/input",
	"redux-devtools/counter-export/input", "swe-agent/test-repo-i1-v0/input", "temporal/openai-agents-tools/input",
}

// realDumps are packagings of the real dumps beside the project: all of
// OpenHands, some of the others; none where these are absent.
func realDumps(t *testing.T) []aDump {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", "..", "shared", "data"))
	if err != nil {
		t.Fatal(err)
	}
	dirs, _ := filepath.Glob(filepath.Join(root, "openhands", "*"))
	if len(dirs) == 0 {
		t.Logf("no real dumps in %s: only the project's own are travelled", root)
		return nil
	}
	var all []aDump
	add := func(path string) {
		name, err := filepath.Rel(root, path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, aDump{filepath.ToSlash(name), path})
	}
	for _, d := range dirs {
		for _, input := range truthInputs(t, d) {
			add(input)
		}
	}
	for _, name := range travelled {
		add(filepath.Join(root, filepath.FromSlash(name)))
	}
	return all
}

func generated(t testing.TB, o stream.Options) []byte {
	t.Helper()
	var buf bytes.Buffer
	if _, err := stream.Write(&buf, o); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}
