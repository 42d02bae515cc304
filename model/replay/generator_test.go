package replay_test

import (
	"fmt"
	"math/rand/v2"

	"hindcast/model"
)

// dice makes choices out of bytes; when they are used up, the first choice.
type dice struct{ bytes []byte }

func (d *dice) n(sides int) int {
	if len(d.bytes) == 0 {
		return 0
	}
	b := d.bytes[0]
	d.bytes = d.bytes[1:]
	return int(b) % sides
}

func pick[T any](d *dice, list ...T) T { return list[d.n(len(list))] }

// maybe gives nil or one of the list.
func maybe[T any](d *dice, list ...T) *T {
	if d.n(2) == 0 {
		return nil
	}
	v := pick(d, list...)
	return &v
}

// randomBytes are the bytes of a stream of some hundred events.
func randomBytes(seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	b := make([]byte, 600+r.IntN(1800))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// moment is an event with its effects.
type moment struct {
	event   *model.Event
	effects []model.Effect
}

// stream makes a session out of bytes: few names and few values, so that
// effects meet each other.
func stream(b []byte) []moment {
	d := &dice{b}
	var out []moment
	for pos := int64(1); len(d.bytes) > 0; pos++ {
		e := &model.Event{
			Pos: pos, Seq: 2*pos + 5, ID: pick(d, fmt.Sprintf("evt_%d", pos), ""),
			Outcome: pick(d, model.OutcomeUnknown, model.OutcomeOK, model.OutcomeFailed),
			Origin:  pick(d, model.OriginRecorded, model.OriginRecorded, model.OriginDerived, model.OriginCopied),
		}
		m := moment{event: e}
		if e.Origin != model.OriginCopied {
			for range 1 + d.n(4) {
				m.effects = append(m.effects, anEffect(d, pos))
			}
		}
		out = append(out, m)
	}
	return out
}

var (
	paths    = []string{"a.txt", "dir/b.go", "/srv/c.md", "odd~name/x y"}
	contents = []string{"", "one\n", "one\ntwo\n", "one\ntwo", "three \"é\"\n", "\n\n"}
	keys     = []string{"k/1", "k/2", "0", "~"}
	ids      = []string{"1", "2", "a/b", ""}
)

// commands with the tracked paths that they may change, where the shell is in
// /srv or nobody knows where it is, and those that they leave if they end well.
var commands = []struct {
	line           string
	changes, makes []string
}{
	{"ls a.txt dir/b.go", nil, nil},
	{"echo one > a.txt", []string{"a.txt", "/srv/a.txt"}, []string{"a.txt"}},
	{"rm dir/b.go /srv/c.md", []string{"dir/b.go", "/srv/c.md"}, nil},
	{"cat a.txt && sed -i s/a/b/ 'odd~name/x y'", []string{"odd~name/x y", "/srv/odd~name/x y"}, []string{"odd~name/x y"}},
	{"gofmt -l a.txt dir/b.go", nil, nil},
}

func anEffect(d *dice, pos int64) model.Effect {
	switch d.n(21) {
	case 0:
		return model.Forget{
			Keys: someKeys(d, pos), Reason: pick(d, model.LostCompaction, model.LostPrune), Replace: d.n(3) == 0, ReplaceChars: int64(d.n(9)),
			Summary: maybe(d, aSay(d)), Checkpoint: pick(d, "", "cp1", "cp2"),
		}
	case 1:
		return model.Call{ID: pick(d, ids...), Tool: pick(d, "bash", "")}
	case 2:
		return model.Return{ID: pick(d, ids...)}
	case 3:
		return model.WriteFile{Path: pick(d, paths...), Content: pick(d, contents...), Certainty: pick(d, model.CertaintyKnown, model.CertaintyDerived), Before: maybe(d, contents...)}
	case 4:
		return model.EditFile{Path: pick(d, paths...), Old: pick(d, "o", "two", "", "zzz"), New: pick(d, "two", "", "o\n"), All: d.n(2) == 1, Before: maybe(d, contents...)}
	case 5:
		return model.EditFile{Path: pick(d, paths...), New: pick(d, "two", "", "o\n", "x\ny"), Insert: true, InsertLine: int64(d.n(5)) - 1}
	case 6:
		return model.DeleteFile{Path: pick(d, paths...), Before: maybe(d, contents...)}
	case 7:
		return model.MoveFile{From: pick(d, paths...), To: pick(d, paths...)}
	case 8:
		return model.SeeFile{Path: pick(d, paths...), Content: pick(d, contents...), Whole: d.n(3) > 0}
	case 9:
		return model.Run{Command: pick(d, commands...).line, Cwd: maybe(d, "/srv"), Exit: maybe(d, int64(0), 1), Running: d.n(4) == 0, Quiet: d.n(4) == 0}
	case 10:
		return model.Tasks{List: someTasks(d)}
	case 11:
		return model.TaskItem{Task: aTask(d), Delete: d.n(3) == 0}
	case 12:
		return model.Status{Execution: pick(d, "running", "done", ""), Reason: pick(d, "", "asked")}
	case 13:
		return model.Spend{Usage: model.Usage{Input: int64(d.n(9)), Output: int64(d.n(3)), CacheRead: 2, Reasoning: 1, CostUSD: float64(d.n(9)) / 8, Told: model.Told(d.n(64))}, Cumulative: d.n(2) == 0}
	case 14:
		return model.Snapshot{Checkpoint: pick(d, "cp1", "cp3", ""), BaseSeq: int64(d.n(9)), HasBase: d.n(2) == 0}
	case 15:
		return model.Revert{To: int64(d.n(256)) * (pos + 2) / 256, Facets: model.Facets(d.n(256)), Reason: model.LostRevert}
	case 16, 17:
		return model.Set{Path: aVar(d), Value: []byte(pick(d, "1", "1.50", `"<é>"`, "null", "{}", `{"b":[1,{"c":2}],"a":{}}`, "[]", "nonsense", "[1,2]"))}
	case 18:
		return model.Unset{Path: aVar(d)}
	case 19:
		return model.DoubtFiles{Paths: []string{pick(d, paths...), pick(d, paths...)}}
	}
	return aSay(d)
}

func aVar(d *dice) string {
	return "/vars/" + pick(d, "x", "y~1z", "") + pick(d, "", "/a", "/b", "/b/0", "/b/-", "/b/1/c", "/a/deep/er", "/0")
}

func aSay(d *dice) model.Say {
	return model.Say{
		Key: pick(d, "", "", pick(d, keys...)), Response: pick(d, "", "r1"), Role: model.Role(d.n(4)),
		Chars: int64(d.n(9)), Tokens: pick(d, int64(model.TokensUnknown), 1, 2, 3), Summary: d.n(9) == 0,
	}
}

func someKeys(d *dice, pos int64) []string {
	var out []string
	for range d.n(6) {
		out = append(out, pick(d, model.MessageKey(max(1, pos-int64(d.n(20)))), pick(d, keys...)))
	}
	return out
}

func aTask(d *dice) model.Task {
	return model.Task{ID: pick(d, ids...), Title: pick(d, "look", "do"), Status: pick(d, "todo", "in_progress", "done")}
}

func someTasks(d *dice) []model.Task {
	var out []model.Task
	for range d.n(5) {
		out = append(out, aTask(d))
	}
	return out
}
