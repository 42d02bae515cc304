package claudecode

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// system reads a record of the client's own: checkpoints, hooks, retries, and
// the frames of a stream.
func (d *decoder) system() {
	r, e := &d.r, d.e
	sub := jsonscan.Str(r.subtype)
	e.Type, e.Source, e.Title = joined("system", sub), "system", sub
	switch sub {
	case "compact_boundary":
		d.boundary()
	case "microcompact_boundary":
		d.microcompaction()
	case "stop_hook_summary":
		e.Kind, e.Source = model.KindHook, "hook"
		e.Title = hookTitle(r)
	case "api_error":
		d.refused()
	case "init":
		e.Kind = model.KindSession
		e.Title = phrase.Titled("session starts", jsonscan.Str(jsonscan.Get(r.raw, "model")))
	case "task_notification":
		d.taskEnds()
	case "informational", "away_summary", "local_command":
		e.Title = phrase.Titled(sub, phrase.FirstLine(withoutTags(phrase.Head(r.content, phrase.LineLimit))))
	default:
		e.Noise = true
	}
}

// taskEnds reads a stream's word for the end of a background task.
func (d *decoder) taskEnds() {
	e := d.e
	e.Kind, e.Source = model.KindObservation, "client"
	d.n.Flags |= notifies
	status := jsonscan.Str(jsonscan.Get(d.r.raw, "status"))
	e.Title = phrase.Titled(strings.TrimSpace("background task "+status), phrase.FirstLine(phrase.Head(d.r.summary, phrase.LineLimit)))
	e.Outcome = endOf(status)
	if id := jsonscan.Str(jsonscan.Get(d.r.raw, "tool_use_id")); id != "" {
		e.Call = id
		d.link(model.ReasonAction, id)
	}
}

// boundary reads a compaction. What it stands on is the record that
// logicalParentUuid names.
func (d *decoder) boundary() {
	e := d.e
	e.Kind, e.Source = model.KindCheckpoint, "client"
	d.n.Flags = isBoundary
	if base := jsonscan.Str(d.r.logicalParent); base != "" {
		d.link(model.ReasonBase, base)
	}
	var trigger, before, after []byte
	jsonscan.Fields(d.r.compactMetadata, func(key string, v []byte) bool {
		switch key {
		case "trigger":
			trigger = v
		case "preTokens", "pre_tokens":
			before = v
		case "postTokens", "post_tokens":
			after = v
		}
		return true
	})
	title := "compaction"
	if t := jsonscan.Str(trigger); t != "" {
		title += " (" + t + ")"
	}
	pre, hasPre := jsonscan.Int(before)
	post, hasPost := jsonscan.Int(after)
	switch {
	case hasPre && hasPost:
		title += fmt.Sprintf(": %d → %d tokens", pre, post)
	case hasPre:
		title += fmt.Sprintf(": of %d tokens", pre)
	}
	e.Title = phrase.OneLine(title)
}

// microcompaction reads the clearing of old outputs. The linker finds the
// results of the calls.
func (d *decoder) microcompaction() {
	e := d.e
	e.Kind, e.Source = model.KindCheckpoint, "client"
	d.n.Flags |= isMicro
	saved := int64(0)
	jsonscan.Fields(d.r.microcompactMetadata, func(key string, v []byte) bool {
		switch key {
		case "compactedToolIds":
			jsonscan.Elements(v, func(id []byte) bool {
				if s := jsonscan.Str(id); s != "" {
					d.n.Ids = append(d.n.Ids, s)
				}
				return true
			})
		case "tokensSaved":
			saved, _ = jsonscan.Int(v)
		}
		return true
	})
	e.Title = fmt.Sprintf("microcompaction: %s cleared, −%d tokens", phrase.Plural(len(d.n.Ids), "output"), saved)
}

func hookTitle(r *record) string {
	command := ""
	jsonscan.Elements(r.hookInfos, func(v []byte) bool {
		command = phrase.Head(jsonscan.Get(v, "command"), phrase.LineLimit)
		return command == ""
	})
	if n := count(r.hookErrors); n > 0 {
		return phrase.Titled("stop hook, "+phrase.Plural(n, "error"), command)
	}
	return phrase.Titled("stop hook", command)
}

// refused reads an answer of the provider that is no message: it is asked
// again, up to a number of times.
func (d *decoder) refused() {
	r, e := &d.r, d.e
	e.Kind, e.Source, e.Outcome = model.KindError, "client", model.OutcomeFailed
	d.n.Flags |= isRetry
	status := jsonscan.Scalar(jsonscan.Get(r.errorValue, "status"))
	text := phrase.FirstLine(errorText(r.errorValue))
	title := "API error"
	if status != "" {
		title = status
	}
	if text != "" {
		title += " " + text
	}
	if n, ok := jsonscan.Int(r.retryAttempt); ok {
		title += ", retry " + strconv.FormatInt(n, 10)
		if all, ok := jsonscan.Int(r.maxRetries); ok {
			title += "/" + strconv.FormatInt(all, 10)
		}
	}
	e.Title = phrase.OneLine(title)
}

// errorText finds the message in an error, which providers wrap several times.
func errorText(v []byte) string {
	for range 4 {
		if isText(v) {
			return phrase.Head(v, phrase.LineLimit)
		}
		var text, inner []byte
		jsonscan.Fields(v, func(key string, v []byte) bool {
			switch {
			case key == "message" && isText(v):
				text = v
			case key == "error":
				inner = v
			}
			return true
		})
		if text != nil {
			return phrase.Head(text, phrase.LineLimit)
		}
		v = inner
	}
	return ""
}

