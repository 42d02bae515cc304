package model

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of an address's text: its length in bytes (a pasted provider error
// may be long), the shortest prefix of an id in characters, and how many
// offsets may follow one another.
const (
	MaxAddressText = 64 << 10
	MinPrefix      = 4
	MaxOffsets     = 8
)

// AddressSyntaxError is a text that no reading can make an address of.
type AddressSyntaxError struct {
	Text   string
	Reason string
	Hint   string // what would be accepted
}

// Error says what is wrong and what would be accepted.
func (e *AddressSyntaxError) Error() string {
	return "no address " + strconv.Quote(cutText(e.Text, 80)) + ": " + e.Reason + " (" + e.Hint + ")"
}

const addressHint = "write 91, #12, error, cp:2, turn:3, @2026-03-01T10:00:00Z, @+90s or an id"

// ParseAddress gives every reading of an address, in the order in which they
// are tried: a keyword, an integer (seq), #pos, an exact id, an offset at the
// last +k or -k, a prefix of an id, a pasted provider error. id:TEXT is an id
// and nothing else. Text before @@ names the session. Errors are
// *AddressSyntaxError.
func ParseAddress(text string) (Address, error) {
	a := Address{Text: text}
	rest := strings.TrimSpace(text)
	if len(rest) > MaxAddressText {
		return a, &AddressSyntaxError{Text: text, Reason: "longer than " + strconv.Itoa(MaxAddressText) + " bytes", Hint: addressHint}
	}
	a.Session, rest = cutSession(rest)
	a.Readings = readings(rest, MaxOffsets)
	if len(a.Readings) == 0 {
		return a, &AddressSyntaxError{Text: text, Reason: "empty", Hint: addressHint}
	}
	return a, nil
}

// ParseRange reads A..B, which includes both ends. A session named by A holds
// for B as well.
func ParseRange(text string) (Range, error) {
	from, to, ok := strings.Cut(text, "..")
	if !ok || strings.TrimSpace(from) == "" || strings.TrimSpace(to) == "" {
		return Range{}, &AddressSyntaxError{Text: text, Reason: "not a range", Hint: "write A..B, such as 80..95 or first..error"}
	}
	a, err := ParseAddress(from)
	if err != nil {
		return Range{}, err
	}
	b, err := ParseAddress(to)
	if err != nil {
		return Range{}, err
	}
	if b.Session == "" {
		b.Session = a.Session
	}
	return Range{A: a, B: b}, nil
}

// cutSession takes a session's name off the front: s1@@91. A forced id keeps
// its text, and what holds white space is a pasted message.
func cutSession(text string) (session, rest string) {
	i := strings.Index(text, "@@")
	if i <= 0 || strings.HasPrefix(text, "id:") || strings.ContainsAny(text[:i], " \t\n\r") {
		return "", text
	}
	return text[:i], text[i+2:]
}

// readings lists the ways to take a text without a session; offsets is how
// many more may be taken off its end.
func readings(text string, offsets int) []Reading {
	if text == "" {
		return nil
	}
	if id, ok := strings.CutPrefix(text, "id:"); ok {
		if id == "" {
			return nil
		}
		return []Reading{{Form: FormID, Text: id}}
	}
	if r, ok := keyword(text); ok {
		return []Reading{r, {Form: FormID, Text: text}}
	}
	var list []Reading
	if n, ok := integer(text); ok {
		list = append(list, Reading{Form: FormSeq, N: n})
	} else if n, ok := integer(strings.TrimPrefix(text, "#")); ok {
		list = append(list, Reading{Form: FormPos, N: n})
	}
	list = append(list, Reading{Form: FormID, Text: text})
	if r, ok := offset(text, offsets); ok {
		list = append(list, r)
	}
	if utf8.RuneCountInString(text) >= MinPrefix {
		list = append(list, Reading{Form: FormPrefix, Text: text})
	}
	if ids, messages := Pasted(text); len(messages) > 0 || len(ids) > 1 || len(ids) == 1 && ids[0] != text {
		list = append(list, Reading{Form: FormPasted, Text: text})
	}
	return list
}

