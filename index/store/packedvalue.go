package store

import (
	"encoding/hex"
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/varint"
)

// How a value is packed. The members of messages, files and pending repeat
// themselves: their objects are taken apart where writing them again gives the
// same bytes, and kept as JSON otherwise.
const (
	valueAbsent  = iota
	valueJSON    // text
	valueNumber  // unsigned: a whole number
	valueWord    // byte: index into valueWords
	valueMessage // see packMessage
	valueFile    // see packFile
	valuePending // see packPending
)

var valueWords = [...]string{"null", "true", "false"}

// place of a value: the event that writes it, and the key of its member as it
// stands in the path, which for messages and pending it repeats.
type valuePlace struct {
	pos     int64
	cell    cellClass
	segment string
}

// packValue appends a present value.
func packValue(dst []byte, json []byte, at valuePlace) (kind byte, out []byte) {
	for i, word := range valueWords {
		if string(json) == word {
			return valueWord, append(dst, byte(i))
		}
	}
	scan := jsonCursor{b: json}
	if n := scan.whole(); scan.done() && n >= 0 {
		return valueNumber, packUint(dst, n)
	}
	var ok bool
	switch at.cell {
	case classMessage, classPosMessage:
		if out, ok = packMessage(dst, json, at); ok {
			return valueMessage, out
		}
	case classFile:
		if out, ok = packFile(dst, json, at); ok {
			return valueFile, out
		}
	case classPending:
		if out, ok = packPending(dst, json, at); ok {
			return valuePending, out
		}
	}
	return valueJSON, varint.AppendText(dst, json)
}

// unpackValue reads a value of a kind; nil for an absent one. With skip it
// makes nothing.
func unpackValue(u *unpacker, kind byte, at valuePlace) []byte {
	switch kind {
	case valueAbsent:
		return nil
	case valueJSON:
		return append([]byte{}, u.Text()...)
	case valueNumber:
		return strconv.AppendInt(nil, u.Count(), 10)
	case valueWord:
		if i := int(u.Byte()); i < len(valueWords) {
			return []byte(valueWords[i])
		}
	case valueMessage:
		return unpackMessage(u, at)
	case valueFile:
		return unpackFile(u, at)
	case valuePending:
		return unpackPending(u, at)
	}
	u.Fail()
	return nil
}

const (
	messageRole     = 3 // bits
	messageNoEvent  = 4
	messageNoTokens = 8
	messageSummary  = 16
	messageUUID     = 32
)

// packMessage packs {"key","seq","pos","event","role","tokens","chars",
// "summary"}: flags, event pos - pos, seq - pos, event's id, tokens, chars.
func packMessage(dst, json []byte, at valuePlace) ([]byte, bool) {
	s := jsonCursor{b: json}
	flags := byte(0)
	s.literal(`{"key":"`)
	s.literal(unescapePointer(at.segment))
	s.literal(`","seq":`)
	seq := s.whole()
	s.literal(`,"pos":`)
	pos := s.whole()
	s.literal(`,"event":`)
	var id string
	if s.try("null") {
		flags |= messageNoEvent
	} else {
		id = s.quoted()
	}
	s.literal(`,"role":`)
	role, known := model.ParseRole(s.quoted())
	flags |= byte(role) & messageRole
	s.literal(`,"tokens":`)
	tokens := int64(0)
	if s.try("null") {
		flags |= messageNoTokens
	} else {
		tokens = s.whole()
	}
	s.literal(`,"chars":`)
	chars := s.whole()
	s.literal(`,"summary":`)
	if s.try("true") {
		flags |= messageSummary
	} else {
		s.literal("false")
	}
	s.literal("}")
	if !s.done() || !known || tokens < 0 || chars < 0 {
		return dst, false
	}
	var uuid []byte
	if len(id) == uuidLen {
		if uuid = packUUID(id); uuid != nil {
			flags |= messageUUID
		}
	}
	dst = packInt(packInt(append(dst, flags), at.pos-pos), seq-pos)
	switch {
	case uuid != nil:
		dst = append(dst, uuid[1:]...)
	case flags&messageNoEvent == 0:
		dst = varint.AppendText(dst, id)
	}
	if flags&messageNoTokens == 0 {
		dst = packUint(dst, tokens)
	}
	return packUint(dst, chars), true
}

