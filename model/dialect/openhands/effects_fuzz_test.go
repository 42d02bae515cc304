package openhands

import (
	"bufio"
	"bytes"
	"os"
	"reflect"
	"testing"

	"hindcast/fixtures/trial"
	"hindcast/model"
	"hindcast/model/jsonscan"
)

// FuzzEffects feeds records of any shape to a session: nothing may break, keys
// stay apart, and a stop changes nothing.
func FuzzEffects(f *testing.F) {
	golden, err := os.Open("testdata/records.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	defer golden.Close()
	for lines := bufio.NewScanner(golden); lines.Scan(); {
		f.Add(bytes.Clone(lines.Bytes()))
	}
	f.Add([]byte(`{"kind":"ActionEvent","id":"a","tool_name":"terminal","tool_call_id":"c","action":{"kind":"TerminalAction"}}
{"kind":"Condensation","id":"c","parent_id":"a","forgotten_event_ids":["a","c-summary",1],"summary":"s","summary_offset":-9}
{"kind":"ObservationEvent","id":"o","parent_id":"__root__","action_id":"a","tool_call_id":"c","observation":{"kind":"ApplyPatchObservation","commit":{"changes":{"":{"type":"x"}}}}}`))
	f.Fuzz(func(t *testing.T, log []byte) {
		var arrived []model.Event
		var raws [][]byte
		for line := range bytes.Lines(log) {
			start, end, err := jsonscan.Value(line)
			if err != nil {
				continue
			}
			rec := model.Record{Raw: line[start:end]}
			_ = New().Decode(&rec, func(e *model.Event) {
				c := *e
				if c.Span.Length == 0 {
					c.Span.Length = int64(len(rec.Raw))
				}
				arrived = append(arrived, c)
				raws = append(raws, bytes.Clone(rec.Raw[c.Span.Offset:c.Span.End()]))
			})
		}
		r := trial.Link(New(), &model.Stream{}, "s", arrived, raws)
		plain, stopped := &folded{r.Fold(t, false)}, &folded{r.Fold(t, true)}
		for i := range r.Events {
			pos := int64(i + 1)
			a, b := plain.Log.Between(pos-1, pos), stopped.Log.Between(pos-1, pos)
			if !reflect.DeepEqual(a, b) {
				t.Fatalf("event %d: a stop changes the writes: %v, %v", pos, a, b)
			}
			for k, x := range plain.Views[i] {
				if k > 0 && plain.Views[i][k-1].Key >= x.Key {
					t.Fatalf("event %d: keys %q, %q", pos, plain.Views[i][k-1].Key, x.Key)
				}
			}
			New().(model.Teller).Messages(plain.Viewed(pos), true)
			New().(model.Teller).Messages(plain.cold(pos), false)
		}
	})
}
