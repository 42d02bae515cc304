package source

import "fmt"

// Limits bound what a hostile or broken dump can make the program do. A zero
// field takes the default. Where one is hit, what was read before stays usable
// and a LimitError names the limit.
type Limits struct {
	// Entries is how many files, offered or skipped, a dump may hold.
	Entries int
	// Unpacked is how many bytes may come out of packed files: of one
	// compressed file while it is read, and of all archives of a dump together.
	Unpacked int64
	// Ratio is how many unpacked bytes one packed byte may give. Only files
	// that gave more than 64 MiB are measured, so small tidy files pass.
	Ratio int
	// Nesting is how many layers of packing (compression, archive) may lie
	// around a file. An archive inside an archive is never opened.
	Nesting int
}

// DefaultLimits are the limits where Options name none: 1,048,576 entries,
// 64 GiB unpacked, ratio 250, nesting 3.
func DefaultLimits() Limits {
	return Limits{Entries: 1 << 20, Unpacked: 64 << 30, Ratio: 250, Nesting: 3}
}

// ratioFloor is how many unpacked bytes a file gives before its ratio counts.
const ratioFloor = 64 << 20

// maxWindow is the largest zstd window that is decoded, in bytes: what the
// zstd program itself accepts without being asked.
const maxWindow = 128 << 20

func (l Limits) orDefault() Limits {
	d := DefaultLimits()
	if l.Entries > 0 {
		d.Entries = l.Entries
	}
	if l.Unpacked > 0 {
		d.Unpacked = l.Unpacked
	}
	if l.Ratio > 0 {
		d.Ratio = l.Ratio
	}
	if l.Nesting > 0 {
		d.Nesting = l.Nesting
	}
	return d
}

// LimitError says which limit a dump ran into.
type LimitError struct {
	Limit string // entries, unpacked, ratio, nesting or window
	Value int64  // what it was set to
	Name  string // the file at which it was hit
}

// Error names the limit and its value.
func (e *LimitError) Error() string {
	return fmt.Sprintf("%s: %s (limit %s = %d)", e.Name, limitWords[e.Limit], e.Limit, e.Value)
}

var limitWords = map[string]string{
	"entries":  "more files than are opened at once",
	"unpacked": "unpacks to more bytes than allowed",
	"ratio":    "unpacks to far more bytes than it holds",
	"nesting":  "packed in more layers than are opened",
	"window":   "needs a larger zstd window than allowed",
}
