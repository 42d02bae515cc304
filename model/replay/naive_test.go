package replay_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/answer"
)

// naive is the state kept plainly: one copy an event, nothing written down but
// the whole. It is what Fold is compared with.
type naive struct {
	messages   map[string]model.Entry
	forgotten  int64
	files      map[string]naiveFile
	tasks      []model.Task
	pending    map[string]answer.StateCall
	vars       map[string]any
	usage      model.Usage
	status     answer.StateStatus
	shell      answer.StateShell
	errors     answer.StateErrors
	checkpoint *answer.StateCheckpoint
}

type naiveFile struct {
	text      *string
	certainty model.Certainty
	seq, pos  int64 // 0: nobody wrote it
}

func newNaive() naive {
	return naive{
		messages: map[string]model.Entry{}, files: map[string]naiveFile{},
		pending: map[string]answer.StateCall{}, vars: map[string]any{},
	}
}

func (n naive) clone() naive {
	n.messages, n.files, n.pending = maps.Clone(n.messages), maps.Clone(n.files), maps.Clone(n.pending)
	n.tasks = slices.Clone(n.tasks)
	n.vars = copyJSON(n.vars).(map[string]any)
	return n
}

func copyJSON(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, below := range v {
			out[k] = copyJSON(below)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, below := range v {
			out[i] = copyJSON(below)
		}
		return out
	}
	return v
}

// foldNaively gives the states after each event; element 0 is the beginning.
func foldNaively(session []moment) []naive {
	states := []naive{newNaive()}
	for _, m := range session {
		before := states[len(states)-1]
		now := before.clone()
		if m.event.Origin != model.OriginCopied {
			for _, x := range m.effects {
				now.apply(m.event, x, states)
			}
			for key := range before.messages {
				if _, stays := now.messages[key]; !stays {
					now.forgotten++
				}
			}
			if m.event.Outcome.Failed() {
				now.errors = answer.StateErrors{Count: before.errors.Count + 1, LastSeq: &m.event.Seq}
			}
		}
		states = append(states, now)
	}
	return states
}

func (n *naive) apply(e *model.Event, x model.Effect, past []naive) {
	switch x := x.(type) {
	case model.Say:
		n.say(e, x)
	case model.Forget:
		n.forget(e, x)
	case model.Call:
		if x.ID != "" {
			n.pending[x.ID] = answer.StateCall{Call: x.ID, Seq: e.Seq, Pos: e.Pos, Tool: textOrNil(x.Tool)}
		}
	case model.Return:
		delete(n.pending, x.ID)
	case model.WriteFile, model.EditFile, model.DeleteFile, model.MoveFile, model.SeeFile:
		n.file(e, x)
	case model.DoubtFiles:
		n.doubt(x.Paths)
	case model.Run:
		n.run(x)
	case model.Tasks:
		n.tasks = nil
		for i, t := range x.List {
			if t.ID == "" {
				t.ID = strconv.Itoa(i + 1)
			}
			n.task(t, false)
		}
	case model.TaskItem:
		if x.Task.ID == "" {
			x.Task.ID = strconv.Itoa(len(n.tasks) + 1)
		}
		n.task(x.Task, x.Delete)
	case model.Status:
		n.status = answer.StateStatus{Execution: textOrNil(x.Execution), Reason: textOrNil(x.Reason)}
	case model.Spend:
		n.spend(x)
	case model.Snapshot:
		cp := &answer.StateCheckpoint{ID: textOrNil(x.Checkpoint), Seq: e.Seq, Pos: e.Pos}
		if x.HasBase {
			cp.BaseSeq = &x.BaseSeq
		} else if n.checkpoint != nil && x.Checkpoint != "" && n.checkpoint.ID != nil && *n.checkpoint.ID == x.Checkpoint {
			cp.BaseSeq = n.checkpoint.BaseSeq
		}
		n.checkpoint = cp
	case model.Revert:
		n.revert(past[min(x.To, int64(len(past))-1)].clone(), x.Facets)
	case model.Set:
		n.set(x)
	case model.Unset:
		n.unset(x)
	}
}

func textOrNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func (n *naive) say(e *model.Event, x model.Say) {
	m := model.Entry{Key: x.Key, Pos: e.Pos, Seq: e.Seq, Event: e.ID, Response: x.Response, Role: x.Role, Chars: x.Chars, Tokens: x.Tokens, Summary: x.Summary}
	if m.Key == "" {
		m.Key = model.MessageKey(e.Pos)
	}
	n.messages[m.Key] = m
}

func (n *naive) forget(e *model.Event, x model.Forget) {
	for _, key := range x.Keys {
		m, stands := n.messages[key]
		switch {
		case stands && x.Replace:
			m.Chars, m.Tokens, m.Replaced = x.ReplaceChars, model.TokensUnknown, true
			n.messages[key] = m
		default:
			delete(n.messages, key)
		}
	}
	if x.Summary != nil {
		s := *x.Summary
		s.Summary = true
		n.say(e, s)
	}
	if x.Checkpoint != "" {
		n.apply(e, model.Snapshot{Checkpoint: x.Checkpoint}, nil)
	}
}

func (n *naive) file(e *model.Event, x model.Effect) {
	written := func(text *string, c model.Certainty) naiveFile { return naiveFile{text, c, e.Seq, e.Pos} }
	truth := func(path string, before *string) (naiveFile, bool) {
		f, ok := n.files[path]
		switch {
		case before == nil || !ok && *before == "":
		case ok && f.text != nil && *f.text == *before:
			f.certainty = model.CertaintyKnown
		default:
			f, ok = written(before, model.CertaintyKnown), true
		}
		return f, ok
	}
	switch x := x.(type) {
	case model.WriteFile:
		n.files[x.Path] = written(&x.Content, x.Certainty)
	case model.EditFile:
		f, ok := truth(x.Path, x.Before)
		n.files[x.Path] = written(nil, model.CertaintyUnknown)
		if !ok || f.text == nil {
			return
		}
		if text, ok := naiveEdit(*f.text, x); ok {
			c := model.CertaintyUnknown
			if f.certainty >= model.CertaintyDerived {
				c = model.CertaintyDerived
			}
			n.files[x.Path] = written(&text, c)
		}
	case model.DeleteFile:
		delete(n.files, x.Path)
	case model.MoveFile:
		if f, ok := n.files[x.From]; ok {
			delete(n.files, x.From)
			n.files[x.To] = f
		}
	case model.SeeFile:
		f, ok := n.files[x.Path]
		switch {
		case x.Whole && ok && f.text != nil && *f.text == x.Content:
			f.certainty = model.CertaintyKnown
			n.files[x.Path] = f
		case x.Whole:
			n.files[x.Path] = written(&x.Content, model.CertaintyKnown)
		case f.text == nil:
			f.certainty = model.CertaintyPartial
			n.files[x.Path] = f
		}
	}
}

func naiveEdit(text string, x model.EditFile) (string, bool) {
	if x.Insert {
		lines := strings.SplitAfter(text, "\n")
		if lines[len(lines)-1] == "" {
			lines = lines[:len(lines)-1]
		}
		if x.InsertLine < 0 || int(x.InsertLine) > len(lines) {
			return "", false
		}
		above, below := strings.Join(lines[:x.InsertLine], ""), strings.Join(lines[x.InsertLine:], "")
		if above != "" && !strings.HasSuffix(above, "\n") {
			return above + "\n" + x.New, true
		}
		if x.New != "" && !strings.HasSuffix(x.New, "\n") {
			x.New += "\n"
		}
		return above + x.New + below, true
	}
	if x.Old == "" {
		return x.New, text == ""
	}
	parts := strings.Split(text, x.Old)
	if len(parts) == 1 {
		return "", false
	}
	if x.All {
		return strings.Join(parts, x.New), true
	}
	return parts[0] + x.New + strings.Join(parts[1:], x.Old), true
}

