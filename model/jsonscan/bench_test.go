package jsonscan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"hindcast/model"
)

// agentEvent is an event of about 4 KB, most of it a tool's output.
func agentEvent(n int) []byte {
	output := strings.Repeat(`    if err := run(ctx); err != nil {\n\t\treturn fmt.Errorf(\"run: %w\", err)\n    }\n`, 45)
	return fmt.Appendf(nil, `{"id":"evt-%06d","timestamp":"2026-03-01T10:00:00.123456Z","type":"ToolResult","source":"environment","seq":%d,"tool_call_id":"call_%d","data":{"exit_code":0,"output":"%s","tags":["a","b",{"k":1.5}]},"ok":true}`, n, n, n, output)
}

func eventLines(bytesWanted int) []byte {
	var b bytes.Buffer
	for n := 0; b.Len() < bytesWanted; n++ {
		b.Write(agentEvent(n))
		b.WriteByte('\n')
	}
	return b.Bytes()
}

func BenchmarkValue(b *testing.B) {
	plain := []byte(`{"id":"x","text":"` + strings.Repeat("the quick brown fox ", 200) + `"}`)
	dense := []byte("[" + strings.Repeat(`{"a":1,"b":[true,null,-2.5e3],"c":"d"},`, 100) + "0]")
	for name, in := range map[string][]byte{"event": agentEvent(7), "plain": plain, "dense": dense} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := Value(in); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/encoding-json", func(b *testing.B) {
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for b.Loop() {
				if !json.Valid(in) {
					b.Fatal("invalid")
				}
			}
		})
	}
}

func BenchmarkFields(b *testing.B) {
	in := agentEvent(7)
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		Fields(in, func(string, []byte) bool { n++; return true })
	}
}

func BenchmarkFieldsStruct(b *testing.B) {
	in := agentEvent(7)
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		var v struct {
			ID, Timestamp, Type, Source string
			Seq                         int64
			Data                        json.RawMessage
		}
		if err := json.Unmarshal(in, &v); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGet(b *testing.B) {
	in := agentEvent(7)
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		if Get(in, "data", "exit_code") == nil {
			b.Fatal("not found")
		}
	}
}

func BenchmarkText(b *testing.B) {
	in := Get(agentEvent(7), "data", "output")
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		Str(in)
	}
}

func BenchmarkSplitter(b *testing.B) {
	lines := eventLines(16 << 20)
	array := append(append([]byte("["), bytes.ReplaceAll(bytes.TrimSpace(lines), []byte("}\n{"), []byte("},\n{"))...), ']')
	wrapper := append(append([]byte(`{"info":{},"events":`), array...), '}')
	for _, bench := range []struct {
		name    string
		framing model.Framing
		in      []byte
	}{
		{"lines", byLine, lines}, {"values", byValue, lines}, {"elements", byElement, array}, {"member", byMember, wrapper},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.in)))
			b.ReportAllocs()
			for b.Loop() {
				s := NewSplitter(bytes.NewReader(bench.in), 0, bench.framing, false)
				for {
					c, err := s.Next()
					if err == io.EOF {
						break
					}
					c.Free()
				}
			}
		})
	}
}
