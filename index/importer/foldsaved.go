package importer

import (
	"errors"

	"hindcast/model/varint"
)

var errFoldState = errors.New("it is cut")

// SplitFoldState takes a saved state of a session's fold apart: the fold's own
// part and the dialect's.
func SplitFoldState(b []byte) (fold, dialect []byte, err error) {
	r := varint.Of(b)
	if fold = r.Text(); r.Bad {
		return nil, nil, errFoldState
	}
	return fold, r.Rest, nil
}
