package source

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"
)

func TestReadAt(t *testing.T) {
	dir := lay(t, pair{"a", lines})
	path := filepath.Join(dir, "a")
	n := int64(len(lines))
	for _, c := range []struct {
		path   string
		off, n int64
		want   error
	}{
		{path, 0, n, nil}, {path, 3, 5, nil}, {path, n, 0, nil},
		{path, 0, n + 1, ErrChanged}, {path, n + 1, 0, ErrChanged}, {path, 1, 1 << 62, ErrChanged}, {path, 1 << 62, 1 << 62, ErrChanged},
		{path + "x", 0, 1, ErrGone}, {path + "/x", 0, 1, ErrGone}, {dir, 0, 1, ErrChanged},
	} {
		got, err := readAt(c.path, c.off, c.n)
		if c.want != nil {
			wantError(t, err, c.want)
			continue
		}
		if err != nil || !bytes.Equal(got, lines[c.off:c.off+c.n]) {
			t.Errorf("readAt(%d, %d) = %q, %v", c.off, c.n, got, err)
		}
	}
	for _, c := range [][2]int64{{-1, 1}, {0, -1}} {
		if _, err := readAt(path, c[0], c[1]); err == nil {
			t.Errorf("readAt(%v): no error", c)
		}
	}
}

func TestFingerprint(t *testing.T) {
	text := story(20000) // several times 64 KiB
	dir := lay(t, pair{"a", text}, pair{"b.gz", gz(t, text)}, pair{"x.zip", zipOf(t, pair{"m", lines})})
	d := opened(t, Options{}, dir)
	const k = 64 << 10
	for _, upto := range []int64{0, 1, 1000, k, k + 1, 3 * k, int64(len(text))} {
		head, tail, err := d.Fingerprint(find(t, d, "a"), upto)
		n := min(upto, k)
		if err != nil || head != xxhash.Sum64(text[:n]) || tail != xxhash.Sum64(text[upto-n:upto]) {
			t.Errorf("upto %d: %x, %x, %v", upto, head, tail, err)
		}
	}
	_, _, err := d.Fingerprint(find(t, d, "a"), int64(len(text))+1)
	wantError(t, err, ErrChanged)
	for name, file := range map[string]string{"b": "b.gz", "x.zip/m": "x.zip"} {
		packed, err := os.ReadFile(filepath.Join(dir, file))
		must(t, err)
		head, tail, err := d.Fingerprint(find(t, d, name), 5)
		n := min(len(packed), k)
		if err != nil || head != xxhash.Sum64(packed[:n]) || tail != xxhash.Sum64(packed[len(packed)-n:]) {
			t.Errorf("%s: not the packed file's hashes (%v)", name, err)
		}
	}
	if _, _, err := d.Fingerprint(99, 0); err == nil {
		t.Error("no error for a file that is not there")
	}
}

func TestReaderMisuse(t *testing.T) {
	path := put(t, t.TempDir(), "a.gz", gz(t, lines))
	d := opened(t, Options{}, path)
	for _, c := range []struct {
		i    int
		from int64
	}{{1, 0}, {-1, 0}, {0, -1}} {
		if _, err := d.Reader(context.Background(), c.i, c.from); err == nil {
			t.Errorf("Reader(%d, %d): no error", c.i, c.from)
		}
	}
	_, err := d.Reader(context.Background(), 0, int64(len(lines))+1)
	wantError(t, err, ErrChanged)
	ctx, cancel := context.WithCancel(context.Background())
	r, err := d.Reader(ctx, 0, 0)
	must(t, err)
	cancel()
	_, err = r.Read(make([]byte, 10))
	wantError(t, err, context.Canceled)
	must(t, r.Close())
	must(t, r.Close())
	if _, err := r.Read(make([]byte, 1)); err == nil {
		t.Error("reading a closed reader: no error")
	}
	if d.Head(5, 10) != nil || d.Head(0, 0) != nil || d.Head(0, -1) != nil || d.Entry(7) != (Entry{}) {
		t.Error("files that are not there give something")
	}
}

// TestGrowthWhileReading: a reader follows a file to the end that it has then.
func TestGrowthWhileReading(t *testing.T) {
	path := put(t, t.TempDir(), "a", lines)
	d := watched(t, path)
	r, err := d.Reader(context.Background(), 0, 0)
	must(t, err)
	defer r.Close()
	must(t, second(io.ReadFull(r, make([]byte, 4))))
	appendTo(t, path, lines)
	got, err := io.ReadAll(r)
	if want := append(bytes.Clone(lines[4:]), lines...); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
}