// Misread says what is wrong with an address that looks like a word of the
// address language but is none; empty where it looks like an id.
func (a Address) Misread() string {
	text := a.Text
	if a.Session != "" {
		_, text, _ = strings.Cut(text, "@@")
	}
	word, _, counts := strings.Cut(text, ":")
	switch {
	case a.Readings[0].Form != FormID || strings.HasPrefix(text, "id:") || strings.ContainsAny(text, " \t\n\r"):
		return ""
	case strings.HasPrefix(text, "@"):
		return "no time can be read there; write @2026-03-01T10:00:00Z, or @+90s from the start"
	case counts && (word == "error" || word == "checkpoint" || word == "cp" || word == "turn"):
		return word + " is counted from 1, or from the end from -1"
	case counts && (word == "seq" || word == "ctx"):
		return word + " takes a number"
	}
	if _, err := ParseRange(text); err == nil {
		return "one event is asked for, and a range names many"
	}
	return ""
}

// keyword reads the words of the address language.
func keyword(text string) (Reading, bool) {
	switch text {
	case "first":
		return Reading{Form: FormFirst}, true
	case "last":
		return Reading{Form: FormLast}, true
	case "error":
		return Reading{Form: FormError, N: -1}, true
	case "checkpoint", "cp":
		return Reading{Form: FormCheckpoint, N: -1}, true
	case "turn":
		return Reading{Form: FormTurn, N: -1}, true
	}
	if at, ok := strings.CutPrefix(text, "@"); ok {
		return timeKeyword(at)
	}
	word, arg, ok := strings.Cut(text, ":")
	if !ok || arg == "" {
		return Reading{}, false
	}
	switch word {
	case "seq":
		n, ok := integer(arg)
		return Reading{Form: FormSeq, N: n}, ok
	case "error":
		return counted(FormError, arg)
	case "checkpoint", "cp":
		return checkpoint(arg)
	case "turn":
		return counted(FormTurn, arg)
	case "ctx":
		n, ok := integer(arg)
		return Reading{Form: FormContext, N: n}, ok && n >= 0
	case "mark":
		return Reading{Form: FormMark, Text: arg}, true
	}
	return Reading{}, false
}

// counted reads the n of error:n: from 1, or negative from the end.
func counted(form AddressForm, arg string) (Reading, bool) {
	switch arg {
	case "first":
		return Reading{Form: form, N: 1}, true
	case "last":
		return Reading{Form: form, N: -1}, true
	}
	n, ok := integer(arg)
	return Reading{Form: form, N: n}, ok && n != 0
}

// checkpoint reads n, n-k and n+k: records before the first or behind the last
// of the n-th checkpoint.
func checkpoint(arg string) (Reading, bool) {
	if r, ok := counted(FormCheckpoint, arg); ok {
		return r, true
	}
	base, step, ok := cutOffset(arg)
	if !ok {
		return Reading{}, false
	}
	r, ok := counted(FormCheckpoint, base)
	r.Step = step
	return r, ok
}

func timeKeyword(text string) (Reading, bool) {
	if span, ok := strings.CutPrefix(text, "+"); ok {
		n, ok := ParseElapsed(span)
		return Reading{Form: FormElapsed, Nano: n}, ok
	}
	t := ParseTime(text)
	return Reading{Form: FormTime, Time: t}, t.Known
}

func offset(text string, more int) (Reading, bool) {
	base, step, ok := cutOffset(text)
	if !ok || more == 0 {
		return Reading{}, false
	}
	list := readings(base, more-1)
	if len(list) == 0 {
		return Reading{}, false
	}
	return Reading{Form: FormOffset, Step: step, Base: &Address{Text: base, Readings: list}}, true
}

// cutOffset splits at the last + or - that only digits follow.
func cutOffset(text string) (base string, step int64, ok bool) {
	i := strings.LastIndexAny(text, "+-")
	if i <= 0 || i+1 == len(text) || strings.Trim(text[i+1:], digits) != "" {
		return "", 0, false
	}
	n, ok := integer(text[i+1:])
	if text[i] == '-' {
		n = -n
	}
	return text[:i], n, ok
}

const digits = "0123456789"

// integer reads -?[0-9]+. What is beyond int64 is the nearest int64: such a
// number names nothing, but what stands nearest can be told.
func integer(text string) (int64, bool) {
	bare := strings.TrimPrefix(text, "-")
	if bare == "" || strings.Trim(bare, digits) != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		n = math.MaxInt64
		if len(bare) < len(text) {
			n = math.MinInt64
		}
	}
	return n, true
}

// cutText bounds a text for a message, at a rune boundary.
func cutText(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit] + "…"
}
