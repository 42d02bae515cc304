package opencode

import (
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// cwd is the folder that an answer was made in.
func (m *message) cwd() string { return jsonscan.Str(jsonscan.Get(m.path, "cwd")) }

// message is a message's row. What it says stands in its parts.
func (f *effector) message(e *model.Event, r *row, view model.View) (out []model.Effect) {
	m := r.messageAt(stageOf(e))
	s, known := f.recall(e, r.message, view)
	s.take(&m)
	if !known {
		out = f.inferStatus("running", "")
	}
	switch {
	case m.err != nil:
		return append(out, f.broken(s, &m, view)...)
	case m.role != "assistant":
		return out
	case m.summary && (m.finish != "" || m.completed.Known):
		out = append(out, f.summed(e, s, view)...)
	}
	if m.completed.Known && m.finish != "tool-calls" {
		out = append(out, f.inferStatus("idle", "")...)
	}
	return out
}

// broken: an answer with an error is no part of any request, unless the user
// stopped it after it had said or called something.
func (f *effector) broken(s *seen, m *message, view model.View) (out []model.Effect) {
	first := !s.Failed
	said := keysOf(view, s)
	if m.aborted() {
		if first {
			out = f.inferStatus("interrupted", failure(m.err).Message)
		}
		if speaks(said, view) {
			return out
		}
	} else if first {
		fail := failure(m.err)
		out = append(f.inferStatus("error", fail.Message), fail)
	}
	s.Failed = true
	if len(said) > 0 {
		out = append(out, model.Forget{Keys: said, Reason: model.LostRebuild})
	}
	return out
}

// speaks reports whether any of these keys stands for more than a thought.
func speaks(keys []string, view model.View) bool {
	entries := view.Context()
	for _, x := range entries {
		if len(keys) == 0 {
			break
		}
		if x.Key != keys[0] {
			continue
		}
		keys = keys[1:]
		if e, _, ok := view.Record(x.Pos); !ok || !strings.HasSuffix(e.Type, "/reasoning") {
			return true
		}
	}
	return false
}

// gone: a message or a part was removed. What was staged to be taken back is so
// for good then.
func (f *effector) gone(r *row, view model.View) []model.Effect {
	f.state.Revert.Removed = true
	var keys []string
	for _, x := range view.Context() {
		if r.op == opMessageGone && (x.Response == r.message || strings.Contains(x.Key, "."+r.message+".")) ||
			r.op == opPartGone && strings.HasSuffix(x.Key, "."+r.part) {
			keys = append(keys, x.Key)
		}
	}
	if len(keys) == 0 {
		return nil
	}
	return []model.Effect{model.Forget{Keys: keys, Reason: model.LostRevert}}
}