// TestManyReaders reads everything from several goroutines at once, with heads
// and refreshes between; the race detector is the judge.
func TestManyReaders(t *testing.T) {
	text := story(2000)
	dir := lay(t, pair{"a", text}, pair{"b.gz", gz(t, text)}, pair{"c.zst", zst(t, text)}, pair{"d.gz.gz", gz(t, gz(t, text))},
		pair{"e", gz(t, text)}, pair{"x.zip", zipOf(t, pair{"1", text}, pair{"2", text})}, pair{"y.tgz", gz(t, tarOf(t, pair{"1", text}, pair{"2", text}))},
		pair{"z.tar", tarOf(t, pair{"1", text}, pair{"2", text})})
	d := opened(t, Options{}, dir)
	if n := len(d.Files()); n != 11 {
		t.Fatalf("files %q", names(d))
	}
	var wg sync.WaitGroup
	for g := range 6 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range d.Files() {
				at := int64(g * 1000)
				if got, err := slurp(d, i, at); err != nil || !bytes.Equal(got, text[at:]) {
					t.Errorf("%s: %v", d.Entry(i).Name, err)
				}
				if h := d.Head(i, 100*(g+1)); !bytes.Equal(h, text[:100*(g+1)]) {
					t.Errorf("%s: wrong head", d.Entry(i).Name)
				}
			}
			if _, err := d.Refresh(context.Background()); err != nil {
				t.Error(err)
			}
		}()
	}
	wg.Wait()
	d.DropHeads()
	if h := d.Head(0, 10); !bytes.Equal(h, text[:10]) {
		t.Errorf("after DropHeads: %q", h)
	}
}

func TestHeadSizes(t *testing.T) {
	text := bytes.Repeat(story(1000), 150) // more than MaxHead
	if len(text) <= MaxHead {
		t.Fatal("the text is too short for this test")
	}
	dir := lay(t, pair{"a", text}, pair{"b.gz", gz(t, text)})
	for _, d := range []*Dump{opened(t, Options{}, dir), opened(t, Options{Stdin: bytes.NewReader(text)}, "-")} {
		for i := range d.Files() {
			for _, n := range []int{1, 4096, 5000, 1 << 20, MaxHead, MaxHead + 1, 7} {
				if h := d.Head(i, n); !bytes.Equal(h, text[:min(n, MaxHead)]) {
					t.Errorf("Head(%d, %d): wrong %d bytes", i, n, len(h))
				}
			}
		}
		if got, err := slurp(d, 0, 0); err != nil || !bytes.Equal(got, text) {
			t.Errorf("after heads: %d bytes, %v", len(got), err)
		}
	}
}

func TestPipeOnce(t *testing.T) {
	d := opened(t, Options{Stdin: bytes.NewReader(lines)}, "-")
	r, err := d.Reader(context.Background(), 0, 4)
	must(t, err)
	part := make([]byte, 5)
	must(t, second(io.ReadFull(r, part)))
	if !bytes.Equal(part, lines[4:9]) {
		t.Errorf("%q", part)
	}
	_, err = slurp(d, 0, 0)
	wantError(t, err, ErrConsumed)
	if got, err := slurp(d, 0, 9); err != nil || !bytes.Equal(got, lines[9:]) {
		t.Errorf("read on: %q, %v", got, err)
	}
	_, _, err = d.Fingerprint(0, 0)
	wantError(t, err, ErrNoFingerprint)
	if e := d.Entry(0); e.Size != -1 || e.Addressable || e.Path != "" {
		t.Errorf("entry %+v", e)
	}
}

