package installed

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"slices"
	"strings"

	"hindcast/index/source"
	"hindcast/model"
)

// The bounds of a look at a session.
const (
	headLimit  = 64 << 10  // bytes of a file's beginning
	tailLimit  = 128 << 10 // bytes of its end
	claimLimit = 256 << 10 // bytes of a beginning that a dialect may ask for
	filesLimit = 1 << 15   // names of a folder
	headFiles  = 8         // files of a folder that are read from its beginning
	tailFiles  = 40        // and from its end
	toldLimit  = 96        // rows of a table
	cellLimit  = 64 << 10  // bytes of a row that is read
)

// Told is what a look at a session's beginning and end tells.
type Told struct {
	Title   string
	Outcome string // in the dialect's words; empty where it is not told
	Parent  string // the session that made this one
	Failed  int64  // events that failed, in what was read; -1 where that tells nothing of them
	Whole   bool   // all of it was read
	Size    int64  // bytes; -1 where not known
	Problem string // why nothing could be read
}

// Look reads the beginning and the end of row i's session.
func (l *List) Look(ctx context.Context, i int) Told {
	r := &l.Rows[i]
	t := Told{Title: r.Title, Size: r.Size, Parent: r.Parent}
	var p *pieces
	var err error
	if r.place.Table != nil {
		p, err = l.tablePieces(ctx, r)
	} else {
		p, err = l.filePieces(ctx, r)
	}
	if err != nil {
		t.Problem = reason(err)
		return t
	}
	if p.size >= 0 && !r.inTree() {
		t.Size = p.size
	}
	if s := p.read(r); s != nil {
		if t.Title == "" {
			t.Title = s.summary.Title
		}
		t.Parent = cmp.Or(s.summary.Parent, t.Parent)
		t.Outcome, t.Failed, t.Whole = s.summary.Outcome, s.failed, p.whole
		if r.inTree() { // only its own file was read, not what happened in it
			t.Outcome, t.Failed, t.Whole = "", -1, false
		}
	}
	return t
}

// Open lists what to open for row i: its own dump first, then those of what it
// goes on from and of what it made.
func (l *List) Open(i int) []string {
	all := l.Rows[i].open()
	if len(all) == 0 {
		return nil
	}
	for _, k := range l.Rows[i].kin {
		for _, path := range l.Rows[k].open() {
			if !slices.Contains(all, path) {
				all = append(all, path)
			}
		}
	}
	return all
}

// Ran is the directory that row i's session ran in, read where it is not known
// yet; empty where it is not recorded.
func (l *List) Ran(ctx context.Context, i int) string {
	r := &l.Rows[i]
	if !r.traced && r.place.Trace != nil {
		return r.trace(ctx, l.opt.Source).Ran
	}
	return r.Ran
}

// pieces are the parts of a session that are looked at, as a dump.
type pieces struct {
	files []model.File
	data  [][]byte // of each file, its beginning
	tail  []byte   // the end of the only file, from the beginning of a line on
	late  int      // the first file behind what is left out; 0: none is left out
	whole bool     // nothing is left out
	size  int64    // of the session; -1 where not known
}

var _ model.Dump = (*pieces)(nil)

// Files implements model.Dump.
func (p *pieces) Files() []model.File { return p.files }

// Head implements model.Dump.
func (p *pieces) Head(file, n int) []byte {
	d := p.data[file]
	return d[:min(n, len(d), claimLimit)]
}

func (p *pieces) add(f model.File, data []byte) {
	p.files = append(p.files, f)
	p.data = append(p.data, data)
}

// filePieces reads the ends of a file, or the first and last files of a folder.
func (l *List) filePieces(ctx context.Context, r *Row) (*pieces, error) {
	o := l.opt.Source
	o.Limits.Entries = filesLimit
	d, err := source.Open(ctx, []string{r.path()}, o)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	if len(r.place.Marks) == 0 {
		return ends(ctx, d)
	}
	return folderPieces(d), nil
}

