package openhands

import (
	"math"
	"strconv"
	"strings"

	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// fullLimit asks for all of a text.
const fullLimit = math.MaxInt

// textV1 is the text of a record as the model gets it (section 5.3 of the
// format), its parts joined by newlines, thinking left out.
func textV1(typ string, r *record) string {
	switch typ {
	case "SystemPromptEvent":
		return joined(phrase.Content(r.systemPrompt, fullLimit), phrase.Content(jsonscan.Get(r.raw, "dynamic_context"), fullLimit))
	case "MessageEvent":
		return joined(phrase.Content(jsonscan.Get(r.llmMessage, "content"), fullLimit), extended(r))
	case "ActionEvent", "NonExecutableActionEvent":
		return phrase.Content(r.thought, fullLimit)
	case "ObservationEvent":
		text, _ := resultText(r.observation)
		return joined(text, extended(r))
	case "UserRejectObservation":
		return "Action rejected: " + jsonscan.Str(r.rejectionReason)
	case "AgentErrorEvent":
		return jsonscan.Str(r.errorText)
	case "Condensation", "CondensationSummaryEvent":
		return jsonscan.Str(r.summary)
	}
	return ""
}

// charsV1 counts the characters of textV1. The texts of results are long: they
// are counted as they stand.
func charsV1(typ string, r *record) int64 {
	if typ != "ObservationEvent" {
		return chars(textV1(typ, r))
	}
	n, more := r.detailsOf(r.observation).resultChars(), phrase.ContentChars(r.extended)
	if n > 0 && more > 0 {
		n++ // the newline between them
	}
	return n + more
}

// resultChars counts the characters of resultText.
func (d *details) resultChars() (n int64) {
	if n = phrase.JoinedChars(d.texts); !isList(d.content) {
		n = phrase.ContentChars(d.content)
	}
	for _, v := range [][]byte{d.output, d.err, d.message} {
		if n > 0 {
			break
		}
		n = phrase.ContentChars(v)
	}
	isExact := isList(d.content)
	if isObject(d.metadata) {
		n += chars(d.shellText(""))
		isExact = isExact && n <= outputLimit
		n = min(n, outputLimit)
	}
	if !isExact || !isTrue(d.isError) {
		return n
	}
	if n > 0 {
		n++
	}
	return n + int64(len(errorHeader))
}

func extended(r *record) string {
	return phrase.Content(r.extended, fullLimit)
}

// joined joins the texts that are there.
func joined(parts ...string) string {
	var there []string
	for _, p := range parts {
		if p != "" {
			there = append(there, p)
		}
	}
	return strings.Join(there, "\n")
}

// errorHeader stands before the content of a result that failed.
const errorHeader = "[An error occurred during execution.]\n"

// outputLimit is how much of a command's output the model gets, in characters.
const outputLimit = 30_000

// resultText is the text of a result. exact is false where the program clipped
// it, or wrote it in a way that the log does not tell.
func resultText(obs []byte) (text string, exact bool) {
	var d details
	d.read(obs)
	text, exact = d.resultText(fullLimit), isList(d.content)
	if isObject(d.metadata) {
		var clipped bool
		text, clipped = clip(d.shellText(text))
		exact = exact && !clipped
	}
	if exact && isTrue(d.isError) {
		text = joined(errorHeader, text)
	}
	return text, exact
}

// shellText is a command's output with what the program writes around it.
func (d *details) shellText(output string) string {
	meta := func(name string) string { return jsonscan.Str(jsonscan.Get(d.metadata, name)) }
	text := meta("prefix") + output + meta("suffix")
	if dir := meta("working_dir"); dir != "" {
		text += "\n[Current working directory: " + dir + "]"
	}
	if python := meta("py_interpreter_path"); python != "" {
		text += "\n[Python interpreter: " + python + "]"
	}
	if code, ok := jsonscan.Int(d.metadataExit); ok && code != exitRunning {
		text += "\n[Command finished with exit code " + strconv.FormatInt(code, 10) + "]"
	}
	return text
}

// clip cuts the middle out of a long output. Where exactly differs by version.
func clip(text string) (string, bool) {
	if len(text) <= outputLimit || chars(text) <= outputLimit {
		return text, false
	}
	const notice = "<response clipped><NOTE>Due to the max output limit, only part of the full response has been shown to you.</NOTE>"
	runes := []rune(text)
	room := outputLimit - len(notice)
	head := room/2 + room%2
	return string(runes[:head]) + notice + string(runes[len(runes)-(room-head):]), true
}

// textV0 is the text of a V0 record, near to what the model gets: the older
// program filters and masks in ways that the log does not show.
func textV0(typ string, r *record, d *details, isAction bool) string {
	if isAction {
		switch typ {
		case "message", "system":
			return phrase.Content(firstOf(d.content, r.message), fullLimit)
		case "finish", "reject":
			return firstNonEmpty(jsonscan.Str(d.finalThought), jsonscan.Str(d.thought), jsonscan.Str(r.message))
		case "recall":
			return ""
		}
		if text, ok := responseText(r.callMeta); ok {
			return text
		}
		return joined(jsonscan.Str(d.thought), firstNonEmpty(jsonscan.Str(d.command), jsonscan.Str(d.code), phrase.Content(firstOf(d.content, r.message), fullLimit)))
	}
	text := phrase.Content(firstOf(r.content, d.content), fullLimit)
	if typ == "run" && isObject(d.metadata) {
		return d.shellText(text)
	}
	return text
}

// responseText is what a response said beside its calls. ok is false where the
// record does not hold the response.
func responseText(callMeta []byte) (text string, ok bool) {
	jsonscan.Elements(jsonscan.Get(callMeta, "model_response", "choices"), func(choice []byte) bool {
		text, ok = phrase.Content(jsonscan.Get(choice, "message", "content"), fullLimit), true
		return false
	})
	return text, ok
}
