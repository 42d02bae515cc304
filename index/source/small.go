package source

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// ReadSmall reads a file that is no dump whole: a regular file, or a link to
// one, of at most limit bytes, whatever size it states. What else stands there
// (a pipe, a device) is not waited for. The error is an *Error.
func ReadSmall(path string, limit int64) ([]byte, error) {
	fi, err := os.Stat(path)
	if err != nil {
		return nil, rootError(path, err)
	}
	if fi.IsDir() {
		return nil, &Error{Path: path, Reason: "it is a folder"}
	}
	if why := oddFile(fi.Mode()); why != "" {
		return nil, &Error{Path: path, Reason: "it is " + why}
	}
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, rootError(path, err)
	}
	f, _, err := openDisk(target)
	if err != nil {
		return nil, rootError(path, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, rootError(path, err)
	}
	if int64(len(text)) > limit {
		return nil, &Error{Path: path, Reason: fmt.Sprintf("it has more than %d bytes", limit)}
	}
	return text, nil
}