func (n *naive) run(x model.Run) {
	n.shell.Command, n.shell.ExitCode, n.shell.Running = &x.Command, x.Exit, &x.Running
	before := n.shell.Cwd
	if x.Cwd != nil {
		n.shell.Cwd = x.Cwd
	}
	if before == nil {
		before = n.shell.Cwd
	}
	for _, c := range commands {
		if c.line != x.Command || x.Quiet {
			continue
		}
		n.doubt(c.changes)
		if x.Exit != nil && *x.Exit == 0 && !x.Running {
			n.made(c.makes, before)
		}
	}
}

// made: a command that ended well leaves files of which nothing is known.
func (n *naive) made(names []string, dir *string) {
	for _, name := range names {
		_, asWritten := n.files[name]
		if dir != nil {
			name = *dir + "/" + name
		}
		if _, tracked := n.files[name]; !tracked && !asWritten {
			n.files[name] = naiveFile{certainty: model.CertaintyUnknown}
		}
	}
}

func (n *naive) doubt(paths []string) {
	for _, path := range paths {
		if f, ok := n.files[path]; ok {
			f.certainty = model.CertaintyUnknown
			n.files[path] = f
		}
	}
}

func (n *naive) task(t model.Task, remove bool) {
	for i := range n.tasks {
		if n.tasks[i].ID == t.ID {
			n.tasks[i] = t
			if remove {
				n.tasks = slices.Delete(n.tasks, i, i+1)
			}
			return
		}
	}
	if !remove {
		n.tasks = append(n.tasks, t)
	}
}

func (n *naive) spend(x model.Spend) {
	tell := func(part model.Told, now *int64, n int64) {
		switch {
		case x.Usage.Told&part == 0:
		case x.Cumulative:
			*now = n
		default:
			*now += n
		}
	}
	u := &n.usage
	tell(model.ToldInput, &u.Input, x.Usage.Input)
	tell(model.ToldOutput, &u.Output, x.Usage.Output)
	tell(model.ToldCacheRead, &u.CacheRead, x.Usage.CacheRead)
	tell(model.ToldCacheWrite, &u.CacheWrite, x.Usage.CacheWrite)
	tell(model.ToldReasoning, &u.Reasoning, x.Usage.Reasoning)
	if x.Usage.Told&model.ToldCost != 0 {
		if x.Cumulative {
			u.CostUSD = 0
		}
		u.CostUSD += x.Usage.CostUSD
	}
	u.Told |= x.Usage.Told
}

func (n *naive) revert(to naive, facets model.Facets) {
	for flag, back := range map[model.Facets]func(){
		model.FacetContext: func() { n.messages = to.messages },
		model.FacetFiles:   func() { n.files = to.files },
		model.FacetTasks:   func() { n.tasks = to.tasks },
		model.FacetShell:   func() { n.shell = to.shell },
		model.FacetUsage:   func() { n.usage = to.usage },
		model.FacetStatus:  func() { n.status = to.status },
		model.FacetVars:    func() { n.vars = to.vars },
	} {
		if facets&flag != 0 {
			back()
		}
	}
}

func pointer(path string) []string {
	list := strings.Split(strings.TrimPrefix(path, "/vars/"), "/")
	for i := range list {
		list[i] = strings.ReplaceAll(strings.ReplaceAll(list[i], "~1", "/"), "~0", "~")
	}
	return list
}

func (n *naive) set(x model.Set) {
	dec := json.NewDecoder(strings.NewReader(string(x.Value)))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return
	}
	vars := copyJSON(n.vars)
	if setNaively(&vars, pointer(x.Path), v) {
		n.vars = vars.(map[string]any)
	}
}

