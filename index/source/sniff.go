package source

import (
	"bytes"
	"strconv"
	"strings"
)

// form is what the first bytes of a file tell about it.
type form uint8

// The forms. Those up to formUTF32BE are layers: the file can be read through
// them. Archives hold files, and a
// database tables. The rest is known and refused by name.
const (
	formPlain form = iota
	formGzip
	formZstd
	formBzip2
	formUTF16LE
	formUTF16BE
	formUTF32LE
	formUTF32BE
	formZip
	formTar
	formSQLite
	formXZ
	formLZ4
	formSevenZip
	formRar
	formCompress
)

var formNames = [...]string{"", "gzip", "zstd", "bzip2", "utf-16le", "utf-16be", "utf-32le", "utf-32be", "zip", "tar", "sqlite", "xz", "lz4", "7z", "rar", "compress"}

func (f form) String() string   { return formNames[f] }
func (f form) layer() bool      { return f > formPlain && f <= formUTF32BE }
func (f form) packing() bool    { return f > formPlain && f <= formBzip2 }
func (f form) archive() bool    { return f == formZip || f == formTar }
func (f form) refused() bool    { return f > formSQLite }
func (f form) encoding() bool   { return f >= formUTF16LE && f <= formUTF32BE }
func (f form) reason() string   { return f.String() + " is not a packing that can be read here" }
func (f form) unpackIt() string { return "unpack it first and open the result" }

// sniffLen is how many bytes sniff wants: a tar header.
const sniffLen = 512

var magics = []struct {
	magic string
	form  form
}{
	{"\x1f\x8b\x08", formGzip},
	{"\x28\xb5\x2f\xfd", formZstd},
	{"PK\x03\x04", formZip},
	{"PK\x05\x06", formZip},
	{"PK\x07\x08", formZip},
	{"\xfd7zXZ\x00", formXZ},
	{"\x04\x22\x4d\x18", formLZ4},
	{"7z\xbc\xaf\x27\x1c", formSevenZip},
	{"SQLite format 3\x00", formSQLite},
	{"Rar!\x1a\x07", formRar},
	{"\x1f\x9d", formCompress},
	{"\xff\xfe\x00\x00", formUTF32LE},
	{"\x00\x00\xfe\xff", formUTF32BE},
	{"\xff\xfe", formUTF16LE},
	{"\xfe\xff", formUTF16BE},
}

// sniff tells the form of a file from its first bytes (sniffLen of them, or
// all that there are).
func sniff(head []byte) form {
	for _, m := range magics {
		if len(head) >= len(m.magic) && string(head[:len(m.magic)]) == m.magic {
			return m.form
		}
	}
	switch {
	case len(head) >= 10 && string(head[:3]) == "BZh" && head[3] >= '1' && head[3] <= '9' &&
		string(head[4:10]) == "\x31\x41\x59\x26\x53\x59":
		return formBzip2
	case len(head) >= 8 && head[0]&0xf0 == 0x50 && string(head[1:4]) == "\x2a\x4d\x18":
		return formZstd // a skippable frame before the data
	case isTarHeader(head):
		return formTar
	}
	return bareWide(head)
}

// bareWide tells wide text that has no byte order mark, as far as it starts
// with a character that JSON can start with.
func bareWide(head []byte) form {
	if len(head) < 4 {
		return formPlain
	}
	starts := func(b byte) bool { return bytes.IndexByte([]byte("{[\" \t\r\n"), b) >= 0 }
	switch {
	case starts(head[0]) && head[1] == 0 && head[2] == 0 && head[3] == 0:
		return formUTF32LE
	case head[0] == 0 && head[1] == 0 && head[2] == 0 && starts(head[3]):
		return formUTF32BE
	case starts(head[0]) && head[1] == 0 && head[3] == 0:
		return formUTF16LE
	case head[0] == 0 && starts(head[1]) && head[2] == 0:
		return formUTF16BE
	}
	return formPlain
}

// isTarHeader checks the header's own checksum: the sum of its bytes with the
// checksum field taken as blanks. It holds for every tar format, old ones too.
func isTarHeader(head []byte) bool {
	if len(head) < sniffLen || head[0] == 0 {
		return false
	}
	text := strings.Trim(string(head[148:156]), " \x00")
	want, err := strconv.ParseInt(text, 8, 64)
	if err != nil {
		return false
	}
	var plain, signed int64
	for i, b := range head[:sniffLen] {
		if i >= 148 && i < 156 {
			b = ' '
		}
		plain += int64(b)
		signed += int64(int8(b))
	}
	return want == plain || want == signed
}