// ends reads the beginning and the end of a dump that is one file. The end of a
// packed one is out of reach.
func ends(ctx context.Context, d *source.Dump) (*pieces, error) {
	e := d.Entry(0)
	p := &pieces{size: e.Packed}
	size := e.Size
	if !e.Addressable {
		size = -1
	}
	want := headLimit
	if size >= 0 && size <= headLimit+tailLimit || size < 0 {
		want = headLimit + tailLimit
	}
	r, err := d.Reader(ctx, 0, 0)
	if err != nil {
		return nil, err
	}
	head, err := io.ReadAll(io.LimitReader(r, int64(want)+1))
	r.Close()
	if err != nil && len(head) == 0 {
		return nil, err
	}
	p.whole = len(head) <= want
	p.add(d.Files()[0], head[:min(len(head), want)])
	if p.whole || size < 0 {
		return p, nil
	}
	from := max(size-tailLimit, int64(want))
	if r, err = d.Reader(ctx, 0, from); err != nil {
		return p, nil // its beginning is there
	}
	defer r.Close()
	tail, _ := io.ReadAll(io.LimitReader(r, tailLimit))
	_, p.tail, _ = bytes.Cut(tail, []byte("\n"))
	return p, nil
}

// folderPieces takes the first and the last files of a folder's events, and
// what stands beside them; those of other sessions below it are left out.
func folderPieces(d *source.Dump) *pieces {
	p := &pieces{whole: true}
	var events []int
	for i, f := range d.Files() {
		p.size += max(0, f.Size)
		switch folder, _, in := strings.Cut(f.Name, "/"); {
		case !in:
			p.add(f, d.Head(i, claimLimit))
		case folder == "events":
			events = append(events, i)
		}
	}
	slices.SortStableFunc(events, func(a, b int) int { return byNumber(d.Files()[a].Name, d.Files()[b].Name) })
	if n := len(events); n > headFiles+tailFiles {
		events = slices.Concat(events[:headFiles], events[n-tailFiles:])
		p.whole, p.late = false, len(p.files)+headFiles
	}
	for _, i := range events {
		head := d.Head(i, claimLimit)
		p.whole = p.whole && int64(len(head)) == d.Files()[i].Size
		p.add(d.Files()[i], head)
	}
	return p
}

// byNumber orders names that hold numbers of any length: the shorter of two
// beginnings that differ in digits alone is the smaller number.
func byNumber(a, b string) int {
	digits := func(s string) (int, string) {
		from := strings.IndexFunc(s, func(r rune) bool { return r >= '0' && r <= '9' })
		if from < 0 {
			return 0, s
		}
		to := from
		for to < len(s) && s[to] >= '0' && s[to] <= '9' {
			to++
		}
		number := strings.TrimLeft(s[from:to], "0")
		return len(number), number
	}
	na, da := digits(a)
	nb, db := digits(b)
	if na != nb {
		return na - nb
	}
	if c := strings.Compare(da, db); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}

// tablePieces reads a session's row, and the last rows that tell of it.
func (l *List) tablePieces(ctx context.Context, r *Row) (*pieces, error) {
	d, err := source.Open(ctx, []string{r.path()}, l.opt.Source)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	t := r.place.Table
	p := &pieces{whole: true, size: -1}
	pick := func(name, column string, limit int) error {
		i := tableIn(d, name)
		if i < 0 {
			return nil
		}
		rows, err := d.Rows(ctx, i, source.Pick{Where: column, Equal: r.Session, Limit: limit, Cell: cellLimit})
		if err != nil {
			return err
		}
		if bytes.Count(rows, []byte("\n")) == limit {
			p.whole = false
		}
		f := d.Files()[i]
		f.Size = int64(len(rows))
		p.add(f, oldestFirst(rows))
		return nil
	}
	if err := pick(t.Name, t.ID, 2); err != nil {
		return nil, err
	}
	for _, told := range t.Told {
		if err := pick(told.Name, told.Session, toldLimit); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func oldestFirst(rows []byte) []byte {
	lines := bytes.SplitAfter(rows, []byte("\n"))
	slices.Reverse(lines)
	return bytes.Join(lines, nil)
}
