package codex

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// effector turns a session's records into effects, in replay order. What it
// keeps between them is bounded by what is in view and by the limits below.
type effector struct {
	meta    meta
	session string
	state   told
	recent  recentCalls
}

// told is what an effector carries from one record to the next.
type told struct {
	Response response
	// Shown are the prompts and instructions in view, to be known again in what a
	// compaction puts in place.
	Shown []shown `json:",omitempty"`
	// Told are the latest calls of which an item told what they did.
	Told []string `json:",omitempty"`
	// Touched are the files that the session changed, sorted.
	Touched []string `json:",omitempty"`
	// Cwd is where the turn's commands run that name no directory.
	Cwd     string `json:",omitempty"`
	Running running
	// Turn, Thread and World are sums of the latest settings.
	Turn, Thread, World uint64 `json:",omitempty"`
	// HasUsage: records tell what each response used. IsNamed: the session's own
	// head was read.
	HasUsage, IsNamed bool `json:",omitempty"`
}

// How much is remembered.
const (
	toldLimit    = 256
	touchedLimit = 1 << 14
)

// NewEffector starts a session.
func (dialect) NewEffector(s *model.Stream, session string) model.Effector {
	return &effector{meta: metaOf(s), session: session}
}

// telling is a record on its way to effects.
type telling struct {
	*effector
	foreseen
	e    *model.Event
	raw  []byte
	view model.View
}

// foreseen is what a record says by itself.
type foreseen struct {
	line line
	body body
	// Of an item of the history: how the model gets it, and how long it is.
	said   spoken
	isSaid bool
	chars  int64
	items  []placed // of a compaction
}

// spare holds foreseen records that are not in use: they are large, and no more
// of them are needed than are read ahead.
var spare = sync.Pool{New: func() any { return new(foreseen) }}

// Effects tells what a record does. A record that stands again does nothing.
func (f *effector) Effects(e *model.Event, raw []byte, view model.View) []model.Effect {
	if e.Origin == model.OriginCopied {
		return nil
	}
	return f.EffectsOf(f.Foresee(e, raw), e, raw, view)
}

// Foresee reads a record.
func (f *effector) Foresee(e *model.Event, raw []byte) any {
	if e.Origin == model.OriginCopied {
		return nil
	}
	s := spare.Get().(*foreseen)
	s.line, s.body = readRecord(raw)
	switch {
	case s.line.isItem():
		if s.said, s.isSaid = spokenOf(&s.body); s.isSaid {
			s.chars = phrase.ContentChars(s.said.content)
		}
	case word(s.line.typ) == "compacted":
		s.items = placedIn(s.body.replacement)
	}
	return s
}

// EffectsOf tells what a record does that was read.
func (f *effector) EffectsOf(seen any, e *model.Event, raw []byte, view model.View) []model.Effect {
	s := seen.(*foreseen)
	t := telling{effector: f, foreseen: *s, e: e, raw: raw, view: view}
	*s = foreseen{} // nothing holds on to the bytes
	spare.Put(s)
	return t.effects()
}

func (t *telling) effects() []model.Effect {
	outer := word(t.line.typ)
	switch {
	case t.line.flat && outer == "" && t.line.recordType != nil:
		t.state.Response = response{} // the oldest files write one before and after each request
		return nil
	case t.line.flat && outer == "", outer == "session_meta":
		return t.threadHead()
	case t.line.flat && isStdout(outer):
		return t.printed(outer)
	case t.line.isItem():
		return t.historyItem()
	}
	switch outer {
	case lineEvent:
		return t.event()
	case "turn_context":
		t.state.Response = response{}
		return t.turnSettings()
	case "world_state":
		return t.world()
	case "compacted":
		return t.compaction()
	case "token_usage_record":
		t.state.Response, t.state.HasUsage = response{}, true
		return spent(t.body.usage, false)
	}
	return nil
}

