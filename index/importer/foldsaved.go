package importer

import (
	"encoding/binary"
	"errors"
)

var errFoldState = errors.New("it is cut")

// SplitFoldState takes a saved state of a session's fold apart: the fold's own
// part and the dialect's.
func SplitFoldState(b []byte) (fold, dialect []byte, err error) {
	n, w := binary.Uvarint(b)
	if w <= 0 || uint64(len(b)-w) < n {
		return nil, nil, errFoldState
	}
	return b[w : w+int(n)], b[w+int(n):], nil
}
