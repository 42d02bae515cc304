package source

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// story is text that packs badly, so that cuts fall inside the data.
func story(lines int) []byte {
	var b bytes.Buffer
	x := uint64(1)
	for i := range lines {
		x = x*6364136223846793005 + 1442695040888963407
		fmt.Fprintf(&b, "{\"n\":%d,\"x\":\"%x\"}\n", i, x)
	}
	return b.Bytes()
}

// TestCut cuts packed files at many points: what stands before the cut comes,
// then an error that says so, never a clean end.
func TestCut(t *testing.T) {
	text := story(1500)
	var blocks bytes.Buffer // zstd gives whole blocks only: make many
	zw, err := zstd.NewWriter(&blocks, zstd.WithEncoderConcurrency(1))
	must(t, err)
	for i := 0; i < len(text); i += 4096 {
		must(t, second(zw.Write(text[i:min(i+4096, len(text))])))
		must(t, zw.Flush())
	}
	must(t, zw.Close())
	for name, packed := range map[string][]byte{
		"gz":       gz(t, text),
		"gz twice": append(gz(t, text[:5000]), gz(t, text[5000:])...),
		"zst":      blocks.Bytes(),
		"gz gz":    gz(t, gz(t, text)),
	} {
		t.Run(name, func(t *testing.T) {
			most := 0
			for cut := 20; cut < len(packed); cut += 1 + len(packed)/29 {
				d := opened(t, Options{}, put(t, t.TempDir(), "a", packed[:cut]))
				got, err := slurp(d, 0, 0)
				if name == "gz twice" && err == nil && len(got) == 5000 {
					continue // cut exactly between the members
				}
				wantError(t, err, ErrTruncated)
				if !bytes.HasPrefix(text, got) {
					t.Fatalf("cut at %d: gave bytes that are not the file's", cut)
				}
				var read *ReadError
				if !errors.As(err, &read) || read.Name != "a" || read.Offset != int64(len(got)) {
					t.Fatalf("cut at %d after %d bytes: %v", cut, len(got), err)
				}
				most = max(most, len(got))
			}
			if most < len(text)*8/10 {
				t.Errorf("a late cut left only %d of %d bytes", most, len(text))
			}
		})
	}
}

func TestDamage(t *testing.T) {
	text := story(200)
	badCRC := gz(t, text)
	badCRC[len(badCRC)-6] ^= 1
	badSum := zst(t, text)
	badSum[len(badSum)-1] ^= 1
	badBody := gz(t, text)
	for i := range 40 {
		badBody[len(badBody)/2+i] ^= 0xff
	}
	zipBad := zipOf(t, pair{"a", text})
	zipBad[60] ^= 0xff
	for _, c := range []struct {
		name   string
		packed []byte
		whole  bool // all of the text comes before the error
		want   error
	}{
		{"gzip checksum", badCRC, true, ErrCorrupt},
		{"zstd checksum", badSum, false, ErrCorrupt},
		{"gzip body", badBody, false, ErrCorrupt},
		{"gzip then text", append(gz(t, text), "more"...), true, ErrTrailing},
		{"zstd then text", append(zst(t, text), "more than a header"...), true, ErrTrailing},
		{"gzip then zeros", append(gz(t, text), make([]byte, 5000)...), true, nil},
		{"gzip twice", append(gz(t, text[:99]), gz(t, text[99:])...), true, nil},
		{"zstd twice", append(zst(t, text[:99]), zst(t, text[99:])...), true, nil},
		{"zstd after a skippable frame", append([]byte("\x50\x2a\x4d\x18\x03\x00\x00\x00abc"), zst(t, text)...), true, nil},
		{"zip member", zipBad, false, ErrCorrupt},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := opened(t, Options{}, put(t, t.TempDir(), "a", c.packed))
			got, err := slurp(d, 0, 0)
			if c.want == nil {
				must(t, err)
			} else {
				wantError(t, err, c.want)
			}
			if c.whole && !bytes.Equal(got, text) {
				t.Errorf("%d of %d bytes came", len(got), len(text))
			}
		})
	}
}

