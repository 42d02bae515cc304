package openhands

import (
	"fmt"
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// diffLimit is the largest file text, in bytes of JSON, whose changed lines
// are counted for a title.
const diffLimit = 1 << 20

// callTitle says what a call does: the tool and what it is about.
func callTitle(tool string, d *details, summary []byte) string {
	return phrase.OneLine(strings.TrimSpace(tool + " " + d.about(summary)))
}

// about is what a call is about: its command, path, address or text; else the
// summary that the agent gave for it.
func (d *details) about(summary []byte) string {
	var parts []string
	add := func(v []byte) {
		if s := phrase.Head(v, 4*model.TitleLimit); s != "" {
			parts = append(parts, s)
		} else if jsonscan.Kind(v) == '0' {
			parts = append(parts, string(v))
		}
	}
	add(d.command)
	add(d.path)
	add(d.url)
	if n := count(d.taskList); n > 0 {
		parts = append(parts, phrase.Plural(n, "task"))
	}
	for _, v := range [][]byte{d.code, d.name, d.message, d.query, d.agent, d.finalThought, d.subject, d.text, summary, d.thought, d.content} {
		if len(parts) > 0 {
			break
		}
		add(v)
	}
	return strings.Join(parts, " ")
}

// resultTitle says how a call ended: "ok" with what can be counted, or what
// went wrong, exit code first.
func resultTitle(tool string, d *details, outcome model.Outcome, text string) string {
	code, hasCode := d.exitOf()
	var parts []string
	switch {
	case outcome == model.OutcomeFailed:
		return failedTitle(tool, d, text)
	case hasCode && code == exitRunning:
		parts = append(parts, "still running")
	case outcome == model.OutcomeOK:
		parts = append(parts, "ok")
	}
	if hasCode && code != exitRunning {
		parts = append(parts, "exit "+strconv.FormatInt(code, 10))
	}
	if change := d.change(); change != "" {
		parts = append(parts, change)
	} else if n := count(d.taskList); n > 0 {
		parts = append(parts, phrase.Plural(n, "task")+d.tasksDone())
	} else if line := phrase.FirstLine(text); line != "" {
		parts = append(parts, line)
	} else if path := phrase.Head(d.path, 4*model.TitleLimit); path != "" {
		parts = append(parts, path)
	}
	return phrase.Titled(tool, strings.Join(parts, ", "))
}

func failedTitle(tool string, d *details, text string) string {
	line := tellingLine(text)
	code, hasCode := d.exitOf()
	switch {
	case isTrue(d.timeout):
		line = strings.TrimSuffix("timed out: "+line, ": ")
	case hasCode && code != exitRunning && code != 0:
		line = strings.TrimSuffix("exit "+strconv.FormatInt(code, 10)+": "+line, ": ")
	case line == "":
		line = "failed"
	}
	return phrase.Titled(tool, line)
}

// tasksDone counts the finished tasks of a result.
func (d *details) tasksDone() string {
	done := 0
	jsonscan.Elements(d.taskList, func(task []byte) bool {
		if jsonscan.Str(jsonscan.Get(task, "status")) == "done" {
			done++
		}
		return true
	})
	return fmt.Sprintf(", %d done", done)
}

// change tells the lines that an edit took out and put in.
func (d *details) change() string {
	if !isText(d.newContent) || jsonscan.Str(d.command) == "view" || len(d.oldContent)+len(d.newContent) > diffLimit {
		return ""
	}
	old, now := jsonscan.Str(d.oldContent), jsonscan.Str(d.newContent)
	return phrase.Change(old, now)
}