// attached reads what the client puts into the context beside the messages.
func (d *decoder) attached() {
	e := d.e
	var typ, path []byte
	jsonscan.Fields(d.r.attachment, func(key string, v []byte) bool {
		switch key {
		case "type":
			typ = v
		case "filename":
			path = v
		}
		return true
	})
	sub := jsonscan.Str(typ)
	e.Type, e.Source = joined("attachment", sub), "client"
	switch sub {
	case "file", "edited_text_file":
		e.Kind = model.KindState
		e.Title = phrase.Titled("attached again", phrase.Head(path, phrase.LineLimit))
		if sub == "edited_text_file" {
			e.Title = phrase.Titled("changed outside, attached", phrase.Head(path, phrase.LineLimit))
		}
	default:
		e.Noise, e.Title = true, phrase.Titled("attached", sub)
	}
}

// beside reads a record that stands beside the conversation, has no uuid and is
// no part of its tree; and any type that is not known.
func (d *decoder) beside(typ string) {
	r, e := &d.r, d.e
	e.Noise = true
	switch typ {
	case "file-history-snapshot":
		e.Kind = model.KindState
		e.Title = "file backup: " + phrase.Plural(members(jsonscan.Get(r.snapshot, "trackedFileBackups")), "file")
	case "file-history-delta":
		e.Kind = model.KindState
		e.Title = phrase.Titled("file backup", jsonscan.Str(jsonscan.Get(r.raw, "trackingPath")))
	case "queue-operation":
		e.Type = joined(typ, jsonscan.Str(r.operation))
		e.Title = phrase.Titled(e.Type, phrase.FirstLine(phrase.Head(r.content, phrase.LineLimit)))
	case "summary":
		e.Title = phrase.Titled(typ, phrase.FirstLine(phrase.Head(r.summary, phrase.LineLimit)))
	case "custom-title":
		d.named(r.customTitle, setsTitle)
	case "ai-title":
		d.named(r.aiTitle, guessesTitle)
	case "agent-name":
		d.named(r.agentName, 0)
	case "agent-setting":
		d.named(r.agentSetting, 0)
	case "mode":
		e.Kind = model.KindState
		d.named(r.mode, 0)
	case "permission-mode":
		e.Kind = model.KindState
		d.named(r.permissionMode, 0)
	case "pr-link":
		d.named(r.prURL, 0)
	case "cost-state":
		d.cost()
	case "api-request":
		d.request()
	case "stream_event":
		e.Kind, e.Source = model.KindDelta, "assistant"
		e.Type = joined(typ, jsonscan.Str(jsonscan.Get(r.data, "type")))
		e.Title = e.Type
	case "result":
		d.runEnds()
	default:
		if !known(typ) {
			// Nothing tells that it is no part of the conversation.
			e.Noise = false
		}
	}
}

// known reports a type that the dialect knows.
func known(typ string) bool { return types[`"`+typ+`"`] != "" }

// named reads a record that sets one value.
func (d *decoder) named(v []byte, f flags) {
	text := phrase.FirstLine(phrase.Head(v, phrase.LineLimit))
	d.e.Title = phrase.Titled(d.e.Type, text)
	if d.n.Flags |= f; f != 0 {
		d.n.Line = text
	}
}

// request reads a recorded request. Its difference from the one before feeds
// the context.
func (d *decoder) request() {
	e := d.e
	e.ID = jsonscan.Str(d.r.id)
	d.n.Flags |= isRequest
	d.n.Request = e.ID
	keep, _ := jsonscan.Int(d.r.keep)
	e.Title = fmt.Sprintf("request: %d kept, %d new", keep, count(d.r.tail))
}

// cost reads the money that was spent so far.
func (d *decoder) cost() {
	e := d.e
	e.Kind = model.KindDelta
	if usd, ok := jsonscan.Float(d.r.totalCost); ok {
		e.Title = "cost $" + strconv.FormatFloat(usd, 'f', 2, 64)
		e.Usage = &model.Usage{CostUSD: usd, Told: model.ToldCost}
		d.n.Flags |= totals
	}
}

// runEnds reads the last line of a stream: how the run ended and what it took.
func (d *decoder) runEnds() {
	r, e := &d.r, d.e
	sub := jsonscan.Str(r.subtype)
	e.Type, e.Kind, e.Source, e.Noise = joined("result", sub), model.KindSession, "system", false
	d.n.Flags |= runTotals
	e.Outcome = model.OutcomeOK
	text := phrase.FirstLine(phrase.Head(r.result, phrase.LineLimit))
	if isTrue(r.isError) || bytes.HasPrefix(r.subtype, []byte(`"error`)) {
		e.Kind, e.Outcome = model.KindError, model.OutcomeFailed
		d.n.Flags |= breaks
	} else {
		d.n.Flags |= endsTurn
	}
	e.Title = phrase.Titled("result "+sub, text)
	e.Usage = usageOf(r.usage)
	if usd, ok := jsonscan.Float(r.totalCost); ok {
		if e.Usage == nil {
			e.Usage = new(model.Usage)
		}
		e.Usage.CostUSD, e.Usage.Told = usd, e.Usage.Told|model.ToldCost
	}
}

// members is the number of members of an object.
func members(obj []byte) (n int) {
	jsonscan.Fields(obj, func(string, []byte) bool { n++; return true })
	return n
}
