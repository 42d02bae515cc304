package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"hindcast/index/store"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/query"
)

// This file resolves addresses that count messages of a request: ctx:7 counts
// as `hindcast context` does, from 1; a provider's error counts from 0.

// errorEvents are what addresses take for a provider's errors.
var errorEvents = query.And{List: []query.Expr{query.Term{Field: query.FieldKind, Op: query.OpIs, Text: "error"}, recorded}}

// errorsRead bounds how many errors are read for a text that one of them says.
const errorsRead = 200

// message finds the first event of message n, from 1, of the request behind the
// last error.
func (r *resolver) message(ctx context.Context, n int64) (int64, error) {
	request, ok, err := r.request(ctx, "")
	if err != nil || !ok {
		return 0, err
	}
	return r.inRequest(request, n-1), nil
}

// named finds the messages that a provider's error names, one after another, in
// the request behind the last error that says the same, or the last error of
// all.
func (r *resolver) named(ctx context.Context, text string, numbers []int64) (int64, error) {
	for _, n := range numbers {
		said, apart := fmt.Sprintf("[%d]", n), false // messages[7], input[7]
		if dotted := fmt.Sprintf("messages.%d", n); strings.Contains(text, dotted) {
			said, apart = dotted, true
		}
		request, ok, err := r.request(ctx, said)
		if err != nil || !ok {
			return 0, err
		}
		if apart {
			n += systemMessages(request)
		}
		if pos := r.inRequest(request, n); pos > 0 {
			return pos, nil
		}
	}
	return 0, nil
}

// systemMessages counts those that open a request. A provider that names
// messages with a dot takes them apart from the others.
func systemMessages(request answer.Context) int64 {
	isOther := func(m answer.Message) bool { return m.Role != model.RoleSystem.String() }
	if i := slices.IndexFunc(request.Messages, isOther); i >= 0 {
		return int64(i)
	}
	return int64(len(request.Messages))
}

// inRequest is the first event of a message, counted from 0.
func (r *resolver) inRequest(request answer.Context, at int64) int64 {
	if count := int64(len(request.Messages)); at < 0 || at >= count {
		r.why(fmt.Sprintf("the request behind the error at %d has messages ctx:1 to ctx:%d", request.For.Seq, count))
		return 0
	}
	events := request.Messages[at].Events
	if len(events) == 0 {
		r.why("that message stands in no event")
		return 0
	}
	return events[0].Pos
}

// request is what the model was given when the last error came that says a
// text, or the last of all where none does.
func (r *resolver) request(ctx context.Context, says string) (answer.Context, bool, error) {
	fault, ok, err := r.errorSaying(ctx, says)
	if err != nil || !ok {
		return answer.Context{}, false, err
	}
	request, err := r.x.Context(ctx, ContextQuery{At: fault, For: true})
	if errors.Is(err, errNotFolded) {
		r.why(err.Error())
		return request, false, nil
	}
	return request, err == nil, err
}

func (r *resolver) errorSaying(ctx context.Context, says string) (last model.Event, ok bool, err error) {
	for _, where := range []query.Expr{errorEvents, failedEvents} {
		list, _, err := r.x.st.Reader().Page(ctx, store.PageSpec{Session: r.s.Key, Desc: true, Limit: errorsRead, Where: where})
		if err != nil {
			return last, false, err
		}
		if len(list) == 0 {
			continue
		}
		slices.SortFunc(list, func(a, b model.Event) int { return int(b.Pos - a.Pos) })
		for _, e := range list {
			if raw, err := r.x.Raw(ctx, e); err == nil && bytes.Contains(raw, []byte(says)) {
				return e, true, nil
			}
		}
		return list[0], true, nil
	}
	r.why("the session has no error, so there is no request to count in")
	return last, false, nil
}
