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
	var b strings.Builder
	put := func(tag byte, v string) {
		if v != "" {
			b.WriteByte(tag)
			b.WriteString(strconv.Itoa(len(v)))
			b.WriteByte(':')
			b.WriteString(v)
		}
	}
	number := func(tag byte, v int64) {
		if v != 0 {
			put(tag, strconv.FormatInt(v, 36))
		}
	}
	sum := func(tag byte, v uint64) {
		if v != 0 {
			put(tag, strconv.FormatUint(v, 36))
		}
	}
	sum('f', uint64(n.Flags))
	number('h', n.Own)
	number('s', n.Sampled)
	sum('u', n.Sum)
	put('o', n.Original)
	put('l', n.Line)
	put('t', n.Thread)
	put('p', n.Parent)
	put('b', n.Base)
	number('n', n.Number)
	put('v', n.Version)
	put('e', n.Status)
	put('m', n.Model)
	put('c', n.Cwd)
	for _, p := range n.Parts {
		put('k', p.Name)
		put('x', strconv.FormatUint(p.Sum, 36))
	}
	for _, v := range n.Numbers {
		put('q', strconv.FormatInt(v.From, 36))
		put('w', strconv.FormatInt(v.To, 36))
	}
	return b.String()
}

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
	number, _ := strconv.ParseInt(v, 36, 64)
	sum, _ := strconv.ParseUint(v, 36, 64)
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
