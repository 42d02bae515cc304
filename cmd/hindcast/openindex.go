package main

import (
	"context"
	"errors"

	"hindcast/index"
	"hindcast/index/importer"
	"hindcast/index/source"
	"hindcast/index/store"
)

// openIndex opens the index of a dump; it is built behind the reader.
func openIndex(ctx context.Context, dumps []string, o index.Options) (index.API, error) {
	idx, err := index.Open(ctx, dumps, o)
	if err != nil {
		return nil, err
	}
	return idx, nil
}

// diagnoseIndex sorts the errors of package index, the last that an error can be.
func diagnoseIndex(err error) fault {
	var version *store.VersionError
	switch {
	case errors.As(err, &version):
		return fault{"newer", "use the newer hindcast, or import into another index with -o FILE", exitHere}
	case errors.Is(err, store.ErrLocked):
		return fault{"locked", "wait for the other hindcast that writes this index, or use another with -o FILE", exitHere}
	case errors.Is(err, store.ErrForeign):
		return fault{"index", "it is left as it is; name another file with -o", exitHere}
	case errors.Is(err, store.ErrFull), errors.Is(err, store.ErrReadOnly), errors.Is(err, index.ErrNoPlace):
		return fault{"index", "keep the indexes elsewhere: set XDG_CACHE_HOME, or name a file with import -o", exitHere}
	}
	var file *source.Error
	if errors.As(err, &file) {
		return fault{"unreadable", file.Hint, exitUnreadable}
	}
	if errors.Is(err, importer.ErrNoEvents) {
		return fault{"unreadable", "a dump is JSON in any packing; hindcast dialects lists the formats", exitUnreadable}
	}
	switch index.ExitCode(err) {
	case exitUsage:
		return fault{"usage", "", exitUsage}
	case exitUnreadable:
		return fault{"unreadable", "", exitUnreadable}
	}
	return fault{"internal", "", exitHere}
}
