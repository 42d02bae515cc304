package source

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// FuzzOpen opens arbitrary bytes as a file and as a pipe: whatever they are, no
// panic, no unbounded output, and only errors that say what they are.
func FuzzOpen(f *testing.F) {
	text := story(20)
	for _, seed := range [][]byte{
		lines, gz(f, text), zst(f, text), zipOf(f, pair{"a", text}, pair{"b.gz", gz(f, text)}), tarOf(f, pair{"a", text}),
		gz(f, tarOf(f, pair{"a", text})), gz(f, gz(f, text)), utf16Of(lines, false, true), append(gz(f, text), 1, 2, 3),
		zipZstd(f, pair{"a", text}),
	} {
		f.Add(seed)
	}
	path := filepath.Join(f.TempDir(), "dump")
	limits := Limits{Entries: 100, Unpacked: 1 << 20, Nesting: 3}
	f.Fuzz(func(t *testing.T, data []byte) {
		must(t, os.WriteFile(path, data, 0o600))
		for _, arg := range []string{path, "-"} {
			d, err := Open(context.Background(), []string{arg}, Options{Limits: limits, Stdin: bytes.NewReader(data)})
			if err != nil {
				var e *Error
				if !errors.As(err, &e) || e.Reason == "" {
					t.Fatalf("Open: %T %v", err, err)
				}
				continue
			}
			readAllOf(t, d)
			must(t, d.Close())
		}
	})
}

func readAllOf(t *testing.T, d *Dump) {
	for i, f := range d.Files() {
		if f.Name == "" {
			t.Error("a file without a name")
		}
		head := d.Head(i, 300)
		r, err := d.Reader(context.Background(), i, 0)
		if err != nil {
			continue
		}
		got, err := io.ReadAll(r)
		must(t, r.Close())
		if len(got) > 3<<20 {
			t.Errorf("%s gave %d bytes", f.Name, len(got))
		}
		if !bytes.HasPrefix(got, head) {
			t.Errorf("the head is not the start of the file")
		}
		var read *ReadError
		if err != nil && !errors.As(err, &read) {
			t.Errorf("read: %T %v", err, err)
		}
	}
}

// FuzzMemberName: a name that is let through stays below its root.
func FuzzMemberName(f *testing.F) {
	for _, s := range []string{"a/b", "../x", `..\x`, "/etc/x", `C:\x`, "a/./b//c", "\x00", ".", "a/.."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		name, why := memberName(raw)
		if (name == "") != (why != "") {
			t.Fatalf("memberName(%q) = %q, %q", raw, name, why)
		}
		if why == "" && (!filepath.IsLocal(name) || filepath.Clean(name) != name) {
			t.Errorf("memberName(%q) = %q, which is not below its root", raw, name)
		}
	})
}
