package claudecode

import (
	"math"
	"strings"
	"unicode/utf8"

	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// fullLimit asks for all of a text.
const fullLimit = math.MaxInt

// textOf is the text of a content, its text blocks joined by newlines. onlyText is
// false where some block is no text (a picture).
func textOf(content []byte) (text string, onlyText bool) {
	onlyText = true
	if isList(content) {
		jsonscan.Elements(content, func(v []byte) bool {
			onlyText = isText(v) || blockType(jsonscan.Get(v, "type")) == blockText
			return onlyText
		})
	}
	return phrase.Content(content, fullLimit), onlyText
}

// headOf is the beginning of the first text of a content.
func headOf(content []byte) (text string) {
	eachBlock(content, func(b block) bool {
		text = phrase.Head(b.text, phrase.LineLimit)
		return text == ""
	})
	return text
}

// joinedChars counts the code points of a text that so many more are joined to, as
// joinTexts does.
func joinedChars(chars, more int64) int64 {
	if chars > 0 && more > 0 {
		chars++ // the newline between them
	}
	return chars + more
}

func runes(s string) int64 { return int64(utf8.RuneCountInString(s)) }

// renderings are the texts that the model got of an attachment.
func renderings(rendered []byte) (texts []string) {
	jsonscan.Elements(rendered, func(v []byte) bool {
		texts = append(texts, phrase.Content(jsonscan.Get(v, "content"), fullLimit))
		return true
	})
	return texts
}

// joinTexts joins the texts that are there.
func joinTexts(parts ...string) string {
	var there []string
	for _, p := range parts {
		if p != "" {
			there = append(there, p)
		}
	}
	return strings.Join(there, "\n")
}
