package jsonscan

import (
	"bytes"
	"unicode/utf8"
)

// signatures are first bytes by which a file tells that it is no JSON.
var signatures = []struct{ head, seen string }{
	{"\x00\x00\xfe\xff", "UTF-32 text"},
	{"\xff\xfe\x00\x00", "UTF-32 text"},
	{"\xfe\xff", "UTF-16 text"},
	{"\xff\xfe", "UTF-16 text"},
	{"\x1f\x8b", "gzip data"},
	{"\x28\xb5\x2f\xfd", "zstd data"},
	{"BZh", "bzip2 data"},
	{"\xfd7zXZ\x00", "xz data"},
	{"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"},
	{"PK\x03\x04", "a zip archive"},
	{"PK\x05\x06", "an empty zip archive"},
	{"SQLite format 3\x00", "a SQLite database"},
	{"\x89PNG\r\n\x1a\n", "a PNG image"},
	{"\xff\xd8\xff", "a JPEG image"},
	{"GIF8", "a GIF image"},
	{"%PDF-", "a PDF document"},
	{"\x7fELF", "a program (ELF)"},
	{"MZ\x90\x00", "a program (Windows)"},
	{"PAR1", "a Parquet file"},
	{"ARROW1", "an Arrow file"},
	{"Obj\x01", "an Avro file"},
	{"\x80\x02", "a Python pickle"},
	{"\x80\x04\x95", "a Python pickle"},
	{"\x80\x05\x95", "a Python pickle"},
}

// looksLike names what can be told from a file's first bytes, or "".
func looksLike(head []byte) string {
	for _, s := range signatures {
		if bytes.HasPrefix(head, []byte(s.head)) {
			return s.seen
		}
	}
	if len(head) > 262 && string(head[257:262]) == "ustar" {
		return "a tar archive"
	}
	return wideText(head)
}

// wideText recognises UTF-16 and UTF-32 without a byte order mark by the NUL
// bytes around its first characters, which in JSON are ASCII.
func wideText(head []byte) string {
	if len(head) < 4 {
		return ""
	}
	nul := [4]bool{head[0] == 0, head[1] == 0, head[2] == 0, head[3] == 0}
	switch nul {
	case [4]bool{true, true, true, false}, [4]bool{false, true, true, true}:
		return "UTF-32 text"
	case [4]bool{true, false, true, false}, [4]bool{false, true, false, true}:
		return "UTF-16 text"
	}
	return ""
}

// emptiness names a file that holds nothing but separators.
func emptiness(head []byte) string {
	if len(head) == 0 {
		return "an empty file"
	}
	return "only white space"
}

// textOrBinary names what holds no JSON.
func textOrBinary(head []byte) string {
	controls, wrong := 0, 0
	for i := 0; i < len(head); {
		r, size := utf8.DecodeRune(head[i:])
		switch {
		case r == utf8.RuneError && size == 1 && utf8.FullRune(head[i:]):
			wrong++
		case r == 0:
			controls++
		case r < ' ' && !isSpace(byte(r)) && r != 0x1b && r != '\f' && r != '\b':
			controls++
		}
		i += size
	}
	start := spaceEnd(head, 0)
	switch {
	case controls == len(head) && len(bytes.Trim(head, "\x00")) == 0:
		return "nothing but NUL bytes"
	case controls > len(head)/64 || wrong > len(head)/8:
		return "binary data"
	case start < len(head) && head[start] == '<':
		return "HTML or XML text"
	case start < len(head) && (head[start] == '{' || head[start] == '['):
		return "text that begins like JSON but is not"
	}
	return "plain text"
}
