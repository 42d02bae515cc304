package render

import (
	"encoding/json"

	"hindcast/model/answer"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// Bisect draws where an expression turns, each time with the values that it
// read there: values holds for each flip those of the first of b.Reads, nil
// where there was none.
func Bisect(b answer.Bisect, values [][]json.RawMessage, width int) []Line {
	lines := []Line{{{"bisect ", theme.Heading}, {clip(b.Expr), theme.CodeName}, {"  " + text.Plural(int64(len(b.Flips)), "turn"), theme.Dim}}}
	if len(b.Flips) == 0 {
		lines = append(lines, Line{{" it is false from the start to the end", theme.Dim}})
	}
	for _, path := range b.Unwritten {
		lines = append(lines, Line{{" ! nothing ever stood at " + text.CleanCut(path, 60), theme.Warn}, {"; hindcast state lists what is there", theme.Dim}})
	}
	for i, f := range b.Flips {
		sign := Line{{" false ", theme.Removed}}
		if f.To {
			sign = Line{{" true  ", theme.Added}}
		}
		lines = append(lines, append(sign, named(f.By, b.Events, room(width, Width(sign)))...))
		if i >= len(values) {
			continue
		}
		for n, v := range values[i] {
			l := Line{{"         = ", theme.Punct}, {text.CleanCut(b.Reads[n], 60), theme.Key}, {"  ", theme.Plain}}
			lines = append(lines, append(l, cellLine(b.Reads[n], v)...))
		}
	}
	if len(b.Reads) > 0 && len(b.Flips) == 0 {
		lines = append(lines, Line{{" reads " + text.CleanCut(b.Reads[0], 60), theme.Dim}})
	}
	return clamp(lines, width)
}
