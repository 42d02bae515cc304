// Package goose reads the sessions of Goose: the rows of its database, and the
// older files of JSON lines.
package goose

import (
	"path"
	"slices"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
)

const name = "goose"

type dialect struct{}

var _ interface {
	model.Teller
	model.Reorderer
} = dialect{}

// New returns the dialect. It also implements model.Teller and model.Reorderer.
func New() model.Dialect { return dialect{} }

// Info describes the format.
func (dialect) Info() model.DialectInfo {
	return model.DialectInfo{
		Name:     name,
		Title:    "Goose sessions",
		Versions: "sessions.db of schema 15, older JSON lines",
		Packs:    []string{"sessions.db", "its rows as JSON lines", "<session>.jsonl"},
		Detects:  "rows with session_id and content_json; lines with role, created and content",
		Context:  "partial", Files: "none", Cost: "recorded", Status: "none",
	}
}

// The confidences of a claim.
const (
	confidenceNamed  = 95
	confidenceShape  = 75
	confidenceForced = 1
)

// The tables that are read, beside messages.
const (
	sessionsTable = "sessions"
	ledgerTable   = "usage_ledger"
)

// Claim finds tables of messages with what belongs to them, and files of lines.
func (dialect) Claim(d model.Dump, force bool) (streams []model.Stream) {
	for i, f := range d.Files() {
		look, ok := chat.LookAt(d, i)
		if !ok {
			continue
		}
		s := model.Stream{Dialect: name, Files: []int{i}, Framing: look.Framing, Order: model.OrderRepair, Session: chat.Stem(f.Name)}
		first := slices.Concat(look.Records(2), [][]byte{nil, nil})
		switch {
		case isRow(first[0]):
			s.Confidence, s.Reason = confidenceNamed, "rows of messages with session_id and content_json"
			s.Files = beside(d, i)
		case isLine(first[0]) || jsonscan.Get(first[0], "working_dir") != nil && isLine(first[1]):
			s.Confidence, s.Reason = confidenceShape, "lines of messages with role, created and blocks of content"
			s.Order = model.OrderArrival
		case force && !slices.Contains([]string{sessionsTable, ledgerTable}, path.Base(f.Name)):
			s.Confidence, s.Reason = confidenceForced, "forced: no message was seen"
		default:
			continue
		}
		streams = append(streams, s)
	}
	return streams
}

// beside gives the tables that are read with one of messages: the sessions go
// first, the ledger last.
func beside(d model.Dump, messages int) (files []int) {
	all := d.Files()
	table := func(name string) {
		at := slices.IndexFunc(all, func(f model.File) bool {
			return f.Database != "" && f.Database == all[messages].Database && f.Name == f.Database+"/"+name
		})
		if at >= 0 {
			files = append(files, at)
		}
	}
	table(sessionsTable)
	files = append(files, messages)
	table(ledgerTable)
	return files
}

func isRow(v []byte) bool {
	return jsonscan.Get(v, "session_id") != nil && jsonscan.Get(v, "content_json") != nil && jsonscan.Get(v, "role") != nil
}

func isLine(v []byte) bool {
	typ := ""
	jsonscan.Elements(jsonscan.Get(v, "content"), func(b []byte) bool {
		typ = jsonscan.Str(jsonscan.Get(b, "type"))
		return false
	})
	return typ != "" && jsonscan.Get(v, "role") != nil && jsonscan.Get(v, "created") != nil
}

// Reorder puts rows in the order of their time, which is in seconds: rows of
// one second stay as they are, and so does a row without a time behind the one
// before.
func (dialect) Reorder(keys []model.OrderKey) []int {
	order, times := make([]int, len(keys)), make([]int64, len(keys))
	last := int64(0)
	for i, k := range keys {
		if k.Time.Known {
			last = k.Time.Nanos
		}
		order[i], times[i] = i, last
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case times[a] < times[b]:
			return -1
		case times[a] > times[b]:
			return 1
		}
		return 0
	})
	return order
}

// NewLinker starts the links of one session.
func (dialect) NewLinker(*model.Stream, string) model.Linker { return chat.NewLinker(model.Summary{}) }