func TestBzip2(t *testing.T) {
	packed, err := hex.DecodeString(bzipped)
	must(t, err)
	d := opened(t, Options{}, put(t, t.TempDir(), "a.jsonl.bz2", packed))
	got, err := slurp(d, find(t, d, "a.jsonl"), 0)
	if err != nil || !bytes.Equal(got, lines) {
		t.Errorf("%q, %v", got, err)
	}
	d = opened(t, Options{}, put(t, t.TempDir(), "a.jsonl.bz2", packed[:len(packed)-12]))
	_, err = slurp(d, 0, 0)
	wantError(t, err, ErrTruncated)
}

func TestRefusedForms(t *testing.T) {
	for form, head := range map[string]string{
		"xz": "\xfd7zXZ\x00\x00\x04", "7z": "7z\xbc\xaf\x27\x1c\x00\x04", "rar": "Rar!\x1a\x07\x00", "lz4": "\x04\x22\x4d\x18\x64",
	} {
		path := put(t, t.TempDir(), "a.xz", []byte(head))
		_, err := open(t, Options{}, path)
		var e *Error
		if !errors.As(err, &e) || e.Path != path || !strings.Contains(e.Reason, form) || e.Hint == "" {
			t.Errorf("%s: %v", form, err)
		}
		_, err = open(t, Options{Stdin: strings.NewReader(head)}, "-")
		if !errors.As(err, &e) || !strings.Contains(e.Reason, form) {
			t.Errorf("%s on a pipe: %v", form, err)
		}
		dir := lay(t, pair{"a.xz", []byte(head)}, pair{"b.json", lines})
		d := opened(t, Options{}, dir)
		if why := reason(d, "a.xz"); !strings.Contains(why, form) || len(d.Files()) != 1 {
			t.Errorf("%s in a folder: %q", form, why)
		}
	}
}

// zeros gives n zero bytes without holding them.
type zeros struct{ n int64 }

func (z *zeros) Read(p []byte) (int, error) {
	if z.n == 0 {
		return 0, io.EOF
	}
	k := min(int64(len(p)), z.n)
	clear(p[:k])
	z.n -= k
	return int(k), nil
}

func bomb(t testing.TB, n int64) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	must(t, err)
	must(t, second(io.Copy(w, &zeros{n})))
	must(t, w.Close())
	return b.Bytes()
}

func wantLimit(t testing.TB, err error, limit string) {
	t.Helper()
	var l *LimitError
	if !errors.As(err, &l) || l.Limit != limit || !strings.Contains(err.Error(), "limit "+limit) {
		t.Errorf("error = %v, want limit %s", err, limit)
	}
}

