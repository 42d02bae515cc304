// Package dialect is the table of the formats that hindcast reads, and the
// decision which of them reads what in a dump. Each format is a package below
// this one; to add one is to add its folder and a line in the table.
package dialect

import (
	"fmt"
	"slices"

	"hindcast/model"
	"hindcast/model/dialect/atif"
	"hindcast/model/dialect/claudecode"
	"hindcast/model/dialect/cline"
	"hindcast/model/dialect/codex"
	"hindcast/model/dialect/copilotcli"
	"hindcast/model/dialect/eventlog"
	"hindcast/model/dialect/eventstore"
	"hindcast/model/dialect/geminicli"
	"hindcast/model/dialect/generic"
	"hindcast/model/dialect/goose"
	"hindcast/model/dialect/inspect"
	"hindcast/model/dialect/langgraph"
	"hindcast/model/dialect/mapped"
	"hindcast/model/dialect/minisweagent"
	"hindcast/model/dialect/opencode"
	"hindcast/model/dialect/openhands"
	"hindcast/model/dialect/otlp"
	"hindcast/model/dialect/reduxdevtools"
	"hindcast/model/dialect/sweagent"
	"hindcast/model/dialect/temporal"
	"hindcast/model/jsonscan"
)

// Table is the dialects that are known, in the order in which they are asked.
// The generic one, the last resort, is last.
type Table []model.Dialect

// All lists the program's own dialects, by name.
func All() Table {
	return Table{
		atif.New(),
		claudecode.New(),
		cline.New(),
		eventstore.CloudEvents(),
		codex.New(),
		copilotcli.New(),
		eventlog.New(),
		geminicli.New(),
		goose.New(),
		inspect.New(),
		eventstore.KurrentDB(),
		langgraph.New(),
		eventstore.Marten(),
		minisweagent.New(),
		opencode.New(),
		openhands.New(),
		otlp.New(),
		reduxdevtools.New(),
		sweagent.New(),
		temporal.New(),
		generic.New(),
	}
}

