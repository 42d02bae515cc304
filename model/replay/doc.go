// Package replay turns what events do into what the world looked like: effects
// to writes of the state document's cells, writes to states and to the change
// between two of them.
//
//	effects ─ Fold.Apply ─> writes ─ last of each cell ─> Cells ─ Assemble ─> the document
//	                          └──── Changes ─> the diff ── Apply ─> Cells
//
// A Fold keeps the working state of one session, one file a facet. It knows no
// store and no dialect: old values come back through Past, old records through
// model.Records. Nothing here does input or output, and the same effects always give
// the same writes.
package replay