func TestBombs(t *testing.T) {
	big := bomb(t, (ratioFloor + 4<<20))
	t.Run("ratio", func(t *testing.T) {
		d := opened(t, Options{}, put(t, t.TempDir(), "a", big))
		n, err := drain(d, 0)
		wantLimit(t, err, "ratio")
		if n < ratioFloor || n > ratioFloor+1<<20 {
			t.Errorf("%d bytes came", n)
		}
	})
	t.Run("unpacked", func(t *testing.T) {
		d := opened(t, Options{Limits: Limits{Unpacked: 1 << 20}}, put(t, t.TempDir(), "a", big))
		n, err := drain(d, 0)
		wantLimit(t, err, "unpacked")
		if n > 2<<20 {
			t.Errorf("%d bytes came", n)
		}
	})
	t.Run("nesting", func(t *testing.T) {
		deep := gz(t, gz(t, gz(t, gz(t, lines))))
		_, err := open(t, Options{}, put(t, t.TempDir(), "a", deep))
		wantLimit(t, err, "nesting")
		_, err = open(t, Options{Stdin: bytes.NewReader(deep)}, "-")
		wantLimit(t, err, "nesting")
		d := opened(t, Options{}, lay(t, pair{"a.gz", deep}, pair{"b", lines}))
		if why := reason(d, "a.gz"); !strings.Contains(why, "limit nesting = 3") {
			t.Errorf("skipped: %q", why)
		}
		d = opened(t, Options{Limits: Limits{Nesting: 4}}, put(t, t.TempDir(), "a", deep))
		if got, err := slurp(d, 0, 0); err != nil || !bytes.Equal(got, lines) {
			t.Errorf("%q, %v", got, err)
		}
	})
	t.Run("window", func(t *testing.T) {
		// A frame header that asks for a window of 2 GiB, and an empty block.
		wide := []byte("\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00")
		_, err := open(t, Options{}, put(t, t.TempDir(), "a", wide))
		wantLimit(t, err, "window")
		d := opened(t, Options{}, lay(t, pair{"a", wide}, pair{"b", lines}))
		_, err = drain(d, 0)
		wantLimit(t, err, "window")
	})
	t.Run("tar.gz", func(t *testing.T) {
		packed := gz(t, tarOf(t, pair{"a", lines}, pair{"b", make([]byte, 3<<20)}, pair{"c", lines}))
		d := opened(t, Options{Limits: Limits{Unpacked: 1 << 20}}, put(t, t.TempDir(), "x", packed))
		if got, err := slurp(d, find(t, d, "a"), 0); err != nil || !bytes.Equal(got, lines) {
			t.Errorf("before the limit: %q, %v", got, err)
		}
		_, err := drain(d, find(t, d, "b"))
		wantLimit(t, err, "unpacked")
		if why := reason(d, "x"); !strings.Contains(why, "limit unpacked") {
			t.Errorf("skipped: %q", why)
		}
	})
	t.Run("zip", func(t *testing.T) {
		packed := zipOf(t, pair{"a", lines}, pair{"b", make([]byte, 3<<20)}, pair{"c", lines})
		d := opened(t, Options{Limits: Limits{Unpacked: 1 << 20}}, put(t, t.TempDir(), "x", packed))
		if got := names(d); !slices.Equal(got, []string{"a", "c"}) {
			t.Errorf("files = %q", got)
		}
		if why := reason(d, "b"); !strings.Contains(why, "limit unpacked") {
			t.Errorf("skipped: %q", why)
		}
		d = opened(t, Options{}, put(t, t.TempDir(), "x", zipOf(t, pair{"z", make([]byte, (ratioFloor + 4<<20))})))
		_, err := drain(d, 0)
		wantLimit(t, err, "ratio")
	})
	t.Run("entries", func(t *testing.T) {
		var many []pair
		for i := range 50 {
			many = append(many, pair{fmt.Sprintf("f%02d", i), lines})
		}
		o := Options{Limits: Limits{Entries: 20}}
		_, err := open(t, o, put(t, t.TempDir(), "x", zipOf(t, many...)))
		wantLimit(t, err, "entries")
		for _, path := range []string{put(t, t.TempDir(), "x", tarOf(t, many...)), put(t, t.TempDir(), "x", gz(t, tarOf(t, many...))), lay(t, many...)} {
			d := opened(t, o, path)
			if n := len(d.Files()); n < 18 || n > 20 {
				t.Errorf("%d files", n)
			}
			s := d.Skipped()
			if len(s) != 1 || !strings.Contains(s[0].Reason, "limit entries = 20") {
				t.Errorf("skipped %v", s)
			}
		}
	})
}

func drain(d *Dump, i int) (int64, error) {
	r, err := d.Reader(context.Background(), i, 0)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	return io.Copy(io.Discard, r)
}

func TestMemberNames(t *testing.T) {
	for raw, want := range map[string]string{
		"a/b.json": "a/b.json", "./a//b": "a/b", "/etc/x": "etc/x", `a\b.json`: "a/b.json", `d/a\b`: `d/a\b`,
		"\x1b[31m\n.json": "\x1b[31m\n.json", "-rf": "-rf", "\xff\xfe": "\xff\xfe",
		"../../x": "!out of", `..\x`: "!out of", "a/../../x": "!out of", `C:\x`: "!drive", "c:/x": "!drive",
		"a\x00b": "!NUL", "": "!no name", "/": "!no name", ".": "!no name",
	} {
		got, why := memberName(raw)
		if frag, bad := strings.CutPrefix(want, "!"); bad != (why != "") || bad && !strings.Contains(why, frag) || !bad && got != want {
			t.Errorf("memberName(%q) = %q, %q; want %q", raw, got, why, want)
		}
	}
}