// With lists the dialects of mappings before the program's own. An error is a
// *mapped.Error of one of them.
func With(mappings []mapped.Mapping) (Table, error) {
	own := All()
	all := make(Table, 0, len(mappings)+len(own))
	for _, m := range mappings {
		if own.ByName(m.Name) != nil {
			return nil, &mapped.Error{Key: "name", Message: fmt.Sprintf("%q is a dialect of the program's own", m.Name), Hint: "choose another name"}
		}
		d, err := mapped.New(m)
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return append(all, own...), nil
}

// ByName finds a dialect; nil where the name is not known.
func (t Table) ByName(name string) model.Dialect {
	for _, d := range t {
		if d.Info().Name == name {
			return d
		}
	}
	return nil
}

// Names lists the names of the dialects.
func (t Table) Names() []string {
	var names []string
	for _, d := range t {
		names = append(names, d.Info().Name)
	}
	return names
}

// Plan says which dialect reads which files of a dump.
type Plan struct {
	Streams []model.Stream // in the order of their first file
	Left    []Left         // files that no dialect reads
	// Refused are files that are not read since a dialect knows what they are:
	// What says why. Nobody has looked into them for the plan's sake.
	Refused []model.Evidence
}

// Left is a file that no dialect reads, and what it looks like.
type Left struct {
	File int
	Seen string
}

// MakePlan asks every dialect (or only the forced one) what it recognises. A
// file goes to the most confident claim; between equals, to the claim of more
// files, then to the dialect that stands first in the table. What nobody
// claims is offered to the generic dialect, unless it is a table of a database
// in which another dialect reads: that is a program's own, and no events.
// What a dialect refuses is read by none, not even by one that is forced.
func (t Table) MakePlan(d model.Dump, forced string) Plan {
	taken := make(map[int]bool)
	var plan Plan
	if forced != "" {
		if hasDatabase(d) {
			for _, s := range t.claimAll(d) {
				plan.refuse(s, taken)
			}
		}
		plan.accept(claimRest(d, t.ByName(forced), true, taken), taken)
	} else {
		plan.accept(t.claimAll(d), taken)
		plan.refuseTables(d, taken)
		plan.accept(claimRest(d, t[len(t)-1], false, taken), taken)
	}
	plan.leave(d, taken)
	slices.SortStableFunc(plan.Streams, func(a, b model.Stream) int { return firstFile(a) - firstFile(b) })
	return plan
}

// claimAll gives the claims of all dialects but the last, the best first.
func (t Table) claimAll(d model.Dump) []model.Stream {
	var claims []model.Stream
	sure := make(map[int]bool)
	for _, layout := range []bool{true, false} {
		for _, dialect := range t[:len(t)-1] {
			if dialect.Info().Layout == layout {
				claims = append(claims, claimRest(d, dialect, false, sure)...)
			}
		}
		settle(claims, sure)
	}
	slices.SortStableFunc(claims, func(a, b model.Stream) int {
		if a.Confidence != b.Confidence {
			return b.Confidence - a.Confidence
		}
		return len(b.Files) - len(a.Files)
	})
	return claims
}

func hasDatabase(d model.Dump) bool {
	return slices.ContainsFunc(d.Files(), func(f model.File) bool { return f.Database != "" })
}

// refuse takes what a claim refuses, without what went before.
func (p *Plan) refuse(s model.Stream, taken map[int]bool) {
	for _, e := range s.Refused {
		if !taken[e.File] {
			taken[e.File] = true
			p.Refused = append(p.Refused, e)
		}
	}
}

// refuseTables takes the tables that nobody claimed of databases that somebody
// reads.
func (p *Plan) refuseTables(d model.Dump, taken map[int]bool) {
	files := d.Files()
	owner := make(map[string]string)
	for _, s := range p.Streams {
		for _, f := range s.Files {
			owner[files[f].Database] = s.Dialect
		}
		for _, e := range s.Evidence {
			owner[files[e.File].Database] = s.Dialect
		}
	}
	for i, f := range files {
		if name := owner[f.Database]; f.Database != "" && name != "" && !taken[i] {
			taken[i] = true
			p.Refused = append(p.Refused, model.Evidence{File: i, What: "a table in which " + name + " keeps no events"})
		}
	}
}

// accept takes the claims in order, without the files that went before.
func (p *Plan) accept(claims []model.Stream, taken map[int]bool) {
	for _, s := range claims {
		s = without(s, taken)
		p.refuse(s, taken)
		if len(s.Files) == 0 && len(s.Evidence) == 0 {
			continue
		}
		for _, f := range s.Files {
			taken[f] = true
		}
		for _, e := range s.Evidence {
			taken[e.File] = true
		}
		p.Streams = append(p.Streams, s)
	}
}

func without(s model.Stream, taken map[int]bool) model.Stream {
	var files []int
	var keys []int64
	for i, f := range s.Files {
		if taken[f] {
			continue
		}
		files = append(files, f)
		if s.Keys != nil {
			keys = append(keys, s.Keys[i])
		}
	}
	s.Files, s.Keys = files, keys
	s.Evidence = slices.DeleteFunc(slices.Clone(s.Evidence), func(e model.Evidence) bool { return taken[e.File] })
	return s
}

func firstFile(s model.Stream) int {
	if len(s.Files) > 0 {
		return s.Files[0]
	}
	if len(s.Evidence) > 0 {
		return s.Evidence[0].File
	}
	return 0
}

// leave notes what nobody took, and what it looks like.
func (p *Plan) leave(d model.Dump, taken map[int]bool) {
	for i, f := range d.Files() {
		if taken[i] {
			continue
		}
		head := d.Head(i, sniffBytes)
		_, ok, seen := jsonscan.Sniff(head, false)
		switch {
		case f.Database != "" && len(head) == 0:
			seen = "no rows"
		case ok:
			seen = "JSON that this dialect does not read"
		}
		p.Left = append(p.Left, Left{File: i, Seen: seen})
	}
}

// sniffBytes is how much of an unclaimed file is looked at to say what it is.
const sniffBytes = 4096

// sureEnough is the confidence from which a claim by layout is not disputed.
const sureEnough = 95

// settle marks the files of claims that nobody needs to look into again.
func settle(claims []model.Stream, sure map[int]bool) {
	for _, s := range claims {
		if s.Confidence < sureEnough {
			continue
		}
		for _, f := range s.Files {
			sure[f] = true
		}
		for _, e := range s.Evidence {
			sure[e.File] = true
		}
		for _, e := range s.Refused {
			sure[e.File] = true
		}
	}
}

// rest is a dump's view of the files that nobody has claimed.
type rest struct {
	whole model.Dump
	files []model.File
	index []int
}

func (r *rest) Files() []model.File         { return r.files }
func (r *rest) Head(file int, n int) []byte { return r.whole.Head(r.index[file], n) }

// claimRest asks a dialect about the files that are not taken.
func claimRest(d model.Dump, dialect model.Dialect, force bool, taken map[int]bool) []model.Stream {
	r := &rest{whole: d}
	for i, f := range d.Files() {
		if !taken[i] {
			r.files = append(r.files, f)
			r.index = append(r.index, i)
		}
	}
	claims := dialect.Claim(r, force)
	for i := range claims {
		for j, f := range claims[i].Files {
			claims[i].Files[j] = r.index[f]
		}
		for j, e := range claims[i].Evidence {
			claims[i].Evidence[j].File = r.index[e.File]
		}
		for j, e := range claims[i].Refused {
			claims[i].Refused[j].File = r.index[e.File]
		}
	}
	return claims
}
