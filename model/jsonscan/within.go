package jsonscan

import "unsafe"

// Within tells where a span that this package gave of some text starts in it.
// ok is false for what is no span of it.
func Within(text, span []byte) (at int, ok bool) {
	if len(text) == 0 || len(span) == 0 {
		return 0, false
	}
	from, start := uintptr(unsafe.Pointer(&text[0])), uintptr(unsafe.Pointer(&span[0]))
	if start < from || start-from > uintptr(len(text)-len(span)) || len(span) > len(text) {
		return 0, false
	}
	return int(start - from), true
}