func TestHostileZip(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	add := func(h zip.FileHeader, data string) {
		t.Helper()
		m, err := w.CreateHeader(&h)
		must(t, err)
		must(t, second(m.Write([]byte(data))))
	}
	link := zip.FileHeader{Name: "link"}
	link.SetMode(0o777 | 1<<27) // fs.ModeSymlink
	add(link, "/etc/passwd")
	add(zip.FileHeader{Name: "twice.json"}, "old")
	add(zip.FileHeader{Name: "../../escape.json"}, "x")
	add(zip.FileHeader{Name: "twice.json"}, "new")
	add(zip.FileHeader{Name: "Twice.json"}, "other case")
	add(zip.FileHeader{Name: "inner.zip"}, string(zipOf(t, pair{"a", lines})))
	add(zip.FileHeader{Name: "__MACOSX/._a.json"}, "x")
	add(zip.FileHeader{Name: "d/.DS_Store"}, "x")
	add(zip.FileHeader{Name: "locked.json"}, "secret")
	add(zip.FileHeader{Name: "odd.json"}, "odd")
	add(zip.FileHeader{Name: "ok/"}, "")
	must(t, w.Close())
	data := b.Bytes()
	patchDirectory(t, data, "locked.json", 8, 1) // flags: encrypted
	patchDirectory(t, data, "odd.json", 10, 99)  // method
	d := opened(t, Options{}, put(t, t.TempDir(), "x.zip", data))
	if got := names(d); !slices.Equal(got, []string{"Twice.json", "twice.json"}) {
		t.Errorf("files = %q", got)
	}
	if got, err := slurp(d, 1, 0); string(got) != "new" || err != nil {
		t.Errorf("of two with one name came %q, %v", got, err)
	}
	for name, why := range map[string]string{
		"link": "a link", "../../escape.json": "out of", "twice.json": "later member", "inner.zip": "inside an archive",
		"__MACOSX/._a.json": "macOS", "d/.DS_Store": "file manager", "locked.json": "encrypted", "odd.json": "method 99",
	} {
		if got := reason(d, name); !strings.Contains(got, why) {
			t.Errorf("%s skipped because %q, want %q", name, got, why)
		}
	}
	if n := len(d.Skipped()); n != 8 {
		t.Errorf("%d skipped: %v", n, d.Skipped())
	}
}

// patchDirectory sets two bytes in the directory entry of a zip's member.
func patchDirectory(t testing.TB, data []byte, name string, at int, v uint16) {
	t.Helper()
	i := bytes.LastIndex(data, []byte(name)) - 46
	if i < 0 || string(data[i:i+4]) != "PK\x01\x02" {
		t.Fatalf("no directory entry of %s", name)
	}
	binary.LittleEndian.PutUint16(data[i+at:], v)
}

// TestZipLies: a directory that tells less than the member holds gives no more
// than it tells, one that tells more than there is ends in an error.
func TestZipLies(t *testing.T) {
	text := story(500)
	for _, size := range []uint32{10, uint32(len(text)) + 1000} {
		data := zipOf(t, pair{"a.json", text})
		i := bytes.LastIndex(data, []byte("a.json")) - 46
		binary.LittleEndian.PutUint32(data[i+24:], size)
		d := opened(t, Options{}, put(t, t.TempDir(), "x.zip", data))
		got, err := slurp(d, 0, 0)
		if err == nil {
			t.Errorf("size %d: no error", size)
		}
		if !bytes.HasPrefix(text, got) {
			t.Errorf("size %d: wrong bytes", size)
		}
	}
	whole := zipOf(t, pair{"a.json", text}, pair{"b.json", text})
	for cut := 4; cut < len(whole); cut += 1 + len(whole)/20 {
		path := put(t, t.TempDir(), "x.zip", whole[:cut])
		_, err := open(t, Options{}, path)
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(e.Reason, "directory") || e.Hint == "" {
			t.Fatalf("cut at %d: %v", cut, err)
		}
	}
}

