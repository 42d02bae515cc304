package index

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"hindcast/index/source"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/dialect"
	"hindcast/model/dialect/mapped"
	"hindcast/model/jsonscan"
	"hindcast/model/replay"
)

// How much of a dump a mapping is tried on, and how long an example may be.
const (
	tryRecords = 1000
	tryBytes   = 4 << 20
	tryExample = 200
)

// Try tells what a mapping makes of the first records of a dump (those that
// begin in its first 4 MiB, at most 1,000), with at most limit events (0: all),
// of each session alike, and what it leaves. It goes the way of any import, into an index that is dropped.
func Try(ctx context.Context, dumps []string, o Options, m mapped.Mapping, limit int) (out answer.Try, err error) {
	known, err := dialect.With([]mapped.Mapping{m})
	if err != nil {
		return out, err
	}
	d, err := source.Open(ctx, dumps, (&Index{opt: o}).sourceOptions())
	if err != nil {
		return out, err
	}
	defer d.Close()
	out = answer.Try{Dialect: m.Name, Events: []answer.TriedEvent{}, Empty: []answer.EmptyPlace{}}
	streams := slices.DeleteFunc(known.MakePlan(d, "").Streams, func(s model.Stream) bool { return s.Dialect != m.Name })
	if out.Detected = len(streams) > 0; !out.Detected {
		streams = known.MakePlan(d, m.Name).Streams
	}
	sample, err := sampleOf(ctx, d, streams, &out)
	if err != nil {
		return out, err
	}
	if out.Records == 0 {
		return out, &source.Error{Path: dumps[0], Reason: "no JSON records in it", Hint: "a mapping reads JSON records: one a line, one after another, or in an array"}
	}
	leftOf(known.ByName(m.Name).(mapped.Dialect), sample, &out)
	return out, tryEvents(ctx, sample, m, limit, &out)
}

// sampleOf reads the first records, as files of JSON lines by the names of
// those that they come from.
func sampleOf(ctx context.Context, d *source.Dump, streams []model.Stream, out *answer.Try) (map[string][]byte, error) {
	sample := map[string][]byte{}
	for _, s := range streams {
		for _, file := range s.Files {
			r, err := d.Reader(ctx, file, 0)
			if err != nil {
				return nil, err
			}
			lines, err := sampleFile(r, s.Framing, out)
			r.Close()
			if err != nil {
				return nil, err
			}
			if len(lines) > 0 {
				sample[d.Files()[file].Name] = lines
			}
		}
	}
	return sample, nil
}

func sampleFile(r io.Reader, f model.Framing, out *answer.Try) ([]byte, error) {
	var lines bytes.Buffer
	split := jsonscan.NewSplitter(io.LimitReader(r, tryBytes), 0, f, true)
	for {
		chunk, err := split.Next()
		if errors.Is(err, io.EOF) {
			return lines.Bytes(), nil
		}
		if err != nil {
			return nil, err
		}
		for _, span := range chunk.Spans {
			rest := chunk.Data[span.Start:span.End]
			for len(rest) > 0 {
				if out.Records == tryRecords {
					return lines.Bytes(), nil
				}
				start, end, err := jsonscan.Value(rest)
				if errors.Is(err, io.EOF) {
					break // only white space
				}
				out.Records++
				if span.Broken != "" || err != nil || json.Compact(&lines, rest[start:end]) != nil {
					out.Broken++
					break
				}
				lines.WriteByte('\n')
				rest = rest[end:]
			}
		}
	}
}

// tryEvents imports the sample and takes its first events.
func tryEvents(ctx context.Context, sample map[string][]byte, m mapped.Mapping, limit int, out *answer.Try) error {
	dir, err := os.MkdirTemp("", "hindcast-try-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	x, err := Open(ctx, []string{"demo:"}, Options{
		IndexPath: filepath.Join(dir, "try.db"), Dialect: m.Name, Mappings: []mapped.Mapping{m}, Embedded: sample,
	})
	if err != nil {
		return err
	}
	defer x.Close()
	if err := x.Wait(ctx); err != nil {
		return err
	}
	first, err := triedEvents(ctx, x, limit, out)
	if err != nil {
		return err
	}
	teller := x.known.ByName(m.Name).(model.Teller)
	effectors := map[string]model.Effector{}
	nothing := replay.New(replay.Options{}).View(noRecords{})
	for _, e := range first {
		raw, err := x.Raw(ctx, e)
		if err != nil {
			return err
		}
		f := effectors[e.Session]
		if f == nil {
			f = teller.NewEffector(&model.Stream{}, e.Session)
			effectors[e.Session] = f
		}
		tried := answer.TriedEvent{Event: answer.NewEvent(e), Effects: []string{}}
		for _, fx := range f.Effects(&e, raw, nothing) {
			tried.Effects = append(tried.Effects, effectWords(fx))
		}
		out.Events = append(out.Events, tried)
	}
	return nil
}

