// Package model holds the words of hindcast as types: events, links, times,
// addresses, and the contract between a dialect and the rest of the program.
//
// It does no I/O, imports nothing but the standard library, and knows nothing
// of JSON text, SQLite or terminals. Everything else in the module stands on
// it; it stands on nothing.
package model
