package textdiff

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// WordLimit is how long a line may be that is compared word by word, in bytes.
	WordLimit = 2 << 10

	similar = 50 // two lines are versions of one if they share more than this, per cent of both
	changed = 60 // more of a line than this marked, per cent, would hide what changed
)

// Span is a part of a line: bytes From up to To.
type Span struct{ From, To int }

// Words marks what differs between two versions of a line: words, runs of
// spaces and single signs. ok is false where the lines share too little to be
// versions of one line, where so much differs that marks would tell nothing, or
// where a line is longer than WordLimit.
func Words(old, new string) (removed, added []Span, ok bool) {
	if len(old) > WordLimit || len(new) > WordLimit {
		return nil, nil, false
	}
	a, b := tokens(old), tokens(new)
	ids := interner{}
	common, err := align(context.Background(), ids.all(a), ids.all(b))
	if err != nil {
		return nil, nil, false
	}
	keptA, keptB := make([]bool, len(a)), make([]bool, len(b))
	for _, p := range common {
		keptA[p.a], keptB[p.b] = true, true
	}
	share, ofA := weigh(a, keptA)
	_, ofB := weigh(b, keptB)
	unlike := 100*2*share <= similar*(ofA+ofB) || 100*share < (100-changed)*max(ofA, ofB)
	if unlike && ofA+ofB > 0 {
		return nil, nil, false
	}
	return spans(a, keptA), spans(b, keptB), true
}

// weigh is the bytes of the tokens that are kept, and of all; spaces do not
// count.
func weigh(tokens []string, kept []bool) (share, all int) {
	for i, t := range tokens {
		if blank(t) {
			continue
		}
		all += len(t)
		if kept[i] {
			share += len(t)
		}
	}
	return share, all
}

// spans is where the tokens stand that are not kept. Two with only spaces
// between them are one.
func spans(tokens []string, kept []bool) []Span {
	var out []Span
	at := 0
	gap := "x" // what stands since the last span
	for i, t := range tokens {
		switch {
		case kept[i]:
			gap += t
		case blank(gap):
			out[len(out)-1].To = at + len(t)
			gap = ""
		default:
			out = append(out, Span{at, at + len(t)})
			gap = ""
		}
		at += len(t)
	}
	return out
}

// tokens cuts a line into words, runs of spaces and single signs. Marks stay
// with what they stand on; a byte that is no UTF-8 is a sign.
func tokens(line string) []string {
	var out []string
	var last class
	for at := 0; at < len(line); {
		r, n := utf8.DecodeRuneInString(line[at:])
		c := classOf(r)
		if len(out) > 0 && (c == combining || c == last && c != sign) {
			k := len(out) - 1
			out[k] = line[at-len(out[k]) : at+n]
		} else {
			out = append(out, line[at:at+n])
			last = c
		}
		at += n
	}
	return out
}

type class uint8

const (
	sign class = iota
	word
	space
	combining
)

func classOf(r rune) class {
	switch {
	case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
		return word
	case strings.ContainsRune(" \t\r\n\v\f", r):
		return space
	case unicode.Is(unicode.M, r):
		return combining
	}
	return sign
}
