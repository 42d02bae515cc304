package source

import (
	"bytes"
	"slices"
	"testing"
	"unicode/utf16"
)

var lines = []byte("{\"n\":1}\n{\"n\":2}\n{\"n\":\"\u00e9\u732b\U0001f63a\"}\n")

func utf16Of(data []byte, big, mark bool) []byte {
	units := utf16.Encode([]rune(string(data)))
	if mark {
		units = append([]uint16{0xfeff}, units...)
	}
	var out []byte
	for _, u := range units {
		if big {
			out = append(out, byte(u>>8), byte(u))
		} else {
			out = append(out, byte(u), byte(u>>8))
		}
	}
	return out
}

// TestKinds opens one and the same text in every packing, as a file, inside a
// folder and through a pipe.
func TestKinds(t *testing.T) {
	type want struct {
		name, packing string
		size          int64
	}
	n := int64(len(lines))
	tarred := tarOf(t, pair{"d/a.jsonl", lines})
	for _, c := range []struct {
		file string
		data []byte
		want want   // as a file of its own
		in   string // its name in a folder
		pipe string // and through a pipe
	}{
		{"a.jsonl", lines, want{"a.jsonl", "", n}, "a.jsonl", "stdin"},
		{"a.gz", lines, want{"a.gz", "", n}, "a.gz", "stdin"},
		{"a.jsonl.gz", gz(t, lines), want{"a.jsonl", "gzip", -1}, "a.jsonl", "stdin"},
		{"a.jsonl", gz(t, lines), want{"a.jsonl", "gzip", -1}, "a.jsonl", "stdin"},
		{"a.jsonl.zst", zst(t, lines), want{"a.jsonl", "zstd", -1}, "a.jsonl", "stdin"},
		{"a.zst", gz(t, lines), want{"a.zst", "gzip", -1}, "a.zst", "stdin"},
		{"a.json.gz.zst", zst(t, gz(t, lines)), want{"a.json", "zstd+gzip", -1}, "a.json", "stdin"},
		{"a.jsonl", utf16Of(lines, false, true), want{"a.jsonl", "utf-16le", -1}, "a.jsonl", "stdin"},
		{"a.jsonl", utf16Of(lines, true, true), want{"a.jsonl", "utf-16be", -1}, "a.jsonl", "stdin"},
		{"a.jsonl", utf16Of(lines, false, false), want{"a.jsonl", "utf-16le", -1}, "a.jsonl", "stdin"},
		{"a.jsonl", utf16Of(lines, true, false), want{"a.jsonl", "utf-16be", -1}, "a.jsonl", "stdin"},
		{"a.gz", gz(t, utf16Of(lines, false, true)), want{"a", "gzip+utf-16le", -1}, "a", "stdin"},
		{"x.zip", zipOf(t, pair{"d/a.jsonl", lines}), want{"d/a.jsonl", "zip", n}, "x.zip/d/a.jsonl", "d/a.jsonl"},
		{"x.zip", zipOf(t, pair{"a.jsonl.gz", gz(t, lines)}), want{"a.jsonl", "zip+gzip", -1}, "x.zip/a.jsonl", "a.jsonl"},
		{"x.zip.gz", gz(t, zipOf(t, pair{"a.jsonl", lines})), want{"a.jsonl", "gzip+zip", n}, "x.zip.gz/a.jsonl", "a.jsonl"},
		{"x.tar", tarred, want{"d/a.jsonl", "tar", n}, "x.tar/d/a.jsonl", "d/a.jsonl"},
		{"x.tar.gz", gz(t, tarred), want{"d/a.jsonl", "gzip+tar", n}, "x.tar.gz/d/a.jsonl", "d/a.jsonl"},
		{"x.tgz", zst(t, tarred), want{"d/a.jsonl", "zstd+tar", n}, "x.tgz/d/a.jsonl", "d/a.jsonl"},
	} {
		t.Run(c.file+"/"+c.want.packing, func(t *testing.T) {
			check := func(d *Dump, name string, packing string, size int64) {
				t.Helper()
				if got := names(d); !slices.Equal(got, []string{name}) {
					t.Fatalf("files = %q, want %q; skipped %v", got, name, d.Skipped())
				}
				if h := d.Head(0, 10); !bytes.Equal(h, lines[:10]) {
					t.Errorf("Head(10) = %q", h)
				}
				if h := d.Head(0, 1<<30); !bytes.Equal(h, lines) {
					t.Errorf("Head(all) = %q", h)
				}
				e := d.Entry(0)
				if e.Compressed != packing || e.Size != size || e.Addressable != (packing == "") {
					t.Errorf("entry = %+v, want packing %q, size %d", e, packing, size)
				}
				if f := d.Files()[0]; f.Size != size {
					t.Errorf("File.Size = %d, want %d", f.Size, size)
				}
			}
			readAll := func(d *Dump) {
				t.Helper()
				for from := 0; from <= len(lines); from += 7 {
					got, err := slurp(d, 0, int64(from))
					if err != nil || !bytes.Equal(got, lines[from:]) {
						t.Fatalf("from %d: %q, %v", from, got, err)
					}
				}
			}
			dir := lay(t, pair{c.file, c.data})
			d := opened(t, Options{}, dir+"/"+c.file)
			check(d, c.want.name, c.want.packing, c.want.size)
			readAll(d)
			d = opened(t, Options{}, dir)
			check(d, c.in, c.want.packing, c.want.size)
			readAll(d)

			d = opened(t, Options{Stdin: bytes.NewReader(c.data)}, "-")
			if got := names(d); !slices.Equal(got, []string{c.pipe}) {
				t.Fatalf("stdin: files = %q, want %q", got, c.pipe)
			}
			if h := d.Head(0, 10); !bytes.Equal(h, lines[:10]) {
				t.Errorf("stdin: Head(10) = %q", h)
			}
			if got, err := slurp(d, 0, 0); err != nil || !bytes.Equal(got, lines) {
				t.Errorf("stdin: %q, %v", got, err)
			}
			if id := d.Identity(); id != "" {
				t.Errorf("stdin: Identity() = %q", id)
			}
		})
	}
}

func TestZipMethods(t *testing.T) {
	data := zipZstd(t, pair{"a.json", lines})
	d := opened(t, Options{}, put(t, t.TempDir(), "x.eval", data))
	if got, err := slurp(d, find(t, d, "a.json"), 3); err != nil || !bytes.Equal(got, lines[3:]) {
		t.Errorf("%q, %v", got, err)
	}
}
