package store

import (
	"strings"

	"hindcast/model"
)

// cellClass says how a cell is named and where its positions are kept.
type cellClass uint8

// The first three are kinds of lives, the others are numbered cells.
const (
	classPosMessage cellClass = iota // named by its key, which is a pos
	classMessage                     // named by the event that brought it
	classPending                     // likewise
	classFile
	classOther
)

// lives reports that the cell's positions stand in lives.
func (c cellClass) lives() bool { return c <= classPending }

const (
	underMessages = model.PathMessages + "/"
	underPending  = model.PathPending + "/"
	underFiles    = model.PathFiles + "/"
)

// classOf tells a path's class, the last segment of members, and the number
// of a message that is named by one.
func classOf(path string) (class cellClass, segment string, number int64) {
	if key, ok := strings.CutPrefix(path, underMessages); ok {
		if n, ok := messageNumber(key); ok {
			return classPosMessage, key, n
		}
		return classMessage, key, 0
	}
	if call, ok := strings.CutPrefix(path, underPending); ok {
		return classPending, call, 0
	}
	if strings.HasPrefix(path, underFiles) {
		return classFile, "", 0
	}
	return classOther, "", 0
}

// messageNumber is the inverse of model.MessageKey for what a pos can be.
func messageNumber(key string) (n int64, ok bool) {
	if len(key) != 10 {
		return 0, false
	}
	for i := range len(key) {
		digit := key[i] - '0'
		if digit > 9 {
			return 0, false
		}
		n = n*10 + int64(digit)
	}
	return n, n <= posMask
}

// memberPath is the path of a life.
func memberPath(class cellClass, segment string) string {
	if class == classPending {
		return underPending + segment
	}
	return underMessages + segment
}

// cellKey names a cell within a session without its path.
type cellKey struct {
	class cellClass // classOther for every numbered cell
	n     int64     // cells.id; the key of a message; the pos of the coming
	k     int64     // which of the comings of that class at that pos
}
