// Package source opens dumps: files, folders, archives, compressed files, pipes
// and the embedded demo, one or several at once. It hands out names, heads and
// bytes, read-only, and knows nothing of dialects, records or the index.
//
// How a dump becomes files:
//
//	root (an argument) -> walk -> member -> probe (by content) -> offered file
//	                                  \-> archive -> members   \-> skipped, with a reason
//
// Compression, text encodings and archives are told by content, never by name;
// a name only says which files of a large folder are worth probing at once.
// Nothing is written beside a source, and the name of a member is never used
// as a path on disk. What must be unpacked to be read (a compressed tar, an
// archive on a pipe) goes into one unlinked temporary file.
package source
