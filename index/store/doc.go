// Package store keeps an index in one SQLite file: schema, migrations and
// every line of SQL of the project. Above it there are only Go values: the
// importer hands over batches, the index facade asks for pages.
//
// One Writer appends in transactions; any number of readers look at the last
// commit. Rows are addressed by a session's key and an event's pos, never by
// offset, so that every page costs what it shows. It knows nothing of formats,
// sources or screens, and it opens no file but the index.
package store
