package render

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Within names the files below a folder from there: of /srv/shop/src/a.js in
// /srv/shop, src/a.js stays. Other paths, and the folder itself, stay whole.
func Within(title, folder string) string {
	folder = strings.TrimRight(folder, `/\`)
	if len(folder) < 2 {
		return title
	}
	var b strings.Builder
	for {
		i := strings.Index(title, folder)
		if i < 0 {
			return b.String() + title
		}
		end := i + len(folder)
		if !pathGoesOn(title[:i], false) && len(title) > end+1 && (title[end] == '/' || title[end] == '\\') && pathGoesOn(title[end+1:], true) {
			b.WriteString(title[:i])
			end++
		} else {
			b.WriteString(title[:end])
		}
		title = title[end:]
	}
}

// pathGoesOn reports whether a path that a text borders on goes on in it: at its
// beginning (behind), or at its end.
func pathGoesOn(s string, behind bool) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	if behind {
		r, _ = utf8.DecodeRuneInString(s)
	}
	return s != "" && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("/._-~@+*[{$", r))
}