func TestHostileTar(t *testing.T) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	add := func(h tar.Header, data string) {
		t.Helper()
		h.Size = int64(len(data))
		must(t, w.WriteHeader(&h))
		must(t, second(w.Write([]byte(data))))
	}
	add(tar.Header{Name: "d/", Typeflag: tar.TypeDir}, "")
	add(tar.Header{Name: "a.json", Typeflag: tar.TypeReg}, "old")
	add(tar.Header{Name: "link", Linkname: "/etc", Typeflag: tar.TypeSymlink}, "")
	add(tar.Header{Name: "link/passwd", Typeflag: tar.TypeReg}, "through the link")
	add(tar.Header{Name: "hard", Linkname: "a.json", Typeflag: tar.TypeLink}, "")
	add(tar.Header{Name: "dev", Typeflag: tar.TypeChar, Devmajor: 1}, "")
	add(tar.Header{Name: "fifo", Typeflag: tar.TypeFifo}, "")
	add(tar.Header{Name: "../x.json", Typeflag: tar.TypeReg}, "x")
	add(tar.Header{Name: "/abs.json", Typeflag: tar.TypeReg}, "abs")
	add(tar.Header{Name: "a.json", Typeflag: tar.TypeReg}, "new")
	add(tar.Header{Name: "x.tar.gz", Typeflag: tar.TypeReg}, string(gz(t, tarOf(t, pair{"a", lines}))))
	must(t, w.Close())
	for name, data := range map[string][]byte{"x.tar": b.Bytes(), "x.tar.gz": gz(t, b.Bytes())} {
		d := opened(t, Options{}, put(t, t.TempDir(), name, data))
		if got := names(d); !slices.Equal(got, []string{"a.json", "abs.json", "link/passwd"}) {
			t.Errorf("%s: files = %q", name, got)
		}
		for i, want := range []string{"new", "abs", "through the link"} {
			if got, err := slurp(d, i, 0); string(got) != want || err != nil {
				t.Errorf("%s: %q, %v", name, got, err)
			}
		}
		for member, why := range map[string]string{
			"link": "a link", "hard": "hard link", "dev": "a device", "fifo": "named pipe", "../x.json": "out of",
			"a.json": "later member", "x.tar.gz": "inside an archive",
		} {
			if got := reason(d, member); !strings.Contains(got, why) {
				t.Errorf("%s: %s skipped because %q, want %q", name, member, got, why)
			}
		}
	}
}

// TestCutTar: members before the cut are whole, the one that is cut ends in an
// error, and the archive is noted.
func TestCutTar(t *testing.T) {
	text := story(400)
	plain := tarOf(t, pair{"a", text}, pair{"b", text}, pair{"c", text})
	for _, packed := range [][]byte{plain, gz(t, plain), zst(t, plain)} {
		for cut := 600; cut < len(packed)-2048; cut += 1 + len(packed)/20 {
			d, err := open(t, Options{}, put(t, t.TempDir(), "x", packed[:cut]))
			var e *Error
			if errors.As(err, &e) && strings.Contains(e.Reason, "cut") {
				continue // within the first member's header
			}
			must(t, err)
			if slices.Equal(names(d), []string{"x"}) {
				continue // not even a header can be unpacked: no archive yet
			}
			broken := 0
			for i := range d.Files() {
				got, err := slurp(d, i, 0)
				if !bytes.HasPrefix(text, got) {
					t.Fatalf("cut at %d: wrong bytes", cut)
				}
				if err == nil && len(got) == len(text) {
					continue
				}
				wantError(t, err, ErrTruncated)
				broken++
			}
			if broken > 1 {
				t.Fatalf("cut at %d: %d members are cut", cut, broken)
			}
			if broken == 1 && !strings.Contains(reason(d, "x"), "cut short") {
				t.Fatalf("cut at %d: skipped %v", cut, d.Skipped())
			}
		}
	}
}

func TestTarSparseAndHugeHeader(t *testing.T) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	must(t, w.WriteHeader(&tar.Header{Name: "a", Size: 1, Typeflag: tar.TypeReg}))
	must(t, second(w.Write([]byte("a"))))
	must(t, w.Flush())
	sound := bytes.Clone(b.Bytes())
	// A header that claims an extended header of 1 GB.
	huge := bytes.Clone(sound[:512])
	huge[156] = 'x'
	copy(huge[124:136], "07777777777\x00")
	sum := 0
	copy(huge[148:156], "        ")
	for _, c := range huge {
		sum += int(c)
	}
	copy(huge[148:156], fmt.Sprintf("%06o\x00 ", sum))
	d := opened(t, Options{}, put(t, t.TempDir(), "x", append(sound, huge...)))
	if got := names(d); !slices.Equal(got, []string{"a"}) || reason(d, "x") == "" {
		t.Errorf("files %q, skipped %v", got, d.Skipped())
	}
}

// bzipped is the text of lines as bzip2 packs it.
const bzipped = "425a6839314159265359f737d97200000a59fd8010100030100001000a0004004080280010080000804000200031434d300057a81b2834c843021d06a060aca3b32fe313f177245385090f737d9720"
