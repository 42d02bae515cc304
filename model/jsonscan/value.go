package jsonscan

import "io"

// SyntaxError says where JSON text (RFC 8259) goes wrong.
type SyntaxError struct {
	Offset int64 // in the text given
	Reason string
}

func (e *SyntaxError) Error() string { return e.Reason }

// Value validates the first JSON value of b, after white space, and returns
// where it starts and ends. io.EOF: only white space is left;
// io.ErrUnexpectedEOF: the value is cut; *SyntaxError: it is not JSON. With an
// error, end is where reading stopped.
func Value(b []byte) (start, end int, err error) {
	start = spaceEnd(b, 0)
	if start == len(b) {
		return start, start, io.EOF
	}
	var m machine
	end, v := m.run(b, start)
	switch {
	case v == bad:
		return start, end, &SyntaxError{Offset: int64(end), Reason: m.reason(b[end])}
	case v == more && !m.finish():
		return start, len(b), io.ErrUnexpectedEOF
	}
	return start, end, nil
}

// Kind is the first byte of a value that tells its type: { [ " 0 (any number)
// t f n, or 0 for an empty value.
func Kind(v []byte) byte {
	i := spaceEnd(v, 0)
	if i == len(v) {
		return 0
	}
	switch c := v[i]; c {
	case '{', '[', '"', 't', 'f', 'n':
		return c
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return '0'
	}
	return 0
}