// triedEvents are the first events of each session, together at most limit (0:
// all). On the way it counts the others, and the links that lead nowhere.
func triedEvents(ctx context.Context, x *Index, limit int, out *answer.Try) (first []model.Event, err error) {
	sessions, err := x.Sessions(ctx)
	if err != nil {
		return nil, err
	}
	share, taken, astray := shares(sessions, limit), map[string]int64{}, []string{}
	err = x.Query(ctx, "", nil, func(e model.Event) bool {
		if taken[e.Session]++; taken[e.Session] <= share[e.Session] {
			first = append(first, e)
		} else {
			out.More++
		}
		for _, l := range e.Links {
			if !l.Resolved() && l.ToID != "" {
				astray = append(astray, l.ToID)
			}
		}
		return true
	})
	if err != nil || len(astray) == 0 {
		return first, err
	}
	out.Astray, out.AstrayID = len(astray), &astray[0]
	for _, id := range astray {
		in, err := x.sessionOf(ctx, id, "")
		if err != nil {
			return nil, err
		}
		if in != "" {
			out.AstrayID, out.AstrayIn = &id, &in
			break
		}
	}
	return first, nil
}

// shares deals limit events out to sessions, one after another.
func shares(sessions []model.Session, limit int) map[string]int64 {
	share := map[string]int64{}
	for left, dealt := limit, true; dealt && (limit == 0 || left > 0); {
		dealt = false
		for _, s := range sessions {
			if share[s.ID] < s.LastPos && (limit == 0 || left > 0) {
				share[s.ID]++
				left--
				dealt = true
			}
		}
	}
	return share
}

// leftOf counts what a mapping leaves of the sample.
func leftOf(d mapped.Dialect, sample map[string][]byte, out *answer.Try) {
	types, fields := map[string]*answer.Unmapped{}, map[[2]string]*answer.Unmapped{}
	empty := slices.Clone(d.Places())
	for _, name := range slices.Sorted(maps.Keys(sample)) {
		for line := range bytes.Lines(sample[name]) {
			line = bytes.TrimSuffix(line, []byte("\n"))
			empty = slices.DeleteFunc(empty, func(p mapped.Place) bool { return p.In(line) })
			typ, ruled := d.Ruled(line)
			if !ruled {
				noteLeft(types, typ, answer.Unmapped{Type: typ, Example: example(line)})
				continue
			}
			out.Ruled++
			seen := map[string]bool{}
			d.Unread(line, func(at string, v []byte) bool {
				if !seen[at] {
					seen[at] = true
					noteLeft(fields, [2]string{typ, at}, answer.Unmapped{Type: typ, Field: &at, Example: example(v)})
				}
				return true
			})
		}
	}
	for _, p := range empty {
		out.Empty = append(out.Empty, answer.EmptyPlace{Key: p.Key, Place: p.Pointer})
	}
	out.Types, out.Fields = mostFirst(types), mostFirst(fields)
}

func noteLeft[K comparable](all map[K]*answer.Unmapped, key K, fresh answer.Unmapped) {
	if all[key] == nil {
		all[key] = &fresh
	}
	all[key].Count++
}

func mostFirst[K comparable](all map[K]*answer.Unmapped) []answer.Unmapped {
	out := []answer.Unmapped{}
	for _, u := range all {
		out = append(out, *u)
	}
	field := func(u answer.Unmapped) string {
		if u.Field == nil {
			return ""
		}
		return *u.Field
	}
	slices.SortFunc(out, func(a, b answer.Unmapped) int {
		return cmp.Or(b.Count-a.Count, cmp.Compare(a.Type, b.Type), cmp.Compare(field(a), field(b)))
	})
	return out
}

// example is the beginning of a record or a value.
func example(v []byte) string {
	if len(v) <= tryExample {
		return string(v)
	}
	cut := tryExample
	for cut > 0 && !utf8.RuneStart(v[cut]) {
		cut--
	}
	return string(v[:cut]) + "…"
}
