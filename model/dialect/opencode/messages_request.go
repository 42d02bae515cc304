package opencode

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf16"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// Request gives the request behind a summary, which is not that of an answer:
// the conversation goes out as one text, without what stays, outputs cut.
func (dialect) Request(e model.Event, view []model.Viewed, log model.Records) (model.Conversation, bool) {
	_, raw, ok := log.Record(e.Pos)
	if !ok {
		return model.Conversation{}, false
	}
	id := readRow(raw).message
	first := log.Find(id)
	_, raw, ok = log.Record(first)
	if id == "" || !ok {
		return model.Conversation{}, false
	}
	r := readRow(raw)
	if r.op != opMessage {
		return model.Conversation{}, false
	}
	m := r.asMessage
	if !m.summary {
		return model.Conversation{}, false
	}
	if !flattens(versionIn(log)) {
		// Other versions send the messages, some cut, with a request of their own.
		c := dialect{}.Messages(view, true)
		c.Exact = false
		return c, true
	}
	t := transcript{log: log, view: view, place: make(map[string]int, len(view))}
	return t.request(tailChosen(log, first, m.parentID)), true
}

// flattens names the versions whose way to ask for a summary is known word for
// word.
func flattens(version string) bool { return version == "1.18.33" || version == "1.18.34" }

// headRows is how many rows are looked at for the session's own.
const headRows = 16

func versionIn(log model.Records) string {
	for pos := int64(1); pos <= headRows; pos++ {
		_, raw, ok := log.Record(pos)
		if !ok {
			continue
		}
		if r := readRow(raw); r.op == opSession {
			return jsonscan.Str(jsonscan.Get(r.object, "version"))
		}
	}
	return ""
}

// tailRows is how many rows behind a summary's first are looked at for the row
// that names the tail which the program kept: it was chosen before.
const tailRows = 1 << 10

func tailChosen(log model.Records, first int64, asked string) string {
	for pos := first + 1; pos <= first+tailRows; pos++ {
		_, raw, ok := log.Record(pos)
		if !ok {
			return ""
		}
		if !bytes.Contains(raw, []byte("tail_start_id")) {
			continue
		}
		if r := readRow(raw); r.op == opPart && r.message == asked {
			return jsonscan.Str(jsonscan.Get(r.object, "tail_start_id"))
		}
	}
	return ""
}

// transcript makes one text of what is in view.
type transcript struct {
	log   model.Records
	view  []model.Viewed
	place map[string]int // of keys in the view
	prior string         // the summary before
	used  []int
	texts []string // of messages
}

func (t *transcript) request(tail string) model.Conversation {
	var order []int
	for i, x := range t.view {
		t.place[x.Key] = i
		switch {
		case x.Key == "":
		case roundOf(x.Key) != "":
			t.summary(i)
		case tail != "" && t.isKept(x.Key, tail):
		default:
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return strings.Compare(placeIn(t.view[a].Key), placeIn(t.view[b].Key)) })
	for len(order) > 0 {
		n := 1
		for n < len(order) && messageIn(t.view[order[n]].Key) == messageIn(t.view[order[0]].Key) {
			n++
		}
		if text := t.message(order[:n]); text != "" {
			t.texts = append(t.texts, text)
		}
		order = order[n:]
	}
	text := "Here is the conversation so far:\n\n<conversation>\n" + strings.Join(t.texts, "\n\n") + "\n</conversation>\n\n"
	if t.prior != "" {
		text += askAgain(t.prior)
	} else {
		text += askFirst
	}
	text += askTemplate
	slices.Sort(t.used)
	whole := !strings.Contains(text, "]: [redacted:")
	return model.Conversation{Exact: whole, Messages: []model.Message{{Role: model.RoleUser, Text: text, Records: t.used, Tokens: model.TokensUnknown}}}
}

// summary takes the text of an earlier summary, the last one of which counts.
func (t *transcript) summary(i int) {
	x := &t.view[i]
	if !x.Summary || x.Raw == nil {
		return
	}
	r := readRow(x.Raw)
	if p := r.asPart; p.typ == "text" {
		t.prior = strings.TrimSpace(jsonscan.Str(p.text))
		t.used = append(t.used, i)
	}
}

