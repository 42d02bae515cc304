package mapped

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"hindcast/model"
	"hindcast/model/chat"
)

// How many of a file's first records decide whether it is of the format, and
// how sure a claim is: that of the user's own [detect] goes before what the
// program's own dialects say, without it only the generic one comes behind.
const (
	lookAt         = 32
	confidence     = 99
	confidenceWeak = 40
)

// Dialect is the dialect of a mapping.
type Dialect struct{ m *mapping }

var (
	_ model.Teller   = Dialect{}
	_ model.Recorder = Dialect{}
)

// New makes a dialect of a mapping. An error is an *Error.
func New(m Mapping) (Dialect, error) {
	read, err := compile(m)
	return Dialect{read}, err
}

// Info describes the mapping.
func (d Dialect) Info() model.DialectInfo {
	i := model.DialectInfo{
		Name: d.m.Name, Title: cmp.Or(d.m.Mapping.Title, "a format of your own"), Versions: "as mapped",
		Packs:   []string{"JSON lines", "JSON values one after another", "a JSON array"},
		Detects: "files " + d.detects(), GlobalIDs: d.m.GlobalIDs,
		Context: "none", Files: "none", Cost: "none", Status: "none",
	}
	for _, member := range d.m.Records {
		i.Packs = append(i.Packs, "an object with the array "+member)
	}
	tells := func(field *string, what string, verbs ...string) {
		for _, v := range verbs {
			if d.m.can[v] {
				*field = what
			}
		}
	}
	tells(&i.Context, "partial", doMessage)
	tells(&i.Files, "partial", doEdit, doDelete, doMove, doRead)
	tells(&i.Files, "known", doWrite)
	tells(&i.Cost, "recorded", doUsage)
	tells(&i.Status, "recorded", doStatus)
	return i
}

// detects says in a clause which files are claimed.
func (d Dialect) detects() string {
	var parts []string
	if len(d.m.Detect.Files) > 0 {
		parts = append(parts, "named "+strings.Join(d.m.Detect.Files, " or "))
	}
	has := d.m.Detect.Present
	if d.weak() {
		for _, v := range []Value{d.m.Event.ID, d.m.Event.Sequence, d.m.Event.Type} {
			if v.Given() {
				has = append(has, v.At+v.Text)
			}
		}
	}
	if len(has) > 0 {
		parts = append(parts, "whose records have "+strings.Join(has, ", "))
	}
	for _, v := range d.m.values {
		parts = append(parts, "with "+strings.Join(v.is, " or ")+" at "+v.at.String())
	}
	return strings.Join(parts, ", ")
}

// weak reports a mapping that does not say which files are its own.
func (d Dialect) weak() bool {
	return len(d.m.Detect.Files)+len(d.m.Detect.Present)+len(d.m.Detect.Values) == 0
}

// Claim takes the files of which at least half of the first records are as the
// mapping says.
func (d Dialect) Claim(dump model.Dump, force bool) (streams []model.Stream) {
	for i, file := range dump.Files() {
		if !force && !d.named(file.Name) {
			continue
		}
		look, ok := chat.LookAt(dump, i, d.m.Records...)
		if !ok {
			continue
		}
		records, fit := look.Records(lookAt), 0
		for _, r := range records {
			if d.own(scope{record: r}) {
				fit++
			}
		}
		if !force && (fit == 0 || 2*fit < len(records)) {
			continue
		}
		s := model.Stream{
			Dialect: d.m.Name, Confidence: confidence, Files: []int{i}, Framing: look.Framing, Order: model.OrderArrival,
			Session: chat.Stem(file.Name), Reason: fmt.Sprintf("the mapping %s: %s", d.m.Name, d.detects()),
		}
		if d.weak() && !force {
			s.Confidence = confidenceWeak
		}
		if d.m.seq != nil {
			s.Order = model.OrderSeq
		}
		streams = append(streams, s)
	}
	return streams
}

func (d Dialect) named(name string) bool {
	return len(d.m.Detect.Files) == 0 || globs(d.m.Detect.Files, name) || globs(d.m.Detect.Files, path.Base(name))
}

// own reports a record that is as [detect] says.
func (d Dialect) own(s scope) bool {
	if !d.weak() {
		return fits(s, d.m.present, d.m.values)
	}
	for _, v := range []*value{d.m.id, d.m.seq, d.m.typ} {
		if _, ok := v.text(s); v.given() && !ok {
			return false
		}
	}
	return true
}

// NewLinker starts the work on one session.
func (d Dialect) NewLinker(s *model.Stream, _ string) model.Linker {
	return &linker{chat.NewLinker(model.Summary{Title: s.Title, Version: s.Version, Parent: s.Parent})}
}

// linker joins results to calls. Every record of a session may say what spawned
// it: that of the first counts.
type linker struct{ *chat.Linker }

// Link completes one event.
func (l *linker) Link(e *model.Event, look model.Lookup) {
	if e.Pos > 1 {
		kept := e.Links[:0]
		for _, link := range e.Links {
			if link.Reason != model.ReasonSpawn {
				kept = append(kept, link)
			}
		}
		e.Links = kept
	}
	l.Linker.Link(e, look)
}
