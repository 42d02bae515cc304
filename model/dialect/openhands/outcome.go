package openhands

import (
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// verdict is all that a record says about whether something failed.
type verdict struct {
	refused  bool  // rejected, or stopped by a hook
	errored  bool  // an error record
	flagged  *bool // is_error, success, an ACP status: true says failed
	exit     int64
	hasExit  bool
	timedOut bool
	// text is the result's text where errors are only told by it (V0 edits and
	// cells); empty elsewhere.
	text string
}

// errorAnswers are what V0's edit functions say instead of a flag.
var errorAnswers = []string{
	"ERROR:",
	refusedEdit,
	"[No exact match found in",
}

// exitRunning is the exit code of a command that has not ended.
const exitRunning = -1

// failed is the one rule of what counts as a failure: an error record, a
// rejection, a flag that says so, an error answer, a hard timeout, or an exit
// code that is known and neither 0 nor -1. A command that still runs has not
// come to an end: nothing is known, even where V0 flags it (its success flag
// only says that the code is 0).
func failed(v verdict) model.Outcome {
	running := v.hasExit && v.exit == exitRunning
	switch {
	case v.errored, v.refused, v.timedOut:
		return model.OutcomeFailed
	case v.flagged != nil && *v.flagged:
		return model.OutcomeFailed
	case v.hasExit && v.exit != 0 && !running:
		return model.OutcomeFailed
	case answersError(v.text):
		return model.OutcomeFailed
	case running:
		return model.OutcomeUnknown
	case v.hasExit, v.flagged != nil, v.text != "":
		return model.OutcomeOK
	}
	return model.OutcomeUnknown
}

func answersError(text string) bool {
	for _, a := range errorAnswers {
		if strings.HasPrefix(text, a) {
			return true
		}
	}
	return false
}

// flagOf turns a boolean member into a verdict's flag; bad is the value that
// means failure. nil where the member is no boolean.
func flagOf(v []byte, bad bool) *bool {
	b, ok := jsonscan.Bool(v)
	if !ok {
		return nil
	}
	isBad := b == bad
	return &isBad
}

// exitOf is a result's exit code: its own, else its metadata's.
func (d *details) exitOf() (code int64, ok bool) {
	for _, v := range [][]byte{d.exit, d.metadataExit} {
		if n, isInt := jsonscan.Int(v); isInt && jsonscan.Kind(v) == '0' {
			return n, true
		}
	}
	return 0, false
}

// resultVerdict judges a V1 observation. Before 1.0 errors stood in error, a
// text or a boolean, instead of is_error.
func (d *details) resultVerdict() verdict {
	v := verdict{flagged: flagOf(d.isError, true), timedOut: isTrue(d.timeout)}
	v.exit, v.hasExit = d.exitOf()
	// An error result names -1 only because its command never started.
	if v.flagged != nil && *v.flagged && v.exit == exitRunning {
		v.hasExit = false
	}
	switch jsonscan.Kind(d.err) {
	case '"':
		isBad := len(d.err) > len(`""`)
		v.flagged = &isBad
	case 't', 'f':
		v.flagged = flagOf(d.err, true)
	}
	return v
}
