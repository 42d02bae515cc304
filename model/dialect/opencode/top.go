package opencode

// top is the members of a record, whatever it is.
type top struct {
	id, aggregateID, seq, typ, data, sessionID, messageID            []byte
	columnSession, columnMessage, timeCreated                        []byte
	properties, payload, syncEvent, recv, event, durable, aggregate  []byte
	info, parts, role, slug, projectID, columnProject, directory     []byte
	part, timestamp, position, path, content, goCount, version, time []byte

	room *[]byte // for the text of a column that holds JSON
}

func (t *top) slot(key string) *[]byte {
	switch key {
	case "id":
		return &t.id
	case "aggregate_id", "aggregateID":
		return &t.aggregateID
	case "seq":
		return &t.seq
	case "type":
		return &t.typ
	case "data":
		return &t.data
	case "sessionID":
		return &t.sessionID
	case "messageID":
		return &t.messageID
	case "session_id":
		return &t.columnSession
	case "message_id":
		return &t.columnMessage
	case "time_created", "created_at":
		return &t.timeCreated
	case "properties":
		return &t.properties
	case "payload":
		return &t.payload
	case "syncEvent":
		return &t.syncEvent
	case "recv":
		return &t.recv
	case "event":
		return &t.event
	case "durable":
		return &t.durable
	case "aggregate":
		return &t.aggregate
	}
	return t.objectSlot(key)
}

func (t *top) objectSlot(key string) *[]byte {
	switch key {
	case "info":
		return &t.info
	case "parts":
		return &t.parts
	case "role":
		return &t.role
	case "slug":
		return &t.slug
	case "projectID":
		return &t.projectID
	case "project_id":
		return &t.columnProject
	case "directory":
		return &t.directory
	case "part":
		return &t.part
	case "timestamp":
		return &t.timestamp
	case "position":
		return &t.position
	case "path":
		return &t.path
	case "content":
		return &t.content
	case "message_count":
		return &t.goCount
	case "version":
		return &t.version
	case "time":
		return &t.time
	}
	return nil
}
