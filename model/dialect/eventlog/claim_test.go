package eventlog

import (
	"fmt"
	"strings"
	"testing"

	"hindcast/model"
)

func streamText(d *fakeDump, s model.Stream) string {
	var names []string
	for _, f := range s.Files {
		names = append(names, d.files[f].Name)
	}
	for _, e := range s.Evidence {
		names = append(names, e.What+":"+d.files[e.File].Name)
	}
	return fmt.Sprintf("%s %d m%d%s %s", s.Session, s.Confidence, s.Framing.Mode, s.Framing.Member, strings.Join(names, ","))
}

func TestClaim(t *testing.T) {
	one := line(1, "u", "UserInput", "", `{"content":"x"}`)
	two := line(2, "a", "AgentAction", "u", bash)
	for _, c := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"jsonl", map[string]string{"run.jsonl": one + two}, []string{"run 96 m0 run.jsonl"}},
		{"pipe", map[string]string{"-": one + two}, []string{"stdin 96 m0 -"}},
		{"compressed name", map[string]string{"run.jsonl.zst": one}, []string{"run 96 m0 run.jsonl.zst"}},
		{"broken first line", map[string]string{"run.jsonl": "oops\n{\"cut\":\n" + one + two}, []string{"run 96 m0 run.jsonl"}},
		{"record beyond the head", map[string]string{"run.jsonl": line(1, "u", "UserInput", "", `{"content":"`+strings.Repeat("x", 2*headBytes)+`"}`)}, []string{"run 96 m0 run.jsonl"}},
		{"array", map[string]string{"run.json": "[" + one + "," + two + "]"}, []string{"run 96 m2 run.json"}},
		{"wrapper", map[string]string{"run.json": `{"kinds":["x"],"events":[` + one + "," + two + "]}"}, []string{"run 96 m3events run.json"}},
		{"values", map[string]string{"run.json": strings.ReplaceAll(one+two, ",", ",\n  ")}, []string{"run 96 m1 run.json"}},
		{"own types", map[string]string{"a.jsonl": `{"event_type":"Beat","event_id":"1","sequence":2,"payload":{}}` + "\n"}, []string{"a 85 m0 a.jsonl"}},
		{"little", map[string]string{"a.jsonl": `{"event_type":"Beat","payload":{}}` + "\n"}, []string{"a 40 m0 a.jsonl"}},
		{"type alone", map[string]string{"a.jsonl": `{"event_type":"UserInput","text":1}` + "\n"}, nil},
		{"other program", map[string]string{"a.jsonl": `{"type":"user","sequence":1,"payload":{}}` + "\n"}, nil},
		{"not JSON", map[string]string{"a.txt": "hello\n"}, nil},
		{"empty", map[string]string{"a.jsonl": ""}, nil},
		{"rotated", map[string]string{"a.jsonl": one, "b.jsonl": two}, []string{"a 96 m0 a.jsonl,b.jsonl"}},
		{
			"folder", map[string]string{
				"events/s1/000.jsonl": one, "events/s1/001.jsonl.gz": two, "events/s2/000.jsonl": one,
				"checkpoints/s1/snap_1.json": `{"snapshot_id":"snap_1"}`, "checkpoints/s9/snap_2.json": `{}`, "notes.txt": "hello",
			},
			[]string{
				"s1 96 m0 events/s1/000.jsonl,events/s1/001.jsonl.gz,checkpoint:checkpoints/s1/snap_1.json,checkpoint:checkpoints/s9/snap_2.json",
				"s2 96 m0 events/s2/000.jsonl",
			},
		},
		{
			"folder with a file that is cut to nothing", map[string]string{"events/s1/0.jsonl": one, "events/s1/1.jsonl": "", "events/s1/2.jsonl": "{\"event_id\":"},
			[]string{"s1 96 m0 events/s1/0.jsonl,events/s1/1.jsonl,events/s1/2.jsonl"},
		},
		{
			"folder in a folder", map[string]string{"x/y/events/s1/0.jsonl": one, "x/y/checkpoints/s1/k.json": `{}`},
			[]string{"s1 96 m0 x/y/events/s1/0.jsonl,checkpoint:x/y/checkpoints/s1/k.json"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDump(c.files)
			var got []string
			for _, s := range New().Claim(d, false) {
				got = append(got, streamText(d, s))
				if s.Order != model.OrderSeq || s.Reason == "" {
					t.Errorf("order %v, reason %q", s.Order, s.Reason)
				}
			}
			if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("claimed\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

func TestClaimForced(t *testing.T) {
	d := newDump(map[string]string{"a.jsonl": `{"x":1}` + "\n", "b.txt": "hello\n"})
	streams := New().Claim(d, true)
	if len(streams) != 1 || streamText(d, streams[0]) != "a 1 m0 a.jsonl" {
		t.Errorf("claimed %v", streams)
	}
}

// FuzzClaim: whatever a file starts with, a claim is whole: it names the file,
// a reason and a confidence.
func FuzzClaim(f *testing.F) {
	f.Add("run.jsonl", []byte(line(1, "u", "UserInput", "", `{}`)))
	f.Add("events/s1/0.jsonl.gz", []byte("{\"event_type\":\"X\",\n\"sequence\":1,\"payload\":"))
	f.Add("a/checkpoints/s/k.json", []byte(`{"events":[{"event_type":"UserInput","event_id":1}]}`))
	f.Add("", []byte("\ufeff[[[{"))
	f.Fuzz(func(t *testing.T, name string, head []byte) {
		d := newDump(map[string]string{name: string(head)})
		for _, force := range []bool{false, true} {
			for _, s := range New().Claim(d, force) {
				if len(s.Files) != 1 || s.Reason == "" || s.Confidence < 1 || s.Confidence > 100 || s.Session == "" {
					t.Errorf("claim %+v", s)
				}
			}
		}
	})
}
