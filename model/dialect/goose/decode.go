package goose

import (
	"errors"
	"strings"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

var errNoObject = errors.New("not a row: a JSON object is expected")

// row holds the spans of a row's columns, of whatever table, or of a line's
// members.
type row struct {
	id, message, session, role, content, created, metadata []byte
	// Of sessions.
	parent, dir, title, titleOld, createdAt []byte
	// Of the ledger.
	input, output, cacheRead, cacheWrite, cost, compaction []byte
}

func readRow(raw []byte) (r row) {
	jsonscan.Fields(raw, func(key string, v []byte) bool {
		if slot := r.slot(key); slot != nil {
			*slot = v
		}
		return true
	})
	// Columns of JSON are text that holds it.
	for _, v := range []*[]byte{&r.content, &r.metadata} {
		if s, ok := jsonscan.Text(*v); ok {
			if start, end, err := jsonscan.Value([]byte(s)); err == nil {
				*v = []byte(s)[start:end]
			}
		}
	}
	return r
}

func (r *row) slot(key string) *[]byte {
	switch key {
	case "id":
		return &r.id
	case "message_id":
		return &r.message
	case "session_id":
		return &r.session
	case "role":
		return &r.role
	case "content_json", "content":
		return &r.content
	case "created_timestamp", "created":
		return &r.created
	case "created_at":
		return &r.createdAt
	case "metadata_json":
		return &r.metadata
	case "parent_session_id":
		return &r.parent
	case "working_dir":
		return &r.dir
	case "name":
		return &r.title
	case "description":
		return &r.titleOld
	case "input_tokens":
		return &r.input
	case "output_tokens":
		return &r.output
	case "cache_read_tokens", "cache_read_input_tokens":
		return &r.cacheRead
	case "cache_write_tokens", "cache_creation_input_tokens":
		return &r.cacheWrite
	case "cost", "cost_usd":
		return &r.cost
	case "is_compaction":
		return &r.compaction
	}
	return nil
}

// call is a tool request; result its response.
type call struct {
	id, tool string
	args     []byte
}

func (r *row) calls() (all []call) {
	jsonscan.Elements(r.content, func(b []byte) bool {
		if jsonscan.Str(jsonscan.Get(b, "type")) == "toolRequest" {
			v := jsonscan.Get(b, "toolCall", "value")
			all = append(all, call{jsonscan.Scalar(jsonscan.Get(b, "id")), jsonscan.Str(jsonscan.Get(v, "name")), jsonscan.Get(v, "arguments")})
		}
		return true
	})
	return all
}

type result struct {
	id, text string
	outcome  model.Outcome
}

func (r *row) results() (all []result) {
	jsonscan.Elements(r.content, func(b []byte) bool {
		if jsonscan.Str(jsonscan.Get(b, "type")) != "toolResponse" {
			return true
		}
		given := jsonscan.Get(b, "toolResult")
		res := result{id: jsonscan.Scalar(jsonscan.Get(b, "id")), text: chat.Text(jsonscan.Get(given, "error"))}
		switch jsonscan.Str(jsonscan.Get(given, "status")) {
		case "success":
			value := jsonscan.Get(given, "value")
			res.outcome = model.OutcomeOK
			if jsonscan.Kind(value) == '{' {
				if bad, _ := jsonscan.Bool(jsonscan.Get(value, "isError")); bad {
					res.outcome = model.OutcomeFailed
				}
				value = jsonscan.Get(value, "content")
			}
			res.text = chat.Text(value)
		case "error":
			res.outcome = model.OutcomeFailed
		}
		all = append(all, res)
		return true
	})
	return all
}

// text is what a row says, without thoughts.
func (r *row) text() string {
	var all []string
	jsonscan.Elements(r.content, func(b []byte) bool {
		if jsonscan.Str(jsonscan.Get(b, "type")) == "text" {
			all = append(all, jsonscan.Str(jsonscan.Get(b, "text")))
		}
		return true
	})
	for _, res := range r.results() {
		all = append(all, res.text)
	}
	return strings.Join(all, "\n")
}

// isHidden reports a row that a compaction took from the model, and isSummary
// one that only the model sees.
func (r *row) isHidden() bool {
	seen, told := jsonscan.Bool(jsonscan.Get(r.metadata, "agentVisible"))
	return told && !seen
}

func (r *row) isSummary() bool {
	shown, told := jsonscan.Bool(jsonscan.Get(r.metadata, "userVisible"))
	return told && !shown && !r.isHidden() && len(r.results()) == 0
}

func (r *row) usage() *model.Usage {
	c := chat.Counts{Prompt: r.input, Completion: r.output, CacheRead: r.cacheRead, CacheWrite: r.cacheWrite, Cost: r.cost, CacheInside: true}
	return c.Usage()
}

// table tells which table a row is of.
func (r *row) isMessage() bool { return r.role != nil && r.content != nil }
func (r *row) isSession() bool { return !r.isMessage() && r.dir != nil }

// Decode reads a row.
func (dialect) Decode(rec *model.Record, emit func(*model.Event)) error {
	if jsonscan.Kind(rec.Raw) != '{' {
		return errNoObject
	}
	r := readRow(rec.Raw)
	e := &model.Event{Session: jsonscan.Scalar(r.session), Time: r.time()}
	var n chat.Note
	switch {
	case r.isMessage():
		e.ID, e.Type = jsonscan.Scalar(r.message), jsonscan.Str(r.role)
		if e.ID == "" {
			e.ID = jsonscan.Scalar(r.id)
		}
		r.said(e, &n)
	case r.isSession():
		if e.Session == "" && rec.Stream != nil && rec.Stream.Order == model.OrderRepair {
			e.Session = jsonscan.Scalar(r.id) // a row; the first line of a file has none
		}
		title := jsonscan.Str(r.title)
		if title == "" {
			title = jsonscan.Str(r.titleOld)
		}
		e.Type, e.Kind, e.Title = "session", model.KindSession, phrase.Titled("session in "+jsonscan.Str(r.dir), title)
		n.Title, n.Parent = title, jsonscan.Scalar(r.parent)
	case r.usage() != nil:
		e.Type, e.Kind, e.Noise, e.Title, e.Usage = "usage", model.KindDelta, true, "usage", r.usage()
	default:
		e.Type, e.Noise, e.Title = "row", true, "row"
	}
	e.Source = e.Type
	e.Note = n.String()
	emit(e)
	return nil
}

// time of a message is in seconds; that of other rows may be text.
func (r *row) time() model.Time {
	v := r.created
	if v == nil {
		v = r.createdAt
	}
	if jsonscan.Kind(v) == '0' {
		return model.ParseTimeNumber(jsonscan.Scalar(v))
	}
	return model.ParseTime(jsonscan.Scalar(v))
}

func (r *row) said(e *model.Event, n *chat.Note) {
	line := phrase.FirstLine(r.text())
	e.Kind, e.Title = model.KindMessage, phrase.Titled(e.Type, line)
	calls, results := r.calls(), r.results()
	var titles, failed []string
	switch {
	case len(calls) > 0:
		n.Flags = chat.Reply
		e.Kind, e.Tool, e.Call = model.KindAction, calls[0].tool, calls[0].id
		for _, c := range calls {
			n.Calls, n.Tools = append(n.Calls, c.id), append(n.Tools, c.tool)
			if c.id != "" {
				e.Aliases = append(e.Aliases, c.id)
			}
			titles = append(titles, strings.TrimSpace(c.tool+" "+chat.About(c.args)))
		}
	case len(results) > 0:
		e.Kind, e.Call = model.KindObservation, results[0].id
		for _, res := range results {
			n.Results = append(n.Results, res.id)
			e.Outcome = max(e.Outcome, res.outcome)
			titles = append(titles, chat.ResultTitle("", res.text, nil, res.outcome))
			if res.outcome.Failed() {
				failed = append(failed, titles[len(titles)-1])
			}
		}
		if len(failed) > 0 {
			titles = failed // the others went well
		}
	case r.isSummary():
		e.Kind, e.Title = model.KindCheckpoint, phrase.Titled("compaction", line)
	case e.Type == "assistant":
		n.Flags = chat.Reply
	case e.Type == "user":
		n.Flags, n.Title = chat.Prompt, line
	}
	if len(titles) > 0 {
		e.Title = phrase.OneLine(strings.Join(titles, ", "))
	}
	if e.Title == "" {
		e.Title = "row"
	}
}
