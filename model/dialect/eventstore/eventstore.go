// Package eventstore reads the rows of general event stores: CloudEvents (the
// JSON format of the CNCF specification 1.0), KurrentDB and EventStoreDB (what
// a read of streams gives), and Marten's mt_events. They know nothing of
// agents: an event has a stream, a type, data, and often the id of its cause.
package eventstore

import (
	"hindcast/model"
)

// store is one of the formats.
type store struct {
	info model.DialectInfo
	// is recognises a record, with the confidence that it is one.
	is func(record []byte) int
	// read takes a record apart.
	read func(record []byte) row
	// sequenced: the rows of a stream carry its numbers.
	sequenced bool
}

var _ model.Teller = store{}

// CloudEvents returns the dialect of the CNCF's events.
func CloudEvents() model.Dialect {
	return store{
		info: model.DialectInfo{
			Name: "cloudevents", Title: "CloudEvents (CNCF), with the extensions correlationid and causationid", Versions: "1.0",
			Packs:   []string{"JSON lines", "a batch (JSON array)"},
			Detects: "records with specversion, id, source and type",
			Context: "none", Files: "none", Cost: "none", Status: "none", GlobalIDs: true,
		},
		is: isCloudEvent, read: readCloudEvent,
	}
}

// KurrentDB returns the dialect of KurrentDB and EventStoreDB.
func KurrentDB() model.Dialect {
	return store{
		info: model.DialectInfo{
			Name: "kurrentdb", Title: "KurrentDB and EventStoreDB, events as a read gives them", Versions: "rows of any version",
			Packs:   []string{"JSON lines", "a JSON array"},
			Detects: "records with eventId, eventType, streamId and eventNumber",
			Context: "none", Files: "none", Cost: "none", Status: "none", GlobalIDs: true,
		},
		is: isKurrent, read: readKurrent, sequenced: true,
	}
}

// Marten returns the dialect of Marten's event tables.
func Marten() model.Dialect {
	return store{
		info: model.DialectInfo{
			Name: "marten", Title: "Marten: rows of mt_events, or streams of bare events", Versions: "rows of any version",
			Packs:   []string{"rows of mt_events as JSON lines or array", "an array of streams, each an array of events with $type"},
			Detects: "records with seq_id, stream_id, version and type; or arrays of objects with $type",
			Context: "none", Files: "none", Cost: "none", Status: "none", GlobalIDs: true,
		},
		is: isMarten, read: readMarten, sequenced: true,
	}
}

// Info describes the format.
func (s store) Info() model.DialectInfo { return s.info }

// NewLinker starts the work on one session.
func (s store) NewLinker(*model.Stream, string) model.Linker { return &linker{} }

// linker counts; causes stand in the records, and order is none.
type linker struct{ sum model.Summary }

// Link takes the first title for the session's.
func (l *linker) Link(e *model.Event, _ model.Lookup) {
	if l.sum.Title == "" {
		l.sum.Title = e.Title
	}
}

// Summary tells the title.
func (l *linker) Summary() model.Summary { return l.sum }

// Save and Load carry the title across a stop.
func (l *linker) Save() ([]byte, error) { return []byte(l.sum.Title), nil }

// Load takes up what Save wrote.
func (l *linker) Load(state []byte) error {
	l.sum.Title = string(state)
	return nil
}