// isKept reports whether a key stands in the tail.
func (t *transcript) isKept(key, tail string) bool {
	for _, x := range t.view {
		if roundOf(x.Key) == "" && strings.Contains(x.Key, "."+tail+".") {
			return messageIn(key) >= messageIn(x.Key)
		}
	}
	return false
}

// messageIn is the place of a key's message.
func messageIn(key string) string {
	place := placeIn(key)
	time, rest, _ := strings.Cut(place, ".")
	id, _, _ := strings.Cut(rest, ".")
	return time + "." + id
}

// message tells the parts of one message.
func (t *transcript) message(parts []int) string {
	var lines, said []string
	for _, i := range parts {
		x := &t.view[i]
		if x.Raw == nil || x.Role == model.RoleTool {
			continue // a result stands with its call
		}
		t.used = append(t.used, i)
		r := readRow(x.Raw)
		p, c := r.partAt(stageOf(&x.Record))
		text := jsonscan.Str(p.text)
		switch {
		case x.Role == model.RoleUser && p.typ == "text":
			said = append(said, text)
		case p.typ == "text":
			lines = append(lines, "[Assistant]: "+text)
		case p.typ == "reasoning":
			lines = append(lines, "[Assistant reasoning]: "+text)
		case p.typ == "tool":
			lines = append(lines, "[Assistant tool call]: "+p.tool+"("+compact(c.input)+")")
			lines = append(lines, t.result(x.Key)...)
		}
	}
	if len(said) > 0 {
		lines = append([]string{"[User]: " + strings.Join(said, "\n")}, lines...)
	}
	if t.view[parts[0]].Role == model.RoleUser {
		lines = append(lines, t.files(&t.view[parts[0]])...)
	}
	return strings.Join(lines, "\n")
}

// result is what came of the call that a key says.
func (t *transcript) result(key string) []string {
	at := strings.LastIndex(key, sideSaid)
	i, ok := t.place[key[:max(at, 0)]+sideGiven+key[max(at, 0)+len(sideSaid):]]
	if !ok || t.view[i].Raw == nil {
		return nil
	}
	t.used = append(t.used, i)
	x := &t.view[i]
	r := readRow(x.Raw)
	_, c := r.partAt(stageOf(&x.Record))
	switch {
	case c.status == callError:
		return []string{"[Tool error]: " + jsonscan.Str(c.err)}
	case x.Replaced || c.compacted.Known:
		return []string{"[Tool result]: " + outputCleared}
	}
	return []string{"[Tool result]: " + cut(strings.Join(append([]string{jsonscan.Str(c.output)}, attachedTo(c.attach)...), "\n"))}
}

// filesRows is how many rows behind a message's first are looked at for files.
const filesRows = 64

// files lists the files that a user's message brings; most are in no request of
// their own, and so not in view.
func (t *transcript) files(x *model.Viewed) (lines []string) {
	first := t.log.Find(x.Response)
	for pos := first + 1; first > 0 && pos <= first+filesRows; pos++ {
		_, raw, ok := t.log.Record(pos)
		if !ok {
			break
		}
		r := readRow(raw)
		if r.op != opPart || r.message != x.Response {
			continue
		}
		if p := r.asPart; p.typ == "file" {
			lines = append(lines, attachedAs(p.mime, p.filename))
		}
	}
	return lines
}

func attachedTo(list []byte) (lines []string) {
	jsonscan.Elements(list, func(v []byte) bool {
		lines = append(lines, attachedAs(jsonscan.Get(v, "mime"), jsonscan.Get(v, "filename")))
		return true
	})
	return lines
}

func attachedAs(mime, name []byte) string {
	return "[Attached " + jsonscan.Str(mime) + ": " + firstNonEmpty(jsonscan.Str(name), "file") + "]"
}

// compact is JSON without blanks between its parts.
func compact(v []byte) string {
	var b bytes.Buffer
	if json.Compact(&b, v) != nil {
		return string(v)
	}
	return b.String()
}

// flatLimit is how much of an output a transcript holds, in UTF-16 units.
const flatLimit = 2000

func cut(s string) string {
	if len(s) <= flatLimit {
		return s
	}
	units := 0
	for i, r := range s {
		if units += max(utf16.RuneLen(r), 1); units > flatLimit {
			return s[:i] + "\n[truncated]"
		}
	}
	return s
}