func setNaively(at *any, path []string, v any) bool {
	if len(path) == 0 {
		*at = v
		return true
	}
	if list, ok := (*at).([]any); ok {
		for i := range len(list) + 1 {
			if strconv.Itoa(i) == path[0] || path[0] == "-" && i == len(list) {
				list = append(slices.Clone(list), nil)
				ok = setNaively(&list[i], path[1:], v)
				*at = list[:max(len(list)-1, i+1)]
				return ok
			}
		}
		return false
	}
	m, ok := (*at).(map[string]any)
	if !ok {
		m = map[string]any{}
		*at = m
	}
	below := m[path[0]]
	ok = setNaively(&below, path[1:], v)
	m[path[0]] = below
	return ok
}

func (n *naive) unset(x model.Unset) {
	path := pointer(x.Path)
	var at any = n.vars
	for i, token := range path {
		last := i == len(path)-1
		if list, ok := at.([]any); ok {
			k, err := strconv.Atoi(token)
			if err != nil || k >= len(list) {
				return
			}
			if last {
				n.set(model.Set{
					Path:  x.Path[:strings.LastIndex(x.Path, "/")],
					Value: mustJSON(slices.Delete(slices.Clone(list), k, k+1)),
				})
				return
			}
			at = list[k]
			continue
		}
		m, _ := at.(map[string]any)
		if last {
			delete(m, token)
			return
		}
		at = m[token]
	}
}

func mustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// document is the state as the document shows it.
func (n *naive) document(e *model.Event) answer.State {
	doc := answer.State{
		Seq: e.Seq, Pos: e.Pos, Event: textOrNil(e.ID), Status: n.status, Shell: n.shell, Errors: n.errors, Checkpoint: n.checkpoint,
		Usage: answer.NewUsage(n.usage), Files: map[string]answer.StateFile{}, Vars: map[string]json.RawMessage{},
		Tasks: []answer.StateTask{}, Pending: slices.AppendSeq([]answer.StateCall{}, maps.Values(n.pending)),
		Context: answer.StateContext{Messages: []answer.StateMessage{}, Forgotten: n.forgotten},
	}
	sum, known := int64(0), len(n.messages) > 0
	for _, m := range n.entries() {
		shown := answer.StateMessage{Key: m.Key, Seq: m.Seq, Pos: m.Pos, Event: textOrNil(m.Event), Role: m.Role.String(), Chars: m.Chars, Summary: m.Summary}
		if m.Tokens == model.TokensUnknown {
			known = false
		} else {
			shown.Tokens = &m.Tokens
			sum += m.Tokens
		}
		doc.Context.Messages = append(doc.Context.Messages, shown)
	}
	if known {
		doc.Context.Tokens = &sum
	}
	for path, f := range n.files {
		shown := answer.StateFile{Content: f.text, Certainty: f.certainty.String()}
		if f.text != nil {
			hash := sha256.Sum256([]byte(*f.text))
			hexed := hex.EncodeToString(hash[:])
			shown.SHA256 = &hexed
			shown.Lines = int64(len(strings.Split(strings.TrimSuffix(*f.text, "\n"), "\n")))
			if *f.text == "" {
				shown.Lines = 0
			}
		}
		if f.pos != 0 {
			shown.WrittenBy, shown.WrittenPos = &f.seq, &f.pos
		}
		doc.Files[path] = shown
	}
	for _, t := range n.tasks {
		doc.Tasks = append(doc.Tasks, answer.StateTask(t))
	}
	slices.SortFunc(doc.Pending, func(a, b answer.StateCall) int {
		if a.Pos != b.Pos {
			return int(a.Pos - b.Pos)
		}
		return strings.Compare(a.Call, b.Call)
	})
	for name, v := range n.vars {
		doc.Vars[name] = mustJSON(v)
	}
	return doc
}

func (n *naive) entries() []model.Entry {
	out := make([]model.Entry, 0, len(n.messages))
	for _, key := range slices.Sorted(maps.Keys(n.messages)) {
		out = append(out, n.messages[key])
	}
	return out
}
