package index

// Normalise takes out of a failure's text what differs from one occurrence to
// the next: digits become #, ids, paths and quoted text …, so that like failures
// have the same text.
func Normalise(title string) string {
	out := make([]byte, 0, len(title))
	for i := 0; i < len(title); {
		c := title[i]
		switch {
		case c == '"' || c == '\'' || c == '`':
			if j := closing(title, i); j > 0 {
				out = append(out, c)
				out = append(out, "…"...)
				out = append(out, c)
				i = j + 1
				continue
			}
		case i == 0 || !inPath(title[i-1]):
			if n := pathLength(title[i:]); n > 0 {
				out = append(out, "…"...)
				i += n
				continue
			}
		}
		if isWord(c) && (i == 0 || !isWord(title[i-1])) {
			j := i
			digits := 0
			for j < len(title) && isWord(title[j]) {
				if title[j] >= '0' && title[j] <= '9' {
					digits++
				}
				j++
			}
			out = appendWord(out, title[i:j], digits)
			i = j
			continue
		}
		out = append(out, c)
		i++
	}
	return string(out)
}

// pathLength is how many bytes at the beginning of s are a path: a word with a
// slash in it that begins with one or a dot or a tilde, or has two of them, or a
// dot behind it. What is written like a fraction or an alternative is none.
func pathLength(s string) int {
	n, slashes, last := 0, 0, 0
	for n < len(s) && inPath(s[n]) {
		if s[n] == '/' {
			slashes, last = slashes+1, n
		}
		n++
	}
	for n > 0 && s[n-1] == '.' { // the end of a sentence
		n--
	}
	if slashes == 0 || n < 3 {
		return 0
	}
	dotted := false
	for i := last + 1; i < n; i++ {
		dotted = dotted || s[i] == '.'
	}
	if s[0] == '/' || s[0] == '.' || s[0] == '~' || slashes > 1 || dotted {
		return n
	}
	return 0
}

func inPath(c byte) bool {
	return isWord(c) || c == '/' || c == '.' || c == '-' || c == '~' || c == '@'
}

// appendWord writes a word with its digits masked; a long word with digits is
// an id.
func appendWord(out []byte, word string, digits int) []byte {
	switch {
	case digits == 0:
		return append(out, word...)
	case digits == len(word):
		return append(out, '#')
	case len(word) >= 8 && digits >= 2:
		return append(out, "…"...)
	}
	masked := false
	for i := 0; i < len(word); i++ {
		isDigit := word[i] >= '0' && word[i] <= '9'
		if isDigit && !masked {
			out = append(out, '#')
		}
		if !isDigit {
			out = append(out, word[i])
		}
		masked = isDigit
	}
	return out
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// closing finds the quote that ends a quoted text of at least one character; 0
// where there is none near.
func closing(s string, i int) int {
	for j := i + 1; j < len(s) && j < i+120; j++ {
		if s[j] == s[i] {
			if j == i+1 {
				return 0
			}
			return j
		}
	}
	return 0
}
