package openhands

import (
	"hindcast/model"
	"hindcast/model/jsonscan"
)

// A process that goes on keeps in view what it has seen and forgets what it is
// told to. One that starts again builds its view from the log and enforces
// rules on it (section 5.1 of the format): a call never stands without its
// result, a response never without one of its calls. Both are true at once.

// placed is what the rules see of a record: where it stands, and which call it
// makes or answers.
type placed struct {
	pos      int64
	part     part
	response string
	call     string
	thinks   bool // begins a tool loop
}

// part is a record's part in a tool loop.
type part uint8

const (
	partOther  part = iota // ends a loop
	partAction             // a call
	partResult             // an answer
)

var parts = map[string]part{
	"ActionEvent": partAction, "NonExecutableActionEvent": partAction,
	"ObservationEvent": partResult, "UserRejectObservation": partResult, "AgentErrorEvent": partResult,
}

func partIn(pos int64, typ string, call string, raw []byte) placed {
	p := placed{pos: pos, part: parts[typ], call: call}
	if p.part == partAction {
		var r record
		readEvent(&r, raw)
		p.response = jsonscan.Str(r.responseID)
		jsonscan.Elements(jsonscan.Get(r.raw, "thinking_blocks"), func([]byte) bool {
			p.thinks = true
			return false
		})
	}
	return p
}

// Resume gives what is in view when the conversation is loaded from its log.
// The older family has no such rules.
func (dialect) Resume(view []model.Viewed, at int64, log model.Records) []model.Viewed {
	all := placedIn(view)
	lowest := int64(0)
	for _, p := range all {
		if p.part != partOther && (lowest == 0 || p.pos < lowest) {
			lowest = p.pos
		}
	}
	if lowest == 0 {
		return view
	}
	path := pathDown(at, lowest, log)
	keep := enforce(all, batchesOf(path), loopsOf(path))
	var out []model.Viewed
	for i, x := range view {
		if keep[i] {
			out = append(out, x)
		}
	}
	return out
}

func placedIn(view []model.Viewed) []placed {
	all := make([]placed, len(view))
	for i, x := range view {
		all[i] = placed{pos: x.Pos}
		if !x.Summary {
			all[i] = partIn(x.Pos, x.Record.Type, x.Record.Call, x.Raw)
		}
	}
	return all
}

// pathDown reads the path to the head after the event at pos at, down to the
// loop in which the event at lowest stands; in the order of the log.
func pathDown(at, lowest int64, log model.Records) (path []placed) {
	for at > 0 {
		e, _, ok := log.Record(at)
		if ok && e.Origin != model.OriginCopied && e.Type != "ConversationStateUpdateEvent" {
			break
		}
		at--
	}
	var made notes
	for at > 0 {
		e, raw, ok := log.Record(at)
		if !ok {
			break
		}
		p := partIn(at, e.Type, e.Call, raw)
		if at < lowest && p.part == partOther && e.Type != "ConversationStateUpdateEvent" {
			break
		}
		path = append(path, p)
		var r record
		readEvent(&r, raw)
		n := made.of(&e, raw, &r)
		up := namedIn(&e, &n, log)
		if up < 0 {
			up = at - 1
		}
		at = up
	}
	for i, j := 0, len(path)-1; i < j; i, j = i+1, j-1 {
		path[i], path[j] = path[j], path[i]
	}
	return path
}

// missingCalls are calls that are not in view, though one of the same response
// says that they were made.
func missingCalls(view []model.Viewed, all []placed) (missing []placed) {
	there := map[int64]bool{}
	for _, p := range all {
		there[p.pos] = true
	}
	for i, x := range view {
		for _, l := range x.Record.Links {
			if l.Reason == model.ReasonBatch && l.Resolved() && all[i].part == partAction && !there[l.To.Pos] {
				there[l.To.Pos] = true
				missing = append(missing, placed{pos: l.To.Pos, part: partAction, response: all[i].response})
			}
		}
	}
	return missing
}

// enforce applies the rules to a view until none takes anything away, and
// tells what is left. The rules are in order: after one has taken something
// the first comes again.
func enforce(view []placed, batches, loops groups) []bool {
	keep := make([]bool, len(view))
	for i := range keep {
		keep[i] = true
	}
	for {
		switch {
		case oneResult(view, keep):
		case wholeGroups(view, keep, batches):
		case matched(view, keep):
		case wholeGroups(view, keep, loops):
		default:
			return keep
		}
	}
}

// oneResult keeps the first result of each call.
func oneResult(view []placed, keep []bool) (dropped bool) {
	seen := map[string]bool{}
	for i, p := range view {
		if !keep[i] || p.part != partResult {
			continue
		}
		if seen[p.call] {
			keep[i], dropped = false, true
		}
		seen[p.call] = true
	}
	return dropped
}

// matched drops calls without a result in view, and results without a call.
func matched(view []placed, keep []bool) (dropped bool) {
	made, answered := map[string]bool{}, map[string]bool{}
	for i, p := range view {
		switch {
		case !keep[i]:
		case p.part == partAction:
			made[p.call] = true
		case p.part == partResult:
			answered[p.call] = true
		}
	}
	for i, p := range view {
		lonely := p.part == partAction && !answered[p.call] || p.part == partResult && !made[p.call]
		if keep[i] && lonely {
			keep[i], dropped = false, true
		}
	}
	return dropped
}

// groups puts records of the path together that stay or go as one: the group
// of each, and how many each group has.
type groups struct {
	of   map[int64]int // by pos
	size []int
}

func (g *groups) add(pos int64, group int) {
	for len(g.size) <= group {
		g.size = append(g.size, 0)
	}
	g.of[pos] = group
	g.size[group]++
}

// batchesOf groups the calls of each response.
func batchesOf(path []placed) groups {
	g, byResponse := groups{of: map[int64]int{}}, map[string]int{}
	for _, p := range path {
		if p.part != partAction || p.response == "" {
			continue
		}
		group, ok := byResponse[p.response]
		if !ok {
			group = len(byResponse)
			byResponse[p.response] = group
		}
		g.add(p.pos, group)
	}
	return g
}

// loopsOf groups the records of each tool loop: it begins at a call with
// thinking and goes on with calls and results.
func loopsOf(path []placed) groups {
	g, loop, isIn := groups{of: map[int64]int{}}, -1, false
	for _, p := range path {
		switch {
		case p.part == partOther:
			isIn = false
		case p.part == partAction && p.thinks:
			loop++
			isIn = true
		}
		if isIn {
			g.add(p.pos, loop)
		}
	}
	return g
}

// wholeGroups drops what is left of groups that are not whole in view.
func wholeGroups(view []placed, keep []bool, g groups) (dropped bool) {
	there := make([]int, len(g.size))
	for i, p := range view {
		if group, ok := g.of[p.pos]; ok && keep[i] {
			there[group]++
		}
	}
	for i, p := range view {
		if group, ok := g.of[p.pos]; ok && keep[i] && there[group] < g.size[group] {
			keep[i], dropped = false, true
		}
	}
	return dropped
}
