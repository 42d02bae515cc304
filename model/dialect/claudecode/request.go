package claudecode

import (
	"bytes"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

var _ interface {
	model.Teller
	model.Requester
} = dialect{}

// Request gives the recorded request behind a response (section 5.3 of the
// format). Requests name their messages by hash, as a difference from the one
// before; only messages that the transcript does not tell stand in the log. The
// others are those that the view makes, in order: where their number fits, the
// request is exact.
func (dialect) Request(e model.Event, view []model.Viewed, log model.Records) (model.Conversation, bool) {
	_, raw, ok := log.Record(e.Pos)
	if !ok {
		return model.Conversation{}, false
	}
	id := jsonscan.Str(jsonscan.Get(raw, "requestRef"))
	slots, ok := slotsOf(id, log)
	if !ok {
		return model.Conversation{}, false
	}
	told := dialect{}.Messages(view, true)
	made, ok := align(slots, told.Messages)
	if !ok {
		return told, true
	}
	return model.Conversation{Messages: made, Exact: true}, true
}

// slot is the place of one message in a request; message is nil where the
// transcript tells it.
type slot struct{ message *model.Message }

// request is one record of a request.
type request struct {
	keep int64
	tail []slot
}

// baseLimit bounds how many requests one may stand on.
const baseLimit = 1 << 14

// slotsOf follows a request back to the one that stands on none, and lists its
// messages. ok is false where the request or one below it is not in the log.
func slotsOf(id string, log model.Records) (slots []slot, ok bool) {
	var chain []request
	for seen := int64(0); ; {
		pos := log.Find(id)
		if pos <= 0 || id == "" || seen > 0 && pos >= seen || len(chain) >= baseLimit {
			return nil, false
		}
		seen = pos
		q, base, ok := readRequest(pos, log)
		if !ok {
			return nil, false
		}
		if chain = append(chain, q); base == "" {
			break
		}
		id = base
	}
	for i := len(chain) - 1; i >= 0; i-- {
		if chain[i].keep < 0 || chain[i].keep > int64(len(slots)) {
			return nil, false
		}
		slots = append(slots[:chain[i].keep:chain[i].keep], chain[i].tail...)
	}
	return slots, true
}

func readRequest(pos int64, log model.Records) (q request, base string, ok bool) {
	_, raw, ok := log.Record(pos)
	if !ok || typeOf(jsonscan.Get(raw, "type")) != "api-request" {
		return q, "", false
	}
	var r record
	r.read(raw)
	base = jsonscan.Str(r.base)
	q.keep, _ = jsonscan.Int(r.keep)
	var hashes []string
	jsonscan.Elements(r.tail, func(v []byte) bool {
		hashes = append(hashes, jsonscan.Str(v))
		return true
	})
	blobs := blobsBefore(pos, log)
	for _, h := range hashes {
		q.tail = append(q.tail, slot{blobs[h]})
	}
	return q, base, true
}

// blobsBefore reads the messages that stand before a request in the log, by
// hash.
func blobsBefore(pos int64, log model.Records) map[string]*model.Message {
	blobs := map[string]*model.Message{}
	for pos--; pos > 0; pos-- {
		_, raw, ok := log.Record(pos)
		if !ok {
			break
		}
		switch typeOf(jsonscan.Get(raw, "type")) {
		case "api-request-blob":
			hash := jsonscan.Str(jsonscan.Get(raw, "hash"))
			if blobs[hash] == nil {
				blobs[hash] = readBlob(jsonscan.Get(bytes.Clone(raw), "message"))
			}
		case "api-request-shape":
		default:
			return blobs
		}
	}
	return blobs
}

func readBlob(v []byte) *model.Message {
	var m message
	m.read(v)
	out := &model.Message{Tokens: model.TokensUnknown}
	out.Role, _ = model.ParseRole(jsonscan.Str(m.role))
	speakBlocks(out, m.content, false)
	return out
}

// align puts the messages that the view makes into the slots of a request, from
// the newest on. ok is false where their number does not fit. A message of the
// log's own takes the records of the one that it stands for, if there is one.
func align(slots []slot, told []model.Message) ([]model.Message, bool) {
	out := make([]model.Message, len(slots))
	j := len(told) - 1
	for i := len(slots) - 1; i >= 0; i-- {
		m := slots[i].message
		switch {
		case m == nil && j < 0:
			return nil, false
		case m == nil:
			out[i] = told[j]
			j--
		case j >= 0 && standsFor(m, &told[j]):
			out[i] = *m
			out[i].Records, out[i].Summary, out[i].Tokens = told[j].Records, told[j].Summary, told[j].Tokens
			j--
		default:
			out[i] = *m
		}
	}
	return out, j < 0
}

// standsFor reports whether a message of the log is one that the view makes. A
// message without text of the system only carries settings.
func standsFor(m, told *model.Message) bool {
	if m.Role != told.Role || len(m.Results) != len(told.Results) || len(m.Calls) != len(told.Calls) {
		return false
	}
	return m.Role != model.RoleSystem || m.Text != "" || told.Text == ""
}
