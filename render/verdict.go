package render

import (
	"hindcast/model/answer"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// Verdict draws how it ended, and whether that is to be believed, in one line.
func Verdict(v answer.Verdict) Line {
	l := endings(v.Outcomes)
	if c := v.Claim; c != nil {
		role := theme.Plain
		if v.First != nil && v.First.Session == c.Event.Session && v.First.Pos < c.Event.Pos {
			role = theme.Warn
		}
		l = append(l, Span{", ", theme.Dim}, Span{"claims success at ", role}, seqSpan(c.Event.Seq))
	}
	l = append(append(l, Span{"; ", theme.Dim}), failuresOf(v)...)
	if v.OpenCalls > 0 {
		l = append(l, Span{"; ", theme.Dim}, Span{text.Plural(v.OpenCalls, "call") + " without result", theme.Warn})
	}
	for _, n := range []struct {
		of   *int64
		one  string
		role theme.Role
	}{{v.Checkpoints, "checkpoint", theme.Checkpoint}, {v.Findings, "finding", theme.Warn}} {
		if n.of == nil {
			continue
		}
		role := theme.Dim
		if *n.of > 0 {
			role = n.role
		}
		l = append(l, Span{"; ", theme.Dim}, Span{text.Plural(*n.of, n.one), role})
	}
	return l
}

func endings(list []answer.Outcome) Line {
	var l Line
	for i, o := range list {
		if i > 0 {
			l = append(l, Span{", ", theme.Dim})
		}
		if len(list) > 1 || o.Sessions > 1 {
			l = append(l, Span{text.Count(o.Sessions) + " ", theme.Plain})
		}
		if o.Outcome == nil {
			l = append(l, Span{"no outcome recorded", theme.Dim})
		} else {
			l = append(l, Span{text.CleanCut(*o.Outcome, 40), theme.SessionMark})
		}
	}
	return l
}

func failuresOf(v answer.Verdict) Line {
	var l Line
	if v.FailedCalls == 0 && v.OtherErrors == 0 {
		return Line{{"no failures", theme.Ok}}
	}
	if v.FailedCalls > 0 || v.OtherErrors == 0 {
		l = append(l, Span{text.Plural(v.FailedCalls, "failed call"), theme.Fail})
	}
	if v.OtherErrors > 0 {
		what := "error"
		if len(l) > 0 {
			l, what = append(l, Span{" and ", theme.Dim}), "other error"
		}
		l = append(l, Span{text.Plural(v.OtherErrors, what), theme.Fail})
	}
	if v.Unrecovered == nil {
		return l
	}
	role := theme.Dim
	if *v.Unrecovered > 0 {
		role = theme.Fail
	}
	l = append(l, Span{", ", theme.Dim}, Span{text.Count(*v.Unrecovered) + " unrecovered", role})
	if v.First != nil {
		l = append(l, Span{" from ", theme.Dim}, seqSpan(v.First.Seq))
	}
	return l
}