// TestLivePipe: a pipe that pauses after a line does not hold up detection,
// and a reader that waits for it ends with its context.
func TestLivePipe(t *testing.T) {
	in, out := io.Pipe()
	go out.Write([]byte("{\"n\":1}\n{\"n\""))
	d, err := Open(context.Background(), []string{"-"}, Options{Stdin: in})
	must(t, err)
	start := time.Now()
	for range 20 {
		if h := d.Head(0, 4096); string(h) != "{\"n\":1}\n{\"n\"" {
			t.Fatalf("head %q", h)
		}
	}
	if took := time.Since(start); took > headPatience {
		t.Errorf("later heads waited %v", took)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r, err := d.Reader(ctx, 0, 0)
	must(t, err)
	must(t, second(io.ReadFull(r, make([]byte, 12))))
	time.AfterFunc(10*time.Millisecond, cancel)
	_, err = r.Read(make([]byte, 1))
	wantError(t, err, context.Canceled)
	go func() {
		out.Write([]byte(":2}\n"))
		out.Close()
	}()
	got, err := slurp(d, 0, 12)
	if string(got) != ":2}\n" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	must(t, d.Close())
}

func TestBrokenPipe(t *testing.T) {
	bad := errors.New("wire cut")
	d := opened(t, Options{Stdin: io.MultiReader(bytes.NewReader(lines), failed{bad})}, "-")
	if h := d.Head(0, 1000); !bytes.Equal(h, lines) {
		t.Errorf("head %q", h)
	}
	got, err := slurp(d, 0, 0)
	wantError(t, err, bad)
	if !bytes.Equal(got, lines) {
		t.Errorf("%q", got)
	}
	packed := gz(t, lines)
	d = opened(t, Options{Stdin: io.MultiReader(bytes.NewReader(packed[:len(packed)-9]), failed{bad})}, "-")
	_, err = slurp(d, 0, 0)
	wantError(t, err, bad)
	d = opened(t, Options{Stdin: bytes.NewReader(packed[:len(packed)-9])}, "-")
	_, err = slurp(d, 0, 0)
	wantError(t, err, ErrTruncated)
}

// TestDescriptor opens what a shell's <(command) passes.
func TestDescriptor(t *testing.T) {
	r, w, err := os.Pipe()
	must(t, err)
	defer r.Close()
	must(t, second(w.Write(lines)))
	must(t, w.Close())
	path := "/dev/fd/" + itoa(int(r.Fd()))
	if _, err := os.Stat(path); err != nil {
		t.Skip("no /dev/fd here")
	}
	d, err := Open(context.Background(), []string{path}, Options{})
	must(t, err)
	if got, err := slurp(d, 0, 0); err != nil || !bytes.Equal(got, lines) {
		t.Errorf("%q, %v", got, err)
	}
	must(t, d.Close())
}

func TestCloseEndsUse(t *testing.T) {
	d, err := Open(context.Background(), []string{put(t, t.TempDir(), "x.tgz", gz(t, tarOf(t, pair{"a", lines})))}, Options{})
	must(t, err)
	must(t, d.Close())
	if _, err := slurp(d, 0, 0); !errors.Is(err, os.ErrClosed) {
		t.Errorf("reading after Close: %v", err)
	}
	must(t, d.Close())
}

func TestWideText(t *testing.T) {
	wide := func(s string, f form) string {
		got, err := io.ReadAll(newWideReader(bytes.NewReader([]byte(s)), f))
		if err != nil && !errors.Is(err, ErrTruncated) {
			t.Errorf("%q: %v", s, err)
		}
		return string(got)
	}
	for _, c := range []struct {
		in   string
		form form
		want string
	}{
		{"\xff\xfea\x00\xe9\x00", formUTF16LE, "aé"},
		{"\x3d\xd8\x3a\xde", formUTF16LE, "\U0001f63a"},
		{"\x3d\xd8a\x00", formUTF16LE, "\ufffda"},
		{"\x3d\xd8\x3d\xd8\x3a\xde", formUTF16LE, "\ufffd\U0001f63a"},
		{"\x3a\xdea\x00", formUTF16LE, "\ufffda"},
		{"a\x00\x3d\xd8", formUTF16LE, "a\ufffd"},
		{"a\x00b", formUTF16LE, "a\ufffd"},
		{"a\x00\xff\xfe", formUTF16LE, "a\ufeff"},
		{"\x00\x00\xfe\xff\x00\x01\xf6\x3a", formUTF32BE, "\U0001f63a"},
		{"\xff\xff\xff\xff", formUTF32LE, "\ufffd"},
	} {
		if got := wide(c.in, c.form); got != c.want {
			t.Errorf("%q as %v = %q, want %q", c.in, c.form, got, c.want)
		}
	}
}

func TestSniff(t *testing.T) {
	tarHead := tarOf(t, pair{"a", lines})[:512]
	old := slices.Clone(tarHead)
	copy(old[257:], make([]byte, 20)) // no magic: a tar of the first kind
	sum := 0
	copy(old[148:156], "        ")
	for _, b := range old {
		sum += int(b)
	}
	copy(old[148:156], octal6(sum)+"\x00 ")
	broken := slices.Clone(tarHead)
	broken[0] ^= 1
	for in, want := range map[string]form{
		"": formPlain, "{": formPlain, "{\"a\":1}": formPlain, "\xef\xbb\xbf{}": formPlain, "\x1f\x8b": formPlain,
		"BZhello": formPlain, "SQLite format 3\x00": formSQLite, string(make([]byte, 600)): formPlain, string(broken): formPlain,
		string(tarHead): formTar, string(old): formTar,
		"{\x00\"\x00": formUTF16LE, "\x00[\x00{": formUTF16BE, "{\x00\x00\x00": formUTF32LE, "\x00\x00\x00{": formUTF32BE,
		"\xff\xfe{\x00": formUTF16LE, "\xff\xfe\x00\x00": formUTF32LE,
	} {
		if got := sniff([]byte(in)); got != want {
			t.Errorf("sniff(%.20q) = %v, want %v", in, got, want)
		}
	}
}
