package model

import (
	"strconv"
	"strings"
)

// MaxPasted bounds the candidates that a pasted text yields, of each sort.
const MaxPasted = 16

// Pasted finds what a provider's error message names: words that look like ids
// (toolu_01Ab..., call_9f..., a UUID), and message numbers (messages[7],
// messages.19.content.0), in the order in which they stand.
func Pasted(text string) (ids []string, messages []int64) {
	for i := 0; i < len(text); {
		if !idByte(text[i]) {
			i++
			continue
		}
		end := i
		for end < len(text) && idByte(text[end]) {
			end++
		}
		word := text[i:end]
		if n, ok := messageNumber(word, text[end:]); ok {
			messages = appendNew(messages, n)
		} else if looksLikeID(word) {
			ids = appendNew(ids, word)
		}
		i = end
	}
	return ids, messages
}

func idByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '-'
}

// messageNumber reads the number behind the word messages: [7] or .7.
func messageNumber(word, rest string) (int64, bool) {
	if word != "messages" && word != "input" || len(rest) < 2 || rest[0] != '[' && rest[0] != '.' {
		return 0, false
	}
	n := len(rest[1:]) - len(strings.TrimLeft(rest[1:], digits))
	if n == 0 || rest[0] == '[' && !strings.HasPrefix(rest[1+n:], "]") {
		return 0, false
	}
	v, err := strconv.ParseInt(rest[1:1+n], 10, 64)
	return v, err == nil
}

// looksLikeID: at least six characters, a digit among them, and either long or
// made of parts. Plain words, numbers and dates do not pass.
func looksLikeID(word string) bool {
	if len(word) < 6 || !strings.ContainsAny(word, digits) || strings.Trim(word, digits+"-") == "" {
		return false
	}
	return len(word) >= 8 || strings.ContainsAny(word, "_-")
}

func appendNew[T comparable](list []T, v T) []T {
	if len(list) >= MaxPasted {
		return list
	}
	for _, have := range list {
		if have == v {
			return list
		}
	}
	return append(list, v)
}
