package index

import (
	"context"
	"errors"

	"hindcast/index/bisect"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/replay"
)

// Bisect finds the events at which an expression turns.
func (x *Index) Bisect(ctx context.Context, session, text string) (answer.Bisect, error) {
	out := answer.Bisect{Expr: text, Reads: []string{}, Flips: []answer.Flip{}, Events: make(map[int64]answer.Event)}
	expr, err := bisect.Compile(text)
	if err != nil {
		return out, exprError(text, err)
	}
	out.Reads = append(out.Reads, expr.Reads()...)
	key, last, err := x.foldedAll(ctx, session)
	if err != nil || last == 0 {
		return out, err
	}
	holds, pos := false, int64(1)
	reads, state, texts := expr.ReadsTexts(), bisect.NewState(), x.st.Reader().FileTexts(key, last)
	settle := func() error {
		now, err := expr.Holds(ctx, state)
		if err != nil || now == holds {
			return exprError(text, err)
		}
		holds = now
		e, err := x.eventAt(ctx, key, pos)
		if err != nil {
			return err
		}
		out.Events[pos] = answer.NewEvent(e)
		out.Flips = append(out.Flips, answer.Flip{By: answer.NewRef(refOf(e)), To: now})
		return nil
	}
	written := map[string]bool{}
	err = x.concerned(ctx, key, last, expr, func(w model.Write) error {
		written[w.Path] = true
		if w.Pos != pos {
			if err := settle(); err != nil {
				return err
			}
			pos = w.Pos
		}
		if reads {
			if err := texts.Fill(ctx, &w); err != nil {
				return err
			}
		}
		state.Write(w)
		return nil
	})
	if err != nil {
		return out, err
	}
	cells, _ := expr.Cells()
	for _, cell := range cells {
		if _, fixed := replay.Initial(cell); !fixed && !written[cell] {
			out.Unwritten = append(out.Unwritten, cell)
		}
	}
	return out, settle()
}

func exprError(text string, err error) error {
	var syntax *bisect.SyntaxError
	if errors.As(err, &syntax) {
		return &ExprError{Expr: text, Column: syntax.Column, Reason: syntax.Reason}
	}
	return err
}

// concerned calls f with the writes that can change an expression, in pos order:
// from the histories of the cells that it reads, where these are few, else from
// all writes of the session.
func (x *Index) concerned(ctx context.Context, key, last int64, expr *bisect.Expr, f func(model.Write) error) error {
	cells, few := expr.Cells()
	if !few {
		var failed error
		err := x.st.Reader().Writes(ctx, key, 0, last, func(w model.Write) bool {
			if expr.Concerns(w.Path) {
				failed = f(w)
			}
			return failed == nil
		})
		return errors.Join(err, failed)
	}
	heads := make([]cellHead, len(cells))
	for i, cell := range cells {
		heads[i] = cellHead{cell: cell}
		if err := heads[i].fill(ctx, x, key); err != nil {
			return err
		}
	}
	for {
		next := -1
		for i, h := range heads {
			if len(h.page) > 0 && (next < 0 || h.page[0].Pos < heads[next].page[0].Pos) {
				next = i
			}
		}
		if next < 0 {
			return nil
		}
		if err := f(heads[next].page[0]); err != nil {
			return err
		}
		if err := heads[next].advance(ctx, x, key); err != nil {
			return err
		}
	}
}
