package source

import (
	"archive/zip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"
)

// listZip lists a zip by its directory. Members are opened later, at random.
func (d *Dump) listZip(ctx context.Context, box *archive, at io.ReaderAt, size int64) ([]*member, error) {
	if n := zipCount(at, size); n > uint64(d.o.Limits.Entries) {
		return nil, &LimitError{Limit: "entries", Value: int64(d.o.Limits.Entries), Name: box.raw}
	}
	zr, err := zip.NewReader(at, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, &Error{Path: box.raw, Err: err,
			Reason: "a zip whose directory cannot be read: it is cut, still being written, or damaged",
			Hint:   "fetch it again, or mend it (zip -FF) and open the result"}
	}
	zr.RegisterDecompressor(zip.Deflate, d.inflate)
	zr.RegisterDecompressor(zstd.ZipMethodWinZip, d.unzstd)
	zr.RegisterDecompressor(zstd.ZipMethodPKWare, d.unzstd)
	var all []*member
	for _, zf := range zr.File {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !d.admit() {
			d.full(box.raw)
			break
		}
		if strings.HasSuffix(zf.Name, "/") {
			continue
		}
		name, why := memberName(zf.Name)
		if why == "" {
			why = memberJunk(name)
		}
		if why == "" {
			why = d.zipReason(zf)
		}
		if why != "" {
			d.skip(box.join(zf.Name), why)
			continue
		}
		all = append(all, &member{name: name, raw: name, size: int64(zf.UncompressedSize64), probed: true,
			in: &inner{box: box, zf: zf}})
	}
	return d.settleMembers(ctx, box, d.lastOfName(box, all))
}

// zipReason says why a member cannot be read. Its size is taken at its word
// here, since more bytes than that are never read from it.
func (d *Dump) zipReason(zf *zip.File) string {
	mode := zf.Mode()
	switch {
	case zf.Flags&1 != 0:
		return "it is encrypted"
	case zf.Method != zip.Store && zf.Method != zip.Deflate && zf.Method != zstd.ZipMethodWinZip && zf.Method != zstd.ZipMethodPKWare:
		return fmt.Sprintf("it is packed by method %d, which cannot be read", zf.Method)
	case mode&fs.ModeSymlink != 0:
		return "a link"
	case !mode.IsRegular() && !mode.IsDir():
		return oddFile(mode)
	case zf.UncompressedSize64 > 1<<62 || !d.spend(int64(zf.UncompressedSize64)):
		limit := &LimitError{Limit: "unpacked", Value: d.o.Limits.Unpacked, Name: zf.Name}
		return limit.Error()
	}
	return ""
}

// zipCount reads how many members a zip claims, before its directory is made
// into objects; 0 where that is not found.
func zipCount(at io.ReaderAt, size int64) uint64 {
	const endLen, locatorLen, maxComment = 22, 20, 1<<16 - 1
	n := min(size, endLen+locatorLen+maxComment)
	tail := make([]byte, n)
	if _, err := at.ReadAt(tail, size-n); err != nil && err != io.EOF {
		return 0
	}
	i := strings.LastIndex(string(tail), "PK\x05\x06")
	if i < 0 || len(tail)-i < endLen {
		return 0
	}
	count := uint64(binary.LittleEndian.Uint16(tail[i+10:]))
	if count != 0xffff || i < locatorLen || string(tail[i-locatorLen:i-locatorLen+4]) != "PK\x06\x07" {
		return count
	}
	var end64 [56]byte
	off := binary.LittleEndian.Uint64(tail[i-locatorLen+8:])
	if off > uint64(size) {
		return count
	}
	if _, err := at.ReadAt(end64[:], int64(off)); err != nil || string(end64[:4]) != "PK\x06\x06" {
		return count
	}
	return binary.LittleEndian.Uint64(end64[32:])
}

// inflate and unzstd lend decompressors to package zip.
func (d *Dump) inflate(r io.Reader) io.ReadCloser {
	f, _ := d.dec.flate.Get().(io.ReadCloser)
	if f == nil {
		f = flate.NewReader(r)
	} else if err := f.(flate.Resetter).Reset(r, nil); err != nil {
		return failed{err}
	}
	return &lent{ReadCloser: f, back: func() { d.dec.flate.Put(f) }}
}

func (d *Dump) unzstd(r io.Reader) io.ReadCloser {
	z, _ := d.dec.zstd.Get().(*zstdReader)
	if z == nil {
		var err error
		if z, err = newZstdReader(); err != nil {
			return failed{err}
		}
	}
	if err := z.reset(r); err != nil {
		return failed{err}
	}
	return &lent{ReadCloser: io.NopCloser(z), back: func() {
		if z.reset(nil) == nil {
			d.dec.zstd.Put(z)
		}
	}}
}

// lent is a decompressor that goes back when it is closed, once.
type lent struct {
	io.ReadCloser
	back func()
}

func (l *lent) Close() error {
	if l.back != nil {
		l.back()
		l.back = nil
	}
	return nil
}

// failed is a reader that only tells why there is none.
type failed struct{ err error }

func (f failed) Read([]byte) (int, error) { return 0, f.err }
func (f failed) Close() error             { return nil }

// openZip opens a zip's member. What package zip says is put into this
// package's words, and a member that gives far more than it holds is stopped.
func (d *Dump) openZip(m *member, b *body) (io.Reader, error) {
	zf := m.in.zf
	rc, err := zf.Open()
	if err != nil {
		return nil, zipFault(err)
	}
	b.shut = append(b.shut, func() { rc.Close() })
	packed := int64(min(zf.CompressedSize64, uint64(m.in.box.size)))
	return &zipReader{r: rc, name: m.name, packed: packed, ratio: int64(d.o.Limits.Ratio)}, nil
}

type zipReader struct {
	r           io.Reader
	name        string
	out, packed int64 // bytes given, bytes held
	ratio       int64
}

func (z *zipReader) Read(p []byte) (int, error) {
	n, err := z.r.Read(p)
	z.out += int64(n)
	if err != nil && err != io.EOF {
		return n, zipFault(err)
	}
	if z.out > ratioFloor && z.out/z.ratio > z.packed {
		return n, &LimitError{Limit: "ratio", Value: z.ratio, Name: z.name}
	}
	return n, err
}

func zipFault(err error) error {
	var path *fs.PathError
	switch {
	case errors.As(err, &path), errors.Is(err, fs.ErrClosed), errors.Is(err, ErrTrailing):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: %w", ErrTruncated, err)
	}
	return fmt.Errorf("%w: %w", ErrCorrupt, err)
}
