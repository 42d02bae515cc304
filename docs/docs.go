// Package docs holds the pages that the program itself can show.
package docs

import (
	"embed"
	"strings"
)

//go:embed dialects/*.md
var pages embed.FS

// Dialect is the page of a dialect, as Markdown; ok is false where it has none.
func Dialect(name string) (page string, ok bool) {
	if strings.ContainsAny(name, `/\`) {
		return "", false
	}
	text, err := pages.ReadFile("dialects/" + name + ".md")
	return string(text), err == nil
}
