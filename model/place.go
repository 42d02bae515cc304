package model

// This file is the contract about what programs leave where: a dialect knows
// the folders that its program keeps sessions in, and what is called how there.
// It only names them; others walk and read.

// Settled is a dialect whose program keeps its sessions in usual places.
type Settled interface {
	// Places lists them, whether they are there or not, the likeliest first.
	Places(a Account) []Place
}

// Account is a person's account on a machine, as far as programs look at it.
type Account struct {
	Home   string                   // the home folder, absolute
	Getenv func(name string) string // the environment
}

// Set is the value of an environment variable, or that of other where it is
// not set.
func (a Account) Set(name, other string) string {
	if v := a.Getenv(name); v != "" {
		return v
	}
	return other
}

// Place is a folder that holds sessions in one way.
type Place struct {
	Folder string // absolute, slash-separated
	// Match tells what below the folder is a session, or a database of many: a
	// pattern of path.Match for each part of its path. Nothing else is looked at.
	Match string
	// Session is the id of the session that a match holds, as the dialect names
	// it; empty where it holds none. It is nil for a place of databases.
	Session func(rel string) string
	// Open lists what to open for a match, each as a path below the folder; what
	// is not there is left out. nil: the match itself.
	Open func(rel string) []string
	// Marks are the names of which one stands in a folder that is a session: its
	// time is the latest of theirs. Empty where a match is a file.
	Marks []string
	// Head is the file in such a folder that Trace reads.
	Head string
	// Trace reads where a session stands from the first bytes of its file, or of
	// Head; enough is false where more of them may tell more.
	Trace func(head []byte) (t Trace, enough bool)
	// MayRun reports from its name whether a match may have run in a directory or
	// below it; nil where names do not tell.
	MayRun func(rel, dir string) bool
	// Table is where the matches are databases: nil elsewhere.
	Table *SessionTable
}

// Trace is where a session stands, as far as its beginning tells: what is not
// told is empty.
type Trace struct {
	Ran    string // the directory that it ran in
	Parent string // id of the session that made it
	// Base is the id of the session that it goes on from, or what stands behind
	// the last underscore of that.
	Base string
}

// SessionTable says how a database lists its sessions.
type SessionTable struct {
	Name string // the table, a row a session
	// Columns of it. Parent is null or empty in a row of a session that no other
	// made; Changed is in milliseconds since 1970.
	ID, Parent, Ran, Title, Changed string
	// Told are the tables that tell what happened in a session, each with the
	// column that holds the session's id.
	Told []struct{ Name, Session string }
}