// event is a line that the screen was told, and the turns' beginnings and ends.
func (t *telling) event() []model.Effect {
	if t.e.Kind == model.KindMessage { // no item of the history says it
		t.state.Response = response{}
		return []model.Effect{model.Say{Role: model.RoleUser, Chars: phrase.ContentChars(screenText(&t.body)), Tokens: model.TokensUnknown}}
	}
	switch jsonscan.Str(t.body.typ) {
	case "item_completed":
		item := t.body.item
		b := readBody(item)
		return t.itemEnded(item, &b)
	case "patch_apply_end":
		return t.patchEnded(jsonscan.Str(t.body.callID), &t.body)
	case "exec_command_end":
		t.tell(jsonscan.Str(t.body.callID))
		return t.commandEnded(t.line.payload, &t.body)
	case "token_count":
		if !t.state.HasUsage {
			return spent(jsonscan.Get(t.body.info, "total_token_usage"), true)
		}
	case "thread_settings_applied":
		return t.threadSettings()
	case "task_started", "turn_started":
		t.state.Response = response{}
		return []model.Effect{model.Status{Execution: statusRunning}}
	case "task_complete", "turn_complete":
		return t.turnEnded()
	case "turn_aborted":
		return []model.Effect{model.Status{Execution: statusInterrupted, Reason: jsonscan.Str(t.body.reason)}}
	case "thread_rolled_back":
		return t.rollBack()
	case "plan_update":
		return planned(t.body.plan)
	case "error":
		return []model.Effect{model.Fail{Code: faultCode(jsonscan.Get(t.line.payload, "codex_error_info")), Message: jsonscan.Str(t.body.message)}}
	}
	return nil
}

// screenText is what the screen was told that a person wrote.
func screenText(b *body) []byte {
	if b.item != nil {
		return jsonscan.Get(b.item, "content")
	}
	return b.message
}

func (t *telling) turnEnded() []model.Effect {
	message := jsonscan.Str(t.body.fault)
	if jsonscan.Kind(t.body.fault) == '{' {
		message = jsonscan.Str(jsonscan.Get(t.body.fault, "message"))
	} else if message == "" {
		return []model.Effect{model.Status{Execution: statusIdle}}
	}
	return []model.Effect{
		model.Fail{Code: faultCode(jsonscan.Get(t.body.fault, "codex_error_info")), Message: message},
		model.Status{Execution: statusError, Reason: message},
	}
}

// faultCode is the name of an error: a text, or the only key of an object.
func faultCode(v []byte) (code string) {
	code = jsonscan.Scalar(v)
	jsonscan.Fields(v, func(key string, _ []byte) bool {
		code = key
		return false
	})
	return code
}

func spent(v []byte, isTotal bool) []model.Effect {
	u := usageOf(v)
	if u == nil {
		return nil
	}
	return []model.Effect{model.Spend{Usage: *u, Cumulative: isTotal}}
}

// checkpointID names a checkpoint that has no id by its place.
func checkpointID(e *model.Event) string {
	if e.ID != "" {
		return e.ID
	}
	return "#" + strconv.FormatInt(e.Pos, 10)
}

// tell notes that an item told what a call did.
func (f *effector) tell(call string) {
	if call == "" || slices.Contains(f.state.Told, call) {
		return
	}
	if len(f.state.Told) >= toldLimit {
		f.state.Told = slices.Delete(f.state.Told, 0, toldLimit/4)
	}
	f.state.Told = append(f.state.Told, call)
}

// touch notes that the session changed a file.
func (f *effector) touch(path string) {
	if at, has := slices.BinarySearch(f.state.Touched, path); !has && len(f.state.Touched) < touchedLimit {
		f.state.Touched = slices.Insert(f.state.Touched, at, path)
	}
}

// abs makes a path absolute in a directory, where that is known.
func abs(dir, path string) string {
	if path == "" || dir == "" || isAbs(path) {
		return path
	}
	return strings.TrimSuffix(dir, "/") + "/" + strings.TrimPrefix(path, "./")
}

// isAbs knows the absolute paths of Unix and of Windows.
func isAbs(path string) bool {
	if path[0] == '/' || path[0] == '\\' || path[0] == '~' {
		return true
	}
	return len(path) > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/')
}

// Save returns the effector's working state.
func (f *effector) Save() ([]byte, error) {
	b, err := json.Marshal(&f.state)
	if err != nil {
		return nil, fmt.Errorf("save codex effects: %w", err)
	}
	return b, nil
}

// Load takes what Save returned.
func (f *effector) Load(b []byte) error {
	var st told
	if err := json.Unmarshal(b, &st); err != nil {
		return fmt.Errorf("load codex effects: %w", err)
	}
	f.state, f.recent = st, recentCalls{}
	return nil
}
