package jsonscan

// delimits tells which bytes may follow a number or literal that stands alone:
// anything that could not be read as part of it.
var delimits = [256]bool{
	' ': true, '\t': true, '\n': true, '\r': true, recordSeparator: true,
	'{': true, '[': true, '"': true, '}': true, ']': true, ',': true, ':': true,
}

// hexValue gives the value of a hexadecimal digit, and 255 for other bytes.
var hexValue = makeHex()

func makeHex() (t [256]uint8) {
	for i := range t {
		t[i] = 255
	}
	for i := range 10 {
		t['0'+i] = uint8(i)
	}
	for i := range 6 {
		t['a'+i], t['A'+i] = uint8(10+i), uint8(10+i)
	}
	return t
}

// shortEscape tells which bytes may follow a backslash but for u.
var shortEscape = [256]bool{'"': true, '\\': true, '/': true, 'b': true, 'f': true, 'n': true, 'r': true, 't': true}

// What a byte means to somebody who skips a valid container.
const (
	other uint8 = iota
	quote
	opens
	closes
)

var structure = [256]uint8{'"': quote, '{': opens, '[': opens, '}': closes, ']': closes}

// endsScalar tells which bytes end a number or literal in valid text.
var endsScalar = [256]bool{' ': true, '\t': true, '\n': true, '\r': true, ',': true, ']': true, '}': true, ':': true}

// recordSeparator begins each text of a JSON sequence (RFC 7464).
const recordSeparator = 0x1e

// bom is the byte order mark in UTF-8.
const bom = "\xef\xbb\xbf"

// eventData goes before the JSON of a server-sent event.
const eventData = "data:"
