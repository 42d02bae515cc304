package source

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// manyFiles lays a folder of small event files, as file-per-event stores do.
func manyFiles(b *testing.B, n int) string {
	b.Helper()
	dir := b.TempDir()
	for i := range n {
		path := filepath.Join(dir, fmt.Sprintf("s%02d", i%10))
		if i < 10 {
			must(b, os.MkdirAll(path, 0o755))
		}
		must(b, os.WriteFile(filepath.Join(path, fmt.Sprintf("event-%06d.json", i)), story(4), 0o600))
	}
	return dir
}

func BenchmarkFolder(b *testing.B) {
	const n = 100_000
	dir := manyFiles(b, n)
	b.Run("list", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			d, err := Open(context.Background(), []string{dir}, Options{})
			must(b, err)
			if len(d.Files()) != n {
				b.Fatal(len(d.Files()))
			}
			must(b, d.Close())
		}
	})
	d, err := Open(context.Background(), []string{dir}, Options{})
	must(b, err)
	defer d.Close()
	b.Run("heads", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			d.DropHeads()
			for i := range n {
				d.Head(i, 512)
			}
		}
	})
	b.Run("refresh", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			must(b, second(d.Refresh(context.Background())))
		}
	})
}

func BenchmarkReader(b *testing.B) {
	text := bytes.Repeat(story(1000), 500)
	for _, c := range []struct {
		name string
		data []byte
	}{{"plain", text}, {"gzip", gz(b, text)}, {"zstd", zst(b, text)}, {"zip", zipOf(b, pair{"a", text})}, {"tar.gz", gz(b, tarOf(b, pair{"a", text}))}} {
		b.Run(c.name, func(b *testing.B) {
			d, err := Open(context.Background(), []string{put(b, b.TempDir(), "a", c.data)}, Options{})
			must(b, err)
			defer d.Close()
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			buf := make([]byte, 1<<20)
			for b.Loop() {
				r, err := d.Reader(context.Background(), 0, 0)
				must(b, err)
				must(b, second(io.CopyBuffer(struct{ io.Writer }{io.Discard}, r, buf)))
				must(b, r.Close())
			}
		})
	}
}

func BenchmarkReadAt(b *testing.B) {
	path := put(b, b.TempDir(), "a", bytes.Repeat(story(1000), 100))
	b.SetBytes(8 << 10)
	b.ReportAllocs()
	for i := int64(0); b.Loop(); i++ {
		must(b, second(readAt(path, i%100*1000, 8<<10)))
	}
}
