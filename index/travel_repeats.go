package index

import (
	"bytes"
	"context"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"hindcast/index/check"
	"hindcast/index/store"
	"hindcast/model"
	"hindcast/model/jsonscan"
)

// repeatsRead bounds how many records are read again and compared; the others
// are counted.
const repeatsRead = 5000

// parentKeys are the fields by which records name the one before them.
var parentKeys = []string{"source_event_id", "parent_id", "parentId", "parentUuid", "cause"}

// Repeats implements check.Reader.
func (f *facts) Repeats(ctx context.Context) ([]check.Repeat, error) {
	s, err := f.surveyed(ctx)
	if err != nil || len(s.twice) == 0 {
		return nil, err
	}
	first := make(map[string]model.Event)
	groups := make(map[string]*check.Repeat)
	var order []string
	read := 0
	walkErr := f.x.each(ctx, store.PageSpec{Session: f.row.Key}, func(e model.Event) bool {
		if e.ID == "" || !ownRecord(e) {
			return true
		}
		if _, ok := slices.BinarySearch(s.twice, maphash.String(s.seed, e.ID)); !ok {
			return true
		}
		of, again := first[e.ID]
		if !again {
			first[e.ID] = e
			return true
		}
		if e.Hash != of.Hash && f.goesOnFrom(ctx, e.Pos, of.Pos) {
			return true
		}
		var differ []string
		compared := e.Hash == of.Hash
		if !compared && read < repeatsRead {
			read++
			differ, compared = f.differing(ctx, of, e)
		}
		copied := e.Origin == model.OriginCopied
		key := fmt.Sprint(copied, compared, differ)
		g := groups[key]
		if g == nil {
			g = &check.Repeat{Differ: differ, First: e, FirstOf: of, Copied: copied, Unread: !compared}
			g.Parent = slices.ContainsFunc(differ, func(name string) bool {
				return slices.Contains(parentKeys, name[strings.LastIndexByte(name, '.')+1:])
			})
			groups[key], order = g, append(order, key)
		}
		g.Count++
		g.Last = e
		return true
	})
	var out []check.Repeat
	for _, key := range order {
		out = append(out, *groups[key])
	}
	return out, walkErr
}

// goesOnFrom: a record says more of an earlier one, under the same id by design:
// a message once its calls are done, the end of a scope.
func (f *facts) goesOnFrom(ctx context.Context, pos, first int64) bool {
	e, err := f.Event(ctx, pos)
	return err == nil && slices.ContainsFunc(e.Links, func(l model.Link) bool {
		return l.Reason == model.ReasonAction && !l.Inferred && l.Resolved() && l.To.Session == e.Session && l.To.Pos == first
	})
}

// differing names the fields in which two records differ; ok is false where one
// cannot be read.
func (f *facts) differing(ctx context.Context, a, b model.Event) (names []string, ok bool) {
	one, err := f.x.Raw(ctx, a)
	if err != nil {
		return nil, false
	}
	one = bytes.Clone(one)
	two, err := f.x.Raw(ctx, b)
	if err != nil {
		return nil, false
	}
	return differingFields(one, two, "", 2), true
}

// differingFields compares two objects member by member, so many levels down.
func differingFields(one, two []byte, prefix string, levels int) (names []string) {
	left, right := membersOf(one), membersOf(two)
	var keys []string
	for key := range left {
		keys = append(keys, key)
	}
	for key := range right {
		if _, both := left[key]; !both {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		a, b := left[key], right[key]
		switch {
		case bytes.Equal(a, b):
		case levels > 1 && jsonscan.Kind(a) == '{' && jsonscan.Kind(b) == '{':
			names = append(names, differingFields(a, b, prefix+key+".", levels-1)...)
		default:
			names = append(names, prefix+key)
		}
	}
	return names
}

func membersOf(object []byte) map[string][]byte {
	out := make(map[string][]byte)
	jsonscan.Fields(object, func(key string, value []byte) bool {
		out[key] = value
		return true
	})
	return out
}

// sharedFound bounds in how many places a message is looked for.
const sharedFound = 16

// Shared implements check.Reader. The ids of many formats are numbers within a
// session, so the time must be the same as well; sub-agents and forks repeat
// what their parents were told.
func (f *facts) Shared(ctx context.Context) ([]check.Shared, error) {
	s, err := f.surveyed(ctx)
	if err != nil {
		return nil, err
	}
	if len(f.all.rows) < 2 {
		return nil, nil
	}
	var out []check.Shared
	place := make(map[int64]int)
	for _, pos := range s.turns {
		e, err := f.Event(ctx, pos)
		if err != nil {
			return nil, err
		}
		list, err := f.x.st.Reader().ByIDAnySession(ctx, e.ID, sharedFound)
		if err != nil {
			return nil, err
		}
		counted := make(map[int64]bool)
		for _, at := range list {
			other := f.all.byKey[at.Session]
			if at.Session <= f.row.Key || counted[at.Session] || other.Parent == f.row.ID || f.row.Parent == other.ID {
				continue
			}
			there, err := f.x.eventAt(ctx, at.Session, at.Pos)
			if err != nil {
				return nil, err
			}
			if !e.Time.Known || e.Time != there.Time || !ownRecord(there) {
				continue
			}
			counted[at.Session] = true
			i, ok := place[at.Session]
			if !ok {
				i, place[at.Session] = len(out), len(out)
				out = append(out, check.Shared{Session: other.ID, Here: e, There: there})
			}
			out[i].Count++
		}
	}
	return out, nil
}
