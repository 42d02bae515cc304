package eventstore

import (
	"fmt"
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// The confidence of a forced reading of anything that is JSON.
const confidenceForced = 1

// Claim takes the files whose first records all are of this store.
func (s store) Claim(d model.Dump, force bool) []model.Stream {
	var streams []model.Stream
	for i := range d.Files() {
		look, ok := chat.LookAt(d, i, "events")
		if !ok {
			continue
		}
		st := model.Stream{
			Dialect: s.info.Name, Reason: "every record is one: " + s.info.Detects, Files: []int{i}, Framing: look.Framing,
			Order: model.OrderArrival, Session: chat.Stem(look.Name),
		}
		if s.sequenced {
			st.Order = model.OrderSeq
		}
		st.Confidence = s.confidence(&look)
		if st.Confidence == 0 && force {
			st.Confidence, st.Reason = confidenceForced, "forced"
		}
		if st.Confidence > 0 {
			streams = append(streams, st)
		}
	}
	return streams
}

// looked is how many records decide.
const looked = 8

func (s store) confidence(look *chat.Look) int {
	records := look.Records(looked)
	if len(records) == 0 {
		records = s.bare(look)
	}
	least := 0
	for i, r := range records {
		c := s.is(r)
		if c == 0 {
			return 0
		}
		if i == 0 || c < least {
			least = c
		}
	}
	return least
}

// bare are the first events of an array of streams.
func (s store) bare(look *chat.Look) (records [][]byte) {
	at := strings.IndexByte(string(look.Head), '[')
	if s.info.Name != "marten" || at < 0 {
		return nil
	}
	rest := look.Head[at+1:]
	inner := strings.IndexByte(string(rest), '[')
	if inner < 0 || strings.TrimSpace(string(rest[:inner])) != "" {
		return nil
	}
	start, end, err := jsonscan.Value(rest[inner+1:])
	if err != nil {
		return nil
	}
	return [][]byte{rest[inner+1+start : inner+1+end]}
}

// Decode reads a row, or a stream of bare events.
func (s store) Decode(rec *model.Record, emit func(*model.Event)) error {
	switch jsonscan.Kind(rec.Raw) {
	case '{':
		emit(s.event(rec.Raw))
		return nil
	case '[':
		if s.info.Name == "marten" {
			return s.stream(rec, emit)
		}
	}
	return fmt.Errorf("not an event: it is no object")
}

// stream reads an array of bare events, which is a session of its own.
func (s store) stream(rec *model.Record, emit func(*model.Event)) error {
	raw := rec.Raw
	session := ""
	if rec.Stream != nil {
		session = rec.Stream.Session
	}
	session += "/" + strconv.FormatInt(rec.Index+1, 10)
	at := strings.IndexByte(string(raw), '[') + 1
	for seq := int64(1); ; seq++ {
		for at < len(raw) && strings.IndexByte(", \t\r\n", raw[at]) >= 0 {
			at++
		}
		if at >= len(raw) || raw[at] == ']' {
			return nil
		}
		start, end, err := jsonscan.Value(raw[at:])
		if err != nil {
			return fmt.Errorf("read event %d of the stream: %w", seq, err)
		}
		e := s.event(raw[at+start : at+end])
		e.Session, e.Seq, e.HasSeq = session, seq, true
		e.Span = model.Span{Offset: int64(at + start), Length: int64(end - start)}
		emit(e)
		at += end
	}
}

func (s store) event(raw []byte) *model.Event {
	r := s.read(raw)
	e := &model.Event{
		Session: jsonscan.Scalar(r.stream), ID: jsonscan.Scalar(r.id), Type: jsonscan.Scalar(r.typ), Time: jsonscan.Time(r.time),
		Kind: model.KindState, Noise: r.system,
	}
	if e.Seq, e.HasSeq = jsonscan.Int(r.seq); !e.HasSeq && jsonscan.Kind(r.seq) == '"' {
		n, err := strconv.ParseInt(jsonscan.Str(r.seq), 10, 64)
		e.Seq, e.HasSeq = n, err == nil
	}
	if r.correlate != "" {
		e.Aliases = append(e.Aliases, r.correlate)
	}
	switch {
	case r.system:
		e.Kind = model.KindOther
	case saysFailure(e.Type):
		e.Kind, e.Outcome = model.KindError, model.OutcomeFailed
	case strings.HasSuffix(strings.ToLower(shortType(e.Type)), "snapshot"):
		e.Kind = model.KindCheckpoint
	}
	if r.cause != "" && r.cause != e.ID {
		e.Links = append(e.Links, model.Link{Reason: model.ReasonSource, ToID: r.cause})
	}
	e.Title = title(e.Type, r.data)
	return e
}

// shortType is the last word of a type: of com.example.payment.failed failed,
// of Shop.Orders.PaymentFailed, Shop the name before the assembly.
func shortType(typ string) string {
	typ, _, _ = strings.Cut(typ, ",")
	return typ[strings.LastIndexAny(typ, ".:/+")+1:]
}

// telling is as much of a type as tells what happened: of com.example.payment.failed
// what failed as well, of a class its name.
func telling(typ string) string {
	last := shortType(typ)
	before := strings.TrimSuffix(strings.TrimSuffix(typ, last), ".")
	if before == "" || len(before)+len(last)+1 != len(typ) || last != strings.ToLower(last) {
		return last
	}
	return shortType(before) + "." + last
}

// saysFailure reports a type that is named for what went wrong.
func saysFailure(typ string) bool {
	name := strings.ToLower(shortType(typ))
	for _, end := range []string{"failed", "error", "rejected", "faulted"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// title is the type's name with the first scalar fields of the data.
func title(typ string, data []byte) string {
	const fields = 4
	said := []string{telling(typ)}
	jsonscan.Fields(object(data), func(key string, v []byte) bool {
		switch jsonscan.Kind(v) {
		case '"', '0', 't', 'f':
			if key != "$type" {
				text := phrase.Head(v, phrase.LineLimit)
				if text == "" {
					text = jsonscan.Scalar(v)
				}
				said = append(said, key+"="+text)
			}
		}
		return len(said) <= fields
	})
	return phrase.OneLine(strings.Join(said, " "))
}
