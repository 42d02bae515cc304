// Package dialect is the table of the formats that hindcast reads, and the
// decision which of them reads what in a dump. Each format is a package below
// this one; to add one is to add its folder and a line in the table.
package dialect

import (
	"slices"

	"hindcast/model"
	"hindcast/model/dialect/eventlog"
	"hindcast/model/dialect/generic"
	"hindcast/model/dialect/openhands"
	"hindcast/model/jsonscan"
)

// All lists the dialects by name. The generic one, the last resort, is last.
func All() []model.Dialect {
	return []model.Dialect{
		eventlog.New(),
		openhands.New(),
		generic.New(),
	}
}

// ByName finds a dialect; nil where the name is not known.
func ByName(name string) model.Dialect {
	for _, d := range All() {
		if d.Info().Name == name {
			return d
		}
	}
	return nil
}

// Names lists the names of all dialects.
func Names() []string {
	var names []string
	for _, d := range All() {
		names = append(names, d.Info().Name)
	}
	return names
}

// Plan says which dialect reads which files of a dump.
type Plan struct {
	Streams []model.Stream // in the order of their first file
	Left    []Left         // files that no dialect reads
}

// Left is a file that no dialect reads, and what it looks like.
type Left struct {
	File int
	Seen string
}

// MakePlan asks every dialect (or only the forced one) what it recognises. A
// file goes to the most confident claim; between equals, to the claim of more
// files, then to the dialect that stands first in the table. What nobody
// claims is offered to the generic dialect.
func MakePlan(d model.Dump, forced string) Plan {
	taken := make(map[int]bool)
	var plan Plan
	if forced != "" {
		plan.accept(ByName(forced).Claim(d, true), taken)
	} else {
		var claims []model.Stream
		dialects := All()
		last := len(dialects) - 1
		sure := make(map[int]bool)
		for _, layout := range []bool{true, false} {
			for _, dialect := range dialects[:last] {
				if dialect.Info().Layout == layout {
					claims = append(claims, claimRest(d, dialect, sure)...)
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
		plan.accept(claims, taken)
		plan.accept(claimRest(d, dialects[last], taken), taken)
	}
	plan.leave(d, taken)
	slices.SortStableFunc(plan.Streams, func(a, b model.Stream) int { return firstFile(a) - firstFile(b) })
	return plan
}

// accept takes the claims in order, without the files that went before.
func (p *Plan) accept(claims []model.Stream, taken map[int]bool) {
	for _, s := range claims {
		s = without(s, taken)
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
	for i := range d.Files() {
		if taken[i] {
			continue
		}
		_, ok, seen := jsonscan.Sniff(d.Head(i, sniffBytes), false)
		if ok {
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
func claimRest(d model.Dump, dialect model.Dialect, taken map[int]bool) []model.Stream {
	r := &rest{whole: d}
	for i, f := range d.Files() {
		if !taken[i] {
			r.files = append(r.files, f)
			r.index = append(r.index, i)
		}
	}
	claims := dialect.Claim(r, false)
	for i := range claims {
		for j, f := range claims[i].Files {
			claims[i].Files[j] = r.index[f]
		}
		for j, e := range claims[i].Evidence {
			claims[i].Evidence[j].File = r.index[e.File]
		}
	}
	return claims
}
