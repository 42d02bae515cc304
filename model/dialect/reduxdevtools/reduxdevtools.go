// Package reduxdevtools reads what Redux DevTools export: the actions that a
// store was given, and the state after each of them.
package reduxdevtools

import (
	"bytes"
	"io"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
)

const name = "reduxdevtools"

type dialect struct{}

var _ model.Teller = dialect{}

// New returns the dialect. It also implements model.Teller.
func New() model.Dialect { return dialect{} }

// Info describes the format.
func (dialect) Info() model.DialectInfo {
	return model.DialectInfo{
		Name: name, Title: "Redux DevTools: exported actions and states", Versions: "instrument 1.x and 2.x",
		Packs:   []string{"export (payload is a string of JSON)", "lifted state"},
		Detects: "an object, or a payload in a string, with actionsById and stagedActionIds",
		Context: "none", Files: "none", Cost: "none", Status: "none",
	}
}

// The confidences of a claim: all of the state was seen, or only its beginning.
const (
	confidenceWhole  = 97
	confidenceBegin  = 90
	confidenceForced = 1
)

// Claim takes the files that hold a store's lifted state.
func (dialect) Claim(d model.Dump, force bool) []model.Stream {
	var streams []model.Stream
	for i := range d.Files() {
		look, ok := chat.LookAt(d, i)
		if !ok {
			continue
		}
		st := model.Stream{
			Dialect: name, Reason: "a lifted state: actionsById and stagedActionIds", Files: []int{i},
			Framing: model.Framing{Mode: model.FrameWhole, Torn: true}, Order: model.OrderArrival, Session: chat.Stem(look.Name),
		}
		switch {
		case lifted(&look):
			st.Confidence = confidenceWhole
		case (!look.Whole || cut(look.Head)) && begins(look.Head):
			st.Confidence = confidenceBegin
		case force:
			st.Confidence, st.Reason = confidenceForced, "forced"
		default:
			continue
		}
		streams = append(streams, st)
	}
	return streams
}

// lifted recognises a file that was seen whole.
func lifted(look *chat.Look) bool {
	start, end, err := jsonscan.Value(look.Head)
	if err != nil || !bytes.Contains(look.Head, []byte("actionsById")) {
		return false
	}
	_, ok := read(look.Head[start:end])
	return ok
}

// cut reports a file that ends within its value.
func cut(head []byte) bool {
	_, _, err := jsonscan.Value(head)
	return err == io.ErrUnexpectedEOF
}

// begins recognises a file of which only the beginning was seen.
func begins(head []byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n")
	return bytes.HasPrefix(head, []byte("{")) && bytes.Contains(head, []byte("actionsById")) && bytes.Contains(head, []byte("PERFORM_ACTION"))
}

// NewLinker counts: the order of actions is no cause.
func (dialect) NewLinker(*model.Stream, string) model.Linker {
	return chat.NewLinker(model.Summary{})
}
