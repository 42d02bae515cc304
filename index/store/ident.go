package store

import (
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

// Identifiers are kept as written, in one of three forms:
//
//	TEXT           valid UTF-8 without NUL
//	BLOB 01 + 16   a UUID in its canonical lower-case spelling, 17 bytes for 36
//	BLOB 00 + n    anything else, byte for byte
//
// SQLite would cut text with a NUL in half of its functions, and UUIDs are
// what most programs write: packing them saves 38 bytes an event (row and
// index).
const (
	blobRaw  = 0x00
	blobUUID = 0x01
	uuidLen  = 36
)

// packID turns an identifier into its stored form; nil for an empty one.
func packID(s string) any {
	if s == "" {
		return nil
	}
	if len(s) == uuidLen {
		if b := packUUID(s); b != nil {
			return b
		}
	}
	if utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 {
		return s
	}
	return append([]byte{blobRaw}, s...)
}

// unpackID is the inverse of packID for what the driver returns.
func unpackID(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []byte:
		if len(v) == 17 && v[0] == blobUUID {
			return spellUUID(v[1:])
		}
		if len(v) > 0 && v[0] == blobRaw {
			return string(v[1:])
		}
		return string(v)
	}
	return ""
}

func packUUID(s string) []byte {
	b := make([]byte, 1, 17)
	b[0] = blobUUID
	hi := -1
	for i := 0; i < uuidLen; i++ {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if s[i] != '-' {
				return nil
			}
			continue
		}
		n := lowerHex(s[i])
		if n < 0 {
			return nil
		}
		if hi < 0 {
			hi = n
			continue
		}
		b = append(b, byte(hi<<4|n))
		hi = -1
	}
	return b
}

func lowerHex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	}
	return -1
}

func spellUUID(b []byte) string {
	var out [uuidLen]byte
	hex.Encode(out[0:8], b[0:4])
	hex.Encode(out[9:13], b[4:6])
	hex.Encode(out[14:18], b[6:8])
	hex.Encode(out[19:23], b[8:10])
	hex.Encode(out[24:36], b[10:16])
	out[8], out[13], out[18], out[23] = '-', '-', '-', '-'
	return string(out[:])
}

// uuidRange returns the bounds, both included, of the packed UUIDs whose
// spelling starts with prefix; ok is false where none can.
func uuidRange(prefix string) (lo, hi []byte, ok bool) {
	if len(prefix) > uuidLen {
		return nil, nil, false
	}
	const zero, ones = "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"
	lo = packUUID(prefix + zero[len(prefix):])
	hi = packUUID(prefix + ones[len(prefix):])
	return lo, hi, lo != nil && hi != nil
}

// textRange returns the bounds of the texts that start with prefix, the upper
// one excluded; hi is nil where nothing stands above them. SQLite compares
// text bytewise.
func textRange(prefix string) (lo string, hi any) {
	b := []byte(prefix)
	for len(b) > 0 && b[len(b)-1] == 0xff {
		b = b[:len(b)-1]
	}
	if len(b) == 0 {
		return prefix, nil
	}
	b[len(b)-1]++
	return prefix, string(b)
}

// spellExpr is SQL for the spelling of a stored identifier; it needs nothing
// but SQLite's own functions, so that the views work in any shell.
func spellExpr(col string) string {
	h := "lower(hex(" + col + "))"
	return "CASE WHEN typeof(" + col + ")<>'blob' THEN " + col +
		" WHEN length(" + col + ")=17 AND substr(" + col + ",1,1)=x'01' THEN substr(" + h + ",3,8)||'-'||substr(" + h + ",11,4)||'-'||substr(" + h +
		",15,4)||'-'||substr(" + h + ",19,4)||'-'||substr(" + h + ",23) ELSE substr(" + col + ",2) END"
}

// packText stores other text: TEXT where SQLite can hold it whole, else BLOB;
// nil for the empty one.
func packText(s string) any {
	switch {
	case s == "":
		return nil
	case utf8.ValidString(s) && strings.IndexByte(s, 0) < 0:
		return s
	}
	return []byte(s)
}

// unpackText is the inverse of packText for what the driver returns.
func unpackText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []byte:
		return string(v)
	}
	return ""
}
