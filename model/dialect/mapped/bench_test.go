package mapped_test

import (
	"bytes"
	"testing"

	"hindcast/fixtures"
	"hindcast/model"
)

func BenchmarkDecode(b *testing.B) {
	for _, name := range []string{"orders", "agent"} {
		b.Run(name, func(b *testing.B) {
			d := example(b, name)
			dump, err := fixtures.FS.ReadFile("mappings/" + name + ".jsonl")
			if err != nil {
				b.Fatal(err)
			}
			records := bytes.Split(bytes.TrimSpace(dump), []byte("\n"))
			b.SetBytes(int64(len(dump)))
			b.ReportAllocs()
			for b.Loop() {
				for _, raw := range records {
					rec := model.Record{Stream: &model.Stream{}, Raw: raw}
					if err := d.Decode(&rec, func(*model.Event) {}); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
