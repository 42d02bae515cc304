package patch

import "strings"

// Op is what a V4A patch does to a file.
type Op uint8

// The operations of a V4A patch.
const (
	OpAdd Op = iota
	OpUpdate
	OpDelete
)

// Change is what a V4A patch does to one file. Paths are as written.
type Change struct {
	Op      Op
	Path    string
	To      string // where an update moves the file; empty: it stays
	Content string // the whole text of an added file
	chunks  []chunk
}

// chunk is a place of a file to change: whole lines in a row, what they become,
// and where to look for them.
type chunk struct {
	heading  string // a line before them, empty for none
	old, new []string
	atEnd    bool // they are the last lines of the file
}

// The lines that give a V4A patch its shape.
const (
	v4aBegin  = "*** Begin Patch"
	v4aEnd    = "*** End Patch"
	v4aAdd    = "*** Add File: "
	v4aUpdate = "*** Update File: "
	v4aDelete = "*** Delete File: "
	v4aMove   = "*** Move to: "
	v4aAtEnd  = "*** End of File"
	v4aChunk  = "@@"
)

// V4A reads the patch that stands in a text (a here document, say): files by
// name, changed lines among lines that stay, no line numbers. ok is false where
// there is none or it is malformed.
func V4A(text string) (changes []Change, ok bool) {
	_, body, found := strings.Cut(text, v4aBegin)
	if !found {
		return nil, false
	}
	body, _, found = strings.Cut(body, "\n"+v4aEnd)
	if !found {
		return nil, false
	}
	_, body, _ = strings.Cut(body, "\n") // the rest of the first line
	var now *Change
	for line := range strings.SplitSeq(body, "\n") {
		if started, is := startV4A(strings.TrimSpace(line)); is {
			changes = append(changes, started)
			now = &changes[len(changes)-1]
			continue
		}
		if now == nil {
			if strings.TrimSpace(line) == "" {
				continue
			}
			return nil, false
		}
		if !now.take(line) {
			return nil, false
		}
	}
	return changes, len(changes) > 0
}

func startV4A(line string) (c Change, ok bool) {
	for prefix, op := range map[string]Op{v4aAdd: OpAdd, v4aUpdate: OpUpdate, v4aDelete: OpDelete} {
		if path, found := strings.CutPrefix(line, prefix); found && path != "" {
			return Change{Op: op, Path: strings.TrimSpace(path)}, true
		}
	}
	return c, false
}

// take reads a line of a file's part.
func (c *Change) take(line string) bool {
	switch c.Op {
	case OpDelete:
		return strings.TrimSpace(line) == ""
	case OpAdd:
		added, ok := strings.CutPrefix(line, "+")
		c.Content += added + "\n"
		return ok
	}
	if to, ok := strings.CutPrefix(line, v4aMove); ok && len(c.chunks) == 0 {
		c.To = strings.TrimSpace(to)
		return true
	}
	if line == v4aChunk || strings.HasPrefix(line, v4aChunk+" ") {
		c.chunks = append(c.chunks, chunk{heading: strings.TrimPrefix(strings.TrimPrefix(line, v4aChunk), " ")})
		return true
	}
	if len(c.chunks) == 0 {
		c.chunks = append(c.chunks, chunk{}) // the first needs no mark
	}
	return c.chunks[len(c.chunks)-1].take(line)
}

func (k *chunk) take(line string) bool {
	switch {
	case line == v4aAtEnd:
		k.atEnd = true
	case line == "": // an empty line that stays, whose space was trimmed
		k.old, k.new = append(k.old, ""), append(k.new, "")
	case line[0] == ' ':
		k.old, k.new = append(k.old, line[1:]), append(k.new, line[1:])
	case line[0] == '-':
		k.old = append(k.old, line[1:])
	case line[0] == '+':
		k.new = append(k.new, line[1:])
	default:
		return false
	}
	return true
}

// Apply gives the text that an update makes of a file's text, which then ends
// in a newline. ok is false where a line does not stand there as written: the
// program would look for one that is nearly the same.
func (c *Change) Apply(text string) (out string, ok bool) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if text == "" {
		lines = nil
	}
	var made []string
	at := 0 // lines taken over so far
	for _, k := range c.chunks {
		from := at
		if k.heading != "" {
			if from = find(lines, []string{k.heading}, at, false); from < 0 {
				return "", false
			}
			from++
		}
		if len(k.old) == 0 { // an insertion goes to the end, before an empty last line
			end := len(lines)
			if end > at && lines[end-1] == "" {
				end--
			}
			made, at = append(append(made, lines[at:end]...), k.new...), end
			continue
		}
		old, new := k.old, k.new
		start := find(lines, old, from, k.atEnd)
		if start < 0 && old[len(old)-1] == "" { // the end of the text is no line
			old = old[:len(old)-1]
			if len(new) > 0 && new[len(new)-1] == "" {
				new = new[:len(new)-1]
			}
			start = find(lines, old, from, k.atEnd)
		}
		if start < 0 {
			return "", false
		}
		made = append(append(made, lines[at:start]...), new...)
		at = start + len(old)
	}
	made = append(made, lines[at:]...)
	if len(made) == 0 {
		return "", true
	}
	return strings.Join(made, "\n") + "\n", true
}

// find looks for lines in a row at or behind from, at the end first where they
// are said to stand there; -1 where they do not stand there.
func find(lines, want []string, from int, atEnd bool) int {
	if last := len(lines) - len(want); atEnd && last >= from {
		from = last
	}
	for i := from; i+len(want) <= len(lines); i++ {
		if same(lines[i:i+len(want)], want) {
			return i
		}
	}
	return -1
}

func same(a, b []string) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
