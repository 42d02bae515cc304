// Package inspect reads the evaluation logs of Inspect AI: one JSON document of
// samples, or the samples of a log as files of their own. A sample is a session:
// its events where they are recorded, else its messages.
package inspect

import (
	"path"
	"strings"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
)

const name = "inspect"

type dialect struct{}

var _ interface {
	model.Teller
	model.Requester
} = dialect{}

// New returns the dialect. It also implements model.Teller and model.Requester.
func New() model.Dialect { return dialect{} }

// Info describes the format.
func (dialect) Info() model.DialectInfo {
	return model.DialectInfo{
		Name:     name,
		Title:    "Inspect AI evaluation logs",
		Versions: "log version 2",
		Packs:    []string{"JSON log", ".eval", "its samples as files (samples/*.json)"},
		Detects:  "a document with eval, status and samples; or a sample with id, epoch, input and messages or events",
		Context:  "exact", Files: "none", Cost: "recorded", Status: "none",
	}
}

// The confidences of a claim.
const (
	confidenceNamed  = 95
	confidenceSample = 90
	confidenceForced = 1
)

// Claim finds logs and samples.
func (dialect) Claim(d model.Dump, force bool) (streams []model.Stream) {
	for i := range d.Files() {
		look, ok := chat.LookAt(d, i, "samples")
		if !ok {
			continue
		}
		s := model.Stream{Dialect: name, Files: []int{i}, Framing: look.Framing, Order: model.OrderArrival, Session: chat.Stem(look.Name)}
		s.Framing.Torn = true
		first := append(look.Records(1), nil)[0]
		switch {
		case jsonscan.Kind(look.Top("eval")) == '{' && look.Top("status") != nil && look.Top("samples") != nil:
			s.Confidence, s.Reason = confidenceNamed, "a document with eval, status and samples"
			if v := jsonscan.Scalar(look.Top("eval", "packages", "inspect_ai")); v != "" {
				s.Version, s.Meta = v, "Inspect AI "+v
			}
		case isSample(first):
			s.Confidence, s.Reason = confidenceSample, "a sample with id, epoch, input and messages or events"
			s.Evidence = beside(d, i)
		case force:
			s.Confidence, s.Reason = confidenceForced, "forced: no sample was seen"
		default:
			continue
		}
		streams = append(streams, s)
	}
	return streams
}

// beside gives the files that stand with the samples of a log and tell of them.
// They go with each sample, and the first takes them.
func beside(d model.Dump, sample int) (all []model.Evidence) {
	files := d.Files()
	dir, ok := strings.CutSuffix(path.Dir(files[sample].Name), "samples")
	if !ok {
		return nil
	}
	for i, f := range files {
		rest, ok := strings.CutPrefix(f.Name, dir)
		switch {
		case !ok:
		case rest == "header.json", rest == "summaries.json", rest == "reductions.json", strings.HasPrefix(rest, "_journal/"):
			all = append(all, model.Evidence{File: i, What: "metadata"})
		}
	}
	return all
}

func isSample(v []byte) bool {
	for _, key := range []string{"id", "epoch", "input"} {
		if jsonscan.Get(v, key) == nil {
			return false
		}
	}
	return jsonscan.Kind(jsonscan.Get(v, "messages")) == '[' || jsonscan.Kind(jsonscan.Get(v, "events")) == '['
}

// NewLinker starts the links of one session.
func (dialect) NewLinker(s *model.Stream, _ string) model.Linker {
	from := model.Summary{}
	if s != nil {
		from.Version, _ = s.Meta.(string)
	}
	return chat.NewLinker(from)
}
