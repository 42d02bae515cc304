package patch

import "strings"

// SearchReplace applies blocks of text to find and text to put in its place, as
// Cline's replace_in_file takes them: each is found as it stands, behind the one
// before. The last line of the text counts as one that ends. ok is false where
// there is no block or one is not found.
func SearchReplace(text, blocks string) (out string, ok bool) {
	if !strings.HasSuffix(text, "\n") {
		out, ok = SearchReplace(text+"\n", blocks)
		return strings.TrimSuffix(out, "\n"), ok
	}
	var made strings.Builder
	for {
		search, replace, rest, found := nextBlock(blocks)
		if !found {
			break
		}
		ok, blocks = true, rest
		before, after, hit := strings.Cut(text, search)
		if !hit || search == "" {
			return "", false
		}
		made.WriteString(before)
		made.WriteString(replace)
		text = after
	}
	made.WriteString(text)
	return made.String(), ok
}

// marks are the lines between which a block's two texts stand, in both spellings.
var marks = [][3]string{
	{"------- SEARCH\n", "=======\n", "+++++++ REPLACE"},
	{"<<<<<<< SEARCH\n", "=======\n", ">>>>>>> REPLACE"},
}

func nextBlock(s string) (search, replace, rest string, ok bool) {
	for _, m := range marks {
		_, body, found := strings.Cut(s, m[0])
		if !found {
			continue
		}
		inner, after, found := strings.Cut("\n"+body, "\n"+m[2])
		if !found {
			continue
		}
		search, replace, found = strings.Cut(inner+"\n", "\n"+m[1])
		if !found {
			continue
		}
		search = strings.TrimPrefix(search+"\n", "\n")
		return search, replace, after, true
	}
	return "", "", "", false
}
