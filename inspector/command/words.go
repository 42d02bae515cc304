package command

import "strings"

// Quoted is a word as a shell takes it.
func Quoted(word string) string {
	if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+=,-") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// DumpWords is the end of a command line that opens dumps.
func DumpWords(dumps []string) string {
	var words []string
	for _, d := range dumps {
		if strings.HasPrefix(d, "-") && d != "-" {
			d = "./" + d // a file of such a name, which would be taken for a flag
		}
		if len(dumps) > 1 {
			words = append(words, "-d")
		}
		words = append(words, Quoted(d))
	}
	return strings.Join(words, " ")
}
