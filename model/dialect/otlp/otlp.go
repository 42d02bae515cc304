// Package otlp reads traces of OpenTelemetry: OTLP in JSON, and lists of spans
// as the SDKs write them, with the attributes of the GenAI conventions, of
// OpenInference and of the Vercel AI SDK. A span is two events, its start and
// its end, with what happened within between them.
package otlp

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
)

const name = "otlp"

type dialect struct{}

var (
	_ model.Teller    = dialect{}
	_ model.Requester = dialect{}
	_ model.Reorderer = dialect{}
)

// New returns the dialect.
func New() model.Dialect { return dialect{} }

// Info describes the format.
func (dialect) Info() model.DialectInfo {
	return model.DialectInfo{
		Name: name, Title: "OpenTelemetry traces (OTLP/JSON), GenAI, OpenInference and Vercel AI SDK attributes", Versions: "OTLP 1, GenAI conventions to 1.37",
		Packs:   []string{"OTLP JSON lines", "an OTLP JSON document", "a JSON array or lines of SDK spans"},
		Detects: "records with resourceSpans, or spans with the ids of a trace and a span",
		Context: "partial", Files: "none", Cost: "recorded", Status: "recorded", GlobalIDs: true,
	}
}

// The confidences of a claim, and how many records decide.
const (
	confidenceOTLP = 97
	confidenceSDK  = 95
	looked         = 8
)

// Claim takes the files of spans, those of one framing as one stream: a
// conversation is spread over files and traces.
func (dialect) Claim(d model.Dump, force bool) (streams []model.Stream) {
	for i := range d.Files() {
		look, ok := chat.LookAt(d, i)
		if !ok {
			continue
		}
		confidence, reason := confidence(&look)
		if confidence == 0 && force {
			confidence, reason = 1, "forced"
		}
		if confidence == 0 {
			continue
		}
		framing := look.Framing
		framing.Torn = true
		at := slices.IndexFunc(streams, func(s model.Stream) bool { return s.Framing == framing && s.Reason == reason })
		if at >= 0 {
			streams[at].Files = append(streams[at].Files, i)
			continue
		}
		streams = append(streams, model.Stream{
			Dialect: name, Confidence: confidence, Reason: reason, Files: []int{i}, Framing: framing,
			Order: model.OrderRepair, Session: chat.Stem(look.Name),
		})
	}
	return streams
}

func confidence(look *chat.Look) (int, string) {
	const exported, spans = "records with resourceSpans", "records are spans with the ids of a trace and a span"
	records := look.Records(looked)
	if len(records) == 0 {
		// A document that is longer than the look at it.
		if begin := look.Head[:min(len(look.Head), 256)]; bytes.HasPrefix(bytes.TrimSpace(begin), []byte("{")) && bytes.Contains(begin, []byte(`"resourceSpans"`)) {
			return confidenceOTLP, exported
		}
		return 0, ""
	}
	otlp, sdk := 0, 0
	for _, r := range records {
		switch {
		case jsonscan.Kind(jsonscan.Get(r, "resourceSpans")) == '[':
			otlp++
		case jsonscan.Kind(jsonscan.Get(r, "resourceLogs")) == '[', jsonscan.Kind(jsonscan.Get(r, "resourceMetrics")) == '[':
		case isSDK(r):
			sdk++
		default:
			return 0, ""
		}
	}
	switch {
	case otlp > 0:
		return confidenceOTLP, exported
	case sdk > 0:
		return confidenceSDK, spans
	}
	return 0, ""
}

func isSDK(r []byte) bool {
	if jsonscan.Kind(jsonscan.Get(r, "attributes")) != '{' || jsonscan.Get(r, "name") == nil {
		return false
	}
	s := readSpan(r)
	return s.id != "" && s.trace != ""
}

// endMark stands behind the id of a span in that of its end.
const endMark = "~end"

// Reorder puts events in the order of their times. Of what happens at one
// time, ends stand before starts; of starts the span that ends later comes
// first, and of ends the one that started later: the parent is around.
func (dialect) Reorder(keys []model.OrderKey) []int {
	starts, ends := map[string]int64{}, map[string]int64{}
	for _, k := range keys {
		if id, ok := strings.CutSuffix(k.ID, endMark); ok {
			ends[id] = k.Time.Nanos
		} else {
			starts[k.ID] = k.Time.Nanos
		}
	}
	type place struct{ time, class, inner int64 }
	places := make([]place, len(keys))
	order := make([]int, len(keys))
	last := int64(0)
	for i, k := range keys {
		order[i] = i
		if k.Time.Known {
			last = k.Time.Nanos
		}
		places[i].time = last
		id, isEnd := strings.CutSuffix(k.ID, endMark)
		switch start, ok := starts[id]; {
		case strings.Contains(k.ID, eventMark):
			places[i].class = 2
		case !isEnd:
			places[i].class, places[i].inner = 1, -ends[id]
		case ok && start == k.Time.Nanos:
			places[i].class = 3
		default:
			places[i].inner = -start
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		p, q := places[a], places[b]
		return cmp.Or(cmp.Compare(p.time, q.time), cmp.Compare(p.class, q.class), cmp.Compare(p.inner, q.inner))
	})
	return order
}

// NewLinker starts a session.
func (dialect) NewLinker(*model.Stream, string) model.Linker {
	return linker{chat.NewLinker(model.Summary{})}
}

// linker adds what the tree of spans does not say: which answer of a model
// asked for a call. Both carry the call's id.
type linker struct{ *chat.Linker }

// Link completes one event.
func (l linker) Link(e *model.Event, look model.Lookup) {
	if e.Kind == model.KindAction && e.Call != e.ID {
		if b, ok := look.ByID(e.Call); ok && b.Kind == model.KindMessage {
			e.Links = append(e.Links, model.Link{Reason: model.ReasonSource, ToID: e.Call, To: model.Ref{Session: e.Session, Seq: b.Seq, Pos: b.Pos}})
		}
	}
	l.Linker.Link(e, look)
}
