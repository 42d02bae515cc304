package eventstore

import (
	"strings"

	"hindcast/model/jsonscan"
)

// row is a record of any of the stores.
type row struct {
	stream, id, typ  []byte
	seq, time        []byte
	data             []byte // JSON; a string that holds JSON is taken apart
	cause, correlate string
	system           bool // the store's own record: a link to another event, a $ stream
}

func isCloudEvent(r []byte) int {
	if has(r, "specversion", "id", "source", "type") {
		return 97
	}
	return 0
}

func readCloudEvent(r []byte) (out row) {
	jsonscan.Fields(r, func(key string, v []byte) bool {
		switch key {
		case "source":
			out.stream = v
		case "id":
			out.id = v
		case "type":
			out.typ = v
		case "sequence":
			out.seq = v
		case "time":
			out.time = v
		case "data":
			out.data = v
		case "causationid":
			out.cause = jsonscan.Scalar(v)
		case "correlationid":
			out.correlate = jsonscan.Scalar(v)
		}
		return true
	})
	return out
}

func isKurrent(r []byte) int {
	if has(r, "eventId", "eventType", "eventNumber") && (has(r, "streamId") || has(r, "eventStreamId")) {
		return 97
	}
	return 0
}

func readKurrent(r []byte) (out row) {
	jsonscan.Fields(r, func(key string, v []byte) bool {
		switch key {
		case "streamId", "eventStreamId":
			out.stream = v
		case "eventId":
			out.id = v
		case "eventType":
			out.typ = v
		case "eventNumber":
			out.seq = v
		case "created", "updated":
			out.time = v
		case "data":
			out.data = v
		case "metadata", "metaData":
			meta := object(v)
			out.correlate = jsonscan.Scalar(jsonscan.Get(meta, "$correlationId"))
			for _, name := range []string{"$causationId", "$causedBy"} {
				if id := jsonscan.Scalar(jsonscan.Get(meta, name)); id != "" && out.cause == "" {
					out.cause = id
				}
			}
		}
		return true
	})
	typ := jsonscan.Str(out.typ)
	out.system = strings.HasPrefix(jsonscan.Str(out.stream), "$") || strings.HasPrefix(typ, "$") && typ != "$snapshot"
	return out
}

func isMarten(r []byte) int {
	switch {
	case has(r, "seq_id", "stream_id", "version", "type"):
		return 97
	case has(r, "$type"):
		return 60
	}
	return 0
}

func readMarten(r []byte) (out row) {
	if !has(r, "stream_id") {
		out.typ, out.data = jsonscan.Get(r, "$type"), r
		return out
	}
	jsonscan.Fields(r, func(key string, v []byte) bool {
		switch key {
		case "stream_id":
			out.stream = v
		case "id":
			out.id = v
		case "type":
			out.typ = v
		case "version":
			out.seq = v
		case "timestamp":
			out.time = v
		case "data":
			out.data = v
		case "causation_id":
			// By default this is the id of a span, which names no event.
			if id := jsonscan.Scalar(v); !isSpan(id) {
				out.cause = id
			}
		case "correlation_id":
			out.correlate = jsonscan.Scalar(v)
		}
		return true
	})
	return out
}

// isSpan recognises the ids of spans and traces in OpenTelemetry: 8 or 16 bytes
// in hex; or a whole traceparent.
func isSpan(id string) bool {
	if strings.HasPrefix(id, "00-") && strings.Count(id, "-") == 3 {
		return true
	}
	return (len(id) == 16 || len(id) == 32) && strings.Trim(id, "0123456789abcdef") == ""
}

// has reports that an object carries all of these members, and none is null.
func has(obj []byte, keys ...string) bool {
	for _, key := range keys {
		if k := jsonscan.Kind(jsonscan.Get(obj, key)); k == 0 || k == 'n' {
			return false
		}
	}
	return true
}

// object is an object value, also one that stands in a string.
func object(v []byte) []byte {
	if v = jsonscan.Unpacked(v); jsonscan.Kind(v) != '{' {
		return nil
	}
	return v
}
