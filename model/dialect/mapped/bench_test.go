package mapped_test

import (
	"bytes"
	"testing"

	"hindcast/fixtures"
	"hindcast/index/mapping"
	"hindcast/model"
	"hindcast/model/dialect/mapped"
)

func BenchmarkDecode(b *testing.B) {
	for _, name := range []string{"orders", "agent"} {
		b.Run(name, func(b *testing.B) {
			text, err := fixtures.FS.ReadFile("mappings/" + name + ".toml")
			if err != nil {
				b.Fatal(err)
			}
			m, err := mapping.Parse(text)
			if err != nil {
				b.Fatal(err)
			}
			d, err := mapped.New(m)
			if err != nil {
				b.Fatal(err)
			}
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