func unpackMessage(u *unpacker, at valuePlace) []byte {
	flags := u.Byte()
	pos := at.pos - u.Int()
	seq := pos + u.Int()
	out := append(make([]byte, 0, 160), `{"key":"`...)
	out = append(out, unescapePointer(at.segment)...)
	out = append(out, `","seq":`...)
	out = strconv.AppendInt(out, seq, 10)
	out = append(out, `,"pos":`...)
	out = strconv.AppendInt(out, pos, 10)
	out = append(out, `,"event":`...)
	switch {
	case flags&messageNoEvent != 0:
		out = append(out, "null"...)
	case flags&messageUUID != 0:
		id := u.Take(uuidLen/2 - 2)
		if u.Bad {
			return nil
		}
		out = append(append(append(out, '"'), spellUUID(id)...), '"')
	default:
		out = append(append(append(out, '"'), u.Text()...), '"')
	}
	out = append(append(append(out, `,"role":"`...), model.Role(flags&messageRole).String()...), `","tokens":`...)
	if flags&messageNoTokens != 0 {
		out = append(out, "null"...)
	} else {
		out = strconv.AppendInt(out, u.Count(), 10)
	}
	out = append(out, `,"chars":`...)
	out = strconv.AppendInt(out, u.Count(), 10)
	if flags&messageSummary != 0 {
		return append(out, `,"summary":true}`...)
	}
	return append(out, `,"summary":false}`...)
}

const (
	fileCertainty = 3 // bits
	fileNoHash    = 4
	fileNoWriter  = 8
	hashLen       = 32
)

// packFile packs {"certainty","lines","sha256","written_by","written_pos"}:
// flags, lines, hash, pos - written_pos, written_by - written_pos.
func packFile(dst, json []byte, at valuePlace) ([]byte, bool) {
	s := jsonCursor{b: json}
	flags := byte(0)
	s.literal(`{"certainty":`)
	certainty, known := model.ParseCertainty(s.quoted())
	flags |= byte(certainty) & fileCertainty
	s.literal(`,"lines":`)
	lines := s.whole()
	s.literal(`,"sha256":`)
	var hash [hashLen]byte
	if s.try("null") {
		flags |= fileNoHash
	} else {
		text := s.quoted()
		n, err := hex.Decode(hash[:min(hashLen, len(text)/2)], []byte(text)[:min(2*hashLen, len(text)&^1)])
		if err != nil || n != hashLen || len(text) != 2*hashLen || strings.ToLower(text) != text {
			return dst, false
		}
	}
	s.literal(`,"written_by":`)
	var by, pos int64
	if s.try(`null,"written_pos":null`) {
		flags |= fileNoWriter
	} else {
		by = s.whole()
		s.literal(`,"written_pos":`)
		pos = s.whole()
	}
	s.literal("}")
	if !s.done() || !known || lines < 0 {
		return dst, false
	}
	dst = packUint(append(dst, flags), lines)
	if flags&fileNoHash == 0 {
		dst = append(dst, hash[:]...)
	}
	if flags&fileNoWriter == 0 {
		dst = packInt(packInt(dst, at.pos-pos), by-pos)
	}
	return dst, true
}

func unpackFile(u *unpacker, at valuePlace) []byte {
	flags := u.Byte()
	out := append(make([]byte, 0, 160), `{"certainty":"`...)
	out = append(append(out, model.Certainty(flags&fileCertainty).String()...), `","lines":`...)
	out = strconv.AppendInt(out, u.Count(), 10)
	out = append(out, `,"sha256":`...)
	if flags&fileNoHash != 0 {
		out = append(out, "null"...)
	} else {
		out = append(hex.AppendEncode(append(out, '"'), u.Take(hashLen)), '"')
	}
	if flags&fileNoWriter != 0 {
		return append(out, `,"written_by":null,"written_pos":null}`...)
	}
	pos := at.pos - u.Int()
	out = strconv.AppendInt(append(out, `,"written_by":`...), pos+u.Int(), 10)
	out = strconv.AppendInt(append(out, `,"written_pos":`...), pos, 10)
	return append(out, '}')
}

// packPending packs {"call","seq","pos","tool"}: pos of the write - pos,
// seq - pos, tool.
func packPending(dst, json []byte, at valuePlace) ([]byte, bool) {
	s := jsonCursor{b: json}
	s.literal(`{"call":"`)
	s.literal(unescapePointer(at.segment))
	s.literal(`","seq":`)
	seq := s.whole()
	s.literal(`,"pos":`)
	pos := s.whole()
	s.literal(`,"tool":`)
	tool := s.quoted()
	s.literal("}")
	if !s.done() {
		return dst, false
	}
	return varint.AppendText(packInt(packInt(dst, at.pos-pos), seq-pos), tool), true
}

func unpackPending(u *unpacker, at valuePlace) []byte {
	pos := at.pos - u.Int()
	out := append(make([]byte, 0, 120), `{"call":"`...)
	out = append(append(out, unescapePointer(at.segment)...), `","seq":`...)
	out = strconv.AppendInt(out, pos+u.Int(), 10)
	out = strconv.AppendInt(append(out, `,"pos":`...), pos, 10)
	out = append(append(append(out, `,"tool":"`...), u.Text()...), `"}`...)
	return out
}
