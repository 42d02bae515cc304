package codex

import (
	"strconv"
	"strings"
)

// note is what Decode tells the linker beyond the event's own fields. It
// travels as text (Event.Note): a tag, the value's length, a colon, the value.
type note struct {
	Flags    flags
	Own      int64  // history_sequence; 0 where there is none
	Sampled  int64  // sampled_through_sequence; 0 where there is none
	Sum      uint64 // of the text that a copy repeats, or of settings
	Original string // the id of what a copy repeats
	Line     string // first line of a prompt; what a script ran
	Thread   string // id of the thread that a session_meta begins
	Parent   string // id of the thread that made this one
	Base     string // id of the thread or segment that this one goes on from
	Number   int64  // where the base ends, where the own part starts, how many turns or items
	Version  string
	Status   string // the run's state from here on
	Model    string // of settings
	Cwd      string // of settings
	Parts    []part // the settings, each with a sum
	Numbers  []span // history_sequence of the items that a compaction puts in place
}

// part is a setting and a sum of its value.
type part struct {
	Name string
	Sum  uint64
}

// span is a run of numbers, both ends included.
type span struct{ From, To int64 }

// flags are the yes-or-no facts of a record.
type flags uint32

const (
	isItem      flags = 1 << iota // part of the model's history
	isMade                        // by the model: takes source and batch links
	isInput                       // what the next response answers
	isPrompted                    // a prompt of a person
	opensCall                     // a call that runs until its result comes
	answersCall                   // a result
	tellsCall                     // an item that says how a call went, beside its result
	callFailed                    // with it: the call failed
	callWorked                    // with it: the call did not fail
	scripted                      // what a script did inside of a call
	isCopy                        // repeats a record of the history
	isDraft                       // the summary that a compaction asked for
	compacts                      // a compaction
	compacted                     // the notice of one
	isTotal                       // its usage is the total so far
	isSettings                    // settings, whole
	isMetaLine                    // the head of a thread
	rollsBack                     // turns are taken back
	isGhost                       // a commit of the work tree
	endsBadly                     // a turn that failed
	isUsage                       // the usage of one response
	ownStarts                     // Number says where a child's own part starts
	isStdoutRow                   // printed by exec --json
	isPatch                       // settings in part
)

func (f flags) has(g flags) bool { return f&g != 0 }

// String is the note as text.
func (n *note) String() string {
	var room [256]byte
	b := room[:0]
	b = putNumber(b, 'f', int64(n.Flags))
	b = putNumber(b, 'h', n.Own)
	b = putNumber(b, 's', n.Sampled)
	b = putSum(b, 'u', n.Sum)
	for _, field := range [...]struct {
		tag  byte
		text string
	}{
		{'o', n.Original}, {'l', n.Line}, {'t', n.Thread}, {'p', n.Parent}, {'b', n.Base},
		{'v', n.Version}, {'e', n.Status}, {'m', n.Model}, {'c', n.Cwd},
	} {
		b = put(b, field.tag, field.text)
	}
	b = putNumber(b, 'n', n.Number)
	for _, p := range n.Parts {
		b = put(b, 'k', p.Name)
		b = putSum(b, 'x', p.Sum)
	}
	for _, v := range n.Numbers {
		b = putNumber(b, 'q', v.From)
		b = putNumber(b, 'w', v.To)
	}
	return string(b)
}

// put writes a tag and its value; nothing where that is empty.
func put[T string | []byte](b []byte, tag byte, v T) []byte {
	if len(v) == 0 {
		return b
	}
	b = append(b, tag)
	b = strconv.AppendInt(b, int64(len(v)), 10)
	b = append(b, ':')
	return append(b, v...)
}

func putNumber(b []byte, tag byte, v int64) []byte {
	if v == 0 {
		return b
	}
	var digits [24]byte
	return put(b, tag, strconv.AppendInt(digits[:0], v, noteBase))
}

func putSum(b []byte, tag byte, v uint64) []byte {
	if v == 0 {
		return b
	}
	var digits [24]byte
	return put(b, tag, strconv.AppendUint(digits[:0], v, noteBase))
}

// noteBase is the base of numbers in a note.
const noteBase = 36

// parseNote reads what String wrote; what it cannot read is left out.
func parseNote(s string) (n note) {
	for len(s) > 0 {
		colon := strings.IndexByte(s, ':')
		if colon < 1 {
			break
		}
		size, err := strconv.Atoi(s[1:colon])
		if err != nil || size < 0 || size > len(s)-colon-1 {
			break
		}
		n.take(s[0], s[colon+1:colon+1+size])
		s = s[colon+1+size:]
	}
	return n
}

func (n *note) take(tag byte, v string) {
	number, _ := strconv.ParseInt(v, noteBase, 64)
	sum, _ := strconv.ParseUint(v, noteBase, 64)
	switch tag {
	case 'f':
		n.Flags = flags(sum)
	case 'h':
		n.Own = number
	case 's':
		n.Sampled = number
	case 'u':
		n.Sum = sum
	case 'o':
		n.Original = v
	case 'l':
		n.Line = v
	case 't':
		n.Thread = v
	case 'p':
		n.Parent = v
	case 'b':
		n.Base = v
	case 'n':
		n.Number = number
	case 'v':
		n.Version = v
	case 'e':
		n.Status = v
	case 'm':
		n.Model = v
	case 'c':
		n.Cwd = v
	case 'k':
		n.Parts = append(n.Parts, part{Name: v})
	case 'x':
		if len(n.Parts) > 0 {
			n.Parts[len(n.Parts)-1].Sum = sum
		}
	case 'q':
		n.Numbers = append(n.Numbers, span{number, number})
	case 'w':
		if len(n.Numbers) > 0 {
			n.Numbers[len(n.Numbers)-1].To = number
		}
	}
}
